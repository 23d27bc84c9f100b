"""How a parameter scatters: from a number between 0 and 1 to its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..schema.tables import TableError, read_csv
from ..schema.text_file import read_entries
from ..schema.written import Written, in_si, si_name, unit_of
from .file import Fitted, LogNormal, Normal, Parameter, SweepFile, Table, Triangular, Uniform

TINY = 1e-15  # how near to 0 and 1 quantiles are asked for


@dataclass(frozen=True)
class Scatter:
    """A parameter's distribution; values in SI."""

    name: str
    unit: str
    quantile: Callable[[np.ndarray], np.ndarray]  # from probabilities
    bounded: bool  # for polynomials: Legendre's, else Hermite's
    discrete: np.ndarray | None = None  # its values, if there are only some
    fitted: tuple[str, str] | None = None  # file and name there

    def __call__(self, u) -> np.ndarray:
        return self.quantile(np.clip(np.asarray(u, float), TINY, 1.0 - TINY))


def read_scatter(file: SweepFile, name: str, parameter: Parameter) -> Scatter:
    """Raises ModelError with the place of what cannot be."""
    place = ("parameters", name, "distribution" if parameter.distribution is not None else "values")
    try:
        if parameter.distribution is None:
            return _table(name, parameter.values, None)
        return _READERS[parameter.distribution.kind](file, name, parameter.distribution)
    except (ValueError, ZeroDivisionError, TableError) as error:
        raise file.refusal(str(error), *place) from None


def _numbers(*written: Written) -> tuple[str, list[float]]:
    """(unit, numbers in SI); all are of the dimension of the first that has a unit. Raises ValueError."""
    unit = next((unit_of(w) for w in written if unit_of(w)), "")
    if unit and any(not unit_of(w) and in_si(w) != 0.0 for w in written):
        bare = next(w for w in written if not unit_of(w) and in_si(w) != 0.0)
        raise ValueError(f"{bare} has no unit, but another number has; write '{bare} {unit}'")
    numbers = [in_si(w, unit) for w in written]
    if not np.all(np.isfinite(numbers)):
        raise ValueError("all numbers must be finite")
    return si_name(unit), numbers


def _uniform(file: SweepFile, name: str, d: Uniform) -> Scatter:
    unit, (low, high) = _numbers(d.low, d.high)
    if not low < high:
        raise ValueError(f"low = {low:g} is not below high = {high:g}")
    return Scatter(name, unit, lambda u: low + (high - low) * u, True)


def _normal(file: SweepFile, name: str, d: Normal) -> Scatter:
    from scipy.special import ndtr, ndtri

    cuts = [c for c in (d.low, d.high) if c is not None]
    unit, (mean, std, *_) = _numbers(d.mean, d.std, *cuts)
    if not std > 0.0:
        raise ValueError(f"the std {std:g} must be positive; give a parameter that does not scatter in the model")
    if not cuts:
        return Scatter(name, unit, lambda u: mean + std * ndtri(u), False)
    low, high = (-np.inf if d.low is None else in_si(d.low)), (np.inf if d.high is None else in_si(d.high))
    if not low < high:
        raise ValueError(f"low = {low:g} is not below high = {high:g}")
    first, last = ndtr((low - mean) / std), ndtr((high - mean) / std)
    if last - first < 1e-6:
        raise ValueError("hardly anything of this normal distribution lies between low and high")
    return Scatter(name, unit, lambda u: np.clip(mean + std * ndtri(first + u * (last - first)), low, high), True)


def _lognormal(file: SweepFile, name: str, d: LogNormal) -> Scatter:
    from scipy.special import ndtri

    unit, (mean, std) = _numbers(d.mean, d.std)
    if not mean > 0.0 or not std > 0.0:
        raise ValueError("a lognormal quantity is positive: mean and std must be above zero")
    sigma = float(np.sqrt(np.log1p((std / mean) ** 2)))
    middle = float(np.log(mean) - 0.5 * sigma**2)
    return Scatter(name, unit, lambda u: np.exp(middle + sigma * ndtri(u)), False)


def _triangular(file: SweepFile, name: str, d: Triangular) -> Scatter:
    unit, (low, mode, high) = _numbers(d.low, d.mode, d.high)
    if not low < high or not low <= mode <= high:
        raise ValueError(f"low = {low:g}, mode = {mode:g} and high = {high:g} must stand in this order")
    rising = (mode - low) / (high - low)

    def quantile(u):
        up = low + np.sqrt(u * (high - low) * (mode - low))
        down = high - np.sqrt((1.0 - u) * (high - low) * (high - mode))
        return np.where(u < rising, up, down)

    return Scatter(name, unit, quantile, True)


