"""Generators: counts, measures against closed forms, groups and their order, orientation."""

import numpy as np
import pytest
from mesh_measures import area, grid, mesh, quad_normals, volume

from tapespring.kinds.meshes import checks
from tapespring.kinds.meshes.facing import facing_alike
from tapespring.kinds.meshes.grid import nearest
from tapespring.kinds.meshes.sides import boundary, edges, sides_of

STRIP = {"kind": "strip", "length": "0.5 m", "width": "20 mm", "divisions": [4, 2]}
PLATE = {"kind": "plate", "length": 2, "width": 1, "divisions": [4, 2]}
COOK = [[0, 0, 0], ["48 mm", "44 mm", 0], ["48 mm", "60 mm", 0], [0, "44 mm", 0]]
DISC = {"kind": "disc", "radius": 2, "divisions": [64, 8]}
RING = {"kind": "disc", "radius": 10, "inner_radius": 6, "divisions": [30, 6]}
TUBE = {"kind": "tube", "radius": 1, "length": 3, "divisions": [48, 6]}
ROOF = {"kind": "tube", "radius": 25, "length": 50, "angle": "80 deg", "divisions": [16, 16]}
CAP = {"kind": "sphere", "radius": 10, "divisions": [64, 16]}
PINCHED = {"kind": "sphere", "radius": 10, "hole": "18 deg", "angle": "90 deg", "divisions": [16, 16]}
BELT = {"kind": "sphere", "radius": 1, "latitude": ["-30 deg", "45 deg"], "divisions": [48, 20]}
TAPE = {"kind": "tape_spring", "length": 1, "radius": "16 mm", "angle": "90 deg", "divisions": [10, 8]}
ARC = {"kind": "arc", "radius": 2, "angle": "90 deg", "width": 1, "divisions": [24, 2]}
BOX = {"kind": "box", "length": 3, "width": 2, "height": 1, "divisions": [3, 2, 2]}
SHELL = {"kind": "extruded", "of": TUBE, "thickness": 0.1, "layers": 2}

SURFACES = {
    "strip": (STRIP, 0.5 * 0.02),
    "plate": (PLATE, 2.0),
    "cook": ({"kind": "plate", "corners": COOK, "divisions": [6, 5]}, 48e-3 * 30e-3),
    "disc": (DISC, 4 * np.pi),
    "ring": (RING, 64 * np.pi),
    "slit": ({**RING, "slit": True}, 64 * np.pi),
    "sector": ({**RING, "angle": "90 deg"}, 16 * np.pi),
    "tube": (TUBE, 6 * np.pi),
    "roof": (ROOF, np.radians(80) * 25 * 50),
    "cap": (CAP, 200 * np.pi),
    "pinched": (PINCHED, 50 * np.pi * np.sin(np.radians(72))),
    "belt": (BELT, 2 * np.pi * (np.sin(np.radians(45)) + 0.5)),
    "tape": (TAPE, 16e-3 * np.pi / 2),
    "arc": (ARC, np.pi),
}


@pytest.fixture(params=SURFACES)
def surface(request):
    return SURFACES[request.param]


@pytest.mark.parametrize("triangles", [False, True])
def test_surfaces_have_their_area_and_face_along_their_normals(surface, triangles):
    fields, exact = surface
    g = grid(**fields, triangles=triangles)
    assert set(g.cells) == {"triangle" if triangles else "quad"}
    assert area(g) == pytest.approx(exact, rel=1e-2)
    assert area(g) <= exact * (1 + 1e-9)
    assert np.linalg.norm(g.normals, axis=1) == pytest.approx(1.0)
    normals, nodes = quad_normals(g)
    assert (np.einsum("ij,ij->i", normals, g.normals[nodes]) > 0.97).all()
    assert facing_alike(g).notes == ()
    checks.check_all_used(g)
    checks.check_connected(g)


def test_areas_converge_with_second_order():
    coarse, fine = (area(grid(**{**TUBE, "divisions": [n, 2]})) - 6 * np.pi for n in (20, 40))
    assert coarse / fine == pytest.approx(4.0, rel=0.02)


def test_only_the_slit_has_nodes_at_the_same_place(surface):
    g = grid(**surface[0])
    pairs = checks.near_pairs(g.points, 1e-9 * g.size)
    assert len(pairs) == (7 if surface[0].get("slit") else 0)


