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
TOUCHES = "the snap ends where the middle cart meets another one"
BALANCED = "rails without friction: pushes of both sides balance"
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


def bloom_of_shells(free: bool, gravity: bool) -> Model:
    """The same with straps of shells, riveted to hinges; their middle lines touch each other and the carts."""
    plain = bloom(free, gravity).to_plain()
    shells = Model.from_file(MODELS / "jpl" / "shell_straps.yaml").to_plain()
    plain["bodies"] |= {name: body for name, body in shells["bodies"].items() if name not in CARTS}
    for name in "abcd":
        cart, hinge = plain["joints"][name]["between"][0], shells["joints"][name]["between"][1]
        plain["joints"][name] = shells["joints"][name] | {"between": [cart, hinge]}
    lines = dict(zip(STRAPS, shells["contacts"]["straps"]["between"], strict=True))
    for contact in plain["contacts"].values():
        contact["between"] = [lines[side] if side in STRAPS else side for side in contact["between"]]
    return Model.from_plain(plain)


def stowed_freely(gravity: bool = True) -> Model:
    """The middle cart is free from the beginning. Without gravity it snaps aside, until it meets an outer cart."""
    model = Model.from_file(MODELS / "jpl" / "bloom.yaml")
    stow = model.settings.stages[0].model_dump(exclude_defaults=True) | {"without": ("hold",), "snaps": "follow"}
    if gravity:
        return model.set("simulate", {"stages": [stow]})
    for cart, bumper in (("left_cart", -1), ("right_cart", 1)):
        meets = {
            "kind": "contact", "law": {"kind": "linear", "stiffness": "5e5 N/m"},
            "between": [
                {"kind": "box", "on": cart, "size": [WIDTH, WIDTH, "20 mm"]},
                {"kind": "sphere", "on": "middle_cart", "at": [bumper * (0.5 * WIDTH - 1e-3), 0, 0], "radius": "1 mm"},
            ],
        }  # fmt: skip
        model = model.set(f"contacts.{cart}_meets", meets)
    return model.set("gravity", [0, 0, -HARDLY]).set("simulate", {"stages": [stow | {"outputs": 80}]})


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


def gap_after_the_snap(results: Results) -> float:
    """Largest gap between the middle cart and the one it snapped to, from the snap on [m]."""
    x = {cart: results[f"{cart}.position.x"].values[after_the_snap(results)] for cart in CARTS}
    right = x["right_cart"] - x["middle_cart"] - WIDTH
    left = x["middle_cart"] - x["left_cart"] - WIDTH
    return float(np.minimum(np.abs(left), np.abs(right)).max())


def after_the_snap(results: Results) -> slice:
    """Rows in balance after the last one. Raises ValueError if there was none."""
    last = max(event.time for event in results.events if event.name == "snap")
    return slice(int(np.flatnonzero(results.time == last)[-1]), None)


def push_on_all(results: Results) -> float:
    """Of both outer carts together, from the snap on, over the largest of one [1]."""
    left, right = (results[f"{side}_push.force"].values[after_the_snap(results)] for side in ("left", "right"))
    return float(np.abs(left + right).max() / np.abs(right).max())


def unaccounted(results: Results) -> float:
    return results.audit.relative if results.audit else float("nan")


def snapping() -> Iterator[Quantity]:
    run, reference = "stowed freely, without gravity", COLUMNS["contact"][-1]
    name = f"{run}: force at 0.0127 m"
    yield Quantity(name, "N", reference, 0.01 * reference, f"{RECORDED}; all carts touch", "R", final_push, run)
    yield Quantity(f"{run}: gap to the cart it snaps to", "m", 0.0, 1e-7, TOUCHES, "A", gap_after_the_snap, run)
    yield Quantity(f"{run}: push on all, of that on one", "1", 0.0, 1e-6, BALANCED, "A", push_on_all, run)
    yield Quantity(f"{run}: energy unaccounted for / exchanged", "1", 0.0, 1e-6, "energy audit", "A", unaccounted, run)


def final_push(results: Results) -> float:
    return -float(results["right_push.force"].final)


def quantities() -> Iterator[Quantity]:
    for run, (free, gravity) in RUNS.items():
        reference = driven_travel("gravity and contact" if gravity else "contact")
        name = f"{run}: way of the right cart in 0.5 s"
        yield Quantity(name, "m", reference, 0.01 * reference, DRIVEN, "R", travel, run)
        name = f"shells, {run}: way of the right cart in 0.5 s"
        yield Quantity(name, "m", reference, 0.01 * reference, DRIVEN, "R", travel, f"shells, {run}")
        if free:
            yield Quantity(f"{run}: way of the centre of mass", "m", 0.0, 1e-8, KEPT, "A", way_of_centre, run)
    name, reference = "middle cart free while stowed: force at 0.0127 m", COLUMNS["gravity and contact"][-1]
    yield Quantity(name, "N", reference, 0.01 * reference, RECORDED, "R", final_push, "stowed freely")
    yield from snapping()


CASES = (
    Case(
        "variant_bloom",
        "straps of beams and of shells let go between three carts, the middle one held or free",
        {run: partial(bloom, *about) for run, about in RUNS.items()}
        | {f"shells, {run}": partial(bloom_of_shells, *about) for run, about in RUNS.items()}
        | {"stowed freely": stowed_freely, "stowed freely, without gravity": partial(stowed_freely, False)},
        quantities,
    ),
)
