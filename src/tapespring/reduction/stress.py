"""Stress of chosen elements by displacements, as the channels of the model have it.

Displacements of a reduced body are small in its frame, so that stress is linear in them: its slope along each shape is
kept. It is taken from the channels themselves a little to both sides of the place as drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from ..build.catalogue import BodyEntry, Catalogue
from ..channels import History, beam_channels, cable_channels
from ..mesh_channels import stress_channels
from ..modal import Stress
from ..results import Channel
from ..results.labels import Numbered
from ..schema.near_words import advice
from ..schema.problems import ModelError, Problem
from ..solve.initial import Start, displace
from .bending import largest

STEP = 1e-3  # of the size of the structure, and radians: what is left of the fourth order is below rounding
SLOPE = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))  # steps and weights


@dataclass(frozen=True, eq=False)
class Recovery:
    """What elements of a model carry when its nodes are displaced."""

    start: Start
    catalogue: Catalogue
    turn: Any  # (nv, nv) sparse: displacements of the engine by those in world axes

    def stresses(self, wanted: list[str], u: np.ndarray) -> dict[str, Stress]:
        """`wanted`: channels, `tube.section_moment`, or some elements of one, `plate.stress:3+10..20` or, near a group
        of nodes, `plate.stress:x0`; u (nv, n) displacements by shapes. Raises ModelError."""
        known = self.channels(self.start.q[None])
        chosen: dict[str, list[np.ndarray]] = {}
        for text in wanted:
            name, _, which = text.strip().partition(":")
            if name not in known:
                refuse(text, f"no elements have '{name}'{advice(name, known, 'there are')}")
            chosen.setdefault(name, []).append(self.elements(name, which, known[name]))
        picks = {name: np.unique(np.concatenate(parts)) for name, parts in chosen.items()}
        slopes = self.slopes(picks, known, u)
        return {
            name: Stress(name, known[name].about, known[name].unit, labels_of(known[name], picks[name]), slopes[name])
            for name in picks
        }

    def channels(self, q: np.ndarray) -> dict[str, Channel]:
        """Those of elements, at places q (rows)."""
        record = SimpleNamespace(time=np.zeros(len(q)), q=q, v=np.zeros((len(q), len(self.start.v))))
        h = History(self.start, self.catalogue, record, len(q))
        found = [c for body in self.catalogue.bodies.values() for c in element_channels(h, body)]
        return {c.name: c for c in found if isinstance(c.components, Numbered)}

    def elements(self, name: str, which: str, channel: Channel) -> np.ndarray:
        """Numbers of those that are wanted. Raises ModelError."""
        count = len(channel.components) // len(words_of(channel))
        if not which:
            return np.arange(count)
        found: list[int] = []
        mesh = self.catalogue.bodies[name.partition(".")[0]].mesh
        for part in which.split("+"):
            first, dots, last = part.partition("..")
            if mesh is not None and part in mesh.groups:
                near = [np.isin(cells, mesh.groups[part]).any(axis=1) for cells in mesh.cells.values()]
                found += np.flatnonzero(np.concatenate(near)).tolist()
            elif first.isdigit() and (not dots or last.isdigit()):
                found += range(int(first), int(last if dots else first) + 1)
            else:
                groups = ", a group of its nodes," if mesh is not None else ""
                refuse(f"{name}:{which}", f"'{part}' is no number of an element{groups} and no range like 10..20")
        if max(found) >= count:
            refuse(f"{name}:{which}", f"there is no element {max(found)}; they are numbered 0 to {count - 1}")
        return np.array(found)

    def slopes(self, picks: dict[str, np.ndarray], known: dict[str, Channel], u: np.ndarray) -> dict[str, np.ndarray]:
        """(r, n) of each channel, by unit displacements."""
        columns = {
            name: (pick[:, None] * len(words_of(known[name])) + np.arange(len(words_of(known[name])))).ravel()
            for name, pick in picks.items()
        }
        d = self.turn @ u
        found: dict[str, list[np.ndarray]] = {name: [] for name in picks}
        for k in range(u.shape[1]):
            step = STEP / largest(self.start, d[:, k])
            q = np.array([moved(self.start, s * step * d[:, k]) for s, _ in SLOPE])
            channels = self.channels(q)
            weights = np.array([w for _, w in SLOPE]) / step
            for name, some in columns.items():
                found[name].append(weights @ np.asarray(channels[name].values).reshape(len(q), -1)[:, some])
        return {name: np.array(rows).T.reshape(len(columns[name]), -1) for name, rows in found.items()}


def element_channels(h: History, body: BodyEntry) -> list[Channel]:
    """What elements of a body carry."""
    if body.mesh is not None:
        return stress_channels(h, body) if body.mesh.is_flexible else []
    if body.line is None or not body.line.is_flexible:
        return []
    of_elements = cable_channels if body.kind in ("cable", "cord") else beam_channels
    return of_elements(h, body.name, list(body.line.elements))


def words_of(channel: Channel) -> tuple[str, ...]:
    """Components of one element."""
    return channel.components.words  # type: ignore[attr-defined]


def labels_of(channel: Channel, elements: np.ndarray) -> tuple[str, ...]:
    return tuple(f"{word}{k}" for k in elements.tolist() for word in words_of(channel))


def moved(start: Start, d: np.ndarray) -> np.ndarray:
    q = start.q.copy()
    displace(start.system.tables, q, d)
    return q


def refuse(text: str, message: str) -> NoReturn:
    """Raises ModelError."""
    raise ModelError(Problem(None, ("stress", text), message))
