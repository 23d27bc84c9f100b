"""Two round beams side by side, stretched and wound round each other by one turn: helices held apart by contact.

They overlap by a tenth of their radius as drawn. The stiffness of the contact is such that they do so again as helices;
before, while nothing but the contact acts, they bow apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, pi, sin, sqrt

import numpy as np

from ..model import Model
from ..results import Results
from .beam_models import section
from .case import Case, Quantity

HELIX = "helix of constant gap by the balance of tension and contact; the clamp holds it up by √(EI/T)"
PUBLISHED = (
    "eight elements of 4C (test of Meier, Popp and Wall's contact along lines), too long for the bend at the clamp"
)
RADIUS, OFFSET, LENGTH, STRETCH = 0.01, 0.0095, 5.0, 0.049647222609834
PER_LENGTH = 46845.27980953355  # contact stiffness [N/m²]
EA, EI, GJ, GA = 1e9 * pi * 1e-4, 1e9 * pi * 0.25e-8, 5e8 * pi * 0.5e-8, 0.75 * 5e8 * pi * 1e-4
MESHES = {"16 elements": 16, "64 elements": 64}


def model_of(elements: int) -> Model:
    """Nodes of one beam touch the other, from both sides. Their numbers differ by one, so that none meet."""
    m = Model(name="twisted beams", duration=5.0, solver="quasi-static", outputs=50)
    counts = (elements, elements + 1)
    for name, side, count in zip(("first", "second"), (1.0, -1.0), counts, strict=True):
        x = side * OFFSET
        middle = {"middle": "50 %"} if name == "first" else {}
        path = [[x, 0, 0], [x, 0, LENGTH]]
        m.beam(name, path=path, elements=count, section=section(EA, EI, GJ, GA), markers=middle)
        m.fixed(f"clamp_{name}", m.ground, f"{name}.start")
        turn = "0.5*pi*max(t - 1, 0)"
        way = [f"{x}*(cos({turn}) - 1)", f"{x}*sin({turn})", f"{STRETCH}*min(t, 1)"]
        m.moving_frame(f"hand_{name}", at=(x, 0, LENGTH), position=way)
        m.spherical(f"grip_{name}", f"hand_{name}", f"{name}.end")
    rods = [{"kind": "rod", "on": name, "radius": RADIUS} for name in ("first", "second")]
    law = {"kind": "linear", "stiffness": PER_LENGTH * LENGTH / sum(counts)}
    m.contact("touch", between=rods, lines="nodes", law=law, overlap="keep")
    return m


def helix() -> tuple[float, float, float]:
    """(radius of the axes [m], tension [N], turn per length [1/m]) of slender beams."""
    r, turn, tension = OFFSET, 0.0, 0.0
    for _ in range(100):
        length = LENGTH + STRETCH
        lag = sqrt(EI / tension) if tension else 0.0  # at the clamp, where the beam cannot slant
        turn = 2.0 * pi / (length - lag)
        tension = EA * (length * sqrt(1.0 + (r * turn) ** 2) / LENGTH - 1.0)
        r = 2.0 * RADIUS / (2.0 + tension * turn**2 / PER_LENGTH)
    return r, tension, turn


def middle_angle() -> float:
    """By which the middle has turned [rad]."""
    _, tension, turn = helix()
    return turn * (0.5 * (LENGTH + STRETCH) - sqrt(EI / tension))


def radius(results: Results) -> float:
    """Mean distance from the axis over the middle third [m]."""
    at = results["first.positions"].values[-1].reshape(-1, 3)
    third = len(at) // 3
    return float(np.hypot(at[third:-third, 0], at[third:-third, 1]).mean())


def middle(letter: str, results: Results) -> float:
    return float(results[f"first.middle.position.{letter}"].final)


def tension(results: Results) -> float:
    return float(results["first.section_force"].values[-1].reshape(-1, 3)[:, 0].mean())


def quantities() -> Iterator[Quantity]:
    r, force, _ = helix()
    place = {"x": r * cos(middle_angle()), "y": r * sin(middle_angle()), "z": 0.5 * (LENGTH + STRETCH)}
    other = {"x": OFFSET - 0.0189433884824548, "y": 0.0007221719472491959, "z": 0.5 * LENGTH + 0.0248285857236402}
    for run, near in zip(MESHES, (1e-4, 1e-5), strict=True):
        yield Quantity(f"radius of the helix, {run}", "m", r, near, HELIX, "A", radius, run)
        yield Quantity(f"tension, {run}", "N", force, 1e-3 * force, HELIX, "A", tension, run)
        for letter in "xyz":
            value, name = partial(middle, letter), f"{letter} of the middle, {run}"
            yield Quantity(name, "m", place[letter], near, HELIX, "A", value, run)
    for letter in "xyz":
        name, value = f"{letter} of the middle beside 4C", partial(middle, letter)
        yield Quantity(name, "m", other[letter], 0.05 * OFFSET, PUBLISHED, "B", value, "64 elements")


MODELS = {run: partial(model_of, elements) for run, elements in MESHES.items()}
CASES = (Case("twisted_beams", "two beams wound round each other", MODELS, quantities),)
