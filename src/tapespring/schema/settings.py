"""How a model is simulated: the `simulate` section of a model file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import core_schema

from . import units
from .problems import ModelError, Problem
from .quantities import Fraction, PositiveNumber, PositiveTime
from .units import format_quantity, parse_quantity
from .validation import shown, validated
from .vectors import AccelerationVector

Outputs = int | float | tuple[float, ...]
MOST_OUTPUTS = 10_000_000
WAYS = "a number of intervals (200), an interval ('10 ms') or a list of times"


def read_outputs(value: Any) -> Outputs:
    """int: intervals; float: interval [s]; tuple: times [s]. Raises ValueError."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        times = tuple(parse_quantity(time, units.TIME) for time in value)
        if not times or times[0] < 0.0 or any(b <= a for a, b in pairwise(times)):
            raise ValueError("the output times must increase, from 0 or later")
        return times
    if isinstance(value, bool) or value is None:
        raise ValueError(f"{shown(value)} does not say when to write; give {WAYS}")
    number = parse_quantity(value, units.TIME)
    if number <= 0.0:
        raise ValueError(f"{shown(value)} is out of range; give {WAYS}")
    if number.is_integer() and (not isinstance(value, str) or value.strip().isdigit()):
        return int(number)
    return number


@dataclass(frozen=True)
class OutputsType:
    """The pydantic type of `outputs`."""

    def plain(self, outputs: Outputs) -> Any:
        """What is written to a file."""
        if isinstance(outputs, tuple):
            return list(outputs)
        return outputs if isinstance(outputs, int) else format_quantity(outputs, units.TIME)

    def __get_pydantic_core_schema__(self, source, handler) -> core_schema.CoreSchema:
        writing = core_schema.plain_serializer_function_ser_schema(self.plain, when_used="json")
        return core_schema.no_info_plain_validator_function(read_outputs, serialization=writing)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        return {
            "anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}, {"type": "array"}],
            "description": WAYS,
            "examples": [200, "10 ms"],
        }


class Baumgarte(BaseModel):
    """g'' + 2 alpha g' + beta² g = 0 instead of g'' = 0 [1/s]."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    alpha: PositiveNumber = 5.0
    beta: PositiveNumber = 5.0


class StageSettings(BaseModel):
    """Duration, solver, accuracy and output of a simulation or of one stage of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    duration: PositiveTime | None = Field(None, description="how long to simulate", examples=["10 s"])
    solver: Literal["auto", "ode", "implicit", "stiff", "baumgarte", "conserving", "quasi-static", "explicit"] = "auto"
    tolerance: PositiveNumber = Field(1e-9, description="relative accuracy of a step")
    absolute_tolerance: PositiveNumber | None = Field(
        None, description="times the model's natural length, angle and speed; else tolerance/100"
    )
    outputs: Annotated[Outputs, OutputsType()] | None = Field(None, description=f"{WAYS}; else 200 (quasi-static: 20)")
    step: PositiveTime | None = Field(None, description="fixed step of all solvers but stiff and quasi-static")
    max_step: PositiveTime | None = Field(None, description="longest step, where steps are chosen")
    function_samples: int = Field(
        10_000,
        ge=100,
        le=10_000_000,
        description="functions of time in Python are looked at in so many places first: shorter pulses may be missed",
    )
    dissipation: Fraction = Field(
        0.9, description="spectral radius of the implicit solver at high frequency: 1 keeps, 0 kills"
    )
    baumgarte: Baumgarte = Baumgarte()
    planar: Literal["auto", "off"] = Field("auto", description="run a planar model in its plane, or always in space")
    control: Literal["time", "path"] = Field(
        "time", description="quasi-static: increments of time, or along the path of equilibria through limit points"
    )
    snaps: Literal["stop", "follow"] = Field(
        "stop", description="quasi-static: end where no stable balance lies ahead, or move to the next one and go on"
    )
    snap_steps: int = Field(
        20_000, ge=100, description="quasi-static: a snap that has not come to rest after so many steps ends the run"
    )
    linear_solver: Literal["auto", "direct", "multigrid"] = Field(
        "auto", description="quasi-static: elimination, or an iteration that suits large solids; auto: as it pays"
    )
    mass_scaling: PositiveTime | None = Field(
        None, description="explicit: a step to reach by adding mass to the smallest elements; what is added is told"
    )
    threads: Literal[1, 2] = Field(1, description="explicit: threads")

    @property
    def atol(self) -> float:
        """The absolute tolerance in force."""
        return self.absolute_tolerance if self.absolute_tolerance is not None else self.tolerance / 100.0

    def output_times(self) -> list[float]:
        """Times [s] at which results are written, from 0 (or the first asked for) on. Raises ModelError."""
        if self.duration is None:
            raise ModelError(Problem(None, ("simulate", "duration"), "a simulation needs a duration, such as '10 s'"))
        outputs = self.outputs or (20 if self.solver == "quasi-static" else 200)
        if isinstance(outputs, tuple):
            late = [t for t in outputs if t > self.duration * (1.0 + 1e-12)]
            if late:
                message = (
                    f"time {late[0]:g} s is after the end at {self.duration:g} s; extend the duration or remove it"
                )
                raise ModelError(Problem(None, ("simulate", "outputs"), message))
            return list(outputs)
        count = outputs if isinstance(outputs, int) else self.duration / outputs
        if count > MOST_OUTPUTS:
            fewer = f"1000 or '{self.duration / 1000.0:g} s'"
            message = f"{count:.3g} outputs are more than {MOST_OUTPUTS:g}; ask for fewer, such as {fewer}"
            raise ModelError(Problem(None, ("simulate", "outputs"), message))
        if isinstance(outputs, int):
            return [self.duration * k / outputs for k in range(outputs + 1)]
        count = math.floor(self.duration / outputs * (1.0 + 1e-12))
        times = [k * outputs for k in range(count + 1)]
        if self.duration - times[-1] > 1e-9 * outputs:
            times.append(self.duration)
        else:
            times[-1] = self.duration
        return times


