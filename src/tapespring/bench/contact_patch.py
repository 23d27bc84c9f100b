"""Contact patch test: two elastic blocks with meshes that do not match, pressed together, are to have one stress.

Nodes that touch triangles, from both sides, carry the force but do not quite pass the test: stresses beside the contact
are some per cent off. Sides are held, so that edges that are flush stay so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..model import Model
from ..results import Results
from .case import Case, Quantity
from .shell_models import loaded

SOURCE = "uniaxial strain, closed form; test of R. L. Taylor and P. Papadopoulos, Nonlinear Comp. Mech. (1991)"
YOUNG, SIDE, HEIGHT, STRAIN = 1e6, 0.1, 0.05, -0.01  # Pa, m
PRESSURE = -YOUNG * STRAIN * (1.0 + 0.5 * STRAIN)  # by Green's strain
FORCE = PRESSURE * (1.0 + STRAIN) * SIDE**2
STIFFNESS = 1e7  # N/m of each node, two hundred times that of an element


def blocks() -> Model:
    m = Model(name="Contact patch test")
    box = {"kind": "box", "length": SIDE, "width": SIDE, "height": HEIGHT}
    material = {"young": YOUNG, "poisson": 0.0, "density": 1000.0}
    m.solid("low", mesh=box | {"divisions": [3, 3, 2], "origin": [0, 0, -HEIGHT]}, material=material)
    m.solid("up", mesh=box | {"divisions": [4, 5, 2]}, material=material)
    for name in ("low", "up"):
        for side in ("x0", "x1", "y0", "y1"):
            m.support(f"{name}_{side}", f"{name}.{side}", hold=[side[0]])
    m.support("base", "low.z0", hold=["z"])
    m.support("press", "up.z1", move={"z": f"{2.0 * HEIGHT * STRAIN}*t"})
    m.contact("touch", between=["low", "up"], law={"kind": "linear", "stiffness": STIFFNESS})
    return loaded(m)


def pressure(name: str, which: Callable) -> Callable[[Results], float]:
    """Of those along z at all nodes of a block [Pa]."""
    return lambda results: float(which(-results[f"{name}.nodal_stress"].values[-1].reshape(-1, 6)[:, 2]))


def force(results: Results) -> float:
    return float(results["touch.normal"].final)


def quantities() -> Iterator[Quantity]:
    yield Quantity("force", "N", FORCE, 2e-3 * FORCE, SOURCE, "A", force)
    for name in ("low", "up"):
        for word, which in (("least", np.min), ("greatest", np.max)):
            about = f"{word} pressure in the {'lower' if name == 'low' else 'upper'} block"
            yield Quantity(about, "Pa", PRESSURE, 0.1 * PRESSURE, SOURCE, "A", pressure(name, which))


CASES = (Case("contact_patch", "two blocks with meshes that do not match", {"": blocks}, quantities),)
