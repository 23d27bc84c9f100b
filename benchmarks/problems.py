"""The three rigid benchmark problems as planar trees of links closed by pins, and what counts as their error.

One description serves every solver, so no program gets an easier mechanism than another. Reference values: R01 to R03
of the verification library (elliptic functions; one-pendulum reduction; IVP test set, PSIDE at 1e-14).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

GRAVITY = 9.81
OUTPUTS = 100
MORE_WORK = (1.02, 1.05, 1.1, 1.25)
"""A run counts only if the error is also reached with this many times its work."""

A01_END_POSITION = (0.275087462576, -0.961419205099)
A02_END_ANGLE = 31.59743374
A03_END_BETA = 15.81077119629904


@dataclass(frozen=True)
class Link:
    """A planar rigid link hinged to its parent (-1 is the ground); lengths in m, in the frame of the link."""

    parent: int
    hinge: tuple[float, float]
    """Where the hinge sits, in the frame of the parent."""
    mass: float
    inertia: float
    """About the centre of mass, kg m^2."""
    centre: tuple[float, float]


@dataclass(frozen=True)
class Pin:
    """Closes a loop: point `at` of `link` and point `other_at` of `other` coincide."""

    link: int
    at: tuple[float, float]
    other: int
    other_at: tuple[float, float]


@dataclass(frozen=True)
class Spring:
    """Pulls point `at` of `link` towards the fixed point `ground`."""

    link: int
    at: tuple[float, float]
    ground: tuple[float, float]
    stiffness: float
    free_length: float


@dataclass(frozen=True)
class Mechanism:
    """Links, loop closures, loads and the start, as angles of each hinge relative to the parent (counterclockwise)."""

    links: list[Link]
    start_angles: np.ndarray
    start_rates: np.ndarray
    gravity: float
    pins: list[Pin] = field(default_factory=list)
    spring: Spring | None = None
    drive_torque: float = 0.0
    """Constant torque on the first hinge, N m."""


@dataclass(frozen=True)
class Problem:
    """A mechanism, how long it runs, and the error a run has to stay below."""

    name: str
    mechanism: Mechanism
    end_time: float
    error_limit: float
    error_means: str
    records_history: bool
    """Whether the error needs the states at the 100 output times, or only the last one."""


@dataclass(frozen=True)
class Reached:
    """How good a run was: the error named by the problem, a second measure, and whether both are acceptable."""

    error: float
    second: float
    second_means: str
    passed: bool


def simple_pendulum() -> Mechanism:
    """A01: point mass 1 kg on a massless link of 1 m, released at rest from the horizontal, x = +1."""
    link = Link(parent=-1, hinge=(0.0, 0.0), mass=1.0, inertia=0.0, centre=(1.0, 0.0))
    return Mechanism([link], np.zeros(1), np.zeros(1), GRAVITY)


def four_bar_row(windows: int = 40) -> Mechanism:
    """A02: `windows` four-bars in a row, uniform links of 1 m and 1 kg, started upright with the top at +1 m/s.

    Link 2i is the vertical link i and link 2i+1 the horizontal link that starts at its top.
    """
    links, pins = [], []
    for i in range(windows + 1):
        links.append(Link(-1, (float(i), 0.0), 1.0, 1.0 / 12.0, (0.0, 0.5)))
        if i < windows:
            links.append(Link(2 * i, (0.0, 1.0), 1.0, 1.0 / 12.0, (0.5, 0.0)))
            pins.append(Pin(2 * i + 1, (1.0, 0.0), 2 * i + 2, (0.0, 1.0)))
    rates = np.where(np.arange(len(links)) % 2 == 0, -1.0, 1.0)  # horizontal links translate: relative rate cancels
    return Mechanism(links, np.zeros(len(links)), rates, GRAVITY, pins)


def andrews_squeezer() -> Mechanism:
    """A03: Andrews' squeezing mechanism, hinge angles in the order beta, Theta, gamma, delta, Phi, epsilon, Omega."""
    A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
    d, da, e, ea, rr, ra = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
    ss, sa, sb, sc, sd, ta, tb = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
    u, ua, ub, zf, zt, fa = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
    links = [
        Link(-1, (0.0, 0.0), 0.04325, 2.194e-6, (ra, 0.0)),
        Link(0, (rr, 0.0), 0.00365, 4.410e-7, (-da, 0.0)),
        Link(-1, B, 0.02373, 5.255e-6, (sb, -sa)),
        Link(-1, A, 0.07050, 1.169e-5, (ta, tb)),
        Link(3, (zt, 0.0), 0.00706, 5.667e-7, (0.0, ea - e)),
        Link(-1, A, 0.05498, 1.912e-5, (-ub, -ua)),
        Link(5, (0.0, -u), 0.00706, 5.667e-7, (zf - fa, 0.0)),
    ]
    pins = [
        Pin(1, (-d, 0.0), 2, (0.0, -ss)),
        Pin(1, (-d, 0.0), 4, (0.0, -e)),
        Pin(1, (-d, 0.0), 6, (zf, 0.0)),
    ]
    beta, theta, gamma, phi = -0.0617138900142764, 0.0, 0.455279819163070, 0.222668390165886
    delta, omega, epsilon = 0.487364979543843, -0.222668390165886, 1.23054744454982
    start = np.array([beta, theta, gamma, delta, phi, epsilon, omega])
    spring = Spring(2, (sd, -sc), C, stiffness=4530.0, free_length=0.07785)
    return Mechanism(links, start, np.zeros(7), 0.0, pins, spring, drive_torque=0.033)


