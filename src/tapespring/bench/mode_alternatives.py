"""A cantilever otherwise: by rigid segments with torsion springs, and by shapes that are assumed, for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from operator import itemgetter

import numpy as np

from ..model import Model
from ..reduction.reduce import reduce
from .case import Quantity, case
from .mode_convergence import EI, LINE, beam

RATE = np.sqrt(EI / LINE)  # of 1 m: frequencies over it are those of theory
EXACT = (3.5160152685, 22.0344915647)
SEGMENTS, POWERS = (5, 10, 20), (2, 3, 4)


def segments(count: int) -> Model:
    """1 m of rigid rods; each spring bends for the half rods beside it, the first for half a rod."""
    m, part = Model(name=f"{count} segments"), 1.0 / count
    inertia = LINE * part**3 / 12.0
    for k in range(count):
        m.rigid(f"rod{k}", at=[(k + 0.5) * part, 0, 0], mass=LINE * part, inertia=[1e-3 * inertia, inertia, inertia])
        before = "ground" if k == 0 else f"rod{k - 1}"
        m.revolute(f"pin{k}", between=[before, f"rod{k}"], at=[k * part, 0, 0], axis="z")
        m.torsion_spring(f"spring{k}", joint=f"pin{k}", stiffness=float((2.0 if k == 0 else 1.0) * EI / part))
    return m


def clamped() -> Model:
    m = beam("Cantilever by assumed shapes")
    m.fixed("clamp", m.ground, "beam.start")
    return m


def frequencies(model: Model) -> dict[object, float]:
    """Over RATE: ("segments", number, mode) and ("assumed", number of powers, mode)."""
    found: dict[object, float] = {}
    for count in SEGMENTS:
        hertz = segments(count).modes(2).frequencies_hz
        found |= {("segments", count, k): float(2.0 * np.pi * hertz[k] / RATE) for k in range(2)}
    for count in POWERS:
        shapes = [[f"-{p}*x^{p - 1}*y", f"x^{p}", 0] for p in range(2, 2 + count)]
        body = reduce(model, {"tip": "beam.end"}, method="assumed", shapes=shapes)
        found |= {("assumed", count, k): float(2.0 * np.pi * body.frequencies[k] / RATE) for k in range(2)}
    return found


@cache
def by_ritz(count: int) -> np.ndarray:
    """Of powers from x² on, with exact integrals."""
    from scipy.linalg import eigh

    p = np.arange(2.0, 2.0 + count)
    i, j = p[:, None], p[None, :]
    K, M = i * j * (i - 1.0) * (j - 1.0) / (i + j - 3.0), 1.0 / (i + j + 1.0)
    return np.sqrt(eigh(K, M, eigvals_only=True))


def quantities() -> Iterator[Quantity]:
    for count in SEGMENTS:
        for k, exact in enumerate(EXACT):
            near = (0.5, 1.6)[k] / count**2 * exact  # of second order in the length of a segment
            name = f"frequency {k + 1}, {count} segments"
            yield Quantity(name, "", exact, near, "β² of cosh β cos β = -1", "A", itemgetter(("segments", count, k)))
    for count in POWERS:
        for k, ritz in enumerate(by_ritz(count)[:2]):
            name = f"frequency {k + 1}, {count} powers of x"
            yield Quantity(name, "", float(ritz), 2e-3 * ritz, "Ritz, exact integrals", "A",
                           itemgetter(("assumed", count, k)))  # fmt: skip


CASES = (
    case("modes_alternatives", "cantilever by rigid segments with springs and by assumed shapes", clamped, quantities,
         frequencies),
)  # fmt: skip
