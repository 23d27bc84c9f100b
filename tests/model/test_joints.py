"""Rows of joints in space and in the plane, their coordinates, and where they stand when drawn."""

import numpy as np
import pytest

from tapespring.build.builder import build
from tapespring.mechanics import tables as tb
from tapespring.model import Model

BAR = {"kind": "rigid", "mass": 1, "inertia": [0.1, 0.2, 0.25], "at": [0.5, 0, 0]}


def jointed(kind, body=BAR, **fields):
    entry = {"kind": kind, "between": ["ground", "bar"]} | fields
    model = Model.from_plain({"bodies": {"bar": body}, "joints": {"j": entry}})
    return build(model, ".")


def moved(assembler, measure, R=None, d=(0, 0, 0), node=1, about=(0, 0, 0)):
    """Value of a measure after turning a node about a world point and shifting it."""
    R = np.eye(3) if R is None else R
    m = assembler.measures[measure]
    about = np.array(about, float)

    def point(n, p):
        return about + R @ (p - about) + np.array(d) if n == node else p

    def direction(n, e):
        return R @ e if n == node else e

    pa, pb = point(m.a, m.pa), point(m.b, m.pb)
    e1, e2, f = direction(m.a, m.e1), direction(m.a, m.e2), direction(m.b, m.f)
    if m.kind == tb.ALONG_WORLD:
        return m.e1 @ (pb - pa)
    if m.kind == tb.ALONG:
        return e1 @ (pb - pa)
    if m.kind == tb.COSINE:
        return e1 @ f
    if m.kind == tb.LENGTH:
        return np.linalg.norm(pb - pa)
    return np.arctan2(f @ e2, f @ e1)


