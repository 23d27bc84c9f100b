"""The explicit loop as Python sees it: its step chosen, and looked at again while the shape changes."""

from __future__ import annotations

from ..mechanics.broad_phase import TOO_FAR
from . import explicit, stable_step, status
from .contact_limit import RESOLVED, contact_limit
from .crowd import make_room
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
        if len(self.tables.contacts) and not len(start.work.lost):
            make_room(start)
        self.told = False  # that bodies are too fast for the search of pairs
        self.parts = find_parts(start)
        self.every = stable_step.time_between_looks(self.parts, float(settings.duration), longest)
        self.scheme = explicit.new_scheme(self.tables, start.q, longest, settings.threads)
        self.options[explicit.HELD_UNTIL] = start.t + self.every

    @property
    def options(self):
        return self.scheme.leap.options

    def __call__(self, loop, record, max_steps: int) -> int:
        steps = max(max_steps, FEWEST) if max_steps else 0
        code = explicit.run(self.tables, self.start.work, loop, self.scheme, record, steps)
        while code == explicit.TOO_CROWDED:
            make_room(self.start)
            code = explicit.run(self.tables, self.start.work, loop, self.scheme, record, steps)
        if self.start.work.near_moved[TOO_FAR] and not self.told:
            self.told = True
            self.notes.append(
                "explicit: bodies went farther in a step than contacts look ahead; some may have passed through "
                "others: give a shorter 'step'"
            )
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
        allowed = contact_limit(self.start)
        if self.options[explicit.LONGEST] > allowed.step:
            return self.shorten(t, allowed.step, RESOLVED, allowed.words(self.start))
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
        return self.shorten(t, longest, stable_step.SAFETY, found.culprit(self.start))

    def shorten(self, t: float, longest: float, part: float, culprit: str) -> int:
        """Go on with a part of the longest stable step, or stop if the step was asked for."""
        words = f"{longest:.4g} s are stable, limited by the {culprit}"
        if self.settings.step:
            self.notes.append(f"explicit: at t = {t:.4g} s the step asked for is too long: {words}")
            return status.UNSTABLE
        self.options[explicit.LONGEST] = part * longest
        self.options[explicit.STEPS_LEFT] = 0.0
        self.notes.append(f"explicit: the step was shortened at t = {t:.4g} s, where {words}")
        return status.PAUSED
