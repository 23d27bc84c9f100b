"""A05: a stiff flyball governor; slow swinging beside spring-dampers a thousand times faster."""

from math import pi

import numpy as np

from ..model import Model
from .case import Quantity, at, case

SOURCE = "independent integration; agrees with the plot of IFToMM/LIM A05"
HEIGHTS = {
    0.1: 0.52383648,
    0.25: 0.62209272,
    0.5: 0.74324942,
    1.0: 0.50142092,
    2.0: 0.50590929,
    5.0: 0.53556310,
    10.0: 0.61962292,
}
DENSITY = 3000.0  # kg/m^3
THICKNESS = 0.01  # m, of shaft and rods
BALL = 5.0  # kg
OFFSET = 0.05  # m, of the hinges from the shaft's axis
SPIN = 2 * pi  # rad/s


def rod_with_ball() -> tuple[float, float, np.ndarray]:
    """Mass, centre of mass from the hinge and inertia about it, of a rod of 1 m along x with a ball at its tip."""
    rod = DENSITY * THICKNESS**2
    mass = rod + BALL
    centre = (0.5 * rod + 1.0 * BALL) / mass
    across = rod * (1.0 + THICKNESS**2) / 12 + rod * (centre - 0.5) ** 2 + BALL * (1.0 - centre) ** 2
    return mass, centre, np.diag([rod * THICKNESS**2 / 6, across, across])


def governor() -> Model:
    """Rods 30° below the horizontal, the slider half-way, all turning together."""
    m = Model(name="A05 flyball governor", gravity=(0, 0, -9.81), duration="10 s", outputs=200)
    spinning = {"angular_velocity": (0, 0, SPIN)}
    m.rigid("shaft", at=(0, 0, 0.5), shape={"kind": "box", "size": (0.01, 0.01, 1.0)}, density=DENSITY, **spinning)
    m.rigid("slider", at=(0, 0, 0.5), shape={"kind": "box", "size": (0.1, 0.1, 0.1)}, density=DENSITY, **spinning)
    m.revolute("bearing", "ground", "shaft", at=(0, 0, 0), axis="z")
    m.prismatic("guide", "shaft", "slider", at=(0, 0, 0.5), axis="z")
    mass, centre, inertia = rod_with_ball()
    for side, name in ((1, "right"), (-1, "left")):
        outward = np.array([side * np.cos(pi / 6), 0.0, -0.5])
        up = np.array([side * 0.5, 0.0, np.cos(pi / 6)])  # across the rod, in the plane of the governor
        axes = np.column_stack([outward, np.cross(up, outward), up])
        m.rigid(
            f"{name}_rod",
            at=(side * OFFSET, 0, 1),
            orientation={"matrix": axes.tolist()},
            mass=mass,
            com=(centre, 0, 0),
            inertia=inertia,
            velocity=(0, side * OFFSET * SPIN, 0),
            angular_velocity=axes.T @ (0, 0, SPIN),
        )
        m.revolute(f"{name}_hinge", "shaft", f"{name}_rod", at=(side * OFFSET, 0, 1), axis="y")
        m.spring(
            f"{name}_strut",
            {"on": "slider", "at": (side * OFFSET, 0, 0)},
            {"on": f"{name}_rod", "at": (0.5, 0, 0)},
            stiffness=8e5,
            damping=4e4,
            free_length=0.5,
        )
    return m


def quantities():
    for time, reference in HEIGHTS.items():
        yield Quantity(f"slider at {time:g} s", "m", reference, 1e-6, SOURCE, "D", at("slider.position.z", time))


CASES = (case("a05", "stiff flyball governor, 10 s", governor, quantities),)
