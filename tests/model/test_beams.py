"""Beams: nodes, masses, elements, markers and stations, and what becomes of them when declared rigid."""

import numpy as np
import pytest

from tapespring.build.beam_element import drawn_strain
from tapespring.build.builder import build
from tapespring.mechanics import tables as tb
from tapespring.model import Model

SECTION = {"kind": "rectangle", "width": "20 mm", "thickness": "5 mm"}
MATERIAL = {"young": "70 GPa", "poisson": 0.3, "density": "2700 kg/m^3"}
STRAP = {"kind": "beam", "path": [[0, 0, 0], [1, 0, 0]], "section": SECTION, "material": MATERIAL, "elements": 4}
LINE_MASS = 2700 * 0.02 * 0.005


def model_of(sections=None, **fields):
    return Model.from_plain({"bodies": {"strap": STRAP | fields}, **(sections or {})})


def built(sections=None, **fields):
    assembler, catalogue = build(model_of(sections, **fields), ".", 1.0)
    return assembler, catalogue, catalogue.bodies["strap"]


def total(assembler):
    """(mass, centre, inertia about it) of all nodes."""
    nodes = assembler.nodes[1:]
    mass = sum(n.mass for n in nodes)
    centre = sum(n.mass * n.x for n in nodes) / mass
    inertia = np.zeros((3, 3))
    for n in nodes:
        r = n.x - centre
        inertia += n.inertia + n.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return mass, centre, inertia


PATHS = {
    "line": [[1, 2, 3], [2, 2, 4]],
    "polyline": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 2]],
    "arc": {"kind": "arc", "start": [1, 0, 0], "centre": [0, 0, 0], "normal": "z", "angle": "270 deg"},
    "arc by tangent": {
        "kind": "arc", "start": [0, 0, 0], "tangent": "x", "normal": "-y", "radius": 2, "angle": "-40 deg"},
    "arc through": {"kind": "arc", "through": [[0, 0, 0], [1, 1, 0], [2, 0, 0.5]]},
    "helix": {"kind": "helix", "start": [1, 0, 0], "pitch": 0.5, "turns": 2.3, "axis": [0, 0, 1]},
    "left helix": {
        "kind": "helix", "start": [1, 2, 0], "centre": [0, 1, 3], "pitch": -0.5, "turns": 2.3, "axis": [0, 1, 1]},
    "spline": {"kind": "spline", "points": [[0, 0, 0], [1, 1, 0], [2, 0, 1], [3, 0, 0]], "start_tangent": "x"},
    "chain": {"kind": "chain", "parts": [
        {"kind": "polyline", "points": [[0, 0, 0], [1, 0, 0]]},
        {"kind": "arc", "start": [1, 0, 0], "tangent": "x", "normal": "z", "radius": 0.5, "angle": "90 deg"},
        {"kind": "polyline", "points": [[1.5, 0.5, 0], [1.5, 2, 0]]}]},
}  # fmt: skip
LENGTHS = {
    "line": np.sqrt(2), "polyline": 4, "arc": 1.5 * np.pi, "arc by tangent": 2 * np.radians(40),
    "helix": 2.3 * np.hypot(2 * np.pi, 0.5), "chain": 2.5 + np.pi / 4,
}  # fmt: skip


@pytest.mark.parametrize("name", PATHS)
def test_paths(name):
    assembler, _, entry = built(path=PATHS[name], elements=200, up=[0.3, 0.5, 0.81])
    length = entry.line.length
    if name in LENGTHS:
        assert length == pytest.approx(LENGTHS[name])
    assert total(assembler)[0] == pytest.approx(LINE_MASS * length)
    chords = np.linalg.norm(np.diff(entry.line.points, axis=0), axis=1)
    assert chords.sum() == pytest.approx(length, rel=1e-3)
    for beam in assembler.beams:
        for frame in (beam.frame_a, beam.frame_b):
            np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-13)
            assert np.linalg.det(frame) > 0
        strain = drawn_strain(beam)
        np.testing.assert_allclose(strain[:3], [1, 0, 0], atol=2e-3)  # the tangent is the first axis
        assert abs(strain[3]) < 2e-3  # frames are carried along without twist
    np.testing.assert_allclose([beam.pb for beam in assembler.beams[:-1]], [beam.pa for beam in assembler.beams[1:]])


