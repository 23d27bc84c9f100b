"""Two ellipsoids on spherical joints, the lower one striking an inclined plane fifteen times."""

import numpy as np

from ..model import Model
from .case import Quantity, at, case

SOURCE = "Double pendulum contact problem (Appl. Comp. Mech. 8, 2014); its equations integrated independently"
SIZES = ((0.05, 0.06, 0.15), (0.04, 0.05, 0.14))
MASSES = (2.0, 1.5)
EULER = ((30.0, 100.0, 0.0), (60.0, 120.0, 20.0))  # zxz [deg]
PLANE = np.array([0.2, 0.1, 1.0])
LEVEL = 0.40
CENTRE = {
    0.25: (0.128467396926783, -0.168167970763678, -0.337108789185126),
    0.50: (-0.0916456875639, 0.2433405665748, -0.3145813089489),
    0.75: (-0.0945864430252, 0.0907136317185, -0.2099343475024),
    1.00: (0.0282787753638, -0.2435343099343, -0.3168361537290),
    1.25: (0.1525871177749, -0.2904654247608, -0.2815688575252),
}
EVENTS = (
    (0.23223771998872136, "hit"), (0.2324399796850983, "release"), (0.23312828220495066, "separation"),
    (0.24452864181024653, "hit"), (0.4432244551421608, "release"), (0.4435635458051449, "separation"),
    (0.8738322249736852, "hit"), (0.8740402362798965, "release"), (0.8747462751342273, "separation"),
    (0.8827660715626998, "hit"), (1.0898541958568286, "release"), (1.0902026421044577, "separation"),
    (1.1567207421624122, "hit"), (1.1571939344549536, "release"), (1.1572628376181906, "reload"),
)  # fmt: skip


def turned(euler) -> np.ndarray:
    a, b, c = np.radians(euler)

    def about_z(t):
        return np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])

    about_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    return about_z(a) @ about_x @ about_z(c)


def double_pendulum() -> Model:
    """Joints at the ends of the long axes; the first at the origin."""
    m = Model(
        "double pendulum of ellipsoids", gravity=(0, 0, -9.81), duration=1.25, solver="ode", tolerance=1e-11,
        absolute_tolerance=1e-13, outputs=100,
    )  # fmt: skip
    normal = PLANE / np.linalg.norm(PLANE)
    point = list(-LEVEL / np.linalg.norm(PLANE) * normal)
    floor = {"kind": "half_space", "on": "ground", "at": point, "normal": list(normal)}
    law = {"kind": "spring_dashpot", "stiffness": 3.303e7, "damping": 2.157e4}
    joint, before = np.zeros(3), "ground"
    for name, size, mass, euler in zip(("upper", "lower"), SIZES, MASSES, EULER, strict=True):
        long = turned(euler) @ np.array([0.0, 0.0, size[2]])
        attitude = {"euler": [f"{e} deg" for e in euler], "order": "zxz"}
        shape = {"kind": "ellipsoid", "semi_axes": size}
        m.rigid(name, at=list(joint + long), orientation=attitude, mass=mass, shape=shape)
        m.spherical(f"joint_{name}", before, name, at=list(joint))
        m.contact(f"floor_{name}", between=[floor, name], law=law)
        joint, before = joint + 2.0 * long, name
    return m


def time_of(k: int, kind: str):
    def value(results) -> float:
        events = [e for e in results.events if e.name.startswith("floor_lower")]
        return events[k].time if k < len(events) and events[k].name == f"floor_lower.{kind}" else float("nan")

    return value


def quantities():
    for time, place in CENTRE.items():
        for letter, reference in zip("xyz", place, strict=True):
            name = f"{letter} of the lower body at {time:g} s"
            yield Quantity(name, "m", reference, 1e-8, SOURCE, "R", at(f"lower.position.{letter}", time))
    for k, (time, kind) in enumerate(EVENTS):
        yield Quantity(f"event {k + 1}: {kind}", "s", time, 1e-8, SOURCE, "R", time_of(k, kind))
    yield Quantity("number of events", "1", 15, 0.5, SOURCE, "R", lambda r: len(r.events))


CASES = (case("ellipsoid_pendulum", "double pendulum of ellipsoids striking a plane", double_pendulum, quantities),)
