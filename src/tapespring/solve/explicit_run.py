"""The explicit loop as Python sees it: its step chosen, and looked at again while the shape changes."""

from __future__ import annotations

from . import explicit, stable_step, status
from .parts import find_parts
from .steps import END, FRESH, TIME

FEWEST = 64  # steps in a row: where they pause, the state is settled and its energy found, as long as several of them


class ExplicitStepper:
    """A function of (loop, record, max_steps) that advances a loop and shortens the step where the model stiffens."""

    def __init__(self, start, settings, natural: float, notes: list[str]):
        longest, said = stable_step.chosen_step(start, settings, natural)
        notes += said
        self.start, self.settings, self.notes = start, settings, notes
        self.tables = start.system.tables
        self.parts = find_parts(start)
        self.every = float(settings.duration) / stable_step.checks_for(self.parts)
        self.scheme = explicit.new_scheme(self.tables, start.q, longest, settings.threads)
        self.options[explicit.HELD_UNTIL] = start.t + self.every

    @property
    def options(self):
        return self.scheme.leap.options

    def __call__(self, loop, record, max_steps: int) -> int:
        steps = max(max_steps, FEWEST) if max_steps else 0
        code = explicit.run(self.tables, self.start.work, loop, self.scheme, record, steps)
        if code == explicit.TOO_SHARP:
            code = self.one_by_one(loop)
        if code != status.PAUSED or loop.clock[TIME] < self.options[explicit.HELD_UNTIL]:
            return code
        self.options[explicit.HELD_UNTIL] = min(loop.clock[TIME] + self.every, loop.clock[END])
        return self.look_again(loop)

    def one_by_one(self, loop) -> int:
        """Sections are turned too far against each other for the fast pass: go on without it."""
        old = self.options
        self.scheme = explicit.new_scheme(self.tables, loop.q, old[explicit.LONGEST], fast=False)
        self.options[explicit.HELD_UNTIL] = old[explicit.HELD_UNTIL]
        loop.count[FRESH] = 1
        return status.PAUSED

    def look_again(self, loop) -> int:
        """Whether the step is still stable; shortens it, or stops if it was asked for."""
        t = float(loop.clock[TIME])
        if len(self.tables.cells) and self.options[explicit.LONGEST] <= stable_step.step_of_cells(
            self.start, loop.q, t, glance=True
        ):
            return status.PAUSED
        found = stable_step.bound(self.start, loop.q, loop.v, t, self.parts)
        if self.options[explicit.LONGEST] <= found.shortest:
            return status.PAUSED
        longest = found.longest(self.start, loop.q, t)
        if self.options[explicit.LONGEST] <= longest:
            return status.PAUSED
        words = f"{longest:.4g} s are stable, limited by the {found.culprit(self.start)}"
        if self.settings.step:
            self.notes.append(f"explicit: at t = {t:.4g} s the step asked for is too long: {words}")
            return status.UNSTABLE
        self.options[explicit.LONGEST] = stable_step.SAFETY * longest
        self.options[explicit.STEPS_LEFT] = 0.0
        self.notes.append(f"explicit: the step was shortened at t = {t:.4g} s, where {words}")
        return status.PAUSED
