"""Dimensions of formulas: refusals, and that accepted formulas are the same in every system of units."""

import math
from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tapespring import Model, ModelError
from tapespring.schema import units
from tapespring.schema.dimensions import check_dimensions
from tapespring.schema.expressions import ExpressionError
from tapespring.schema.units import DimensionError

ALONG = {"t": units.TIME, "x": units.LENGTH, "v": units.SPEED}


def check(text, result=units.FORCE, variables=ALONG):
    check_dimensions(text, variables, result)


CONSISTENT = """
5 | 5 N | t | sin(t) | 5*sin(2*pi*3*t) | 100*x | 0.5*t^2 | x + v | x + t | 100*x^3 + 2*v | 5 N/m * x | 10 N*s/m*v
5 N + 3 | 5 N + 3*t | 5 N*sin(t) | 5 N*sin(3 rad/s*t) | 5 N*sin(30 deg) | 5 N*sin(2*pi*50 Hz*t) | 5 N*exp(-t/(2 s))
if(t > 1 s, 5 N, 0) | if(t > 1, 5 N, 0) | min(5 N, 3 kN, 2*t) | max(0, 5 N/m*x) | abs(-5 N) | -5 N | (5 N)
sqrt(2 N/m*x*(3 N)) | (2 N^2)^(1/2) | (2 m)^2*3 Pa | 5 N/m^1.5*x^1.5 | 3 N*step((t - 1 s)/(0.5 s)) | 3 N*step(t)
2 N*sign(x - 1 mm) | 5 N*tanh(v/(1 mm/s)) | 5 N*atan2(x, 1 mm) | 1 kg*v/(1 s) | 1 kg*9.81 m/s^2 | 5 %*(3 N)
5 N*2^(t/(1 s)) | pi*5 N | 2 N*e^(-t) | 1 kg*(3 rad/s)^2*x | 60 rpm*1 kg*v | 5 N*(x + v)/2
""".replace("\n", "|")


@pytest.mark.parametrize("text", [s.strip() for s in CONSISTENT.split("|") if s.strip()])
def test_consistent_forces(text):
    check(text)


INCONSISTENT = [
    ("5 N + 3 kg", r"character 7: '5 N' is a force \(N\), but '3 kg' is a mass \(kg\); both sides of '\+'"),
    ("5 N - x", r"'5 N' is a force \(N\), but 'x' is a length \(m\); both sides of '-'"),
    ("5 N + t", r"'t' is a time \(s\)"),
    ("5 N + sin(t)", r"'sin\(t\)' is a number"),
    ("2*(5 N + 3 kg)", "character 10: '5 N' is a force"),
    ("5 N + 2*t + 3 kg", r"'5 N \+ 2\*t' is a force \(N\), but '3 kg' is a mass"),
    ("if(t > 3 mm, 5 N, 0)", r"'t' is a time \(s\), but '3 mm' is a length \(m\); both sides of '>'"),
    ("if(3 mm <= t, 5 N, 0)", "both sides of '<='"),
    ("if(t > 1, 5 N, 3 kg)", "'5 N' is a force .*, but '3 kg' is a mass .*; the alternatives of 'if'"),
    ("min(5 N, 3 kg)", "the alternatives of 'min'"),
    ("5 N*atan2(1 mm, 1 kg)", "'1 mm' is a length .* '1 kg' is a mass"),
    ("5 N*sin(5 mm)", r"character 9: the argument of sin, '5 mm', is a length \(m\), .* divide it by a quantity in m"),
    ("5 N*exp(-t/(2 mm))", r"the argument of exp, '-t/\(2 mm\)', is in s/m"),
    ("5 N*step(t - 1 s)", "the argument of step, 't - 1 s', is a time"),
    ("5 N*sin(50 Hz*t)", r"'50 Hz\*t', counts cycles, not radians; multiply it by 2\*pi"),
    ("5 N*2^(3 s)", r"the exponent, '\(3 s\)', is a time"),
    ("5 N*(3 m)^t", r"'\(3 m\)' is a length \(m\) and has an exponent that varies"),
]


@pytest.mark.parametrize(("text", "message"), INCONSISTENT)
def test_parts_that_do_not_fit(text, message):
    with pytest.raises(ExpressionError, match=message):
        check(text)


