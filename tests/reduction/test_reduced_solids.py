"""Solids with rigid and averaged interfaces."""

import numpy as np
import pytest
from scipy.sparse import block_diag

import tapespring as ts
from tapespring.reduction.factors import Layers, NotDefiniteError, layers_of
from tapespring.reduction.reduce import reduced_with_report
from tapespring.reduction.sources import structure_from


@pytest.fixture(scope="module")
def block():
    m = ts.Model(name="block")
    mesh = {"kind": "box", "length": 0.4, "width": 0.05, "height": 0.04, "divisions": [10, 2, 2]}
    m.solid("b", mesh=mesh, material={"young": 70e9, "poisson": 0.3, "density": 2700})
    return structure_from(m)


def test_inertia_of_a_block(block):
    body = ts.reduce(block, ["b.x0", "b.x1"], modes=3)
    a, b, c = 0.4, 0.05, 0.04
    mass = 2700 * a * b * c
    assert body.inertia.mass == pytest.approx(mass, rel=1e-12)
    r = body.inertia.centre
    J = body.inertia.second - mass * (r @ r * np.eye(3) - np.outer(r, r))
    lumped = np.diag([b**2 * 1.5 + c**2 * 1.5, a**2 * 1.02 + c**2 * 1.5, a**2 * 1.02 + b**2 * 1.5]) * mass / 12
    np.testing.assert_allclose(J, lumped, atol=1e-10 * mass)  # trapezoidal sums of 10, 2 and 2 cells


def test_shapes_do_not_move_as_one_piece(block):
    body = ts.reduce(block, ["b.x0", "b.x1"], modes=3, residual=0)
    assert np.abs(body.inertia.momentum).max() < 1e-10
    assert np.abs(body.inertia.spin).max() < 1e-10
    assert body.count == 3 + 12 - 6


def test_rigid_ties_stiffen_and_averages_do_not(block):
    free = ts.reduce(block, method="normal", modes=3).frequencies
    rigid = ts.reduce(block, ["b.x0", "b.x1"], method="rubin", modes=3).frequencies[:3]
    mean = ts.reduce(block, {"a": "b.x0:average", "b": "b.x1:average"}, method="rubin", modes=3).frequencies[:3]
    np.testing.assert_allclose(mean, free, rtol=1e-6)
    assert np.all(rigid > free * (1 + 1e-5))


def test_frames_move_as_their_nodes(block):
    body = ts.reduce(block, {"a": {"place": "b.x1", "at": [0.5, 0, 0]}, "m": "b.x0:average"}, modes=2)
    frame, nodes = body.frame("a"), np.flatnonzero(np.abs(body.positions[:, 0] - body.positions[:, 0].max()) < 1e-9)
    for node in nodes:
        arm = body.positions[node] - frame.position
        want = frame.translation + np.cross(frame.rotation.T, arm).T
        np.testing.assert_allclose(body.shapes[node, :3], want, atol=1e-9)
    nodes = np.flatnonzero(np.abs(body.positions[:, 0] - body.positions[:, 0].min()) < 1e-9)
    np.testing.assert_allclose(body.frame("m").translation, body.shapes[nodes, :3].mean(axis=0), atol=1e-9)


def test_bending_stiffness_under_an_end_load(block):
    """Between its faces the block is a cantilever: flexibility within a few percent of L³/3EI + L/kGA."""
    body, _ = reduced_with_report(block, ["b.x0", "b.x1"], modes=0, residual=0)
    rows = np.vstack([np.vstack((f.translation, f.rotation)) for f in body.frames.values()])
    span = body.frame("b.x1").position - body.frame("b.x0").position
    rigid = np.zeros((12, 6))
    for k, arm in ((0, np.zeros(3)), (6, span)):
        rigid[k : k + 3, :3] = rigid[k + 3 : k + 6, 3:] = np.eye(3)
        rigid[k : k + 3, 3:] = np.cross(np.eye(3), arm).T
    G = np.hstack((rows, rigid))
    tip = np.linalg.inv(G)  # both frames determine all
    K = np.zeros((12, 12))
    K[:6, :6] = body.stiffness
    S = (tip.T @ K @ tip)[6:, 6:]
    flexibility = np.linalg.inv(S)
    EI, GA = 70e9 * 0.05 * 0.04**3 / 12, 70e9 / 2.6 * 0.05 * 0.04 * 5 / 6
    assert flexibility[2, 2] == pytest.approx(0.4**3 / (3 * EI) + 0.4 / GA, rel=0.03)
    assert flexibility[0, 0] == pytest.approx(0.4 / (70e9 * 0.05 * 0.04), rel=0.03)


@pytest.mark.parametrize(("solver", "name"), [("layers", "layers"), ("pardiso", "PARDISO")])
def test_solvers_agree(block, solver, name):
    """With SuperLU; PARDISO where the extra is installed."""
    if solver == "pardiso":
        pytest.importorskip("pypardiso")
    bodies = [ts.reduce(block, ["b.x0", "b.x1"], modes=4, solver=s) for s in ("superlu", solver)]
    np.testing.assert_allclose(bodies[0].frequencies, bodies[1].frequencies, rtol=1e-9)
    assert [body.source["options"]["solver"] for body in bodies] == ["SuperLU", name]


def chain(n: int, last: float):
    """Stiffness of n springs in a row, the first on the ground; `last` is the stiffness of the last one."""
    from scipy.sparse import diags_array

    stiffness = np.append(np.ones(n - 1), last)
    diagonal = stiffness + np.append(stiffness[1:], 0.0)
    return diags_array([-stiffness[1:], diagonal, -stiffness[1:]], offsets=[-1, 0, 1], format="csc")


def test_layers_of_parts_that_are_not_joined():
    A = block_diag((chain(30, 1.0), chain(7, 2.0)), format="csc")
    b = np.random.default_rng(3).standard_normal((37, 2))
    np.testing.assert_allclose(A @ Layers(A, layers_of(A)).solve(b), b, atol=1e-12)


def test_layers_name_what_moves_without_resistance():
    """The second chain has lost its spring to the ground."""
    A = block_diag((chain(30, 1.0), chain(7, 2.0)), format="lil")
    A[30, 30] -= 1.0  # its first spring
    with pytest.raises(NotDefiniteError) as error:
        Layers(A.tocsc(), layers_of(A.tocsc()))
    assert error.value.unknown >= 30


def test_pardiso_that_is_not_there(block, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pypardiso", None)
    with pytest.raises(ts.ModelError, match=r"pip install tapespring\[direct\]"):
        ts.reduce(block, ["b.x0", "b.x1"], modes=1, solver="pardiso")
