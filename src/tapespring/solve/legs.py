"""Parts of a run, each by one solver, and snaps between them."""

from __future__ import annotations

from typing import NamedTuple


class Leg(NamedTuple):
    """Until the next solver took over."""

    solver: str
    begin: float  # [s]
    why: str = ""
    steps: int = 0  # taken before it
    cpu_s: float = 0.0  # spent before it


class Snap(NamedTuple):
    """From one balanced place to another while loads and drives are held."""

    moves_most: str  # what goes farthest
    way: float  # how far [m]
    set_free: float  # energy, all of it taken out again [J]
    stopped: float  # of that, what stops and the scheme took, which is no error of theirs [J]


class Limit(NamedTuple):
    """A limit point of a path of equilibria, at which the time of loads and drives turns."""

    row: int  # of the record
    time: float  # of loads and drives [s]
    highest: bool  # else the lowest


class Jump(NamedTuple):
    """Of a quasi-static run from one branch to another, that no shorter increment resolves."""

    time: float  # [s]
    moves_most: str  # what goes farthest
    way: float  # how far [m]
    set_free: float  # energy [J], about