def _of_table(file: SweepFile, name: str, d: Table) -> Scatter:
    if d.file is None:
        return _table(name, d.values, d.probabilities)
    return _table(name, tuple(_column(file, d)), None)


def _column(file: SweepFile, d: Table) -> list[float]:
    rows = read_csv(file.folder.file(str(d.file)))
    return rows.values(rows.column_index(d.column))


def _table(name: str, written: tuple[Written, ...], probabilities: tuple[float, ...] | None) -> Scatter:
    unit, values = _numbers(*written)
    given = np.full(len(values), 1.0 / len(values)) if probabilities is None else np.array(probabilities, float)
    if len(given) != len(values):
        raise ValueError(f"{len(values)} values have {len(given)} probabilities")
    if (given < 0.0).any() or abs(given.sum() - 1.0) > 1e-9:
        raise ValueError(f"probabilities are positive and their sum is 1, not {given.sum():g}")
    order = np.argsort(values, kind="stable")
    steps, ordered = np.cumsum(given[order]), np.array(values)[order]

    def quantile(u):
        return ordered[np.minimum(np.searchsorted(steps, u, side="right"), len(ordered) - 1)]

    return Scatter(name, unit, quantile, True, np.array(values))


def _fitted(file: SweepFile, name: str, d: Fitted) -> Scatter:
    from scipy.special import ndtri

    there, data = d.name or name, fit_data(file, d.file)
    if there not in data["parameters"]:
        raise ValueError(f"{d.file} has no parameter '{there}'; it has {', '.join(data['parameters'])}")
    found = data["parameters"][there]
    value, std = float(found["value"]), float(found["std"])
    if not std > 0.0 or not np.isfinite(std):
        raise ValueError(f"the fit of '{there}' has no finite std: the data do not fix it")
    if found.get("scale") == "log":
        middle, sigma = np.log(value), float(found["relative_std"])
        return Scatter(name, found["unit"], lambda u: np.exp(middle + sigma * ndtri(u)), False, fitted=(d.file, there))
    return Scatter(name, found["unit"], lambda u: value + std * ndtri(u), False, fitted=(d.file, there))


def fit_data(file: SweepFile, name: str) -> dict[str, Any]:
    """What a fit wrote. Raises ValueError."""
    path = file.folder.file(name)
    try:
        data = read_entries(path)
        for found in data["parameters"].values():
            np.array([found[key] for key in ("value", "std", "relative_std")], float)
            found["unit"].strip()
        if np.array(data["correlation"], float).shape != (len(data["parameters"]),) * 2:
            raise ValueError
    except OSError as error:
        raise ValueError(f"'{path}' cannot be read: {error.strerror}; `tapespring fit` writes it") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ValueError(f"'{path}' is not what `tapespring fit` writes; run the fit again") from None
    return data


_READERS: dict[str, Callable[[SweepFile, str, Any], Scatter]] = {
    "uniform": _uniform, "normal": _normal, "lognormal": _lognormal, "triangular": _triangular, "table": _of_table,
    "fitted": _fitted,
}  # fmt: skip


def read_correlation(file: SweepFile, scatters: list[Scatter]) -> np.ndarray | None:
    """Cholesky factor of the correlation of ranks made normal; None if nothing is correlated. Raises ModelError."""
    names = [s.name for s in scatters]
    matrix = np.eye(len(names))
    for k, pair in enumerate(file.study.correlations):
        for name in pair.between:
            if name not in names:
                raise file.refusal(f"there is no parameter '{name}'", "correlations", k)
        i, j = (names.index(name) for name in pair.between)
        if i == j:
            raise file.refusal("two different parameters are wanted", "correlations", k)
        matrix[i, j] = matrix[j, i] = pair.value
    by_file: dict[str, list[int]] = {}
    for k, s in enumerate(scatters):
        if s.fitted is not None:
            by_file.setdefault(s.fitted[0], []).append(k)
    for name, places in by_file.items():
        data = fit_data(file, name)
        known = list(data["parameters"])
        rows = [known.index(scatters[k].fitted[1]) for k in places]  # type: ignore[index]
        matrix[np.ix_(places, places)] = np.array(data["correlation"])[np.ix_(rows, rows)]
    if np.array_equal(matrix, np.eye(len(names))):
        return None
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise file.refusal("no numbers are correlated like this: the matrix is not positive", "correlations") from None
