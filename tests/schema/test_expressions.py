"""Formulas: precedence and functions against Python's own arithmetic, units, programs, and every refusal."""

import math
import random

import pytest

from tapespring.schema.expressions import ExpressionError, compile_expression
from tapespring.schema.programs import OPERANDS, Op, Program, evaluate
from tapespring.schema.unit_grammar import UnknownUnitError

NAMES = ("t", "x", "v")


def value(text, t=0.7, x=-1.3, v=2.9):
    return evaluate(compile_expression(text, NAMES), (t, x, v))


def python(text, t=0.7, x=-1.3, v=2.9):
    return eval(text.replace("^", "**"), {**vars(math), "abs": abs, "min": min, "max": max, "t": t, "x": x, "v": v})


SAME_AS_PYTHON = """
1+2*3 | (1+2)*3 | 2^3^2 | -2^2 | 2^-1 | -x^2 | 2**3*t | 10/4/5 | 1-2-3 | --3 | -+-t | 2*-t | -t*-x | t-x+v
0.1*sin(2*pi*5*t) | cos(t)^2+sin(t)^2 | tan(t) | asin(t/2) | acos(t/2) | atan(x) | atan2(x, v) | sinh(x) | cosh(x)
tanh(x) | exp(-t)*log(v) | sqrt(v) | abs(x) | min(t, x) | max(t, x) | pow(v, 1.5) | e^t | pi/2 | 1e-3*t | .5 + 5.
((((t)))) | min(t, x, v) | max(t, x, v, 99) | 3 | t | -5e2 | 2^(t+1)/(1+v)
""".replace("\n", "|")


@pytest.mark.parametrize("text", [s.strip() for s in SAME_AS_PYTHON.split("|") if s.strip()])
def test_same_as_python(text):
    assert value(text) == pytest.approx(python(text), rel=1e-15)


def test_random_formulas_are_those_of_python():
    random.seed(3)

    def formula(depth):
        if depth == 0:
            return random.choice(["t", "x", "v", "pi", "2", "0.5", "3e-1"])
        form = random.choice(
            ["({0}+{1})", "{0}-{1}", "{0}*{1}", "({0})/({1}+7)", "-{0}", "sin({0})", "abs({0})", "{0}^2"]
        )
        return form.format(formula(depth - 1), formula(depth - 1))

    for _ in range(300):
        text = formula(4)
        try:
            expected = python(text)
        except (OverflowError, ZeroDivisionError):
            continue
        if isinstance(expected, complex) or abs(expected) > 1e200:
            continue
        assert value(text) == pytest.approx(expected, rel=1e-12, abs=1e-300), text


def test_functions_of_our_own():
    assert value("sign(x)") == -1.0
    assert value("sign(0*x)") == 0.0
    assert [value("step(t)", t=t) for t in (-1, 0, 0.25, 0.5, 1, 3)] == [0, 0, 0.15625, 0.5, 1, 1]
    assert value("ln(v)") == math.log(2.9)
    assert value("30*deg") == pytest.approx(math.pi / 6)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        *[("1", True), ("0", False), ("-t", False), ("t > 0.5", True), ("t > 0.7", False), ("t >= 0.7", True)],
        *[("t < 0.7", False), ("t <= 0.7", True), ("x + 1 < v/2", True), ("t >= 0.8", False), ("t <= 0.6", False)],
    ],
)
def test_conditions(condition, holds):
    for name in ("where", "if"):
        assert value(f"{name}({condition}, 10 + t, 20 + t)") == (10.7 if holds else 20.7)


@pytest.mark.parametrize(
    ("text", "si"),
    [
        ("25 mm", 0.025),
        ("25mm + 1 cm", 0.035),
        ("30 deg", math.pi / 6),
        ("2 kN/mm * t", 2e6 * 0.7),
        ("2 N/m*x", -2.6),
        ("10 N*s/m*v", 29.0),
        ("3 m^2", 3.0),
        ("2 mm^2*v", 2e-6 * 2.9),
        ("(2 mm)^2", 4e-6),
        ("5 min", 300.0),
        ("4 mm/t", 0.004 / 0.7),
        ("4 mm*sin(t)", 0.004 * math.sin(0.7)),
        ("4 mm * min(t, v)", 0.004 * 0.7),
        ("9.81 m s^-2", 9.81),
        ("1 m / s", 1.0),
        ("60 rpm * t", 2 * math.pi * 0.7),
    ],
)
def test_numbers_with_units(text, si):
    assert value(text) == pytest.approx(si, rel=1e-14)


