"""Models of flexible elements made by the assembler itself; their forces and tangents as functions of state."""

from typing import NamedTuple

import numpy as np
from contract_evaluation import Evaluation, rotation

from tapespring.build.assembler import WORLD, Assembler, BarDraft, BeamDraft, DragDraft, NodeDraft
from tapespring.jit import kernel
from tapespring.math.rotations import rotate_back
from tapespring.math.vec3 import load3
from tapespring.mechanics.core import link
from tapespring.mechanics.dynamics import energies
from tapespring.mechanics.forces import apply_forces
from tapespring.mechanics.linking import add_elements_tangent
from tapespring.mechanics.motion import is_free, place_nodes
from tapespring.mechanics.tables import FRAME, MOVING_POSE, POINT, Tables, new_work


class DenseBlocks(NamedTuple):
    """Where elements put their tangent, in a dense matrix by rows: the fields add_elements_tangent asks for."""

    values: np.ndarray  # (nv * nv,)
    beam_at: np.ndarray  # (beams, 2, 2, 2)
    bar_at: np.ndarray  # (bars, 2, 2, 2)
    cell_at: np.ndarray  # none here: cells are in tests/cells
    node_at: np.ndarray  # (nodes, 2)


def dense_blocks(t: Tables, nv: int) -> DenseBlocks:
    free = np.isin(t.nodes["kind"], (POINT, FRAME))

    def pairs(elements):
        at = np.full((len(elements), 2, 2, 2), -1, np.int64)
        for e, element in enumerate(elements):
            sides = element["a"], element["b"]
            for i, n in enumerate(sides):
                for j, m in enumerate(sides):
                    if free[n] and free[m]:
                        at[e, i, j] = t.nodes["v"][n] * nv + t.nodes["v"][m], nv
        return at

    diagonal = np.array([(v * (nv + 1) if f else -1, nv) for v, f in zip(t.nodes["v"], free, strict=True)], np.int64)
    return DenseBlocks(np.zeros(nv * nv), pairs(t.beams), pairs(t.bars), np.zeros((0, 2), np.int64), diagonal)


@kernel
def evaluate_elements(tables, work, kkt, t, q, v, weights, out, energy):
    """out <- minus the generalized forces, kkt.values += tangent, energy <- (kinetic, gravity, strain)."""
    place_nodes(tables, t, q, v, work)
    apply_forces(tables, t, work)
    for n in range(len(tables.nodes)):
        if is_free(tables, n):
            j = tables.nodes[n].v
            for k in range(3):
                out[j + k] = -work.force[n, k]
            if tables.nodes[n].kind == FRAME:
                moment = rotate_back(work.R, n, load3(work.moment, n))
                for k in range(3):
                    out[j + 3 + k] = -moment[k]
    add_elements_tangent(tables, work, weights[0], weights[1], kkt)
    energies(tables, t, q, v, work, energy)


class Elements(Evaluation):
    """Minus the forces of a model of elements, its tangent and energy."""

    def __init__(self, assembler, seed=0):
        self.system = assembler.finish()
        self.tables = self.system.tables
        self.work = link(self.tables, new_work(self.tables))
        self.nv, self.nr = len(self.system.v0), 0
        self.free = np.zeros(self.nv, bool)
        for node in self.tables.nodes:
            size = {POINT: 3, FRAME: 6}.get(int(node["kind"]), 0)
            self.free[node["v"] : node["v"] + size] = True
        self.rng, self.t = np.random.default_rng(seed), 0.1
        self.kkt = dense_blocks(self.tables, self.nv)

    def at(self, q, v=None, weights=(0.0, 0.0)):
        out, self.energy = np.zeros(self.nv), np.zeros(3)
        v = np.zeros(self.nv) if v is None else v.copy()
        self.kkt.values[:] = 0.0
        weights = np.array(weights, float)
        evaluate_elements(self.tables, self.work, self.kkt, self.t, q.copy(), v, weights, out, self.energy)
        return out, self.kkt.values.reshape(self.nv, self.nv).copy()

    def strain(self, q):
        self.at(q)
        return np.array([self.energy[2]])


# -- parts ------------------------------------------------------------------------------------------------------------
def frame(rng, x, kind=FRAME, motion=-1) -> NodeDraft:
    R = rotation(rng.normal(size=3), 3.0 * rng.random())
    return NodeDraft(kind, "n", np.array(x, float), R, 1.0, R @ np.diag([1.0, 1.3, 1.6]) @ R.T, motion=motion)