def test_arc_elements_have_constant_curvature():
    assembler, _, _ = built(path=PATHS["arc"], elements=7)
    for beam in assembler.beams:
        np.testing.assert_allclose(drawn_strain(beam), [1, 0, 0, 0, 0, 1], atol=1e-12)


def test_helix_of_a_frame_carried_along():
    """Curvature r/(r² + p²) of the axis, whatever the section's turn; no twist."""
    assembler, _, _ = built(path=PATHS["left helix"], elements=2000)
    r, p = 1 / np.sqrt(2) * np.sqrt(1 + 2 * 1), 0.5 / (2 * np.pi)
    arm = np.array([1, 1, -3.0])
    axis = np.array([0, 1, 1]) / np.sqrt(2)
    r = np.linalg.norm(arm - arm @ axis * axis)
    for beam in assembler.beams[::100]:
        strain = drawn_strain(beam)
        assert np.linalg.norm(strain[4:]) == pytest.approx(r / (r * r + p * p), rel=1e-4)
        assert abs(strain[3]) < 1e-5


def test_left_helix_turns_the_other_way():
    def climb(pitch):
        path = {"kind": "helix", "start": [1, 0, 0], "pitch": pitch, "turns": 0.25}
        return built(path=path)[2].line.points[-1]

    np.testing.assert_allclose(climb(0.4), [0, 1, 0.1], atol=1e-14)
    np.testing.assert_allclose(climb(-0.4), [0, -1, 0.1], atol=1e-14)


def test_spline_follows_a_circle():
    angle = np.linspace(0, np.pi / 2, 9)
    points = np.column_stack((np.cos(angle), np.sin(angle), 0 * angle)).tolist()
    path = {"kind": "spline", "points": points, "start_tangent": "y", "end_tangent": "-x"}
    entry = built(path=path, up="x")[2]
    assert entry.line.length == pytest.approx(np.pi / 2, rel=1e-5)
    np.testing.assert_allclose(np.linalg.norm(entry.line.points, axis=1), 1, rtol=1e-4)
    np.testing.assert_allclose(entry.line.axes[-1], [[-1, 0, 0], [0, 0, 1], [0, 1, 0]], atol=1e-4)


def test_section_axes_and_twist():
    _, _, entry = built(up=[0, 1, 1], twist="90 deg")
    h = np.sqrt(0.5)
    np.testing.assert_allclose(entry.axes, np.array([[1, 0, 0], [0, h, -h], [0, h, h]]).T, atol=1e-15)
    np.testing.assert_allclose(entry.markers["end"].axes, np.array([[1, 0, 0], [0, h, h], [0, -h, h]]).T, atol=1e-15)
    assembler, _, _ = built(up=[0, 1, 1], twist="90 deg")
    for beam in assembler.beams:
        np.testing.assert_allclose(drawn_strain(beam), [1, 0, 0, np.pi / 2, 0, 0], atol=1e-13)


def test_corner_carries_both_frames():
    assembler, _, entry = built(path=[[0, 0, 0], [1, 0, 0], [1, 2, 0]], elements=3)
    np.testing.assert_allclose(entry.line.stations, [0, 1, 2, 3])
    one, two, _ = assembler.beams
    assert one.b == two.a
    np.testing.assert_allclose(one.frame_b, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(two.frame_a, np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]).T, atol=1e-15)


@pytest.mark.parametrize("name", ["line", "polyline", "arc", "spline"])
def test_lumped_mass_tends_to_that_of_the_rigid_body(name):
    exact = total(built(path=PATHS[name], elements=400, rigid=True)[0])
    errors = []
    for elements in (20, 40):
        mass, centre, inertia = total(built(path=PATHS[name], elements=elements)[0])
        assert mass == pytest.approx(exact[0])
        errors.append(np.abs(inertia - exact[2]).max() + np.abs(centre - exact[1]).max())
    assert errors[1] < 0.3 * errors[0] + 1e-12
    assert errors[1] < 0.01 * np.abs(exact[2]).max()


