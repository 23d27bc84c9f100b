"""Plane Euler–Bernoulli beams as matrices: cubic elements with consistent mass, deflections y and turns about z."""

from __future__ import annotations

import numpy as np

from ..reduction.structure import Spot, Structure


def hermite_beam(stiffness: float, line_mass: float, length: float, elements: int, held: dict[float, str]) -> Structure:
    """EI [N m²], mass per length [kg/m]; held: "y" or "y rz" at stations [m]. Every node is a place, by its station."""
    from scipy.sparse import csr_array

    h, n = length / elements, 2 * (elements + 1)
    k = stiffness / h**3 * np.array([
        [12.0, 6.0 * h, -12.0, 6.0 * h],
        [6.0 * h, 4.0 * h * h, -6.0 * h, 2.0 * h * h],
        [-12.0, -6.0 * h, 12.0, -6.0 * h],
        [6.0 * h, 2.0 * h * h, -6.0 * h, 4.0 * h * h],
    ])  # fmt: skip
    m = line_mass * h / 420.0 * np.array([
        [156.0, 22.0 * h, 54.0, -13.0 * h],
        [22.0 * h, 4.0 * h * h, 13.0 * h, -3.0 * h * h],
        [54.0, 13.0 * h, 156.0, -22.0 * h],
        [-13.0 * h, -3.0 * h * h, -22.0 * h, 4.0 * h * h],
    ])  # fmt: skip
    K, M = np.zeros((n, n)), np.zeros((n, n))
    for e in range(elements):
        mine = slice(2 * e, 2 * e + 4)
        K[mine, mine] += k
        M[mine, mine] += m
    x = np.linspace(0.0, length, elements + 1)
    positions = np.stack((x, 0.0 * x, 0.0 * x), axis=1)
    freedoms = np.full((elements + 1, 6), -1)
    freedoms[:, 1], freedoms[:, 5] = np.arange(0, n, 2), np.arange(1, n, 2)
    fixed = np.zeros(n, bool)
    for station, what in held.items():
        node = round(station / h)
        fixed[2 * node : 2 * node + (2 if "rz" in what else 1)] = True
    places = {f"{s:g}": Spot(np.array([i]), positions[[i]]) for i, s in enumerate(x)}
    return Structure("hermite", csr_array(M), csr_array(K), positions, freedoms, fixed, places=places)
