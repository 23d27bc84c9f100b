"""Straps let go between three carts, the middle one held or free, with and without gravity."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..model import Model
from ..results import Results
from .case import MODELS, Case, Quantity
from .jpl_straps import COLUMNS, DISTANCES, HARDLY, RECORDED

CARTS = ("left_cart", "middle_cart", "right_cart")
STRAPS = ("left_strap", "right_strap")
CART, STRAP, WIDTH = 0.05, 2657.271 * 0.432 * 9.525e-3 * 0.18e-3, 25.4e-3  # kg, kg, m
STOW, SEEN = 8.0, 0.5  # s
DRIVEN = "a cart with a third of its strap's mass, pushed by the forces of the load table"
KEPT = "nothing pushes along the rails, so the centre of mass stays"
RUNS = {
    f"{middle} middle cart, {'with' if gravity else 'without'} gravity": (middle == "free", gravity)
    for middle in ("free", "held")
    for gravity in (True, False)
}


def bloom(free: bool, gravity: bool, duration: float = SEEN) -> Model:
    """Stowed with the middle cart held; then the outer carts, or all three, are let go."""
    model = Model.from_file(MODELS / "jpl" / "bloom.yaml")
    if not gravity:
        model = model.set("gravity", [0, 0, -HARDLY])
    stow, release = (stage.model_dump(exclude_defaults=True) for stage in model.settings.stages)
    release |= {"duration": duration, "outputs": 100}
    if not free:
        release["without"] = ("left_push", "right_push")
    return model.set("simulate", {"stages": [stow, release]})


def stowed_freely() -> Model:
    """The middle cart is free from the beginning."""
    model = Model.from_file(MODELS / "jpl" / "bloom.yaml")
    stow = model.settings.stages[0].model_dump(exclude_defaults=True) | {"without": ("hold",)}
    return model.set("simulate", {"stages": [stow]})


def driven_travel(column: str) -> float:
    """Of an outer cart in the time that is looked at [m]."""
    from scipy.integrate import solve_ivp
    from scipy.interpolate import PchipInterpolator

    force = PchipInterpolator(DISTANCES[:1:-1], COLUMNS[column][::-1])
    mass = CART + STRAP / 3.0
    found = solve_ivp(lambda _, y: [y[1], force(y[0]) / mass], (0.0, SEEN), [DISTANCES[-1], 0.0], rtol=1e-9)
    return float(found.y[0, -1] - DISTANCES[-1])


def travel(results: Results) -> float:
    x = results["right_cart.position.x"]
    return float(x.at(STOW + SEEN) - x.at(STOW))


def way_of_centre(results: Results) -> float:
    """Largest distance of the centre of mass from where it was let go [m]."""
    moment = CART * np.sum([results[f"{cart}.position.x"].values for cart in CARTS], axis=0)
    for strap in STRAPS:
        x = results[f"{strap}.positions"].values[:, 0::3]
        moment = moment + STRAP * 0.5 * (x[:, 1:] + x[:, :-1]).mean(axis=1)
    centre = moment[results.time >= STOW] / (3.0 * CART + 2.0 * STRAP)
    return float(np.abs(centre - centre[0]).max())


def quantities() -> Iterator[Quantity]:
    for run, (free, gravity) in RUNS.items():
        reference = driven_travel("gravity and contact" if gravity else "contact")
        name = f"{run}: way of the right cart in 0.5 s"
        yield Quantity(name, "m", reference, 0.01 * reference, DRIVEN, "R", travel, run)
        if free:
            yield Quantity(f"{run}: way of the centre of mass", "m", 0.0, 1e-8, KEPT, "A", way_of_centre, run)
    name, reference = "middle cart free while stowed: force at 0.0127 m", COLUMNS["gravity and contact"][-1]

    def force(results: Results) -> float:
        return -float(results["right_push.force"].final)

    yield Quantity(name, "N", reference, 0.01 * reference, RECORDED, "R", force, "stowed freely")


CASES = (
    Case(
        "variant_bloom",
        "straps let go between three carts, the middle one held or free",
        {run: partial(bloom, *about) for run, about in RUNS.items()} | {"stowed freely": stowed_freely},
        quantities,
    ),
)
