"""The strap of the deployable-structure benchmarks by itself: pivoted at both ends, which are brought together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Model
from ..results import Results
from .case import Case, Quantity

LENGTH, WIDTH, THICKNESS = 0.432, 9.525e-3, 0.18e-3
E, G, DENSITY = 41.8e9, 16.1e9, 2657.271
EI = E * WIDTH * THICKNESS**3 / 12
EULER = np.pi**2 * EI / LENGTH**2
ELASTICA = "elastica: d/L = 2E/K - 1, P/Pcr = (2K/π)²"
HANGING = "independent solver, one strap without contact"
WEIGHED = {0.40: -0.00245, 0.30: 0.00782, 0.20: 0.01279, 0.15: 0.01523, 0.10: 0.01791, 0.05: 0.02102, 0.0127: 0.02379}
DISTANCES = (0.42, 0.40, 0.30, 0.216, 0.20, 0.15, 0.10, 0.05, 0.0127)


def strap(gravity: float = 0.0, elements: int = 80, distances=DISTANCES) -> Model:
    """Along x, thin direction z; the right end is moved so that the distance between the pivots is that of the table,
    one after the other, one second each."""
    m = Model(name="Strap between pivots", gravity=(0, 0, -gravity))
    m.beam(
        "strap", path=[[0, 0, 0], [LENGTH, 0, 0]], elements=elements,
        section={"kind": "rectangle", "width": WIDTH, "thickness": THICKNESS},
        material={"young": E, "shear": G, "density": DENSITY},
    )  # fmt: skip
    m.revolute("left", m.ground, "strap.start", at=(0, 0, 0), axis="y")
    m.rigid("cart", at=(LENGTH, 0, 0), mass=0.05, inertia=[1e-5, 1e-5, 1e-5])
    m.prismatic("rail", m.ground, "cart", at=(LENGTH, 0, 0), axis="x")
    m.revolute("right", "cart", "strap.end", at=(LENGTH, 0, 0), axis="y")
    moves = [[0, 0], *([k + 1, d - LENGTH] for k, d in enumerate(distances))]
    m.motion("push", "rail", value={"table": moves})
    m.settings = m.settings.changed(solver="quasi-static", duration=len(distances), outputs=len(distances))
    return m


def pressure(distance: float):
    """Compression between the pivots."""

    def value(results: Results) -> float:
        return -float(results["push.force"].at(DISTANCES.index(distance) + 1.0))

    return value


def exact_force(distance: float) -> float:
    """Compression of the elastica at a distance between its ends."""
    from scipy.optimize import brentq
    from scipy.special import ellipe, ellipk

    m = brentq(lambda m: 2 * ellipe(m) / ellipk(m) - 1 - distance / LENGTH, 1e-9, 0.999)
    return EULER * (2 * ellipk(m) / np.pi) ** 2


def quantities() -> Iterator[Quantity]:
    for d in DISTANCES:
        force = exact_force(d)
        yield Quantity(f"force at {d:g} m", "N", force, 2e-3 * force, ELASTICA, "A", pressure(d), run="free")
    for d, force in WEIGHED.items():
        close = 5e-3 * abs(force) + 5e-6  # the table has five decimals
        yield Quantity(f"force at {d:g} m, hanging", "N", force, close, HANGING, "D", pressure(d), run="hanging")


CASES = (
    Case(
        "strap",
        "strap between pivots, without and with gravity",
        {"free": strap, "hanging": lambda: strap(9.81)},
        quantities,
    ),
)
