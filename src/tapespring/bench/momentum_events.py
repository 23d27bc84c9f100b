"""What the problems with impacts by momentum share: values from events."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..results import Results


def times_of(results: Results, *names: str) -> list[float]:
    """Times of the events of these names [s]."""
    return [event.time for event in results.events if event.name in names]


def nth(k: int, *names: str) -> Callable[[Results], float]:
    """Time of the k-th event (1 is the first, -1 the last) of these names [s]; not a number if there are fewer."""

    def value(results: Results) -> float:
        found = times_of(results, *names)
        return found[k - 1 if k > 0 else k] if abs(k) <= len(found) else float("nan")

    return value


def impulse(k: int, *names: str) -> Callable[[Results], float]:
    """Normal impulse of the k-th of these hits [N s]."""

    def value(results: Results) -> float:
        found = [event.about for event in results.events if event.name in names]
        written = re.search(r"impulse (\S+)", found[k - 1]) if k <= len(found) else None
        return float(written.group(1)) if written else float("nan")

    return value


def count(*names: str) -> Callable[[Results], float]:
    """How many such events there are."""
    return lambda results: float(len(times_of(results, *names)))


def audit(results: Results) -> float:
    """Largest energy unaccounted for, relative to what was exchanged."""
    return results.audit.relative if results.audit else float("nan")
