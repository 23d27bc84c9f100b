"""Two straps between three carts, stowed and deployed slowly: third problem of deployable structures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..model import Model
from ..results import Results
from .case import MODELS, Case, Quantity
from .strap import exact_force

RECORDED = "independent solver; straps frictionless, as thick as they are"
ELASTICA = "elastica: d/L = 2E/K - 1, P/Pcr = (2K/π)²"
ALIKE = "loads repeat: the model has nothing that dissipates"
DISTANCES = (0.432, 0.42, 0.40, 0.30, 0.20, 0.15, 0.10, 0.05, 0.0127)
COLUMNS = {
    "gravity and contact": (-0.00245, 0.00782, 0.01279, 0.01531, 0.01962, 0.02292, 0.02469),
    "gravity": (-0.00245, 0.00782, 0.01279, 0.01523, 0.01791, 0.02102, 0.02379),
    "contact": (0.01063, 0.01212, 0.01419, 0.01577, 0.01833, 0.01942, 0.01923),
    "neither": (0.01063, 0.01212, 0.01419, 0.01556, 0.01726, 0.01944, 0.02152),
}
HARDLY = 2e-3  # m/s²: so that without gravity both straps bow downwards


def straps(gravity: bool, contact: bool) -> Model:
    model = Model.from_file(MODELS / "jpl" / "straps.yaml")
    if not gravity:
        model = model.set("gravity", [0, 0, -HARDLY])
    return model if contact else model.set("contacts", {})


def force(distance: float, deploying: bool = False):
    """Compression that an outer cart is pushed with [N]."""
    place = DISTANCES.index(distance)
    return lambda results: -float(results["right_push.force"].at(16.0 - place if deploying else float(place)))


def difference(results: Results) -> float:
    """Largest difference of loads between stowing and deploying, over the largest load [%]."""
    stowing, deploying = ([force(d, back)(results) for d in DISTANCES[2:]] for back in (False, True))
    apart = max(abs(a - b) for a, b in zip(stowing, deploying, strict=True))
    return 100.0 * apart / max(abs(load) for load in stowing)


def quantities() -> Iterator[Quantity]:
    for run, column in COLUMNS.items():
        part = 1e-2 if "contact" in run else 5e-3
        for d, reference in zip(DISTANCES[2:], column, strict=True):
            close = part * abs(reference) + 5e-6  # the table has five decimals
            yield Quantity(f"{run}: force at {d:g} m", "N", reference, close, RECORDED, "R", force(d), run)
        yield Quantity(f"{run}: stowing less deploying", "%", 0.0, 1.0, ALIKE, "A", difference, run)
    for d in (0.30, 0.10):
        exact = exact_force(d)
        yield Quantity(f"elastica at {d:g} m", "N", exact, 2e-3 * exact, ELASTICA, "A", force(d), "neither")


CASES = (
    Case(
        "jpl_straps",
        "two straps between three carts, stowed and deployed",
        {run: partial(straps, "gravity" in run, "contact" in run) for run in COLUMNS},
        quantities,
    ),
)
