"""The grammar of units: `kN/mm`, `N*s/m`, `kg m^2`, `N/m^1.5` → scale to SI and exponents of m, kg, s, rad, cycle.

Scales are kept as exact fractions (times a power of π), so that '25 mm' is the double nearest to 0.025.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from .near_words import nearest
from .problems import cut_short

NUMBER_PATTERN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
LARGEST_EXPONENT = 12
ONCE = Fraction(1)
DEEPEST_NESTING = 20
LONGEST_SCALE = 4000  # bits of numerator and denominator; psi^12 has 1700
LARGEST_SCALE = 1000  # bits of their ratio, which is a double


class QuantityError(ValueError):
    """A quantity that cannot be read, with the words at fault and the remedy."""


class UnitSyntaxError(QuantityError):
    """Text that does not have the form of a unit."""


class UnknownUnitError(QuantityError):
    """A unit name that is not in the table."""


@dataclass(frozen=True)
class Unit:
    """One unit = ratio · π^pi in SI, with exponents of (m, kg, s, rad, cycle)."""

    ratio: Fraction = Fraction(1)
    pi: Fraction = Fraction(0)
    exponents: tuple[Fraction, ...] = (Fraction(0),) * 5

    def __mul__(self, other: "Unit") -> "Unit":
        exponents = tuple(a + b for a, b in zip(self.exponents, other.exponents, strict=True))
        return Unit(self.ratio * other.ratio, self.pi + other.pi, exponents)

    def __pow__(self, power: Fraction) -> "Unit":
        if power.denominator == 1:
            ratio = self.ratio**power.numerator
        else:
            ratio = Fraction(float(self.ratio) ** float(power))
        return Unit(ratio, self.pi * power, tuple(e * power for e in self.exponents))

    def to_si(self, number: Fraction) -> float:
        """`number` of this unit in SI. Raises OverflowError beyond the largest double."""
        return float(number * self.ratio) * math.pi ** float(self.pi)


def _unit(ratio, *, m=0, kg=0, s=0, rad=0, cycle=0, pi=0) -> Unit:
    return Unit(Fraction(ratio), Fraction(pi), tuple(Fraction(e) for e in (m, kg, s, rad, cycle)))


PREFIXES = {
    **{"f": Fraction(1, 10**15), "p": Fraction(1, 10**12), "n": Fraction(1, 10**9)},
    **{"u": Fraction(1, 10**6), "µ": Fraction(1, 10**6), "μ": Fraction(1, 10**6)},  # micro sign and Greek mu
    **{"m": Fraction(1, 10**3), "c": Fraction(1, 100), "d": Fraction(1, 10), "h": Fraction(100)},
    **{"k": Fraction(10**3), "M": Fraction(10**6), "G": Fraction(10**9), "T": Fraction(10**12)},
}

TAKES_PREFIX = {
    "m": _unit(1, m=1),
    "g": _unit("1/1000", kg=1),
    "s": _unit(1, s=1),
    "rad": _unit(1, rad=1),
    "Hz": _unit(1, s=-1, cycle=1),
    "N": _unit(1, m=1, kg=1, s=-2),
    "J": _unit(1, m=2, kg=1, s=-2),
    "W": _unit(1, m=2, kg=1, s=-3),
    "Pa": _unit(1, m=-1, kg=1, s=-2),
    "bar": _unit(100_000, m=-1, kg=1, s=-2),
}

STANDS_ALONE = {
    "t": _unit(1000, kg=1),
    "min": _unit(60, s=1),
    "h": _unit(3600, s=1),
    "deg": _unit("1/180", rad=1, pi=1),
    "°": _unit("1/180", rad=1, pi=1),
    "turn": _unit(2, rad=1, pi=1),
    "rev": _unit(2, rad=1, pi=1),
    "rpm": _unit("1/30", rad=1, s=-1, pi=1),
    "in": _unit("0.0254", m=1),
    "ft": _unit("0.3048", m=1),
    "lb": _unit("0.45359237", kg=1),
    "lbf": _unit("4.4482216152605", m=1, kg=1, s=-2),
    "psi": _unit(Fraction("4.4482216152605") / Fraction("0.0254") ** 2, m=-1, kg=1, s=-2),
    "g0": _unit("9.80665", m=1, s=-2),
    "%": _unit("1/100"),
}

SPELT_OUT = {
    **{
        "meter": "m",
        "metre": "m",
        "millimeter": "mm",
        "millimetre": "mm",
        "inch": "in",
        "inches": "in",
        "foot": "ft",
        "feet": "ft",
    },
    **{"gram": "g", "kilogram": "kg", "kilo": "kg", "tonne": "t", "ton": "t", "pound": "lb"},
    **{"second": "s", "sec": "s", "minute": "min", "hour": "h", "hr": "h", "hertz": "Hz"},
    **{"degree": "deg", "radian": "rad", "revolution": "turn", "newton": "N", "joule": "J", "watt": "W"},
    **{"pascal": "Pa", "micron": "um"},
}


@lru_cache(maxsize=1024)
def unit_named(name: str) -> Unit:
    """The unit called `name`, with or without a prefix."""
    for table in (STANDS_ALONE, TAKES_PREFIX):
        if name in table:
            return table[name]
    if name[1:] in TAKES_PREFIX and name[0] in PREFIXES:
        return Unit(PREFIXES[name[0]]) * TAKES_PREFIX[name[1:]]
    raise UnknownUnitError(f"unknown unit '{cut_short(name)}'{_suggestion(name)}")


def is_unit(name: str) -> bool:
    """Whether `name` is a unit of the table, with or without a prefix."""
    try:
        unit_named(name)
    except UnknownUnitError:
        return False
    return True


def _suggestion(name: str) -> str:
    singular = name.casefold().removesuffix("s")
    spelt = SPELT_OUT.get(name.casefold()) or SPELT_OUT.get(singular)
    stem, power = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
    if spelt is None and power and stem and is_unit(stem):
        spelt = f"{stem}^{power}"
    if spelt is None:
        prefixed = [p + base for p in "mcukMG" for base in TAKES_PREFIX]
        spelt = nearest(name, ["mm", "kg", "kN", "MPa", *TAKES_PREFIX, *STANDS_ALONE, *prefixed])
    return f"; did you mean '{spelt}'?" if spelt else "; units are such as mm, kg, s, deg, N, N/m, kg m^2, GPa"


_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_TOKEN = re.compile(
    r"\s*(?:(?P<sign>\*\*|[*/^()·⋅×])|(?P<name>[A-Za-zµμ°%][A-Za-z0-9_]*)|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)))"
)


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit:
    """Read a unit such as `kN/mm`; the empty text is the unit 1. Raises UnitSyntaxError or UnknownUnitError."""
    return _UnitReader(text).read()


class _UnitReader:
    """Recursive descent: product = power (('*' | '/' | blank) power)*, power = atom ('^' exponent)?"""

    def __init__(self, text: str):
        self.text = text
        self.tokens = self._tokens(re.sub("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda s: "^" + s[0].translate(_SUPERSCRIPTS), text))
        self.at = 0
        self.nesting = 0

    def _tokens(self, text: str) -> list[tuple[str, str]]:
        tokens, position = [], 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                raise self.refusal()
            tokens.append((match.lastgroup or "", match[match.lastgroup or 0]))
            position = match.end()
        return tokens

    def refusal(self, reason: str = "a unit is such as mm, N/m, kg m^2 or N*s/m") -> UnitSyntaxError:
        return UnitSyntaxError(f"cannot read the unit '{cut_short(self.text.strip())}'; {reason}")

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    def read(self) -> Unit:
        if not self.tokens:
            return Unit()
        unit = Unit() if self.peek()[1] == "/" else self.power()
        unit = self.product(unit)
        if self.peek()[0] != "end":
            raise self.refusal()
        return unit

    def product(self, unit: Unit) -> Unit:
        divided = False
        while True:
            kind, sign = self.peek()
            if sign in ("*", "·", "⋅", "×"):
                self.take()
                unit = self.sound(unit * self.power())
            elif sign == "/":
                self.take()
                unit, divided = self.sound(unit * self.power() ** Fraction(-1)), True
            elif kind == "name" or sign == "(":
                if divided:  # is 'kg/m s' kg/(m s) or (kg/m) s? people differ
                    raise self.refusal("a blank after '/' is ambiguous: write '*' or parentheses, as in kg/(m*s)")
                unit = self.sound(unit * self.power())
            else:
                return unit

    def power(self) -> Unit:
        base = self.atom()
        if self.peek()[1] in ("^", "**"):
            self.take()
            power = self.exponent()
            return self.sound(base, power) ** power
        return base

    def sound(self, unit: Unit, power: Fraction = ONCE) -> Unit:
        """The unit, of which the power can be computed with."""
        above, below = unit.ratio.numerator.bit_length(), unit.ratio.denominator.bit_length()
        if (above + below) * abs(power) > LONGEST_SCALE or abs(above - below) * abs(power) > LARGEST_SCALE:
            raise self.refusal("its scale is beyond computing with; use fewer factors or smaller exponents")
        return unit

    def atom(self) -> Unit:
        kind, word = self.take()
        if kind == "name":
            return unit_named(word)
        if word == "1":
            return Unit()
        if word == "(":
            self.nesting += 1
            if self.nesting > DEEPEST_NESTING:
                raise self.refusal("its parentheses are nested too deeply; remove some")
            unit = self.product(self.power())
            self.nesting -= 1
            if self.take()[1] == ")":
                return unit
        raise self.refusal()

    def exponent(self) -> Fraction:
        bracketed = self.peek()[1] == "("
        if bracketed:
            self.take()
        power = self.exponent_number()
        if bracketed and self.peek()[1] == "/":
            self.take()
            divisor = self.exponent_number()
            if not divisor:
                raise self.refusal()
            power /= divisor
        if bracketed and self.take()[1] != ")":
            raise self.refusal()
        if abs(power) > LARGEST_EXPONENT:
            raise self.refusal(f"an exponent beyond {LARGEST_EXPONENT} is surely a mistake")
        return power

    def exponent_number(self) -> Fraction:
        kind, word = self.take()
        if kind != "number" or len(word) > 12:
            raise self.refusal("'^' is followed by a number, as in m^2 or m^1.5")
        return Fraction(word)
