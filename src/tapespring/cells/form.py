"""What an element measures: scalar products of vectors that are sums of what its corners have.

Every corner gives its place x and, in shells, vectors it carries along as it turns: the director d, two tangents g, h.
An element forms a few vectors y = Σ t z of these, and a few scalars s = Σ c y·y of those. Green's strain, the change of
curvature and transverse shear are all such scalars, at any point, whatever the rotation; and in the coordinates of a
mesh's own lines the coefficients are the same for every element of a kind. Shape, section and material only enter
the matrix C of its energy

    W = (s - s0)' C (s - s0) / 2,

which is constant for a linear law of Green's strain. Assumed strains and stresses that keep elements from locking are
linear in s, hence part of C too: nothing of them is left at run time (mechanics.cells).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

PLACE, DIRECTOR, ALONG, ACROSS = range(4)  # what a corner gives


@dataclass(frozen=True, eq=False)
class Form:
    """The universal part of a kind of element."""

    name: str
    corners: int
    carried: int  # vectors that a corner carries besides its place: 0, 1 (director) or 3 (and two tangents)
    vectors: tuple[tuple[tuple[int, float], ...], ...]  # per y: (number of z, coefficient)
    products: tuple[tuple[int, int, int, float], ...]  # (number of s, of y, of y, coefficient)
    blocks: tuple[int, ...]  # C couples these many scalars in turn
    kept: tuple[int, ...] = ()  # how each block is stored, see cells.store; all of them WHOLE if not told

    @cached_property
    def scalars(self) -> int:
        return sum(self.blocks)

    @cached_property
    def sums(self) -> np.ndarray:
        """(y, z): y = sums @ z"""
        out = np.zeros((len(self.vectors), self.corners * (1 + self.carried)))
        for i, terms in enumerate(self.vectors):
            for j, coefficient in terms:
                out[i, j] += coefficient
        return out

    def measure(self, z: np.ndarray) -> np.ndarray:
        """(elements, scalars) of the corners' vectors z (elements, z, 3)."""
        y = self.sums @ z
        s = np.zeros((len(z), self.scalars))
        for k, i, j, c in self.products:
            s[:, k] += c * np.einsum("ea,ea->e", y[:, i], y[:, j])
        return s

    def strained(self, z: np.ndarray, strain: np.ndarray) -> np.ndarray:
        """(elements, scalars): what a uniform Green's strain (elements, 3, 3), world axes, adds to the scalars."""
        y = self.sums @ z
        s = np.zeros((len(z), self.scalars))
        for k, i, j, c in self.products:
            s[:, k] += 2.0 * c * np.einsum("ea,eab,eb->e", y[:, i], strain, y[:, j])
        return s


def source(kind: int, corner: int, corners: int) -> int:
    """Number of z."""
    return kind * corners + corner


def sums_of(kind: int, matrix: np.ndarray) -> list[tuple[tuple[int, float], ...]]:
    """Vectors: rows of a matrix over the corners' vectors of one kind."""
    corners = matrix.shape[1]
    return [tuple((source(kind, j, corners), float(c)) for j, c in enumerate(row) if c != 0.0) for row in matrix]
