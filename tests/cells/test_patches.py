"""Patch tests: irregular patches hold any constant stress exactly, through supports, loads and the solver."""

import numpy as np
import pytest
from patches import (
    FACES,
    LAME,
    MATERIAL,
    SHEAR,
    SIDES,
    SIZE,
    block,
    edge_length,
    growing,
    plane_stress,
    settled,
    surface,
)

from tapespring.model import Model

THICK = 0.05
EXACT = 1e-10
STRETCH = np.array([[1.02, 0.03, 0.01], [0.0, 0.99, -0.02], [0.0, 0.0, 1.015]])
"""A deformation that keeps the x axis and the plane x y, so that supports without reactions can hold it"""


def sheet(kind, triangles, **fields) -> Model:
    m = Model(name="patch")
    getattr(m, kind)("patch", mesh=surface(triangles), thickness=THICK, material=MATERIAL, **fields)
    return m


SHEETS = [(kind, triangles) for kind in ("membrane", "shell") for triangles in (False, True)]


@pytest.mark.parametrize(("kind", "triangles"), [*SHEETS, ("wrinkles", False), ("wrinkles", True)])
def test_constant_membrane_stress(kind, triangles):
    """Large strain: the first Piola-Kirchhoff stress of a uniform stretch on all edges."""
    F = STRETCH[:2, :2]
    if kind == "wrinkles":  # taut all around, so that it behaves as if it could not
        F = np.array([[1.02, 0.01], [0.0, 1.03]])
    m = sheet("membrane", triangles, wrinkles=True) if kind == "wrinkles" else sheet(kind, triangles)
    E = 0.5 * (F.T @ F - np.eye(2))
    s11, s22, s12 = plane_stress() @ [E[0, 0], E[1, 1], 2 * E[0, 1]]
    P = F @ np.array([[s11, s12], [s12, s22]])
    m.support("flat", "patch", hold=["z", "turn_x", "turn_y"] if kind == "shell" else ["z"])
    m.support("corner", "patch.bottom_left", hold=["x", "y"])
    m.support("slide", "patch.bottom_right", hold=["y"])
    for side, normal in SIDES.items():
        pull = THICK * edge_length(side) * P @ normal
        m.spread_load(side, f"patch.{side}", force=growing([*pull, 0]))
    drawn, found = settled(m)
    assert found[:, :2] == pytest.approx(drawn[:, :2] @ F.T, abs=EXACT)


@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("moment", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -2, 0.5)])
def test_constant_moment(triangles, moment):
    """Small: deflections of 1e-5 leave 1e-10 for what is not linear, and as much for rounding."""
    m = sheet("shell", triangles)
    m11, m22, m12 = 1e-5 * np.array(moment) * THICK**3
    M = np.array([[m11, m12], [m12, m22]])
    k11, k22, k12 = np.linalg.solve(THICK**3 / 12 * plane_stress(), [m11, m22, m12])
    bent = np.array([[k11, k12 / 2], [k12 / 2, k22]])
    m.support("corner", "patch.bottom_left", hold=["x", "y", "z"])
    m.support("slide", "patch.bottom_right", hold=["y", "z"])
    m.support("rest", "patch.top_left", hold=["z"])
    for side, normal in SIDES.items():
        x, y = edge_length(side) * M @ normal
        m.spread_load(side, f"patch.{side}", torque=growing([-y, x, 0]))
    drawn, found = settled(m)
    w = -0.5 * np.einsum("ni,ij,nj->n", drawn[:, :2], bent, drawn[:, :2])
    plane = np.column_stack((np.ones(len(w)), drawn[:, :2]))
    difference = found[:, 2] - w
    difference -= plane @ np.linalg.lstsq(plane, difference, rcond=None)[0]
    assert np.abs(difference).max() < 1e-7 * np.ptp(w)


@pytest.mark.parametrize("triangles", [False, True])
def test_constant_transverse_shear(triangles):
    """Directors held upright; edges are pulled along the normal."""
    m = sheet("shell", triangles)
    slope = np.array([2e-5, -1e-5])
    m.support("upright", "patch", hold=["turn_x", "turn_y", "turn_z"])
    m.support("corner", "patch.bottom_left", hold=["x", "y", "z"])
    for side, normal in SIDES.items():
        pull = 5 / 6 * SHEAR * THICK * edge_length(side) * slope @ normal
        m.spread_load(side, f"patch.{side}", force=growing([0, 0, pull]))
    drawn, found = settled(m)
    assert found[:, 2] == pytest.approx(drawn[:, :2] @ slope, abs=1e-12)


def piola(law: str, F: np.ndarray) -> np.ndarray:
    """First Piola-Kirchhoff stress."""
    if law == "linear":
        E = 0.5 * (F.T @ F - np.eye(3))
        return F @ (2 * SHEAR * E + LAME * np.trace(E) * np.eye(3))
    back = np.linalg.inv(F).T
    return SHEAR * (F - back) + LAME * np.log(np.linalg.det(F)) * back


@pytest.mark.parametrize("elements", ["hexahedron", "tetra10"])
@pytest.mark.parametrize("law", ["linear", "neo_hookean"])
def test_constant_stress_in_a_solid(elements, law):
    m = Model(name="patch")
    m.solid("patch", mesh=block(elements), material=MATERIAL | {"law": law})
    m.support("corner", "patch.x0y0z0")
    m.support("along", "patch.x1y0z0", hold=["y", "z"])
    m.support("beside", "patch.x0y1z0", hold=["z"])
    P = piola(law, STRETCH)
    for face, (axis, end) in FACES.items():
        pull = (2 * end - 1) * P[:, axis] * np.prod(np.delete(SIZE, axis))
        m.spread_load(face, f"patch.{face}", force=growing(pull))
    drawn, found = settled(m)
    assert found == pytest.approx(drawn @ STRETCH.T, abs=EXACT)
