"""Which beam elements go through the fast pass of mechanics.chains, and where their nodes stand in it.

Elements whose sections lie at their nodes follow one another in a row of slots; where a chain ends or makes a corner
the next begins in the next slot, after an element without stiffness. A node is owned by the pass if it has one slot and
only elements, gravity and drag act on it. All others are held: moved one by one, they lend their placement to their
slots and take the forces found there. Rows are cut into one range per thread; before and after each stand copies of its
neighbours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..build.assembler import quaternion_from_matrix
from ..cells.store import zeros_on_lines
from ..mechanics import chains as ch
from ..mechanics import tables as tb

SAME = 1e-13  # frames that differ by less are one
FEWEST = 8  # elements worth a pass


class Chains(NamedTuple):
    """Blocks of four slots (rows), and the way from nodes to slots."""

    state: np.ndarray  # (rows, fields, 4) see mechanics.chains
    data: np.ndarray  # (rows, fields, 4)
    ranges: np.ndarray  # (threads, 2) row of the copy before and of the copy after
    copies: np.ndarray  # (n, 4) row and lane of a copy, of its original
    owned: np.ndarray  # (n, 3) node, row, lane
    owned_frame: np.ndarray  # (n, 4) section from node axes, as a quaternion
    owned_drag: np.ndarray  # (n, 2) drag over mass and over inertia [1/s]
    held: np.ndarray  # (n, 3)
    held_frame: np.ndarray  # (n, 4)
    found: np.ndarray  # (threads, 8) what the pass met: sharpest turn, power taken
    sync: np.ndarray  # see solve.team
    step: np.ndarray  # (1,) [s] for a helper


class Slots:
    """One row of slots."""

    def __init__(self, t: tb.Tables, q: np.ndarray):
        self.node: list[int] = []
        self.frame: list[np.ndarray] = []  # matrix
        self.element: list[int] = []  # from each slot to the next; -1: none
        at_nodes = ~(np.any(t.beams["sa"], axis=1) | np.any(t.beams["sb"], axis=1))
        rotates = np.isin(t.nodes["kind"], (tb.FRAME, tb.GROUND, tb.MOVING_POSE, tb.MOVING_TWIST))
        self.beams = np.flatnonzero(at_nodes & rotates[t.beams["a"]] & rotates[t.beams["b"]])
        ends = zip(t.beams["a"][self.beams], t.beams["b"][self.beams], strict=True)
        for e, (a, b) in zip(self.beams.tolist(), ends, strict=True):
            qa, qb = t.beams["qa"][e], t.beams["qb"][e]
            if not (self.node and self.node[-1] == a and np.abs(self.frame[-1] - qa).max() < SAME):
                self.put(int(a), qa)
            self.element[-1] = e
            self.put(int(b), qb)
        self.quaternions(t, q)

    def put(self, node: int, frame: np.ndarray) -> None:
        self.node.append(node)
        self.frame.append(frame)
        self.element.append(-1)

    def quaternions(self, t: tb.Tables, q: np.ndarray) -> None:
        """Signs such that neighbours lie on the same side: relative turns are then the short ones."""
        self.quaternion = np.zeros((len(self.node), 4))
        before = np.zeros(4)
        for i, (n, frame) in enumerate(zip(self.node, self.frame, strict=True)):
            j = int(t.nodes["q"][n]) + 3
            attitude = np.array([1.0, 0, 0, 0]) if t.nodes["kind"][n] == tb.GROUND else q[j : j + 4]
            p = quaternion_from_matrix(frame)
            section = product(attitude, p)
            if section @ before < 0.0:
                p, section = -p, -section
            self.quaternion[i], before = p, section


def product(p, q) -> np.ndarray:
    return np.array([
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ])  # fmt: skip


def drag_rates(t: tb.Tables) -> tuple[np.ndarray, np.ndarray]:
    """((nodes, 2) drag over mass and over inertia, (nodes,) whether a node's drag is of that kind)."""
    linear, angular = np.zeros(len(t.nodes)), np.zeros((len(t.nodes), 3))
    np.add.at(linear, t.drags["node"], t.drags["linear"])
    np.add.at(angular, t.drags["node"], t.drags["angular"])
    mass, inertia = np.maximum(t.nodes["mass"], 1e-300), np.maximum(t.nodes["inertia"], 1e-300)
    rates = angular / inertia
    even = np.ptp(rates, axis=1) <= 1e-9 * rates.max(axis=1, initial=0.0)
    return np.stack((linear / mass, rates.mean(axis=1)), axis=1), even


def acted_on(t: tb.Tables, loners: np.ndarray) -> np.ndarray:
    """(nodes,) whether anything but elements of chains, gravity and even drag acts on a node."""
    hit = t.nodes["kind"] != tb.FRAME
    for table in (t.measures, t.bushings, t.bars, t.beams[loners]):
        hit[table["a"]] = hit[table["b"]] = True
    hit[t.loads["node"]] = True
    hit[t.corners["node"]] = True
    hit[t.block_node] = True
    hit[t.spots["node"]] = True
    return hit | ~drag_rates(t)[1]


def new_chains(t: tb.Tables, q: np.ndarray, threads: int = 1, wanted: bool = True) -> tuple[Chains, np.ndarray]:
    """(chains, elements left to be treated one by one); the pass is empty where it is not worth it."""
    slots = Slots(t, q)
    everything = np.arange(len(t.beams))
    if len(slots.beams) < FEWEST or not wanted:
        return empty_chains(), everything
    loners = np.setdiff1d(everything, slots.beams)
    node = np.array(slots.node)
    held = acted_on(t, loners) | (np.bincount(node, minlength=len(t.nodes)) > 1)
    return laid_out(t, slots, held[node], threads), loners


def empty_chains() -> Chains:
    zeros = np.zeros
    return Chains(
        zeros((0, ch.STATE, 4)), zeros((0, ch.DATA, 4)), zeros((0, 2), np.int64), zeros((0, 4), np.int64),
        zeros((0, 3), np.int64), zeros((0, 4)), zeros((0, 2)), zeros((0, 3), np.int64), zeros((0, 4)), zeros((1, 8)),
        zeros(80, np.int64), zeros(1),
    )  # fmt: skip


def laid_out(t: tb.Tables, slots: Slots, held: np.ndarray, threads: int) -> Chains:
    count = len(slots.node)
    depth = -(-count // 4)
    threads = min(threads, max(1, depth // 8))
    cut = [depth * k // threads for k in range(threads + 1)]
    row = np.concatenate([np.arange(cut[k], cut[k + 1]) + 1 + 2 * k for k in range(threads)])
    ranges = np.array([(cut[k] + 2 * k, cut[k + 1] + 1 + 2 * k) for k in range(threads)], np.int64)
    place = np.arange(4 * depth)
    row_of, lane_of = row[place % depth], place // depth
    damped = bool(np.any(t.beams["damping"][slots.beams] > 0.0)) or len(t.drags) > 0
    rows = depth + 2 * threads
    state = zeros_on_lines(rows, ch.STATE_DAMPED if damped else ch.STATE)
    state[:, ch.Q] = 1.0
    data = zeros_on_lines(rows, ch.DATA_DAMPED if damped else ch.DATA)
    fields = element_fields(t, slots, data.shape[1])
    data[row_of[:count], :, lane_of[:count]] = fields
    put_nodes(t, slots, held, data, row_of, lane_of)
    copies = []
    for k, (before, after) in enumerate(ranges):
        for l in range(4):
            first, last = l * depth + cut[k], l * depth + cut[k + 1] - 1
            left, right = max(first - 1, 0), min(last + 1, 4 * depth - 1)
            copies += [(before, l, row_of[left], lane_of[left]), (after, l, row_of[right], lane_of[right])]
            if 0 < first <= count:
                data[before, :, l] = fields[first - 1]
                data[before, ch.REAL, l] = 0.0
    drag = drag_rates(t)[0]
    where = np.stack((np.array(slots.node), row_of[:count], lane_of[:count]), axis=1)
    return Chains(
        state, data, ranges, np.array(copies, np.int64), where[~held], slots.quaternion[~held],
        drag[where[~held, 0]], where[held], slots.quaternion[held], np.zeros((threads, 8)),
        np.zeros(80, np.int64), np.zeros(1),
    )  # fmt: skip


def element_fields(t: tb.Tables, slots: Slots, width: int) -> np.ndarray:
    """(slots, fields): constants of the element after each slot."""
    out = np.zeros((len(slots.node), width))
    element = np.array(slots.element)
    some = np.flatnonzero(element >= 0)
    beams = t.beams[element[some]]
    out[some, ch.PER_LENGTH] = 1.0 / beams["length"]
    out[some, ch.STRAIN : ch.STRAIN + 6] = beams["strain"]
    i, j = np.triu_indices(6)
    out[some, ch.STIFFNESS : ch.STIFFNESS + 21] = beams["stiffness"][:, i, j]
    out[some, ch.REAL] = 1.0
    out[some, ch.BOW : ch.BOW + 3] = beams["bow"]
    if width == ch.DATA_DAMPED:
        out[some, ch.BETA] = beams["damping"]
    return out


def put_nodes(t: tb.Tables, slots: Slots, held: np.ndarray, data, row_of, lane_of) -> None:
    """Constants of the nodes; the drag of owned ones is put in when the step is known."""
    node = np.array(slots.node)
    r, l = row_of[: len(node)], lane_of[: len(node)]
    own = ~held
    data[r, ch.BY_MASS, l] = np.where(held, 1.0, t.nodes["inverse_mass"][node])
    data[r, ch.BY_MOMENT, l] = 1.0
    for field in (ch.KEEP, ch.KEEP_L, ch.WEIGHS, ch.MOVES):
        data[r, field, l] = own
    frames = np.array(slots.frame)
    inverse = np.einsum("nki,nk,nkj->nij", frames, t.nodes["inverse_inertia"][node], frames) * own[:, None, None]
    for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
        data[r, ch.BY_INERTIA + k, l] = inverse[:, i, j]
    if data.shape[1] == ch.DATA_DAMPED:
        drag = drag_rates(t)[0][node]
        data[r, ch.DRAG, l] = drag[:, 0] * t.nodes["mass"][node] * own
        data[r, ch.DRAG_L, l] = drag[:, 1] * own
        data[r, ch.COUNTS, l] = 1.0
