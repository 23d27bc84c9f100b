"""Meshes read from files of other programs, and written for them."""

import builtins
import shutil
from pathlib import Path

import numpy as np
import pytest
from mesh_measures import area, grid, mesh

from tapespring.kinds.meshes.writing import write_mesh
from tapespring.kinds.refusal import Refusal

DATA = Path(__file__).parent / "data"


def from_file(file, folder=DATA, **fields):
    return mesh(kind="file", file=file, **fields).grid(folder)


def complaint(file, folder=DATA, **fields) -> Refusal:
    with pytest.raises(Refusal) as caught:
        from_file(file, folder, **fields)
    return caught.value


def text_file(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return name


def names(g, group):
    return g.node_numbers[g.groups[group]].tolist()


def test_gmsh_22():
    g = from_file("panel22.msh", unit="mm")
    assert area(g) == pytest.approx(2.0)
    assert {name: len(cells) for name, cells in g.cells.items()} == {"quad": 1, "triangle": 2}  # one is there twice
    assert set(g.groups) == {"tip", "left", "skin", "patch"}
    assert names(g, "left") == [4, 1]
    assert names(g, "tip") == [6]
    assert g.parts["skin"] == {"quad": [0], "triangle": pytest.approx([0, 1])}
    assert g.parts["patch"]["triangle"].tolist() == [0]
    assert g.notes == ()


def test_gmsh_41_with_an_entity_in_two_groups():
    g = from_file("panel41.msh")
    assert area(g) == pytest.approx(2.0)
    assert g.points[g.groups["left"]].tolist() == [[0, 0, 0], [0, 1, 0]]
    assert g.parts["skin"]["quad"].tolist() == g.parts["all"]["quad"].tolist() == [0, 1]


def test_abaqus():
    g = from_file("panel.inp")
    assert area(g) == pytest.approx(2.5)
    assert g.node_numbers.tolist() == [10, 20, 30, 40, 50, 60, 70]
    assert g.cell_numbers["quad"].tolist() == [101, 102]
    assert names(g, "left") == [40, 10]
    assert names(g, "lower") == [10, 20, 30]
    assert names(g, "upper") == [40, 50, 60, 70]
    assert names(g, "ends") == [40, 10, 70]
    assert sorted(names(g, "of_nose")) == [30, 60, 70]
    assert names(g, "web") == [20, 30, 50, 60]
    assert g.parts["body"]["quad"].tolist() == [0, 1]
    assert g.parts["everything"]["triangle"].tolist() == [0]
    assert g.notes == ("1 elements of type MASS were left out",)
    with pytest.raises(Refusal, match="no group 'lumps': none of its nodes"):
        g.group("lumps")


def test_part_of_a_file():
    g = from_file("panel.inp", part="web")
    assert g.node_numbers.tolist() == [20, 30, 50, 60]
    assert names(g, "lower") == [20, 30]
    assert set(g.parts) == {"web", "body", "everything"}
    two = from_file("panel.inp", part=["web", "nose"])
    assert {name: len(cells) for name, cells in two.cells.items()} == {"quad": 1, "triangle": 1}


def test_vtk():
    g = from_file("panel.vtk")
    assert area(g) == pytest.approx(2.0)
    assert g.groups == {}
    with pytest.raises(Refusal, match="no group 'left', nor any other"):
        g.group("left")


def test_placed_file():
    g = from_file("panel.vtk", origin=[0, 0, 1], orientation={"z": "x"}, unit="0.5 m")
    assert g.points[:, 0] == pytest.approx(0.0, abs=1e-15)
    assert area(g) == pytest.approx(0.5)


PARTS = {"quad": np.array([0, 3])}


@pytest.mark.parametrize("suffix", ["msh", "inp", "vtu", "vtk"])
@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "tube", "radius": 1, "length": 2, "angle": 1, "divisions": [4, 3]},
        {"kind": "tube", "radius": 1, "length": 2, "angle": 1, "divisions": [4, 3], "triangles": True},
        {"kind": "box", "length": 1, "width": 2, "height": 3, "divisions": [3, 2, 1]},
        {"kind": "box", "length": 1, "width": 2, "height": 3, "divisions": [3, 2, 1], "elements": "tetra10"},
    ],
    ids=["quad", "triangle", "hexahedron", "tetra10"],
)
def test_round_trip(fields, suffix, tmp_path):
    built = grid(**fields)
    (name,) = built.cells
    built.parts["some"] = {name: np.array([0, 3])}
    built.parts["others"] = {name: np.array([3, 5])}
    write_mesh(tmp_path / f"a.{suffix}", built)
    again = from_file(f"a.{suffix}", tmp_path)
    assert again.points == pytest.approx(built.points, abs=1e-15)
    assert set(again.cells) == {name}
    key = np.lexsort(np.sort(again.cells[name], axis=1).T)
    other = np.lexsort(np.sort(built.cells[name], axis=1).T)
    assert again.cells[name][key].tolist() == built.cells[name][other].tolist()
    for group, nodes in built.groups.items():
        in_order = suffix in ("msh", "inp")
        assert again.groups[group].tolist() == (nodes if in_order else np.sort(nodes)).tolist()
    for part, cells in built.parts.items():
        chosen = built.cells[name][cells[name]].tolist()
        assert sorted(again.cells[name][again.parts[part][name]].tolist()) == sorted(chosen)


