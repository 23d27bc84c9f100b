"""Every mistake in a mesh is answered with the place and the remedy."""

import pytest
from mesh_measures import grid

from tapespring.kinds.refusal import Refusal
from tapespring.schema.problems import ModelError

STRIP = {"kind": "strip", "length": 1, "width": 1, "divisions": [2, 2]}
PLATE = {"kind": "plate", "length": 1, "width": 1, "divisions": [2, 2]}
DISC = {"kind": "disc", "radius": 1, "divisions": [8, 2]}
SPHERE = {"kind": "sphere", "radius": 1, "divisions": [8, 2]}
TAPE = {"kind": "tape_spring", "length": 1, "radius": 1, "divisions": [2, 2]}
ARC = {"kind": "arc", "radius": 1, "angle": 1, "width": 1, "divisions": [2, 2]}

SCHEMA = {
    "unknown kind": ({"kind": "strop"}, "unknown kind 'strop'; did you mean 'strip'?"),
    "unknown field": ({**STRIP, "lenght": 1}, "did you mean 'length'?"),
    "missing": ({"kind": "strip", "length": 1, "width": 1}, "mesh: needs 'divisions' (for example [40, 4])"),
    "wrong unit": ({**STRIP, "length": "1 kg"}, "but a length is wanted here"),
    "zero": ({**STRIP, "width": 0}, "must be positive"),
    "one count": ({**STRIP, "divisions": 4}, "4 does not say how many elements there are; write 2 counts: [40, 8]"),
    "three counts": ({**STRIP, "divisions": [4, 2, 1]}, "write 2 counts"),
    "no element": ({**STRIP, "divisions": [0, 2]}, "mesh.divisions[0]: must be at least 1"),
    "half an element": ({**STRIP, "divisions": [2.5, 2]}, "a whole number is wanted here"),
    "too many": ({**STRIP, "divisions": [10000, 10000]}, "100000000 elements; at most 2000000"),
    "triangles": ({**STRIP, "triangles": "cross"}, "true or false is wanted here"),
    "plate twice": ({**PLATE, "corners": [[0, 0, 0]] * 4}, "a plate is not given by corners, length, width"),
    "plate by nothing": ({"kind": "plate", "divisions": [1, 1]}, "a plate is not given by nothing"),
    "three corners": ({"kind": "plate", "corners": [[0, 0, 0]] * 3, "divisions": [1, 1]}, "is not four corners"),
    "disc by 7": ({**DISC, "divisions": [12, 2]}, "a multiple of 8 elements around, not 12"),
    "slit disc": ({**DISC, "slit": True}, "needs 'inner_radius'"),
    "sector of a disc": ({**DISC, "angle": 1}, "needs 'inner_radius'"),
    "slit sector": ({**DISC, "inner_radius": 0.5, "angle": 1, "slit": True}, "a sector is open already"),
    "inner above outer": ({**DISC, "inner_radius": 2}, "must be below radius 1 m"),
    "ring of two": ({**DISC, "inner_radius": 0.5, "divisions": [2, 2]}, "at least 3 elements around"),
    "beyond a turn": ({"kind": "tube", "radius": 1, "length": 1, "angle": "400 deg", "divisions": [8, 2]}, "at most"),
    "tube of two": ({"kind": "tube", "radius": 1, "length": 1, "divisions": [2, 2]}, "at least 3 elements around"),
    "hole and latitude": ({**SPHERE, "hole": 0.1, "latitude": [0, 1]}, "keep one"),
    "falling latitude": ({**SPHERE, "latitude": ["30 deg", "10 deg"]}, "they rise"),
    "south pole": ({**SPHERE, "latitude": ["-90 deg", "10 deg"]}, "from above -90 deg"),
    "one latitude": ({**SPHERE, "latitude": 1}, "is not two latitudes"),
    "hole below the equator": ({**SPHERE, "hole": "100 deg"}, "they rise"),
    "quarter to the pole": ({**SPHERE, "angle": "90 deg"}, "give a 'hole'"),
    "cap by 12": ({**SPHERE, "divisions": [12, 2]}, "a multiple of 8 elements around, not 12"),
    "tape by nothing": (TAPE, "give 'angle' or 'width'"),
    "tape twice": ({**TAPE, "angle": 1, "width": 1}, "one of them"),
    "rolled tape": ({**TAPE, "width": 7}, "or use a tube"),
    "ring arc": ({**ARC, "angle": "360 deg"}, "a closed ring is a tube"),
    "straight arc": ({**ARC, "angle": 0}, "more than zero"),
    "box of pyramids": (
        {"kind": "box", "length": 1, "width": 1, "height": 1, "divisions": [1, 1, 1], "elements": "tetra"},
        "unknown elements 'tetra'; did you mean 'tetra10'?",
    ),
    "extruded box": ({"kind": "extruded", "of": {"kind": "box"}, "thickness": 1}, "mesh.of.kind: unknown kind 'box'"),
    "extruded without kind": ({"kind": "extruded", "of": {"length": 1}, "thickness": 1}, "mesh.of: needs 'kind'"),
    "deep mistake": ({"kind": "extruded", "of": {**STRIP, "width": "1 s"}, "thickness": 1}, "mesh.of.width: '1 s'"),
    "empty": ({"kind": "points", "nodes": [[0, 0, 0]]}, "the mesh has no elements"),
    "no such node": (
        {"kind": "points", "nodes": [[0, 0, 0]] * 3, "triangles": [[0, 1, 3]]},
        "triangles[0] names node 3, but there are 3 nodes, counted from 0",
    ),
    "no such node in group": (
        {"kind": "points", "nodes": [[0, 0, 0]] * 3, "triangles": [[0, 1, 2]], "groups": {"tip": [7]}},
        "group 'tip' names node 7",
    ),
    "quad of three": ({"kind": "points", "nodes": [], "quads": [[0, 1, 2]]}, "is not an element of 4 nodes"),
    "unit": ({"kind": "file", "file": "a.msh", "unit": "kg"}, "but a length is wanted"),
    "merge": ({"kind": "file", "file": "a.msh", "merge": 0}, "must be positive"),
}


