"""What KanesMethod and LagrangesMethod give: states, and M x' = f for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Derived:
    """Coordinates and speeds as symbols of their own, and the equations of all their rates."""

    states: list[Any]  # dynamic symbols: coordinates, then speeds
    M: Any
    f: Any
    size: int  # rates that are states; more of them are multipliers


def derived(method: Any) -> Derived:
    """Raises ValueError with what to do for anything but equations that were formed."""
    kind = type(method).__name__
    if kind == "KanesMethod":
        if getattr(method, "_fr", None) is None:
            raise ValueError("call kanes_equations(bodies, loads) first: KanesMethod has not formed its equations yet")
        states = [*method.q, *method.u]
        return Derived(states, method.mass_matrix_full, method.forcing_full, len(states))
    if kind == "LagrangesMethod":
        if getattr(method, "eom", None) is None:
            raise ValueError("call form_lagranges_equations() first: LagrangesMethod has not formed its equations yet")
        states = [*method.q, *method.u]
        return Derived(states, method.mass_matrix_full, method.forcing_full, len(states))
    raise ValueError(f"{kind} is not known here; give a KanesMethod or a LagrangesMethod of sympy.physics.mechanics")


def with_inputs(expression: Any, inputs: dict[Any, Any]) -> Any:
    """Given motions in place of their symbols, and their rates in place of the symbols' derivatives."""
    from sympy.physics.mechanics import dynamicsymbols

    t = dynamicsymbols._t
    changed = expression
    for order in (2, 1, 0):  # highest derivatives first, for the symbol is part of them
        replaced = {}
        for symbol, given in inputs.items():
            left = symbol.diff(t, order) if order else symbol
            replaced[left] = given.diff(t, order) if order else given
        changed = changed.xreplace(replaced)
    return changed
