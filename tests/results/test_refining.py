"""Errors estimated by a finer run: against closed forms, and where they cannot be had."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import tapespring as ts
from tapespring.bench import run_case
from tapespring.bench.case import at, case
from tapespring.bench.registry import registry
from tapespring.cli import app
from tapespring.refining import matching_rows, refined
from tapespring.results import Results
from tapespring.schema.problems import ModelError, Problem

SINKS = 0.01 / (8.0 * 2.0)  # m


def cantilever(elements=4) -> ts.Model:
    """Under its weight, half of which its elements give to each of their ends; the tip sinks by q L⁴/8EI."""
    m = ts.Model(name="cantilever", gravity=(0, 0, -0.01), duration=1, solver="quasi-static", outputs=2)
    section = {
        "kind": "general", "bending_stiffness": 2.0, "torsion_stiffness": 2.0, "axial_stiffness": 1e6,
        "mass_per_length": 1.0,
    }  # fmt: skip
    m.beam("boom", path=[[0, 0, 0], [1, 0, 0]], elements=elements, section=section, shear=False)
    m.fixed("clamp", m.ground, "boom.start")
    return m


def swing(tolerance) -> ts.Model:
    m = ts.Model(gravity=(0, 0, -9.81), duration=2, outputs=20, solver="ode", tolerance=tolerance)
    m.point_mass("bob", mass=1, at=(1, 0, 0))
    m.distance("rod", m.ground, "bob")
    return m


def test_error_of_a_beam_is_that_of_the_closed_form():
    results = cantilever().simulate(refine=True)
    found = results.errors["boom.end.position"]
    true = abs(results["boom.end.position.z"].final + SINKS)
    assert true > 1e-6
    assert found["error"] == pytest.approx(true, rel=0.05)
    assert "boom.positions" not in results.errors  # other nodes
    assert any("4/3 of the difference" in note for note in results.notes)


def test_error_of_a_pendulum_is_the_difference_from_a_tight_run():
    results = swing(1e-5).simulate(refine=True)
    exact = swing(1e-12).simulate()
    true = np.abs(results["bob.position"].values - exact["bob.position"].values).max()
    assert 0.5 * true < results.errors["bob.position"]["error"] < 2.0 * true


def test_finer_models():
    m = cantilever(5)
    mesh = {
        "kind": "extruded", "thickness": "1 mm",
        "of": {"kind": "strip", "length": 1, "width": 0.1, "divisions": [8, 2]},
    }  # fmt: skip
    m.solid("block", mesh=mesh, material={"young": 1e9, "poisson": 0.3, "density": 1000})
    m.beam(
        "stiff", path=[[0, 1, 0], [1, 1, 0]], elements=3, rigid=True, section=m["boom"].section.model_dump()
    )  # fmt: skip
    m.settings = m.settings.changed(
        tolerance=1e-8,
        stages=[
            {"duration": 1, "solver": "implicit", "step": 1e-3, "outputs": "10 ms"},
            {"duration": 1, "solver": "quasi-static"},
        ],
    )
    fine = refined(m)
    assert fine["boom"].elements == 10
    assert fine["stiff"].elements == 3
    assert fine["block"].mesh.layers == 2
    assert fine["block"].mesh.of.divisions == (16, 4)
    first, second = fine.settings.stages
    assert (first.step, first.outputs, first.tolerance) == (5e-4, 5e-3, 1e-9)
    assert (second.step, second.outputs) == (None, 4)
    assert m["boom"].elements == 5


def test_default_tolerance_of_flexible_models_is_tightened():
    m = cantilever()
    m.settings = m.settings.changed(solver="implicit")
    assert refined(m).settings.tolerance == 1e-7


def test_what_cannot_be_refined_is_told():
    m = ts.Model(duration=1)
    triangle = {"kind": "points", "nodes": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}
    m.membrane("sail", mesh=triangle, thickness="1 mm", material={"young": 1e6, "poisson": 0.3, "density": 1000})
    with pytest.raises(ts.ModelError, match="a mesh of kind 'points' comes with its elements"):
        m.simulate(refine=True)
    with pytest.raises(ts.ModelError, match="refine the whole run"):
        cantilever().simulate(refine=True, restart="a.nc")


def test_rows_of_equal_times():
    coarse, fine = np.array([0.0, 1.0, 1.0, 2.0, 2.5]), np.array([0.0, 0.5, 1.0, 1.0, 1.5, 2.0])
    rows, same = matching_rows(coarse, fine)
    assert rows.tolist() == [0, 1, 2, 3]
    assert same.tolist() == [0, 2, 3, 5]


def test_errors_are_kept_shown_and_written(tmp_path):
    cantilever().save(tmp_path / "cantilever.yaml")
    call = ["run", str(tmp_path / "cantilever.yaml"), "--refine", "--out", str(tmp_path / "run.nc")]
    said = CliRunner().invoke(app, call)
    assert said.exit_code == 0
    assert "error       boom.end.position [m]: at most 1 ± " in said.output
    errors = Results.load(tmp_path / "run.nc").errors
    plain = json.loads(CliRunner().invoke(app, [*call, "--json"]).stdout)
    assert plain["errors"] == errors
    assert errors["boom.end.position"]["unit"] == "m"


def test_errors_of_bench_quantities(monkeypatch):
    from tapespring.bench.case import Quantity

    sinks = Quantity("sinks", "m", -SINKS, 1e-4, "closed form", "A", at("boom.end.position.z", 1.0))
    monkeypatch.setitem(registry(), "cantilever", case("cantilever", "", cantilever, lambda: [sinks]))
    outcome = run_case("cantilever", refine=True)
    (found,) = outcome["quantities"]
    assert found["error"] == pytest.approx(abs(found["value"] - found["reference"]), rel=0.05)
    assert "order 2" in found["error_by"]
    assert outcome["runs"][""]["elements"] == 4


def test_a_finer_run_that_fails_leaves_the_coarse_one(monkeypatch):
    """With the reason why it has no errors."""
    import tapespring.simulate as module

    whole, runs = module.simulate, []

    def once(model, *given, **settings):
        runs.append(model)
        if len(runs) > 1:
            raise ModelError(Problem(None, ("simulate",), "no balanced start: too fine"))
        return whole(model, *given, **settings)

    monkeypatch.setattr(module, "simulate", once)
    r = cantilever().simulate(refine=True)
    assert len(runs) == 2
    assert r.status.complete
    assert not r.errors
    assert any("no error estimate" in note and "too fine" in note for note in r.notes)
