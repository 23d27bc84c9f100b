"""What a reduction is worth: frequencies, effective mass, error of static displacements, and how many modes to take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..modal.inertia import rigid_vectors
from .coordinates import Coordinates
from .interfaces import Attached
from .methods import ShapeSet, Span
from .structure import Structure

ENOUGH_MASS = 0.95  # of the mass along each axis in the modes with held interfaces
FEW = 6  # modes below which impacts do not converge, whatever the set
ACCURATE = 1e-6  # of frequencies, with residual modes
BALANCED = 1e-6  # of a load, left when reactions balance it
AGREE = 1e-3  # relative change of frequencies when modes are added that counts as none


@dataclass(frozen=True, eq=False)
class Report:
    """`effective` is of the normal modes if something is held, (m, 6): parts of the mass along and of the inertia about
    the three axes through the centre of mass."""

    method: str
    mass: float
    normal_hz: np.ndarray
    body_hz: np.ndarray
    effective: np.ndarray | None
    static_error: dict[str, float]  # by interface: energy norm, of the worst unit load; others of a free body held
    accelerated_error: dict[str, float]  # the same of a free body that the load accelerates
    dropped: int
    free_motions: int
    enough: int  # normal modes
    good_to_hz: float
    frequency_error: float  # of frequencies up to there, by comparison with one more order of residual modes
    notes: tuple[str, ...] = ()
    timing: dict[str, float] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """For programs and files."""
        return {
            "method": self.method,
            "mass_kg": self.mass,
            "normal_hz": self.normal_hz.tolist(),
            "frequencies_hz": self.body_hz.tolist(),
            "effective_mass": None if self.effective is None else self.effective.tolist(),
            "static_error": self.static_error,
            "accelerated_error": self.accelerated_error,
            "dropped": self.dropped,
            "free_motions": self.free_motions,
            "recommended_modes": self.enough,
            "good_to_hz": self.good_to_hz,
            "frequency_error": self.frequency_error,
            "notes": list(self.notes),
            "timing_s": self.timing,
        }

    def advice(self) -> str:
        """In words."""
        kept = len(self.normal_hz)
        text = f"{self.enough} of {kept} normal modes suffice for frequencies up to {self.good_to_hz:.4g} Hz"
        text += f", which are right to {max(self.frequency_error, 1e-9):.1g}"
        if self.frequency_error > AGREE:
            text += " (residual modes improve that)"
        if self.effective is not None and kept:
            least = float(self.effective[:, :3].sum(axis=0).min())
            text += f"; all {kept} carry at least {least:.1%} of the mass along every axis"
            if least < ENOUGH_MASS:
                text += ", take more for loads that shake the whole body"
        worst = max((*self.static_error.values(), *self.accelerated_error.values()), default=0.0)
        if worst > 0.01 and self.method == "normal":
            text += f". Loads on the interfaces bend it wrongly by {worst:.1%}: use craig-bampton or rubin"
        if self.enough < FEW:
            text += f". Impacts and gaps need {FEW} modes at least: with fewer neither set of modes converges"
        return text + "."


def effective_masses(structure: Structure, z: Coordinates, shapes: ShapeSet) -> np.ndarray:
    """(m, 6): parts of the whole, see Report."""
    R = rigid_vectors(structure.positions, structure.freedoms)
    R = np.vstack((R, np.zeros((structure.size - len(R), 6))))
    heavy = structure.mass @ R
    mass = np.diag(R.T @ heavy).copy()
    centre = np.array([0.0 if m == 0.0 else float(R[:, k] @ (structure.mass @ first(structure, k))) / m
                       for k, m in enumerate(mass[:3])])  # fmt: skip
    R = rigid_vectors(structure.positions - centre, structure.freedoms)
    R = np.vstack((R, np.zeros((structure.size - len(R), 6))))
    heavy = structure.mass @ R
    total = np.diag(R.T @ heavy)
    part = (heavy.T @ (z.T @ shapes.normal)).T ** 2
    return part / np.where(total > 0.0, total, np.inf)


def first(structure: Structure, axis: int) -> np.ndarray:
    """(nv,) positions along an axis at the freedoms along it."""
    out = np.zeros(structure.size)
    free = structure.freedoms[:, axis]
    out[free[free >= 0]] = structure.positions[free >= 0, axis]
    return out


def load_errors(
    z: Coordinates, attached: list[Attached], shapes: ShapeSet, kept: np.ndarray, squares: np.ndarray
) -> tuple[dict[str, float], dict[str, float]]:
    """Errors in energy norm of displacements under unit loads on each interface, the worst of them: at rest, a free
    body with its other interfaces held; and of a free body that the load accelerates, its own inertia the balance."""
    if not z.boundary:
        return {}, {}
    loads = np.eye(len(kept), z.boundary)
    full = shapes.elastic.solve(loads)[: z.boundary]
    full, found = 0.5 * (full + full.T), (kept[: z.boundary] / squares) @ kept[: z.boundary].T
    resting, accelerated = {}, {}
    for one, own in zip(attached, z.own, strict=True):
        alone = np.eye(z.boundary)[:, own]
        if not z.rigid.shape[1]:
            resting[one.name] = worst_error(full, found, alone)
            continue
        accelerated[one.name] = worst_error(full, found, alone)
        balanced = with_reactions(full, z.rigid[: z.boundary], alone)
        if balanced.shape[1]:
            resting[one.name] = worst_error(full, found, balanced)
    return resting, accelerated


def worst_error(full: np.ndarray, found: np.ndarray, loads: np.ndarray) -> float:
    """Of displacements by one flexibility instead of another."""
    energy, seen = (np.einsum("ik,ij,jk->k", loads, F, loads) for F in (full, found))
    some = energy > 1e-12 * energy.max()
    return float(np.sqrt(np.clip(1.0 - seen[some] / energy[some], 0.0, 1.0)).max(initial=0.0))


def with_reactions(flexibility: np.ndarray, rigid: np.ndarray, loads: np.ndarray) -> np.ndarray:
    """Loads on some coordinates with the reactions of the others, held, that balance them: those of least energy. Loads
    that the others cannot balance are left out."""
    others = np.flatnonzero(~loads.any(axis=1))
    scale = 1.0 / np.sqrt(np.maximum(np.diag(flexibility), 1e-12 * np.diag(flexibility).max()))
    F, R = scale[:, None] * flexibility * scale, scale[:, None] * rigid
    R, loads = R / np.linalg.norm(R, axis=0), loads / scale[:, None]
    none = np.zeros((R.shape[1], R.shape[1]))
    system = np.block([[F[np.ix_(others, others)], R[others]], [R[others].T, none]])
    right = -np.vstack((F[others] @ loads, R.T @ loads))
    out = loads.copy()
    out[others] = np.linalg.lstsq(system, right, rcond=1e-12)[0][: len(others)]
    left = np.linalg.norm(R.T @ out, axis=0) <= BALANCED * np.linalg.norm(loads, axis=0)
    return scale[:, None] * out[:, left]


def frequency_error(span: Span, squares: np.ndarray, limit: float, drop: float) -> float:
    """Relative change of the frequencies up to `limit` [Hz] when all shapes of a span are used."""
    some = int((squares <= (2.0 * np.pi * limit) ** 2).sum())
    if not some or span.V.shape[1] <= len(squares):
        return 0.0
    better = span.solved(np.arange(span.V.shape[1]), drop)[0][:some]
    return max(float(np.sqrt(squares[:some] / np.maximum(better, 1e-300)).max() - 1.0), 0.0)


def enough_orders(span: Span, shapes: ShapeSet, drop: float) -> int:
    """Fewest orders of residual modes with which the frequencies up to half the fastest normal one are right to
    ACCURATE, by comparison with all of a span."""
    m, s = len(shapes.squares), shapes.static.shape[1]
    most = (span.V.shape[1] - m) // s - 2 if s else 0
    for orders in range(most):
        squares = span.solved(np.arange(m + (1 + orders) * s), drop)[0]
        if m == 0 or frequency_error(span, squares, half_of_fastest(shapes), drop) <= ACCURATE:
            return orders
    return most


def half_of_fastest(shapes: ShapeSet) -> float:
    """Hz"""
    return float(0.5 * np.sqrt(shapes.squares[-1]) / (2.0 * np.pi))


def enough_modes(span: Span, shapes: ShapeSet, squares: np.ndarray, effective, drop: float) -> tuple[int, float]:
    """(fewest normal modes with which the frequencies below half the fastest normal one agree with those by all, that
    half [Hz]); at least those that carry the mass. The span begins with static shapes, then normal modes."""
    m, s = len(shapes.squares), shapes.static.shape[1]
    if m == 0:
        return 0, 0.0
    limit = 0.25 * float(shapes.squares[-1])
    wanted = squares[squares <= limit]
    carried = 0
    if effective is not None:
        total = np.cumsum(effective[:, :3], axis=0)
        there = total[-1] > 1e-9
        if there.any() and (total[-1, there] >= ENOUGH_MASS).all():
            carried = 1 + int((total[:, there] < ENOUGH_MASS).any(axis=1).sum())
    low, high = 0, m
    while low < high:  # frequencies fall as modes are added
        n = (low + high) // 2
        found = span.solved(np.arange(s + n), drop)[0]
        agrees = len(found) >= len(wanted) and np.all(found[: len(wanted)] <= wanted * (1.0 + AGREE) ** 2)
        low, high = (low, n) if agrees else (n + 1, high)
    return max(low, carried), half_of_fastest(shapes)
