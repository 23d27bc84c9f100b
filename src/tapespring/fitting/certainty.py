"""How well data fix parameters: covariance of the estimate, what it means in words, and derived quantities.

The estimate that minimises weighted squares moves by -(J'WJ)⁻¹ J'W noise. Its covariance is therefore
(J'WJ)⁻¹ J'W N W J (J'WJ)⁻¹ with the noise N of the samples, which is (J'J)⁻¹ σ² only if weights are as the noise asks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .matching import Matching

WIDE = 1.96  # standard deviations: 95 %
SURE, VAGUE = 0.05, 0.5  # half width of the 95 % interval, relative
TIED = 0.99  # correlation beyond which two parameters cannot be told apart
NOTHING = 1e-12  # of the largest eigenvalue: a direction without any information


@dataclass
class Certainty:
    """Standard deviations of the variables (logarithms, or values over their typical size) and correlations."""

    std: np.ndarray
    correlation: np.ndarray
    covariance: np.ndarray
    noise: list[float]  # standard deviation of each record, given or found


def noise_of(matching: Matching, residuals: list[np.ndarray]) -> list[float]:
    """Of each record: as given, or from its residuals."""
    samples = sum(int(r.used.sum()) for r in matching.records)
    lost = len(matching.variables) / max(samples, 1)  # of each sample's freedom
    found = []
    for record, e in zip(matching.records, residuals, strict=True):
        used = e[record.used]
        mean = float(np.sum(used**2)) / max(len(used) * (1.0 - lost), 1e-300)
        found.append(record.noise if record.noise is not None else float(np.sqrt(mean)))
    return found


def certainty(matching: Matching, J: np.ndarray, residuals: list[np.ndarray]) -> Certainty:
    """From the slopes of the weighted residuals at the optimum."""
    noise = noise_of(matching, residuals)
    spread = [np.sqrt(r.weights) * n / r.size for r, n in zip(matching.records, noise, strict=True)]
    variance = np.concatenate([*(s**2 for s in spread), np.ones(len(J) - sum(map(len, spread)))])
    A = J.T @ J
    values, vectors = np.linalg.eigh(A)
    known = values > NOTHING * max(values.max(), 1e-300)
    inverse = (vectors[:, known] / values[known]) @ vectors[:, known].T
    covariance = inverse @ (J.T * variance) @ J @ inverse
    lost = np.abs(vectors[:, ~known]).max(axis=1, initial=0.0) > 1e-3
    std = np.where(lost, np.inf, np.sqrt(np.maximum(np.diag(covariance), 0.0)))
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    return Certainty(std, covariance / np.outer(scale, scale), covariance, noise)


def interval(matching: Matching, k: int, x: float, std: float) -> tuple[float, float]:
    """95 % interval of a parameter's value."""
    v = matching.variables[k]
    with np.errstate(over="ignore"):
        return v.value(x - WIDE * std), v.value(x + WIDE * std)


def in_words(matching: Matching, x: np.ndarray, found: Certainty) -> list[str]:
    """A sentence per parameter, and one per pair that is tied together."""
    said = [sentence(matching, k, float(x[k]), float(found.std[k])) for k in range(len(x))]
    for i in range(len(x)):
        for j in range(i):
            if abs(found.correlation[i, j]) > TIED and np.isfinite(found.std[[i, j]]).all():
                said.append(tied(matching, i, j, found))
    return said


def sentence(matching: Matching, k: int, x: float, std: float) -> str:
    v = matching.variables[k]
    half = WIDE * std if v.is_log else WIDE * std * v.typical / max(abs(v.value(x)), 1e-300)
    if not np.isfinite(half):
        return f"{v.name} is not identified: the data do not depend on it"
    unit = f" {v.unit}" if v.unit else ""
    plus = WIDE * std * v.slope(x)
    if not v.is_log and half > VAGUE:
        return f"{v.name} is fixed to ±{plus:.2g}{unit}"
    if half <= SURE:
        return f"{v.name} is fixed to ±{plus:.2g}{unit} (±{100 * half:.2g} %)"
    if half <= VAGUE:
        return f"{v.name} is fixed only to ±{100 * half:.2g} %"
    return f"{v.name} is not identified: the data allow it within a factor of {np.exp(half):.2g} either way"


def tied(matching: Matching, i: int, j: int, found: Certainty) -> str:
    """What of two parameters is fixed although neither is."""
    a, b = matching.variables[i], matching.variables[j]
    power = found.covariance[i, j] / found.covariance[j, j]
    left = found.std[i] * np.sqrt(max(1.0 - found.correlation[i, j] ** 2, 0.0))
    told = f"{a.name} and {b.name} cannot be told apart (correlation {found.correlation[i, j]:.7f})"
    if a.is_log and b.is_log:
        return f"{told}: what is fixed is {a.name}/{b.name}^{power:.3g}, to ±{100 * WIDE * left:.2g} %"
    return f"{told}: only a combination of them is fixed"


def of_derived(formulas: dict[str, tuple[float, float]]) -> list[str]:
    """A sentence per derived quantity."""
    return [f"{name} is fixed to ±{WIDE * std:.2g}" for name, (_, std) in formulas.items()]


def derived(matching: Matching, x: np.ndarray, found: Certainty) -> dict[str, tuple[float, float]]:
    """Value and standard deviation of the formulas of the study. Raises ModelError for one that cannot be read."""
    from ..schema.expressions import ExpressionError, compile_expression
    from ..schema.programs import evaluate

    results = {}
    for name, formula in matching.study.derived.items():
        try:
            program = compile_expression(formula, tuple(matching.names))
        except ExpressionError as error:
            raise matching.file.refusal(str(error), "derived", name) from None
        slopes = np.zeros(len(x))
        for k in range(len(x)):
            step = np.zeros(len(x))
            step[k] = 1e-5
            up, down = (evaluate(program, list(matching.values(x + s))) for s in (step, -step))
            slopes[k] = (up - down) / 2e-5
        std = float(np.sqrt(slopes @ found.covariance @ slopes))
        results[name] = (evaluate(program, list(matching.values(x))), std)
    return results
