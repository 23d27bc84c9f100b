"""Flexure over a bump as a reduced solid, the way multibody codes model it: rigid wedge and bump, arm by modes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..model import Model
from .case import MODELS, Case, Quantity
from .jpl_bump import (
    DYNAMIC,
    ELASTICA,
    FAST,
    ON_THE_WAY,
    PEAK,
    bump,
    fast_bump,
    force_at,
    force_on_top,
    on_top,
    peak,
    peak_before_release,
)

MODES = 4


def solid_arm() -> dict[str, Any]:
    """The flexure of the full solid model, free, up to where its slanted end begins."""
    flexure = Model.from_file(MODELS / "jpl" / "solid_bump.yaml").to_plain()["bodies"]["flexure"]
    arm = {key: value for key, value in flexure.items() if key != "attach"}
    flat = arm["mesh"]["of"] | {
        "corners": [[0, "-0.65 mm", 0], ["25 mm", "-0.65 mm", 0], ["25 mm", "0.65 mm", 0], [0, "0.65 mm", 0]]
    }
    return {"bodies": {"arm": arm | {"mesh": arm["mesh"] | {"of": flat}}}}


def by_modes(model: Model) -> Model:
    """The same problem with its beams replaced."""
    plain = model.to_plain()
    arm = {
        "kind": "modal",
        "of": solid_arm(),
        "interfaces": {"root": "arm.left", "tip": "arm.right"},
        "modes": MODES,
        "stiffening": True,  # the crest presses along the arm too
    }
    plain["bodies"] = plain["bodies"] | {"flexure": arm}
    plain["joints"]["clamp"]["between"] = ["ground", "flexure.root"]
    plain["joints"]["weld"]["between"] = ["flexure.tip", "wedge"]
    return Model.from_plain(plain)


def reduced_bump(friction: float) -> Model:
    return by_modes(bump(friction))


def fast_reduced_bump(friction: float) -> Model:
    return by_modes(fast_bump(friction))


RUNS = {f"friction {mu:g}": partial(reduced_bump, mu) for mu in PEAK}
RUNS |= {f"fast, friction {mu:g}": partial(fast_reduced_bump, mu) for mu in PEAK}


def quantities() -> Iterator[Quantity]:
    for mu, force in PEAK.items():
        run = f"friction {mu:g}"
        yield Quantity(f"{run}: largest force", "N", force, 0.02 * force, ELASTICA, "R", peak, run)
        top = force_on_top(mu)
        yield Quantity(f"{run}: force on the top", "N", top, 0.02 * top, ELASTICA, "R", on_top, run)
        fast = FAST[mu]
        name = f"fast, {run}: largest force"
        yield Quantity(name, "N", fast, 0.02 * fast, DYNAMIC, "R", peak_before_release, f"fast, {run}")
    for crest, force in ON_THE_WAY.items():
        name = f"force with the crest at {1e3 * crest:.2f} mm"
        yield Quantity(name, "N", force, 0.02 * force, ELASTICA, "R", force_at(crest), "friction 0.2")


CASES = (Case("variant_bump_modes", "flexure as a reduced solid over a bump, at 4 mm/s and 40 mm/s", RUNS, quantities),)