def test_groups_are_within_the_mesh_and_each_node_is_there_once(surface):
    g = grid(**surface[0])
    for nodes in g.groups.values():
        assert len(np.unique(nodes)) == len(nodes) > 0
        assert nodes.max() < len(g.points)
    assert not set(g.groups) & set(g.absent)


def test_edges_are_chains_of_edges_of_elements(surface):
    g = grid(**surface[0])
    known = {tuple(pair) for pair in edges(g).tolist()}
    for name, nodes in g.groups.items():
        for a, b in zip(nodes.tolist(), nodes[1:].tolist(), strict=False):
            assert (min(a, b), max(a, b)) in known, name


def test_strip():
    g = grid(**STRIP)
    assert g.points.shape == (15, 3)
    assert g.cells["quad"].shape == (8, 4)
    assert g.points[g.groups["start"]].tolist() == [[0, -0.01, 0], [0, 0, 0], [0, 0.01, 0]]
    assert g.points[g.groups["left"], 0].tolist() == [0.0, 0.125, 0.25, 0.375, 0.5]
    assert (g.points[g.groups["left"], 1] == 0.01).all()
    assert (g.points[g.groups["right"], 1] == -0.01).all()
    assert (g.points[g.groups["middle"], 1] == 0.0).all()
    assert g.points[g.groups["middle"], 0].tolist() == [0.0, 0.125, 0.25, 0.375, 0.5]
    assert g.points[g.groups["end_right"]].tolist() == [[0.5, -0.01, 0]]
    assert g.points[g.groups["centre"]].tolist() == [[0.25, 0, 0]]
    assert nearest(g, (0.26, 0.001, 3.0)) == g.groups["centre"][0]
    with pytest.raises(ValueError, match="no group 'centre': no node is there; make both divisions even"):
        grid(**{**STRIP, "divisions": [3, 2]}).group("centre")
    with pytest.raises(ValueError, match=r"no group 'strat'; did you mean 'start'\?"):
        g.group("strat")
    with pytest.raises(ValueError, match="it has start, end, right, left"):
        g.group("zzz")


def test_plate_between_corners():
    g = grid(kind="plate", corners=COOK, divisions=[2, 2])
    assert g.points[g.groups["top_right"]] == pytest.approx(np.array([[0.048, 0.06, 0]]))
    assert g.points[g.groups["right"], 1] == pytest.approx([0.044, 0.052, 0.06])
    assert g.points[g.groups["centre"]] == pytest.approx(np.array([[0.024, 0.037, 0]]))
    warped = grid(kind="plate", corners=[[0, 0, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0]], divisions=[4, 4])
    assert warped.points[:, 2] == pytest.approx(warped.points[:, 0] * warped.points[:, 1])
    x, y = warped.points[:, :2].T
    exact = np.column_stack((-y, -x, np.ones_like(x)))
    assert warped.normals == pytest.approx(exact / np.linalg.norm(exact, axis=1, keepdims=True))


def test_disc():
    g = grid(**DISC)
    assert g.cells["quad"].shape == (16**2 + 8 * 64, 4)
    assert g.points[g.groups["centre"]] == pytest.approx(np.zeros((1, 3)), abs=1e-15)
    rim = g.points[g.groups["rim"]]
    assert np.hypot(rim[:, 0], rim[:, 1]) == pytest.approx(2.0)
    assert np.unwrap(np.arctan2(rim[:, 1], rim[:, 0])) == pytest.approx(2 * np.pi * np.arange(64) / 64)
    (outer,) = boundary(g).values()
    assert set(outer.reshape(-1)) == set(g.groups["rim"])


