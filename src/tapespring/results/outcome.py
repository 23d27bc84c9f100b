"""How a run ended, and what happened on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .plain import plain


@dataclass(frozen=True)
class Status:
    """How a run ended.

    complete: the run did all that was asked (an event that was meant to stop it counts).
    code:     one word for programs: 'complete', 'stopped', 'interrupted', 'diverged', …
    message:  a sentence for people: what happened and what to try.
    time:     simulated time reached [s].
    """

    complete: bool
    code: str
    message: str = ""
    time: float = float("nan")

    def __post_init__(self) -> None:
        object.__setattr__(self, "complete", bool(self.complete))
        object.__setattr__(self, "time", float(self.time))


@dataclass(frozen=True)
class Event:
    """Something located in time: an impact, a limit reached, a change of solver.

    name: which event; time: when [s]; about: a sentence;
    values: named numbers at that moment, in SI (plain numbers, lists and text: arrays and tuples become lists).
    """

    name: str
    time: float
    about: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", float(self.time))
        object.__setattr__(self, "values", plain(dict(self.values)))
