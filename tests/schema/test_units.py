"""Units: the table against independent values, the grammar, exactness, and every refusal."""

import math
import random

import pytest

from tapespring.schema import units
from tapespring.schema.unit_grammar import PREFIXES, TAKES_PREFIX, QuantityError, parse_unit
from tapespring.schema.units import DIMENSIONS, Dimension, format_quantity, parse_quantity

KNOWN = [
    ("25 mm", units.LENGTH, 0.025),
    ("25mm", units.LENGTH, 0.025),
    ("1 in", units.LENGTH, 0.0254),
    ("-3 ft", units.LENGTH, -0.9144),
    (".5 cm", units.LENGTH, 0.005),
    ("1e-3 km", units.LENGTH, 1.0),
    ("3 µm", units.LENGTH, 3e-6),
    ("3 μm", units.LENGTH, 3e-6),
    ("3 um", units.LENGTH, 3e-6),
    ("7 nm", units.LENGTH, 7e-9),
    ("−2 m", units.LENGTH, -2.0),
    ("250 g", units.MASS, 0.25),
    ("1.5 t", units.MASS, 1500.0),
    ("1 lb", units.MASS, 0.45359237),
    ("3 ms", units.TIME, 0.003),
    ("5 us", units.TIME, 5e-6),
    ("2 min", units.TIME, 120.0),
    ("1.5 h", units.TIME, 5400.0),
    ("30 deg", units.ANGLE, math.pi / 6),
    ("90°", units.ANGLE, math.pi / 2),
    ("0.5 rad", units.ANGLE, 0.5),
    ("3 mrad", units.ANGLE, 0.003),
    ("1 turn", units.ANGLE, 2 * math.pi),
    ("0.5", units.ANGLE, 0.5),
    ("60 rpm", units.ANGULAR_RATE, 2 * math.pi),
    ("180 deg/s", units.ANGULAR_RATE, math.pi),
    ("3 1/s", units.ANGULAR_RATE, 3.0),
    ("1/s", units.FREQUENCY, 1.0),
    ("2 kHz", units.FREQUENCY, 2000.0),
    ("9.81 m/s^2", units.ACCELERATION, 9.81),
    ("9.81 m/s**2", units.ACCELERATION, 9.81),
    ("9.81 m s^-2", units.ACCELERATION, 9.81),
    ("9.81 m·s⁻²", units.ACCELERATION, 9.81),
    ("9.81 m/s²", units.ACCELERATION, 9.81),
    ("2 g0", units.ACCELERATION, 19.6133),
    ("36 km/h", units.SPEED, 10.0),
    ("4 kN", units.FORCE, 4000.0),
    ("1 lbf", units.FORCE, 4.4482216152605),
    ("41.8 GPa", units.PRESSURE, 41.8e9),
    ("2 bar", units.PRESSURE, 2e5),
    ("5 N/mm^2", units.PRESSURE, 5e6),
    ("1 psi", units.PRESSURE, 6894.757293168361),
    ("3 kN/mm", units.STIFFNESS, 3e6),
    ("10 N*s/m", units.DAMPING, 10.0),
    ("10 N s/mm", units.DAMPING, 10e3),
    ("10 N/(mm/s)", units.DAMPING, 10e3),
    ("2 N*m/rad", units.ANGULAR_STIFFNESS, 2.0),
    ("2 N m", units.ANGULAR_STIFFNESS, 2.0),
    ("1 N m/deg", units.ANGULAR_STIFFNESS, 180 / math.pi),
    ("2 J", units.TORQUE, 2.0),
    ("5 kg m^2", units.INERTIA, 5.0),
    ("5 g mm^2", units.INERTIA, 5e-9),
    ("7.85 g/cm^3", units.DENSITY, 7850.0),
    ("20 W", units.POWER, 20.0),
    ("15 %", units.NUMBER, 0.15),
    ("2", units.NUMBER, 2.0),
    ("12 mm^4", units.SECOND_MOMENT, 12e-12),
]


@pytest.mark.parametrize(("text", "dimension", "si"), KNOWN)
def test_known_values(text, dimension, si):
    assert parse_quantity(text, dimension) == pytest.approx(si, rel=1e-15, abs=0)


def test_bare_numbers_are_si():
    assert parse_quantity(3, units.LENGTH) == 3.0
    assert isinstance(parse_quantity(3, units.LENGTH), float)
    assert parse_quantity(2.5, units.MASS) == 2.5


def test_decimal_prefixes_are_rounded_once():
    """'x mm' is the double nearest to the decimal number, not a product of two rounded ones."""
    for thousandths in range(1, 2000):
        assert parse_quantity(f"{thousandths / 10} mm", units.LENGTH) == float(f"{thousandths / 10}e-3")
        assert parse_quantity(f"{thousandths} us", units.TIME) == float(f"{thousandths}e-6")


def test_every_prefix_scales_every_unit_that_takes_one():
    for base, unit in TAKES_PREFIX.items():
        for prefix, factor in PREFIXES.items():
            if prefix + base in ("min",):
                continue
            assert parse_unit(prefix + base).ratio == factor * unit.ratio, prefix + base


