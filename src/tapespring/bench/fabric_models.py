"""Straps and fabric of the fourth problem: stowed until everything touches, held, and let go.

Two triangles of fabric, tied to five straps at the corners and at every eighth of their lengths. Fixtures at the
corners slide on rails without turning. The fabric gives way to compression by wrinkles finer than its elements, which
are twice as long as the space it is packed into. Contacts have a cushion of 0.1 mm, so that surfaces do not sink in.
Sections of straps get a radius of gyration of 2 mm about their width: that of a strap 0.18 mm thick would let turns of
sections that are bent at the clamps limit the explicit step to a tenth.
"""

from __future__ import annotations

from math import hypot
from typing import Any

from ..model import Model

CORNERS = {"A": (-0.216, 0.0), "B": (0.216, 0.0), "C": (0.0, 0.3741), "D": (0.0, -0.3741)}
STRAPS = ("AB", "AC", "BC", "AD", "BD")
TRIANGLES = {"upper": "ABC", "lower": "BAD"}
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
HEMS = ("hem_1", "hem_2")  # outer edges of a triangle of fabric
DAMPING = {"mass": "20 1/s"}
SMOOTHING = {"mass": "20 1/s", "stiffness": "10 us"}  # of the fabric: waves as short as its elements die out
LAW = {"kind": "nonlinear", "n": 1, "p": 1, "stiffness": 5e4, "margin": 1e-4}  # SI


def places(divisions: int) -> list[tuple[int, int]]:
    """(i, j) of every node of a triangle of fabric: along its first and its second edge."""
    return [(i, j) for i in range(divisions + 1) for j in range(divisions + 1 - i)]


def triangle(p: str, q: str, r: str) -> tuple[dict[str, Any], dict[str, str]]:
    """(mesh of a triangle of fabric, what its groups are attached to)"""
    (x, y), (qx, qy), (rx, ry) = (CORNERS[name] for name in (p, q, r))
    n = DIVISIONS
    number = {place: k for k, place in enumerate(places(n))}
    nodes = [[x + ((qx - x) * i + (rx - x) * j) / n, y + ((qy - y) * i + (ry - y) * j) / n, 0.0] for i, j in number]
    cells = []
    for i, j in number:
        if i + j < n:
            cells.append([number[i, j], number[i + 1, j], number[i, j + 1]])
        if i + j < n - 1:
            cells.append([number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]])
    tied = range(n // TIES, n, n // TIES)
    groups = {
        p: [number[0, 0]], q: [number[n, 0]], r: [number[0, n]],
        p + q: [number[k, 0] for k in tied], p + r: [number[0, k] for k in tied],
        q + r: [number[n - k, k] for k in tied],
    }  # fmt: skip
    attached = {name: name if name in CORNERS or name in STRAPS else name[::-1] for name in groups}
    groups |= {"hem_1": [number[0, k] for k in range(n + 1)], "hem_2": [number[n - k, k] for k in range(n + 1)]}
    # what is not tied to a strap along an edge
    groups["off_" + attached[p + q]] = [k for (_, j), k in number.items() if j > 0]
    groups["off_" + attached[p + r]] = [k for (i, _), k in number.items() if i > 0]
    groups["off_" + attached[q + r]] = [k for (i, j), k in number.items() if i + j < n]
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


def fabric_off(strap: str) -> list[Any]:
    """Triangles of fabric that are not tied to a strap."""
    names = [name for name, corners in TRIANGLES.items() if set(strap) <= set(corners)]
    return [{"kind": "part", "on": n, "group": f"off_{strap}"} if n in names else n for n in TRIANGLES]


def line_of(strap: str) -> dict[str, Any]:
    """From 15 mm beyond its rivets on."""
    (x, y), (p, q) = CORNERS[strap[0]], CORNERS[strap[1]]
    return {"kind": "rod", "on": strap, "radius": 0.5 * THICK, "stations": [0.015, hypot(x - p, y - q) - 0.015]}


def touching() -> dict[str, Any]:
    """The fabric touches itself, but for the strip along AB where both triangles are sewn to one strap; every strap the
    fabric that is not tied to it, and the other straps. Straps touch with their middle lines, whose contacts pass on
    from element to element without a jump: arms of one strap face each other node by node."""
    edges = {"kind": "contact", "law": LAW, "edges": True}
    touching: dict[str, Any] = {
        "straps": {"kind": "contact", "among": [line_of(strap) for strap in STRAPS], "law": LAW},
        "fabric": {**edges, "among": fabric_off("AB")},
    }
    for strap in STRAPS:
        touching[f"{strap}_fabric"] = {**edges, "between": [fabric_off(strap), line_of(strap)], "lines": "nodes"}
    return touching


def packed(gravity: float = 9.81, cord: bool = False) -> Model:
    bodies, joints, drives = fixtures(PACKED, STOW)
    for name in STRAPS:
        a, b = tuple(name)
        path = [[*CORNERS[a], 0], [*CORNERS[b], 0]]
        bodies[name] = {
            "kind": "beam", "path": path, "up": "z", "elements": ELEMENTS, "damping": DAMPING, "section": section(),
        }  # fmt: skip
        joints[f"{a}_{name}"] = {"kind": "fixed", "between": [a, f"{name}.start"]}
        joints[f"{b}_{name}"] = {"kind": "fixed", "between": [b, f"{name}.end"]}
    for name, corners in TRIANGLES.items():
        mesh, attached = triangle(*corners)
        bodies[name] = {**FABRIC, "mesh": mesh, "attach": attached, "damping": SMOOTHING}
        if cord:
            bodies |= {f"{name}_{hem}": {**CORD, "on": f"{name}.{hem}"} for hem in HEMS}
    stages = [
        {"name": "stow", "duration": STOW, "outputs": 100, "solver": "explicit"},
        {"name": "hold", "duration": HOLD, "outputs": 20, "solver": "explicit"},
        {"name": "bloom", "duration": BLOOM, "outputs": 80, "solver": "explicit", "without": list(drives)},
    ]
    return Model.from_plain({
        "name": "Straps and fabric, packed", "gravity": [0, 0, -gravity], "bodies": bodies, "joints": joints,
        "drives": drives, "contacts": touching(), "simulate": {"stages": stages},
    })  # fmt: skip
