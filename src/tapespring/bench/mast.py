"""Scissor mast: 4 and 20 bays with clearance in all pins and a film of oil in them; up to 200 bays with ideal pins."""

from functools import partial
from math import cos, radians, sin

from ..model import Model
from .case import Case, Quantity, at, case

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


def swing(bays: int) -> str:
    """Angle of the bars as a formula of time; deployment takes half a second per bay."""
    span = 0.5 * bays
    way = f"(10*(t/{span})^3 - 15*(t/{span})^4 + 6*(t/{span})^5)"
    return f"({radians(END - START)!r}*{way} + {radians(START)!r})"


def mast(bays: int = BAYS, duration: float = 1.0) -> Model:
    """Bars of 1 m and 0.36 kg; the lower left bearing is fixed, the upper one is moved down to deploy it."""
    a = radians(START)
    bodies: dict = {
        "top": {"kind": "moving_frame", "at": [0, sin(a), 0], "position": [0, f"sin{swing(bays)} - {sin(a)!r}", 0]}
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


# -- many bays with clearance ----------------------------------------------------------------------------------------
MANY, EARLY = 20, 1.1  # bays; s, while it can be foreseen: later a difference of rounding is one of the result
FOURTH = (1.20678695719, 0.46868585881)  # middle of A4
EQUATIONS = "planar equations of 40 bars integrated independently (SciPy DOP853, and RK4 with steps of 2 µs)"


def many_quantities():
    for letter, reference in zip("xy", FOURTH, strict=True):
        place = at(f"A4.position.{letter}", EARLY)
        yield Quantity(f"fourth bay, {letter} at {EARLY:g} s", "m", reference, 1e-8, EQUATIONS, "R", place)


# -- ideal pins -------------------------------------------------------------------------------------------------------
CLOSED_FORM = "one degree of freedom: tip at N cos θ, force from the mass that θ feels"
SLIDER = 0.01  # kg, moves the upper bearing
LONG = (4, 20, 200)


def ideal_mast(bays: int) -> Model:
    """Halfway through its deployment; the upper bearing slides on a guide and is driven."""
    a = radians(START)
    bodies: dict = {"top": {"kind": "rigid", "at": [0, sin(a), 0], "mass": SLIDER, "inertia": [1e-6, 1e-6, 1e-6]}}
    joints: dict = {"guide": {"kind": "prismatic", "between": ["ground", "top"], "at": [0, sin(a), 0], "axis": "y"}}

    def hinge(first, second, point):
        return {"kind": "revolute", "between": [first, second], "at": point, "axis": "z"}

    for i in range(1, bays + 1):
        bodies |= {f"A{i}": bar(i, True, a), f"B{i}": bar(i, False, a)}
        joints[f"M{i}"] = hinge(f"A{i}", f"B{i}", bodies[f"A{i}"]["at"])
        low, high = ("ground", "top") if i == 1 else (f"B{i - 1}", f"A{i - 1}")
        joints[f"L{i}"] = hinge(low, f"A{i}", [(i - 1) * cos(a), 0, 0])
        joints[f"U{i}"] = hinge(high, f"B{i}", [(i - 1) * cos(a), sin(a), 0])
    lift = {"kind": "motion", "joint": "guide", "value": f"sin{swing(bays)} - {sin(a)!r}"}
    return Model.from_plain({
        "name": f"ideal scissor mast of {bays} bays", "bodies": bodies, "joints": joints, "drives": {"lift": lift},
        "simulate": {"duration": 0.25 * bays, "solver": "ode", "outputs": 10,
                     "tolerance": 1e-8 if bays < 100 else 1e-7},
    })  # fmt: skip


def closed_form(bays: int) -> tuple[float, float]:
    """(place of the tip [m], force of the drive [N]) halfway, where θ'' is zero and only M' θ'²/2 takes force."""
    m, span = 0.36, 0.5 * bays
    angle, rate = radians(0.5 * (START + END)), radians(END - START) * 1.875 / span
    slope = m * sin(2.0 * angle) * (bays * (4 * bays**2 - 1) / 6.0 - bays / 2.0)
    return bays * cos(angle), 0.5 * slope * rate**2 / cos(angle) - SLIDER * sin(angle) * rate**2


def ideal_tip(bays: int):
    ends = [at(f"{name}{bays}.right.position.x", 0.25 * bays) for name in "AB"]
    return lambda results: 0.5 * sum(end(results) for end in ends)


def ideal_quantities():
    for bays in LONG:
        tip_x, force = closed_form(bays)
        yield Quantity(
            f"tip x, {bays} bays", "m", tip_x, 1e-9 * tip_x, CLOSED_FORM, "A", ideal_tip(bays), run=f"{bays}"
        )
        drive = at("lift.force", 0.25 * bays)
        near = 1e-9 * abs(force)
        yield Quantity(f"drive force, {bays} bays", "N", force, near, CLOSED_FORM, "A", drive, run=f"{bays}")


CASES = (
    case("mast_clearance", "scissor mast of 4 bays with clearance in its 12 pins", mast, quantities),
    case("mast_many", "scissor mast of 20 bays with clearance", partial(mast, MANY, EARLY), many_quantities),
    Case(
        "mast_ideal", "scissor masts of 4, 20 and 200 bays, ideal pins", {f"{n}": partial(ideal_mast, n) for n in LONG},
        ideal_quantities,
    ),
)  # fmt: skip