def turn(axis, angle):
    axis = np.array(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


ROWS = {
    "fixed": (6, {}),
    "revolute": (5, {"at": [0, 0, 0], "axis": [1, 2, 3]}),
    "prismatic": (5, {"axis": [1, 0, 0]}),
    "cylindrical": (4, {"at": [0, 0, 0], "axis": [1, 2, 3]}),
    "spherical": (3, {"at": [0, 0, 0]}),
    "universal": (4, {"at": [0, 0, 0], "axis": [1, 2, 3], "axis2": [3, 0, -1]}),
    "planar": (3, {"axis": "z"}),
    "distance": (1, {}),
    "point_on_line": (2, {"axis": "x"}),
}


@pytest.mark.parametrize("kind", ROWS)
def test_rows_vanish_as_drawn(kind):
    count, fields = ROWS[kind]
    assembler, catalogue = jointed(kind, **fields)
    assert catalogue.joints["j"].rows == tuple(range(count))
    for row in assembler.rows:
        assert row.owner == "j"
        assert row.about
        assert moved(assembler, row.terms[0][0]) == pytest.approx(row.constant, abs=1e-14)
    assert catalogue.notes == []


FREE = {  # kind: axis or direction of the free motions
    "revolute": {"turn": [(1, 2, 3)], "slide": []},
    "prismatic": {"turn": [], "slide": [(1, 0, 0)]},
    "cylindrical": {"turn": [(1, 2, 3)], "slide": [(1, 2, 3)]},
    "spherical": {"turn": [(1, 0, 0), (0, 1, 0), (0, 0, 1)], "slide": []},
    "universal": {"turn": [(1, 2, 3), (3, 0, -1)], "slide": []},
    "planar": {"turn": [(0, 0, 1)], "slide": [(1, 0, 0), (0, 1, 0)]},
    "point_on_line": {"turn": [], "slide": [(1, 0, 0)]},
}


@pytest.mark.parametrize("kind", FREE)
def test_free_motions_violate_no_row(kind):
    assembler, _ = jointed(kind, **ROWS[kind][1])
    for axis in FREE[kind]["turn"]:
        for row in assembler.rows:
            assert moved(assembler, row.terms[0][0], turn(axis, 0.7)) == pytest.approx(row.constant, abs=1e-14)
    for d in FREE[kind]["slide"]:
        for row in assembler.rows:
            assert moved(assembler, row.terms[0][0], d=0.3 * np.array(d)) == pytest.approx(row.constant, abs=1e-14)


@pytest.mark.parametrize("kind", ROWS)
def test_rows_are_independent(kind):
    """The rows' derivatives by the six small motions of the body have full rank."""
    count, fields = ROWS[kind]
    assembler, _ = jointed(kind, **fields)
    h = 1e-6
    slopes = []
    for e in np.eye(3):
        for row in assembler.rows:
            measure = row.terms[0][0]
            slopes.append(moved(assembler, measure, d=h * e) - moved(assembler, measure, d=-h * e))
            slopes.append(moved(assembler, measure, turn(e, h)) - moved(assembler, measure, turn(e, -h)))
    slopes = np.array(slopes).reshape(3, count, 2).transpose(1, 0, 2).reshape(count, 6) / (2 * h)
    assert np.linalg.matrix_rank(slopes, tol=1e-6) == count


PLANAR_ROWS = {"fixed": 3, "revolute": 2, "prismatic": 2, "distance": 1, "point_on_line": 1, "spherical": 2}


@pytest.mark.parametrize("kind", PLANAR_ROWS)
def test_rows_left_in_the_plane(kind):
    fields = {"at": [0, 0, 0], "axis": "z"} if kind == "revolute" else {"axis": [1, 0, 0]}
    fields = {"at": [0, 0, 0]} if kind == "spherical" else {} if kind in ("fixed", "distance") else fields
    assembler, _ = jointed(kind, **fields)
    system = assembler.finish()
    assert system.plane == 2
    assert len(system.kept) == PLANAR_ROWS[kind]


@pytest.mark.parametrize(("kind", "axis"), [("revolute", [1, 2, 3]), ("cylindrical", [1, 2, 3])])
def test_angle_turns_with_the_second_body(kind, axis):
    assembler, catalogue = jointed(kind, **ROWS[kind][1])
    measure, unit = catalogue.joints["j"].coordinates["angle"]
    assert unit == "rad"
    assert measure in assembler.tracked
    assert moved(assembler, measure) == pytest.approx(0.0, abs=1e-15)
    assert moved(assembler, measure, turn(axis, 0.4)) == pytest.approx(0.4)


def test_position_is_zero_as_drawn_and_grows_along_the_axis():
    assembler, catalogue = jointed("prismatic", axis="x")
    measure, unit = catalogue.joints["j"].coordinates["position"]
    assert unit == "m"
    assert moved(assembler, measure) == 0.0
    assert moved(assembler, measure, d=(0.2, 0, 0)) == pytest.approx(0.2)


def test_planar_coordinates_measure_the_bodys_own_point():
    assembler, catalogue = jointed("planar", axis="z")
    x, y, angle = (catalogue.joints["j"].coordinates[label][0] for label in ("x", "y", "angle"))
    R = turn((0, 0, 1), 0.5)
    at = (0.5, 0, 0)
    assert moved(assembler, x, R, (0.1, 0.2, 0), about=at) == pytest.approx(0.1)
    assert moved(assembler, y, R, (0.1, 0.2, 0), about=at) == pytest.approx(0.2)
    assert moved(assembler, angle, R) == pytest.approx(0.5)


@pytest.mark.parametrize("tilt", [(0, 0), (1e-9, 0), (0, 1e-9), (-1e-9, 1e-10)])
@pytest.mark.parametrize("about", [0.0, 0.7, -2.0])
def test_planar_coordinates_go_along_the_first_sides_axes(about, tilt):
    """However these lie in the world, and whatever rounding has done to the axis."""
    R = turn((0, 0, 1), about)
    place = {"on": "ground", "orientation": {"axis": "z", "angle": about}}
    assembler, catalogue = jointed("planar", between=[place, "bar"], axis=[*tilt, 1.0])
    x, y = (catalogue.joints["j"].coordinates[label][0] for label in ("x", "y"))
    start = [moved(assembler, measure) for measure in (x, y)]
    d = R @ (0.1, 0.2, 0.0)
    found = [moved(assembler, measure, d=d) for measure in (x, y)]
    assert np.subtract(found, start) == pytest.approx([0.1, 0.2], abs=1e-8)


@pytest.mark.parametrize(("axis", "x", "y"), [("x", 1, 2), ("y", 0, -2), ("z", 0, 1)])
def test_planar_coordinates_about_the_axes_of_the_world(axis, x, y):
    """x is the first side's x where that lies in the plane, else its y; y a quarter turn further."""
    assembler, catalogue = jointed("planar", axis=axis)
    for label, k in (("x", x), ("y", y)):
        measure = catalogue.joints["j"].coordinates[label][0]
        change = moved(assembler, measure, d=np.eye(3)[abs(k)]) - moved(assembler, measure)
        assert change == pytest.approx(-1.0 if k < 0 else 1.0)


def test_universal_angles_turn_about_their_own_arms():
    assembler, catalogue = jointed("universal", at=[0, 0, 0], axis="x", axis2="y")
    one, two = (catalogue.joints["j"].coordinates[label][0] for label in ("angle1", "angle2"))
    about_first = turn((1, 0, 0), 0.3)
    about_second = about_first @ turn((0, 1, 0), 0.2)  # the second arm goes with the second body
    assert moved(assembler, one, about_second) == pytest.approx(0.3)
    assert moved(assembler, two, about_second) == pytest.approx(0.2)


def test_between_markers_angle_and_position_are_those_of_the_markers():
    body = BAR | {"at": [0.5, 0, 0.2], "orientation": {"axis": "z", "angle": 0.3}, "markers": {"root": [0, 0, 0.1]}}
    place = {"on": "ground", "at": [0.5, 0, 0]}
    data = {"bodies": {"bar": body}, "joints": {"j": {"kind": "cylindrical", "between": [place, "bar.root"]}}}
    assembler, catalogue = build(Model.from_plain(data), ".")
    angle, position = (catalogue.joints["j"].coordinates[label][0] for label in ("angle", "position"))
    assert moved(assembler, angle) == pytest.approx(0.3)
    assert moved(assembler, position) == pytest.approx(0.3)


def test_without_at_each_side_uses_its_own_origin_and_a_gap_is_noted():
    _, catalogue = jointed("spherical")
    np.testing.assert_allclose(catalogue.joints["j"].point_b, [0.5, 0, 0])
    np.testing.assert_allclose(catalogue.joints["j"].point_a, [0, 0, 0])
    assert "0.5 m apart" in catalogue.notes[0]


def test_fixed_joint_holds_a_body_where_it_is_drawn():
    _, catalogue = jointed("fixed", body=BAR | {"orientation": {"axis": "x", "angle": 0.3}})
    np.testing.assert_allclose(catalogue.joints["j"].point_a, [0.5, 0, 0])
    assert catalogue.notes == []


def test_initial_values_are_collected():
    _, catalogue = jointed("cylindrical", at=[0, 0, 0], axis="z", initial={"angle": "30 deg", "rate": "2 m/s"})
    angle, position = catalogue.initial
    assert (angle.label, angle.value, angle.rate) == ("j.angle", pytest.approx(np.pi / 6), None)
    assert (position.label, position.value, position.rate) == ("j.position", None, 2.0)


def wheels(coupler):
    wheel = {"kind": "rigid", "mass": 1, "inertia": [1, 1, 1]}
    hinge = {"kind": "revolute", "at": [0, 0, 0], "axis": "z"}
    return Model.from_plain(
        {
            "bodies": {"a": wheel, "b": wheel, "c": wheel | {"at": [0, 0, 0]}},
            "joints": {
                "gears": {"kind": "coupler", **coupler},
                "ja": {**hinge, "between": ["ground", "a"]},
                "jb": {**hinge, "between": ["ground", "b"]},
                "jc": {"kind": "prismatic", "axis": "x", "between": ["ground", "c"]},
            },
        }
    )


def test_coupler_of_two_is_one_row():
    assembler, catalogue = build(wheels({"joints": ["ja", "jb.angle"], "ratio": -2, "offset": "10 deg"}), ".")
    row = assembler.rows[catalogue.couplers["gears"].row]
    measures = [catalogue.coordinates[name].measure for name in ("jb.angle", "ja.angle")]
    assert row.terms == [(measures[0], 1.0), (measures[1], 2.0)]
    assert row.constant == pytest.approx(np.pi / 18)


def test_rack_and_pinion_ratio_has_a_unit():
    assembler, catalogue = build(wheels({"joints": ["ja", "jc"], "ratio": "50 mm/rad"}), ".")
    assert assembler.rows[catalogue.couplers["gears"].row].terms[1][1] == -0.05


def test_coupler_of_several_terms():
    assembler, catalogue = build(wheels({"terms": {"ja": 1, "jb": 2, "jc.position": -3}}), ".")
    assert [w for _, w in assembler.rows[catalogue.couplers["gears"].row].terms] == [1.0, 2.0, -3.0]
