"""Slider-crank at 5000 rpm with clearance in the pin between rod and slider."""

from math import pi

from ..model import Model
from .case import Quantity, case

SOURCE = "planar equations of the mechanism, integrated independently"
TOUCHES = (
    0.00022728603203978689, 0.0006370564301755231, 0.0007497002798377895, 0.0010859470334385474,
    0.0012058161277239382, 0.0015514860009023753, 0.00171508178587034, 0.0028724952895049383,
    0.003169842912491833, 0.003354093968698487, 0.0038713149103820465, 0.004080193387616694,
)  # fmt: skip
SPEED = 5000.0 * 2.0 * pi / 60.0
CRANK, ROD = 0.05, 0.12


def slider_crank() -> Model:
    """No gravity, no friction; the journal begins in the middle of its bearing."""
    m = Model("slider-crank with clearance", duration=0.006, solver="ode", tolerance=1e-12, absolute_tolerance=1e-14)
    spin = -SPEED * CRANK / ROD
    m.rigid("crank", mass=0.1, inertia=[1e-4, 1e-4, 1e-4], angular_velocity=[0, 0, SPEED])
    m.revolute("main", "ground", "crank", at=[0, 0, 0], axis="z")
    m.motion("drive", joint="main.angle", value=f"{SPEED!r}*t")
    m.rigid("rod", at=[CRANK + ROD / 2, 0, 0], mass=0.21, inertia=[1e-6, 2.5e-4, 2.5e-4],
            velocity=[0, SPEED * CRANK + spin * ROD / 2, 0], angular_velocity=[0, 0, spin])  # fmt: skip
    m.revolute("pin", "crank", "rod", at=[CRANK, 0, 0], axis="z")
    m.rigid("slider", at=[CRANK + ROD, 0, 0], mass=0.14, inertia=[1e-5, 1e-5, 1e-5])
    m.prismatic("guide", "ground", "slider", at=[CRANK + ROD, 0, 0], axis="x")
    steel = {"young": "207 GPa", "poisson": 0.3}
    m.clearance_revolute(
        "play", "slider", "rod", at=[CRANK + ROD, 0, 0], axis="z", clearance="0.5 mm", radius="9.5 mm",
        law={"kind": "lankarani_nikravesh", "materials": steel, "restitution": 0.9},
    )  # fmt: skip
    return m


def touch(k: int):
    return lambda results: [event.time for event in results.events if event.name == "play.hit"][k]


def quantities():
    for k, time in enumerate(TOUCHES):
        yield Quantity(f"touch {k + 1}", "s", time, 1e-9, SOURCE, "R", touch(k))


CASES = (case("slider_crank_clearance", "slider-crank with clearance in the slider's pin", slider_crank, quantities),)
