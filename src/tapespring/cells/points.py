"""Cells whose material is not linear: numbers of their points, as mechanics.cell_laws reads them."""

from __future__ import annotations

import numpy as np

SYMMETRIC = ((0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1))


def point_numbers(of_points: tuple[np.ndarray, np.ndarray], law: np.ndarray) -> np.ndarray:
    """(cells, n): weight (cells, points) and strain by scalars (cells, points, size, scalars) of every point, then the
    numbers of the law."""
    weights, strains = of_points
    cells, points = weights.shape
    rows = np.concatenate((weights[:, :, None], strains.reshape(cells, points, -1)), axis=2)
    return np.concatenate((rows.reshape(cells, -1), np.broadcast_to(law, (cells, len(law)))), axis=1)


def tension_field_numbers(section: np.ndarray) -> np.ndarray:
    """Stiffness and compliance of a sheet (3, 3), six entries each."""
    compliance = np.linalg.inv(section)
    return np.array([m[i, j] for m in (section, compliance) for i, j in SYMMETRIC])


def neo_hookean_numbers(young: float, poisson: float) -> np.ndarray:
    """(μ, λ)"""
    mu = young / (2.0 * (1.0 + poisson))
    return np.array([mu, 2.0 * mu * poisson / (1.0 - 2.0 * poisson)])
