"""Sets of shapes for a reduced body.

craig-bampton   constraint modes (each interface coordinate by one, the others held) and the slowest vibrations with
                all interfaces held
rubin           the slowest vibrations with the interfaces free, and residual attachment modes: what unit loads on the
                interfaces cause beyond those vibrations (Rubin, MacNeal)
normal          the slowest vibrations with the interfaces free, nothing else
assumed         shapes given by formulas, see `assumed`

Residual modes may be added to any: what the inertia of the static shapes does beyond the normal modes, then the inertia
of that, and so on. With one such order, frequencies below half that of the fastest normal mode err by about 1e-5
instead of 5e-3, with two by less than 1e-7; there are as many shapes in each order as static ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from .coordinates import Coordinates
from .elastic import Elastic, pins
from .factors import NotDefiniteError
from .structure import COMPONENTS, Structure, refuse
from .vibrations import Fixed, below, slowest

METHODS = ("craig-bampton", "rubin", "normal", "assumed")


@dataclass(frozen=True, eq=False)
class ShapeSet:
    """Over coordinates z."""

    static: np.ndarray  # (nz, s) constraint or attachment modes
    normal: np.ndarray  # (nz, m)
    squares: np.ndarray  # (m,) ω² of the normal modes [1/s²]
    elastic: Elastic


def shapes_of(
    structure: Structure, z: Coordinates, method: str, count: int | None, limit: float | None, solver: str, given=None
) -> ShapeSet:
    """`count` normal modes, or those below the angular frequency `limit` [rad/s]; `given`: (ω², shapes (nz, m)) found
    elsewhere or assumed, to be taken instead. Raises ModelError."""
    held = method == "craig-bampton" and z.boundary > 0 and given is None
    outer = np.arange(z.boundary) if held else pins(z.rigid)
    try:
        elastic = Elastic(z.stiffness, z.mass, z.rigid, outer, solver)
    except NotDefiniteError as reason:
        refuse_loose(structure, z, reason, held)
    if held:
        inner = elastic.inner
        squares, found = vibrations(Fixed(elastic), z.mass[inner][:, inner].tocsr(), count, limit)
        static, normal = np.zeros((elastic.size, z.boundary)), np.zeros((elastic.size, len(squares)))
        static[outer], static[inner], normal[inner] = np.eye(z.boundary), elastic.constraint, found
        return ShapeSet(static, normal, squares, elastic)
    if given is not None:
        return ShapeSet(np.zeros((elastic.size, 0)), given[1], given[0], elastic)
    squares, normal = vibrations(elastic, z.mass, count, limit)
    static = np.zeros((elastic.size, 0))
    if method == "rubin":
        loads = np.eye(elastic.size, z.boundary)
        static = elastic.solve(loads) - normal @ ((normal.T @ loads) / squares[:, None])
    return ShapeSet(static, normal, squares, elastic)


def residual_modes(shapes: ShapeSet, z: Coordinates, orders: int) -> np.ndarray:
    """(nz, orders s): see the head of this file. Those of Craig and Bampton keep the interfaces in place."""
    elastic, X, found = shapes.elastic, shapes.static, [np.zeros((shapes.elastic.size, 0))]
    for _ in range(orders):
        Y = np.zeros_like(X)
        if len(elastic.outer) == z.boundary > 0:
            Y[elastic.inner] = elastic.inside((z.mass @ X)[elastic.inner])
        else:
            Y = elastic.solve(z.mass @ X)
        X = Y - shapes.normal @ (shapes.normal.T @ (z.mass @ Y))
        found.append(X)
    return np.hstack(found)


def vibrations(elastic, M, count: int | None, limit: float | None) -> tuple[np.ndarray, np.ndarray]:
    return slowest(elastic, M, count or 0) if limit is None else below(elastic, M, limit**2)


def refuse_loose(structure: Structure, z: Coordinates, reason: NotDefiniteError, held: bool) -> NoReturn:
    """Something can move without resistance. Raises ModelError."""
    where = ""
    if reason.unknown >= z.boundary:
        freedom = int(z.back[[reason.unknown]].indices[0])
        node, component = structure.owner(freedom)
        where = f" ({structure.label(node)} along {COMPONENTS[component]})"
    if held and z.rigid.shape[1]:
        message = f"something moves without resistance though all interfaces are held{where}: either a part is loose, "
        refuse(structure, message + "or they do not hold the structure; add interfaces, or use method 'rubin'")
    refuse(structure, f"a part moves without resistance{where}, or its stiffness is indefinite; join it to the rest")


class Span:
    """Shapes (nz, n) without motion as one piece, each of unit modal mass before that, and their small matrices."""

    def __init__(self, V: np.ndarray, z: Coordinates):
        V = V / np.sqrt(np.maximum((V * (z.mass @ V)).sum(axis=0), 1e-300))
        for _ in range(2 if z.rigid.shape[1] else 0):
            V = V - z.rigid @ (z.rigid.T @ (z.mass @ V))
        self.V, self.M, self.K = V, V.T @ (z.mass @ V), V.T @ (z.stiffness @ V)

    def solved(self, which: np.ndarray, drop: float) -> tuple[np.ndarray, np.ndarray]:
        """(ω² rising, combinations (which, ·) of unit modal mass and diagonal stiffness).

        Directions among the shapes whose mass is below `drop` are linear combinations of the others but for
        rounding, and are left out.
        """
        M, K = self.M[np.ix_(which, which)], self.K[np.ix_(which, which)]
        T = np.eye(len(which))
        for least in (drop, 0.0):  # the second time for rounding alone
            values, turn = np.linalg.eigh(symmetric(T.T @ M @ T))
            T = T @ (turn[:, values > least] / np.sqrt(values[values > least]))
        squares, turn = np.linalg.eigh(symmetric(T.T @ K @ T))
        return squares, T @ turn


def symmetric(A: np.ndarray) -> np.ndarray:
    return 0.5 * (A + A.T)


def orthonormalised(V: np.ndarray, z: Coordinates, drop: float) -> tuple[np.ndarray, np.ndarray]:
    """(shapes with unit modal mass and diagonal stiffness, ω²)."""
    span = Span(V, z)
    squares, T = span.solved(np.arange(V.shape[1]), drop)
    return span.V @ T, squares
