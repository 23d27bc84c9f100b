"""Properties of the grammars of units and formulas, for whatever text comes."""

import math
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tapespring.schema.expressions import ExpressionError, compile_expression
from tapespring.schema.programs import OPERANDS, Op, evaluate
from tapespring.schema.unit_grammar import PREFIXES, STANDS_ALONE, TAKES_PREFIX, QuantityError, parse_unit
from tapespring.schema.units import DIMENSIONS, DimensionError, format_quantity, parse_quantity, unit_text

#: SI by definition (SI brochure, NIST SP 811): value in SI and exponents of m, kg, s.
DEFINED = {
    "m": (Fraction(1), (1, 0, 0)),
    "mm": (Fraction(1, 1000), (1, 0, 0)),
    "in": (Fraction(254, 10000), (1, 0, 0)),
    "kg": (Fraction(1), (0, 1, 0)),
    "t": (Fraction(1000), (0, 1, 0)),
    "min": (Fraction(60), (0, 0, 1)),
    "us": (Fraction(1, 10**6), (0, 0, 1)),
    "kN": (Fraction(1000), (1, 1, -2)),
    "MPa": (Fraction(10**6), (-1, 1, -2)),
    "J": (Fraction(1), (2, 1, -2)),
}
powers = st.integers(-2, 2).filter(bool)
factors = st.lists(st.tuples(st.sampled_from(sorted(DEFINED)), powers), min_size=1, max_size=3)


@settings(deadline=None, max_examples=200)
@given(factors, st.data())
def test_units_are_products_of_powers(parts, data):
    words, ratio, exponents = [], Fraction(1), (Fraction(0),) * 3
    for name, power in parts:
        scale, own = DEFINED[name]
        ratio *= scale**power
        exponents = tuple(e + power * o for e, o in zip(exponents, own, strict=True))
        words.append(data.draw(st.sampled_from([f"{name}^{power}", f"{name}**{power}", f"({name})^({power})"])))
    unit = parse_unit(data.draw(st.sampled_from([" ", "*", " * ", "·"])).join(words))
    assert unit.ratio == ratio
    assert unit.exponents[:3] == exponents
    assert parse_unit(unit_text(unit.exponents)).exponents == unit.exponents


@settings(deadline=None, max_examples=100)
@given(factors, factors)
def test_a_quotient_is_a_product_of_inverses(above, below):
    text = "*".join(f"{name}^{power}" for name, power in above)
    divided = text + "".join(f"/{name}^{power}" for name, power in below)
    multiplied = text + "".join(f"*{name}^{-power}" for name, power in below)
    assert parse_unit(divided) == parse_unit(multiplied)


@settings(deadline=None, max_examples=100)
@given(st.floats(-1e50, 1e50), st.sampled_from(sorted(DIMENSIONS)))
def test_quantities_read_back_exactly(number, name):
    assert parse_quantity(format_quantity(number, DIMENSIONS[name]), DIMENSIONS[name]) == number


@settings(deadline=None, max_examples=200)
@given(st.floats(-1e6, 1e6), factors, st.sampled_from(sorted(DIMENSIONS)))
def test_a_quantity_is_accepted_if_and_only_if_its_dimension_is_right(number, parts, name):
    dimension = DIMENSIONS[name]
    unit = "*".join(f"{word}^{power}" for word, power in parts)
    exponents = tuple(sum(p * DEFINED[w][1][k] for w, p in parts) for k in range(3))
    right = exponents == dimension.exponents[:3] and name != "angle"
    try:
        value = parse_quantity(f"{number!r} {unit}", dimension)
    except DimensionError:
        assert not right
    else:
        assert right
        assert math.isclose(value, float(Fraction(number) * math.prod(DEFINED[w][0] ** p for w, p in parts)))


signs = [*"^*/()+-,.<>=!0123456789 ", "**", "²", "−", "e", "pi", "sin(", "if("]
pieces = [*TAKES_PREFIX, *STANDS_ALONE, *PREFIXES, *signs]
words = st.one_of(st.text(max_size=20), st.lists(st.sampled_from(pieces), max_size=12).map("".join))


@settings(deadline=None, max_examples=400)
@given(words)
def test_any_text_is_a_unit_or_is_refused(text):
    try:
        unit = parse_unit(text)
    except QuantityError:
        return
    assert unit.ratio > 0


@settings(deadline=None, max_examples=400)
@given(st.one_of(words, words.map(lambda text: f"5 {text}")), st.sampled_from(sorted(DIMENSIONS)))
def test_any_text_is_a_finite_quantity_or_is_refused(text, name):
    try:
        number = parse_quantity(text, DIMENSIONS[name])
    except QuantityError:
        return
    assert math.isfinite(number)


@settings(deadline=None, max_examples=400)
@given(st.one_of(words, words.map(lambda text: f"5 {text}*t")))
def test_any_text_is_a_formula_or_is_refused(text):
    try:
        program = compile_expression(text, ("t", "x", "v"))
    except (ExpressionError, QuantityError):
        return
    held = 0
    for code in program.codes:
        held += 1 - OPERANDS[Op(code)]
        assert held >= 1
    assert held == 1
    assert isinstance(evaluate(program, (0.5, 0.25, -1.0)), float)
