"""The flexible benchmark problems: data shared by every solver, and what counts as their error.

Flexible pendulum: a rod as soft as a rope (EA, EI and mass per length as given; GA = EA, the torsion stiffness of a
square section with Poisson's ratio 0.3, rotary inertia of that section), pinned at one end, straight and horizontal
at rest, falls for 1 s: 1000 steps of 1 ms, generalized-alpha, rho = 0.8, Newton's tolerance 1e-8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

LENGTH, EA, EI, MASS, GRAVITY = 1.2, 1260.0, 8.505e-3, 9.972, 9.81
GA, GJ, INERTIA = 1260.0, 5.519e-3, (1.3462e-4, 6.731e-5, 6.731e-5)
STEP, DURATION, RHO, NEWTON = 1e-3, 1.0, 0.8, 1e-8
TIP = (-1.156, -0.3135)
"""x and z of the tip at 1 s: 256 elements and 0.25 ms here; Exudyn with 128 and 0.25 ms is 5 mm away."""

ROLL_LENGTH, ROLL_EI, ROLL_EA, ROLL_ELEMENTS, ROLL_STEPS = 1.0, 1.0, 1e4, 20, 5

STRAP_LENGTH, STRAP_WIDTH, STRAP_THICKNESS = 0.432, 9.525e-3, 0.18e-3
STRAP_E, STRAP_G, STRAP_DENSITY, STRAP_ELEMENTS, STRAP_SHORTENING = 41.8e9, 16.1e9, 2657.271, 40, 0.02


@dataclass(frozen=True)
class BeamProblem:
    """A flexible problem by name; only these peers can be asked."""

    name: str
    error_limit: float
    error_means: str
    peers: tuple[str, ...]
    elements: int


def beam_problems() -> dict[str, BeamProblem]:
    tip = "distance of the tip at 1 s from the converged one, m"
    found = [
        BeamProblem("flexible pendulum 64", 0.05, tip, ("exudyn",), 64),
        BeamProblem("flexible pendulum 16", 0.05, tip, ("exudyn",), 16),
        BeamProblem("roll-up 20", 1e-6, "gap between the ends / length", ("exudyn",), ROLL_ELEMENTS),
        BeamProblem(
            "strap shortened 2 %, 40 segments", 1e-3, "|force / that of the elastica - 1|", ("mujoco",), STRAP_ELEMENTS
        ),
    ]
    return {problem.name: problem for problem in found}


def tip_error(x: float, z: float) -> float:
    return math.hypot(x - TIP[0], z - TIP[1])


def elliptic(m: float) -> tuple[float, float]:
    """Complete elliptic integrals (K, E) by the arithmetic-geometric mean."""
    a, b, total, power = 1.0, math.sqrt(1.0 - m), m, 1.0
    for _ in range(8):
        a, b, c = 0.5 * (a + b), math.sqrt(a * b), 0.5 * (a - b)
        power *= 2.0
        total += power * c * c
    K = math.pi / (2.0 * a)
    return K, K * (1.0 - 0.5 * total)


def strap_force() -> float:
    """Compression of the elastica whose ends are nearer by STRAP_SHORTENING: d/L = 2E/K - 1, P/Pcr = (2K/pi)^2."""
    low, high = 1e-9, 0.999
    for _ in range(200):
        middle = 0.5 * (low + high)
        K, E = elliptic(middle)
        low, high = (middle, high) if 2.0 * E / K - 1.0 > 1.0 - STRAP_SHORTENING else (low, middle)
    euler = math.pi**2 * STRAP_E * STRAP_WIDTH * STRAP_THICKNESS**3 / 12.0 / STRAP_LENGTH**2
    return euler * (2.0 * elliptic(low)[0] / math.pi) ** 2