def test_binary_gmsh(tmp_path):
    import meshio

    source = meshio.gmsh.read(str(DATA / "panel41.msh"))
    source.point_data["gmsh:dim_tags"][:2] = (1, 1)  # meshio writes only entities that have nodes
    for version in ("2.2", "4.1"):
        meshio.gmsh.write(str(tmp_path / "b.msh"), source, version, binary=True)
        g = from_file("b.msh", tmp_path)
        assert area(g) == pytest.approx(2.0)
        assert g.points[g.groups["left"]].tolist() == [[0, 0, 0], [0, 1, 0]]


def test_a_solid_with_named_faces(tmp_path):
    import meshio

    box = grid(kind="box", length=1, width=1, height=1, divisions=[1, 1, 1], elements="tetra10")
    from tapespring.kinds.meshes.sides import sides_of

    faces = sides_of(box, "x1")["triangle6"]
    solid = meshio.Mesh(
        box.points,
        [("triangle6", faces), ("tetra10", box.cells["tetra10"])],
        cell_data={key: [np.full(2, 1), np.full(6, 2)] for key in ("gmsh:physical", "gmsh:geometrical")},
        field_data={"loaded": np.array([1, 2])},
    )
    meshio.gmsh.write(str(tmp_path / "s.msh"), solid, "2.2", binary=False)
    g = from_file("s.msh", tmp_path)
    assert set(g.cells) == {"tetra10"}
    assert sorted(g.groups["loaded"]) == sorted(box.groups["x1"])
    assert "volume_2" in g.parts


def test_mistakes_are_at_the_file():
    error = complaint("panal22.msh")
    assert error.field == ("file",)
    assert "panal22.msh: no such file in" in str(error)
    assert "did you mean 'panel22.msh'?" in str(error)


def test_unknown_part():
    error = complaint("panel.inp", part="wep")
    assert error.field == ("part",)
    assert "panel.inp: the file has no part 'wep'; did you mean 'web'?" in str(error)
    assert "'left' is a group of nodes, not of elements" in str(complaint("panel.inp", part="left"))
    assert "it has no named elements" in str(complaint("panel.vtk", part="web"))
    assert "a body is made of surface elements or of solid ones" in str(complaint("panel22.msh", part=["left", "skin"]))


def test_unknown_format(tmp_path):
    text_file(tmp_path, "part.stl", "solid")
    assert "part.stl: meshes are read from .msh (Gmsh)" in str(complaint("part.stl", tmp_path))


@pytest.mark.parametrize("suffix", ["msh", "vtk", "vtu", "inp"])
def test_damaged_files(suffix, tmp_path):
    text_file(tmp_path, f"bad.{suffix}", "$MeshFormat\nnothing of use")
    assert f"bad.{suffix}: " in str(complaint(f"bad.{suffix}", tmp_path))
    (tmp_path / f"binary.{suffix}").write_bytes(bytes(range(256)))
    assert f"binary.{suffix}: " in str(complaint(f"binary.{suffix}", tmp_path))


def test_cut_short(tmp_path, capsys):
    text = (DATA / "panel22.msh").read_text().splitlines()
    for rows in range(1, len(text) - 1):
        text_file(tmp_path, "cut.msh", "\n".join(text[:rows]))
        assert "cut.msh: " in str(complaint("cut.msh", tmp_path))
    assert capsys.readouterr().out == ""


UNSUPPORTED = {
    "CPS6": ("triangle6", 6, "mesh with linear elements"),
    "S8R": ("quad8", 8, "mesh with linear elements"),
    "C3D4": ("tetra", 4, "4-node tetrahedra are far too stiff; mesh with 10-node ones"),
    "C3D20R": ("hexahedron20", 20, "mesh with linear elements"),
    "C3D6": ("wedge", 6, "mesh with hexahedra or 10-node tetrahedra"),
}


@pytest.mark.parametrize("kind", UNSUPPORTED)
def test_unsupported_elements(kind, tmp_path):
    name, count, remedy = UNSUPPORTED[kind]
    rng = np.random.default_rng(0)
    nodes = "".join(f"{k + 1}, {', '.join(map(str, p))}\n" for k, p in enumerate(rng.random((count, 3)).tolist()))
    element = ", ".join(str(k + 1) for k in range(count))
    text_file(tmp_path, "u.inp", f"*NODE\n{nodes}*ELEMENT, TYPE={kind}\n1, {element}\n")
    error = str(complaint("u.inp", tmp_path))
    assert f"1 elements of type {name}, of which no body is made (but of triangle, quad, tetra10, hexahedron)" in error
    assert remedy in error


