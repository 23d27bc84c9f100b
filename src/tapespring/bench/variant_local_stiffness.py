"""Contact stiffness for a rod of beams, from a piece of its tube in shells, against Morley's equation for cylinders."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, pi

import numpy as np

from ..results import Results
from .case import Quantity, case, from_yaml

YOUNG, POISSON, RADIUS, WALL = 101.3467e9, 0.3, 8.9929e-3, 0.38418e-3
PRESSED = 50.0  # N, by all four quarters
AROUND = 24  # elements around half of the tube
MORLEY = "Morley's equation for an endless cylinder under a radial point load, by Fourier's series and integral"


def local_stiffness(results: Results) -> float:
    """Force by how far the pressed point goes into its section, whose mean displacement is that of a beam [N/m]."""
    x = results["tube.positions"].values[:, 0::3].reshape(len(results.time), AROUND + 1, -1)[:, :, 0]
    share = np.ones(AROUND + 1)
    share[[0, -1]] = 0.5
    moved = x - x[0]
    into = moved @ share / share.sum() - moved[:, 0]
    return float(PRESSED * results.time[1] / into[1])


def morley_stiffness() -> float:
    """All waves around the tube but n = 1, with which it moves as a beam; half waves along up to those of the wall."""
    from scipy.integrate import quad

    bending = YOUNG * WALL**3 / (12.0 * (1.0 - POISSON**2))
    membrane = 12.0 * (1.0 - POISSON**2) * (RADIUS / WALL) ** 2
    total = 0.0
    for n in (0, *range(2, 400)):

        def waves(k: float, n: int = n) -> float:
            a = k * k + n * n
            return a * a / (a * a * (a - 1.0) ** 2 + membrane * k**4) if a > 0.0 else 1.0 / (1.0 + membrane)

        parts = [quad(waves, *ends, limit=400)[0] for ends in ((0.0, 5.0), (5.0, 100.0), (100.0, inf))]
        total += (2.0 if n else 1.0) * 2.0 * sum(parts)
    return bending * (2.0 * pi) ** 2 / (RADIUS**2 * total)


def quantities() -> Iterator[Quantity]:
    reference = morley_stiffness()
    yield Quantity("local stiffness", "N/m", reference, 0.03 * reference, MORLEY, "R", local_stiffness)


CASES = (
    case(
        "variant_local_stiffness",
        "contact stiffness of a tube from a piece of it",
        from_yaml("jpl/tube_piece.yaml"),
        quantities,
    ),
)
