"""A model run again and again with other numbers: nothing is compiled, linked or laid out a second time.

Other numbers change what stands in the tables, not their shapes. So the model is built anew, which takes a part of a
millisecond, and the new tables are copied into those that work arrays and kernels hold already. Where shapes do change,
or the beginning has to be searched for (initial joint coordinates, redundant rows), everything is made anew.
"""

from __future__ import annotations

import numpy as np

from ..build.assembler import System
from ..build.builder import build
from ..model import Model
from ..schema.problems import ModelError, RunFailed
from ..simulate import prepare
from ..solve import status
from ..solve.initial import CLOSED, Start, model_size, model_speed, settle
from ..solve.transient import run_transient
from ..stages import StageRun


class Reruns:
    """Runs of models that differ in numbers."""

    def __init__(self) -> None:
        self.start: Start | None = None
        self.fresh: dict[str, np.ndarray] = {}
        self.solver_s = 0.0

    def channels(self, model: Model, stage, times, names) -> list[np.ndarray]:
        """Channels by name at times [s], which increase from 0 or later. Raises RunFailed and KeyError."""
        part = self.run(model, stage, times)
        if part.run.code != status.DONE:
            raise RunFailed(ending(part.run))
        found = part.channels()
        return [values_of(found, name) for name in names]

    def run(self, model: Model, stage, times, progress=None) -> StageRun:
        """One run with outputs at times [s], as it ended. Raises RunFailed if it cannot begin."""
        try:
            start, catalogue = self._started(model, stage)
        except ModelError as error:
            raise RunFailed(str(error)) from None
        run = run_transient(start, stage, list(times), progress)
        self.solver_s += run.cpu_s
        return StageRun(stage, start, catalogue, run, 0.0)

    def _started(self, model: Model, stage):
        if self.start is not None:
            again = self._refilled(model, stage)
            if again is not None:
                return again
        _, catalogue, start = prepare(model, stage.duration, stage.planar != "off", samples=stage.function_samples)
        self.start = None
        if not catalogue.initial and not start.superfluous:
            self.start = start
            self.fresh = {n: a.copy() for n, a in start.work._asdict().items() if isinstance(a, np.ndarray)}
        self._check_contacts(start, catalogue, model)
        return start, catalogue

    def _refilled(self, model: Model, stage):
        """(start, catalogue) on the tables there are, or None if they have other shapes."""
        assert self.start is not None
        old = self.start.system
        assembler, catalogue = build(model, duration=stage.duration, samples=stage.function_samples)
        assembler.may_be_planar = stage.planar != "off"
        new = assembler.finish()
        if catalogue.initial or new.plane != old.plane or not same_shapes(new.tables, old.tables):
            return None
        for into, values in zip(old.tables, new.tables, strict=True):
            into[...] = values
        system = System(old.tables, new.q0, new.v0, new.kept, new.axes, new.plane, assembler, new.rows)
        start = self._begun(system)
        if start is None:
            return None
        self._check_contacts(start, catalogue, model)
        return start, catalogue

    def _begun(self, system: System) -> Start | None:
        """A consistent start, or None if it has to be searched for."""
        assert self.start is not None
        work, tables = self.start.work, system.tables
        self._cleared()
        length = model_size(system.drafts)
        q, v = system.q0.copy(), system.v0.copy()
        if not settle(tables, work, 0.0, q, v.copy(), 1e-13 * length, 100) <= CLOSED * length:
            return None
        settle(tables, work, 0.0, q.copy(), v, 1e-13 * length, 1)
        settle(tables, work, 0.0, q.copy(), v, 1e-13 * length, 1)
        speed = model_speed(system, work, q, v, length, 0.0)
        if work.dropped[0]:
            return None
        self._cleared()
        return Start(system, work, q, v, length, speed, system)

    def _cleared(self) -> None:
        """Scratch and memory of the run before are as they were at first."""
        assert self.start is not None
        for name, values in self.fresh.items():
            getattr(self.start.work, name)[...] = values

    def _check_contacts(self, start: Start, catalogue, model: Model) -> None:
        if catalogue.contacts:
            from ..contact_report import check_contacts

            check_contacts(start, catalogue, model)


def ending(run) -> str:
    """When and why a run ended."""
    return f"the run ended at t = {run.time:.4g} s: {status.WORDS.get(run.code, 'stopped')}"


def same_shapes(new, old) -> bool:
    return all(a.shape == b.shape and a.dtype == b.dtype for a, b in zip(new, old, strict=True))


def values_of(channels, name: str) -> np.ndarray:
    """A channel of one number, or a component of another. Raises KeyError."""
    if name in channels:
        channel = channels[name]
        if channel.components:
            raise KeyError(f"'{name}' has components; name one, such as {name}.{channel.components[0]}")
        return channel.values
    owner, _, part = name.rpartition(".")
    if owner in channels and part in tuple(channels[owner].components or ()):
        return channels[owner].values[:, list(channels[owner].components).index(part)]
    raise KeyError(name)
