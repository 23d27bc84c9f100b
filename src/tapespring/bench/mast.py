"""Scissor mast of four bays with clearance in all its pins, and a film of oil in them."""

from math import cos, radians, sin

from ..model import Model
from .case import Quantity, at, case

SOURCE = "planar equations of 8 bars integrated independently (SciPy DOP853); scissor mast after Wen Rong"
BAYS, START, END = 4, 70.0, 30.0
TIP = {0.5: (1.62026314448605, 0.457213491488529), 1.0: (2.56722592113339, 0.387197800758066)}
LAW = {"kind": "nonlinear", "stiffness": "1e9 N/m^1.5", "damping": "1e9 N s/m^2.5"}


def pin(first, second, point) -> dict:
    return {
        "kind": "clearance_revolute", "between": [first, second], "at": point, "axis": "z", "clearance": "0.2 mm",
        "film": "20 N s/m", "law": LAW,
    }  # fmt: skip


def bar(i: int, up: bool, angle: float) -> dict:
    """A_i rises, B_i falls; both have their middle in the middle of bay i."""
    return {
        "kind": "rigid", "at": [(i - 0.5) * cos(angle), 0.5 * sin(angle), 0],
        "orientation": {"axis": "z", "angle": angle if up else -angle}, "mass": 0.36, "inertia": [1e-4, 0.03, 0.03],
        "markers": {"left": [-0.5, 0, 0], "right": [0.5, 0, 0]},
    }  # fmt: skip


def mast(bays: int = BAYS, duration: float = 1.0) -> Model:
    """Bars of 1 m and 0.36 kg; the lower left bearing is fixed, the upper one is moved down to deploy it."""
    a, span = radians(START), 0.5 * bays
    turn = f"({radians(END - START)!r}*(10*(t/{span})^3 - 15*(t/{span})^4 + 6*(t/{span})^5) + {a!r})"
    bodies: dict = {
        "top": {"kind": "moving_frame", "at": [0, sin(a), 0], "position": [0, f"sin{turn} - {sin(a)!r}", 0]}
    }
    joints: dict = {}
    contacts: dict = {}
    for i in range(1, bays + 1):
        for name, up in ((f"A{i}", True), (f"B{i}", False)):
            bodies[name] = bar(i, up, a)
            joints[f"flat_{name}"] = {"kind": "planar", "between": ["ground", name], "axis": "z"}
        contacts[f"M{i}"] = pin(f"A{i}", f"B{i}", bodies[f"A{i}"]["at"])
        x = (i - 1) * cos(a)
        low, high = ("ground", "top") if i == 1 else (f"B{i - 1}", f"A{i - 1}")
        contacts[f"L{i}"] = pin(low, f"A{i}", [x, 0, 0])
        contacts[f"U{i}"] = pin(high, f"B{i}", [x, sin(a), 0])
    return Model.from_plain({
        "name": f"scissor mast of {bays} bays with clearance", "bodies": bodies, "joints": joints, "contacts": contacts,
        "simulate": {"duration": duration, "solver": "ode", "tolerance": 1e-10, "outputs": 100},
    })  # fmt: skip


def tip(letter: str, time: float):
    """Mean of the free ends of the last two bars."""
    ends = [at(f"{name}{BAYS}.right.position.{letter}", time) for name in "AB"]
    return lambda results: 0.5 * sum(end(results) for end in ends)


def quantities():
    for time, place in TIP.items():
        for letter, reference in zip("xy", place, strict=True):
            yield Quantity(f"tip {letter} at {time:g} s", "m", reference, 1e-7, SOURCE, "R", tip(letter, time))


CASES = (case("mast_clearance", "scissor mast of 4 bays with clearance in its 12 pins", mast, quantities),)
