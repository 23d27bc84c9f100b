"""Signs that the model is not the one the data come from: patterns left in the residuals, data that are cut off, and
numbers taken for granted that the data contradict, or could not contradict."""

from __future__ import annotations

import numpy as np

from ..schema.problems import RunFailed
from .matching import Matching
from .records import Record

CLEAR = 5.0  # standard deviations at which a sign is told
PATTERN = 4.0
FLAT_TOP = 4  # equal samples at an extreme that make a plateau
TEN_PERCENT = 0.1
LOOSE = 1e-3  # of the largest singular value: directions the data hardly tell are left alone


def signs(matching: Matching, J: np.ndarray, predicted: list[np.ndarray], noise: list[float]) -> list[str]:
    """Everything that should make a user doubt the fit."""
    found: list[str] = []
    begin = 0
    for record, model, sigma in zip(matching.records, predicted, noise, strict=True):
        rows = slice(begin, begin + len(record.time))
        begin += len(record.time)
        cut = clipped(record, model)
        found += cut + pattern(record, model, sigma)
        if not cut:
            found += cause(record, model, sigma, J[rows])
    return found


def clipped(record: Record, model: np.ndarray) -> list[str]:
    """Samples that stay at the largest or smallest value while the model goes beyond it."""
    said = []
    for sign, word in ((1.0, "above"), (-1.0, "below")):
        top = float((sign * record.values).max())
        flat = sign * record.values >= top - 1e-12 * max(abs(top), 1e-300)
        run = longest_run(flat)
        beyond = float((sign * model[flat]).max()) - top
        if run >= FLAT_TOP and run < len(flat) // 2 and beyond > 0.02 * np.ptp(record.values):
            when = record.time[flat]
            said.append(
                f"'{record.channel}' in {record.experiment} looks clipped: {int(flat.sum())} samples between "
                f"{when[0]:g} s and {when[-1]:g} s are exactly {sign * top:g}, and the model goes {word} by up to "
                f"{beyond:.3g}; give these times the weight 0"
            )
    return said


def longest_run(flags: np.ndarray) -> int:
    best = now = 0
    for flag in flags:
        now = now + 1 if flag else 0
        best = max(best, now)
    return best


def pattern(record: Record, model: np.ndarray, sigma: float) -> list[str]:
    """Residuals that are larger than the noise, or in which neighbours are alike."""
    e = (model - record.values)[record.used]
    said: list[str] = []
    n = len(e)
    if n < 8 or not np.any(e):
        return said
    name = f"'{record.channel}' in {record.experiment}"
    size = float(np.sqrt(np.mean(e**2)))
    if record.noise is not None and size > record.noise * (1.0 + PATTERN / np.sqrt(2.0 * n)):
        said.append(f"{name}: residuals are {size / record.noise:.2g} times the noise stated")
    alike = float(np.sum(e[1:] * e[:-1]) / np.sum(e**2))
    if alike > PATTERN / np.sqrt(n) and size > 1e-6 * np.ptp(record.values):
        said.append(
            f"{name}: residuals follow a pattern (neighbours correlate by {alike:.2f}; noise would give 0 ± "
            f"{1.0 / np.sqrt(n):.2f}): the model does not explain all of the data"
        )
    return said


def cause(record: Record, model: np.ndarray, sigma: float, J: np.ndarray) -> list[str]:
    """The one simple fault of a sensor that would explain what is left, if one does: offset, gain or delay."""
    root = np.sqrt(record.weights)
    left = root * (record.values - model)
    rate = np.gradient(model, record.time)
    faults = {"an offset": np.ones(len(model)), "a gain": model, "a delay": -rate}
    best = ("", 0.0, 0.0)
    for name, shape in faults.items():
        if record.offset is not None and name == "an offset":
            continue
        own = across(root * shape, J)
        size = float(own @ own)
        if size <= 1e-10 * float(np.sum((root * shape) ** 2)):
            continue  # the parameters can do the same
        amount = float(own @ left) / size
        # noise of the weighted samples, as the estimate of `amount` sees it
        doubt = sigma * float(np.sqrt(np.sum((own * root) ** 2))) / size
        if abs(amount) / max(doubt, 1e-300) > max(CLEAR, best[1]):
            best = (name, abs(amount) / max(doubt, 1e-300), amount)
    if not best[0]:
        return []
    name, clear, amount = best
    words = {"an offset": f"of {amount:.3g}", "a gain": f"of {1.0 + amount:.4g}", "a delay": f"of {amount:.3g} s"}[name]
    return [
        f"'{record.channel}' in {record.experiment}: {name} {words} of the sensor would explain the data better "
        f"({min(clear, 9999.0):.0f} standard deviations); check the sensor, or make it a parameter"
    ]


def across(column: np.ndarray, J: np.ndarray) -> np.ndarray:
    """The part of a column that the columns of J cannot make up."""
    scale = np.linalg.norm(J, axis=0)
    Q, _ = np.linalg.qr(J[:, scale > 0.0] / scale[scale > 0.0])
    return column - Q @ (Q.T @ column)


def taken_for_granted(matching: Matching, x, J: np.ndarray, r: np.ndarray, noise: list[float]) -> list[str]:
    """What the data say of numbers that were assumed: wrong, right, or nothing."""
    values, said = matching.values(x), []
    spread = [np.sqrt(rec.weights) * n / rec.size for rec, n in zip(matching.records, noise, strict=True)]
    doubt = np.concatenate([*spread, np.ones(len(r) - sum(map(len, spread)))])
    for path, column in assumed_slopes(matching, values, r):
        own = across(column, J)
        size = float(own @ own)
        error = float(np.sqrt(np.sum((own * doubt) ** 2))) / max(size, 1e-300)  # of a relative change, by noise
        if not np.any(column):
            continue
        if 3.0 * error > TEN_PERCENT or size < 1e-8 * float(column @ column):
            shifts = np.linalg.lstsq(J, -TEN_PERCENT * column, rcond=LOOSE)[0]
            taken = [f"{v.name} {100 * shift_of(v, s):+.2g} %" for v, s in zip(matching.variables, shifts, strict=True)
                     if abs(shift_of(v, s)) > 0.005]  # fmt: skip
            said.append(
                f"the data cannot tell whether {path} is right: if it is 10 % more, the fit is as good with "
                f"{', '.join(taken) or 'the same parameters'}"
            )
        elif abs(change := -float(own @ r) / size) > CLEAR * error:
            said.append(f"the data ask for {path} to be {100 * change:+.2g} % (±{100 * error:.1g} %): is it right?")
    return said


def shift_of(v, s: float) -> float:
    """Relative change of a parameter for a change of its variable."""
    return float(np.expm1(s)) if v.is_log else s * v.typical / max(abs(v.guess), v.typical)


def assumed_slopes(matching: Matching, values, r: np.ndarray):
    """(path, change of the weighted residuals per relative change) of every number taken for granted."""
    paths = matching.assumed_paths()
    for path in paths:
        try:
            moved = matching.with_assumed(path, 1.0 + 1e-3, values)
        except RunFailed:
            continue
        column = np.zeros(len(r))
        column[: len(moved)] = (moved - r[: len(moved)]) / 1e-3
        yield path, column
