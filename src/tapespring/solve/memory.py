"""What contacts and joints remember, from the work of a run into the state it leaves behind and back into another.

Rows of a state are known by the name of their contact or joint, and pairs within a contact by the places of their two
surfaces among its own: so they are found again whatever order, search or stage comes next. A contact or joint that a
stage leaves out forgets. Pairs and joints within a body that is rigid for a stage cannot slip: their rows are set aside
and come back with it as they were.

A loop that holds modes has no elastic slip of what slips, as loops with steps of their own do: a state has that too.
Rotations of balls in sockets stand there in world axes.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..build.nodes import matrices_of
from ..mechanics import grips as gr
from ..mechanics import pair_memory as pm
from ..mechanics import play
from ..mechanics import tables as tb
from ..mechanics.broad_phase import FULL
from ..mechanics.core import keep_memories
from ..mechanics.grip_balls import TURNED
from .crowd import make_room
from .initial import Memory, Start, evaluate

FORGOTTEN = (
    "the state to go on from was written by a version that did not keep what contacts and joints remember: friction "
    "starts without elastic slip, contacts find their sides and modes again, and a latch is closed if its coordinate "
    "is where it closes or beyond"
)


# -- names ------------------------------------------------------------------------------------------------------------
def joint_names(start: Start) -> list[str]:
    """Of all that rubs or latches; a joint may have several frictions."""
    found, count = [], Counter[str]()
    for draft in start.system.drafts.grips:
        count[draft.joint] += 1
        found.append(f"{draft.joint} {count[draft.joint]}" if count[draft.joint] > 1 else draft.joint)
    return found


def first_surfaces(start: Start) -> np.ndarray:
    """Of every contact."""
    return np.array([0, *start.system.drafts.contact_ends[:-1]], np.int64)[: len(start.system.drafts.contact_labels)]


def are_one_piece(tables: tb.Tables, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Whether surfaces a and b stand on the same node, each pair of them."""
    node = tables.spots["node"]
    ends = [node[tables.surfaces["spot"][s] + k * (tables.surfaces["count"][s] > k)] for s in (a, b) for k in range(3)]
    return np.all(np.array(ends) == ends[0], axis=0)


# -- out of a run -----------------------------------------------------------------------------------------------------
def memory_of(start: Start, run) -> Memory:
    """What contacts and joints remember at the end of a run."""
    found = Memory(dict(start.aside.contacts), dict(start.aside.joints))
    if len(start.system.tables.contacts):
        pairs_of(start, run, found)
    joints_of(start, run, found)
    return found


def holds_modes(work: tb.Work) -> bool:
    return bool(work.contact_step[0] == pm.BY_MODE)


def take_slip(run, work: tb.Work) -> None:
    """Elastic slip out of the state of a loop that integrates it."""
    loop = getattr(run, "loop", None)
    if loop is not None and holds_modes(work):
        slip = loop.y[len(loop.q) + len(loop.v) : len(loop.y) - tb.N_POWERS]
        if len(slip):
            work.pair_memory[:, 1:4] = slip.reshape(-1, 3)


def pairs_of(start: Start, run, found: Memory) -> None:
    t, work = start.system.tables, start.work
    take_slip(run, work)
    n = int(work.pair_count[0])
    pairs, modes, memory = work.pairs[:n], work.pair_mode[:n].astype(float), work.pair_memory[:n].copy()
    laws = t.contacts[pairs["contact"]]
    if holds_modes(work):
        put_elastic_slip(laws, modes, memory, work.pair_out[:n])
    first = first_surfaces(start)[pairs["contact"]]
    meshed = work.pair_span[:n, 1] > 0
    a, b = pairs["a"] - first, pairs["b"] - first
    b = np.where(meshed, -1 - (t.surfaces["after"][pairs["b"]] - first), b)
    memory[meshed, pm.PARTNER] -= np.where(memory[meshed, pm.PARTNER] > 0.0, first[meshed], 0)
    memory[:, pm.KNOWN] = 1.0
    worth = (modes[:, 0] != pm.OPEN) | np.any(memory[:, [*range(4), *range(pm.SIDE, pm.KNOWN)]] != 0.0, axis=1)
    rows = np.column_stack((a, b, modes, memory))
    for c, name in enumerate(start.system.drafts.contact_labels):
        mine = rows[worth & (pairs["contact"] == c)]
        found.contacts[name] = np.concatenate((mine, found.contacts.get(name, mine[:0])))


