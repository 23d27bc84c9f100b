"""Formulas as text, such as `0.1*sin(2*pi*5*t)`, turned into postfix programs. Nothing is ever passed to eval.

Grammar, lowest precedence first:

    sum      = product (('+' | '-') product)*
    product  = signed (('*' | '/') signed)*
    signed   = ('-' | '+') signed | power
    power    = atom (('^' | '**') signed)?            right-associative: -x^2 = -(x^2), 2^-1 = 1/2
    atom     = number unit? | name | function '(' sum (',' sum)* ')' | '(' sum ')'

The condition of `where(c, a, b)`, also written `if(c, a, b)`, may be a comparison: `if(t > 0.5, 1, 0)`.

`read_steps` gives a formula as written, with the unit and the place of every step, for dimensions.py to check;
`compile_expression` the program that is evaluated, with constants folded.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .near_words import listing, nearest
from .problems import cut_short
from .programs import MEANING, OPERANDS, Op, Program
from .unit_grammar import Unit, is_unit, parse_unit

DEEPEST_NESTING = 60


class ExpressionError(ValueError):
    """A formula that cannot be read, with the words at fault and the remedy."""


FUNCTIONS: dict[str, Op] = {"ln": Op.LOG, "if": Op.WHERE} | {
    op.name.lower(): op for op in Op if op not in (Op.CONST, Op.VAR, Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG)
}

CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e, "deg": math.pi / 180.0}


@dataclass(frozen=True)
class Step:
    """One step of a formula in postfix order: operation, operand, the unit written behind a number, and the part of
    the text [begin, end) it stands for, operands included."""

    op: Op
    value: float
    begin: int
    end: int
    unit: Unit | None = None


Steps = list[Step]


def read_steps(text: str, variables: Sequence[str] = ("t",)) -> Steps:
    """Read a formula of the given variable names (index in that order). Raises ExpressionError."""
    return _ExpressionReader(text, {name: i for i, name in enumerate(variables)}).read()


def compile_expression(text: str, variables: Sequence[str] = ("t",)) -> Program:
    """The program of a formula; an operation on constants becomes its (finite) value. Raises ExpressionError."""
    stack: list[Postfix] = []
    for step in read_steps(text, variables):
        count = OPERANDS[step.op]
        if count == 0:
            stack.append([(step.op, step.value)])
        else:
            operands = stack[-count:]
            del stack[-count:]
            stack.append(_folded(step.op, *operands))
    codes, values = zip(*stack[0], strict=True)
    return Program(tuple(int(code) for code in codes), tuple(values))


Postfix = list[tuple[Op, float]]


def _folded(op: Op, first: Postfix, *others: Postfix) -> Postfix:
    """`first`, followed by `others` and `op`, or by their value if all are constants."""
    if all(len(p) == 1 and p[0][0] == Op.CONST for p in (first, *others)):
        value = MEANING[op][1](first[0][1], *(p[0][1] for p in others))
        if math.isfinite(value):
            first[:] = [(Op.CONST, value)]
            return first
    for postfix in others:
        first.extend(postfix)
    first.append((op, 0.0))
    return first


_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_µμ°%][A-Za-z0-9_]*)"
    r"|(?P<sign>\*\*|>=|<=|==|!=|[-+*/^(),<>]))"
)


class _ExpressionReader:
    """Recursive descent over the grammar of this file; each rule returns what it read in postfix order."""

    def __init__(self, text: str, variables: Mapping[str, int]):
        self.text = text
        self.variables = variables
        self.spans: list[tuple[int, int]] = []
        self.tokens = self._tokens(text.replace("\N{MINUS SIGN}", "-"))
        self.at = 0
        self.nesting = 0

    def _tokens(self, text: str) -> list[tuple[str, str]]:
        tokens, position = [], 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                sign = text[position:].strip()[0]
                raise self.refusal(f"'{sign}' has no meaning here; write a formula such as 0.1*sin(2*pi*5*t)")
            tokens.append((match.lastgroup or "", match[match.lastgroup or 0]))
            self.spans.append(match.span(match.lastgroup or 0))
            position = match.end()
        return tokens

    @property
    def begins(self) -> int:
        """Where the next word begins."""
        return self.spans[self.at][0] if self.at < len(self.spans) else len(self.text)

    @property
    def ended(self) -> int:
        """Where the word before ended."""
        return self.spans[self.at - 1][1]

    def refusal(self, reason: str) -> ExpressionError:
        return ExpressionError(f"in '{cut_short(self.text.strip())}': {reason}")

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    def take_sign(self, *signs: str) -> str | None:
        kind, word = self.peek()
        return self.take()[1] if kind == "sign" and word in signs else None

    def expect(self, sign: str) -> None:
        if not self.take_sign(sign):
            raise self.refusal(f"expected '{sign}' {self.here()}")

    def here(self) -> str:
        kind, word = self.peek()
        return "at the end" if kind == "end" else f"before '{word}'"

    def read(self) -> Steps:
        if not self.tokens:
            raise ExpressionError("the expression is empty; write for example 0.1*sin(2*pi*5*t)")
        steps = self.sum()
        kind, word = self.peek()
        if word in (">", "<", ">=", "<=", "==", "!="):
            raise self.refusal(f"'{word}' can only stand in the condition of if(condition, then, else)")
        if kind != "end":
            raise self.refusal(f"expected an operator such as + or * {self.here()}")
        return steps

    def sum(self) -> Steps:
        self.nesting += 1
        if self.nesting > DEEPEST_NESTING:
            raise self.refusal("parentheses are nested too deeply; split the formula")
        steps = self.product()
        while sign := self.take_sign("+", "-"):
            apply(Op.ADD if sign == "+" else Op.SUB, steps, self.product())
        self.nesting -= 1
        return steps

    def product(self) -> Steps:
        steps = self.signed()
        while sign := self.take_sign("*", "/"):
            apply(Op.MUL if sign == "*" else Op.DIV, steps, self.signed())
        return steps

    def signed(self) -> Steps:
        negative, begin = False, self.begins
        while sign := self.take_sign("-", "+"):
            negative ^= sign == "-"
        steps = self.power()
        return spanning(apply(Op.NEG, steps), begin, self.ended) if negative else steps

    def power(self) -> Steps:
        base = self.atom()
        if self.take_sign("^", "**"):
            self.nesting += 1
            if self.nesting > DEEPEST_NESTING:
                raise self.refusal("powers are nested too deeply; split the formula")
            apply(Op.POW, base, self.signed())
            self.nesting -= 1
        return base

    def atom(self) -> Steps:
        kind, word = self.peek()
        begin = self.begins
        if kind == "number":
            return self.literal()
        if kind == "name":
            self.take()
            return self.call(word) if self.peek()[1] == "(" else self.named_value(word)
        if self.take_sign("("):
            steps = self.sum()
            self.expect(")")
            return spanning(steps, begin, self.ended)
        raise self.refusal(f"a number, a name or '(' is missing {self.here()}; add it")

    def literal(self) -> Steps:
        begin, unit = self.begins, None
        number = self.take()[1]
        value = float(number)
        kind, name = self.peek()
        if kind == "name":
            if self.is_value(name) and name != "deg":
                raise self.refusal(f"'{number} {name}' needs an operator; write '{number}*{name}'")
            unit = parse_unit(self.unit_text())
            try:
                value = unit.to_si(Fraction(number)) if 0.0 < value < math.inf else value
            except OverflowError:
                value = math.inf
        if not math.isfinite(value):
            raise self.refusal(f"'{number}' is not a finite number")
        return [Step(Op.CONST, value, begin, self.ended, unit)]

    def unit_text(self) -> str:
        """The unit after a number: as many words as are units and not names of the formula."""
        unit = self.take()[1] + self.unit_exponent()
        while self.peek()[1] in ("*", "/") or self.peek()[0] == "name":
            operator = self.peek()[1] if self.peek()[0] == "sign" else ""
            kind, name = self.peek(1 if operator else 0)
            follows = self.peek(2 if operator else 1)[1]
            if kind != "name" or name in self.variables or name in CONSTANTS or follows == "(" or not is_unit(name):
                break
            self.at += 2 if operator else 1
            unit += f"{operator or ' '}{name}{self.unit_exponent()}"
        return unit

    def unit_exponent(self) -> str:
        if not self.take_sign("^", "**"):
            return ""
        sign = self.take_sign("-", "+") or ""
        kind, number = self.take()
        if kind != "number":
            raise self.refusal("'^' after a unit is followed by a number, as in m^2; write (5 m)^x for a power")
        return f"^{sign}{number}"

    def is_value(self, name: str) -> bool:
        return name in self.variables or name in CONSTANTS or (name in FUNCTIONS and self.peek(1)[1] == "(")

    def named_value(self, name: str) -> Steps:
        if name in self.variables:
            return [Step(Op.VAR, float(self.variables[name]), self.ended - len(name), self.ended)]
        if name in CONSTANTS:
            return [Step(Op.CONST, CONSTANTS[name], self.ended - len(name), self.ended, Unit())]
        if name in FUNCTIONS:
            raise self.refusal(f"function '{name}' needs its argument in parentheses: {name}(…)")
        near = nearest(name, [*self.variables, *CONSTANTS, *FUNCTIONS])
        hint = f"; did you mean '{near}'?" if near else ""
        raise self.refusal(f"unknown name '{name}'{hint} (known here: {listing([*self.variables, *CONSTANTS])})")

    def call(self, name: str) -> Steps:
        if name not in FUNCTIONS:
            if name in self.variables or name in CONSTANTS:
                raise self.refusal(f"'{name}' is not a function; write '{name}*(…)' to multiply")
            near = nearest(name, FUNCTIONS)
            hint = f"; did you mean '{near}'?" if near else f"; choose among {', '.join(FUNCTIONS)}"
            raise self.refusal(f"unknown function '{name}'{hint}")
        op, begin = FUNCTIONS[name], self.ended - len(name)
        self.expect("(")
        turned = False
        if op == Op.WHERE:
            condition, turned = self.condition()
            arguments = [condition]
        else:
            arguments = [self.sum()]
        while self.take_sign(","):
            arguments.append(self.sum())
        self.expect(")")
        self.check_count(name, op, len(arguments))
        if turned:
            arguments[1], arguments[2] = arguments[2], arguments[1]
        return spanning(apply_all(op, arguments), begin, self.ended)

    def check_count(self, name: str, op: Op, given: int) -> None:
        wanted = OPERANDS[op]
        more_allowed = op in (Op.MIN, Op.MAX)
        if given < wanted or (given > wanted and not more_allowed):
            plural = "argument" if wanted == 1 else "arguments"
            raise self.refusal(f"'{name}' takes {wanted} {plural}, not {given}")

    def condition(self) -> tuple[Steps, bool]:
        """(c, turned): the condition holds if c > 0, or with `turned` if not c > 0 (from >= and <=)."""
        left = self.sum()
        if self.peek()[1] in ("==", "!="):
            raise self.refusal(f"'{self.peek()[1]}' hardly ever holds between decimal numbers; use >, <, >= or <=")
        sign = self.take_sign(">", "<", ">=", "<=")
        if sign is None:
            return left, False
        right = self.sum()
        if sign in (">", "<="):
            return apply(Op.SUB, left, right), sign == "<="
        return apply(Op.SUB, right, left), sign == ">="


def apply(op: Op, first: Steps, *others: Steps) -> Steps:
    """Append `others` and `op` to `first`."""
    begin, end = min(s[-1].begin for s in (first, *others)), max(s[-1].end for s in (first, *others))
    for steps in others:
        first.extend(steps)
    first.append(Step(op, 0.0, begin, end))
    return first


def apply_all(op: Op, arguments: list[Steps]) -> Steps:
    """Apply `op` to its arguments; min and max of more than two go pair by pair."""
    if op in (Op.MIN, Op.MAX):
        result = arguments[0]
        for argument in arguments[1:]:
            apply(op, result, argument)
        return result
    return apply(op, *arguments)


def spanning(steps: Steps, begin: int, end: int) -> Steps:
    """The same steps; the last stands for the text [begin, end): with its sign, parentheses or function name."""
    last = steps[-1]
    steps[-1] = Step(last.op, last.value, begin, end, last.unit)
    return steps
