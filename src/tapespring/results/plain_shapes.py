"""Shapes of plain data from files: what is a number, a text, a list, a record, and what is none of it.

A shape is a function of (data, where it stands) that returns nothing, and raises ValueError for anything else: what was
read can then be used without a second look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Shape = Callable[[Any, str], None]


def refuse(where: str, wanted: str) -> None:
    raise ValueError(f"{where} is not {wanted}")


def number(data: Any, where: str) -> None:
    if isinstance(data, bool) or not isinstance(data, int | float) or (isinstance(data, int) and abs(data) > 1 << 62):
        refuse(where, "a number")


def flag(data: Any, where: str) -> None:
    if not isinstance(data, bool):
        refuse(where, "true or false")


def text(data: Any, where: str) -> None:
    if not isinstance(data, str):
        refuse(where, "a text")


def one_of(*words: str) -> Shape:
    """Any of some texts."""

    def check(data: Any, where: str) -> None:
        if data not in words:
            refuse(where, f"any of {', '.join(words)}")

    return check


def anything(data: Any, where: str) -> None:
    """Plain data that nobody calculates with."""


def count(below: int) -> Shape:
    """A whole number from 0."""

    def check(data: Any, where: str) -> None:
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data < below:
            refuse(where, f"a whole number from 0 to {below - 1}")

    return check


def maybe(shape: Shape) -> Shape:
    """This, or null."""
    return lambda data, where: None if data is None else shape(data, where)


def list_of(shape: Shape, length: int | None = None) -> Shape:
    """A list of such, as long as said."""

    def check(data: Any, where: str) -> None:
        if not isinstance(data, list) or (length is not None and len(data) != length):
            refuse(where, "a list" if length is None else f"a list of {length}")
        for k, item in enumerate(data):
            shape(item, f"{where}[{k}]")

    return check


def map_of(shape: Shape) -> Shape:
    """Names and such."""

    def check(data: Any, where: str) -> None:
        if not isinstance(data, dict):
            refuse(where, "a mapping")
        for key, item in data.items():
            shape(item, f"{where}.{key[:40]}")

    return check


def record(needed: Mapping[str, Shape], others: Mapping[str, Shape] | None = None, *, closed: bool = False) -> Shape:
    """A mapping that has these names, and perhaps those; further ones are let be, unless it is closed."""
    known = {**needed, **(others or {})}

    def check(data: Any, where: str) -> None:
        if not isinstance(data, dict):
            refuse(where, "a mapping")
        for key in needed:
            if key not in data:
                refuse(where, f"complete: it has no '{key}'")
        for key, item in data.items():
            if closed and key not in known:
                refuse(f"{where}.{key[:40]}", f"any of {', '.join(known)}")
            known.get(key, anything)(item, f"{where}.{key[:40]}")

    return check


def kinds_of(kinds: Mapping[str, Shape]) -> Shape:
    """A record that tells by its `kind` which it is."""

    def check(data: Any, where: str) -> None:
        record({"kind": text})(data, where)
        if data["kind"] not in kinds:
            refuse(f"{where}.kind", f"any of {', '.join(kinds)}")
        kinds[data["kind"]](data, where)

    return check
