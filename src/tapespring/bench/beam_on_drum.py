"""A cantilever that a drum bends far and slides along, smooth or with friction: elastica up to where it touches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from math import cos, pi, sin

import numpy as np

from ..model import Model
from ..results import Results
from .case import Case, Quantity

SOURCE = "elastica from the clamp to the drum, integrated by SciPy; friction on the surface of the beam"
YOUNG, LENGTH, RADIUS, DRUM, STIFFNESS = 200e9, 1.0, 2e-3, 0.05, 1e7
BENDING = YOUNG * pi * RADIUS**4 / 4.0
START = (0.6, -DRUM - RADIUS)  # of the drum's axis, beam above it along x
RISE, TIMES = 0.3, (0.25, 0.5, 0.75, 1.0)


def model_of(friction: float, elements: int = 32) -> Model:
    """The drum rises against the beam and slides outwards along it."""
    m = Model(name="beam on a drum", duration=1.0, solver="quasi-static", outputs=40)
    m.beam(
        "beam", path=[[0, 0, 0], [LENGTH, 0, 0]], elements=elements, shear=False,
        section={"kind": "circle", "radius": RADIUS}, material={"young": YOUNG, "poisson": 0.3, "density": 7850.0},
    )  # fmt: skip
    m.fixed("clamp", m.ground, "beam.start")
    m.moving_frame("drum", at=(START[0], 0, START[1]), position=[0, 0, f"{RISE}*t"])
    round_drum = {"kind": "capsule", "on": "drum", "at": (0, -0.2, 0), "to": (0, 0.2, 0), "radius": DRUM}
    rub = {"friction": friction} if friction else {}
    m.contact("touch", between=[round_drum, "beam"], law={"kind": "linear", "stiffness": STIFFNESS}, **rub)
    return m


def clamp_misses(unknown: np.ndarray, friction: float, centre: tuple[float, float]) -> list[float]:
    """Angle and place of the clamp for a normal force, a slope and an arc length up to the touch.

    Integrated from there: beyond it the beam is straight and free.
    """
    from scipy.integrate import solve_ivp

    force, slope, arc = unknown
    along, up = (cos(slope), sin(slope)), (-sin(slope), cos(slope))
    pulls = friction * force  # outwards: the beam slides back over the drum
    fx, fz = (force * up[k] + pulls * along[k] for k in (0, 1))
    reach = DRUM + RADIUS - force / STIFFNESS
    x, z = (centre[k] + reach * up[k] for k in (0, 1))

    def rates(_, y):
        angle, bend = y[0], y[1]
        return [-bend, (fz * cos(angle) - fx * sin(angle)) / BENDING, -cos(angle), -sin(angle)]

    end = solve_ivp(
        rates, (0.0, arc), [slope, pulls * RADIUS / BENDING, x, z], method="DOP853", rtol=1e-10, atol=1e-12
    ).y[:, -1]
    return [end[0], end[2], end[3]]


@cache
def touches(friction: float) -> dict[float, tuple[float, float]]:
    """Normal force [N] and arc length from the clamp to the touch [m] at the times looked at."""
    from scipy.optimize import fsolve

    found: dict[float, tuple[float, float]] = {}
    guess = np.array([0.1, 0.0, START[0]])
    for time in np.linspace(0.125, 1.0, 8):
        centre = (START[0], START[1] + RISE * time)
        guess, _, ok, why = fsolve(clamp_misses, guess, (friction, centre), xtol=1e-9, full_output=True)
        if ok != 1:
            raise RuntimeError(f"elastica at {time:g} s: {why}")
        found[round(float(time), 6)] = (float(guess[0]), float(guess[2]))
    return found


def normal(time: float, results: Results) -> float:
    return results["touch.normal"].at(time)


def quantities() -> Iterator[Quantity]:
    for run, friction in RUNS.items():
        for time in TIMES:
            reference = touches(friction)[time][0]
            name = f"force, drum {1e3 * RISE * time:.0f} mm up, {run}"
            yield Quantity(name, "N", reference, 2e-4 * reference, SOURCE, "D", partial(normal, time), run)


RUNS = {"smooth": 0.0, "friction 0.3": 0.3}
MODELS = {run: partial(model_of, friction) for run, friction in RUNS.items()}
CASES = (Case("beam_on_drum", "cantilever bent far over a drum it slides on", MODELS, quantities),)