def test_fractional_exponents():
    contact = Dimension("contact stiffness", "N/m^1.5", "1e9 N/m^1.5")
    assert parse_quantity("3 N/m^1.5", contact) == 3.0
    assert parse_quantity("3 N/m^(3/2)", contact) == 3.0
    assert parse_quantity("2 N/mm^1.5", contact) == pytest.approx(2 * 1000**1.5, rel=1e-14)
    with pytest.raises(QuantityError, match="contact stiffness is wanted"):
        parse_quantity("3 N/m", contact)


def test_formatted_quantities_read_back_exactly():
    random.seed(1)
    for dimension in DIMENSIONS.values():
        for _ in range(20):
            value = random.choice([-1, 1]) * random.random() * 10.0 ** random.randint(-30, 30)
            assert parse_quantity(format_quantity(value, dimension), dimension) == value
    assert format_quantity(0.025, units.LENGTH) == "0.025 m"
    assert format_quantity(2, units.NUMBER) == "2.0"


def test_unit_labels():
    assert {d.name: d.unit for d in (units.LENGTH, units.TORQUE, units.ANGULAR_DAMPING, units.NUMBER)} == {
        "length": "m",
        "torque": "N m",
        "angular damping": "N m s/rad",
        "number": "",
    }


def test_a_dimension_has_an_si_unit():
    with pytest.raises(ValueError, match="not an SI unit"):
        Dimension("length", "mm", "25 mm")


REFUSALS = [
    ("25 kg", r"'25 kg' is a mass \(kg\), but a length is wanted here \(for example '25 mm'\)"),
    ("3 rad", r"'3 rad' is an angle \(rad\), but a length"),
    ("3 N m", r"is a torque \(N m\)"),
    ("3 m^2", r"is an area \(m\^2\)"),
    ("3 %", "'3 %' is a number, but a length"),
    ("2 kg m^7", r"'2 kg m\^7' is in kg m\^7, but"),
    ("25 mmm", "unknown unit 'mmm'; did you mean 'mm'?"),
    ("25 MM", "unknown unit 'MM'; did you mean 'mm'?"),
    ("25 meters", "unknown unit 'meters'; did you mean 'm'?"),
    ("25 inches", "did you mean 'in'"),
    ("25 mm2", r"did you mean 'mm\^2'"),
    ("25 qqqq", "unknown unit 'qqqq'; units are such as"),
    ("1,5 mm", "decimal comma"),
    ("five mm", "'five mm' is not a length"),
    ("mm", "'mm' is not a length"),
    ("", "'' is not a length"),
    ("nan", "not a finite number"),
    ("-inf", "not a finite number"),
    ("1e999 m", "'1e999 m' is not a finite number"),
    ("1e300 Tm", "not a finite number"),
    ("1e300 m", r"larger than 1e\+50 in SI, beyond computing with; correct"),
    ("25 kg/m s", r"a blank after '/' is ambiguous: .* kg/\(m\*s\)"),
    ("3 *m", "cannot read the unit"),
    ("3 m m 4", "cannot read the unit"),
    ("3 m^", "is followed by a number"),
    ("3 m^(1/0)", "cannot read the unit"),
    ("3 (m", "cannot read the unit"),
    ("3 m$", "cannot read the unit"),
    ("3 m^999", "an exponent beyond 12"),
    ("3 mm^1000000000", "an exponent beyond 12"),
    ("3 " + "(" * 15 + "mm" + "^12)" * 15, "its scale is beyond computing with; use fewer factors"),
    ("3 " + "(" * 15 + "%" + "^12)" * 15, "its scale is beyond computing with"),
    ("3 (" + "*".join(["km^12"] * 9) + ")^1.5", "its scale is beyond computing with"),
    ("3 " + "*".join(["mm"] * 20_000), "its scale is beyond computing with"),
    ("3 " + "(" * 5000 + "m" + ")" * 5000, "its parentheses are nested too deeply; remove some"),
    ("3 m" + "/m" * 5000, "^.{0,400}$"),
    (float("nan"), "nan is not a finite number"),
    (float("inf"), "inf is not a finite number"),
    (10**400, "not a finite number"),
    (True, "true is not a length"),
    (None, "nothing is not a length"),
    ([1], r"\[1\] is not a length"),
]


@pytest.mark.parametrize(("written", "message"), REFUSALS)
def test_refusals_name_the_words_and_the_remedy(written, message):
    with pytest.raises(QuantityError, match=message):
        parse_quantity(written, units.LENGTH)


def test_cycles_are_not_radians():
    with pytest.raises(
        QuantityError, match=r"'5 Hz' counts cycles, but an angular rate counts radians; write 'turn/s'"
    ):
        parse_quantity("5 Hz", units.ANGULAR_RATE)
    with pytest.raises(QuantityError, match="'60 rpm' counts radians, but a frequency counts cycles; write 'Hz'"):
        parse_quantity("60 rpm", units.FREQUENCY)


def test_huge_exponents_of_numbers_cost_nothing():
    assert parse_quantity("1e-999999999 mm", units.LENGTH) == 0.0
    assert parse_quantity("0e999999999 mm", units.LENGTH) == 0.0
    with pytest.raises(QuantityError, match="finite"):
        parse_quantity("1e999999999 mm", units.LENGTH)
