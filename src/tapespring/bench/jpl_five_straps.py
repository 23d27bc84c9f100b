"""Straps of the fourth problem of the benchmarks for deployable structures, without its fabric."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..results import Results
from .case import Quantity, case, from_yaml

SOURCE = "independent solver: a strap held at both ends, with gravity"
FORCES = {0.20: 0.05508, 0.15: 0.06132, 0.10: 0.06884, 0.075: 0.07325}
WAY, WIDTH = 0.357, 0.432  # m


def horizontal(joint: str, distance: float):
    """Force of a fixture on a strap, in the plane of the rivets [N]."""
    time = (WIDTH - distance) / WAY
    return lambda results: float(np.linalg.norm([results[f"{joint}.force.{axis}"].at(time) for axis in "xy"]))


def on_fixture(joints: tuple[str, ...], axis: str):
    """Sum of the forces of straps on a fixture when all are stowed [N]."""

    def value(results: Results) -> float:
        return abs(sum(float(results[f"{joint}.force.{axis}"].final) for joint in joints))

    return value


def quantities() -> Iterator[Quantity]:
    for distance, force in FORCES.items():
        for joint in ("A_AB", "A_AC"):
            name = f"force of strap {joint[2:]} at {1e3 * distance:g} mm"
            yield Quantity(name, "N", force, 1e-2 * force, SOURCE, "R", horizontal(joint, distance))
    at_a, at_c = on_fixture(("A_AB", "A_AC", "A_AD"), "x"), on_fixture(("C_AC", "C_BC"), "y")
    yield Quantity("force on A in x at 75 mm", "N", 0.1465, 0.001465, SOURCE, "R", at_a)
    yield Quantity("force on C in y at 75 mm", "N", 0.1269, 0.001269, SOURCE, "R", at_c)


CASES = (
    case("jpl_five_straps", "five straps of two triangles, stowed", from_yaml("jpl/five_straps.yaml"), quantities),
)
