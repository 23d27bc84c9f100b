"""Straps that bloom from a floating spacecraft: what it does to attitude, and that momentum is kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..model import Model
from ..results import Results
from .case import MODELS, Case, Quantity

KEPT = "no force from outside: momentum stays zero; over the largest one that a part has"
ALIKE = "both halves are mirror images"
EASED = 1.0  # s, when it is let go


def free_base(late: float) -> Model:
    """The right cart is held back for a while [s]."""
    model = Model.from_file(MODELS / "jpl" / "free_base.yaml")
    if late:
        return model.set("simulate.stages.1.duration", late)
    stow, _, both = model.settings.stages
    model.settings = model.settings.model_copy(update={"stages": (stow, both)})
    return model


def turned(results: Results) -> np.ndarray:
    """Rotation of the spacecraft about y [deg]."""
    w, _, y, _ = results["spacecraft.orientation"].values.T
    return np.degrees(2.0 * np.arctan2(y, w))


def linear(results: Results) -> float:
    """Largest momentum of all, over the largest of a cart."""
    after = results.time >= EASED
    whole = np.abs(results["system.momentum"].values[after]).max()
    return float(whole / (0.05 * np.abs(results["left_cart.velocity"].values[after]).max()))


def angular(results: Results) -> float:
    """Largest angular momentum of all, over that of a cart on its rail about the spacecraft's centre, 0.1 m above."""
    after = results.time >= EASED
    whole = np.abs(results["system.angular_momentum"].values[after]).max()
    return float(whole / (0.1 * 0.05 * np.abs(results["left_cart.velocity"].values[after]).max()))


def unaccounted(results: Results) -> float:
    return results.audit.relative if results.audit else float("nan")


def quantities() -> Iterator[Quantity]:
    for run in RUNS:
        yield Quantity(f"linear momentum, {run}", "1", 0.0, 1e-9, KEPT, "A", linear, run)
        yield Quantity(f"angular momentum, {run}", "1", 0.0, 1e-9, KEPT, "A", angular, run)
        yield Quantity(
            f"energy unaccounted for / exchanged, {run}", "1", 0.0, 1e-6, "energy audit", "A", unaccounted, run
        )
    turn = lambda r: float(np.abs(turned(r)).max())  # noqa: E731
    yield Quantity("largest rotation of the spacecraft, together", "deg", 0.0, 1e-6, ALIKE, "A", turn, "together")


RUNS = {"together": 0.0, "right cart late": 0.2}
CASES = (
    Case(
        "jpl_free_base",
        "straps bloom from a floating spacecraft",
        {run: partial(free_base, late) for run, late in RUNS.items()},
        quantities,
    ),
)
