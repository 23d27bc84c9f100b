"""Whether a Python function is one of its arguments alone.

Solvers call a law at trial states, back and forth in time and more than once at the same place. A function that
remembers earlier calls (a sampled controller, a delay, hysteresis) or draws random numbers then has no meaning, and
nothing else would notice. So it is called at some places in the order of time and at the same places backwards, and
there once more after a run.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakKeyDictionary

PLACES = 25
FIRST = 0.6180339887498949  # of the span: irrational parts of it, so that values do not repeat by chance
REMEDY = (
    "solvers call a law at trial states, back and forth in time, so it must depend on its arguments alone. Draw noise "
    "once, as a table of time; model a filter or hysteresis by bodies, springs and dampers; run a sampled controller "
    "sample by sample, each with 'restart' from the last"
)

#: Functions that were refused: what one remembers of being called may hide that it does so.
REFUSED: WeakKeyDictionary[Callable[..., float], str] = WeakKeyDictionary()


class Repeating:
    """A function that gave the same values at the same places, whatever it was called at before."""

    def __init__(
        self,
        function: Callable[..., float],
        arguments: tuple[str, ...],
        at: dict[str, float],
        duration: float | None,
        name: str,
    ):
        """Of t, x, v it takes `arguments`; `at` is where the model starts. Raises ValueError."""
        if refusal := refused_before(function):
            raise ValueError(refusal)
        self.function, self.arguments, self.name = function, arguments, name
        self.places = [tuple(around(k, at, duration)[argument] for argument in arguments) for k in range(PLACES)]
        self.values = [outcome(function, place) for place in self.places]
        if changed := self.changed():
            with suppress(TypeError):  # of what cannot be referred to weakly
                REFUSED[function] = changed
            raise ValueError(changed)

    def changed(self) -> str:
        """Where it gives another value than at first, in words; empty if it does so nowhere."""
        for place, value in zip(reversed(self.places), reversed(self.values), strict=True):
            if (now := outcome(self.function, place)) != value:
                where = ", ".join(f"{name} = {x:g}" for name, x in zip(self.arguments, place, strict=True))
                return f"{self.name} is {value} and then {now} at {where}: it has a memory or is random; {REMEDY}"
        return ""


def refused_before(function: Callable[..., float]) -> str:
    """Why, or empty."""
    try:
        return REFUSED.get(function, "")
    except TypeError:
        return ""


def around(k: int, at: dict[str, float], duration: float | None) -> dict[str, float]:
    """The k-th place: later and later, with coordinates and rates on either side of the start, near it and far away."""
    side = 2.0 * (k * FIRST % 1.0) - 1.0
    size = 10.0 ** -(k % 4)
    span = 1.0 if duration is None else duration
    return {
        "t": at["t"] + span * k / (PLACES - 1),
        "x": at["x"] + size * side * max(1.0, abs(at["x"])),
        "v": at["v"] + size * (2.0 * (k * FIRST * FIRST % 1.0) - 1.0),
    }


def outcome(function: Callable[..., float], place: tuple[float, ...]) -> str:
    """The value to its last digit, or what was raised there: a law need not be defined everywhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(float(function(*place)))
        except Exception as error:
            return type(error).__name__