def problems() -> dict[str, Problem]:
    """The three problems by name."""
    return {
        "A01": Problem("A01", simple_pendulum(), 10.0, 1e-5, "max |energy drift| in J at 100 outputs", True),
        "A02": Problem("A02", four_bar_row(40), 10.0, 0.02, "max |energy drift| in J at 100 outputs", True),
        "A03": Problem("A03", andrews_squeezer(), 0.03, 1e-5, "|beta(0.03 s) - reference| in rad", False),
    }


def energy(mechanism: Mechanism, angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Kinetic plus gravitational energy in J of each state; angles and rates are (states, links), relative."""
    absolute, spin, origin, velocity = {-1: 0.0}, {-1: 0.0}, {-1: 0.0j}, {-1: 0.0j}
    total = np.zeros(len(angles))
    for i, link in enumerate(mechanism.links):
        p = link.parent
        arm = complex(*link.hinge) * np.exp(1j * absolute[p])
        absolute[i], spin[i] = absolute[p] + angles[:, i], spin[p] + rates[:, i]
        origin[i], velocity[i] = origin[p] + arm, velocity[p] + 1j * spin[p] * arm
        to_centre = complex(*link.centre) * np.exp(1j * absolute[i])
        speed = np.abs(velocity[i] + 1j * spin[i] * to_centre)
        height = (origin[i] + to_centre).imag
        total += 0.5 * link.mass * speed**2 + 0.5 * link.inertia * spin[i] ** 2
        total += link.mass * mechanism.gravity * height
    return total


def reached(problem: Problem, angles: np.ndarray, rates: np.ndarray) -> Reached:
    """The errors of a run from its recorded states, (states, links) of relative hinge angles and rates."""
    if not (np.all(np.isfinite(angles)) and np.all(np.isfinite(rates))):
        return Reached(float("inf"), float("inf"), "state is not finite", False)
    return {"A01": _pendulum_errors, "A02": _four_bar_errors, "A03": _squeezer_errors}[problem.name](
        problem, angles, rates
    )


def _energy_drift(problem: Problem, angles: np.ndarray, rates: np.ndarray) -> float:
    start = energy(problem.mechanism, problem.mechanism.start_angles[None], problem.mechanism.start_rates[None])
    return float(np.max(np.abs(energy(problem.mechanism, angles, rates) - start[0])))


def _pendulum_errors(problem: Problem, angles: np.ndarray, rates: np.ndarray) -> Reached:
    drift = _energy_drift(problem, angles, rates)
    end = np.exp(1j * angles[-1, 0])
    miss = float(abs(end - complex(*A01_END_POSITION)))
    return Reached(drift, miss, "end position error, m", drift < problem.error_limit and miss < 1e-3)


def _four_bar_errors(problem: Problem, angles: np.ndarray, rates: np.ndarray) -> Reached:
    """The turns count: a run that branched off may still conserve energy."""
    drift = _energy_drift(problem, angles, rates)
    verticals = -angles[-1, 0::2]  # theta runs clockwise from the upward vertical
    miss = float(np.max(np.abs(verticals - A02_END_ANGLE)))
    return Reached(drift, miss, "largest end angle error, rad", drift < problem.error_limit and miss < 1e-2)


def _squeezer_errors(problem: Problem, angles: np.ndarray, rates: np.ndarray) -> Reached:
    error = float(abs(angles[-1, 0] - A03_END_BETA))
    gap = largest_pin_gap(problem.mechanism, angles[-1])
    return Reached(error, gap, "largest pin gap at the end, m", error < problem.error_limit)


def largest_pin_gap(mechanism: Mechanism, angles: np.ndarray) -> float:
    """How far apart the two points of the worst pin are, m."""
    absolute, origin = {-1: 0.0}, {-1: 0.0j}
    for i, link in enumerate(mechanism.links):
        absolute[i] = absolute[link.parent] + angles[i]
        origin[i] = origin[link.parent] + complex(*link.hinge) * np.exp(1j * absolute[link.parent])
    gaps = [
        origin[pin.link]
        + complex(*pin.at) * np.exp(1j * absolute[pin.link])
        - origin[pin.other]
        - complex(*pin.other_at) * np.exp(1j * absolute[pin.other])
        for pin in mechanism.pins
    ]
    return float(np.max(np.abs(gaps), initial=0.0))
