"""Plane bending of any size: the roll-up, the elastica under a tip load, and the column beyond Euler's load."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Model
from .beam_models import RIGID, cantilever, moved, section, turn_about_z
from .case import Quantity, case

# -- roll-up ----------------------------------------------------------------------------------------------------------
CIRCLE = "closed form: a constant moment bends a beam to an arc"


def roll_up() -> Model:
    """Length 1 m, EI = 1 N m²; the moment of a full circle in five increments."""
    m = cantilever([[0, 0, 0], [1, 0, 0]], section(1e6, 1, 0.8, 4e5), 20, "Roll-up to a full circle")
    m.load("moment", "beam.end", torque=(0, 0, f"{2 * np.pi!r}*t"))
    m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=5)
    return m


def roll_up_quantities() -> Iterator[Quantity]:
    for time in (0.2, 0.4, 0.6, 0.8, 1.0):
        a = 2 * np.pi * time
        u, w = np.sin(a) / a - 1.0, (1.0 - np.cos(a)) / a
        yield Quantity(f"u at {time:g} of a circle", "m", u, 1e-8, CIRCLE, "A", moved("beam.end", "x", time, 1.0))
        yield Quantity(f"w at {time:g} of a circle", "m", w, 1e-8, CIRCLE, "A", moved("beam.end", "y", time, 0.0))
    yield Quantity(
        "increments",
        "1",
        5,
        0.5,
        "at most five increments",
        "R",
        lambda r: r.counters["steps"] - 1 + r.counters["rejected"],
    )


# -- tip load ---------------------------------------------------------------------------------------------------------
ELASTICA = "elliptic integrals, equal to Mattiasson's table"
TIP_LOAD = {  # P L²/EI: w/L, u/L, angle
    0.5: (0.1621435757, 0.0159189625, 0.2445336471),
    1.0: (0.3017207738, 0.0564332363, 0.4613519497),
    2.0: (0.4934574804, 0.1606417208, 0.7817498316),
    4.0: (0.6699641813, 0.3289412422, 1.1212393475),
    5.0: (0.7137915236, 0.3876283607, 1.2153681176),
    10.0: (0.8106090249, 0.5549955978, 1.4302855388),
}


def elastica() -> Model:
    """Length 1 m, EI = 1 N m², no shear; load in N = time in s times ten."""
    m = cantilever([[0, 0, 0], [1, 0, 0]], section(RIGID, 1, 1), 64, "Cantilever under a tip load")
    m.load("tip", "beam.end", force=(0, "10*t", 0))
    m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=[p / 10 for p in TIP_LOAD])
    return m


def elastica_quantities() -> Iterator[Quantity]:
    for load, (w, u, angle) in TIP_LOAD.items():
        time, at = load / 10, f"at PL²/EI = {load:g}"
        yield Quantity(f"w {at}", "m", w, 1e-6, ELASTICA, "A", moved("beam.end", "y", time, 0.0))
        yield Quantity(f"u {at}", "m", -u, 1e-6, ELASTICA, "A", moved("beam.end", "x", time, 1.0))
        yield Quantity(f"angle {at}", "rad", angle, 1e-6, ELASTICA, "A", turn_about_z("beam.end", time))


# -- column -----------------------------------------------------------------------------------------------------------
COLUMN = "elliptic integrals, equal to Timoshenko and Gere's table"
BUCKLED = {  # tip angle in degrees: P/Pcr, x/L, y/L
    20: (1.015397, 0.969731, 0.219413),
    40: (1.063663, 0.881204, 0.422240),
    60: (1.151720, 0.741020, 0.593208),
    80: (1.293889, 0.559396, 0.719497),
    100: (1.518389, 0.348989, 0.791539),
    120: (1.884801, 0.123160, 0.803171),
    140: (2.542258, -0.106923, 0.750388),
    160: (4.030086, -0.340319, 0.624604),
}
EULER = np.pi**2 / 4


def column() -> Model:
    """Length 1 m, EI = 1 N m², perfectly straight; load in N = time in s. Nothing pushes it aside: the solver has to
    find that the straight column buckles."""
    m = cantilever([[0, 0, 0], [1, 0, 0]], section(RIGID, [1, 2], 1), 64, "Column beyond Euler's load", up="y")
    m.load("weight", "beam.end", force=("-t", 0, 0))
    times = [EULER * row[0] for row in BUCKLED.values()]
    m.settings = m.settings.changed(solver="quasi-static", duration=times[-1], outputs=times)
    return m


def beside(place: str, letter: str, time: float):
    """Distance from where a place was, whichever way it went."""
    return lambda results: abs(results[f"{place}.position.{letter}"].at(time))


def column_quantities() -> Iterator[Quantity]:
    for degrees, (ratio, x, y) in BUCKLED.items():
        time, at = EULER * ratio, f"at the load of {degrees}°"
        # the table gives the load to seven digits; at 20° the angle changes by 17 rad per unit of P/Pcr
        close = 1.5e-5 if degrees == 20 else 3e-6
        yield Quantity(f"x {at}", "m", x, close, COLUMN, "A", moved("beam.end", "x", time, 0.0))
        yield Quantity(f"y {at}", "m", y, close, COLUMN, "A", beside("beam.end", "y", time))


CASES = (
    case("roll_up", "cantilever rolled up to a full circle, 20 elements", roll_up, roll_up_quantities),
    case("elastica", "cantilever under a tip load, large deflection", elastica, elastica_quantities),
    case("column", "column beyond Euler's load", column, column_quantities),
)
