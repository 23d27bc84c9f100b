"""Whether what a study asks for exists: paths, channels, events, values; found before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..build.builder import build
from ..channels import History, make_channels
from ..model import Model
from ..results import Results
from ..schema.near_words import advice
from ..schema.problems import ModelError
from ..schema.written import in_si
from ..stages import stage_model
from .file import Response
from .responses import unit_taken
from .sampling import Given
from .trial import Trial, why


class Asked:
    """Responses with their units and limits [SI]. Raises ModelError for quantities that are not there.

    A Python function that returns numbers is called once, with the medians of its parameters, to learn their names.
    """

    def __init__(self, trial: Trial):
        self.trial, self.file = trial, trial.file
        plan = trial.plan
        self.first = self._first()
        self.names = plan.responses
        self.units = self._units()
        self.limits = [plan.limits(name, unit) for name, unit in zip(self.names, self.units, strict=True)]

    def _first(self) -> Any:
        plan = self.trial.plan
        try:
            return self.trial.made_of(plan.from_unit(np.full((1, len(plan.names)), 0.5))[0])
        except Exception as error:  # of somebody's function
            message = f"the function fails at the medians of its parameters: {type(error).__name__}: {error}"
            raise self.file.refusal(message, "model") from None

    def _units(self) -> list[str]:
        """Of what is asked, which is there in every variant."""
        if isinstance(self.first, Model):
            models = [self.trial.numbers_of(self.first, k)[0] for k in range(len(self.trial.plan.variants))]
            self._check_numbers()
            stages = self.trial.settings_of(self.first).stage_list()
            self._check_times(sum(stage.duration for stage in stages))
            units = [self._units_of(*self._channels(model)) for model in models]
            return units[0]
        if isinstance(self.first, Results):
            self._check_times(float(self.first.time[-1]))
            return self._units_of(units_of(self.first.channels.values()), {e.name for e in self.first.events})
        return self._units_of({}, set())

    def _units_of(self, known: dict[str, str], events: set[str]) -> list[str]:
        asked = self.trial.study.responses
        return [self._unit(name, response, known, events) for name, response in asked.items()]

    def _check_numbers(self) -> None:
        """The model takes the units of all parameters, and both ends of those that have any."""
        trial, plan = self.trial, self.trial.plan
        numbers, (low, high) = trial.numbers_of(self.first, 0)[1], plan.ranges(0.0)
        own: list[float | str] = list(numbers.values)
        for k, target in enumerate(plan.targets):
            unit, bounded = plan.units[target.parameter], plan.scatters[target.parameter].bounded
            tried: list[float | str] = [low[k], high[k]] if bounded or isinstance(plan.design, Given) else []
            if target.rule is None and unit not in ("", "1"):
                tried.insert(0, f"{own[k]:g} {unit}")
            for value in tried:
                try:
                    numbers.changed([*own[:k], value, *own[k + 1 :]])
                except ModelError as error:
                    shown = f"numbers in {unit}" if isinstance(value, str) else f"{value:g} {unit}".strip()
                    message = f"the model does not take {shown} at {target.path}: {why(error)}"
                    raise self.file.refusal(message, "parameters", plan.names[target.parameter]) from None

    def _check_times(self, duration: float) -> None:
        """Responses look at times that a run has."""
        for name, response in self.trial.study.responses.items():
            since, until = response.since or 0.0, response.until or duration
            if not since < until:
                message = f"since {since:g} s is not before {until:g} s"
                raise self.file.refusal(message, "responses", name, "since" if response.since else "until")
            for key in ("at", "since", "smooth"):
                asked = getattr(response, key)
                if asked is not None and asked > duration * (1.0 + 1e-9):
                    raise self.file.refusal(
                        f"{asked:g} s is longer than the run, {duration:g} s", "responses", name, key
                    )

    def _unit(self, name: str, response: Response, known: dict[str, str], events: set[str]) -> str:
        if response.value is not None:
            there = list(self.first) if isinstance(self.first, Mapping) else []
            if response.value not in there:
                message = f"no value '{response.value}' comes back{advice(response.value, there, 'there are')}"
                raise self.file.refusal(message, "responses", name, "value")
            return response.unit
        if response.function is not None:
            return response.unit
        return self._of_channel(name, response, known) if response.channel else self._of_events(name, response, events)

    def _of_channel(self, name: str, response: Response, known: dict[str, str]) -> str:
        channel = str(response.channel)
        if channel not in known:
            parts = [k for k in known if k.startswith(f"{channel}.")]
            hint = f"; choose one of its components, such as {parts[0]}" if parts else advice(channel, known)
            raise self.file.refusal(f"unknown channel '{channel}'{hint}", "responses", name, "channel")
        unit = known[channel]
        if response.level is not None:
            try:
                in_si(response.level, "" if unit == "1" else unit)
            except ValueError as error:
                raise self.file.refusal(str(error), "responses", name, "level") from None
        return unit_taken(response, unit)

    def _of_events(self, name: str, response: Response, events: set[str]) -> str:
        for key in ("event", "to_event"):
            wanted = getattr(response, key)
            if wanted is not None and wanted not in events and wanted.rpartition(".")[0] not in events:
                message = f"there is no event '{wanted}'{advice(wanted, events, 'there are')}"
                raise self.file.refusal(message, "responses", name, key)
        return "1" if response.count else "s"

    def _channels(self, model: Model) -> tuple[dict[str, str], set[str]]:
        """Units of all channels of one number, by name, and names of events and of what makes some of its own."""
        found: dict[str, str] = {}
        for stage in self.trial.settings_of(model).stage_list():
            assembler, catalogue = build(stage_model(model, stage), duration=stage.duration)
            assembler.may_be_planar = False
            found |= units_of(make_channels(History(Bare(assembler.finish()), catalogue, None, 0)))  # type: ignore[arg-type]
        return found, {*model.section("events"), *model.section("contacts"), *model.section("joints")}


class Bare:
    """As much of a start as names of channels need."""

    def __init__(self, system):
        self.system = self.full = system


def units_of(channels) -> dict[str, str]:
    """Of all channels of one number and all components of others."""
    found: dict[str, str] = {}
    for channel in channels:
        parts = tuple(channel.components)
        found |= {f"{channel.name}.{part}": channel.unit for part in parts} if parts else {channel.name: channel.unit}
    return found
