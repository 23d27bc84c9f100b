"""The pendulum with a flexible bar, with a contact stiffness from a piece of its tube, of shells and of solids."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import cos, tan

import numpy as np

from ..model import Model
from .case import MODELS, Case, Quantity
from .jpl_pendulum import (
    EI,
    RECORDED,
    STIFFNESS,
    SWEEP,
    TILT,
    TO_BAR,
    closed_rotation,
    first_impulse,
    first_peak,
    pendulum,
    rotation,
)
from .variant_local_stiffness import morley_stiffness

MESHED = ("shell", "solid")
BEFORE, BEYOND = 0.02, 0.45  # of the bar, from where it is struck [m]
SHEAR = 0.5 * 2.2e6 / (2.0 * 1.3)  # of a thin tube [N]
HARD = 1e7  # contact law of shells and solids [N/m]
COARSE = 9.06e5  # of the wall in a piece of the mesh they have, twelve elements around and 21.6 mm long [N/m]
RIGID = {0.2: (25.06, 57.8), 0.0: (40.25, 59.0), 0.3: (21.81, 56.8)}  # at 1e6 N/m
MORE = "closed form of the rigid bar and of a clamped one, of which the difference is added to [R] of the rigid bar"
BETWEEN = f"{STIFFNESS}; between its stiffnesses by what gives: our own piece of the mesh, shear of the tube, law"


def with_flexible_bar(model: Model) -> Model:
    """The bar is a tube like the rod, clamped at both ends."""
    bar, rod = model.to_plain()["contacts"]["bar"]["between"]
    section = pendulum().to_plain()["bodies"]["rod"]["section"]
    path = [bar["at"], bar["to"]]
    barrier = {"kind": "beam", "path": path, "up": "z", "elements": 24, "shear": False, "section": section}
    model = model.set("bodies.barrier", barrier)
    for end in ("start", "end"):
        model = model.set(f"joints.clamp_{end}", {"kind": "fixed", "between": ["ground", f"barrier.{end}"]})
    return model.set("contacts.bar.between", [{"kind": "rod", "on": "barrier", "radius": "3 mm"}, rod])


def flexible_bar(friction: float = 0.2) -> Model:
    return with_flexible_bar(pendulum(friction))


def meshed_on_flexible_bar(elements: str, friction: float = 0.2) -> Model:
    return with_flexible_bar(meshed(elements, friction))


def bar_gives(turned: float) -> float:
    """Deflection of a clamped bar under a force where the rod lies on it [m/N]."""
    a = BEFORE + TO_BAR * tan(turned) / cos(TILT)
    b = BEYOND - TO_BAR * tan(turned) / cos(TILT)
    return a**3 * b**3 / (3.0 * EI * (a + b) ** 3)


def meshed(elements: str, friction: float = 0.2) -> Model:
    """A rod of shells or solids; without friction it climbs longer."""
    model = Model.from_file(MODELS / "jpl" / f"{elements}_pendulum.yaml")
    if friction == 0.0:
        model.settings = model.settings.changed(duration=0.25, outputs=1000)
    return model.set("contacts.bar.friction.coefficient", friction)


def between(give: float) -> tuple[float, float]:
    """(rotation, first peak) for a contact that gives so much [m/N], from the table of stiffnesses."""
    table = sorted((1.0 / stiffness, found) for stiffness, found in ({1e6: RIGID[0.2]} | SWEEP).items())
    known = [row[0] for row in table]
    turned, peak = (float(np.interp(give, known, [row[1][k] for row in table])) for k in (0, 1))
    return turned, peak


def quantities() -> Iterator[Quantity]:
    for friction in RIGID:
        run = f"flexible bar, friction {friction:g}"
        more = closed_rotation(friction, bar_gives) - closed_rotation(friction)
        turned = RIGID[friction][0] + more
        yield Quantity(f"{run}: largest rotation", "deg", turned, 0.05, MORE, "R", rotation, run)
    turned, peak = between(1.0 / morley_stiffness())
    run = "local stiffness"
    yield Quantity(f"{run}: largest rotation", "deg", turned, 0.05, STIFFNESS, "R", rotation, run)
    yield Quantity(f"{run}: first peak", "N", peak, 0.6, STIFFNESS, "R", first_peak, run)
    turned, peak = between(1.0 / HARD + 1.0 / COARSE + TO_BAR / SHEAR)
    for elements in MESHED:
        run = f"{elements}, friction 0.2"
        yield Quantity(f"{run}: largest rotation", "deg", turned, 0.02 * turned, BETWEEN, "R", rotation, run)
        yield Quantity(f"{run}: first peak", "N", peak, 0.02 * peak, BETWEEN, "R", first_peak, run)
        yield Quantity(f"{run}: impulse of the first lobe", "N s", 1.70, 0.034, RECORDED, "R", first_impulse, run)
        for friction in (0.0, 0.3):
            run, climbed = f"{elements}, friction {friction:g}", RIGID[friction][0]
            yield Quantity(f"{run}: largest rotation", "deg", climbed, 0.02 * climbed, RECORDED, "R", rotation, run)
        for friction in RIGID:
            run = f"{elements}, flexible bar, friction {friction:g}"
            climbed = RIGID[friction][0] + closed_rotation(friction, bar_gives) - closed_rotation(friction)
            yield Quantity(f"{run}: largest rotation", "deg", climbed, 0.02 * climbed, MORE, "R", rotation, run)


RUNS = (
    {f"flexible bar, friction {mu:g}": partial(flexible_bar, mu) for mu in RIGID}
    | {"local stiffness": lambda: pendulum(0.2, morley_stiffness())}
    | {f"{elements}, friction {mu:g}": partial(meshed, elements, mu) for elements in MESHED for mu in RIGID}
    | {
        f"{elements}, flexible bar, friction {mu:g}": partial(meshed_on_flexible_bar, elements, mu)
        for elements in MESHED
        for mu in RIGID
    }
)
CASES = (Case("variant_pendulum", "pendulum with a flexible bar, of shells and of solids", RUNS, quantities),)
