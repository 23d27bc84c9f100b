"""Surfaces that are a part of what a body has by itself."""

import pytest

from tapespring import Model
from tapespring.build.builder import build
from tapespring.mechanics.tables import CORNER, MESH_EDGE, SEGMENT, TRIANGLE
from tapespring.schema.problems import ModelError

LAW = {"kind": "linear", "stiffness": "1e3 N/m"}


def strap_on_film(**parts) -> Model:
    """A film of 3 x 2 quads, 3 m long, under a strap of ten elements, 2 m long."""
    m = Model(name="strap on a film")
    nodes = [[i, j, 0] for j in range(3) for i in range(4)]
    quads = [[i + 4 * j, i + 1 + 4 * j, i + 5 + 4 * j, i + 4 + 4 * j] for j in range(2) for i in range(3)]
    groups = {"begin": [0, 1, 4, 5, 8, 9], "line": [0, 1, 2, 3]}
    mesh = {"kind": "points", "nodes": nodes, "quads": quads, "groups": groups}
    m.membrane("film", mesh=mesh, thickness="1 mm", material={"young": "1 MPa", "poisson": 0.3, "density": 1000})
    section = {"kind": "rectangle", "width": "10 mm", "thickness": "1 mm"}
    steel = {"young": "200 GPa", "poisson": 0.3, "density": 7800}
    m.beam("strap", path=[[0, 0.5, 0.01], [2, 0.5, 0.01]], elements=10, section=section, up="z", material=steel)
    sides = [{"kind": "part", "on": name, **parts[name]} if name in parts else name for name in ("film", "strap")]
    m.contact("touch", between=sides, law=LAW, edges=True)
    return m


def counts(model) -> list[int]:
    """Triangles, segments, nodes and edges of meshes that take part."""
    assembler, _ = build(model, duration=1.0)
    return [assembler.crowds[0].roles.count(role) for role in (TRIANGLE, SEGMENT, CORNER, MESH_EDGE)]


def test_all_of_both():
    assert counts(strap_on_film()) == [12, 10, 12 + 11, 17 + 6]


def test_triangles_between_the_nodes_of_a_group():
    assert counts(strap_on_film(film={"group": "begin"})) == [4, 10, 6 + 11, 7 + 2]


def test_a_piece_of_a_strap():
    assert counts(strap_on_film(strap={"stations": ["0.3 m", "1.5 m"]})) == [12, 5, 12 + 6, 17 + 6]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"film": {"group": "line"}}, "no triangle of 'film' lies between these nodes"),
        ({"film": {"group": "edge"}}, "has no group 'edge'"),
        ({"film": {"stations": [0, 1]}}, "give the 'group' of a mesh"),
        ({"strap": {"stations": [0.3, 0.5]}}, "no element lies between these stations"),
    ],
)
def test_parts_that_are_not_there(parts, words):
    with pytest.raises(ModelError, match=words):
        build(strap_on_film(**parts), duration=1.0)
