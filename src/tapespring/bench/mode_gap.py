"""A pinned beam strikes stops at its middle: how many modes the motion needs, with and without one static mode.

The beam is imported as matrices, 20 cubic elements. The equations of its modes are integrated by SciPy here, so that
the study is about modes alone. Below about six of them neither set converges.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

import numpy as np

from ..model import Model
from ..reduction.coordinates import coordinates_of
from ..reduction.interfaces import attach, read_interfaces
from ..reduction.methods import orthonormalised, shapes_of
from .case import Quantity, case
from .hermite import hermite_beam
from .mode_convergence import EI, LINE, beam

GAP, STIFFNESS, EXPONENT, DAMPING = 2e-4, 1e9, 1.5, 1e-5  # [m], [N/m^1.5], of the beam's stiffness [s]
PULSE, LASTS, END = 20.0, 5e-3, 0.05  # half a sine at 0.3 m [N], [s]
ERRORS = {
    "6 normal": 1.033587, "5 normal and 1 static": 0.702182, "10 normal": 0.351605, "9 normal and 1 static": 0.211713,
    "20 normal": 0.0319605, "19 normal and 1 static": 1.177646e-4,
}  # fmt: skip

PLACES = {
    0.0035: 0.000209207883001,
    0.01: 0.00020393273347,
    0.02: -5.04588002196e-05,
    0.05: 1.70324315009e-05,
}  # deflection of the middle with all modes, by time [s] [m]


def pinned() -> Model:
    m = beam("Pinned beam between stops", 20)
    m.revolute("left", m.ground, "beam.start", axis=[0, 0, 1])
    m.spherical("right", m.ground, "beam.end")
    return m


def study(model: Model) -> dict[str, float]:
    """Root-mean-square error of the middle's motion over that motion, by the set of modes."""
    structure = hermite_beam(EI, LINE, 1.0, 20, {0.0: "y", 1.0: "y"})
    z = coordinates_of(structure, attach(structure, read_interfaces({"mid": "0.5", "load": "0.3"})))
    shapes = shapes_of(structure, z, "rubin", 40, None, "superlu")
    at = np.array([own.start for own in z.own])  # deflections: the first coordinate of each interface
    loads = np.eye(len(shapes.normal), z.boundary)[:, at]
    static = shapes.elastic.solve(loads)[:, :1]  # by a unit force at the middle
    exact = motion(*orthonormalised(shapes.normal, z, 1e-10), at)
    found = {f"{t:g}": float(exact[round(5000 * t / END)]) for t in PLACES}
    for name in ERRORS:
        normal = shapes.normal[:, : int(name.split()[0])]
        V = np.hstack((normal, beyond(normal, static, z.mass))) if "static" in name else normal
        w = motion(*orthonormalised(V, z, 1e-10), at)
        found[name] = float(np.sqrt(((w - exact) ** 2).sum() / (exact**2).sum()))
    return found


def beyond(normal: np.ndarray, static: np.ndarray, mass) -> np.ndarray:
    """What a static shape has beside normal modes: little, and yet what matters."""
    return static - normal @ (normal.T @ (mass @ static))


def motion(shapes: np.ndarray, squares: np.ndarray, at: np.ndarray) -> np.ndarray:
    """(5001,) deflection of the middle [m]."""
    from scipy.integrate import solve_ivp

    (middle, load), n = shapes[at], len(squares)

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:n], y[n:]
        w = middle @ q
        depth = abs(w) - GAP
        stop = -np.sign(w) * STIFFNESS * depth**EXPONENT if depth > 0.0 else 0.0
        pulse = PULSE * np.sin(np.pi * t / LASTS) if t < LASTS else 0.0
        return np.concatenate((v, middle * stop + load * pulse - squares * (q + DAMPING * v)))

    times = np.linspace(0.0, END, 5001)
    found = solve_ivp(rates, (0.0, END), np.zeros(2 * n), method="LSODA", t_eval=times, rtol=1e-10, atol=1e-13)
    return middle @ found.y[:n]


def quantities() -> Iterator[Quantity]:
    source = "convergence study with the same elements, integrated independently"
    for t, place in PLACES.items():
        yield Quantity(f"middle at {t:g} s, all modes", "m", place, 1e-10, source, "R", itemgetter(f"{t:g}"))
    for name, value in ERRORS.items():
        yield Quantity(f"error, {name}", "", value, 1e-3 * value, source, "R", itemgetter(name))


CASES = (case("modes_gap_impact", "a beam strikes stops, by normal modes and with a static one", pinned, quantities,
              study),)  # fmt: skip
