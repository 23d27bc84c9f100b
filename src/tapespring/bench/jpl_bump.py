"""Flexure that slides over a bump, slowly and fast: second problem of the benchmarks for deployable structures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from math import cos, radians, sin

import numpy as np

from ..model import Model
from ..results import Results
from .case import MODELS, Case, Quantity, by_hand

YOUNG, SIDE, LENGTH, HEIGHT, SLOPE = 113.8e9, 1.3e-3, 25e-3, 0.70e-3, radians(55.0)
SPEED, BEGIN = 4e-3, 25.6e-3
CLOSED = "closed form: small deflection, force on the tip's face"
ELASTICA = "elastica, quasi-static"
PEAK = {0.2: 9.926, 0.0: 6.797, 0.3: 12.884}
BY_HAND = {0.2: 9.751, 0.0: 6.721, 0.3: 12.589}
ON_THE_WAY = {25.40e-3: 1.584, 25.30e-3: 3.489, 25.20e-3: 5.565, 25.10e-3: 7.831, 25.05e-3: 9.041}
DYNAMIC = "independent dynamic model, 40 mm/s, contact 2e6 N/m; peak before the crest passes the corner"
FILTERED = "the same; ours filtered by channel frequency class 1000, which takes in what comes after the crest"
FAST = {0.2: 9.995, 0.0: 6.909, 0.3: 12.994}


def bump(friction: float = 0.2) -> Model:
    return Model.from_file(MODELS / "jpl" / "bump.yaml").set("contacts.crest.friction", friction)


def fast_bump(friction: float = 0.2) -> Model:
    """Ten times as fast, with a contact that is soft enough to be resolved."""
    model = bump(friction).set("bodies.bump.position", ["-0.04*t", 0, 0])
    model = model.set("contacts.crest.law.stiffness", 2e6)
    model.settings = model.settings.changed(solver="implicit", duration=0.02, step=1e-5, dissipation=0.8, outputs=2000)
    return model


def closed_force(friction: float) -> float:
    """Normal force of the crest as it is about to pass the corner [N]."""
    stiffness = 3.0 * YOUNG * SIDE**4 / 12.0 / LENGTH**3
    eccentric = 1.5 * 0.5 * SIDE / LENGTH * (sin(SLOPE) + friction * cos(SLOPE))
    return stiffness * HEIGHT / (cos(SLOPE) - friction * sin(SLOPE) - eccentric)


@cache
def force_on_top(friction: float) -> float:
    """Normal force of the flat top on the corner that slides on it [N]: of an elastica, forces at its lower edge."""
    from scipy.integrate import solve_ivp
    from scipy.optimize import fsolve

    bending, edge = YOUNG * SIDE**4 / 12.0, 0.5 * SIDE

    def corner(force, x, y):
        """Where the corner of a flexure is that is bent by what acts at (x, y)."""

        def bent(_, place):
            moment = force * (x - place[0]) + friction * force * (y - place[1])
            return np.cos(place[2]), np.sin(place[2]), moment / bending

        x, y, angle = solve_ivp(bent, (0.0, LENGTH), (0.0, 0.0, 0.0), rtol=1e-10, atol=1e-13).y[:, -1]
        return x + edge * np.sin(angle), y - edge * np.cos(angle)

    def missed(guess):
        x, y = corner(guess[0], guess[1] * LENGTH, HEIGHT - edge)
        return x / LENGTH - guess[1], (y + edge) / HEIGHT - 1.0

    return float(fsolve(missed, (3.0 * bending * HEIGHT / LENGTH**3, 1.0), xtol=1e-12)[0])


def on_top(results: Results) -> float:
    return float(results["crest.normal"].final)


def peak(results: Results) -> float:
    return float(results["crest.normal"].max())


def peak_before_release(results: Results) -> float:
    """Up to where the force turns from the slope of the face, with or without friction, to that of the flat top."""
    along, up = np.abs(results["crest.force"].values[:, :2]).T
    passed = int(np.argmax(up > 2.0 * along))
    return float(results["crest.normal"].values[:passed].max())


def filtered_peak(results: Results) -> float:
    return float(results["crest.normal"].cfc(1000).max())


def impulse(results: Results) -> float:
    """Between the first and the last place on the way [N s]."""
    begin, end = ((BEGIN - crest) / SPEED for crest in (max(ON_THE_WAY), min(ON_THE_WAY)))
    return float(results["crest.normal"].integral(begin, end))


def recorded_impulse() -> float:
    """Of a cubic spline through the places on the way [N s]."""
    from scipy.interpolate import CubicSpline

    crest = sorted(ON_THE_WAY)
    return float(CubicSpline(crest, [ON_THE_WAY[x] for x in crest]).integrate(crest[0], crest[-1])) / SPEED


def force_at(crest: float):
    """Where the crest is at x [m]."""
    return lambda results: float(np.interp((BEGIN - crest) / SPEED, results.time, results["crest.normal"].values))


def quantities() -> Iterator[Quantity]:
    for friction, reference in PEAK.items():
        run, found = f"friction {friction:g}", closed_force(friction)
        name = f"largest force by the closed form, {run}"
        yield Quantity(name, "N", BY_HAND[friction], 1e-3, CLOSED, "R", by_hand(found), run)
        yield Quantity(f"largest force, {run}", "N", reference, 5e-3 * reference, ELASTICA, "R", peak, run)
        fast = FAST[friction]
        name = f"largest force at 40 mm/s, {run}"
        yield Quantity(name, "N", fast, 0.02 * fast, DYNAMIC, "R", peak_before_release, f"fast, {run}")
    name, reference, run = "largest filtered force at 40 mm/s, friction 0.2", FAST[0.2], "fast, friction 0.2"
    yield Quantity(name, "N", reference, 0.02 * reference, FILTERED, "R", filtered_peak, run)
    for crest, force in ON_THE_WAY.items():
        name = f"force with the crest at {1e3 * crest:.2f} mm"
        yield Quantity(name, "N", force, 5e-3 * force, ELASTICA, "R", force_at(crest), "friction 0.2")
    name, reference = "impulse while the crest goes from 25.40 to 25.05 mm", recorded_impulse()
    yield Quantity(name, "N s", reference, 5e-3 * reference, ELASTICA, "R", impulse, "friction 0.2")
    for friction in PEAK:
        run, reference = f"friction {friction:g}", force_on_top(friction)
        yield Quantity(f"force on the top, {run}", "N", reference, 5e-3 * reference, ELASTICA, "R", on_top, run)


CASES = (
    Case(
        "jpl_bump",
        "flexure slides over a bump, at 4 mm/s and 40 mm/s",
        {f"friction {mu:g}": partial(bump, mu) for mu in PEAK}
        | {f"fast, friction {mu:g}": partial(fast_bump, mu) for mu in PEAK},
        quantities,
    ),
)
