"""The tree of boxes and candidates of meshes against all pairs."""

import numpy as np
import pytest

from tapespring.jit import kernel
from tapespring.mechanics.boxes import build, new_boxes, seek
from tapespring.mechanics.mesh_candidates import MeshCandidates


@kernel
def all_pairs(tree, later, found, out):
    build(tree)
    n = 0
    for b in range(len(tree.box)):
        for k in range(seek(tree, b, later != 0, found)):
            out[n, 0], out[n, 1] = b, found[k]
            n += 1
    return n


def overlaps(box):
    hit = np.all((box[:, None, :3] <= box[None, :, 3:]) & (box[None, :, :3] <= box[:, None, 3:]), axis=2)
    np.fill_diagonal(hit, False)
    return hit


@pytest.mark.parametrize("count", [0, 1, 2, 9, 100, 777])
@pytest.mark.parametrize("shape", ["cloud", "line", "one place"])
def test_a_tree_finds_all_overlaps_once(count, shape):
    rng = np.random.default_rng(count)
    low, size = rng.uniform(-1, 1, (count, 3)), rng.exponential(0.4 * max(count, 1) ** (-1 / 3), (count, 3))
    if shape == "line":
        low[:, 1:] = 0.0
    if shape == "one place":
        low[:] = 0.0
    size[:1] = 3.0  # one that is large
    tree = new_boxes(np.ones(count))
    tree.box[:, :3], tree.box[:, 3:] = low, low + size
    found, out = np.zeros(count + 1, np.int64), np.zeros((count * count + 1, 2), np.int64)
    wanted = overlaps(tree.box)
    for _ in range(2):  # again, from the order left behind
        n = all_pairs(tree, 0, found, out)
        assert {tuple(p) for p in out[:n].tolist()} == set(zip(*np.nonzero(wanted), strict=True))
        assert n == wanted.sum()
        n = all_pairs(tree, 1, found, out)
        assert n == wanted.sum() // 2
        assert {tuple(sorted(p)) for p in out[:n].tolist()} == set(zip(*np.nonzero(np.triu(wanted)), strict=True))


def test_boxes_that_move_are_found_from_the_order_left_behind():
    rng = np.random.default_rng(3)
    tree, low = new_boxes(np.ones(500)), rng.uniform(-1, 1, (500, 3))
    found, out = np.zeros(501, np.int64), np.zeros((500 * 500, 2), np.int64)
    for way in (0.0, 1e-3, 1e-2, 0.1, 1.0):
        low += rng.normal(0.0, way, (500, 3))
        tree.box[:, :3], tree.box[:, 3:] = low, low + 0.2
        n, wanted = all_pairs(tree, 1, found, out), np.triu(overlaps(tree.box))
        assert n == wanted.sum()
        assert {tuple(sorted(p)) for p in out[:n].tolist()} == set(zip(*np.nonzero(wanted), strict=True))


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_places_that_are_no_numbers_do_not_keep_the_others_from_being_found(odd):
    rng = np.random.default_rng(4)
    tree, low = new_boxes(np.ones(200)), rng.uniform(-1, 1, (200, 3))
    tree.box[:, :3], tree.box[:, 3:] = low, low + 0.3
    wanted = {p for p in zip(*np.nonzero(np.triu(overlaps(tree.box))), strict=True) if p[0] % 7 and p[1] % 7}
    tree.box[::7] = odd
    found, out = np.zeros(201, np.int64), np.zeros((200 * 200, 2), np.int64)
    pairs = {tuple(sorted(p)) for p in out[: all_pairs(tree, 1, found, out)].tolist()}
    assert {p for p in pairs if p[0] % 7 and p[1] % 7} == wanted


def test_candidates_of_a_mesh_are_those_of_all_pairs():
    rng = np.random.default_rng(5)
    points = rng.uniform(0, 1, (60, 3))
    triangles = rng.permuted(np.tile(np.arange(60), (80, 1)), axis=1)[:, :3]
    edges = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [0, 2]]].reshape(-1, 2), axis=1), axis=0)
    search = MeshCandidates(60, edges, triangles)
    faces, lines = search.find(points, 0.05)
    low, high = ([f(points[e], axis=1) for e in (triangles, edges)] for f in (np.min, np.max))
    near = np.all((points[:, None] <= high[0] + 0.05) & (points[:, None] >= low[0] - 0.05), axis=2)
    near &= ~(triangles[None] == np.arange(60)[:, None, None]).any(axis=2)
    assert {tuple(p) for p in faces.tolist()} == set(zip(*np.nonzero(near), strict=True))
    both = np.all((low[1][:, None] <= high[1] + 0.05) & (low[1] <= high[1][:, None] + 0.05), axis=2)
    both &= ~(edges[:, None, :, None] == edges[None, :, None, :]).any(axis=(2, 3))
    assert {tuple(sorted(p)) for p in lines.tolist()} == set(zip(*np.nonzero(np.triu(both, 1)), strict=True))
