"""What a fit asks of a model: channels at times for numbers at paths. Equations bring a runner of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model import Model
from ..reruns import Numbers, Reruns
from ..schema.problems import ModelError, RunFailed

ACCURATE = 1e-8  # tolerance of a step, unless the study says otherwise: differences are taken of the results


class ModelRunner:
    """Runs a model with other numbers at some paths."""

    def __init__(self, model: Model, settings: dict[str, Any], paths: list[str]):
        """Raises PathError and ModelError."""
        self.model = without_events(model)
        if "tolerance" not in settings:
            settings = settings | {"tolerance": max(model.settings.tolerance, ACCURATE)}
        self.settings = self.model.settings.changed(**settings)
        self.numbers = Numbers(self.model, paths)
        self.base = np.array(self.numbers.values)
        self.reruns = Reruns()
        self.runs = 0
        stages = self.settings.changed(duration=1.0, outputs=1).stage_list()
        if len(stages) > 1:
            raise ModelError([model.problem(("simulate", "stages"), "a fit takes models of a single stage")])
        self.stage = stages[0]

    def channels(self, numbers, times: np.ndarray, names: list[str]) -> list[np.ndarray]:
        """Channels at increasing times [s]. Raises RunFailed, and KeyError for a channel that is not there."""
        try:
            model = self.numbers.changed(numbers)
        except ModelError as error:
            raise RunFailed(str(error)) from None
        self.runs += 1
        stage = self.stage.model_copy(update={"duration": float(times[-1])})
        return self.reruns.channels(model, stage, times, names)

    def known(self) -> list[str]:
        """Channels of one number, by name."""
        results = self.model.simulate(duration=1e-3 * (self.model.settings.duration or 1.0), outputs=1)
        names = []
        for channel in results.channels.values():
            parts = channel.components or ()
            names += [f"{channel.name}.{part}" for part in parts] if parts else [channel.name]
        return names

    @property
    def masses(self) -> list[str]:
        """Paths of the masses written in the model."""
        found = []
        for name, body in self.model.section("bodies").items():
            if isinstance(getattr(body, "mass", None), float):
                found.append(f"bodies.{name}.mass")
        return found


def without_events(model: Model) -> Model:
    """The model without events that only watch."""
    changed = type(model).__new__(type(model))
    changed.__dict__.update(model.__dict__)
    kept = {name: event for name, event in model.entities["events"].items() if getattr(event, "stop", False)}
    changed.entities = model.entities | {"events": kept}
    return changed
