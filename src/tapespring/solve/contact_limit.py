"""The longest explicit step that contacts allow: by the stiffness and damping of their laws and the masses they meet.

A pair by itself has the stiffness k of its law, k_t of friction that sticks, and dampings. With w = 1/m + arm²/J of
both its nodes together, central differences are stable up to h = 2/(√(kw + d²) + d), d = c w. A law that stiffens is
taken at the depth where it stops the lighter of two bodies at the natural speed of the model, or deeper if the run went
deeper.
Steps chosen by us are shorter (RESOLVED): an impact then takes six of them or more, and a node may have sixteen such
contacts at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..mechanics import tables as tb
from ..mechanics.touching import DEEPEST

RESOLVED = 0.25  # of the stable step of a pair
AT_HALF = 6.386  # slope of a barrier's force over its stiffness where half of its margin is used up


class Limit(NamedTuple):
    """What contacts allow."""

    step: float  # [s]
    contact: int  # that allows least

    def words(self, start) -> str:
        return f"contact '{start.system.drafts.contact_labels[self.contact]}'"


def together(a: float, b: float) -> float:
    """Stable step of forces that allow these by themselves: the squares of frequencies add up at most."""
    rate = float(np.hypot(1.0 / a, 1.0 / b))
    return 1.0 / rate if rate > 0.0 else np.inf


def yielding(t: tb.Tables) -> np.ndarray:
    """(surfaces, 2) 1/m + arm²/J of the most yielding node of each surface, along and across the normal."""
    nodes = t.nodes
    J = nodes["inverse_inertia"].max(axis=1)
    out = np.zeros((len(t.surfaces), 2))
    for k in range(int(t.surfaces["count"].max(initial=0))):
        some = np.flatnonzero(t.surfaces["count"] > k)
        spots = t.spots[t.surfaces["spot"][some] + k]
        n, arm = spots["node"], np.linalg.norm(spots["arm"], axis=1)
        free = np.isin(nodes["kind"][n], (tb.POINT, tb.FRAME))
        for side, reach in ((0, arm), (1, arm + t.surfaces["radius"][some])):
            w = np.where(free, nodes["inverse_mass"][n] + J[n] * reach**2, 0.0)
            out[some, side] = np.maximum(out[some, side], w)
    return out


def softest_pair(t: tb.Tables, contact: int, w: np.ndarray) -> np.ndarray:
    """(2,) w of both sides together, of the pair of a contact where it is largest."""
    pairs = t.pairs[t.pairs["contact"] == contact]
    best = (w[pairs["a"]] + w[pairs["b"]]).max(axis=0, initial=0.0)
    members = t.members[t.members["contact"] == contact]
    if len(members):
        of = w[members["surface"]]
        for k in range(2):
            one, two = (np.sort(of[(members["side"] & side) != 0, k])[::-1] for side in (1, 2))
            both = np.any(members["side"] == 3)
            best[k] = max(best[k], one[:2].sum() if both else one[:1].sum() + two[:1].sum())
    return best


def stiffness(row, w: float, speed: float, deepest: float) -> float:
    """Slope of a normal law [N/m]."""
    k, n = float(row["stiffness"]), float(row["exponent"])
    if row["law"] == tb.BARRIER:
        return AT_HALF * k
    if n == 1.0 or w == 0.0 or k == 0.0:
        return k
    stops = ((n + 1.0) * speed**2 / (2.0 * w * k)) ** (1.0 / (n + 1.0))
    return n * k * max(stops, deepest) ** (n - 1.0)


def damping(row, k: float, w: float, depth: float) -> float:
    """Of a normal law [N s/m]."""
    if row["law"] == tb.RESTITUTION:
        return float(row["damping"]) * np.sqrt(k / w) if w > 0.0 else 0.0
    if row["law"] in (tb.POWER, tb.STEPPED):
        return float(row["damping"]) * (depth ** float(row["depth_power"]) if row["law"] == tb.POWER else 1.0)
    return 0.0


def stable(k: float, c: float, w: float) -> float:
    rate = np.sqrt(k * w + (c * w) ** 2) + c * w
    return 2.0 / rate if rate > 0.0 else np.inf


def contact_limit(start) -> Limit:
    """At the present state of a start's work."""
    t, best = start.system.tables, Limit(np.inf, -1)
    if not len(t.contacts):
        return best
    w = yielding(t)
    for number, row in enumerate(t.contacts):
        along, across = softest_pair(t, number, w)
        deepest = float(start.work.contact_peak[number, DEEPEST])
        k = stiffness(row, along, start.speed, deepest)
        depth = max(deepest, start.speed / np.sqrt(k * along) if k * along > 0.0 else 0.0)
        h = stable(k, damping(row, k, along, depth), along)
        if row["friction"] == tb.STICKING:
            h = min(h, stable(float(row["slip_stiffness"]), float(row["slip_damping"]), across))
        if h < best.step:
            best = Limit(float(h), number)
    return best
