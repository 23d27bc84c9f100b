"""Contact patch test: two elastic blocks with meshes that do not match, pressed together, are to have one stress."""

from __future__ import annotations

from ..model import Model
from ..results import Results
from .shell_models import loaded

SOURCE = (
    "uniaxial stress E times strain; test after R. L. Taylor and P. Papadopoulos, Nonlinear Computational "
    "Mechanics (1991)"
)
YOUNG, SIDE, HEIGHT, WAY = 1e6, 0.1, 0.05, 1e-3  # Pa, m
STRESS = YOUNG * WAY / (2.0 * HEIGHT)
STIFFNESS = 1e7  # N/m of each node, two hundred times that of an element


def blocks() -> Model:
    m = Model(name="Contact patch test")
    box = {"kind": "box", "length": SIDE, "width": SIDE, "height": HEIGHT}
    material = {"young": YOUNG, "poisson": 0.0, "density": 1000.0}
    m.solid("low", mesh=box | {"divisions": [3, 3, 2], "origin": [0, 0, -HEIGHT]}, material=material)
    m.solid("up", mesh=box | {"divisions": [4, 5, 2]}, material=material)
    for name in ("low", "up"):
        m.support(f"{name}_x", f"{name}.x0", hold=["x"])
        m.support(f"{name}_y", f"{name}.y0", hold=["y"])
    m.support("base", "low.z0", hold=["z"])
    m.support("press", "up.z1", move={"z": f"{-WAY}*t"})
    m.contact("touch", between=["low", "up"], law={"kind": "linear", "stiffness": STIFFNESS})
    return loaded(m)


def stress(name: str, which):
    """Of the stresses at all nodes of a block [Pa]."""
    return lambda results: -float(which(results[f"{name}.nodal_stress"].values[-1].reshape(-1, 6)[:, 2]))


def force(results: Results) -> float:
    return float(results["touch.normal"].final)
