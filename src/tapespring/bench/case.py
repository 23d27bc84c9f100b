"""What a benchmark case is: models, and quantities with a published or independent value to compare with.

Marks say where a reference comes from. P: published in the source of the problem. R: recomputed independently, without
fitting. A: closed form, or two independent sources agree. B: one published source. D: one independent solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..model import Model
from ..refining import refined
from ..results import Results

MODELS = Path(__file__).parent / "models"
MARKS = ("P", "R", "A", "B", "D")

Progress = Callable[[float, str], Any]


@dataclass(frozen=True)
class Quantity:
    """A number of a run and what it should be, within an absolute tolerance."""

    name: str
    unit: str
    reference: float
    tolerance: float
    source: str
    mark: str
    value: Callable[[Any], float]  # of the Results of the run, or of what the case computes instead
    run: str = ""  # which model of the case

    def of(self, results: Any) -> float | None:
        """None if the run did not get that far."""
        try:
            return float(self.value(results))
        except ValueError:  # a time that was not stored
            return None

    def compared(self, results: Any) -> dict[str, Any]:
        """The comparison as plain data."""
        value = self.of(results)
        return {
            "name": self.name,
            "value": value,
            "unit": self.unit,
            "reference": self.reference,
            "source": self.source,
            "mark": self.mark,
            "tolerance": self.tolerance,
            "ok": value is not None and bool(abs(value - self.reference) <= self.tolerance),  # False for NaN
            "run": self.run,
        }


@dataclass(frozen=True)
class Case:
    """A problem by name; `quantities` is called for each run of the case, so that references may be computed there.

    Models are simulated, unless `compute` says what to ask of each one instead: vibrations, buckling, a study of its
    own. What it returns is what quantities take their values from. `refined` makes a finer model of one of them.
    """

    name: str
    about: str
    models: Mapping[str, Callable[[], Model]]
    quantities: Callable[[], Iterable[Quantity]]
    compute: Callable[[Model], Any] | None = None
    refined: Callable[[Model], Model] = refined


def case(
    name: str,
    about: str,
    model: Callable[[], Model],
    quantities: Callable[[], Iterable[Quantity]],
    compute: Callable[[Model], Any] | None = None,
) -> Case:
    """A case of a single model."""
    return Case(name, about, {"": model}, quantities, compute)


def from_yaml(file: str, **changes: Any) -> Callable[[], Model]:
    """A model of the folder `models`, with other settings."""

    def build() -> Model:
        model = Model.from_file(MODELS / file)
        model.settings = model.settings.changed(**changes)
        return model

    return build


def at(channel: str, time: float) -> Callable[[Results], float]:
    """The value of a channel, or of one of its components, at an output time [s]."""
    return lambda results: results[channel].at(time)


def by_hand(value: float) -> Callable[[Any], float]:
    """A value that no run is needed for: of a closed form."""
    return lambda _: value


def final(channel: str) -> Callable[[Results], float]:
    """The last value of a channel."""
    return lambda results: results[channel].final


def energy_drift(tolerance: float) -> Quantity:
    """Largest change of the stored energy of a system that should keep it."""

    def drift(results: Results) -> float:
        if results.audit is None:
            return float("nan")
        stored = results.audit.stored
        return float(abs(stored - stored[0]).max())

    return Quantity("energy drift", "J", 0.0, tolerance, "conservation of energy", "A", drift)
