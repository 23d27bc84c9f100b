"""NAFEMS LE10: a thick elliptic plate with an elliptic hole under pressure; stress at a corner of its surface."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Model
from ..results import Results
from .case import Case, Quantity
from .shell_models import isotropic, loaded

SOURCE = "NAFEMS, The Standard NAFEMS Benchmarks (1990), LE10"
STRESS = -5.38e6  # Pa, σyy at D
HOLE, RIM, HALF = (2.0, 1.0), (3.25, 2.75), 0.3  # semi-axes and half the thickness [m]
AROUND, ACROSS, THROUGH = 16, 12, 12
LOAD = 1e-3  # of the pressure: the reference is a linear one


def lattice() -> tuple[np.ndarray, np.ndarray]:
    """(nodes, numbers [around, across, through]): a quarter, from the x axis to the y axis, from hole to rim."""
    turn = 0.5 * np.pi * np.linspace(0.0, 1.0, AROUND + 1)
    part = np.linspace(0.0, 1.0, ACROSS + 1) ** 1.5  # finer at the hole
    z = HALF * np.sin(0.5 * np.pi * np.linspace(-1.0, 1.0, THROUGH + 1))  # finer at the surfaces
    x, y = (a * (1.0 - part) + b * part for a, b in zip(HOLE, RIM, strict=True))
    shape = (AROUND + 1, ACROSS + 1, THROUGH + 1)
    nodes = np.zeros((*shape, 3))
    nodes[..., 0], nodes[..., 1] = np.outer(np.cos(turn), x)[..., None], np.outer(np.sin(turn), y)[..., None]
    nodes[..., 2] = z
    return nodes.reshape(-1, 3), np.arange(nodes.size // 3).reshape(shape)


def plate() -> Model:
    nodes, n = lattice()
    below = np.stack((n[:-1, :-1, :-1], n[:-1, 1:, :-1], n[1:, 1:, :-1], n[1:, :-1, :-1]), axis=-1).reshape(-1, 4)
    groups = {
        "along_x": n[0, :-1].ravel(), "along_y": n[-1, :-1].ravel(), "rim": n[:, -1].ravel(),
        "rim_middle": n[:, -1, THROUGH // 2], "top": n[:, :, -1].ravel(), "D": n[:1, 0, -1],
    }  # fmt: skip
    mesh = {
        "kind": "points",
        "nodes": nodes.tolist(),
        "hexahedra": np.concatenate((below, below + 1), axis=1).tolist(),
        "groups": {name: group.tolist() for name, group in groups.items()},
    }
    m = Model(name="NAFEMS LE10")
    m.solid("plate", mesh=mesh, material=isotropic(210e9, 0.3, 7800.0))
    m.support("mirror_y", "plate.along_x", hold=["y"])
    m.support("mirror_x", "plate.along_y", hold=["x"])
    m.support("sides", "plate.rim", hold=["x", "y"])
    m.support("height", "plate.rim_middle", hold=["z"])
    m.pressure("weight", "plate.top", pressure=f"{LOAD * 1e6}*t")
    return loaded(m)


def stress_at_D(results: Results) -> float:
    corner = int(lattice()[1][0, 0, -1])
    return float(results["plate.nodal_stress"].values[-1].reshape(-1, 6)[corner, 1]) / LOAD


def quantities() -> Iterator[Quantity]:
    yield Quantity("stress σyy at D", "Pa", STRESS, 0.02 * abs(STRESS), SOURCE, "A", stress_at_D)


CASES = (Case("le10", "thick elliptic plate under pressure, NAFEMS LE10", {"": plate}, quantities),)
