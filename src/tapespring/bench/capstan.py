"""A thin strap half round a drum, held at one end and pulled at the other: its tension grows as exp(μ φ).

Friction acts on the surface of the strap, half a thickness h below its axis, so that μ φ counts by R/(R + h).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, exp, pi, sin

import numpy as np

from ..model import Model
from ..results import Results
from .case import Case, Quantity

SOURCE = "Euler and Eytelwein, with the thickness of the strap"
DRUM, LEG, HALF, STIFFNESS, PULL = 0.1, 0.1, 1e-3, 1e4, 0.05  # STIFFNESS: of the strap, EA [N]
RUNS = {  # elements round the drum, friction, error allowed
    "12 elements": (12, 0.3, 5e-3),
    "24 elements": (24, 0.3, 3e-3),
    "48 elements": (48, 0.3, 1e-3),
    "friction 0.1": (24, 0.1, 3e-3),
    "smooth": (24, 0.0, 3e-3),
}


def model_of(elements: int, friction: float) -> Model:
    """It stretches by up to a seventh, and slides over its own elements."""
    m = Model(name="capstan", duration=1.0, solver="quasi-static", outputs=20)
    at = DRUM + HALF
    leg = np.linspace(-LEG, 0.0, round(elements * LEG / (pi * DRUM)) + 1)
    turn = np.linspace(0.0, pi, elements + 1)
    path = [[-at, 0, z] for z in leg[:-1]] + [[-at * cos(a), 0, at * sin(a)] for a in turn]
    path += [[at, 0, z] for z in leg[-2::-1]]
    material = {"young": STIFFNESS / (pi * HALF**2), "poisson": 0.3, "density": 1000.0}
    m.beam(
        "strap", path=path, elements=len(path) - 1, section={"kind": "circle", "radius": HALF}, material=material,
        up="y", shear=False,
    )  # fmt: skip
    m.moving_frame("hand", at=(at, 0, -LEG), position=[0, 0, f"-{PULL}*t"])
    m.fixed("held", m.ground, "strap.start")
    m.fixed("pulled", "hand", "strap.end")
    drum = {"kind": "capsule", "on": "ground", "at": (0, -0.2, 0), "to": (0, 0.2, 0), "radius": DRUM}
    rub = {"friction": friction} if friction else {}
    m.contact("drum", between=[drum, "strap"], law={"kind": "linear", "stiffness": 1e6}, overlap="keep", **rub)
    return m


def worst_ratio(reference: float, results: Results) -> float:
    """Tension of the pulled end over that of the held one, where it is farthest from the reference.

    In the second half of the run, in which all of the strap slides.
    """
    forces = results["strap.section_force"].values
    tension = forces.reshape(len(forces), -1, 3)[len(forces) // 2 :, :, 0]
    ratios = tension[:, -1] / tension[:, 0]
    return float(ratios[np.argmax(np.abs(ratios - reference))])


def quantities() -> Iterator[Quantity]:
    for run, (_, friction, error) in RUNS.items():
        ratio = exp(friction * pi * DRUM / (DRUM + HALF))
        value = partial(worst_ratio, ratio)
        yield Quantity(f"ratio of tensions, {run}", "1", ratio, error * ratio, SOURCE, "A", value, run)


MODELS = {run: partial(model_of, elements, friction) for run, (elements, friction, _) in RUNS.items()}
CASES = (Case("capstan", "strap pulled round a drum with friction", MODELS, quantities),)
