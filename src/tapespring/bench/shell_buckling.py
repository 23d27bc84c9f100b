"""Plates and a cylinder that buckle under uniform compression, against closed forms."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi, sqrt
from operator import itemgetter

import numpy as np

from ..model import Model
from .case import Quantity, case
from .shell_models import shell

YOUNG, POISSON = 70e9, 0.3


def refined(*divisions: tuple[int, int]):
    """Critical times extrapolated from two meshes, one twice as fine as the other: errors fall with the square of the
    element's size."""

    def compute(model: Model) -> np.ndarray:
        meshes = (model.set("bodies.shell.mesh.divisions", list(d)) for d in divisions)
        coarse, fine = (np.array(m.buckling(3).critical_times) for m in meshes)
        return (4.0 * fine - coarse) / 3.0

    return compute


# -- square plate -----------------------------------------------------------------------------------------------------
SIDE, THIN = 1.0, 0.005


def plate() -> Model:
    """On simple supports, free to widen, pressed at two edges by t newtons per metre."""
    mesh = {"kind": "plate", "length": SIDE, "width": SIDE, "divisions": [16, 16]}
    m = shell("Square plate, pressed", mesh, THIN, YOUNG, POISSON, 2700.0)
    for edge, turn in (("left", "turn_x"), ("right", "turn_x"), ("bottom", "turn_y"), ("top", "turn_y")):
        m.support(edge, f"shell.{edge}", hold=["z", turn])
    m.support("stop", "shell.left", hold=["x"])
    m.support("side", "shell.bottom_left", hold=["y"])
    m.spread_load("press", "shell.right", force=[f"-{SIDE!r}*t", 0, 0])
    return m


def of_plate() -> Iterator[Quantity]:
    unit = pi**2 * YOUNG * THIN**3 / (12.0 * (1.0 - POISSON**2)) / SIDE**2
    for k, waves in enumerate((1, 2, 3)):
        value = (waves + 1.0 / waves) ** 2 * unit
        name = f"critical load, {waves} half-wave{'s' if waves > 1 else ''}"
        yield Quantity(name, "N/m", value, 2e-3 * value, "closed form (m + 1/m)² π² D/b²", "A", itemgetter(k))


# -- cylinder ---------------------------------------------------------------------------------------------------------
RADIUS, WALL, WAVES = 1.0, 0.004, 4
LENGTH = WAVES * pi * sqrt(RADIUS * WALL) / 12.0**0.25
"""half-waves of the ring-shaped mode"""


def cylinder() -> Model:
    """A quarter of a cylinder, ends kept round, pressed along its axis by t newtons per metre. Without Poisson's effect
    it stays straight until it buckles."""
    mesh = {"kind": "tube", "radius": RADIUS, "length": LENGTH, "angle": "90 deg", "divisions": [24, 32]}
    m = shell("Cylinder, pressed", mesh, WALL, YOUNG, 0.0, 2700.0)
    m.support("stop", "shell.bottom", hold=["x", "y", "z"])
    m.support("ring", "shell.top", hold=["x", "y"])
    m.support("left", "shell.left", symmetry="y")
    m.support("right", "shell.right", symmetry="x")
    m.spread_load("press", "shell.top", force=[0, 0, f"-{0.5 * pi * RADIUS!r}*t"])
    return m


def of_cylinder() -> Iterator[Quantity]:
    value = YOUNG * WALL**2 / (RADIUS * sqrt(3.0))
    yield Quantity("critical load", "N/m", value, 5e-3 * value, "closed form E h²/(R √3), ν = 0", "A", itemgetter(0))


CASES = (
    case("buckling_plate", "square plate under uniaxial compression", plate, of_plate, refined((16, 16), (32, 32))),
    case("buckling_cylinder", "cylinder under axial compression", cylinder, of_cylinder, refined((16, 16), (32, 32))),
)