@pytest.mark.parametrize("divisions", [[8, 1], [8, 5], [16, 2], [64, 1], [64, 40]])
def test_elements_of_discs_are_well_shaped(divisions):
    g = grid(kind="disc", radius=1, divisions=divisions)
    p = g.points[g.cells["quad"]]
    u, w = np.roll(p, -1, axis=1) - p, np.roll(p, 1, axis=1) - p
    cosine = (u * w).sum(-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(w, axis=-1)
    angles = np.degrees(np.arccos(cosine))
    assert angles.min() > 40
    assert angles.max() < 145


def test_slit_annulus_has_separate_nodes_at_the_slit():
    g = grid(**RING, slit=True)
    a, b = g.groups["slit_a"], g.groups["slit_b"]
    assert not set(a) & set(b)
    assert g.points[a] == pytest.approx(g.points[b], abs=1e-12)
    assert g.points[a, 0] == pytest.approx(np.linspace(6, 10, 7))
    assert g.groups["outer_slit_a"] == a[-1:]
    assert len(g.groups["inner"]) == len(g.groups["outer"]) == 31
    closed = grid(**RING)
    assert len(closed.groups["inner"]) == 30
    with pytest.raises(ValueError, match="the annulus is closed; write 'slit: true'"):
        closed.group("slit_a")


def test_tube():
    g = grid(**TUBE)
    assert len(g.points) == 48 * 7
    assert len(g.groups["bottom"]) == len(g.groups["top"]) == 48
    assert (g.points[g.groups["top"], 2] == 3.0).all()
    assert g.points[g.groups["bottom"][12]] == pytest.approx([0, 1, 0])
    assert g.points[g.groups["seam"]] == pytest.approx(np.column_stack((np.ones(7), np.zeros(7), np.linspace(0, 3, 7))))
    assert g.normals[:, :2] == pytest.approx(g.points[:, :2])
    with pytest.raises(ValueError, match="no group 'left': the surface is closed"):
        g.group("left")
    roof = grid(**ROOF)
    assert roof.points[roof.groups["left"], 2] == pytest.approx(np.linspace(0, 50, 17))
    assert roof.points[roof.groups["bottom_right"][0]] == pytest.approx(
        [25 * np.cos(np.radians(80)), 25 * np.sin(np.radians(80)), 0]
    )


def test_sphere():
    g = grid(**PINCHED)
    assert np.linalg.norm(g.points, axis=1) == pytest.approx(10)
    assert g.normals == pytest.approx(g.points / 10)
    assert g.points[g.groups["left"], 1] == pytest.approx(0, abs=1e-12)
    assert g.points[g.groups["right"], 0] == pytest.approx(0, abs=1e-12)
    assert g.points[g.groups["equator"], 2] == pytest.approx(0, abs=1e-12)
    assert g.points[g.groups["rim"], 2] == pytest.approx(10 * np.cos(np.radians(18)))
    assert g.points[g.groups["equator_left"]] == pytest.approx(np.array([[10, 0, 0]]))
    cap = grid(**CAP)
    assert cap.points[cap.groups["pole"]] == pytest.approx(np.array([[0, 0, 10]]))
    assert np.linalg.norm(cap.points, axis=1) == pytest.approx(10)
    belt = grid(**BELT)
    assert belt.points[belt.groups["bottom"], 2] == pytest.approx(-0.5)
    with pytest.raises(ValueError, match="no row of nodes is at latitude 0"):
        belt.group("equator")


def test_tape_spring():
    g = grid(**TAPE)
    assert np.hypot(g.points[:, 1], g.points[:, 2] + 0.016) == pytest.approx(0.016)
    assert g.points[g.groups["crest"]] == pytest.approx(np.column_stack((np.linspace(0, 1, 11), np.zeros((11, 2)))))
    assert g.points[:, 2].max() <= 1e-15
    assert (g.points[g.groups["left"], 1] > 0).all()
    flat = {key: value for key, value in TAPE.items() if key != "angle"}
    wide = grid(**flat, width=0.016 * np.pi / 2)
    assert wide.points == pytest.approx(g.points)
    with pytest.raises(ValueError, match="make the number of elements across even"):
        grid(**{**TAPE, "divisions": [10, 7]}).group("crest")


def test_arc_bends_to_either_side():
    up, down = grid(**ARC), grid(**{**ARC, "angle": "-90 deg"})
    assert up.points[up.groups["end"]] == pytest.approx(np.array([[2, -0.5, 2], [2, 0, 2], [2, 0.5, 2]]))
    assert down.points == pytest.approx(up.points * [1, 1, -1])
    for g in (up, down):
        normals, nodes = quad_normals(g)
        assert (np.einsum("ij,ij->i", normals, g.normals[nodes]) > 0.99).all()


@pytest.mark.parametrize(("elements", "nodes", "cells"), [("hexahedron", 4 * 3 * 3, 12), ("tetra10", 7 * 5 * 5, 72)])
def test_box(elements, nodes, cells):
    g = grid(**BOX, elements=elements)
    assert len(g.points) == nodes
    assert len(g.cells[elements]) == cells
    assert volume(g) == pytest.approx(6.0)
    checks.check_all_used(g)
    checks.check_connected(g)
    assert (g.points[g.groups["x1"], 0] == 3.0).all()
    assert (g.points[g.groups["z0"], 2] == 0.0).all()
    edge = g.points[g.groups["x1y0"]]
    assert (edge[:, :2] == [3.0, 0.0]).all()
    assert (np.diff(edge[:, 2]) > 0).all()
    assert g.points[g.groups["x0y1z1"]].tolist() == [[0, 2, 1]]
    (faces,) = sides_of(g, "x1").values()
    assert len(faces) == (4 if elements == "hexahedron" else 8)
    p = g.points[faces[:, :3]]
    assert (np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])[:, 0] > 0).all()
    if elements == "tetra10":
        middle = 0.5 * (g.points[faces[:, [0, 1, 2]]] + g.points[faces[:, [1, 2, 0]]])
        assert g.points[faces[:, 3:]] == pytest.approx(middle)


