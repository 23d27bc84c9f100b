"""What a study is going to run: parameters, samples, variants and responses, all of it read and counted."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

import numpy as np

from ..results.provenance import VERSION
from ..schema.expressions import ExpressionError, compile_expression
from ..schema.named_files import contents
from ..schema.programs import Program, evaluate
from ..schema.tables import TableError, read_csv
from ..schema.written import Written, in_si
from .distributions import Scatter, read_correlation, read_scatter
from .file import SweepFile
from .sampling import DESIGNS, Design, Given

ANSWERS_ONLY = ("name", "description", "budget", "keep", "keep_most", "quantiles", "confidence", "surrogate")
GROWS = ("random", "sobol")  # samplings whose first samples stay the same when more are asked for


@dataclass(frozen=True)
class Target:
    """Where a parameter goes: a path, by a formula of `value` or as it is."""

    parameter: int
    path: str
    rule: Program | None

    def value(self, row) -> float:
        return float(row[self.parameter] if self.rule is None else evaluate(self.rule, (float(row[self.parameter]),)))


class Plan:
    """A study that was read; indices go through all samples of the first variant, then of the next."""

    def __init__(self, file: SweepFile):
        """Raises ModelError with the place of a mistake."""
        self.file, self.study = file, file.study
        given = self.study.parameters
        self.scatters: list[Scatter] = [read_scatter(file, name, p) for name, p in given.items()]
        self.names = list(given)
        self.units = [s.unit for s in self.scatters]
        self.arguments = [k for k, p in enumerate(given.values()) if p.path is None and not p.sets]
        self.targets = self._targets()
        self.mixing = read_correlation(file, self.scatters)
        self.variants = list(self.study.variants) or [""]
        self.design = self._design()
        self._check_budget()

    def _targets(self) -> list[Target]:
        found: list[Target] = []
        for k, (name, parameter) in enumerate(self.study.parameters.items()):
            if parameter.path is not None:
                found.append(Target(k, parameter.path, None))
            for path, formula in parameter.sets.items():
                try:
                    found.append(Target(k, path, compile_expression(str(formula), ("value",))))
                except ExpressionError as error:
                    raise self.file.refusal(str(error), "parameters", name, "sets", path) from None
        paths = [t.path for t in found]
        repeated = next((p for p in paths if paths.count(p) > 1), None)
        if repeated is not None:
            raise self.file.refusal(f"{repeated} is set by more than one parameter", "parameters")
        return found

    # -- samples ----------------------------------------------------------------------------------------------------
    def _design(self) -> Design | Given | None:
        sampling = self.study.sampling
        if self.mixing is not None and sampling.kind in ("grid", "saltelli", "morris"):
            message = (
                f"{sampling.kind} takes parameters one by one, but some are correlated; use latin_hypercube, sobol or "
                "random"
            )
            raise self.file.refusal(message, "sampling", "kind")
        if sampling.kind == "grid":
            return self._grid()
        if sampling.kind == "list":
            return self._list()
        if sampling.kind == "subset":
            self._check_subset()
            return None
        return DESIGNS[sampling.kind](len(self.names), sampling.samples, sampling.seed)

    def _grid(self) -> Given:
        for name, s in zip(self.names, self.scatters, strict=True):
            if s.discrete is None:
                message = "a grid needs 'values' of every parameter, such as values: [1 mm, 2 mm]"
                raise self.file.refusal(message, "parameters", name)
        return Given(tuple(s.discrete for s in self.scatters if s.discrete is not None), True)

    def _list(self) -> Given:
        sampling, place = self.study.sampling, ("sampling", "rows")
        try:
            if sampling.file is not None:
                rows = read_csv(self.file.folder.file(sampling.file))
                return Given(tuple(np.array(rows.values(rows.column_index(name))) for name in self.names), False)
            if not sampling.rows:
                raise ValueError("a list needs 'rows' or a 'file'")
            for k, row in enumerate(sampling.rows):
                if len(row) != len(self.names):
                    raise ValueError(f"row {k + 1} has {len(row)} values for {len(self.names)} parameters")
            columns = zip(*sampling.rows, strict=True)
            return Given(
                tuple(np.array([in_si(v, _dimension(u)) for v in c]) for c, u in zip(columns, self.units, strict=True)),
                False,
            )
        except (ValueError, TableError) as error:
            raise self.file.refusal(str(error), *place) from None

    def _check_subset(self) -> None:
        response = self.study.sampling.response
        limited = [name for name, r in self.study.responses.items() if r.limit is not None]
        if response is None or response not in self.study.responses:
            message = (
                f"subset simulation needs 'response', one with a limit: {', '.join(limited) or 'there is none yet'}"
            )
            raise self.file.refusal(message, "sampling")
        if response not in limited:
            raise self.file.refusal(f"the response '{response}' has no limit to violate", "sampling", "response")
        if self.study.variants:
            raise self.file.refusal("subset simulation takes no variants; make a study of each", "variants")
        if any(s.discrete is not None for s in self.scatters):
            raise self.file.refusal("subset simulation takes no tables of values", "parameters")
        if self.study.sampling.samples < 100 or self.study.sampling.samples % 10:
            raise self.file.refusal("samples per level are 100 at least, and a multiple of 10", "sampling", "samples")

    def _check_budget(self) -> None:
        if self.count > self.study.budget:
            message = (
                f"this asks for {self.count} runs, and the budget is {self.study.budget}; take fewer samples or give a "
                "larger 'budget'"
            )
            raise self.file.refusal(message, "sampling")

    @property
    def samples(self) -> int:
        """Per variant; of subset simulation, at most."""
        if self.design is None:
            return self.study.sampling.samples * self.study.sampling.levels
        return self.design.count

    @property
    def count(self) -> int:
        """Runs in all."""
        return self.samples * len(self.variants)

    def variant_of(self, indices) -> np.ndarray:
        return np.asarray(indices) // self.samples

    def rows(self, indices) -> np.ndarray:
        """Values [SI] of the parameters, (len(indices), parameters)."""
        indices = np.asarray(indices, np.int64) % self.samples
        assert self.design is not None
        if isinstance(self.design, Given):
            return self.design.values(indices)
        return self.from_unit(self.design.rows(indices))

    def from_unit(self, u: np.ndarray) -> np.ndarray:
        """Values of numbers between 0 and 1."""
        from scipy.special import ndtr, ndtri

        if self.mixing is not None:
            u = ndtr(ndtri(np.clip(u, 1e-15, 1.0 - 1e-15)) @ self.mixing.T)
        return np.stack([s(u[:, k]) for k, s in enumerate(self.scatters)], axis=1)

    def ranges(self, rare: float) -> tuple[np.ndarray, np.ndarray]:
        """(least, most) number at each path, but for the rarest parameters on either side."""
        u = np.linspace(rare, 1.0 - rare, 129)
        values = {k: s(u) for k, s in enumerate(self.scatters)}
        if isinstance(self.design, Given):
            values = {k: c for k, c in enumerate(self.design.columns)}
        seen = [[t.value({t.parameter: v}) for v in values[t.parameter]] for t in self.targets]
        return np.array([min(s) for s in seen]), np.array([max(s) for s in seen])

    def from_normal(self, z: np.ndarray) -> np.ndarray:
        """Values of independent standard normal numbers."""
        from scipy.special import ndtr

        return self.from_unit(ndtr(z))

    # -- responses --------------------------------------------------------------------------------------------------
    @property
    def responses(self) -> list[str]:
        return list(self.study.responses)

    def limits(self, name: str, unit: str) -> tuple[float, float]:
        """(least, most) allowed [SI]; infinite without a limit. Raises ModelError."""
        limit = self.study.responses[name].limit
        if limit is None:
            return -np.inf, np.inf
        try:
            low, high = (_limit(w, unit) for w in (limit.min, limit.max))
        except ValueError as error:
            raise self.file.refusal(str(error), "responses", name, "limit") from None
        low, high = -np.inf if low is None else low, np.inf if high is None else high
        if not low < high:
            raise self.file.refusal(f"min {low:g} is not below max {high:g}", "responses", name, "limit")
        return low, high

    def mark(self) -> str:
        """A fingerprint of everything the samples depend on, with the contents of all files that are named and the
        version of the program; not of what is only asked of them afterwards."""
        data = {key: value for key, value in self.file.source.data.items() if key not in ANSWERS_ONLY}
        sampling = dict(data.get("sampling") or {})
        if sampling.get("kind") != "subset":  # which goes where the limit is
            data["responses"] = {k: {f: v for f, v in r.items() if f != "limit"} for k, r in data["responses"].items()}
        if sampling.get("kind") in GROWS and len(self.variants) == 1:
            sampling.pop("samples", None)
        text = json.dumps(data | {"sampling": sampling}, sort_keys=True, default=str)
        return hashlib.sha256(f"{VERSION}\n{text}\n".encode() + contents(data, self.file.folder)).hexdigest()


def _dimension(unit: str) -> str:
    return "" if unit == "1" else unit


def _limit(written: Written | None, unit: str) -> float | None:
    return None if written is None else in_si(written, _dimension(unit))