def put_elastic_slip(laws, modes, memory, out) -> None:
    """Of pairs whose loop holds modes: what the force keeps up where they slip, and where the slider of play is."""
    plays = laws["law"] == tb.PLAY
    slips = (laws["friction"] == tb.STICKING) & ~plays & (modes[:, 0] == pm.CLOSED) & (modes[:, 1] == pm.SLIPS)
    most = laws["kinetic"][slips] * np.maximum(out[slips, 2], 0.0) / laws["slip_stiffness"][slips]
    memory[slips, 1:4] = most[:, None] * memory[slips, pm.WAY : pm.WAY + 3]
    for i in np.flatnonzero(plays):
        law, y, reach = laws[i], out[i, 0], laws[i]["grip"] / laws[i]["slip_stiffness"]
        places = {play.UP: y - reach, play.DOWN: y + reach, play.AT_HIGH: law["high"], play.AT_LOW: -law["low"]}
        memory[i, 1] = places.get(int(modes[i, 1]), memory[i, 1])
    memory[:, pm.LAST_RATE], memory[:, pm.LAST_FORCE : pm.LAST_FORCE + 3] = out[:, 1], out[:, 3:6]


def joints_of(start: Start, run, found: Memory) -> None:
    t, work = start.system.tables, start.work
    for g, name in enumerate(joint_names(start)):
        grip, memory = t.grips[g], work.grip_memory[g].copy()
        if name in start.aside.joints or memory[gr.ANCHORED] == 0.0:
            continue
        if holds_modes(work):
            memory[gr.PRESSED] = work.grip_normal[g]
            if grip["friction"] == tb.STICKING and work.grip_mode[g] == pm.SLIPS:
                most = grip["kinetic"] * work.grip_normal[g] / grip["slip_stiffness"]
                memory[gr.HELD : gr.HELD + 3] = most * memory[gr.WAY : gr.WAY + 3]
        if grip["ball"]:
            turn_ball(memory, axes_of(t, run.state()[1], grip["a"]), axes_of(t, run.state()[1], grip["b"]))
        found.joints[name] = np.concatenate(([float(work.grip_mode[g])], memory))


def axes_of(t: tb.Tables, q: np.ndarray, node: int) -> np.ndarray:
    """Of a node in the world."""
    row = t.nodes[node]
    return np.eye(3) if row["kind"] == tb.GROUND else matrices_of(q[row["q"] + 3 : row["q"] + 7][None])[0]


def turn_ball(memory: np.ndarray, A: np.ndarray, B: np.ndarray) -> None:
    """Vectors of the first body and the anchor, which leads from its axes to those of the second, into world axes A and
    B; with their transposes back."""
    for k in (gr.HELD, gr.WAY):
        memory[k : k + 3] = A @ memory[k : k + 3]
    anchor = memory[TURNED : TURNED + 9].reshape(3, 3)
    memory[TURNED : TURNED + 9] = (A @ anchor @ B.T).ravel()


