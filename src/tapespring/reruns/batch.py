"""Small rigid models run in blocks of samples by one compiled loop: neither model, tables, work nor records made anew.

For `ode`. Whoever asks falls back to `Reruns` for numbers this cannot do, or does not end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..build.builder import build
from ..mechanics import tables as tb
from ..model import Model
from ..results.trust import may_be_bad
from ..simulate import prepare, results_of
from ..solve import status
from ..solve.initial import model_size
from ..solve.timeline.corners import laws_that_know_time, places_of_law
from ..solve.transient import is_flexible
from .lane import Lane, Moment, Sampled
from .paths import Numbers
from .recipes import NoRecipe, Recipe
from .runs import Reruns, values_of

NEAR = 1e-7  # of the size of a channel: what is not rounding
ERRORS, AFTER_IMPACTS = 100.0, 1e4  # of steps, over their tolerance: every impact magnifies those before it


@dataclass
class Block:
    """Runs of some samples, in so far as responses look at them."""

    done: np.ndarray  # (samples,) whether it ran to its end; what else is told of others means nothing
    time: np.ndarray  # (outputs,)
    channels: dict[str, np.ndarray]  # (samples, outputs), by the names asked for
    events: list[list[Moment]]
    taken: np.ndarray  # (samples, numbers) of what was asked of each, see Batch.take


class Batch:
    """A model whose numbers at some paths lie between low and high. Raises NoRecipe where this way is not open.

    Threads may run blocks at the same time, each in a lane of its own. `take` makes numbers of each sample while its
    states between outputs are there: of something that has channels, times of outputs and events.
    """

    take: Callable[[Sampled], list[float]] | None = None

    def __init__(self, model: Model, paths: list[str], stage, low: np.ndarray, high: np.ndarray, names: list[str]):
        if stage.solver != "ode":
            raise NoRecipe("only 'ode' is run like this")
        self.numbers, self.stage, self.names = Numbers(model, paths), stage, names
        assembler, self.catalogue, self.start = prepare(
            self.numbers.changed(0.5 * (low + high)), stage.duration, stage.planar != "off",
            samples=stage.function_samples,
        )  # fmt: skip
        if is_flexible(self.start.system.tables) or assembler.crowds:
            raise NoRecipe("flexible parts, or contacts among many")
        if self.catalogue.initial or self.start.superfluous:
            raise NoRecipe("a start that has to be searched for")
        if any(contact.overlap == "relax" for contact in self.catalogue.contacts.values()):
            raise NoRecipe("gaps are counted from where surfaces are at the start")
        self.length = model_size(assembler)
        self.recipe = Recipe(self._built, low, high)
        if "axes" in self.recipe.places or "pairs" in self.recipe.places:
            raise NoRecipe("principal axes turn, or pairs change")
        if self._bends_elsewhere():
            raise NoRecipe("a law of time changes, and with it where steps have to end")
        self.free: list[Lane] = []
        self._compare(low, high)

    def _compare(self, low: np.ndarray, high: np.ndarray) -> None:
        """Channels that look at where things are drawn see the model this began with. Raises NoRecipe if that shows."""
        near = max(NEAR, (AFTER_IMPACTS if self.catalogue.contacts else ERRORS) * self.stage.tolerance)
        points = np.array([low + share * (high - low) for share in (0.0, 0.37, 1.0)])
        ours = self.run(points)
        if not ours.done.any():
            raise NoRecipe("it does not reach the end")
        for k in np.flatnonzero(ours.done):
            theirs = Reruns().run(self.numbers.changed(points[k]), self.stage, self.stage.output_times())
            if theirs.run.code != status.DONE:
                raise NoRecipe("it reaches the end where others do not")
            if not results_of([theirs]).verdict.trusted:
                raise NoRecipe("its runs are not to be trusted, which others tell one by one")
            found = theirs.channels()
            for name in self.names:
                a, b = ours.channels[name][k], values_of(found, name)
                known = np.isfinite(b)
                if not np.array_equal(np.isfinite(a), known):
                    raise NoRecipe(f"{name} is not known at the same times")
                if not np.abs(a - b)[known].max(initial=0.0) <= near * np.abs(b[known]).max(initial=0.0):
                    raise NoRecipe(f"{name} depends on where something is drawn")

    def _bends_elsewhere(self) -> bool:
        """Whether numbers of a law change that may bend or jump in time."""
        changed, tables = self.recipe.places.get("numbers", np.zeros(0, int)), self.start.system.tables
        timed = [i for i in laws_that_know_time(tables) if tables.laws[i]["kind"] not in (tb.CONSTANT, tb.POLYNOMIAL)]
        return any(np.isin(changed, places_of_law(tables, i)).any() for i in timed)

    def _built(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Everything that is made of a model before it runs."""
        assembler, _ = build(self.numbers.changed(x), duration=self.stage.duration, samples=self.stage.function_samples)
        assembler.may_be_planar = self.stage.planar != "off"
        system = assembler.finish()
        if system.plane != self.start.system.plane:
            raise NoRecipe("the plane changes")
        size = np.array([model_size(assembler)])
        return system.tables._asdict() | {"q0": system.q0, "v0": system.v0, "axes": system.axes, "size": size}

    @cached_property
    def checks_overlaps(self) -> bool:
        """What then has to be refused, others do."""
        return any(contact.overlap == "refuse" for contact in self.catalogue.contacts.values())

    def run(self, x: np.ndarray) -> Block:
        """Runs with numbers (samples, numbers); some may be left to others: their numbers are out of range, or
        something asks for more care."""
        lane = self.free.pop() if self.free else Lane(self)
        try:
            return self._run(lane, x)
        finally:
            self.free.append(lane)

    def _run(self, lane: Lane, x: np.ndarray) -> Block:
        inside = np.flatnonzero(self.recipe.holds(x))
        time = np.array(self.stage.output_times(), float)
        whole = Block(
            np.zeros(len(x), bool), time, {n: np.full((len(x), len(time)), np.nan) for n in self.names},
            [[]] * len(x), np.zeros((len(x), 0)),
        )  # fmt: skip
        taken: dict[int, list[float]] = {}
        for first in range(0, len(inside), lane.most):
            which = inside[first : first + lane.most]
            lane.run(x[which])
            energies = lane.samples.energy[: len(which)].transpose(0, 2, 1)
            whole.done[which] = (lane.samples.code[: len(which)] == status.DONE) & ~may_be_bad(energies)
            for name, values in lane.channels(len(which)).items():
                whole.channels[name][which] = values
            for sample, events in zip(which, lane.events, strict=True):
                whole.events[sample] = events
            taken |= {int(which[s]): numbers for s, numbers in lane.taken.items()}
        if taken:
            whole.taken = np.full((len(x), len(next(iter(taken.values())))), np.nan)
            whole.taken[list(taken)] = list(taken.values())
        return whole
