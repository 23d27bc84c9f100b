"""How many modes? Static studies of a beam, 1 m of 20 mm × 5 mm aluminium, with normal modes alone and with one
static mode."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

import numpy as np

from ..modal import Reduced
from ..model import Model
from ..reduction.reduce import reduce
from .case import Quantity, case
from .hermite import hermite_beam

E, DENSITY, WIDTH, HEIGHT = 70e9, 2700.0, 0.02, 0.005
EI, LINE = E * WIDTH * HEIGHT**3 / 12.0, DENSITY * WIDTH * HEIGHT
SOURCE = "convergence study of a uniform beam, 80 cubic elements"


def beam(name: str, elements: int = 80) -> Model:
    """The same beam of the program's own elements."""
    m = Model(name=name)
    m.beam("beam", path=[[0, 0, 0], [1, 0, 0]], section={"kind": "rectangle", "width": HEIGHT, "thickness": WIDTH},
           material={"young": E, "poisson": 0.33, "density": DENSITY}, elements=elements, up=[0, 0, 1],
           shear=False, markers={"mid": "50 %"})  # fmt: skip
    return m


def flexibility(body: Reduced, frame: str, rotation: bool) -> float:
    """Of a reduced body in its frame: displacement along y, or turn about z, by a unit load there."""
    found = body.frame(frame)
    shape = found.rotation[2] if rotation else found.translation[1]
    return float(shape @ np.linalg.solve(body.stiffness, shape))


# -- a cantilever with a force at its middle --------------------------------------------------------------------------
ROUNDING = 1e-9  # of an energy: products of the stiffness with a smooth shape cancel; ω₁² is 1.7e-9 off its closed form
MID = {1: 0.3238, 2: 0.06417, 4: 0.02871, 6: 0.01691, 10: 0.008348, 20: 0.003078, 40: 0.0010966}


def middle_force(model: Model) -> dict[object, float]:
    """Error of displacements in energy norm by number of normal modes; "static": displacement at the force by one
    attachment mode and no other [m/N]."""
    structure = hermite_beam(EI, LINE, 1.0, 80, {0.0: "y rz"})
    static = flexibility(reduce(structure, {"mid": "0.5"}, method="rubin", modes=0), "mid", False)
    found: dict[object, float] = {"static": static}
    for n in MID:
        body = reduce(structure, {"mid": "0.5"}, method="normal", modes=n)
        found[n] = float(np.sqrt(max(1.0 - flexibility(body, "mid", False) / static, 0.0)))
    body = reduce(model, {"mid": "beam.mid"}, method="normal", modes=3)  # two in this plane and one across
    found["own"] = float(np.sqrt(max(1.0 - flexibility(body, "mid", False) * 24.0 * EI, 0.0)))
    return found


def cantilever() -> Model:
    m = beam("Cantilever with a force at its middle", 200)
    m.fixed("clamp", m.ground, "beam.start")
    return m


def middle_quantities() -> Iterator[Quantity]:
    for n, value in MID.items():
        near = 5e-4 * value + 0.5 * ROUNDING / value  # the error is the root of a difference of energies
        yield Quantity(f"energy error, {n} normal modes", "", value, near, SOURCE, "R", itemgetter(n))
    yield Quantity("flexibility, one static mode", "m/N", 1.0 / (24.0 * EI), 1e-8 / (24.0 * EI), "L³/(24 EI)", "A",
                   itemgetter("static"))  # fmt: skip
    yield Quantity("energy error, own elements, 2 modes", "", MID[2], 2e-3 * MID[2], SOURCE, "R", itemgetter("own"))


# -- a pinned beam with a moment at its end ---------------------------------------------------------------------------
TURN = {1: 0.3921, 2: 0.2401, 5: 0.1102, 10: 0.05785, 20: 0.02965}


def end_moment(model: Model) -> dict[object, float]:
    """Relative error of the turn of the end by number of normal modes; "static": one constraint mode instead."""
    structure = hermite_beam(EI, LINE, 1.0, 80, {0.0: "y", 1.0: "y"})
    exact = 1.0 / (3.0 * EI)
    found: dict[object, float] = {}
    for n in TURN:
        body = reduce(structure, {"end": "0"}, method="normal", modes=n)
        found[n] = 1.0 - flexibility(body, "end", True) / exact
    body = reduce(structure, {"end": "0"}, method="craig-bampton", modes=0)
    found["static"] = 1.0 - flexibility(body, "end", True) / exact
    return found


def pinned() -> Model:
    m = beam("Pinned beam with a moment at its end")
    m.revolute("left", m.ground, "beam.start", axis=[0, 0, 1])
    m.spherical("right", m.ground, "beam.end")
    return m


def moment_quantities() -> Iterator[Quantity]:
    for n in TURN:
        series = 1.0 - 6.0 / np.pi**2 * sum(1.0 / k**2 for k in range(1, n + 1))
        yield Quantity(f"error of the turn, {n} normal modes", "", series, 1e-3 * series, "Fourier series", "A",
                       itemgetter(n))  # fmt: skip
    yield Quantity("error of the turn, one constraint mode", "", 0.0, 1e-9, "exact", "A", itemgetter("static"))


CASES = (
    case("modes_middle_force", "cantilever with a force at its middle, by normal and static modes", cantilever,
         middle_quantities, middle_force),
    case("modes_end_moment", "pinned beam with a moment at its end, by normal and constraint modes", pinned,
         moment_quantities, end_moment),
)  # fmt: skip
