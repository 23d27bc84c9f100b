"""Small loads on shells that are hard for elements: membrane action, bending without stretching, warped elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import pi

import numpy as np

from ..model import Model
from .case import Case, Quantity, case
from .shell_models import by, isotropic, loaded, shell

SMALL = 1e-4  # of the published load: so little that answers are linear to 1e-4 and still far above rounding
NEAR = 0.01


def linear(place: str, letter: str, sign: float = 1.0) -> Callable:
    """Displacement per published load."""
    moved = by(place, letter, 1.0, sign)
    return lambda results: moved(results) / SMALL


def quantity(name: str, reference: float, source: str, value: Callable, run: str = "", mark: str = "B") -> Quantity:
    return Quantity(name, "m", reference, NEAR * reference, source, mark, value, run)


# -- Scordelis and Lo's roof ------------------------------------------------------------------------------------------
def roof(n: int = 16) -> Model:
    """A quarter of a barrel vault on end diaphragms under its weight; its crown is at y = 0, x points up.
    Converges to 0.3016 (n = 64)."""
    mesh = {"kind": "tube", "radius": 25, "length": 25, "angle": "40 deg", "divisions": [n, n]}
    m = shell("Scordelis-Lo roof", mesh, 0.25, 4.32e8, 0)
    m.support("middle_z", "shell.bottom", symmetry="z")
    m.support("crown", "shell.left", symmetry="y")
    m.support("diaphragm", "shell.top", hold=["x", "y"])
    weight = 90.0 * 25.0 * 25.0 * 40.0 * pi / 180.0
    m.spread_load("weight", "shell", force=[f"{-SMALL * weight!r}*t", 0, 0])
    return loaded(m)


def of_roof() -> Iterator[Quantity]:
    source = "MacNeal and Harder (1985): 0.3024, shallow-shell theory 0.3024, deep 0.3020"
    yield quantity("middle of the free edge, down", 0.3020, source, linear("shell.bottom_right", "x", -1.0), mark="A")


# -- pinched cylinder -------------------------------------------------------------------------------------------------
def cylinder(n: int = 32) -> Model:
    """An eighth of a cylinder on end diaphragms, pinched by one newton."""
    mesh = {"kind": "tube", "radius": 300, "length": 300, "angle": "90 deg", "divisions": [n, n]}
    m = shell("Pinched cylinder, small load", mesh, 3, 3e6, 0.3)
    m.support("middle_y", "shell.left", symmetry="y")
    m.support("middle_x", "shell.right", symmetry="x")
    m.support("middle_z", "shell.bottom", symmetry="z")
    m.support("diaphragm", "shell.top", hold=["x", "y"])
    m.load("pinch", "shell.bottom_left", force=[f"{-0.25 * PINCH!r}*t", 0, 0])
    return loaded(m)


PINCH = 100.0  # N; the answer is linear up to there


def of_cylinder() -> Iterator[Quantity]:
    moved = by("shell.bottom_left", "x", 1.0, -1.0)
    source = "value used in FinEtoolsFlexStructures, 1.8248e-5"
    yield quantity("under the load", 1.8248e-5, source, lambda results: moved(results) / PINCH)


# -- hemisphere -------------------------------------------------------------------------------------------------------
def hemisphere(n: int = 16) -> Model:
    """A quarter of a hemisphere with a hole of 18°, pulled and pushed by two newtons."""
    mesh = {"kind": "sphere", "radius": 10, "hole": "18 deg", "angle": "90 deg", "divisions": [n, n]}
    m = shell("Hemisphere, small load", mesh, 0.04, 6.825e7, 0.3)
    m.support("middle_y", "shell.left", symmetry="y")
    m.support("middle_x", "shell.right", symmetry="x")
    m.support("height", "shell.equator_left", hold=["z"])
    m.load("pull", "shell.equator_left", force=[f"{SMALL!r}*t", 0, 0])
    m.load("push", "shell.equator_right", force=[0, f"{-SMALL!r}*t", 0])
    return loaded(m)


def of_hemisphere() -> Iterator[Quantity]:
    # with the hole; published between 0.0930 and 0.0940, and 0.0924 without it
    source = "Elmer, elements of order 4: mean of both points at twice the load, halved"
    yield quantity("outwards", 0.09349, source, linear("shell.equator_left", "x"))
    yield quantity("inwards", 0.09349, source, linear("shell.equator_right", "y", -1.0))


# -- twisted beam -----------------------------------------------------------------------------------------------------
TWISTED = {  # thickness, load, direction, displacement
    "thick, z": (0.32, 1.0, "z", 0.005424534868469),
    "thick, y": (0.32, 1.0, "y", 0.001753248285256),
    "thin, z": (0.0032, 1e-6, "z", 0.005256),
    "thin, y": (0.0032, 1e-6, "y", 0.001294),
}


def ruled(start: np.ndarray, end: np.ndarray, across: int) -> dict:
    """A mesh of quads between two lines of points (n, 3), with groups at its first and last row."""
    share = np.linspace(0.0, 1.0, across + 1)[None, :, None]
    points = start[:, None] * (1.0 - share) + end[:, None] * share
    number = np.arange(points[:, :, 0].size).reshape(points.shape[:2])
    quads = np.stack((number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]), axis=2).reshape(-1, 4)
    groups = {"start": number[0].tolist(), "end": number[-1].tolist(), "tip": [int(number[-1, across // 2])]}
    return {"kind": "points", "nodes": points.reshape(-1, 3).tolist(), "quads": quads.tolist(), "groups": groups}


def twisted(run: str = "thick, z", along: int = 48, across: int = 4) -> Model:
    """A cantilever along x, twisted by a quarter turn over its length: every element is warped."""
    thickness, load, letter, _ = TWISTED[run]
    x = np.linspace(0.0, 12.0, along + 1)
    side = 0.55 * np.array([0 * x, np.cos(x * pi / 24), np.sin(x * pi / 24)]).T
    line = np.array([x, 0 * x, 0 * x]).T
    m = shell("Twisted beam", ruled(line - side, line + side, across), thickness, 29e6, 0.22)
    m.support("clamp", "shell.start")
    small = f"{SMALL * load!r}*t"
    m.load("tip", "shell.tip", force=[small if letter == axis else 0 for axis in "xyz"])
    return loaded(m)


def of_twisted() -> Iterator[Quantity]:
    for run, (_, _, letter, reference) in TWISTED.items():
        thick = run.startswith("thick")
        source = "Zupan and Saje (2004), beam theory" if thick else "FinEtoolsFlexStructures, origin unknown"
        yield quantity(f"tip, {run}", reference, source, linear("shell.tip", letter), run, "A" if thick else "B")


# -- Raasch's hook ----------------------------------------------------------------------------------------------------
def hook(along: int = 105, across: int = 16) -> Model:
    """Two arcs of 14 and 46 that turn opposite ways, 20 wide and 2 thick, pushed along the width of the free end:
    bending comes with twist, and both with turning about the normal."""
    small, large = np.linspace(0, pi / 3, along * 2 // 7 + 1), np.linspace(5 * pi / 6, 0, along * 5 // 7 + 1)[1:]
    first = 14.0 * np.array([np.sin(small), 1.0 - np.cos(small)])
    centre = np.array([[60.0 * np.sin(pi / 3)], [-16.0]])
    second = centre + 46.0 * np.array([np.cos(large), np.sin(large)])
    line = np.vstack((np.hstack((first, second)), np.zeros(len(small) + len(large)))).T
    m = shell("Raasch hook", ruled(line, line + np.array([0, 0, 20.0]), across), 2.0, 3300.0, 0.35)
    m.support("clamp", "shell.start")
    m.spread_load("push", "shell.end", force=[0, 0, f"{SMALL!r}*t"])
    return loaded(m)


def of_hook() -> Iterator[Quantity]:
    source = "value used in FinEtoolsFlexStructures, 5.02"
    yield quantity("tip along the width", 5.02, source, linear("shell.tip", "z"))


# -- Cook's membrane --------------------------------------------------------------------------------------------------
def cook(kind: str, n: int = 16) -> Model:
    """A tapered panel in its plane, clamped at the left, sheared at the right by one newton."""
    m = Model(name=f"Cook's membrane, {kind}")
    corners = [[0, 0, 0], [48, 44, 0], [48, 60, 0], [0, 44, 0]]
    mesh: dict = {"kind": "plate", "corners": corners, "divisions": [n, n]}
    if kind == "solid":
        m.solid(
            "panel", mesh={"kind": "extruded", "of": mesh, "thickness": 1, "layers": 1}, material=isotropic(1, 1 / 3)
        )
        m.support("plane", "panel.below", hold=["z"])
    elif kind == "shell":
        m.shell("panel", mesh=mesh, thickness=1, material=isotropic(1, 1 / 3))
        m.support("plane", "panel", hold=["z", "turn_x", "turn_y"])
    else:
        m.membrane("panel", mesh=mesh, thickness=1, material=isotropic(1, 1 / 3))
        m.support("plane", "panel", hold=["z"])
    m.support("clamp", "panel.left", hold=["x", "y"])
    m.spread_load("shear", "panel.right", force=[0, f"{SMALL!r}*t", 0])
    return loaded(m)


def middle_of_edge(results) -> float:
    """Upwards, of the middle of the right edge."""
    places = results["panel.positions"].values.reshape(2, -1, 3)
    k = int(np.argmin(np.linalg.norm(places[0] - [48, 52, places[0, 0, 2]], axis=1)))
    return float(places[1, k, 1] - places[0, k, 1]) / SMALL


def of_cook() -> Iterator[Quantity]:
    for kind in ("membrane", "shell", "solid"):
        yield quantity(f"middle of the edge, {kind}", 23.965, "converged: 23.96 to 23.97", middle_of_edge, kind)


CASES = (
    case("scordelis_lo", "barrel vault under its weight", roof, of_roof),
    case("pinched_cylinder_linear", "cylinder with diaphragms, pinched a little", cylinder, of_cylinder),
    case("hemisphere_linear", "hemisphere with a hole, pulled and pushed a little", hemisphere, of_hemisphere),
    Case("twisted_beam", "MacNeal and Harder's twisted beam", {r: partial(twisted, r) for r in TWISTED}, of_twisted),
    case("raasch_hook", "Raasch's hook", hook, of_hook),
    Case(
        "cook_membrane", "Cook's tapered panel", {k: partial(cook, k) for k in ("membrane", "shell", "solid")}, of_cook
    ),
)
