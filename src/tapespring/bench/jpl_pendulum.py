"""Flexible pendulum that strikes an inclined bar: first problem of the benchmarks for deployable structures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import cos, degrees, radians, sin, sqrt, tan

import numpy as np

from ..model import Model
from ..results import Channel, Results
from .case import MODELS, Case, Quantity, by_hand

EI, LENGTH, TO_BAR, MASS, GRAVITY = 88.96, 0.691, 0.338, 0.454, 9.81
TILT, FROM, STRIKE = radians(5.0), radians(30.0), radians(-150.2)
CLOSED = "closed form: work of the tip's weight, bending of the rod by the bar, friction along it"
RECORDED = "independent dynamic model (ANCF cable, generalized-alpha), 16 elements, contact 1e6 N/m"
STIFFNESS = "the same; its contact damping is not told: here in proportion to the root of the stiffness"
SWEEP = {1e7: (25.00, 58.4), 3e5: (25.19, 55.7), 2e5: (25.28, 54.5), 1e5: (25.54, 51.4), 2e4: (27.5, 37.8)}
SPREAD = "the same: 58 to 68 N with the numerical dissipation, so that the raw peak is not to be trusted"
WINDOW = 4e-3  # s, of the moving average


def pendulum(friction: float = 0.2, stiffness: float = 1e6, **settings) -> Model:
    model = Model.from_file(MODELS / "jpl" / "pendulum.yaml")
    model = model.set("contacts.bar.friction.coefficient", friction)
    model = model.set("contacts.bar.law.stiffness", stiffness)
    model = model.set("contacts.bar.law.damping", 20.0 * sqrt(stiffness / 1e6))
    model.settings = model.settings.changed(**settings)
    return model


def turned(results: Results) -> np.ndarray:
    """Angle of the tip past the bar [deg]."""
    x, y, _ = results["tip.position"].values.T
    angle = np.unwrap(np.arctan2(y, x))
    return np.degrees(np.abs(angle - angle[0]))


def rotation(results: Results) -> float:
    return float(turned(results).max())


def filtered(results: Results):
    return results["bar.normal"].moving_average(WINDOW)


def first_peak(results: Results) -> float:
    return float(filtered(results).first_peak().value)


def first_raw_peak(results: Results) -> float:
    return float(results["bar.normal"].first_peak().value)


def second_peak(results: Results) -> float:
    """After the rod has nearly left the bar [N]."""
    force = filtered(results)
    later = force.time > force.first_peak().end
    rest = Channel("bar.later", "N", force.values[later], time=force.time[later])
    return float(rest.first_peak().value)


def time_of_largest_rotation(results: Results) -> float:
    return float(results.time[np.argmax(turned(results))])


def first_impulse(results: Results) -> float:
    """Up to the end of the first lobe [N s]."""
    return float(results["bar.normal"].integral(0.0, filtered(results).first_peak().end))


def closed_rotation(friction: float, give: Callable[[float], float] = lambda _: 0.0) -> float:
    """Angle at which the weight's work is used up [deg]; give: of the bar and at the contact, by that angle [m/N]."""
    from scipy.integrate import quad
    from scipy.optimize import brentq

    def force(turned):
        return TO_BAR * tan(turned) * tan(TILT) / ((TO_BAR / cos(turned)) ** 3 / (3.0 * EI) + give(turned))

    def left(turned):
        along = TO_BAR / cos(turned)
        bending = 0.5 * force(turned) ** 2 * ((1.0 + friction**2) * along**3 / (3.0 * EI) + give(turned))
        rubbing = quad(lambda a: friction * force(a) * TO_BAR / cos(a), 0.0, turned, epsabs=1e-12)[0]
        return MASS * GRAVITY * LENGTH * (sin(FROM) - sin(STRIKE - turned)) - bending - rubbing

    return degrees(brentq(left, 0.05, 1.2, xtol=1e-12))


def quantities() -> Iterator[Quantity]:
    for friction, reference in ((0.2, 25.298), (0.0, 40.477)):
        name = f"largest rotation by the closed form, friction {friction:g}"
        found = by_hand(closed_rotation(friction))
        yield Quantity(name, "deg", reference, 1e-3, CLOSED, "R", found, "friction 0.2")
    for friction, turn, peak in ((0.2, 25.06, 57.8), (0.0, 40.25, 59.0), (0.3, 21.81, 56.8)):
        run, close = f"friction {friction:g}", 0.1 if friction == 0.0 else 0.05
        yield Quantity(f"largest rotation, {run}", "deg", turn, close, RECORDED, "R", rotation, run)
        yield Quantity(f"first peak of the mean force, {run}", "N", peak, 0.6, RECORDED, "R", first_peak, run)
    yield Quantity("impulse of the first lobe", "N s", 1.70, 0.017, RECORDED, "R", first_impulse, "friction 0.2")
    yield Quantity("first peak of the raw force", "N", 63.0, 5.0, SPREAD, "R", first_raw_peak, "friction 0.2")
    yield Quantity("second peak of the mean force", "N", 101.0, 2.0, RECORDED, "R", second_peak, "friction 0.2")
    name = "time of the largest rotation"
    yield Quantity(name, "s", 0.1485, 5e-4, RECORDED, "R", time_of_largest_rotation, "friction 0.2")
    for stiffness, (turn, peak) in SWEEP.items():
        run = f"{stiffness:g} N/m"
        yield Quantity(f"largest rotation, {run}", "deg", turn, 0.1, STIFFNESS, "R", rotation, run)
        yield Quantity(f"first peak, {run}", "N", peak, 0.02 * peak, STIFFNESS, "R", first_peak, run)


MODELS_OF = {f"friction {mu:g}": partial(pendulum, mu) for mu in (0.2, 0.0, 0.3)} | {
    f"{k:g} N/m": partial(pendulum, 0.2, k) for k in SWEEP
}
CASES = (Case("jpl_pendulum", "flexible pendulum strikes an inclined bar", MODELS_OF, quantities),)