def test_rigid_beam_is_a_rigid_body():
    shape = {"kind": "box", "size": [1, "20 mm", "5 mm"]}
    motion = {"velocity": [1, 2, 3], "angular_velocity": [0.1, 0.2, 0.3]}
    box = {"kind": "rigid", "at": [0.5, 0, 0], "shape": shape, "density": 2700, "markers": {"mid": [0, 0, 0]}}
    data = {"bodies": {"strap": STRAP | motion | {"rigid": True, "markers": {"mid": "50 %"}}, "box": box}}
    assembler, catalogue = build(Model.from_plain(data), ".", 1.0)
    one, two = assembler.nodes[1:]
    assert (one.kind, one.label) == (tb.FRAME, "strap")
    assert one.mass == pytest.approx(two.mass)
    np.testing.assert_allclose(one.x, two.x, atol=1e-15)
    np.testing.assert_allclose(one.inertia, two.inertia, rtol=1e-12, atol=1e-18)
    np.testing.assert_allclose(one.v, np.array([1, 2, 3]) + np.cross([0.1, 0.2, 0.3], [0.5, 0, 0]))
    strap, box = catalogue.bodies["strap"], catalogue.bodies["box"]
    np.testing.assert_allclose(strap.markers["mid"].point, box.markers["mid"].point)
    assert {m.node for m in strap.markers.values()} == {1}
    assert not assembler.beams


def test_nodes_start_in_rigid_motion():
    assembler, _, _ = built(velocity=[1, 0, 0], angular_velocity=[0, 0, 2])
    for node in assembler.nodes[1:]:
        np.testing.assert_allclose(node.v, [1, 2 * node.x[0], 0], atol=1e-15)
        np.testing.assert_allclose(node.w, [0, 0, 2])


def test_markers_become_nodes():
    assembler, _, entry = built(
        markers={
            "mid": "50 %",
            "odd": "0.3 m",
            "beside": {"at": 0.3, "offset": [0, 0, 0.01], "orientation": {"axis": "x", "angle": "90 deg"}},
        }
    )  # fmt: skip
    assert list(entry.markers) == ["start", "end", "mid", "odd", "beside"]
    np.testing.assert_allclose(entry.line.stations, [0, 0.15, 0.3, 0.5, 0.75, 1])
    assert max(np.diff(entry.line.stations)) <= 0.25
    for name, x in {"start": 0, "end": 1, "mid": 0.5, "odd": 0.3}.items():
        marker = entry.markers[name]
        np.testing.assert_allclose(marker.point, [x, 0, 0], atol=1e-15)
        np.testing.assert_allclose(assembler.nodes[marker.node].x, [x, 0, 0], atol=1e-15)
    beside = entry.markers["beside"]
    assert beside.node == entry.markers["odd"].node
    np.testing.assert_allclose(beside.point, [0.3, 0, 0.01])
    np.testing.assert_allclose(beside.axes @ [0, 1, 0], [0, 0, 1], atol=1e-15)
    assert [n.label for n in assembler.nodes[1:3]] == ["strap[0]", "strap[1]"]


def test_stations_others_name_become_nodes():
    bodies = {
        "strap": STRAP,
        "other": STRAP | {"path": [[0, 0, 0.1], [1, 0, 0.1]]},
        "tip": {"kind": "point_mass", "mass": 1, "at": [0.9, 0, 0]},
    }
    data = {
        "bodies": bodies,
        "joints": {
            "rivet": {
                "kind": "fixed",
                "between": [{"on": "strap", "at": 0.3, "offset": [0, 0, 0.1]}, {"on": "other", "at": "30 %"}],
            },
            "pin": {"kind": "spherical", "between": [{"on": "strap", "at": "0.9 m"}, "tip"]},
            "clamp": {"kind": "fixed", "between": ["ground", "strap.start"]},
        },
        "forces": {
            "push": {"kind": "load", "on": {"on": "strap", "at": "70 %"}, "force": [0, 1, 0], "axes": "body"},
            "coil": {"kind": "spring", "between": ["ground", {"on": "other", "at": 0.6}], "stiffness": 1},
        },
        "events": {"low": {"watch": "strap.end.position.z", "level": -0.1}},
    }  # fmt: skip
    assembler, catalogue = build(Model.from_plain(data), ".", 1.0)
    strap, other = (catalogue.bodies[name].line for name in ("strap", "other"))
    for station in (0.3, 0.7, 0.9):
        assert np.abs(strap.stations - station).min() < 1e-15
    for station in (0.3, 0.6):
        assert np.abs(other.stations - station).min() < 1e-15
    rivet = catalogue.joints["rivet"]
    np.testing.assert_allclose(rivet.point_a, rivet.point_b, atol=1e-15)
    np.testing.assert_allclose(assembler.nodes[rivet.a].x, [0.3, 0, 0], atol=1e-15)
    np.testing.assert_allclose(assembler.nodes[rivet.b].x, [0.3, 0, 0.1], atol=1e-15)
    assert len(rivet.rows) == 6
    assert catalogue.notes == []
    load = assembler.loads[0]
    np.testing.assert_allclose(assembler.nodes[load.node].x, [0.7, 0, 0])
    assert load.follows
    watch = assembler.measures[catalogue.events["low"].measure]
    assert watch.b == strap.nodes[-1]
    system = assembler.finish()
    assert system.plane is None
    assert len(system.tables.beams) == len(assembler.beams)