# -- into another -----------------------------------------------------------------------------------------------------
def recall(start: Start, by_mode: bool) -> None:
    """Let contacts and joints of a start remember what those of a state do; by_mode: for a loop that holds modes."""
    if start.recalled is None:
        return
    evaluate(start.system.tables, start.work, start.t, start.q.copy(), start.v.copy(), np.zeros(len(start.v)))
    start.work.x_last[:] = start.work.x[: len(start.work.x_last)]
    start.work.R_last[:] = start.work.R[: len(start.work.R_last)]
    pairs = start.system.tables.pairs
    told = {pair: i for i, pair in enumerate(zip(*(pairs[k].tolist() for k in ("contact", "a", "b")), strict=True))}
    for c, name in enumerate(start.system.drafts.contact_labels):
        if name in start.recalled.contacts:
            recall_pairs(start, c, name, told, by_mode)
    if by_mode:
        start.work.pair_memory[:, pm.KNOWN] = float(start.continues)  # else impacts may have to be found
    for g, name in enumerate(joint_names(start)):
        if name in start.recalled.joints:
            recall_joint(start, g, name, start.recalled.joints[name].copy())


def recall_pairs(start: Start, c: int, name: str, told: dict[tuple[int, int, int], int], by_mode: bool) -> None:
    """Of contact c; told: places of pairs that need not be found, by contact and surfaces."""
    assert start.recalled is not None
    t, first, rows = start.system.tables, int(first_surfaces(start)[c]), start.recalled.contacts[name]
    a, b = rows[:, 0].astype(np.int64), rows[:, 1].astype(np.int64)
    meshed = b < 0
    surfaces = first + a, first + np.where(meshed, -1 - b, b)
    idle = are_one_piece(t, *surfaces)
    if idle.any():
        start.aside.contacts[name] = rows[idle]
    modes, memory = rows[:, 2:4].astype(np.int64), rows[:, 4:].copy()
    if by_mode:
        plays = t.contacts["law"][c] == tb.PLAY
        memory[(modes[:, 1] == pm.SLIPS) & ~plays, 1:4] = 0.0
        memory[:, pm.SIDE : pm.KNOWN] = 0.0
    else:
        modes[modes[:, 0] == pm.RELEASED, 0] = pm.CLOSED
        memory[meshed, pm.PARTNER] += np.where(memory[meshed, pm.PARTNER] > 0.0, first, 0)
    places = np.array([told.get((c, i, j), -1) for i, j in zip(*(s.tolist() for s in surfaces), strict=True)], np.int64)
    known = ~idle & ~meshed & (places >= 0)
    start.work.pair_mode[places[known]], start.work.pair_memory[places[known]] = modes[known], memory[known]
    found = ~idle & (meshed | (places < 0))
    if found.any() and len(t.members):
        keys = pair_keys(t, c, surfaces[0][found], surfaces[1][found], meshed[found])
        keep_for_search(start, keys, modes[found, 0], memory[found])


def pair_keys(t: tb.Tables, c: int, a: np.ndarray, b: np.ndarray, meshed: np.ndarray) -> np.ndarray:
    """See mechanics.broad_phase.key_of."""
    b = b + np.where(meshed, len(t.surfaces), 0)
    return (a * (2 * len(t.surfaces) + 1) + b) * len(t.contacts) + c + 1


def keep_for_search(start: Start, keys: np.ndarray, modes: np.ndarray, memory: np.ndarray) -> None:
    """Memories of pairs that are found as they come near, for the first search to give to them."""
    if not len(start.work.lost):
        make_room(start)
    while len(start.work.kept_key) < 2 * (len(keys) + np.count_nonzero(start.work.kept_key)):
        make_room(start)
    keep_memories(start.work, keys, modes, memory)
    start.work.near_moved[FULL] = 1.0  # a search then takes the table as it is


def recall_joint(start: Start, g: int, name: str, row: np.ndarray) -> None:
    t, work, grip = start.system.tables, start.work, start.system.tables.grips[g]
    if grip["a"] == grip["b"]:
        start.aside.joints[name] = row
        return
    memory = row[1:]
    if grip["ball"]:
        turn_ball(memory, axes_of(t, start.q, grip["a"]).T, axes_of(t, start.q, grip["b"]).T)
    work.grip_mode[g], work.grip_memory[g] = int(row[0]), memory
    if grip["first"] < grip["last"]:
        work.grip_normal[g] = memory[gr.PRESSED]
