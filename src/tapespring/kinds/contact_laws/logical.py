"""Logical function: spring and dashpot while the gap is negative."""

from typing import Literal

from .spring_dashpot import SpringDashpot


class Logical(SpringDashpot):
    """max(0, -(K S + C S')) while the gap S < 0: the same as spring_dashpot, under the name codes for large
    structures use."""

    kind: Literal["logical"] = "logical"  # type: ignore[assignment]
