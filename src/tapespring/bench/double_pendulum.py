"""A double pendulum of two unit arms, against its two equations of motion in angles, integrated here by SciPy."""

from functools import cache

import numpy as np

from ..model import Model
from .case import Quantity, at, case, energy_drift

SOURCE = "minimal-coordinate equations (as in Chrono utest_CH_double_pend), SciPy DOP853 at 1e-12"
GRAVITY = 10.0
TIMES = (0.5, 1.0, 2.0, 4.0)


def double_pendulum() -> Model:
    """m = l = J = 1, J about the centres; both arms along x, at rest."""
    m = Model(name="Double pendulum", gravity=(0, -GRAVITY, 0), duration=TIMES[-1], outputs=80)
    for k, name in enumerate(("upper", "lower")):
        m.rigid(name, at=(k + 0.5, 0, 0), mass=1.0, inertia=(1.0, 1.0, 1.0))
        m.revolute(f"pin{k}", "ground" if k == 0 else "upper", name, at=(k, 0, 0), axis="z")
    return m


def rates(t: float, state: np.ndarray) -> np.ndarray:
    """Angles of the arms from x, and their speeds: Lagrange's equations, with unit masses, lengths and inertias."""
    a, b, u, w = state
    mass = np.array([[0.25 + 1.0 + 1.0, 0.5 * np.cos(b - a)], [0.5 * np.cos(b - a), 0.25 + 1.0]])
    force = np.array(
        [
            -1.5 * GRAVITY * np.cos(a) + 0.5 * w * w * np.sin(b - a),
            -0.5 * GRAVITY * np.cos(b) - 0.5 * u * u * np.sin(b - a),
        ]
    )
    return np.concatenate([(u, w), np.linalg.solve(mass, force)])


@cache
def reference() -> dict[float, tuple[float, float]]:
    """Centre of the lower arm by time [m]."""
    from scipy.integrate import solve_ivp

    path = solve_ivp(rates, (0.0, TIMES[-1]), np.zeros(4), "DOP853", t_eval=TIMES, rtol=1e-12, atol=1e-12).y
    x = np.cos(path[0]) + 0.5 * np.cos(path[1])
    y = np.sin(path[0]) + 0.5 * np.sin(path[1])
    return {time: (float(x[k]), float(y[k])) for k, time in enumerate(TIMES)}


def quantities():
    for time, centre in reference().items():
        for letter, value in zip("xy", centre, strict=True):
            name = f"{letter} of the lower arm at {time:g} s"
            yield Quantity(name, "m", value, 1e-6, SOURCE, "R", at(f"lower.position.{letter}", time))
    yield energy_drift(1e-6)


CASES = (case("double_pendulum", "double pendulum, 4 s", double_pendulum, quantities),)
