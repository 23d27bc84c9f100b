"""What was measured: columns of CSV files with their units, weights and noise, checked before anything runs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..schema.tables import TableError, read_csv
from ..schema.unit_grammar import parse_unit
from ..schema.written import in_si
from .study import FitFile, Measured


@dataclass
class Record:
    """One measured channel of one experiment, SI."""

    experiment: str
    channel: str
    unit: str  # SI; empty if not said
    time: np.ndarray  # as in the data [s]
    values: np.ndarray
    weights: np.ndarray  # of squared residuals: sums over samples are integrals over time, divided by the mean spacing
    noise: float | None  # standard deviation
    offset: str | None  # parameter added to the channel
    place: tuple[str | int, ...]  # in the study, for messages

    @property
    def size(self) -> float:
        """What residuals are divided by: the noise, or the size of the data."""
        return self.noise or float(np.sqrt(np.mean((self.values - self.values.mean()) ** 2))) or 1.0

    @property
    def used(self) -> np.ndarray:
        return self.weights > 0.0

    def integral(self, residuals: np.ndarray) -> float:
        """Weighted integral of squared residuals over time, in the channel's unit squared times seconds."""
        gap = (self.time[-1] - self.time[0]) / max(len(self.time) - 1, 1)
        return float(np.sum(self.weights * gap * residuals**2))


def read_records(file: FitFile) -> list[Record]:
    """All records of a study. Raises ModelError with the place in the study."""
    found = []
    for name, experiment in file.study.experiments.items():
        here = ("experiments", name)
        try:
            rows = read_csv(file.named(experiment.data, *here, "data"))
            time = experiment.time_scale * np.array(rows.values(rows.column_index(experiment.time)))
        except TableError as error:
            raise file.refusal(str(error), *here, "data") from None
        if len(time) < 2 or not np.all(np.diff(time) > 0.0):
            line = rows.lines[int(np.argmin(np.diff(time))) + 1] if len(time) > 1 else 1
            raise file.refusal(f"{rows.file}: row {line}: time does not increase; sort the rows", *here, "time")
        for k, measured in enumerate(experiment.measured):
            found.append(_record(file, name, measured, (*here, "measured", k), rows, time))
    return found


def _record(file: FitFile, name: str, measured: Measured, place, rows, time: np.ndarray) -> Record:
    try:
        values = np.array(rows.values(rows.column_index(measured.column)))
    except TableError as error:
        raise file.refusal(str(error), *place, "column") from None
    try:
        factor = parse_unit(measured.unit).to_si(Fraction(1)) if measured.unit else 1.0
        noise = None if measured.noise is None else in_si(measured.noise, measured.unit)
    except ValueError as error:
        raise file.refusal(str(error), *place, "unit") from None
    if noise is not None and not noise > 0.0:
        raise file.refusal("the noise must be above zero; leave it out if it is not known", *place, "noise")
    if measured.offset is not None and measured.offset not in file.study.parameters:
        raise file.refusal(f"there is no parameter '{measured.offset}'", *place, "offset")
    weights = _weights(file, measured, place, time)
    used = np.flatnonzero(weights > 0.0)
    if not len(used):
        raise file.refusal("no sample has a weight above zero", *place, "weights")
    span = slice(used[0], used[-1] + 1)  # what lies beyond need not be run
    return Record(
        name, measured.channel, measured.unit, time[span], factor * measured.scale * values[span], weights[span],
        noise, measured.offset, place,
    )  # fmt: skip


def _weights(file: FitFile, measured: Measured, place, time: np.ndarray) -> np.ndarray:
    """Of each sample, by the trapezoidal rule within each interval; without intervals, within all of the data."""
    if not measured.weights:
        return trapezoids(time)
    weights = np.zeros(len(time))
    for k, w in enumerate(measured.weights):
        if w.until <= w.since:
            raise file.refusal("the interval ends before it begins", *place, "weights", k)
        inside = np.flatnonzero((time >= w.since - 1e-12) & (time <= w.until + 1e-12))
        if not len(inside):
            span = f"the data go from {time[0]:g} s to {time[-1]:g} s"
            raise file.refusal(f"no sample lies between {w.since:g} s and {w.until:g} s; {span}", *place, "weights", k)
        gap = (time[-1] - time[0]) / (len(time) - 1)
        weights[inside] += w.weight * trapezoids(time[inside], gap)
    return weights


def trapezoids(time: np.ndarray, gap: float | None = None) -> np.ndarray:
    """The time each sample stands for, over the mean spacing."""
    if len(time) < 2:
        return np.ones(len(time))
    gaps = np.diff(time)
    each = 0.5 * (np.concatenate((gaps, [0.0])) + np.concatenate(([0.0], gaps)))
    return each / (gaps.mean() if gap is None else gap)
