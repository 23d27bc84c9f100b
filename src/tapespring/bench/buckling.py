"""Columns and a cantilever that buckle, against closed forms."""

from functools import partial
from math import log2, pi, sqrt

from ..model import Model
from .beam_modes import beam
from .case import Case, Quantity, case

EULER = {"cf": 0.25, "pp": 1.0, "cc": 4.0}  # of π² EI/L²
ENDS = {"cf": "clamped and free", "pp": "pinned", "cc": "clamped"}
MESHES = (8, 16, 32)


def column(ends: str) -> Model:
    """Unit length and bending stiffness, along x, pressed by t newtons."""
    m = beam(ends, bending_stiffness=[1.0, 3.0])
    m.load("press", "boom.end", force=["-t", 0, 0])
    return m


def critical(model: Model) -> list[float]:
    """The earliest critical time on every mesh."""
    return [float(model.set("bodies.boom.elements", n).buckling(2).critical_times[0]) for n in MESHES]


def half_way(model: Model) -> list[float]:
    """The same, about the balanced place under half the critical load."""
    at = 0.5 * EULER["cf"] * pi**2
    return [float(model.set("bodies.boom.elements", n).buckling(2, at=at).critical_times[0]) for n in MESHES]


def of_columns():
    for ends, factor in EULER.items():
        value = factor * pi**2
        yield Quantity(
            f"critical load, {ENDS[ends]}", "N", value, 2e-5 * value, "Euler", "A", lambda found: found[-1], ends
        )
        if ends == "cf":
            continue  # its error is at rounding, 1e-7: no order can be read from it
        yield Quantity(
            f"order of convergence, {ENDS[ends]}", "1", 4.0, 0.2, "order of the elements", "A",
            order_towards(value), ends,
        )  # fmt: skip


def order_towards(value: float):
    return lambda found: log2(abs((found[0] - value) / (found[1] - value)))


def of_half():
    value = EULER["cf"] * pi**2
    yield Quantity("critical load, found from half of it", "N", value, 2e-5 * value, "Euler", "A", lambda f: f[-1])


def plank() -> Model:
    """A cantilever very much stiffer in the plane of its load than across."""
    m = beam("cf", bending_stiffness=[1e6, 1.0], torsion_stiffness=2.0)
    m.load("weight", "boom.end", force=[0, 0, "-t"])
    return m


def of_plank():
    value = 4.0126 * sqrt(2.0)
    source = "closed form 4.0126 √(EI GJ)/L² (Timoshenko and Gere: 4.013)"
    name = "critical load, extrapolated"
    yield Quantity(name, "N", value, 2e-5 * value, source, "A", lambda found: (4.0 * found[-1] - found[-2]) / 3.0)
    source = "order of bending coupled with twist"
    yield Quantity("order of convergence", "1", 2.0, 0.05, source, "A", order_towards(value))


CASES = (
    Case("buckling_euler", "Euler's columns", {e: partial(column, e) for e in EULER}, of_columns, critical),
    case("buckling_half_way", "a column under half its critical load", lambda: column("cf"), of_half, half_way),
    case("buckling_lateral", "lateral buckling of a narrow cantilever", plank, of_plank, critical),
)
