"""Room for pairs that are found as they come near, and for what explicit steps note of contacts."""

from __future__ import annotations

import numpy as np

from ..mechanics.broad_phase import FULL, SEARCHES
from ..mechanics.core import link_contacts, move_memories, near_core
from ..mechanics.tables import BALL, CORNER, TRIANGLE, room_for_pairs

PAIRS, TRIANGLES = 8, 16  # there is room for at first, of every member that seeks and every point near triangles
GROWTH = 2


def find_pairs(start) -> None:
    """Those near each other where a start's nodes are placed."""
    if not len(start.work.lost):
        make_room(start)
    start.work.near_moved[SEARCHES] = 0.0
    near_core(start.system.tables, start.work)
    while start.work.near_moved[FULL]:
        make_room(start)
        near_core(start.system.tables, start.work)


def make_room(start) -> None:
    """Give a start's work room for pairs, or for more than it has; memories stay."""
    t, old = start.system.tables, start.work
    live, triangles = GROWTH * (len(old.pairs) - len(t.pairs)), GROWTH * len(old.pair_triangles)
    if live == 0 and len(t.members):
        roles = t.members["role"]
        live = PAIRS * int(t.members["seeks"].sum()) + 64
        meshed = np.any(roles == TRIANGLE)
        triangles = TRIANGLES * int(np.isin(roles, (BALL, CORNER)).sum()) + 64 if meshed else 0
    work = old._replace(**room_for_pairs(t, len(t.pairs) + live, triangles), lost=np.zeros((len(t.nodes), 12)))
    known = len(t.pairs)
    for name in ("pairs", "pair_mode", "pair_memory", "pair_out"):
        getattr(work, name)[:known] = getattr(old, name)[:known]
    if len(old.kept_key):
        move_memories(old, work)
    link_contacts(t, work)
    start.work = work
