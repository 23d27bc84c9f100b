"""Numbers as users write them where no field says their dimension: 0.02, or text with any unit."""

from __future__ import annotations

from fractions import Fraction

from pydantic import StrictStr

from . import units
from .unit_grammar import parse_unit

Written = float | StrictStr


def unit_of(value: Written) -> str:
    """The unit written behind a number, or nothing."""
    return value.strip().partition(" ")[2].strip() if isinstance(value, str) else ""


def in_si(value: Written, like: str = "") -> float:
    """A number in SI; a unit behind it must be of the dimension of `like`, if that is given. Raises ValueError."""
    if not isinstance(value, str):
        return float(value)
    number, _, written = value.strip().partition(" ")
    try:
        float(number)
    except ValueError:
        raise ValueError(f"'{value}' is not a number, with a unit behind it or without") from None
    if not written:
        return float(number)
    unit = parse_unit(written.strip())
    if like and unit.exponents != parse_unit(like).exponents:
        raise ValueError(f"'{value}' is not of the dimension of {like}")
    return unit.to_si(Fraction(number))


def si_name(written: str) -> str:
    """The SI unit of the dimension of a unit: `mm` → `m`; one that is SI already keeps its name."""
    if not written:
        return ""
    unit = parse_unit(written)
    if unit.ratio == 1 and unit.pi == 0:
        return written
    known = (d for d in vars(units).values() if isinstance(d, units.Dimension) and d.exponents == unit.exponents)
    if (named := next(known, None)) is not None:
        return named.unit
    return units.unit_text(unit.exponents)
