"""Frequencies of plates: NAFEMS free vibration benchmarks with shells and solids."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter

import numpy as np

from ..model import Model
from .case import Quantity, case
from .shell_models import isotropic, shell

STEEL = isotropic(200e9, 0.3, 8000.0)


SQUARE = {"kind": "plate", "length": 10, "width": 10, "divisions": [16, 16]}


def slowest(count: int, rigid: int) -> Callable[[Model], np.ndarray]:
    """Frequencies [Hz] above the rigid ones, extrapolated from two meshes: nodes carry the mass, so that errors fall
    with the square of the element's size."""

    def compute(model: Model) -> np.ndarray:
        meshes = (model.set("bodies.shell.mesh.divisions", [n, n]) for n in (8, 16))
        coarse, fine = (m.modes(count + rigid).frequencies_hz[rigid:] for m in meshes)
        return (4.0 * fine - coarse) / 3.0

    return compute


def frequencies(values, source: str, near: float = 0.01) -> Iterator[Quantity]:
    for k, value in enumerate(values):
        yield Quantity(f"frequency {k + 1}", "Hz", value, near * value, source, "B", itemgetter(k))


# -- FV12: free thin plate --------------------------------------------------------------------------------------------
FREE = (1.622, 2.360, 2.922, 4.190, 4.190, 7.356, 7.356, 7.668)


def free_plate() -> Model:
    return shell("Free thin plate", SQUARE, 0.05, 200e9, 0.3, 8000.0)


# -- 13H: thin plate on simple supports -------------------------------------------------------------------------------
SUPPORTED = tuple(2.3768 * k for k in (1.0, 2.5, 2.5, 4.0, 5.0, 5.0, 6.5, 6.5))
"""Kirchhoff's plate, (m² + n²)/2 of the first. Of the NAFEMS list only the first is this value; the others (5.961,
9.483, 12.133, 15.468) are those of a coarse mesh."""


def supported_plate() -> Model:
    """Edges can turn about themselves only; nothing moves in the plane."""
    m = shell("Thin plate on simple supports", SQUARE, 0.05, 200e9, 0.3, 8000.0)
    m.support("plane", "shell", hold=["x", "y", "turn_z"])
    for edge, turn in (("left", "turn_x"), ("right", "turn_x"), ("bottom", "turn_y"), ("top", "turn_y")):
        m.support(edge, f"shell.{edge}", hold=["z", turn])
    return m


# -- FV52: thick plate of solid elements ------------------------------------------------------------------------------
THICK = (45.897, 109.44, 109.44, 167.89)


def solid_plate(n: int = 16, layers: int = 3) -> Model:
    """One thick. Its sides move along their normals only, as in the thick-plate theory the values come from; held
    along the lower edges alone it is softer: 43.6, 105.1, 105.1 and 157.6 Hz (converged)."""
    m = Model(name="Thick plate on simple supports")
    mesh = {"kind": "box", "length": 10, "width": 10, "height": 1, "divisions": [n, n, layers]}
    m.solid("plate", mesh=mesh, material=STEEL)
    for side, along in (("x0", "y"), ("x1", "y"), ("y0", "x"), ("y1", "x")):
        m.support(side, f"plate.{side}", hold=[along, "z"])
    return m


def across(model: Model) -> np.ndarray:
    """Frequencies [Hz] of the modes out of the plane; shear in the plane comes in between at 155 Hz."""
    modes = model.modes(7)
    return np.array([f for k, f in enumerate(modes.frequencies_hz) if modes.describe(k).endswith("along z")])


NAFEMS = "NAFEMS, free vibration benchmarks, "

CASES = (
    case("fv12", "free thin square plate", free_plate, lambda: frequencies(FREE, f"{NAFEMS}FV12"), slowest(8, 6)),
    case("fv13h", "thin square plate on simple supports", supported_plate,
         lambda: frequencies(SUPPORTED, "closed form; NAFEMS 13H"), slowest(8, 0)),
    case("fv52", "thick square plate of solid elements", solid_plate, lambda: frequencies(THICK, f"{NAFEMS}FV52"),
         across),
)  # fmt: skip