OTHER_RESULTS = [
    ("5 kg*t", r"'5 kg\*t' is in kg s, but a force is wanted here .*multiply by a quantity in m/s\^3"),
    ("5 mm*sin(t)", r"is a length \(m\), but a force is wanted .*multiply by a quantity in kg/s\^2"),
    ("2 mm*t", "is in m s, but a force"),
    ("5 N*t", r"is a momentum \(kg m/s\), but a force .*multiply by a quantity in 1/s"),
    ("5 N*x", r"is a torque \(N m\), but a force"),
    ("pi*5 mm", "is a length"),
    ("-(5 kg)", "is a mass"),
    ("sqrt(4 N)", r"is in kg\^\(1/2\) m\^\(1/2\)/s, but a force"),
    ("1 kg*(50 Hz)^2*x", "counts cycles, but a force counts radians"),
]


@pytest.mark.parametrize(("text", "message"), OTHER_RESULTS)
def test_results_of_another_dimension(text, message):
    with pytest.raises(DimensionError, match=message):
        check(text)


def test_a_torque_acts_along_an_angle_and_a_force_along_a_length():
    turning = {"t": units.TIME, "x": units.ANGLE, "v": units.ANGULAR_RATE}
    check("5 N m/rad*x - 2 N m s/rad*v", units.TORQUE, turning)
    with pytest.raises(DimensionError, match="is a force"):
        check("5 N/m*x", units.TORQUE)
    with pytest.raises(DimensionError, match="counts cycles, but an angle counts radians"):
        check("3 Hz*t", units.ANGLE, turning)
    check("10 mm/s*t/(50 mm)", units.ANGLE, turning)


# -- in models ------------------------------------------------------------------------------------------------------
ARM = """
bodies:
  arm: {kind: rigid, at: [0.5, 0, 0], mass: 1 kg, shape: {kind: box, size: [1, 0.02, 0.02]}}
  ball: {kind: point_mass, mass: 1 kg, at: [0, 0, 1]}
joints:
  hinge: {kind: revolute, between: [ground, arm], at: [0, 0, 0], axis: z}
"""

FIELDS = [
    ("forces: {f: {kind: load, on: arm, force: ['5 N + 3 kg', 0, 0]}}", "forces.f.force[0]: in '5 N + 3 kg'"),
    ("forces: {f: {kind: joint_torque, joint: hinge, value: 5 mm*sin(t)}}", "but a torque or a force is wanted"),
    ("forces: {f: {kind: joint_torque, joint: hinge, value: 5 N*sin(t)}}", "is a force (N), but a torque is wanted"),
    ("forces: {f: {kind: spring, between: [ground, ball], stiffness: 5 N*x}}", "is a torque (N m), but a force"),
    ("forces: {f: {kind: spring, between: [ground, ball], stiffness: 5, free_length: -0.5 m}}", "zero or positive"),
    ("forces: {f: {kind: motor, joint: hinge, stall: 1 N m, no_load: 9 rad/s, supply: 5 mm*t}}", "is in m s"),
    ("drives: {d: {kind: motion, joint: hinge, rate: 3 Hz}}", "write 'turn/s', 'rpm', 'deg/s' or 'rad/s'"),
    ("drives: {d: {kind: motion, joint: hinge, value: 30 %}}", "'30 %' is a ratio, but an angle is wanted here"),
    ("drives: {d: {kind: motion, joint: hinge, value: 3 Hz*t}}", "counts cycles, but an angle counts radians"),
    (
        "contacts: {c: {kind: contact, between: [ball, ground], friction: 30 deg}}",
        "contacts.c.friction: '30 deg' is an angle, but a number is wanted here; write a number such as 0.3",
    ),
]


@pytest.mark.parametrize(("entry", "message"), FIELDS)
def test_fields_of_models(entry, message):
    with pytest.raises(ModelError) as refused:
        Model.from_text(ARM + entry)
    assert message in str(refused.value)
    assert str(refused.value).startswith("line 7: ")


# -- against the definition: what is consistent is the same in every system of units -----------------------------------
LEAVES = ["m", "kg", "s", "m/s", "1/s", "rad", "%"]


@dataclass(frozen=True)
class Tree:
    """A formula written by the test: an operation and its operands, or a number with a unit."""

    word: str
    inside: tuple = ()
    number: float = 0.0

    def __str__(self):
        if not self.inside:
            return f"{self.number!r} {self.word}"
        return self.word.format(*(str(part) for part in self.inside))

    def value(self, scales):
        """In a system of units whose metre, kilogram and second are shorter by `scales`."""
        if not self.inside:
            unit = units.parse_unit(self.word)
            scale = math.prod(s ** float(e) for s, e in zip(scales, unit.exponents[:3], strict=True))
            return self.number * unit.to_si(1) * scale
        return MEANING[self.word](*(part.value(scales) for part in self.inside))


