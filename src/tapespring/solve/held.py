"""A model whose loads and drives are held: whatever its laws know of time, they see one instant for ever."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from ..mechanics import laws as op
from ..mechanics import tables as tb
from ..mechanics.core import law_core
from .initial import Start
from .timeline.corners import laws_of_time

LAW = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_double)


@contextmanager
def held_at(start: Start, t: float) -> Iterator[None]:
    """The start's system as it is at time t, with nothing watched; its work is the same."""
    system = start.system
    tables, callbacks = held_tables(system.tables, start.work, t)
    start.system = replace(system, tables=tables)
    try:
        yield
    finally:
        start.system = system
        callbacks.clear()  # until here addresses of them stood in the tables


def held_tables(tables: tb.Tables, work: tb.Work, t: float) -> tuple[tb.Tables, list[Any]]:
    """(tables with laws of time held at t, functions they call)"""
    laws, numbers, codes = tables.laws.copy(), list(tables.numbers), tables.codes.copy()
    callbacks: list[Any] = []
    timed, speed = laws_of_time(tables), speeds(tables)
    for i, law in enumerate(laws):
        if i in timed or law["kind"] == tb.TIMED:
            law_core(tables, work, t, i, tb.OF_TIME, 0.0, 0.0)
            law["kind"], law["first"] = tb.CONSTANT, len(numbers)
            numbers.append(0.0 if i in speed else float(work.jet[0]))
        elif law["kind"] == tb.EXPRESSION:
            first, operand = int(law["first"]), int(law["address"])
            for k in range(int(law["count"])):
                if codes[first + k] == op.VAR and numbers[operand + k] == tb.OF_TIME:
                    codes[first + k], numbers[operand + k] = op.CONST, t
        elif law["kind"] == tb.PYTHON:
            callbacks.append(held_function(int(law["address"]), t))
            law["address"] = ctypes.cast(callbacks[-1], ctypes.c_void_p).value
    return tables._replace(
        laws=laws, numbers=np.array(numbers), codes=codes, near=tables.near.copy(), watches=tables.watches[:0]
    ), callbacks


def held_function(address: int, t: float):
    """A user's function of (time, value, rate) as it is at time t."""
    function = LAW(address)
    return LAW(lambda _, x, v: function(t, x, v))


def speeds(tables: tb.Tables) -> set[int]:
    """Laws of frames that are told how fast they move, not where they are."""
    nodes = tables.nodes
    moved = tables.motions[nodes["motion"][nodes["kind"] == tb.MOVING_TWIST]]
    return {int(i) for name in ("law", "spin_law") for i in np.ravel(moved[name]) if i >= 0}
