"""Springs, dampers and motors as forces along a measure; shared by all kinds that pull along a length or a turn.

The force on the second body along the coordinate is  sign·active(t, x, v) - elastic(x) - damping(v),  x = value - free.
"""

from __future__ import annotations

from ...schema.functions import Polynomial, ScalarFunction
from ..laws.of_force import has_potential, put_active_law, put_law


def is_nothing(function: ScalarFunction | None) -> bool:
    """Whether a law is missing or zero."""
    return function is None or (isinstance(function, Polynomial) and not any(function.polynomial))


def couple(builder, measure: int, free: float, stiffness, damping, pull, sign: float, pull_field: str) -> list[int]:
    """Couplings for an elastic law, a damping law and an active one; an elastic law without a potential is active."""
    x = builder.drawn_value(measure) - free
    elastic = resisting = active = -1
    couplings = []
    if not is_nothing(stiffness):
        with builder.at_field("stiffness"):
            law = put_law(stiffness, builder, ("x",), (0.0, x, 0.0))
        if has_potential(stiffness):
            elastic = law
        else:
            couplings.append(builder.assembler.couple(measure, free=free, active=law, sign=-1.0))
    if not is_nothing(damping):
        with builder.at_field("damping"):
            resisting = put_law(damping, builder, ("v",), (0.0, x, 0.0))
    if not is_nothing(pull):
        with builder.at_field(pull_field):
            active = put_active_law(pull, builder, (0.0, x, 0.0))
    if max(elastic, resisting, active) >= 0 or not couplings:
        couplings.insert(0, builder.assembler.couple(measure, elastic, free, resisting, active, sign))
    return couplings
