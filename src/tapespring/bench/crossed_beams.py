"""Two cantilevers that cross: one is pressed onto the other, then dragged along it with and without friction.

Deflections are a ten thousandth of the lengths, so that the linear theory of two beams in series holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import pi

from ..model import Model
from ..results import Results
from .case import Case, Quantity

SOURCE = "two cantilevers in series, small deflections, friction on the surface of the rods"
YOUNG, RADIUS, STIFFNESS = 210e9, 5e-3, 1e8
BELOW, ABOVE = 0.4, 0.3  # from the clamp to where they cross [m]
DOWN, ALONG = 3e-5, 0.15  # ways of the upper clamp [m]
BENDING = YOUNG * pi * RADIUS**4 / 4.0
OVER = 0.05  # by which both go on beyond the crossing [m]


def model_of(friction: float, elements: int = 18) -> Model:
    """The upper clamp goes down within 1 s, then along the lower beam towards its clamp within another."""
    m = Model(name="crossed beams", duration=2.0, solver="quasi-static", outputs=20)
    given = {
        "section": {"kind": "circle", "radius": RADIUS}, "shear": False, "elements": elements,
        "material": {"young": YOUNG, "poisson": 0.3, "density": 7850.0},
    }  # fmt: skip
    m.beam("lower", path=[[0, 0, 0], [BELOW + OVER, 0, 0]], **given)
    m.fixed("root", m.ground, "lower.start")
    level, x = 2.0 * RADIUS, BELOW
    down = {"table": [[0, 0], [1, -DOWN], [2, -DOWN]], "interpolation": "linear"}
    along = {"table": [[0, 0], [1, 0], [2, -ALONG]], "interpolation": "linear"}
    m.moving_frame("clamp", at=(x, -ABOVE, level), position=[along, 0, down])
    m.beam("upper", path=[[x, -ABOVE, level], [x, OVER, level]], **given)
    m.fixed("grip", "clamp", "upper.start")
    rub = {"friction": friction} if friction else {}
    m.contact("touch", between=["lower", "upper"], law={"kind": "linear", "stiffness": STIFFNESS}, **rub)
    return m


def force(x: float, friction: float) -> float:
    """Between beams whose clamps are x and ABOVE from where they cross as drawn [N].

    Friction drags the upper beam sideways, so that it lags, and its moment about the axis lifts the lower one.
    """
    upper, found = ABOVE**3 / (3.0 * BENDING), 0.0
    for _ in range(50):
        a = x + friction * found * upper
        lower = a**3 / (3.0 * BENDING) - friction * RADIUS * a**2 / (2.0 * BENDING)
        found = DOWN / (lower + upper + 1.0 / STIFFNESS)
    return found


def normal(time: float, results: Results) -> float:
    return results["touch.normal"].at(time)


def quantities() -> Iterator[Quantity]:
    for run, friction in RUNS.items():
        for time in (1.0, 1.2, 1.5, 1.7, 2.0):
            if friction and time == 1.0:
                continue  # what sticks there depends on the slopes of both
            x = BELOW - (time - 1.0) * ALONG
            reference = force(x, friction)
            name = f"force at {x:.3f} m, {run}"
            yield Quantity(name, "N", reference, 1e-4 * reference, SOURCE, "A", partial(normal, time), run)


RUNS = {"smooth": 0.0, "friction 0.3": 0.3}
MODELS = {run: partial(model_of, friction) for run, friction in RUNS.items()}
CASES = (Case("crossed_beams", "cantilever pressed onto another and dragged along it", MODELS, quantities),)
