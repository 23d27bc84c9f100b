"""Straps and fabric of the fourth problem: stowed until everything touches, held, and let go.

One piece of fabric fills both triangles, tied to five straps at the corners and at every eighth of their lengths.
Fixtures at the corners slide on rails without turning. The fabric gives way to compression by wrinkles finer than its
elements, which are twice as long as the space it is packed into. Contacts have a cushion of 0.1 mm, so that surfaces do
not sink in. Sections of straps get a radius of gyration of 2 mm about their width: that of a strap 0.18 mm thick would
let turns of sections that are bent at the clamps limit the explicit step to a tenth.
"""

from __future__ import annotations

from math import hypot
from typing import Any

import numpy as np

from ..model import Model

CORNERS = {"A": (-0.216, 0.0), "B": (0.216, 0.0), "C": (0.0, 0.3741), "D": (0.0, -0.3741)}
STRAPS = ("AB", "AC", "BC", "AD", "BD")
APART, PACKED = 0.432, 0.0127  # m from A to B: as drawn, and when stowed
DIVISIONS, TIES, ELEMENTS = 16, 8, 24  # of every edge of the fabric, of which tied; of a strap
STOW, HOLD, BLOOM = 0.5, 0.1, 0.3  # s
YOUNG, SHEAR, DENSITY, WIDE, THICK = 41.8e9, 16.1e9, 2657.271, 9.525e-3, 0.18e-3  # of straps, SI
GYRATION = 2e-3  # m
THIN = 25.4e-6  # m, of the fabric
FABRIC = {
    "kind": "membrane", "thickness": THIN, "wrinkles": True,
    "material": {"young": "344.7 MPa", "poisson": 0.3, "density": "553.6 kg/m^3"},
}  # fmt: skip
CORD = {"kind": "cord", "axial_stiffness": "1 kN", "mass_per_length": "0.1 g/m"}
HEMS = ("hem_AC", "hem_BC", "hem_AD", "hem_BD")  # outer edges of the fabric
BATH = {"kind": "drag", "rate": "20 1/s"}  # of everything, until it is let go
SMOOTHING = {"stiffness": "10 us"}  # of the fabric: waves as short as its elements die out
LAW = {"kind": "nonlinear", "n": 1, "p": 1, "stiffness": 1e5, "margin": 1e-4}  # SI
STRAP_LAW = LAW | {"stiffness": 1e6}  # nodes of straps are twenty times as heavy as those of the fabric


def upper_half(n: int) -> list[list[tuple[int, int]]]:
    """Cells of the half towards C by their nodes (i, j): i along AB, j towards C."""
    cells = []
    for j in range(n):
        for i in range(n - j):
            cells.append([(i, j), (i + 1, j), (i, j + 1)])
            if i + j < n - 1:
                cells.append([(i + 1, j), (i + 1, j + 1), (i, j + 1)])
    return cells