class Stage(StageSettings):
    """One part of a simulation, from where the part before it ended; what it does not say is as in `simulate`."""

    name: str = Field("", description="for messages", examples=["stow"])
    without: tuple[str, ...] = Field((), description="joints, drives, forces that are not there", examples=["[latch]"])
    rigid: tuple[str, ...] = Field(
        (), description="flexible bodies that keep the shape they have at its beginning", examples=["[boom]"]
    )
    gravity: AccelerationVector | None = Field(None, description="gravity during this stage")
    at_rest: bool = Field(False, description="begin with all velocities zero")

    def check_snaps(self, path: tuple[str | int, ...], own: bool) -> None:
        """Refuse to follow snaps where there is nothing to follow; what is said for all stages is for those it suits.
        Raises ModelError."""
        if self.solver != "quasi-static" and own:
            message = f"{self.solver} moves through snaps by itself; leave 'snaps' out, or use 'solver: quasi-static'"
            raise ModelError(Problem(None, path, message))
        if self.solver == "quasi-static" and self.control == "path":
            message = "'control: path' goes along the unstable states of a snap; leave out one of 'control' and 'snaps'"
            raise ModelError(Problem(None, path, message))


class Settings(StageSettings):
    """How a model is simulated: at once, or in stages one after the other, each with its solver."""

    stages: tuple[Stage, ...] = Field((), examples=["[{name: stow, solver: quasi-static, duration: 1 s}]"])

    def to_plain(self) -> dict[str, Any]:
        """Plain data for a file: what was said, even if it is what holds anyway."""
        return self.model_dump(mode="json", exclude_unset=True)

    def changed(self, **changes: Any) -> Settings:
        """A copy with other values, checked. Raises ModelError."""
        return validated(Settings, self.model_dump(exclude_unset=True) | changes, ("simulate",))

    def stage_list(self) -> list[Stage]:
        """The stages, each complete; a simulation without stages is one. Raises ModelError."""
        common = self.model_dump(exclude_unset=True, exclude={"stages"})
        written = [stage.model_dump(exclude_unset=True) for stage in self.stages] or [{}]
        if self.stages:
            common.pop("duration", None)
        stages = []
        for k, own in enumerate(written):
            path = ("simulate", "stages", k) if self.stages else ("simulate",)
            stage = validated(Stage, {"name": f"stage {k + 1}"} | common | own, path)
            if stage.duration is None:
                message = "a simulation needs a duration, such as '10 s'; write it here or give --duration"
                raise ModelError(Problem(None, (*path, "duration"), message))
            if stage.snaps == "follow":
                stage.check_snaps((*path, "snaps"), own=not self.stages or "snaps" in own)
            stages.append(stage)
        return stages
