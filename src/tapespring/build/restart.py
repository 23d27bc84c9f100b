"""Whether a state is one of this model: of the same bodies, and of numbers that a motion can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..results.state import State
    from .assembler import Assembler
    from .catalogue import Catalogue

ROUNDED = 1e-3  # by which the four numbers of an orientation may miss their length of 1


def bodies_of(catalogue: Catalogue) -> dict[str, str]:
    """What each body is, in the order in which their numbers stand in a state."""
    found = {}
    for name, body in catalogue.bodies.items():
        part = body.mesh if body.mesh is not None else body.line
        found[name] = body.kind if part is None else f"{body.kind} of {len(part.nodes)} nodes"
    return found


def why_not(state: State, assembler: Assembler) -> str:
    """Why a model cannot go on from a state; empty if it can."""
    kinds = assembler.nodes.table["kind"]
    points, frames = int((kinds == 1).sum()), int((kinds > 1).sum())
    expected = 3 * points + 7 * frames, 3 * points + 6 * frames
    if other := other_bodies(state.bodies, assembler.bodies):
        return f"the restart state belongs to a model with other bodies ({other}); restart with its own model"
    if (len(state.q), len(state.v)) != expected:
        return "the restart state belongs to a model with other bodies or another mesh; restart with its own model"
    if not (np.isfinite(state.time) and np.isfinite(state.q).all() and np.isfinite(state.v).all()):
        return (
            "the restart state is damaged, or of a run that had broken down: it holds numbers that are not finite; "
            "restart from an earlier one"
        )
    if len(twisted := unlike_turns(state.q, kinds)):
        return (
            f"the restart state is damaged: the orientation of node {twisted[0]} has not the length 1; restart from "
            "another one"
        )
    return ""


def other_bodies(there: dict[str, str], here: dict[str, str]) -> str:
    """The first difference, in words; nothing is known of states of earlier versions."""
    if not there or list(there.items()) == list(here.items()):
        return ""
    for name in [*there, *here]:
        if there.get(name) != here.get(name):
            return f"'{name}': there {there.get(name, 'none')}, here {here.get(name, 'none')}"
    return "the same ones in another order"


def unlike_turns(q: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Nodes whose four numbers of orientation are none."""
    moving = np.flatnonzero(kinds >= 1)
    sizes = np.where(kinds[moving] == 1, 3, 7)
    first = np.concatenate(([0], np.cumsum(sizes)[:-1])) if len(sizes) else sizes
    frames = sizes == 7
    turns = q[first[frames][:, None] + np.arange(3, 7)]
    return moving[frames][np.abs(np.linalg.norm(turns, axis=1) - 1.0) > ROUNDED]
