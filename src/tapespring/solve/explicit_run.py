"""The explicit loop as Python sees it: its step chosen, and looked at again while the shape changes."""

from __future__ import annotations

from . import explicit, stable_step, status
from .steps import END, TIME


def explicit_stepper(start, settings, natural: float, notes: list[str]):
    """A function of (loop, record, max_steps) that advances the loop and shortens the step where the model stiffens."""
    longest, said = stable_step.chosen_step(start, settings, natural)
    notes += said
    tables, work = start.system.tables, start.work
    leap = explicit.new_leap(tables, longest)
    parts = stable_step.find_parts(tables)
    every = float(settings.duration) / stable_step.CHECKS
    leap.options[explicit.HELD_UNTIL] = start.t + every

    def advance(loop, record, max_steps):
        code = explicit.run(tables, work, loop, leap, record, max_steps)
        if code != status.PAUSED or loop.clock[TIME] < leap.options[explicit.HELD_UNTIL]:
            return code
        leap.options[explicit.HELD_UNTIL] = min(loop.clock[TIME] + every, loop.clock[END])
        return look_again(loop)

    def look_again(loop):
        t = float(loop.clock[TIME])
        found = stable_step.bound(start, loop.q, loop.v, t, parts)
        if leap.options[explicit.LONGEST] <= found.shortest:
            return status.PAUSED
        words = f"{found.shortest:.4g} s are stable, limited by the {stable_step.culprit(start, found)}"
        if settings.step:
            notes.append(f"explicit: at t = {t:.4g} s the step asked for is too long: {words}")
            return status.UNSTABLE
        leap.options[explicit.LONGEST] = stable_step.SAFETY * found.shortest
        notes.append(f"explicit: the step was shortened at t = {t:.4g} s, where {words}")
        return status.PAUSED

    return advance