def test_a_closed_ring():
    ring = {"kind": "arc", "start": [1, 0, 0], "centre": [0, 0, 0], "normal": "z", "angle": "360 deg"}
    joints = {"weld": {"kind": "fixed", "between": ["strap.start", "strap.end"]}}
    _, catalogue, _ = built({"joints": joints}, path=ring, elements=8)
    assert catalogue.notes == []
    assert len(catalogue.joints["weld"].rows) == 6


def test_damping():
    assembler, _, _ = built(damping={"stiffness": "1 ms", "mass": "2 1/s", "viscous": "3 N s/m^2"})
    assert {beam.damping for beam in assembler.beams} == {0.001}
    for drag in assembler.drags:
        node = assembler.nodes[drag.node]
        assert drag.linear == pytest.approx(2 * node.mass + 3 * node.mass / LINE_MASS)
        np.testing.assert_allclose(drag.angular, 2 * node.inertia)
    assert len(assembler.drags) == 5
    assert not built()[0].drags


GENERAL = {
    "kind": "general",
    "axial_stiffness": 1e4,
    "bending_stiffness": 1,
    "torsion_stiffness": 2,
    "mass_per_length": 3,
}


@pytest.mark.parametrize("rotary", [[0, 0, 0], [1e-3, 0, 1e-3], [0, 1e-3, 2e-3]])
@pytest.mark.parametrize("path", ["line", "polyline", "arc"])
@pytest.mark.parametrize("rigid", [False, True])
def test_no_axis_is_without_inertia(rotary, path, rigid):
    fields = {"section": GENERAL | {"rotary_inertia": rotary}, "path": PATHS[path], "rigid": rigid}
    body = {key: value for key, value in (STRAP | fields).items() if key != "material"}
    assembler, _ = build(Model.from_plain({"bodies": {"strap": body}}), ".", 1.0)
    for node in assembler.nodes[1:]:
        moments = np.linalg.eigvalsh(node.inertia)
        assert moments[0] > 0
        if not any(rotary) and not rigid:
            size = node.mass / 3
            np.testing.assert_allclose(moments, 1e-3 * node.mass * size**2)
    table = assembler.finish().tables.nodes[1:]
    assert np.all(table["inertia"] > 0)


def test_saved_and_read_back(tmp_path):
    for k, path in enumerate(PATHS.values()):
        model = model_of(path=path, markers={"m": "33.3 %", "n": 0.5}, twist=0.1, damping={"mass": 0.1}, up=[1, 2, 3])
        model.save(tmp_path / f"{k}.yaml")
        again = Model.load(tmp_path / f"{k}.yaml")
        assert again == model
        assert again.hash() == model.hash()
    assert model.set("bodies.strap.elements", 7)["strap"].elements == 7


def test_from_python():
    m = Model()
    strap = m.beam("strap", path=np.array([[0, 0, 0], [1, 0, 0.0]]), section=SECTION, material=MATERIAL)
    m.fixed("clamp", m.ground, strap.marker("start"))
    m.load("push", strap.at("0.25 m"), force=(0, 0, 1))
    assert [note for note in m.check("1 s") if "implicit" not in note] == []
    assert m["strap"].elements == 10


def test_close_stations_are_noted():
    notes = built(markers={"a": 0.5, "b": 0.5001})[1].notes
    assert "nearly coincide" in notes[0]