@pytest.mark.parametrize("name", SCHEMA)
def test_mistakes_of_writing(name):
    fields, words = SCHEMA[name]
    with pytest.raises(ModelError) as caught:
        grid(**fields)
    assert words in str(caught.value)
    assert str(caught.value).startswith("mesh")


def square(n=2, **fields):
    nodes = [[i, j, 0] for i in range(n + 1) for j in range(n + 1)]
    quads = [
        [i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1, i * (n + 1) + j + 1]
        for i in range(n)
        for j in range(n)
    ]
    return {"kind": "points", "nodes": nodes, "quads": quads, **fields}


def complaint(fields) -> str:
    with pytest.raises(Refusal) as caught:
        grid(**fields)
    return str(caught.value)


def test_a_good_one():
    g = grid(**square(groups={"side": [2, 1, 0, 1]}))
    assert g.notes == ()
    assert g.groups["side"].tolist() == [2, 1, 0]
    assert g.dimension == 2
    assert g.size == pytest.approx(8**0.5)


def test_crosswise_quad():
    fields = square()
    fields["quads"][2] = [3, 6, 4, 7]
    text = complaint(fields)
    assert "quad 2 (nodes 3, 6, 4, 7)" in text


def test_folded_quad_is_named_with_its_corner():
    fields = square()
    fields["nodes"][4] = [0.2, 0.2, 0]
    text = complaint(fields)
    assert text.startswith("quad 0 (nodes 0, 3, 4, 1) is folded or listed crosswise: its corner at node 4 has 2")


def test_degenerate_triangle():
    fields = {"kind": "points", "nodes": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "triangles": [[0, 1, 2]]}
    assert "triangle 0 (nodes 0, 1, 2) is degenerate: its corner at node" in complaint(fields)


def test_node_twice():
    fields = square()
    fields["quads"][1] = [1, 4, 5, 5]
    assert "quad 1 (nodes 1, 4, 5, 5) has one node twice" in complaint(fields)


CUBE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]


def test_inverted_hexahedron():
    mirrored = {"kind": "points", "nodes": CUBE, "hexahedra": [[4, 5, 6, 7, 0, 1, 2, 3]]}
    assert "hexahedron 0 (nodes 4, 5, 6, 7, 0, 1, 2, 3) is inverted: its nodes are listed as in a mirror" in complaint(
        mirrored
    )
    pushed = {"kind": "points", "nodes": [*CUBE[:6], [0.2, 0.2, -0.4], CUBE[7]], "hexahedra": [list(range(8))]}
    assert "is inverted in part: its smallest scaled Jacobian is -" in complaint(pushed)


