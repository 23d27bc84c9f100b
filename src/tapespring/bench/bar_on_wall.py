"""An elastic bar that flies against a rigid wall: a plateau of force while a wave runs to its end and back."""

from math import sqrt

import numpy as np

from ..model import Model
from .case import Quantity, case

SOURCE = "waves in one dimension; data of the Siconos example ImpactingBar"
LENGTH, AREA, YOUNG, DENSITY, SPEED, GAP = 1.0, 3.14e-4, 210e9, 7800.0, 0.1, 5e-5
WAVE = sqrt(YOUNG / DENSITY)


def bar(elements: int = 200) -> Model:
    """The contact is as stiff as an element, so that it adds one to them."""
    stiffness = YOUNG * AREA / (LENGTH / elements)
    return Model.from_plain({
        "name": "bar on a wall",
        "bodies": {
            "bar": {
                "kind": "beam", "path": [[0, 0, GAP], [0, 0, GAP + LENGTH]], "elements": elements,
                "section": {"kind": "circle", "radius": sqrt(AREA / np.pi)}, "velocity": [0, 0, -SPEED],
                "material": {"young": YOUNG, "poisson": 0.3, "density": DENSITY},
            }
        },
        "contacts": {
            "wall": {
                "kind": "contact", "law": {"kind": "linear", "stiffness": stiffness},
                "between": [
                    {"kind": "half_space", "on": "ground", "normal": "z"},
                    {"kind": "sphere", "on": "bar.start", "radius": 0},
                ],
            }
        },
        "simulate": {
            "duration": 1.2e-3, "solver": "implicit", "step": 100e-6 / elements, "dissipation": 0.8, "outputs": 2400
        },
    })  # fmt: skip


def touching(results) -> np.ndarray:
    return results.time[results["wall.normal"].values > 0.0]


def plateau(results) -> float:
    """Mean force from a tenth to nine tenths of the contact."""
    begin, whole = GAP / SPEED, 2.0 * LENGTH / WAVE
    inside = (results.time > begin + 0.1 * whole) & (results.time < begin + 0.9 * whole)
    return float(results["wall.normal"].values[inside].mean())


def impulse(results) -> float:
    return float(np.trapezoid(results["wall.normal"].values, results.time))


def quantities():
    force, whole = DENSITY * WAVE * SPEED * AREA, 2.0 * LENGTH / WAVE
    momentum = 2.0 * DENSITY * AREA * LENGTH * SPEED
    yield Quantity("first touch", "s", GAP / SPEED, 1e-6, SOURCE, "A", lambda r: touching(r)[0])
    yield Quantity("time of contact", "s", whole, 0.02 * whole, SOURCE, "A", lambda r: np.ptp(touching(r)))
    yield Quantity("force", "N", force, 5e-3 * force, SOURCE, "A", plateau)
    yield Quantity("impulse", "N s", momentum, 5e-3 * momentum, SOURCE, "A", impulse)


CASES = (case("bar_on_wall", "elastic bar against a rigid wall", bar, quantities),)
