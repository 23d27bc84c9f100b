"""Oscillator on a shaken base through an impact pair with friction, and the loop of force against way."""

from ..model import Model
from .case import Quantity, at, case

SOURCE = "piecewise linear equations integrated independently, events to 1e-12 s"
PAIR = {
    "kind": "impact_pair", "axis": "x", "stiffness": "1e5 N/m", "stop_stiffness": "9e5 N/m", "friction": "180 N",
    "gaps": ["0.5 mm", "0.5 mm"],
}  # fmt: skip
FIRST = (
    0.0004048987969438948, 0.001695459478279293, 0.004949632052720537, 0.007052694570496951, 0.011956699327936717,
    0.01423590617066773, 0.027129577274915728, 0.030191940597267337, 0.035752914151647115, 0.03865535742322933,
)  # fmt: skip
PLACES = {0.005: (0.0016246307787085, 0.60339512687262), 0.01: (0.0024233919093407, -0.69108631874861)}


def oscillator() -> Model:
    """2 kg, c = 20 N s/m, base 2 mm at 40 Hz."""
    return Model.from_plain({
        "name": "oscillator with play",
        "bodies": {
            "base": {"kind": "moving_frame", "position": ["0.002*sin(2*pi*40*t)", 0, 0]},
            "mass": {"kind": "point_mass", "mass": "2 kg"},
        },
        "joints": {"rail": {"kind": "point_on_line", "between": ["ground", "mass"], "axis": "x"}},
        "contacts": {"play": PAIR | {"between": ["base", "mass"], "damping": "20 N s/m"}},
        "simulate": {"duration": 0.5, "solver": "ode", "tolerance": 1e-12, "absolute_tolerance": 1e-14, "outputs": 100},
    })  # fmt: skip


def oscillations():
    for time, (x, v) in PLACES.items():
        yield Quantity(f"x at {time:g} s", "m", x, 1e-8, SOURCE, "R", at("mass.position.x", time))
        yield Quantity(f"velocity at {time:g} s", "m/s", v, 1e-8, SOURCE, "R", at("mass.velocity.x", time))
    for k, time in enumerate(FIRST):
        yield Quantity(f"event {k + 1}", "s", time, 1e-8, SOURCE, "R", lambda r, k=k: r.events[k].time)
    yield Quantity("number of events", "1", 84, 0.5, SOURCE, "R", lambda r: len(r.events))


def loop() -> Model:
    """The body is led out to 1 mm, back to -1 mm and out again, at rest throughout."""
    return Model.from_plain({
        "name": "loop of an impact pair",
        "bodies": {"block": {"kind": "rigid", "mass": "1 kg", "inertia": [1, 1, 1]}},
        "joints": {"rail": {"kind": "prismatic", "between": ["ground", "block"], "axis": "x"}},
        "drives": {"lead": {"joint": "rail.position", "value": "0.001*(t - 3*max(t - 1, 0) + 4*max(t - 2, 0))"}},
        "contacts": {"play": PAIR | {"between": ["ground", "block"]}},
        "simulate": {"duration": 3.0, "solver": "quasi-static", "outputs": 60},
    })  # fmt: skip


def force_at(time: float):
    return lambda results: -results["play.force.x"].at(time)


def forces():
    closed = "breakpoints by hand"
    for time, force in ((0.2, 200.0), (0.7, 250.0), (1.0, 550.0), (1.35, -150.0), (1.85, -250.0), (2.0, -550.0),
                        (2.35, 150.0), (2.85, 250.0), (3.0, 550.0)):  # fmt: skip
        yield Quantity(f"force at {time:g} s", "N", force, 1e-6, closed, "A", force_at(time))


CASES = (
    case("impact_pair_oscillator", "oscillator with play and friction on a shaken base", oscillator, oscillations),
    case("impact_pair_loop", "force against way of play with friction", loop, forces),
)
