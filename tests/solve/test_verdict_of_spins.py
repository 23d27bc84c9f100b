"""What a run is worth whose bodies rest, spin or fly on while little else happens."""

import numpy as np
import pytest

from tapespring import Model

BEAM = {
    "kind": "beam", "path": [[-1, 0, 0], [1, 0, 0]], "elements": 8, "angular_velocity": [0, 0, 20],
    "material": {"young": 70e9, "density": 2700, "poisson": 0.3},
    "section": {"kind": "rectangle", "width": 0.02, "thickness": 0.02},
}  # fmt: skip
SPINS = {
    "disc": {"inertia": [0.1, 0.1, 0.2], "angular_velocity": [0, 0, 100]},
    "tumbling": {"inertia": [0.1, 0.13, 0.2], "angular_velocity": [1, 100, 1]},
}


@pytest.mark.parametrize("settings", [{"solver": "ode"}, {"solver": "implicit"}, {"solver": "implicit", "step": 1e-3}])
@pytest.mark.parametrize("name", SPINS)
def test_a_rigid_body_that_spins_freely_is_good(name, settings):
    """Steps of `implicit` take up to 3e-4 of the energy of one that tumbles, which no other account moves."""
    model = Model.from_plain({"name": name, "bodies": {"body": {"kind": "rigid", "mass": 2} | SPINS[name]}})
    results = model.simulate(1.0, **settings)
    assert results.verdict.level == "good", results.summary()


@pytest.mark.parametrize("settings", [{}, {"step": 4e-3, "solver": "implicit"}])
def test_a_beam_in_steady_rotation_is_usable_and_what_fades_is_told(settings):
    """The scheme takes next to nothing of the spin, but all of what vibrates beside it."""
    results = Model.from_plain({"name": "Rotor", "bodies": {"beam": BEAM}}).simulate(0.4, **settings)
    [damping] = [f for f in results.verdict.findings if f.title == "Numerical damping"]
    assert (results.verdict.level, damping.level) == ("fair", "fair"), results.summary()
    assert "of what is carried all along" in damping.words
    assert results.audit.balance.numerical < 0.01 * results.audit.kinetic.min()


def carriage(step, dissipation=0.0):
    """A mass on a spring in a carriage that flies on: 100 times the energy of its vibration, 20 periods a second."""
    m = Model("Carriage")
    m.point_mass("carriage", mass=10.0, at=(0, 0, 0), velocity=(100.0, 0, 0))
    m.point_mass("mass", mass=1.0, at=(0, 0.3, 0), velocity=(100.0, 20.0, 0))
    m.spring("spring", "carriage", "mass", stiffness=4.0 * np.pi**2 * 400.0 * 10.0 / 11.0, free_length=0.3)
    return m.simulate(1.0, solver="implicit", step=step, dissipation=dissipation)


def test_a_fast_flight_does_not_hide_a_vibration_that_fades():
    assert carriage(1e-4, 1.0).verdict.level == "good"
    lost = carriage(1e-2)
    [damping] = [f for f in lost.verdict.findings if f.title == "Numerical damping"]
    assert lost.audit.balance.numerical > 100.0  # most of the 182 J of the vibration
    assert damping.level == "fair"


def test_a_spin_that_the_scheme_slows_down_visibly_is_bad():
    """Steps of a third of a turn."""
    results = Model.from_plain({"name": "Rotor", "bodies": {"beam": BEAM}}).simulate(
        5.0, solver="implicit", step=0.1, dissipation=0.0
    )
    assert results.verdict.level == "bad"
    assert results.audit.balance.numerical > 0.1 * results.audit.kinetic.max()


@pytest.mark.parametrize("solver", ["ode", "implicit", "explicit"])
def test_what_is_at_rest_is_good(solver):
    """Roundings move it, and what they exchange is no energy that anything could be judged by."""
    clamp = {"kind": "fixed", "between": ["ground", "beam.start"], "at": [-1, 0, 0]}
    rest = {"name": "Shelf", "bodies": {"beam": BEAM | {"angular_velocity": [0, 0, 0]}}, "joints": {"clamp": clamp}}
    results = Model.from_plain(rest).simulate(0.01, solver=solver)
    assert results.verdict.level == "good", results.summary()
