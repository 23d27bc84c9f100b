"""Elements of one kind in pieces of a thousand: making their matrices takes more memory than they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .form import Form
from .store import blocks_of, carried_size, put, upper, zeros_on_lines

MANY = 1000  # elements at a time, whole blocks of cells.store


def slices(count: int, many: int = MANY) -> Iterator[slice]:
    return (slice(first, min(first + many, count)) for first in range(0, count, many))


class Pieces:
    """Iterates over (which, geometry), made when asked for."""

    def __init__(self, shape, points: np.ndarray, cells: np.ndarray, frames: np.ndarray):
        """shape: a module of cells with a Geometry, which takes corners and one of `frames` per element."""
        self.shape, self.points, self.cells, self.frames = shape, points, cells, frames

    def __iter__(self):
        for some in slices(len(self.cells)):
            yield some, self.shape.Geometry(self.points[self.cells[some]], self.frames[some])

    def gathered(self, function: Callable) -> np.ndarray:
        """function(geometry) of all elements."""
        out = None
        for some, geometry in self:
            values = function(geometry)
            if out is None:
                out = np.zeros((len(self.cells), *values.shape[1:]))
            out[some] = values
        assert out is not None
        return out

    def numbers(self, function: Callable) -> tuple[Form, np.ndarray]:
        """(form, store) of function(geometry) → (form, matrices of C or numbers (elements, n)): see cells.store; the
        scalars and the vectors that corners carry are still missing."""
        form, out = None, np.zeros((0, 0, 0))
        for some, geometry in self:
            form, parts = function(geometry)
            flat = np.concatenate([upper(p) if p.ndim == 3 else p for p in parts], axis=1)
            at = form.scalars + carried_size(form)
            if not len(out):
                out = zeros_on_lines(blocks_of(len(self.cells)), at + flat.shape[1])
            put(out, some.start, at, flat)
        assert form is not None
        return form, out
