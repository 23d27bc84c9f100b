"""Dampers take nothing from a body that turns as one, and from one that vibrates what they should."""

import numpy as np
import pytest

from tapespring import Model

SPIN, BETA = 20.0, 1e-3  # rad/s, s
STEP = 4e-3  # s
MATERIAL = {"young": 70e9, "density": 2700, "poisson": 0.3}
PLATE = {"kind": "plate", "length": 2, "width": 0.5, "divisions": [8, 2]}
BODIES = {
    "beam": {"kind": "beam", "path": [[-1, 0, 0], [1, 0, 0]], "elements": 8, "material": MATERIAL,
             "section": {"kind": "rectangle", "width": 0.02, "thickness": 0.02}},
    "membrane": {"kind": "membrane", "mesh": PLATE, "thickness": 1e-3, "material": MATERIAL},
    "shell": {"kind": "shell", "mesh": PLATE, "thickness": 5e-3, "material": MATERIAL},
    "solid": {"kind": "solid", "material": MATERIAL,
              "mesh": {"kind": "box", "length": 2, "width": 0.2, "height": 0.2, "divisions": [8, 1, 1]}},
    "cable": {"kind": "cable", "path": [[-1, 0, 0], [1, 0, 0]], "elements": 8, "axial_stiffness": 28e6,
              "mass_per_length": 1.08},
}  # fmt: skip
STIFFNESS = {"beam": 28e6, "cable": 28e6, "membrane": 35e6, "shell": 175e6, "solid": 2800e6}  # E A [N]


def spinning(kind):
    body = BODIES[kind] | {"damping": {"stiffness": BETA}, "angular_velocity": [0, 0, SPIN]}
    return Model.from_plain({"name": "Spinning", "bodies": {"body": body}})


def late_power(results):
    """Mean power of dampers in the second half [W]."""
    k, taken = len(results.time) // 2, results["energy.dissipated"].values
    return abs(taken[-1] - taken[k]) / (results.time[-1] - results.time[k])


def power_on_chords(kind):
    """What dampers would take if points went straight from one end of a step to the other: of length 2 m, at Gauss's
    two points the strain rate is then ±θ/√12 of the spin, θ the turn of a step [W]."""
    return BETA * STIFFNESS[kind] * 2.0 * (SPIN * SPIN * STEP) ** 2 / 12.0


@pytest.mark.parametrize("kind", BODIES)
def test_steady_rotation_takes_no_power(kind):
    results = spinning(kind).simulate(0.4, solver="implicit", step=STEP, outputs=100)
    assert late_power(results) < 1e-10 * power_on_chords(kind)


@pytest.mark.parametrize("solver", ["ode", "stiff", "explicit"])
def test_nor_with_other_solvers(solver):
    results = spinning("beam").simulate(0.02, solver=solver, outputs=100)
    assert late_power(results) < 1e-10 * power_on_chords("beam")


def test_nor_do_dampers_between_bodies_that_turn_as_one():
    """Bodies drawn where they stay: the spring carries what the circle needs."""
    pull = 1.0 * SPIN**2 * 1.0
    m = Model(name="Two masses on a spring")
    for name, x in (("a", 1.0), ("b", -1.0)):
        m.point_mass(name, mass=1.0, at=(x, 0, 0), velocity=(0, SPIN * x, 0))
    m.spring("spring", "a", "b", stiffness=1e5, free_length=2.0 - pull / 1e5, damping=1e3)
    results = m.simulate(0.4, solver="implicit", step=STEP, dissipation=1.0)
    chord = 1e3 * (2.0 * SPIN * SPIN * STEP) ** 2 / 12.0
    assert results["energy.dissipated"].values[-1] < 1e-6 * chord * 0.4


@pytest.mark.parametrize("turning", [False, True])
def test_vibration_fades_by_the_logarithmic_decrement(turning):
    """A ring of spring and mass, stretched by 1 %: damping ratio c/(2 m ω), from peak to peak exp(-2πζ/√(1 - ζ²))."""
    stiffness, damping, mass = 1e4, 4.0, 1.0
    m = Model(name="Vibration")
    m.point_mass("a", mass=mass, at=(0.505, 0, 0), velocity=(0, 0.01 if turning else 0.0, 0))
    m.point_mass("b", mass=mass, at=(-0.505, 0, 0), velocity=(0, -0.01 if turning else 0.0, 0))
    m.spring("spring", "a", "b", stiffness=stiffness, free_length=1.0, damping=damping)
    omega, reduced = np.sqrt(2.0 * stiffness / mass), 0.5 * mass
    zeta = damping / (2.0 * reduced * omega)
    duration = 10.0 * 2.0 * np.pi / (omega * np.sqrt(1.0 - zeta**2))
    results = m.simulate(duration, solver="implicit", step=duration / 4000, dissipation=1.0, outputs=[0.0, duration])
    left = np.exp(-2.0 * zeta * omega * duration)
    energy = 0.5 * stiffness * 0.01**2
    assert results["energy.dissipated"].values[-1] == pytest.approx(energy * (1.0 - left), rel=1e-4)
    assert results["energy.strain"].values[-1] == pytest.approx(energy * left, rel=1e-3)
    assert abs(results["energy.numerical"].values[-1]) < 1e-4 * energy


def test_a_damped_cantilever_fades_by_its_damping_ratio():
    """Stiffness damping β: ζ = βω/2 in every mode. Bent by a load, let go."""
    beta = 1e-3
    m = Model(name="Cantilever")
    m.beam("boom", path=[[0, 0, 0], [1, 0, 0]], elements=3, material=MATERIAL, damping={"stiffness": beta},
           section={"kind": "rectangle", "width": 0.02, "thickness": 0.01})  # fmt: skip
    m.fixed("clamp", m.ground, "boom.start")
    m.load("tip", "boom.end", force=(0, 0, -1.0))
    stages = [
        {"solver": "quasi-static", "duration": 1.0, "outputs": 1},
        {
            "solver": "implicit",
            "duration": 0.6,
            "step": 2.5e-4,
            "dissipation": 1.0,
            "without": ["tip"],
            "outputs": 2400,
        },
    ]
    results = m.simulate(stages=stages)
    free = results.time > 1.1  # higher modes have faded
    t, z = results.time[free], results["boom.end.position.z"].values[free]
    peaks = [k for k in range(1, len(z) - 1) if z[k] > z[k - 1] and z[k] >= z[k + 1] and z[k] > 0.0]
    period = (t[peaks[-1]] - t[peaks[0]]) / (len(peaks) - 1)
    decrement = np.log(z[peaks[0]] / z[peaks[-1]]) / (len(peaks) - 1)
    zeta = decrement / np.hypot(2.0 * np.pi, decrement)
    assert zeta == pytest.approx(beta * (2.0 * np.pi / period) / np.sqrt(1.0 - zeta**2) / 2.0, rel=5e-3)
    k, dissipated = int(np.flatnonzero(free)[0]), results["energy.dissipated"].values
    lost = results.audit.stored[k] - results.audit.stored[-1]
    assert dissipated[-1] - dissipated[k] == pytest.approx(lost, rel=1e-2)
