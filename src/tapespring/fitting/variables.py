"""Parameters as the search sees them: variables of size one, logarithms of what is positive, with bounds and priors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..schema.expressions import ExpressionError, compile_expression
from ..schema.programs import Program, evaluate
from ..schema.written import in_si, si_name, unit_of
from .study import FitFile, Parameter


@dataclass
class Variable:
    """One parameter: value = exp(x) or typical × x."""

    name: str
    unit: str
    guess: float
    is_log: bool
    typical: float
    low: float  # value
    high: float
    prior: tuple[float, float] | None  # mean and standard deviation of x
    targets: tuple[tuple[str, Program | None], ...]  # paths it sets, by a formula of `value` or as it is

    def x(self, value: float) -> float:
        return float(np.log(value)) if self.is_log else value / self.typical

    def value(self, x: float) -> float:
        return float(np.exp(x)) if self.is_log else self.typical * x

    def slope(self, x: float) -> float:
        """d value / d x"""
        return self.value(x) if self.is_log else self.typical

    def numbers(self, value: float) -> list[tuple[str, float]]:
        """What it sets."""
        return [(path, value if rule is None else evaluate(rule, (value,))) for path, rule in self.targets]


def read_variables(file: FitFile) -> list[Variable]:
    """Raises ModelError with the place in the study."""
    return [_variable(file, name, parameter) for name, parameter in file.study.parameters.items()]


def _variable(file: FitFile, name: str, parameter: Parameter) -> Variable:
    place = ("parameters", name)
    unit = unit_of(parameter.guess)
    try:
        guess = in_si(parameter.guess)
        low, high = (None if b is None else in_si(b, unit) for b in parameter.bounds)
        typical = abs(guess) if parameter.typical is None else in_si(parameter.typical, unit)
        prior = (
            None if parameter.prior is None else (in_si(parameter.prior.mean, unit), in_si(parameter.prior.std, unit))
        )
    except (ValueError, ZeroDivisionError) as error:
        raise file.refusal(str(error), *place, "guess") from None
    is_log = parameter.scale == "log"
    low, high = (0.0 if is_log else -np.inf) if low is None else low, np.inf if high is None else high
    _check(file, place, guess, low, high, is_log, typical)
    if prior is not None:
        if not prior[1] > 0.0 or (is_log and not prior[0] > 0.0):
            raise file.refusal("a prior needs a positive std, and on a log scale a positive mean", *place, "prior")
        prior = (np.log(prior[0]), prior[1] / prior[0]) if is_log else (prior[0] / typical, prior[1] / typical)
    targets: list[tuple[str, Program | None]] = [(parameter.path, None)] if parameter.path else []
    for path, formula in parameter.sets.items():
        try:
            targets.append((path, compile_expression(str(formula), ("value",))))
        except ExpressionError as error:
            raise file.refusal(str(error), *place, "sets", path) from None
    return Variable(name, si_name(unit), guess, is_log, typical, low, high, prior, tuple(targets))


def _check(file: FitFile, place, guess, low, high, is_log, typical) -> None:
    if not low < high:
        raise file.refusal(f"the lower bound {low:g} is not below the upper bound {high:g}", *place, "bounds")
    if is_log and low < 0.0:
        raise file.refusal("bounds on a log scale are positive; or write scale: linear", *place, "bounds")
    if not low <= guess <= high or (is_log and not guess > 0.0):
        more = "; on a log scale it must be positive, or write scale: linear" if is_log and guess <= 0.0 else ""
        raise file.refusal(f"the guess {guess:g} is not between its bounds {low:g} and {high:g}{more}", *place, "guess")
    if not is_log and not typical > 0.0:
        raise file.refusal("say with 'typical' what change matters, for the guess is zero", *place, "typical")
