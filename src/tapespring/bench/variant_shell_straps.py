"""Straps between carts made of shells: the loads are those of beams."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..model import Model
from .case import MODELS, Case, Quantity
from .jpl_straps import COLUMNS, DISTANCES, HARDLY, RECORDED, force


def shell_straps(gravity: bool, contact: bool) -> Model:
    model = Model.from_file(MODELS / "jpl" / "shell_straps.yaml")
    if not gravity:
        model = model.set("gravity", [0, 0, -HARDLY])
    return model if contact else model.set("contacts", {})


def quantities() -> Iterator[Quantity]:
    for run, column in COLUMNS.items():
        for d, reference in zip(DISTANCES[2:], column, strict=True):
            close = 0.02 * abs(reference) + 5e-6  # the table has five decimals
            yield Quantity(f"{run}: force at {d:g} m", "N", reference, close, RECORDED, "R", force(d), run)


CASES = (
    Case(
        "variant_shell_straps",
        "two straps of shells between three carts, stowed",
        {run: partial(shell_straps, "gravity" in run, "contact" in run) for run in COLUMNS},
        quantities,
    ),
)
