"""Quantities in text: `parse_quantity("25 mm", LENGTH)` is 0.025. A bare number is SI.

Angles count as dimensionless when dimensions are compared (N m/rad is N m), but cycles are not radians: '5 Hz' is
refused where rad/s or 1/s is wanted, for it would be wrong by 2π. Nor is '30 deg' a friction coefficient or '30 %' an
angle: a tangent lies between them.
"""

import math
import numbers
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .problems import cut_short
from .unit_grammar import NUMBER_PATTERN, QuantityError, Unit, UnitSyntaxError, parse_unit

Exponents = tuple[Fraction, ...]


class DimensionError(QuantityError):
    """A quantity of another dimension than the one asked for: its exponents of (m, kg, s, rad, cycle)."""

    def __init__(self, message: str, exponents: Exponents):
        super().__init__(message)
        self.exponents = exponents


@dataclass(frozen=True)
class Dimension:
    """A named kind of quantity, its SI unit (a label for channels too) and an example of how to write it.

    The exponents of (m, kg, s, rad, cycle) follow from the unit: `Dimension("contact stiffness", "N/m^1.5", "1e9")`.
    """

    name: str
    unit: str
    example: str
    exponents: tuple[Fraction, ...] = field(init=False, repr=False)

    def __post_init__(self):
        si = parse_unit(self.unit)
        if si.ratio != 1 or si.pi != 0:
            raise ValueError(f"'{self.unit}' of dimension '{self.name}' is not an SI unit")
        object.__setattr__(self, "exponents", si.exponents)

    @property
    def with_article(self) -> str:
        """`a length`, `an angle`."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"


NUMBER = Dimension("number", "", "0.3")
LENGTH = Dimension("length", "m", "25 mm")
MASS = Dimension("mass", "kg", "1 kg")
TIME = Dimension("time", "s", "10 ms")
ANGLE = Dimension("angle", "rad", "30 deg")
SPEED = Dimension("speed", "m/s", "2 m/s")
ANGULAR_RATE = Dimension("angular rate", "rad/s", "30 deg/s")
ACCELERATION = Dimension("acceleration", "m/s^2", "9.81 m/s^2")
ANGULAR_ACCELERATION = Dimension("angular acceleration", "rad/s^2", "30 deg/s^2")
FORCE = Dimension("force", "N", "10 N")
TORQUE = Dimension("torque", "N m", "2 N m")
STIFFNESS = Dimension("stiffness", "N/m", "5 kN/m")
ANGULAR_STIFFNESS = Dimension("angular stiffness", "N m/rad", "2 N m/rad")
DAMPING = Dimension("damping", "N s/m", "10 N s/m")
ANGULAR_DAMPING = Dimension("angular damping", "N m s/rad", "0.1 N m s/rad")
DENSITY = Dimension("density", "kg/m^3", "7850 kg/m^3")
INERTIA = Dimension("inertia", "kg m^2", "0.02 kg m^2")
FREQUENCY = Dimension("frequency", "Hz", "50 Hz")
PRESSURE = Dimension("pressure", "Pa", "210 GPa")
AREA = Dimension("area", "m^2", "4 mm^2")
VOLUME = Dimension("volume", "m^3", "8 mm^3")
SECOND_MOMENT = Dimension("second moment of area", "m^4", "12 mm^4")
BENDING_STIFFNESS = Dimension("bending stiffness", "N m^2", "3 N m^2")
LINE_DENSITY = Dimension("mass per length", "kg/m", "0.2 kg/m")
CURVATURE = Dimension("curvature", "1/m", "0.5 1/m")
ENERGY = Dimension("energy", "J", "5 J")
POWER = Dimension("power", "W", "20 W")
MOMENTUM = Dimension("momentum", "kg m/s", "3 kg m/s")
ANGULAR_MOMENTUM = Dimension("angular momentum", "kg m^2/s", "0.1 kg m^2/s")
LINE_FORCE = Dimension("force per length", "N/m", "5 N/m")
LINE_MOMENT = Dimension("moment per length", "N m/m", "2 N m/m")
LINE_INERTIA = Dimension("inertia per length", "kg m", "1e-6 kg m")
LINE_DAMPING = Dimension("damping per length", "N s/m^2", "0.02 N s/m^2")
RATE = Dimension("rate", "1/s", "0.1 1/s")

SMALLEST, LARGEST = 1e-50, 1e50  # cubes of such numbers, and their quotients, are doubles

#: Every named dimension by its name; the unit strings label output channels.
DIMENSIONS: dict[str, Dimension] = {d.name: d for d in list(globals().values()) if isinstance(d, Dimension)}


def parse_quantity(value: Any, dimension: Dimension) -> float:
    """Number or text with a unit → float in the SI unit of `dimension`. Raises QuantityError saying what is wanted."""
    number = _parse_text(value, dimension) if isinstance(value, str) else _parse_number(value, dimension)
    return usable(number, value) if dimension.unit else number


def _parse_number(value: Any, dimension: Dimension) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise QuantityError(f"{_shown(value)} is not {dimension.with_article}{_for_example(dimension)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    return _finite(number, value)


def format_quantity(value: float, dimension: Dimension) -> str:
    """Text that `parse_quantity` reads back to the same double, in SI: `0.025 m`."""
    return f"{float(value)!r} {dimension.unit}".rstrip()


def _parse_text(text: str, dimension: Dimension) -> float:
    number_text, unit_written = split_quantity(text, dimension)
    unit = parse_unit(unit_written) if unit_written else None
    if unit is not None:
        _check_dimension(text, unit, dimension)
    number = _finite(float(number_text), text)
    if unit is None or number == 0.0:
        return number
    try:
        return _finite(unit.to_si(Fraction(number_text)), text)
    except OverflowError:
        return _finite(math.inf, text)


def split_quantity(text: str, dimension: Dimension) -> tuple[str, str]:
    """`'25 mm'` → `('25', 'mm')`; the unit is not yet looked at."""
    words = text.strip().replace("\N{MINUS SIGN}", "-")
    match = NUMBER_PATTERN.match(words)
    if match is None:
        if words.lstrip("+-.").casefold() in ("nan", "inf", "infinity"):
            raise QuantityError(f"'{cut_short(text)}' is not a finite number; write an ordinary one")
        raise UnitSyntaxError(f"'{cut_short(text)}' is not {dimension.with_article}{_for_example(dimension)}")
    unit_written = words[match.end() :].strip()
    if re.match(r",\d", unit_written):
        raise UnitSyntaxError(f"'{cut_short(text)}' has a decimal comma; write a point{_for_example(dimension)}")
    return match[0], unit_written


def _check_dimension(text: str, unit: Unit, wanted: Dimension) -> None:
    if problem := disagreement(unit.exponents, wanted):
        raise DimensionError(f"'{cut_short(text)}' {problem}", unit.exponents)
    if not any(wanted.exponents[:3]) and unit.exponents[3] != wanted.exponents[3]:
        found = "an angle" if unit.exponents[3] else "a ratio"
        remedy = f"write a number such as {wanted.example}" if not wanted.unit else "write it in deg or rad"
        message = f"'{cut_short(text)}' is {found}, but {wanted.with_article} is wanted here; {remedy}"
        raise DimensionError(message, unit.exponents)


def disagreement(exponents: Exponents, wanted: Dimension) -> str | None:
    """What is wrong with a quantity of these exponents where `wanted` is asked for; nothing if it will do."""
    if exponents[:3] != wanted.exponents[:3]:
        return f"is {described(exponents)}, but {wanted.with_article} is wanted here{_for_example(wanted)}"
    if exponents[4] and not wanted.exponents[4]:
        unit = wanted.unit or "rad"
        remedy = "write 'turn/s', 'rpm', 'deg/s' or 'rad/s'" if wanted.exponents[3] and any(exponents[:3]) else ""
        remedy = remedy or f"write it in {unit}; one cycle is 2*pi rad"
        return f"counts cycles, but {wanted.with_article} counts radians; {remedy}"
    if exponents[3] and wanted.exponents[4]:
        return f"counts radians, but {wanted.with_article} counts cycles; write 'Hz'"
    return None


def same_dimension(a: Exponents, b: Exponents) -> bool:
    """Whether quantities of these exponents can be added: radians count as numbers, but are no cycles."""
    return a[:3] == b[:3] and not (a[4] and b[3]) and not (a[3] and b[4])


def described(exponents: Exponents) -> str:
    """`a force (N)`, or `in kg s` for a dimension without a name."""
    found = named_dimension(exponents)
    if found is None:
        return f"in {unit_text(exponents)}"
    return f"{found.with_article} ({found.unit})" if found.unit else found.with_article


def unit_text(exponents: Exponents) -> str:
    """The SI unit of these exponents of (m, kg, s, rad, cycle): `kg m^2/s`."""
    m, kg, *others = exponents
    powers = dict(zip(("kg", "m", "s", "rad", "cycle"), (kg, m, *others), strict=True))
    above = [_power_text(name, power) for name, power in powers.items() if power > 0]
    below = [_power_text(name, -power) for name, power in powers.items() if power < 0]
    return " ".join(above or ["1"]) + "".join(f"/{part}" for part in below)


def _power_text(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}^{power}" if power.denominator == 1 else f"{name}^({power})"


def named_dimension(exponents: Exponents) -> Dimension | None:
    """The dimension of these exponents of (m, kg, s, rad, cycle): the exact one, else one differing in angle only."""
    for compared in (5, 3):
        for dimension in DIMENSIONS.values():
            if dimension.exponents[:compared] == exponents[:compared]:
                return dimension
    return None


def _finite(number: float, written: Any) -> float:
    if not math.isfinite(number):
        raise QuantityError(f"{_shown(written)} is not a finite number; write an ordinary one")
    return number


def usable(number: float, written: Any, smallest: float = 0.0) -> float:
    """The number, unless products of such numbers leave the range of doubles. Raises QuantityError."""
    if abs(number) > LARGEST or abs(number) < smallest:
        bound = f"larger than {LARGEST:g}" if abs(number) > LARGEST else f"smaller than {smallest:g}"
        reason = f"{bound} in SI, beyond computing with"
        raise QuantityError(f"{_shown(written)} is {reason}; correct the number or its unit")
    return number


def _for_example(dimension: Dimension) -> str:
    return f" (for example '{dimension.example}')" if dimension.unit else f" (for example {dimension.example})"


def _shown(value: Any) -> str:
    """The words at fault, as short as they can be."""
    text = {True: "true", False: "false", None: "nothing"}.get(value) if _is_word(value) else repr(value)
    text = str(text)
    return text if len(text) <= 60 else text[:57] + "…"


def _is_word(value: Any) -> bool:
    return value is None or isinstance(value, bool)
