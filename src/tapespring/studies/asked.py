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
from ..schema.written import in_si
from ..stages import stage_model
from .file import Response
from .responses import unit_taken
from .trial import Trial


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
        events: set[str] = set()
        known: dict[str, str] = {}
        if isinstance(self.first, Model):
            for variant in range(len(self.trial.plan.variants)):
                self.trial.numbers_of(self.first, variant)
            known, events = self._channels(self.first)
        elif isinstance(self.first, Results):
            known, events = units_of(self.first.channels.values()), {e.name for e in self.first.events}
        asked = self.trial.study.responses
        return [self._unit(name, response, known, events) for name, response in asked.items()]

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
            for coupling in assembler.couplings:
                assembler.track(coupling[0])
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
