"""Hertz: a rigid sphere pressed into an elastic block, without friction. Nodes of the block touch the sphere, so that
the rim of the contact is known to half an element."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Model
from ..results import Results
from .case import Case, Quantity
from .shell_models import loaded

SOURCE = "H. Hertz, J. reine angew. Math. 92 (1882); K. L. Johnson, Contact Mechanics (1985), section 4.2"
YOUNG, POISSON = 10e6, 0.3  # Pa
PLANE_STRAIN = YOUNG / (1.0 - POISSON**2)
RADIUS, TOUCH = 0.1, 0.004  # m, of the sphere and of the contact
APPROACH = TOUCH**2 / RADIUS
FORCE = 4.0 / 3.0 * PLANE_STRAIN * TOUCH**3 / RADIUS
PRESSURE = 1.5 * FORCE / (np.pi * TOUCH**2)
FAR = 40.0  # contact radii, to the end of the block: it yields by 4 / (3 pi FAR) of the approach less than a half-space
STIFFNESS = 1e6  # N/m of each node, a hundred times that of the material around it
QUARTER, PART = 0.25, 0.25  # of the block is modelled; of the approach
CORE, ELEMENTS = 0.66, 3  # contact radii that squares fill, and their number; so that the rim is amidst an element


def graded(first: float, end: float, growth: float = 1.6) -> np.ndarray:
    """Places from the end of a fine region on, in steps that grow."""
    steps = first * growth ** np.arange(1, 60)
    count = int(np.searchsorted(np.cumsum(steps), end - 1.0)) + 1
    return 1.0 + np.cumsum(steps[:count]) * (end - 1.0) / steps[:count].sum()


def quarter_disc(core: int, rings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(points, quads): a square of core x core quads, and rings of the given radii around it."""
    side = np.linspace(0.0, CORE, core + 1)
    x, y = np.meshgrid(side, side, indexing="ij")
    bulge = 1.0 + 0.18 * (x * y) / side[-1] ** 2  # so that corners of the square are not sharp
    square = np.stack((x, y), axis=-1) * (2.0 - bulge)[..., None]
    rim = np.concatenate((square[-1, :], square[-2::-1, -1]))
    turn = np.linspace(0.0, 0.5 * np.pi, 2 * core + 1)
    circle = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    points, n = [square.reshape(-1, 2)], np.arange((core + 1) ** 2).reshape(core + 1, core + 1)
    quads = [np.stack((n[:-1, :-1], n[1:, :-1], n[1:, 1:], n[:-1, 1:]), axis=-1).reshape(-1, 4)]
    inner, count = np.concatenate((n[-1, :], n[-2::-1, -1])), n.size
    for r in rings:
        near = np.clip((r / CORE - 1.0) / 0.6, 0.0, 1.0)  # round from the contact's rim on
        points.append(near * r * circle + (1.0 - near) * (r / CORE) * rim)
        outer = count + np.arange(len(circle))
        quads.append(np.stack((inner[:-1], outer[:-1], outer[1:], inner[1:]), axis=-1))
        inner, count = outer, count + len(outer)
    return np.concatenate(points), np.concatenate(quads)


def block(core: int = ELEMENTS) -> dict:
    """Mesh below z = 0 [m]: fine where it is touched, coarse far away."""
    fine = CORE / core
    within = CORE + fine * np.arange(1, core + 1)
    flat, quads = quarter_disc(core, np.concatenate((within, within[-1] * graded(0.5 / core, FAR / within[-1]))))
    z = -np.concatenate((np.linspace(0.0, 1.0, int(np.ceil(1.0 / fine)) + 1), graded(fine, FAR)))
    nodes = np.concatenate([np.column_stack((flat, np.full(len(flat), depth))) for depth in z[::-1]])
    layers = [np.concatenate((quads, quads + len(flat)), axis=1) + k * len(flat) for k in range(len(z) - 1)]
    groups = {
        "mirror_x": np.flatnonzero(nodes[:, 0] < 1e-9), "mirror_y": np.flatnonzero(nodes[:, 1] < 1e-9),
        "bottom": np.arange(len(flat)), "top": np.arange(len(nodes) - len(flat), len(nodes)),
    }  # fmt: skip
    return {
        "kind": "points", "nodes": (TOUCH * nodes).tolist(), "hexahedra": np.concatenate(layers).tolist(),
        "groups": {name: group.tolist() for name, group in groups.items()},
    }  # fmt: skip


def pressed() -> Model:
    m = Model(name="Hertz")
    m.solid("block", mesh=block(), material={"young": YOUNG, "poisson": POISSON, "density": 1000.0})
    m.support("mirror_x", "block.mirror_x", hold=["x"])
    m.support("mirror_y", "block.mirror_y", hold=["y"])
    m.support("bottom", "block.bottom", hold=["z"])
    m.moving_frame("press", at=[0, 0, RADIUS], position=[0, 0, f"{-APPROACH}*t"])
    sphere = {"kind": "sphere", "on": "press", "radius": RADIUS}
    m.contact("touch", between=[sphere, "block"], law={"kind": "linear", "stiffness": STIFFNESS})
    return loaded(m, (PART, 1.0))


def radius(results: Results) -> float:
    """Half way between the last node that touches and the first that does not [m]."""
    mesh = block()
    top = np.array(mesh["groups"]["top"])
    places = results["block.positions"].values[-1].reshape(-1, 3)[top]
    touches = np.linalg.norm(places - [0.0, 0.0, RADIUS - APPROACH], axis=1) < RADIUS
    out = np.linalg.norm(np.array(mesh["nodes"])[top, :2], axis=1)
    return float(0.5 * (out[touches].max() + out[~touches].min()))


def pressure(results: Results) -> float:
    """In the middle [Pa]."""
    middle = block()["groups"]["top"][0]
    return -float(results["block.nodal_stress"].values[-1].reshape(-1, 6)[middle, 2])


def force(time: float):
    return lambda results: float(results["touch.normal"].at(time)) / QUARTER


def quantities() -> Iterator[Quantity]:
    early = FORCE * PART**1.5
    yield Quantity("force at a quarter of the approach", "N", early, 0.03 * early, SOURCE, "A", force(PART))
    yield Quantity("force", "N", FORCE, 0.02 * FORCE, SOURCE, "A", force(1.0))
    yield Quantity("pressure in the middle", "Pa", PRESSURE, 0.04 * PRESSURE, SOURCE, "A", pressure)
    half = 0.5 * CORE / ELEMENTS * TOUCH
    yield Quantity("radius of the contact, to half an element", "m", TOUCH, half, SOURCE, "A", radius)


CASES = (Case("hertz", "rigid sphere pressed into an elastic block, Hertz", {"": pressed}, quantities),)
