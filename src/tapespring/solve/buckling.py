"""When a loaded model gives way: linear buckling about a balanced place.

Loads and drives are functions of time. With A(t) the matrix [K G'; G 0] along the path of balanced places, and A' its
derivative along that path at the place at hand, critical times t + Δt are those of

    (A + Δt A') x = 0

Exact if A changes in proportion to time until then: stress and reactions do, shape does not. A' is the derivative
along the tangent of the path and by time itself, by differences of fourth order; for a straight column about ten
digits of it are right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .balance import path_tangent
from .krylov import NotSettledError, eigenpairs
from .modes import Freedoms, freedoms_of
from .search import Search
from .settled import displace
from .small_motion import factor_filled, linearise, solve_filled

STEP = 1e-4  # model sizes or rad along the path
TIME_STEP = 1e-4  # of the span, for what depends on time itself
REAL = 1e-7  # imaginary part over size of an eigenvalue that counts as real
NEGLIGIBLE = 1e-9  # of the largest: eigenvalues of load that never gives way
MOST = 240


@dataclass(frozen=True)
class BucklingResult:
    """Critical times from the earliest. Where loads grow in proportion to time, the critical time over a time is the
    factor by which the load of that time is to be multiplied."""

    time: float  # of the place it is about [s]
    critical_times: np.ndarray  # (n,) [s]
    shapes: np.ndarray  # (nv, n) displacements, the largest one 1 (model sizes or rad)
    freedoms: Freedoms = field(repr=False)

    def shape_of(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """How the nodes of a body move: (displacements, rotations), both (nodes, 3, modes), world axes. Raises
        KeyError."""
        return self.freedoms.shape_of(body, self.shapes)

    def describe(self, mode: int) -> str:
        """In words: which body moves most in a shape (from 0), and how."""
        return self.freedoms.describe(self.shapes[:, mode], of="motion")


class Path:
    """The matrix along the path through a balanced place."""

    def __init__(self, search: Search):
        self.search, self.tables, self.work, self.kkt = search, search.tables, search.work, search.kkt
        self.q, self.multiplier, self.t = search.at.q.copy(), search.at.multiplier.copy(), search.time
        self.nv = len(search.at.weight)
        if path_tangent(self.tables, self.work, self.kkt, search.at) != 0:
            raise NotSettledError(search.free_motion() or "the model is about to give way where it stands")
        self.slope = search.at.by_time.copy()

    def matrix(self, s: float, dt: float) -> np.ndarray:
        """kkt.values with G, factored, at s along the tangent and dt later."""
        q, rest = self.q.copy(), np.zeros(self.nv)
        displace(self.tables, q, s * self.slope[: self.nv])
        multiplier = self.multiplier + s * self.slope[self.nv :]
        by_place = np.array([0.0, 0.0, 1.0])
        linearise(
            self.tables, self.work, self.t + dt, q, rest, np.zeros(self.nv), multiplier, np.zeros(self.nv), by_place,
            self.kkt, True,
        )  # fmt: skip
        self.status = factor_filled(self.tables, self.work, self.kkt)
        return self.kkt.values.copy()

    def derivative(self) -> np.ndarray:
        """A', in the layout of kkt.values."""
        fastest = float(np.abs(self.slope[: self.nv] * self.search.at.weight).max(initial=0.0))
        s = STEP / fastest if fastest > 0.0 else 1.0
        dt = TIME_STEP * self.search.span
        along = [self.matrix(k * s, 0.0) - self.matrix(-k * s, 0.0) for k in (1.0, 2.0)]
        by_time = [self.matrix(0.0, k * dt) - self.matrix(0.0, -k * dt) for k in (1.0, 2.0)]
        return (8.0 * along[0] - along[1]) / (12.0 * s) + (8.0 * by_time[0] - by_time[1]) / (12.0 * dt)


def find_buckling(search: Search, count: int) -> BucklingResult:
    """The earliest critical times about the balanced place of a search. Raises NotSettledError."""
    from scipy.sparse import csr_array

    from .kkt import triplets

    path = Path(search)
    change = path.derivative()
    path.matrix(0.0, 0.0)
    if path.status != 0:
        raise NotSettledError(search.free_motion() or "the model is about to give way where it stands")
    kkt, tables, work = path.kkt, path.tables, path.work
    order = kkt.unknown.astype(np.int64)
    rows, columns, _ = triplets(kkt)
    n = path.nv + len(tables.rows)
    some = change != 0.0
    A1 = csr_array((change[some], (rows[some], columns[some])), shape=(n, n))
    part = kkt.takes_part != 0
    take, scale = order[part], kkt.scale[part]

    def apply(x: np.ndarray) -> np.ndarray:
        """-A^-1 A' x"""
        whole = np.zeros((n, x.shape[1]))
        whole[take] = x
        rhs = np.ascontiguousarray(-(A1 @ whole).T)
        solve_filled(tables, work, kkt, rhs)
        return rhs.T[take]

    def wanted(inverse: np.ndarray) -> np.ndarray:
        largest = np.abs(inverse).max(initial=0.0)
        good = (np.abs(inverse.imag) <= REAL * np.abs(inverse)) & (inverse.real > NEGLIGIBLE * largest)
        ranked = np.argsort(-inverse.real)
        return ranked[good[ranked]][:count]

    if not some.any():
        inverse, vectors = np.zeros(0), np.zeros((len(take), 0))
    else:
        inverse, vectors = eigenpairs(apply, scale**-2.0, wanted, count, symmetric=False, most=MOST, strict=False)
    shapes = np.zeros((n, len(inverse)))
    shapes[take] = vectors.real
    shapes = shapes[: path.nv]
    big = np.abs(shapes * search.at.weight[:, None]).max(axis=0, initial=0.0)
    shapes = shapes / np.where(big > 0.0, big, 1.0)
    return BucklingResult(path.t, path.t + 1.0 / inverse.real, shapes, freedoms_of(search.system, work))