def test_programs_are_postfix():
    program = compile_expression("2*x + sin(t)", ("t", "x"))
    assert program.codes == (Op.CONST, Op.VAR, Op.MUL, Op.VAR, Op.SIN, Op.ADD)
    assert program.values == (2.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    assert program.stack_depth == 2
    assert all(type(code) is int for code in program.codes)
    assert compile_expression("t + (t + (t + (t + t)))").stack_depth == 5
    assert compile_expression("t + t + t + t + t").stack_depth == 2


def test_constants_are_folded():
    assert compile_expression("2*pi*5*t") == Program((Op.CONST, Op.VAR, Op.MUL), (10 * math.pi, 0.0, 0.0))
    assert compile_expression("sqrt(4) + 1 mm").values == (2.001,)
    assert compile_expression("1/0").codes == (Op.CONST, Op.CONST, Op.DIV)


def test_the_order_of_operations_is_fixed_for_the_compiled_evaluator():
    names = """CONST VAR ADD SUB MUL DIV POW NEG SIN COS TAN ASIN ACOS ATAN ATAN2 SINH COSH TANH EXP LOG SQRT ABS SIGN
    MIN MAX STEP WHERE"""
    assert " ".join(op.name for op in Op) == " ".join(names.split())
    assert [op.value for op in Op] == list(range(27))
    assert set(OPERANDS) == set(Op)


def test_what_has_no_value_is_nan_or_infinite_as_in_compiled_code():
    assert value("1/(t-t)") == math.inf
    assert value("-1/(t-t)") == -math.inf
    assert value("log(t-t)") == -math.inf
    assert value("exp(1000+t)") == math.inf
    assert value("(t-t)^-1") == math.inf
    assert value("sinh(-1000-t)") == -math.inf
    for text in ("(t-t)/(t-t)", "sqrt(x)", "log(x)", "asin(v)", "x^0.5"):
        assert math.isnan(value(text)), text


def test_a_long_sum_is_no_trouble():
    assert value("+".join(["t"] * 5000)) == pytest.approx(3500.0)
    assert value("-" * 5000 + "t") == 0.7


REFUSALS = [
    ("", "the expression is empty"),
    ("2*tt", r"unknown name 'tt' \(known here: t, x, v, pi, e, deg\)"),
    ("banana", r"unknown name 'banana' \(known here: t, x, v"),
    ("sn(t)", "unknown function 'sn'; did you mean 'sin'"),
    ("qqqqqq(t)", "unknown function 'qqqqqq'; choose among .*cos"),
    ("2 t", r"'2 t' needs an operator; write '2\*t'"),
    ("2 pi", r"write '2\*pi'"),
    ("2 sin(t)", r"write '2\*sin'"),
    ("t(3)", r"'t' is not a function; write 't\*\(…\)'"),
    ("sin + 1", "function 'sin' needs its argument in parentheses"),
    ("sin(t", r"expected '\)' at the end"),
    ("sin()", "a number, a name or '\\(' is missing before '\\)'"),
    ("1 +", "is missing at the end"),
    ("* 2", "is missing before '\\*'"),
    ("t x", "expected an operator such as . or . before 'x'"),
    ("(t))", "expected an operator .* before '\\)'"),
    ("atan2(t)", "'atan2' takes 2 arguments, not 1"),
    ("sin(t, x)", "'sin' takes 1 argument, not 2"),
    ("min(t)", "'min' takes 2 arguments, not 1"),
    ("where(t, x)", "'where' takes 3 arguments, not 2"),
    ("t > 3", r"'>' can only stand in the condition of if\(condition, then, else\)"),
    ("if(t == 3, 1, 2)", "'==' hardly ever holds"),
    ("t $ 3", r"'\$' has no meaning here"),
    ("__import__('os')", "has no meaning here"),
    ("t.real", "has no meaning here"),
    ("1e999", "'1e999' is not a finite number"),
    ("1e300 Tm", "is not a finite number"),
    ("5 m^x", "is followed by a number"),
    ("(" * 1000 + "t", "nested too deeply"),
    ("2^" * 1000 + "t", "nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), REFUSALS)
def test_refusals(text, message):
    with pytest.raises(ExpressionError, match=message):
        compile_expression(text, NAMES)


def test_an_unknown_unit_is_told_as_everywhere():
    with pytest.raises(UnknownUnitError, match="unknown unit 'mmm'; did you mean 'mm'"):
        compile_expression("25 mmm * t")
