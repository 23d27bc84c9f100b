"""How far a model is from the measurements: residuals of all experiments and their slopes by the parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model import Model
from ..schema.near_words import advice
from ..schema.problems import PathError, RunFailed
from ..schema.written import in_si
from .records import Record, read_records
from .runner import ModelRunner
from .study import Experiment, FitFile
from .variables import Variable, read_variables

FIRST, SHORTEST, LONGEST = 1e-5, 1e-6, 5e-3  # steps of variables by which slopes are taken
NO_EFFECT = 1e-9  # of the size of the data: a parameter that changes less changes nothing


class Matching:
    """Everything a search needs to know; `x` are variables, see variables.py."""

    def __init__(self, file: FitFile, model: Any = None):
        """Reads models and data. Raises ModelError with the place of a mistake in the study."""
        self.file, self.study = file, file.study
        self.variables: list[Variable] = read_variables(file)
        self.records: list[Record] = read_records(file)
        self.names = [v.name for v in self.variables]
        self.model = model if model is not None else self._model()
        self.paths = self._paths()
        self.runners = {name: self._runner(name, e) for name, e in self.study.experiments.items()}
        self._check_counts()
        self.steps = np.full(len(self.variables), FIRST)
        self.span = float(np.sqrt(np.mean([np.ptp(r.values / r.size) ** 2 for r in self.records])))

    # -- reading ----------------------------------------------------------------------------------------------------
    def _model(self) -> Any:
        path, colon, function = self.study.model.partition(".py:")
        if colon:
            from ..schema.functions import PythonFunction

            try:
                made = PythonFunction(python=f"{path}:{function}").resolve(self.file.folder).function
            except (ValueError, ImportError, SyntaxError) as error:
                raise self.file.refusal(str(error), "model") from None
            assert made is not None
            return made()
        return Model.from_file(self.file.named(self.study.model, "model"), **self.file.folder.allowed)

    def _paths(self) -> list[str]:
        """Every path that something is written to."""
        paths = [path for v in self.variables for path, _ in v.targets]
        repeated = next((p for p in paths if paths.count(p) > 1), None)
        if repeated is not None:
            both = " and ".join(v.name for v in self.variables if repeated in dict(v.targets))
            raise self.file.refusal(f"{repeated} is set by more than one parameter: {both}", "parameters")
        return list(dict.fromkeys(paths + [p for e in self.study.experiments.values() for p in e.sets]))

    def _made(self, paths: list[str]):
        """A runner for numbers at these paths. Raises PathError."""
        make = getattr(self.model, "runner", None)
        if make is not None:
            return make(self.study.simulate, paths)
        return ModelRunner(self.model, self.study.simulate, paths)

    def _runner(self, name: str, experiment: Experiment):
        try:
            runner = self._made(self.paths)
        except PathError as error:
            raise self._misled(error) from None
        for path, value in experiment.sets.items():
            try:
                runner.base[self.paths.index(path)] = in_si(value)
            except ValueError as error:
                raise self.file.refusal(str(error), "experiments", name, "sets", path) from None
        if experiment.begins is not None and experiment.begins not in self.names:
            message = f"there is no parameter '{experiment.begins}'{advice(experiment.begins, self.names)}"
            raise self.file.refusal(message, "experiments", name, "begins")
        return runner

    def _misled(self, error: PathError):
        """The refusal of a path, at the place of the study that names it."""
        named = [
            (path, ("parameters", v.name, *(("path",) if rule is None else ("sets", path))))
            for v in self.variables for path, rule in v.targets
        ]  # fmt: skip
        for name, experiment in self.study.experiments.items():
            named += [(path, ("experiments", name, "sets", path)) for path in experiment.sets]
        named += [(path, ("assumed", k)) for k, path in enumerate(self.study.assumed or ())]
        for path, place in named:
            try:
                self._made([path])
            except PathError as reason:
                return self.file.refusal(str(reason), *place)
        return self.file.refusal(str(error), "parameters")

    def _check_counts(self) -> None:
        samples = sum(int(r.used.sum()) for r in self.records)
        if samples < len(self.variables):
            message = f"{samples} samples cannot fix {len(self.variables)} parameters; add data or fix parameters"
            raise self.file.refusal(message, "parameters")
        if any(v.prior for v in self.variables) and any(r.noise is None for r in self.records):
            raise self.file.refusal("priors are weighed against the noise; give 'noise' of all that is measured",
                                    "parameters")  # fmt: skip

    # -- running ----------------------------------------------------------------------------------------------------
    def values(self, x) -> np.ndarray:
        return np.array([v.value(float(xi)) for v, xi in zip(self.variables, x, strict=True)])

    @property
    def guess(self) -> np.ndarray:
        return np.array([v.x(v.guess) for v in self.variables])

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        with np.errstate(divide="ignore"):
            low = np.array([v.x(v.low) if v.low > 0.0 or not v.is_log else -np.inf for v in self.variables])
        return low, np.array([v.x(v.high) for v in self.variables])

    @property
    def runs(self) -> int:
        """Of the model, those for slopes included."""
        return sum(runner.runs for runner in self.runners.values())

    def numbers(self, name: str, values: np.ndarray) -> np.ndarray:
        """At all paths, in one experiment."""
        numbers = self.runners[name].base.copy()
        for v, value in zip(self.variables, values, strict=True):
            for path, number in v.numbers(float(value)):
                numbers[self.paths.index(path)] = number
        return numbers

    def assumed_paths(self) -> list[str]:
        """Numbers taken for granted: those of the study, or the masses of bodies that no parameter sets."""
        sought = {path for v in self.variables for path, _ in v.targets}
        named = self.study.assumed
        return [path for path in (next(iter(self.runners.values())).masses if named is None else named)
                if path not in sought]  # fmt: skip

    def with_assumed(self, path: str, factor: float, values: np.ndarray) -> np.ndarray:
        """Weighted residuals if a number taken for granted were another. Raises RunFailed, ModelError."""
        other = Matching.__new__(Matching)
        other.__dict__.update(self.__dict__)
        other.paths = list(dict.fromkeys([*self.paths, path]))
        other.runners = {name: other._runner(name, e) for name, e in self.study.experiments.items()}
        for runner in other.runners.values():
            runner.base[other.paths.index(path)] *= factor
        return other.weighted(other.predicted(values))

    def predicted(self, values: np.ndarray) -> list[np.ndarray]:
        """What each record would be. Raises RunFailed."""
        found: list[np.ndarray] = []
        for name, experiment in self.study.experiments.items():
            records = [r for r in self.records if r.experiment == name]
            begin = 0.0 if experiment.begins is None else float(values[self.names.index(experiment.begins)])
            wanted = np.unique(np.concatenate([np.maximum(r.time - begin, 0.0) for r in records]))
            channels = self._channels(name, values, wanted, records)
            for record, channel in zip(records, channels, strict=True):
                rows = np.searchsorted(wanted, np.maximum(record.time - begin, 0.0))
                shift = 0.0 if record.offset is None else float(values[self.names.index(record.offset)])
                found.append(channel[rows] + shift)
        return found

    def _channels(self, name: str, values, wanted, records) -> list[np.ndarray]:
        runner = self.runners[name]
        if wanted[-1] <= 0.0:
            record = records[0]
            span = f"the data go from {record.time[0]:g} s to {record.time[-1]:g} s"
            raise self.file.refusal(
                f"the data and the run have no time in common: {span}, the run begins at 0 s; shift the times, or say "
                "when the model begins with 'begins'", "experiments", name, "data",
            )  # fmt: skip
        try:
            return runner.channels(self.numbers(name, values), wanted, [r.channel for r in records])
        except KeyError as missing:
            wrong = str(missing.args[0])
            place = next((r.place for r in records if r.channel == wrong), records[0].place)
            said = wrong if " " in wrong else f"unknown channel '{wrong}'{advice(wrong, runner.known(), 'there are')}"
            raise self.file.refusal(said, *place, "channel") from None

    def weighted(self, predicted: list[np.ndarray]) -> np.ndarray:
        """Residuals of size one, weighted; priors behind them are added by `residuals`."""
        parts = [np.sqrt(r.weights) * (p - r.values) / r.size for r, p in zip(self.records, predicted, strict=True)]
        return np.concatenate(parts)

    def residuals(self, x) -> np.ndarray | None:
        """None where the model fails."""
        try:
            r = self.weighted(self.predicted(self.values(x)))
        except RunFailed:
            return None
        return np.concatenate((r, self._prior(x)))

    def _prior(self, x) -> np.ndarray:
        known = [(xi, v.prior) for v, xi in zip(self.variables, x, strict=True) if v.prior]
        return np.array([(xi - mean) / std for xi, (mean, std) in known])

    def slopes(self, x, r: np.ndarray) -> np.ndarray:
        """Of the residuals by differences to one side, on which the model does not fail.

        Steps are such that the data change by a small part of their range: smaller ones drown in the error of the
        solver where a parameter does little; larger ones miss the slope where it does much, and carry the instants of
        impacts past samples.
        """
        J = np.zeros((len(r), len(x)))
        for k, h in enumerate(self.steps):
            sides = (h, -h) if x[k] + h <= self.bounds[1][k] else (-h, h)
            for step in sides:
                moved = self._moved(x, k, step)
                if moved is not None:
                    J[:, k] = (moved - r) / step
                    break
        size = np.sqrt(np.mean(J[: len(r) - len(self._prior(x))] ** 2, axis=0))
        wanted = self.study.search.difference * self.span / np.maximum(size, 1e-300)
        self.steps = np.clip(wanted, SHORTEST, LONGEST)
        return J

    def central_slopes(self, x, r: np.ndarray) -> np.ndarray:
        """By differences to both sides, at twice the price: parameters that are nearly tied together need them."""
        J = np.zeros((len(r), len(x)))
        for k, h in enumerate(self.steps):
            after, before = self._moved(x, k, h), self._moved(x, k, -h)
            if after is not None and before is not None:
                J[:, k] = (after - before) / (2.0 * h)
            elif after is not None or before is not None:
                J[:, k] = (after - r) / h if after is not None else (r - before) / h
        return J

    def _moved(self, x, k: int, step: float) -> np.ndarray | None:
        """Residuals with one variable changed; None where the model fails, or beyond a bound."""
        there = np.array(x, float)
        there[k] += step
        low, high = self.bounds
        return self.residuals(there) if low[k] <= there[k] <= high[k] else None

    def check_effects(self, J: np.ndarray) -> None:
        """Refuse parameters that change nothing. Raises ModelError."""
        data = J[: len(J) - sum(v.prior is not None for v in self.variables)]
        for v, column in zip(self.variables, data.T, strict=True):
            if np.abs(column).max(initial=0.0) <= NO_EFFECT:
                where = ", ".join(path for path, _ in v.targets) or "no path"
                raise self.file.refusal(
                    f"'{v.name}' ({where}) changes nothing in what was measured; fix it, or measure something else",
                    "parameters", v.name,
                )  # fmt: skip
