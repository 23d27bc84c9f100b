"""Whatever runs is saved, read back, drawn and reported: every section, path, surface, normal law and form of a
function, for each of which this file must have an example."""

from typing import get_args

import numpy as np
import pytest

import tapespring as ts
from tapespring.kinds.contact_laws.any_law import AnyLaw
from tapespring.kinds.paths.any_path import AnyPath
from tapespring.kinds.sections.any_section import AnySection
from tapespring.kinds.surfaces.any_surface import Written
from tapespring.schema.functions import ScalarFunction

ALUMINIUM = {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"}
SECTIONS = {
    "rectangle": {"width": 0.02, "thickness": 0.01},
    "circle": {"radius": 0.01},
    "tube": {"radius": 0.01, "wall": 0.002},
    "i": {"height": 0.03, "width": 0.02, "flange": 0.003, "web": 0.002},
    "polygon": {"points": [[0, 0], [0.02, 0], [0.02, 0.01], [0.01, 0.015], [0, 0.01]]},
    "constants": {"area": 4e-4, "second_moment": [3e-8, 1e-8]},
    "general": {"axial_stiffness": 1e6, "bending_stiffness": 100, "torsion_stiffness": 50, "mass_per_length": 0.5},
}
PATHS = {
    "polyline": {"points": [[0, 0, 0], [0.5, 0, 0.1], [1, 0, 0]]},
    "arc": {"centre": [0, 0, 0], "start": [1, 0, 0], "normal": "z", "angle": "90 deg"},
    "helix": {"start": [0.1, 0, 0], "axis": "z", "pitch": 0.2, "turns": 1},
    "spline": {"points": [[0, 0, 0], [0.5, 0, 0.1], [1, 0, 0]]},
    "chain": {"parts": [{"kind": "polyline", "points": [[0, 0, 0], [0.5, 0, 0]]}]},
}
SURFACES = {  # fixed to the ground below a ball of radius 0.1 at the height 1
    "half_space": {},
    "sphere": {"radius": 0.3},
    "ellipsoid": {"semi_axes": [0.3, 0.4, 0.5]},
    "capsule": {"to": [1, 0, 0], "radius": 0.2},
    "cylinder": {"radius": 0.3, "length": 0.5},
    "rod": {"on": "strap", "radius": 0.01},
    "box": {"size": [1, 1, 0.2]},
    "wedge": {"faces": [[-1, 0, -0.5], [1, 0, -0.5]], "radius": 0.1},
    "bearing": {"radius": 2.0, "at": [0, 0, 1]},
    "socket": {"radius": 2.0, "at": [0, 0, 1]},
    "mesh": {"mesh": {"kind": "sphere", "radius": 0.3, "divisions": [8, 4]}},
    "part": {"on": "strap", "stations": [0, 1]},
}
SPRING = {"kind": "linear", "stiffness": 1e4}
LAWS = {
    "linear": {"stiffness": 1e4},
    "hertz": {"stiffness": 1e6, "restitution": 0.8},
    "spring_dashpot": {"stiffness": 1e4, "damping": 10},
    "nonlinear": {"stiffness": 1e6},
    "lankarani_nikravesh": {"stiffness": 1e6, "restitution": 0.8},
    "hunt_crossley": {"stiffness": 1e6, "restitution": 0.8},
    "flores": {"stiffness": 1e6, "restitution": 0.8},
    "impact": {"stiffness": 1e6, "damping": 10, "full_damping_depth": 1e-4},
    "logical": {"stiffness": 1e6, "damping": 10},
    "barrier": {"stiffness": 1e4, "margin": 0.001},
    "augmented_lagrangian": {"stiffness": 1e4, "depth": 1e-5},
    "own": {"force": "1e4*x"},
    "momentum": {"restitution": 0.5},
}
FUNCTIONS = {
    "Constant": 2.0,
    "Polynomial": {"polynomial": [1, 2]},
    "Table": {"table": [[0, 0], [1, 1], [2, 0]]},
    "TableFile": {"csv": "force.csv"},
    "Expression": "2*sin(t)",
    "PythonFunction": lambda t: 2.0 * t,
}


def kinds_of(union):
    """The `kind` of each member of a union."""
    while not (members := [m for m in get_args(union) if hasattr(m, "model_fields")]):
        union = get_args(union)[0]
    return {member.model_fields["kind"].default for member in members}


@pytest.mark.parametrize(
    ("union", "examples"), [(AnySection, SECTIONS), (AnyPath, PATHS), (Written, SURFACES), (AnyLaw, LAWS)]
)
def test_there_is_an_example_of_each(union, examples):
    assert kinds_of(union) == set(examples)


def test_there_is_an_example_of_each_form_of_a_function():
    assert {form.__name__ for form in ScalarFunction.__subclasses__()} == set(FUNCTIONS)


def assert_kept(model, folder, *drawn, **settings):
    """Run it for a moment, save, read back and report; all of `drawn` are drawn."""
    run = model.simulate(outputs=2, **settings)
    assert run.status.complete, run.status
    back = ts.Results.load(run.save(folder / "run.nc"))
    assert set(drawn) <= {part["name"] for part in back.scene["parts"]}, run.notes
    assert back.names() == run.names()
    for name in run.names():
        assert np.array_equal(back[name].values, run[name].values, equal_nan=True), name
    assert run.report(folder / "run.html").read_text() == back.report(folder / "back.html").read_text()


def strap(path=((-1, 0, 0), (0, 0, 0), (1, 0, 0)), section="circle"):
    return {
        "kind": "beam", "path": path if isinstance(path, dict) else [list(p) for p in path], "elements": 2,
        "section": {"kind": section, **SECTIONS[section]}, **({} if section == "general" else {"material": ALUMINIUM}),
    }  # fmt: skip


@pytest.mark.parametrize("rigid", [False, True])
@pytest.mark.parametrize("section", SECTIONS)
def test_sections(section, rigid, tmp_path):
    body = strap(section=section) | {"rigid": rigid}
    model = ts.Model.from_plain({"bodies": {"strap": body}, "gravity": [0, 0, -9.81]})
    assert_kept(model, tmp_path, "strap", duration=1e-4)


@pytest.mark.parametrize("path", PATHS)
def test_paths(path, tmp_path):
    model = ts.Model.from_plain({"bodies": {"strap": strap({"kind": path, **PATHS[path]})}})
    assert_kept(model, tmp_path, "strap", duration=1e-4)


def ball_above(surface, law, strap_below=False):
    bodies = {"ball": {"kind": "rigid", "mass": 1, "at": [0, 0, 1], "shape": {"kind": "sphere", "radius": 0.1}}}
    return ts.Model.from_plain({
        "gravity": [0, 0, -9.81], "bodies": bodies | ({"strap": strap()} if strap_below else {}),
        "contacts": {"touch": {"kind": "contact", "between": [{"on": "ground"} | surface, "ball"], "law": law}},
    })  # fmt: skip


@pytest.mark.parametrize("kind", SURFACES)
def test_surfaces(kind, tmp_path):
    model = ball_above({"kind": kind, **SURFACES[kind]}, SPRING, SURFACES[kind].get("on") == "strap")
    assert_kept(model, tmp_path, "ball", "ground", "touch", duration=1e-4, solver="implicit", step=1e-4)


@pytest.mark.parametrize("kind", LAWS)
def test_normal_laws(kind, tmp_path):
    model = ball_above({"kind": "half_space"}, {"kind": kind, **LAWS[kind]})
    solver = {"solver": "implicit", "step": 1e-4} if kind == "augmented_lagrangian" else {"solver": "ode"}
    assert_kept(model, tmp_path, "ball", "touch", duration=1e-4, **solver)


@pytest.mark.parametrize("form", FUNCTIONS)
def test_functions_of_time(form, tmp_path):
    (tmp_path / "force.csv").write_text("t,f\n0,0\n1,2\n2,1\n")
    value = {"csv": str(tmp_path / "force.csv")} if form == "TableFile" else FUNCTIONS[form]
    model = ts.Model(name=form)
    model.load("push", model.point_mass("bob", at=(1, 0, 0), mass=1), force=(value, 0, 0))
    assert_kept(model, tmp_path, "bob", duration=0.01, solver="ode")
