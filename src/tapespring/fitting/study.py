"""Study files: which numbers of a model are sought, and which measurements they are to explain.

model: sensor.yaml
parameters:
  k0: {path: 'forces.pivot.stiffness[0]', guess: 0.0156 N m/rad}
  arm: {sets: {'bodies.bob.at[2]': 0.0584 + value}, guess: 19.1 mm}
experiments:
  sled:
    data: sled.csv
    time: t
    measured:
      - {channel: pivot.angle_x, column: angle, noise: 0.005 rad}
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from ..schema.quantities import NonNegativeNumber, PositiveNumber, PositiveTime, Time
from ..schema.study_file import StudyFile
from ..schema.written import Written


class Part(BaseModel):
    """What all parts of a study share."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Prior(Part):
    """What is known of a parameter beforehand: a mean and a standard deviation, in the parameter's unit."""

    mean: Written
    std: Written


class Parameter(Part):
    """A number to be found. With `path` alone it stands there; `sets` gives formulas of `value` for several places."""

    path: str | None = Field(None, description="where it stands in the model", examples=["forces.pivot.stiffness[0]"])
    sets: dict[str, str] = Field({}, examples=["{'bodies.bob.at[2]': 0.0584 + value}"])
    guess: Written = Field(examples=["0.02 N m/rad"])
    bounds: tuple[Written | None, Written | None] = (None, None)
    scale: Literal["log", "linear"] = Field("log", description="log: positive, and sought by its logarithm")
    typical: Written | None = Field(None, description="size of a change that matters, for a linear scale near zero")
    prior: Prior | None = None

    @model_validator(mode="after")
    def _one_way(self):
        if self.path is not None and self.sets:
            raise ValueError("give either 'path' or 'sets'")
        return self


class Weight(Part):
    """A factor on squared residuals within an interval of the data's time."""

    since: Time = Field(alias="from", examples=["0 s"])
    until: Time = Field(alias="to", examples=["80 ms"])
    weight: NonNegativeNumber


class Measured(Part):
    """A column of the data and the channel that should be like it: column × scale = channel + offset."""

    channel: str = Field(examples=["pivot.angle_x"])
    column: StrictStr | StrictInt = Field(examples=["angle"])
    unit: str = Field("", description="of the column; else that of the channel")
    noise: Written | None = Field(None, description="standard deviation, if known; else taken from the residuals")
    scale: PositiveNumber = 1.0
    offset: str | None = Field(None, description="a parameter added to the channel")
    weights: tuple[Weight, ...] = Field((), description="else 1 everywhere; 0 outside of the intervals given")


class Experiment(Part):
    """One run of the model and what was measured in it."""

    data: str = Field(description="a CSV file beside the study", examples=["sled.csv"])
    time: StrictStr | StrictInt = Field(0, description="column of time [s]")
    time_scale: PositiveNumber = Field(1.0, description="seconds per unit of the column")
    begins: str | None = Field(None, description="a parameter: the time in the data at which the model begins")
    sets: dict[str, Written] = Field({}, description="numbers of the model in this experiment, by path")
    measured: tuple[Measured, ...] = Field(min_length=1)


class Search(Part):
    """How the optimum is sought."""

    method: Literal["levenberg-marquardt", "simplex"] = "levenberg-marquardt"
    starts: Annotated[int, Field(ge=1)] = Field(1, description="the guess, and random starts around it")
    spread: PositiveNumber = Field(5.0, description="random starts lie within ×/÷ this of the guess")
    seed: int = 0
    solutions: Annotated[int, Field(ge=2)] = Field(200, description="most model solutions per start")
    accuracy: PositiveNumber = Field(1e-6, description="relative change of the parameters at which to stop")
    difference: PositiveNumber = Field(2e-6, description="change of the data, over their range, for sensitivities")
    processes: Annotated[int, Field(ge=1)] | None = Field(None, description="else as many as there are cores")


class Study(Part):
    """A model, parameters, experiments."""

    name: str = ""
    description: str = ""
    model: str = Field(description="a model file, beside the study", examples=["sensor.yaml"])
    simulate: dict[str, Any] = Field({}, description="settings that go before those of the model")
    parameters: dict[str, Parameter] = Field(min_length=1)
    experiments: dict[str, Experiment] = Field(min_length=1)
    derived: dict[str, str] = Field({}, description="formulas of the parameters to be told with their errors")
    assumed: tuple[str, ...] | None = Field(
        None, description="paths of numbers that are taken for granted; else the masses of the bodies"
    )
    search: Search = Search.model_validate({})
    duration: PositiveTime | None = Field(None, description="else to the end of the data")


class FitFile(StudyFile):
    """A fit."""

    schema = Study
    study: Study
