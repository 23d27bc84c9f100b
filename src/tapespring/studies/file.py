"""Study files of sweeps: which numbers of a model scatter and how, and what is asked of its runs.

model: pendulum.yaml
parameters:
  friction: {path: contacts.bar.friction.coefficient, distribution: {kind: uniform, low: 0.1, high: 0.3}}
sampling: {kind: latin_hypercube, samples: 200, seed: 1}
responses:
  peak: {channel: bar.normal, take: max, limit: {max: 120 N}}
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..schema.quantities import PositiveTime
from ..schema.study_file import StudyFile
from ..schema.written import Written

Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(gt=0.0, lt=1.0)]


class Part(BaseModel):
    """What all parts of a study share."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Uniform(Part):
    """Alike everywhere between two ends."""

    kind: Literal["uniform"]
    low: Written
    high: Written


class Normal(Part):
    """Mean and standard deviation; cut off at `low` and `high` where they are given."""

    kind: Literal["normal"]
    mean: Written
    std: Written
    low: Written | None = None
    high: Written | None = None


class LogNormal(Part):
    """Its logarithm is normal; mean and standard deviation are those of the quantity itself."""

    kind: Literal["lognormal"]
    mean: Written
    std: Written


class Triangular(Part):
    """From `low` up to `mode` and down to `high`."""

    kind: Literal["triangular"]
    low: Written
    mode: Written
    high: Written


class Table(Part):
    """One of some values, each with its probability; alike unless told. Or as often as they stand in a column."""

    kind: Literal["table"]
    values: tuple[Written, ...] = ()
    probabilities: tuple[float, ...] | None = None
    file: str | None = Field(None, description="a CSV file beside the study", examples=["measured.csv"])
    column: str | int = 0

    @model_validator(mode="after")
    def _one_way(self):
        if bool(self.values) == (self.file is not None):
            raise ValueError("give either 'values' or 'file'")
        return self


class Fitted(Part):
    """As uncertain as a fit left it, with its correlations: the .json file that `tapespring fit` writes."""

    kind: Literal["fitted"]
    file: str = Field(examples=["sensor.fit.json"])
    name: str | None = Field(None, description="of the parameter there; else the same")


Distribution = Annotated[Uniform | Normal | LogNormal | Triangular | Table | Fitted, Field(discriminator="kind")]


class Parameter(Part):
    """A number that differs from run to run. With `path` alone it stands there; `sets` gives formulas of `value` for
    several places; with neither it is an argument of the Python function that makes the model."""

    path: str | None = Field(None, description="where it stands in the model", examples=["forces.pivot.stiffness[0]"])
    sets: dict[str, str] = Field({}, examples=["{'bodies.bob.at[2]': 0.0584 + value}"])
    distribution: Distribution | None = None
    values: tuple[Written, ...] = Field((), description="of a grid; elsewhere, alike in probability")

    @model_validator(mode="after")
    def _one_way(self):
        if self.path is not None and self.sets:
            raise ValueError("give either 'path' or 'sets'")
        if (self.distribution is None) == (not self.values):
            raise ValueError("give either 'distribution' or 'values'")
        return self


class Correlation(Part):
    """Of two parameters, by their ranks made normal (a Gaussian copula)."""

    between: tuple[str, str]
    value: Annotated[float, Field(gt=-1.0, lt=1.0)]


class Sampling(Part):
    """Which samples are run."""

    kind: Literal["grid", "latin_hypercube", "sobol", "random", "list", "saltelli", "morris", "subset"] = (
        "latin_hypercube"
    )
    samples: Count = Field(100, description="saltelli: base samples; morris: trajectories; subset: per level")
    seed: Annotated[int, Field(ge=0)] = 0
    rows: tuple[tuple[Written, ...], ...] = Field((), description="list: values in the order of the parameters")
    file: str | None = Field(None, description="list: a CSV file with a column per parameter")
    response: str | None = Field(None, description="subset: the response whose limit is seldom violated")
    levels: Count = Field(10, description="subset: at most")


class Limit(Part):
    """What a response has to stay within."""

    min: Written | None = None
    max: Written | None = None

    @model_validator(mode="after")
    def _any(self):
        if self.min is None and self.max is None:
            raise ValueError("give 'min', 'max' or both")
        return self


TAKES = (
    "max",
    "min",
    "peak",
    "final",
    "mean",
    "rms",
    "range",
    "integral",
    "time_of_max",
    "time_of_min",
    "first_time",
    "at",
)


class Response(Part):
    """A number of a run: of a channel, of events, of a Python function of the results, or of what the function that
    takes the place of a model returns."""

    channel: str | None = Field(None, examples=["bar.normal"])
    take: Literal[TAKES] = Field("max", description="peak: largest size; first_time: at which `level` is passed")  # type: ignore[valid-type]
    level: Written | None = None
    at: PositiveTime | None = None
    smooth: PositiveTime | None = Field(None, description="mean over a window, before anything is taken")
    since: PositiveTime | None = Field(None, description="look only from here")
    until: PositiveTime | None = Field(None, description="look only up to here")
    event: str | None = Field(None, examples=["lock"])
    number: Count = Field(1, description="which one of the events")
    to_event: str | None = Field(None, description="the interval from `event` to the next of these")
    count: bool = Field(False, description="how often the event happens")
    function: str | None = Field(None, description="of the results", examples=["shapes.py:error"])
    value: str | None = Field(None, description="by name, of what a function returns")
    unit: str = ""
    limit: Limit | None = None

    @model_validator(mode="after")
    def _one_way(self):
        ways = [w for w in ("channel", "event", "function", "value") if getattr(self, w) is not None]
        if len(ways) != 1:
            raise ValueError("give one of 'channel', 'event', 'function' or 'value'")
        if self.take == "first_time" and self.channel and self.level is None:
            raise ValueError("'first_time' needs a 'level'")
        if self.take == "at" and self.channel and self.at is None:
            raise ValueError("take: at needs 'at', a time")
        return self


class Variant(Part):
    """A branch: other numbers, or parts that are missing. Every sample is run in every variant."""

    sets: dict[str, Written] = Field({}, examples=["{contacts.bar.friction.coefficient: 0.5}"])
    without: tuple[str, ...] = Field((), description="joints, drives, forces, contacts that are not there")


class Study(Part):
    """A model, what scatters, what is asked."""

    name: str = ""
    description: str = ""
    model: str = Field(description="a model file beside the study, or file.py:function", examples=["pendulum.yaml"])
    simulate: dict[str, Any] = Field({}, description="settings that go before those of the model")
    parameters: dict[str, Parameter] = Field(min_length=1)
    correlations: tuple[Correlation, ...] = ()
    sampling: Sampling = Sampling.model_validate({})
    variants: dict[str, Variant] = {}
    responses: dict[str, Response] = Field(min_length=1)
    budget: Count = Field(100_000, description="most runs")
    keep: Literal["none", "extremes", "failed", "all"] = "extremes"
    keep_most: Count = Field(20, description="runs kept, unless all are")
    time_limit: PositiveTime | None = Field(None, description="wall time of a run after which it counts as failed")
    quantiles: tuple[Share, ...] = (0.05, 0.5, 0.95)
    confidence: Share = 0.95
    surrogate: bool = Field(True, description="a polynomial of the parameters, with its cross-validated error")


class SweepFile(StudyFile):
    """A sweep."""

    schema = Study
    study: Study