INP = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 2, 0, 0\n"
QUAD = "*ELEMENT, TYPE=S4\n7, 1, 2, 3, 4\n"
BAD_INP = {
    "no such node": (INP + "*ELEMENT, TYPE=S4\n7, 1, 2, 3, 44\n", "element 7 names node 44, which is not in the file"),
    "three nodes": (INP + "*ELEMENT, TYPE=S4\n7, 1, 2, 3\n", "row 7: *ELEMENT cannot be read: elements of type S4"),
    "no type": (INP + "*ELEMENT\n7, 1, 2, 3\n", "row 7: *ELEMENT cannot be read: 'TYPE'"),
    "text": ("*NODE\n1, a, 0, 0\n", "row 1: *NODE cannot be read"),
    "two places": (INP + "*NODE\n1, 5, 0, 0\n" + QUAD, "row 8: node 1 is given twice, at different places"),
    "two elements": (INP + QUAD + QUAD, "row 9: element 7 is given twice"),
    "generated": (INP + "*NGEN\n1, 5\n", "row 7: *NGEN is not read; write a flat input file"),
    "moved": (INP + QUAD + "*INSTANCE, NAME=a, PART=b\n1, 0, 0\n", "an instance is moved"),
    "unknown set": (INP + QUAD + "*NSET, NSET=a\nb\n", "row 10: there is no set 'b' before this row"),
    "no elements": (INP, "the file has no elements"),
    "lines only": (INP + "*ELEMENT, TYPE=B31\n1, 1, 2\n", "the file has lines only"),
    "beside": (
        INP + QUAD + "*ELEMENT, TYPE=B31, ELSET=boom\n1, 2, 5\n",
        "1 line apart from the elements of type quad: the file mixes dimensions; say with 'part'",
    ),
    "crosswise": (INP + "*ELEMENT, TYPE=S4\n7, 1, 2, 4, 3\n", "quad 7 (nodes 1, 2, 4, 3)"),
    "no include": ("*INCLUDE, INPUT=other.inp\n", "other.inp cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_INP)
def test_mistakes_in_abaqus_files(name, tmp_path):
    text, words = BAD_INP[name]
    text_file(tmp_path, "m.inp", text)
    assert words in str(complaint("m.inp", tmp_path))


def test_loose_nodes_of_a_file_are_left_out_and_told(tmp_path):
    text_file(tmp_path, "m.inp", INP + QUAD + "*NSET, NSET=reference\n5\n")
    g = from_file("m.inp", tmp_path)
    assert len(g.points) == 4
    assert g.notes == ("1 nodes of the file belong to no element and were left out",)
    with pytest.raises(Refusal, match="no group 'reference'"):
        g.group("reference")


def test_include(tmp_path):
    text_file(tmp_path, "nodes.inp", INP)
    text_file(tmp_path, "m.inp", "*INCLUDE, INPUT=nodes.inp\n" + QUAD)
    assert len(from_file("m.inp", tmp_path).points) == 4


def test_duplicates_in_a_file_and_their_remedy(tmp_path):
    more = "*NODE\n11, 1, 0, 0\n12, 2, 1, 0\n13, 1, 1, 0\n*ELEMENT, TYPE=S4\n8, 11, 5, 12, 13\n"
    text_file(tmp_path, "m.inp", INP + QUAD + more)
    error = str(complaint("m.inp", tmp_path))
    assert "2 pairs of nodes at the same place, for example nodes 2 and 11" in error
    assert len(from_file("m.inp", tmp_path, merge="1e-6 m").points) == 6


def test_a_node_beyond_the_list(tmp_path):
    text = (DATA / "panel.vtk").read_text().replace("3 1 2 5", "3 1 2 6")
    text_file(tmp_path, "m.vtk", text)
    assert "triangle 1 names a node that is not in the file" in str(complaint("m.vtk", tmp_path))


def test_empty_elements_before_nodes(tmp_path):
    text_file(tmp_path, "m.inp", QUAD)
    assert "element 7 names node 1, which is not in the file" in str(complaint("m.inp", tmp_path))
    text_file(tmp_path, "m.inp", QUAD + INP)  # in either order
    assert len(from_file("m.inp", tmp_path).points) == 4


def test_a_file_that_includes_itself(tmp_path):
    text_file(tmp_path, "m.inp", "*INCLUDE, INPUT=m.inp\n")
    assert "m.inp includes itself" in str(complaint("m.inp", tmp_path))


def test_without_meshio(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "meshio":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert "reading .msh files needs meshio; install it: pip install tapespring[meshes]" in str(
        complaint("panel22.msh")
    )
    assert len(from_file("panel.inp").points) == 7  # needs no meshio


def test_unknown_format_to_write(tmp_path):
    with pytest.raises(Refusal, match=r"meshes are written as \.vtu, \.vtk, \.msh or \.inp"):
        write_mesh(tmp_path / "a.stl", grid(kind="strip", length=1, width=1, divisions=[1, 1]))


def test_a_whole_path(tmp_path):
    shutil.copy(DATA / "panel.inp", tmp_path / "p.inp")
    assert len(from_file(str(tmp_path / "p.inp"), DATA).points) == 7