def sheet() -> tuple[dict[str, Any], dict[str, str]]:
    """(mesh of the fabric, what its groups are attached to); j of a node is below zero towards D."""
    n = DIVISIONS
    number = {place: k for k, place in enumerate((i, j) for j in range(-n, n + 1) for i in range(n + 1 - abs(j)))}
    A, B, C, D = (np.array([*CORNERS[name], 0.0]) for name in "ABCD")
    nodes = [(A + (B - A) * i / n + ((C if j > 0 else D) - A) * abs(j) / n).tolist() for i, j in number]
    half = upper_half(n)
    cells = [[number[place] for place in cell] for cell in half]
    cells += [[number[i, -j] for i, j in cell[::-1]] for cell in half]
    along = {"AB": [number[k, 0] for k in range(n + 1)]}
    for far, side in (("C", 1), ("D", -1)):
        along["A" + far] = [number[0, side * k] for k in range(n + 1)]
        along["B" + far] = [number[n - k, side * k] for k in range(n + 1)]
    groups = {strap: line[n // TIES : n : n // TIES] for strap, line in along.items()}
    groups |= {"A": along["AB"][:1], "B": along["AB"][-1:], "C": along["AC"][-1:], "D": along["AD"][-1:]}
    attached = {name: name for name in groups}
    groups |= {f"hem_{strap}": line for strap, line in along.items() if strap != "AB"}
    groups |= {f"off_{strap}": sorted(set(number.values()) - set(line)) for strap, line in along.items()}
    return {"kind": "points", "nodes": nodes, "triangles": cells, "groups": groups}, attached


def fixtures(distance: float, stow: float) -> tuple[dict, dict, dict]:
    """Bodies at the corners, their rails, and drives that bring A and B to a distance [m] within a time [s]."""
    bodies, joints, drives = {}, {}, {}
    for name, (x, y) in CORNERS.items():
        bodies[name] = {"kind": "rigid", "at": [x, y, 0], "mass": "50 g", "inertia": [1e-5, 1e-5, 1e-5]}
        joints[f"rail_{name}"] = {"kind": "prismatic", "between": ["ground", name], "axis": "x" if y == 0.0 else "y"}
        way = -(1.0 - distance / APART) * (x + y)
        drives[f"push_{name}"] = {
            "kind": "motion", "joint": f"rail_{name}", "value": f"{way!r}*(0.5 - 0.5*cos(pi*min(t/{stow}, 1)))",
        }  # fmt: skip
    return bodies, joints, drives


def section() -> dict[str, Any]:
    """Of a strap, with more rotary inertia than it has."""
    mass, turning = DENSITY * WIDE * THICK, DENSITY * WIDE * THICK * GYRATION**2
    wide = turning + mass * WIDE**2 / 12.0
    return {
        "kind": "general", "axial_stiffness": YOUNG * WIDE * THICK,
        "shear_stiffness": 5.0 / 6.0 * SHEAR * WIDE * THICK,
        "bending_stiffness": [YOUNG * WIDE * THICK**3 / 12.0, YOUNG * THICK * WIDE**3 / 12.0],
        "torsion_stiffness": SHEAR * WIDE * THICK**3 / 3.0 * (1.0 - 0.63 * THICK / WIDE),
        "mass_per_length": mass, "rotary_inertia": [wide, turning, wide],
    }  # fmt: skip


def fabric_off(strap: str) -> dict[str, str]:
    """The fabric that is not tied to a strap."""
    return {"kind": "part", "on": "fabric", "group": f"off_{strap}"}


def line_of(strap: str) -> dict[str, Any]:
    """From 15 mm beyond its rivets on."""
    (x, y), (p, q) = CORNERS[strap[0]], CORNERS[strap[1]]
    return {"kind": "rod", "on": strap, "radius": 0.5 * THICK, "stations": [0.015, hypot(x - p, y - q) - 0.015]}


def touching() -> dict[str, Any]:
    """The fabric touches itself; every strap the fabric that is not tied to it, and the other straps. Straps touch with
    their middle lines, whose contacts pass on from element to element without a jump: arms of one strap face each other
    node by node."""
    edges = {"kind": "contact", "law": LAW, "edges": True}
    touching: dict[str, Any] = {
        "straps": {"kind": "contact", "among": [line_of(strap) for strap in STRAPS], "law": STRAP_LAW},
        "folds": {**edges, "among": ["fabric"]},
    }
    for strap in STRAPS:
        touching[f"{strap}_fabric"] = {**edges, "between": [fabric_off(strap), line_of(strap)], "lines": "nodes"}
    return touching


def packed(gravity: float = 9.81, cord: bool = False) -> Model:
    bodies, joints, drives = fixtures(PACKED, STOW)
    for name in STRAPS:
        a, b = tuple(name)
        path = [[*CORNERS[a], 0], [*CORNERS[b], 0]]
        bodies[name] = {"kind": "beam", "path": path, "up": "z", "elements": ELEMENTS, "section": section()}
        joints[f"{a}_{name}"] = {"kind": "fixed", "between": [a, f"{name}.start"]}
        joints[f"{b}_{name}"] = {"kind": "fixed", "between": [b, f"{name}.end"]}
    mesh, attached = sheet()
    bodies["fabric"] = {**FABRIC, "mesh": mesh, "attach": attached, "damping": SMOOTHING}
    if cord:
        bodies |= {hem: {**CORD, "on": f"fabric.{hem}"} for hem in HEMS}
    stages = [
        {"name": "stow", "duration": STOW, "outputs": 100, "solver": "explicit"},
        {"name": "hold", "duration": HOLD, "outputs": 20, "solver": "explicit"},
        {"name": "bloom", "duration": BLOOM, "outputs": 80, "solver": "explicit", "without": [*drives, "bath"]},
    ]
    return Model.from_plain({
        "name": "Straps and fabric, packed", "gravity": [0, 0, -gravity], "bodies": bodies, "joints": joints,
        "drives": drives, "forces": {"bath": BATH}, "contacts": touching(), "simulate": {"stages": stages},
    })  # fmt: skip
