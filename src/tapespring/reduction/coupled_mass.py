"""Coupled mass of bars and rods, as PARAM,COUPMASS asks for: by cubics across the axis, along it the mean of lumped and
linear. Bars have their inertia about the axis too, which NASTRAN's CBAR has not.

Elements of the engine have their mass in the nodes. Matrices need not: here the lumps of each bar are taken out and its
matrix is put in their place.
"""

from __future__ import annotations

import numpy as np

from ..kinds.bodies.grids_elements import Scale, bar_shape, rod_shape
from ..nastran.bulk import Bulk, Element
from .structure import Structure, motion_at


def bar_mass(mass: float, length: float, frame: np.ndarray, twist: float) -> np.ndarray:
    """(12, 12) over translations and rotations of both ends, in the axes that `frame` has in columns; twist [kg m²]:
    inertia of the whole bar about its axis."""
    L = length
    across = mass / 420.0 * np.array([
        [156.0, 22.0 * L, 54.0, -13.0 * L],
        [22.0 * L, 4.0 * L * L, 13.0 * L, -3.0 * L * L],
        [54.0, 13.0 * L, 156.0, -22.0 * L],
        [-13.0 * L, -3.0 * L * L, -22.0 * L, 4.0 * L * L],
    ])  # fmt: skip
    along = np.array([[5.0, 1.0], [1.0, 5.0]]) / 12.0
    M = np.zeros((12, 12))
    M[np.ix_([0, 6], [0, 6])] = mass * along
    M[np.ix_([3, 9], [3, 9])] = twist * along
    M[np.ix_([1, 5, 7, 11], [1, 5, 7, 11])] += across  # y with turns about z
    sign = np.array([1.0, -1.0, 1.0, -1.0])
    M[np.ix_([2, 4, 8, 10], [2, 4, 8, 10])] += across * np.outer(sign, sign)  # z with turns about y
    turn = np.kron(np.eye(4), frame)
    return turn @ M @ turn.T


def rod_mass(mass: float) -> np.ndarray:
    """(12, 12): the same in all directions."""
    M = np.zeros((12, 12))
    for k in range(3):
        M[np.ix_([k, 6 + k], [k, 6 + k])] = mass * np.array([[5.0, 1.0], [1.0, 5.0]]) / 12.0
    return M


def lumped(mass: float, inertia: np.ndarray) -> np.ndarray:
    """(12, 12): half the mass at each end, inertia (3, 3) each."""
    M = np.zeros((12, 12))
    for k in (0, 6):
        M[k : k + 3, k : k + 3] = 0.5 * mass * np.eye(3)
        M[k + 3 : k + 6, k + 3 : k + 6] = inertia
    return M


def change_of(bulk: Bulk, x: dict[int, np.ndarray], scale: Scale, element: Element) -> tuple[np.ndarray, np.ndarray]:
    """(points of its ends (2, 3), matrix (12, 12) less its lumps)."""
    if element.name == "CROD":
        points, _, line = rod_shape(bulk, x, scale, element)
        mass = line * float(np.linalg.norm(points[1] - points[0]))
        return points, rod_mass(mass) - lumped(mass, np.zeros((3, 3)))
    bar = bar_shape(bulk, x, scale, element)
    mass, inertia = bar.length * bar.constants.mass, bar.length * bar.constants.inertia
    own = 0.5 * bar.frame @ inertia @ bar.frame.T
    return bar.points, bar_mass(mass, bar.length, bar.frame, inertia[0, 0]) - lumped(mass, own)


def coupled_mass(structure: Structure, bulk: Bulk, scale: Scale):
    """The mass matrix of a structure whose places are grids, with coupled mass of its bars and rods."""
    from scipy.sparse import block_diag

    x = {number: scale.length * grid.x for number, grid in bulk.grids.items()}
    lines = [element for element in bulk.elements.values() if element.name in ("CBAR", "CBEAM", "CROD")]
    lines = [e for e in lines if all(len(structure.places[str(g)].nodes) for g in e.grids)]
    if not lines:
        return structure.mass
    points, changes = zip(*(change_of(bulk, x, scale, element) for element in lines), strict=True)
    nodes = np.array([[structure.places[str(g)].nodes[0] for g in element.grids] for element in lines])
    B = motion_at(structure, nodes.ravel(), np.array(points).reshape(-1, 3))
    M = structure.mass + B.T @ block_diag(changes, format="csr") @ B
    return (0.5 * (M + M.T)).tocsr()