def compliance(rng) -> np.ndarray:
    """Of a section that couples everything."""
    B = np.eye(6) + 0.3 * rng.normal(size=(6, 6))
    return B @ B.T / 20.0


def random_beam(rng, assembler, a, b, damping=0.0, turn=1.0) -> None:
    """A curved and twisted element with offsets at both ends."""
    pa, pb = (assembler.nodes[n].x + 0.2 * rng.normal(size=3) for n in (a, b))
    tangent = (pb - pa) / np.linalg.norm(pb - pa)
    side = np.cross(tangent, rng.normal(size=3))
    side /= np.linalg.norm(side)
    middle = np.column_stack((tangent, side, np.cross(tangent, side)))
    axis = rng.normal(size=3)
    assembler.beams.append(
        BeamDraft(
            a, b, pa, pb, rotation(axis, -0.5 * turn) @ middle, rotation(axis, 0.5 * turn) @ middle,
            1.1 * float(np.linalg.norm(pb - pa)), compliance(rng), damping, 0.05 * rng.normal(size=6),
        )
    )  # fmt: skip


def moving_frame(rng, assembler, x) -> int:
    """A node that is moved along a polynomial and turns about two axes."""
    laws = [assembler.law_polynomial([c, 0.3, 0.2]) for c in x]
    turns = [assembler.law_polynomial([0.1, 0.5]), assembler.law_polynomial([0.2, -0.4])]
    motion = assembler.motion(np.eye(3), [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], turns, laws, [-1, -1, -1])
    return assembler.node(frame(rng, x, MOVING_POSE, motion))


def beams(seed=0, damping=0.0, turn=1.0, ground=True) -> Assembler:
    """Ground, three frames and a moving frame joined by curved elements."""
    rng, assembler = np.random.default_rng(seed), Assembler((0, 0, 0))
    nodes = [assembler.node(frame(rng, (k, 0.3 * k, -0.2 * k))) for k in (1, 2, 3)]
    random_beam(rng, assembler, nodes[0], nodes[1], damping, turn)
    random_beam(rng, assembler, nodes[2], nodes[1], damping, turn)
    if ground:
        random_beam(rng, assembler, WORLD, nodes[0], damping, turn)
        random_beam(rng, assembler, nodes[0], moving_frame(rng, assembler, (0, 1, 1)), damping, turn)
    return assembler


def bars(seed=0, damping=0.0, slack=False, ground=True) -> Assembler:
    """Points and frames with offsets, bars both stretched and compressed."""
    rng, assembler = np.random.default_rng(seed), Assembler((0, 0, 0))
    nodes = [assembler.node(frame(rng, (k, 0.3 * k, -0.2 * k))) for k in (1, 2)]
    nodes.append(assembler.node(NodeDraft(POINT, "p", np.array([0.5, 2.0, 1.0]), np.eye(3), 1.0)))
    pairs = [(nodes[0], nodes[1]), (nodes[1], nodes[2]), (nodes[2], nodes[0])]
    if ground:
        pairs += [(WORLD, nodes[1]), (nodes[2], moving_frame(rng, assembler, (0, 1, 1)))]
    for i, (a, b) in enumerate(pairs):
        pa, pb = (assembler.nodes[n].x + (0.0 if n == nodes[2] else 0.3) * rng.normal(size=3) for n in (a, b))
        length = float(np.linalg.norm(pb - pa)) * (0.6 if i % 2 else 1.5)
        assembler.bars.append(BarDraft(a, b, pa, pb, length, 20.0, damping, slack))
    return assembler


def drags(seed=0) -> Assembler:
    rng, assembler = np.random.default_rng(seed), Assembler((0, 0, 0))
    n = assembler.node(frame(rng, (1, 2, 3)))
    p = assembler.node(NodeDraft(POINT, "p", np.array([0.5, 2.0, 1.0]), np.eye(3), 1.0))
    R = assembler.nodes[n].R
    assembler.drags += [DragDraft(n, 2.0, R @ np.diag([1.0, 2.0, 3.0]) @ R.T), DragDraft(p, 3.0, np.zeros((3, 3)))]
    assembler.drags.append(DragDraft(moving_frame(rng, assembler, (0, 1, 1)), 1.5, 0.7 * np.eye(3)))
    return assembler
