"""Flexure that slides over a bump, slowly: second problem of the benchmarks for deployable structures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
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
AFTER = 3.638


def bump(friction: float = 0.2) -> Model:
    model = Model.from_file(MODELS / "jpl" / "bump.yaml")
    for contact in ("crest", "top"):
        model = model.set(f"contacts.{contact}.friction.coefficient", friction)
    return model


def closed_force(friction: float) -> float:
    """Normal force of the crest as it is about to pass the corner [N]."""
    stiffness = 3.0 * YOUNG * SIDE**4 / 12.0 / LENGTH**3
    eccentric = 1.5 * 0.5 * SIDE / LENGTH * (sin(SLOPE) + friction * cos(SLOPE))
    return stiffness * HEIGHT / (cos(SLOPE) - friction * sin(SLOPE) - eccentric)


def peak(results: Results) -> float:
    return float(results["crest.normal"].max())


def force_at(crest: float):
    """Where the crest is at x [m]."""
    return lambda results: float(np.interp((BEGIN - crest) / SPEED, results.time, results["crest.normal"].values))


def quantities() -> Iterator[Quantity]:
    for friction, reference in PEAK.items():
        run, found = f"friction {friction:g}", closed_force(friction)
        name = f"largest force by the closed form, {run}"
        yield Quantity(name, "N", BY_HAND[friction], 1e-3, CLOSED, "R", by_hand(found), run)
        yield Quantity(f"largest force, {run}", "N", reference, 5e-3 * reference, ELASTICA, "R", peak, run)
    for crest, force in ON_THE_WAY.items():
        name = f"force with the crest at {1e3 * crest:.2f} mm"
        yield Quantity(name, "N", force, 5e-3 * force, ELASTICA, "R", force_at(crest), "friction 0.2")
    yield Quantity(
        "force on the top",
        "N",
        AFTER,
        5e-3 * AFTER,
        ELASTICA,
        "R",
        lambda r: float(r["top.normal"].final),
        "friction 0.2",
    )


CASES = (
    Case(
        "jpl_bump",
        "flexure slides over a bump, quasi-statically",
        {f"friction {mu:g}": partial(bump, mu) for mu in PEAK},
        quantities,
    ),
)