def test_the_middle_nodes_of_tetra10_are_where_meshio_has_them():
    g = grid(**BOX, elements="tetra10")
    p = g.points[g.cells["tetra10"]]
    for k, (a, b) in enumerate(((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)), start=4):
        assert p[:, k] == pytest.approx(0.5 * (p[:, a] + p[:, b]))


def test_extruded():
    g = grid(**SHELL)
    exact = 3 * np.pi * (1.05**2 - 0.95**2)
    assert volume(g) == pytest.approx(exact, rel=5e-3)
    assert len(g.cells["hexahedron"]) == 2 * 48 * 6
    assert np.hypot(*g.points[g.groups["above"], :2].T) == pytest.approx(1.05)
    assert np.hypot(*g.points[g.groups["below"], :2].T) == pytest.approx(0.95)
    assert len(g.groups["top"]) == 3 * 48
    assert (g.points[g.groups["top"], 2] == 3.0).all()
    ring = g.points[g.groups["top_above"]]
    assert np.unwrap(np.arctan2(ring[:, 1], ring[:, 0])) == pytest.approx(2 * np.pi * np.arange(48) / 48)
    (faces,) = sides_of(g, "above").values()
    assert len(faces) == 48 * 6
    assert np.hypot(*grid(**SHELL | {"side": "above"}).points[:, :2].T).min() == pytest.approx(1.0)
    assert np.hypot(*grid(**SHELL | {"side": "below"}).points[:, :2].T).max() == pytest.approx(1.0)


def test_normals_of_a_surface_that_knows_none_are_averaged():
    tube = grid(**TUBE)
    of = {"kind": "points", "nodes": tube.points.tolist(), "quads": tube.cells["quad"].tolist()}
    assert grid(kind="extruded", of=of, thickness=0.1, layers=2).points == pytest.approx(
        grid(**SHELL).points, abs=1e-12
    )


def test_placement_turns_about_the_origin_and_then_moves():
    lying = grid(**TUBE, origin=[1, 0, 0], orientation={"z": "x"})
    assert lying.points[lying.groups["top"], 0] == pytest.approx(4.0)
    assert lying.normals[:, 1:] == pytest.approx(lying.points[:, 1:])
    solid = grid(kind="extruded", of={**STRIP, "origin": [0, 0, 1]}, thickness=0.1, origin=[0, 0, 1])
    assert solid.points[:, 2].max() == pytest.approx(2.05)


@pytest.mark.parametrize("fields", [v[0] for v in SURFACES.values()] + [BOX, SHELL])
def test_meshes_are_written_and_read_back_equal(fields):
    one = mesh(**fields, origin=["1 mm", 0, 0], orientation={"axis": "z", "angle": "30 deg"})
    assert mesh(**one.model_dump(mode="json", exclude_defaults=True)) == one


def test_boundary_has_the_element_to_the_left():
    g = grid(**PLATE)
    lines = boundary(g)["line"]
    assert len(lines) == 12
    start, end = g.points[lines[:, 0]], g.points[lines[:, 1]]
    assert 0.5 * np.cross(start, end)[:, 2].sum() == pytest.approx(2.0)  # around the area, once
    assert len(sides_of(g, "left")["line"]) == 2
    assert len(edges(g)) == 4 * 3 + 5 * 2