def test_inverted_tetra10():
    corner = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    pairs = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
    middle = [[(a + b) / 2 for a, b in zip(corner[i], corner[j], strict=True)] for i, j in pairs]
    good = {"kind": "points", "nodes": corner + middle, "tetra10": [list(range(10))]}
    assert grid(**good).cells["tetra10"].shape == (1, 10)
    assert "is inverted" in complaint(good | {"tetra10": [[0, 2, 1, 3, 6, 5, 4, 7, 9, 8]]})
    misplaced = good | {"nodes": [*corner, [0.1, 0, 0], *middle[1:]]}
    assert "tetra10 0 (nodes 0, 1, 2, 3) is inverted in part" in complaint(misplaced)


def test_crossing_corners_of_a_plate_are_found():
    fields = {"kind": "plate", "corners": [[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]], "divisions": [2, 2]}
    assert "quad" in complaint(fields)


def test_too_thick_for_its_bend():
    of = {"kind": "arc", "radius": 1, "angle": 1, "width": 1, "divisions": [4, 1]}
    assert "hexahedron" in complaint({"kind": "extruded", "of": of, "thickness": 3})


def test_only_quads_are_extruded():
    text = complaint({"kind": "extruded", "of": {**STRIP, "triangles": True}, "thickness": 1})
    assert "only quads can be made solid, but the surface has 8 triangles" in text


def test_loose_node():
    fields = square()
    fields["nodes"].append([9, 9, 9])
    text = complaint(fields)
    assert "1 of 10 nodes belong to no element, for example node 9 at [9.0, 9.0, 9.0] m" in text


def two_squares(gap=0.0):
    one = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    two = [[1 + gap, 0, 0], [2, 0, 0], [2, 1, 0], [1 + gap, 1, 0]]
    groups = {"seam": [1, 2, 7, 4]}
    return {"kind": "points", "nodes": one + two, "quads": [[0, 1, 2, 3], [4, 5, 6, 7]], "groups": groups}


def test_duplicate_nodes():
    text = complaint(two_squares())
    assert "2 pairs of nodes at the same place, for example nodes 1 and 4 at [1.0, 0.0, 0.0] m" in text
    assert "'merge: 1e-6 m'" in text
    assert "the mesh falls into 2 pieces" in complaint({**two_squares(), "slits": True})


@pytest.mark.parametrize("gap", [0.0, 1e-8])
def test_merge(gap):
    g = grid(**two_squares(gap), merge="1e-6 m")
    assert len(g.points) == 6
    assert g.notes == ("merge: 2 nodes were joined to others",)
    assert g.groups["seam"].tolist() == [1, 2]
    assert g.cells["quad"].tolist() == [[0, 1, 2, 3], [1, 4, 5, 2]]
    assert g.node_numbers.tolist() == [0, 1, 2, 3, 5, 6]


def test_pieces():
    text = complaint(two_squares(0.5))
    assert "2 pieces: 4 nodes (node 0 among them), 4 nodes (node 4 among them)" in text
    assert "no nodes are as near" not in text


def test_mixed_dimensions():
    fields = {"kind": "points", "nodes": CUBE, "hexahedra": [list(range(8))], "quads": [[0, 1, 2, 3]]}
    assert "mixes lines, surfaces or solids: 1 quad and 1 hexahedron" in complaint(fields)


def test_elements_that_face_the_other_way_are_turned_over():
    fields = square(3)
    straight = grid(**fields)
    fields["quads"][4] = fields["quads"][4][::-1]
    fields["quads"][5] = fields["quads"][5][::-1]
    g = grid(**fields)
    assert g.notes == ("2 elements face the other way and were turned over: quad 4, quad 5",)
    for cell, other in zip(g.cells["quad"], straight.cells["quad"], strict=True):
        k = cell.tolist().index(other[0])
        assert [*cell[k:], *cell[:k]] == other.tolist()


def moebius(n=12):
    from math import cos, pi, sin

    nodes, quads = [], []
    for i in range(n):
        a = 2 * pi * i / n
        for s in (-0.3, 0.3):
            r = 1 + s * cos(a / 2)
            nodes.append([r * cos(a), r * sin(a), s * sin(a / 2)])
    for i in range(n - 1):
        quads.append([2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1])
    quads.append([2 * n - 2, 1, 0, 2 * n - 1])
    return {"kind": "points", "nodes": nodes, "quads": quads}


def test_moebius_strip():
    text = complaint(moebius())
    assert "the surface has only one side, like a Möbius strip" in text
    assert "at the edge between nodes 0, 1; cut it there" in text


def test_a_web_on_a_plate_is_no_moebius_strip():
    fields = square()
    fields["nodes"] += [[1, 0, 1], [1, 1, 1], [1, 2, 1]]
    fields["quads"] += [[3, 4, 10, 9], [4, 5, 11, 10]]
    assert grid(**fields).notes == ()
