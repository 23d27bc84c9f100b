"""Elements of one kind in pieces of a few thousand: making their matrices takes more memory than they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .form import Form

MANY = 4000  # elements at a time


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
        """(form, (elements, scalars + n)) of function(geometry) → (form, blocks): room for reference scalars,
        then the blocks, flat."""
        form, out = None, np.zeros((0, 0))
        for some, geometry in self:
            form, blocks = function(geometry)
            flat = [block.reshape(len(block), -1) for block in blocks]
            if not len(out):
                out = np.zeros((len(self.cells), form.scalars + sum(b.shape[1] for b in flat)))
            at = form.scalars
            for block in flat:
                out[some, at : at + block.shape[1]] = block
                at += block.shape[1]
        assert form is not None
        return form, out
