"""Dimensions of formulas: '5 N + 3 kg' is refused, '5 N/m*x' is a force where x is a length.

Every part of a formula has a dimension, or none is known:

    number with a unit     its dimension, which is then *stated*
    t, x, v                that of the variable
    pi, e, sin(…), exp(…)  a plain number
    bare number            unknown: it is in SI, and takes the dimension that makes the formula consistent

Products, quotients and powers with an unknown part are unknown. Parts that are added, compared or chosen between must
agree, a known dimension with an unknown one always does. Arguments of sin, exp and the like, and exponents, must be
plain numbers or angles. All this is demanded of parts that state a unit; a part without any is a number in SI, so that
'sin(t)' and '100*x' mean what they always did. Angles are plain numbers, but cycles are not radians: see units.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .expressions import FUNCTIONS, ExpressionError, Step, read_steps
from .problems import cut_short
from .programs import MEANING, OPERANDS, Op
from .unit_grammar import Unit
from .units import Dimension, DimensionError, described, disagreement, same_dimension, unit_text

Exponents = tuple[Fraction, ...]

PLAIN: Exponents = (Fraction(0),) * 5
ANGLE: Exponents = (*PLAIN[:3], Fraction(1), Fraction(0))
ALIKE = (Op.ADD, Op.SUB, Op.MIN, Op.MAX, Op.WHERE, Op.ATAN2)
GIVES_ANGLE = (Op.ASIN, Op.ACOS, Op.ATAN)
OF_NUMBERS = (Op.SIN, Op.COS, Op.TAN, *GIVES_ANGLE, Op.SINH, Op.COSH, Op.TANH, Op.EXP, Op.LOG, Op.STEP)
NAMES = {op: name for name, op in FUNCTIONS.items()} | {Op.LOG: "log", Op.WHERE: "if"}
LARGEST_DENOMINATOR = 60


def check_dimensions(text: str, variables: Mapping[str, Dimension], result: Dimension) -> None:
    """Refuse a formula whose parts do not fit together, or that does not give `result`.

    Raises ExpressionError and DimensionError.
    """
    steps = read_steps(text, tuple(variables))
    if all(step.unit in (None, Unit()) for step in steps):
        return
    whole = _Analysis(text, list(variables.values())).of(steps)
    if whole.stated and whole.exponents is not None and (problem := disagreement(whole.exponents, result)):
        remedy = missing_factor(whole.exponents, result)
        raise DimensionError(f"'{cut_short(text.strip())}' {problem}{remedy}", whole.exponents)


def missing_factor(found: Exponents, wanted: Dimension) -> str:
    """The remedy for a formula of another dimension: what it lacks."""
    lacks = tuple(w - f for w, f in zip(wanted.exponents[:3], found[:3], strict=True))
    return f"; correct a unit, or multiply by a quantity in {unit_text((*lacks, *PLAIN[3:]))}" if any(lacks) else ""


@dataclass(frozen=True)
class Part:
    """A part of a formula: exponents of (m, kg, s, rad, cycle) or None, whether a unit is stated in it, its value if
    constant, and where it stands in the text."""

    exponents: Exponents | None
    stated: bool
    value: float | None
    begin: int
    end: int

    @property
    def must_agree(self) -> bool:
        return self.stated and self.exponents is not None


class _Analysis:
    """The stack machine of a postfix formula, for dimensions instead of numbers."""

    def __init__(self, text: str, variables: list[Dimension]):
        self.text = text
        self.variables = variables

    def of(self, steps: list[Step]) -> Part:
        stack: list[Part] = []
        for step in steps:
            count = OPERANDS[step.op]
            operands = stack[len(stack) - count :]
            del stack[len(stack) - count :]
            stack.append(self.leaf(step) if count == 0 else self.operation(step, operands))
        return stack[0]

    def leaf(self, step: Step) -> Part:
        if step.op == Op.VAR:
            return Part(self.variables[int(step.value)].exponents, False, None, step.begin, step.end)
        exponents = None if step.unit is None else step.unit.exponents
        return Part(exponents, step.unit not in (None, Unit()), step.value, step.begin, step.end)

    def operation(self, step: Step, parts: list[Part]) -> Part:
        constant = all(part.value is not None for part in parts)
        value = MEANING[step.op][1](*(part.value for part in parts)) if constant else None
        stated = any(part.stated for part in parts)
        exponents = self.exponents(step, parts)
        if step.op in (*OF_NUMBERS, Op.SIGN):
            stated = False  # what it gives is a number, whatever was inside
        return Part(exponents, stated and exponents is not None, value, step.begin, step.end)

    def exponents(self, step: Step, parts: list[Part]) -> Exponents | None:
        """Of the result of an operation. Raises ExpressionError."""
        if step.op in ALIKE:
            agreed = self.agreed(step.op, parts[1:] if step.op == Op.WHERE else parts)
            return ANGLE if step.op == Op.ATAN2 else agreed
        if step.op in OF_NUMBERS:
            self.demand_number(f"the argument of {NAMES[step.op]}", parts[0])
            return ANGLE if step.op in GIVES_ANGLE else PLAIN
        if step.op == Op.SIGN:
            return PLAIN
        if step.op == Op.POW:
            return self.power(*parts)
        first = parts[0].exponents
        if first is None:
            return None
        if step.op == Op.SQRT:
            return scaled(first, Fraction(1, 2))
        if step.op in (Op.MUL, Op.DIV):
            second = parts[1].exponents
            sign = 1 if step.op == Op.MUL else -1
            return None if second is None else tuple(a + sign * b for a, b in zip(first, second, strict=True))
        return first  # minus, abs

    def agreed(self, op: Op, parts: list[Part]) -> Exponents | None:
        """The dimension of parts that must be alike; unknown if parts in plain SI are not."""
        left, right = sorted(parts, key=lambda part: part.begin)
        if left.exponents is None or right.exponents is None:
            return right.exponents if left.exponents is None else left.exponents
        if same_dimension(left.exponents, right.exponents):
            return left.exponents if any(left.exponents[3:]) else right.exponents
        if left.stated or right.stated:
            between = self.text[left.end : right.begin].strip()  # also > and <, which are differences
            sides = f"both sides of '{between}'" if op in (Op.ADD, Op.SUB) else f"the alternatives of '{NAMES[op]}'"
            raise self.refusal(
                right,
                f"{self.words(left)} is {described(left.exponents)}, but {self.words(right)} is "
                f"{described(right.exponents)}; {sides} must be of one dimension, so correct a unit",
            )
        return None

    def power(self, base: Part, exponent: Part) -> Exponents | None:
        self.demand_number("the exponent", exponent)
        if base.exponents is None:
            return None
        if exponent.value is not None and abs(exponent.value) < 1e6:
            return scaled(base.exponents, Fraction(exponent.value).limit_denominator(LARGEST_DENOMINATOR))
        if base.must_agree and any(base.exponents[:3]):
            reason = "and has an exponent that varies; divide it by a quantity of its own dimension"
            raise self.refusal(base, f"{self.words(base)} is {described(base.exponents)} {reason}")
        return None

    def demand_number(self, what: str, part: Part) -> None:
        """Refuse a part that states a unit and is neither a plain number nor an angle. Raises ExpressionError."""
        if not part.must_agree or part.exponents is None:
            return
        whose = f"{what}, {self.words(part)},"
        if any(part.exponents[:3]):
            unit = unit_text(part.exponents)
            reason = f"must be a plain number or an angle; divide it by a quantity in {unit}"
            raise self.refusal(part, f"{whose} is {described(part.exponents)}, but {reason}")
        if part.exponents[4]:
            raise self.refusal(part, f"{whose} counts cycles, not radians; multiply it by 2*pi")

    def words(self, part: Part) -> str:
        """A part as written, cut short."""
        written = self.text[part.begin : part.end]
        return f"'{written}'" if len(written) <= 40 else f"'{written[:18]}…{written[-18:]}'"

    def refusal(self, part: Part, reason: str) -> ExpressionError:
        return ExpressionError(f"in '{cut_short(self.text.strip())}', character {part.begin + 1}: {reason}")


def scaled(exponents: Exponents, power: Fraction) -> Exponents:
    """Exponents of a power."""
    return tuple(e * power for e in exponents)
