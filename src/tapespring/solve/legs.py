"""Parts of a run, each by one solver."""

from __future__ import annotations

from typing import NamedTuple


class Leg(NamedTuple):
    """Until the next solver took over."""

    solver: str
    begin: float  # [s]
    why: str = ""
    steps: int = 0  # taken before it
    cpu_s: float = 0.0  # spent before it
