"""Mass, inertia and placement of bodies."""

import numpy as np
import pytest

from tapespring.build.builder import build
from tapespring.mechanics import tables as tb
from tapespring.model import Model


def node_of(**fields):
    assembler, catalogue = build(Model.from_plain({"bodies": {"b": fields}}), ".", 1.0)
    return assembler.nodes[1], catalogue.bodies["b"], assembler


SHAPES = [
    ({"kind": "box", "size": [1, 2, 3]}, 6.0, [13 / 12, 10 / 12, 5 / 12]),
    ({"kind": "cylinder", "radius": 1, "length": 2}, 2 * np.pi, [1 / 4 + 1 / 3, 1 / 4 + 1 / 3, 1 / 2]),
    ({"kind": "cylinder", "radius": 1, "length": 2, "axis": "x"}, 2 * np.pi, [1 / 2, 1 / 4 + 1 / 3, 1 / 4 + 1 / 3]),
    (
        {"kind": "tube", "outer_radius": 2, "inner_radius": 1, "length": 3, "axis": "y"},
        9 * np.pi,
        [5 / 4 + 3 / 4, 5 / 2, 5 / 4 + 3 / 4],
    ),
    ({"kind": "sphere", "radius": 2}, 32 / 3 * np.pi, [1.6, 1.6, 1.6]),
    ({"kind": "ellipsoid", "semi_axes": [1, 2, 3]}, 8 * np.pi, [13 / 5, 10 / 5, 5 / 5]),
]


@pytest.mark.parametrize(("shape", "volume", "moments"), SHAPES, ids=lambda v: v["kind"] if isinstance(v, dict) else "")
def test_shapes(shape, volume, moments):
    node, _, _ = node_of(kind="rigid", shape=shape, density=10)
    assert node.mass == pytest.approx(10 * volume)
    np.testing.assert_allclose(node.inertia, node.mass * np.diag(moments), rtol=1e-14, atol=1e-12)
    node, _, _ = node_of(kind="rigid", shape=shape, mass="2 kg")
    np.testing.assert_allclose(node.inertia, 2 * np.diag(moments), rtol=1e-14, atol=1e-12)


def test_node_sits_at_the_centre_of_mass():
    node, entry, _ = node_of(
        kind="rigid",
        mass=2,
        inertia=[1, 2, 2.5],
        at=[1, 0, 0],
        orientation={"axis": "z", "angle": "90 deg"},
        com=[0.5, 0, 0],
        velocity=[1, 0, 0],
        angular_velocity=[0, 0, 2],
        markers={"tip": {"at": [1, 0, 0], "orientation": {"axis": "x", "angle": "90 deg"}}},
    )
    np.testing.assert_allclose(node.x, [1, 0.5, 0], atol=1e-15)
    np.testing.assert_allclose(node.inertia, np.diag([2, 1, 2.5]), atol=1e-15)
    np.testing.assert_allclose(node.v, [0, 0, 0], atol=1e-15)  # 1 m/s of the origin, less 2 rad/s × 0.5 m
    np.testing.assert_allclose(node.w, [0, 0, 2])
    np.testing.assert_allclose(entry.point, [1, 0, 0])
    np.testing.assert_allclose(entry.markers["tip"].point, [1, 1, 0], atol=1e-15)
    np.testing.assert_allclose(entry.markers["tip"].axes @ [0, 0, 1], [1, 0, 0], atol=1e-15)


def test_inertia_in_three_ways_is_the_same():
    six = node_of(kind="rigid", mass=1, inertia=[1, 2, 2.5, 0.1, 0.2, 0.3])[0].inertia
    matrix = node_of(kind="rigid", mass=1, inertia=[[1, 0.1, 0.3], [0.1, 2, 0.2], [0.3, 0.2, 2.5]])[0].inertia
    np.testing.assert_array_equal(six, matrix)


def test_inertia_of_a_flat_body_is_allowed():
    assert node_of(kind="rigid", mass=1, inertia=[1, 2, 3])[0].inertia[2, 2] == 3.0


def test_moving_frame_by_pose():
    node, _, assembler = node_of(
        kind="moving_frame",
        at=[1, 2, 3],
        position=["sin(t)", {"polynomial": [0, 2]}, 0],
        attitude={"euler": ["t", "10 deg", {"polynomial": [0, 1]}], "order": "zxz"},
    )
    assert node.kind == tb.MOVING_POSE
    motion = assembler.motions[node.motion]
    assert [law >= 0 for law in motion["law"]] == [True, True, True]
    np.testing.assert_array_equal(motion["axes"], [[0, 0, 1], [1, 0, 0], [0, 0, 1]])
    kind, first, count, _, _ = assembler.laws[motion["law"][1]]
    assert (kind, assembler.numbers[first : first + count]) == (tb.POLYNOMIAL, [2.0, 2.0])
    kind, first, _, _, _ = assembler.laws[motion["law"][2]]
    assert (kind, assembler.numbers[first]) == (tb.CONSTANT, 3.0)


def test_moving_frame_by_velocities():
    node, _, assembler = node_of(kind="moving_frame", velocity=["1 m/s", 0, 0], angular_velocity=[0, 0, "sin(t)"])
    assert node.kind == tb.MOVING_TWIST
    motion = assembler.motions[node.motion]
    assert [law >= 0 for law in motion["law"]] == [True, False, False]
    assert [law >= 0 for law in motion["spin"]] == [False, False, True]