MEANING = {
    "({} + {})": lambda a, b: a + b,
    "({} - {})": lambda a, b: a - b,
    "({})*({})": lambda a, b: a * b,
    "({})/({})": lambda a, b: a / b,
    "({})^2": lambda a: a * a,
    "sqrt(abs({}))": lambda a: math.sqrt(abs(a)),
    "sin({})": math.sin,
    "tanh({})": math.tanh,
    "min({}, {})": min,
    "if({} > {}, {}, {})": lambda a, b, c, d: c if a > b else d,
}


def one_deeper(inside):
    return st.one_of(*(st.builds(Tree, st.just(w), st.tuples(*[inside] * w.count("{}"))) for w in MEANING))


numbers = st.floats(0.1, 10.0).map(lambda x: float(f"{x:.4g}"))
quantities = st.builds(lambda unit, number: Tree(unit, (), number), st.sampled_from(LEAVES), numbers)


trees = st.recursive(quantities, one_deeper, max_leaves=6)


@settings(deadline=None, max_examples=200)
@given(trees)
def test_accepted_formulas_are_the_same_in_every_system_of_units(tree):
    try:
        check_dimensions(f"1 %*({tree})", {}, units.NUMBER)  # a sine alone states no unit: it is a number in SI
        exponents = units.NUMBER.exponents
    except DimensionError as other:
        exponents = other.exponents
    except ExpressionError:
        return
    scales = (2.0, 3.0, 7.0)
    try:
        here, there = tree.value((1.0, 1.0, 1.0)), tree.value(scales)
    except (ZeroDivisionError, OverflowError):
        assume(False)
    assume(math.isfinite(here) and math.isfinite(there) and 1e-6 < abs(here) < 1e12)
    scale = math.prod(s ** float(e) for s, e in zip(scales, exponents[:3], strict=True))
    assert math.isclose(there, scale * here, rel_tol=1e-6)


def of_dimension(unit, depth):
    """Formulas that are of the dimension of `unit` by construction."""
    leaf = numbers.map(lambda number: f"{number!r} {unit}")
    variable = {"s": "t", "m": "x", "m/s": "v"}.get(unit)
    if depth == 0:
        return st.one_of(leaf, st.just(variable)) if variable else leaf
    same, plain = of_dimension(unit, depth - 1), of_dimension("%", depth - 1)
    other = st.sampled_from(["m", "kg", "s"]).flatmap(
        lambda u: st.tuples(of_dimension(u, depth - 1), of_dimension(u, depth - 1))
    )
    choices = [
        st.builds("({} + {})".format, same, same),
        st.builds("max({}, {})".format, same, same),
        st.builds("-({})".format, same),
        st.builds("({})*({})".format, plain, same),
        st.builds(lambda pair, part: f"if({pair[0]} < {pair[1]}, {part}, 0)", other, same),
        st.builds(lambda pair, part: f"({pair[0]})/({pair[1]})*({part})", other, same),
    ]
    if unit == "%":
        choices += [st.builds("sin({})".format, plain), st.builds("exp({})".format, plain)]
    if unit == "N":
        choices.append(st.builds("({})*({})/(({})^2)".format, *(of_dimension(u, depth - 1) for u in ("kg", "m", "s"))))
    return st.one_of(*choices)


@settings(deadline=None, max_examples=100)
@given(of_dimension("N", 2))
def test_formulas_consistent_by_construction_are_accepted(text):
    check(text)


@settings(deadline=None, max_examples=100)
@given(of_dimension("N", 1), st.sampled_from(["m", "kg", "s", "m/s"]).flatmap(lambda u: of_dimension(u, 1)), st.data())
def test_one_part_of_another_dimension_is_refused(force, other, data):
    form = data.draw(st.sampled_from(["{} + {}", "{} - ({})", "min({}, {})", "if(t > 1, {}, {})"]))
    for pair in ((force, f"1 % * ({other})"), (f"1 % * ({other})", force)):
        with pytest.raises(ExpressionError, match="is a force"):
            check(form.format(*pair))


@settings(deadline=None, max_examples=50)
@given(of_dimension("N", 2), numbers)
def test_a_bare_factor_may_have_any_dimension(force, factor):
    check(f"{factor!r}*({force})", units.LENGTH)
    check(f"{factor!r} + ({force})")
