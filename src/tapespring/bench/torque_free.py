"""A free body with three different moments of inertia, against Euler's solution by Jacobi's elliptic functions."""

import numpy as np

from ..results import Results
from .case import Quantity, at, case, from_yaml

SOURCE = "Euler's equations in closed form, SciPy ellipj"
INERTIA = np.array([1.0, 2.0, 3.0])
SPIN = np.array([0.2, 2.0, 0.4])  # rad/s, body axes, at the start
TIMES = (1.0, 2.0, 5.0, 10.0, 20.0)
TWICE_ENERGY = float(INERTIA @ SPIN**2)
MOMENTUM = float(np.linalg.norm(INERTIA * SPIN))


def spin(time: float) -> np.ndarray:
    """Angular velocity in body axes [rad/s], for moments in rising order and H² > 2 T I2: (cn, sn, dn) scaled."""
    from scipy.special import ellipj, ellipkinc

    i1, i2, i3 = INERTIA
    below, above = MOMENTUM**2 - TWICE_ENERGY * i1, TWICE_ENERGY * i3 - MOMENTUM**2
    size = np.sqrt([above / (i1 * (i3 - i1)), above / (i2 * (i3 - i2)), below / (i3 * (i3 - i1))])
    speed = np.sqrt((i3 - i2) * below / (i1 * i2 * i3))
    m = (i2 - i1) * above / ((i3 - i2) * below)
    phase = ellipkinc(np.arctan2(SPIN[1] / size[1], SPIN[0] / size[0]), m)
    sn, cn, dn, _ = ellipj(phase + speed * time, m)
    return size * np.array([cn, sn, dn])


def momentum(results: Results) -> float:
    """The length of the angular momentum that is farthest from its start."""
    lengths = np.linalg.norm(results["body.angular_velocity"].values * INERTIA, axis=1)
    return float(lengths[np.argmax(np.abs(lengths - MOMENTUM))])


def energy(results: Results) -> float:
    """The kinetic energy that is farthest from its start."""
    energies = 0.5 * results["body.angular_velocity"].values ** 2 @ INERTIA
    return float(energies[np.argmax(np.abs(energies - 0.5 * TWICE_ENERGY))])


def quantities():
    for time in TIMES:
        for letter, value in zip("xyz", spin(time), strict=True):
            name = f"spin about {letter} at {time:g} s"
            yield Quantity(name, "rad/s", float(value), 1e-6, SOURCE, "A", at(f"body.angular_velocity.{letter}", time))
    yield Quantity("angular momentum", "kg m^2/s", MOMENTUM, 1e-8, "conservation", "A", momentum)
    yield Quantity("kinetic energy", "J", 0.5 * TWICE_ENERGY, 1e-8, "conservation", "A", energy)


CASES = (case("torque_free", "free asymmetric body, 20 s", from_yaml("torque_free.yaml"), quantities),)
