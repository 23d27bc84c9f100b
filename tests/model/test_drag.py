"""Drag in proportion to mass: closed forms of bodies that slow down, stages without it, and mistakes."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.schema.problems import ModelError

RATE = 3.0
FILM = {"young": "1 MPa", "poisson": 0.3, "density": "1000 kg/m^3"}
STEPS = {"ode": {}, "implicit": {"step": 1e-4, "dissipation": 1.0}, "explicit": {"step": 1e-5}}


def bath(**drag) -> Model:
    m = Model(name="bath", gravity=(0, 0, 0))
    m.point_mass("ball", mass=1, at=[0, 0, 0], velocity=[1, 0, 0])
    m.rigid("top", at=[0, 1, 0], mass=2, inertia=[0.1, 0.2, 0.3], angular_velocity=[0, 0, 2])
    m.drag("bath", **{"rate": RATE} | drag)
    return m


@pytest.mark.parametrize("solver", list(STEPS))
def test_velocities_decay_at_the_rate(solver):
    run = bath().simulate(1.0, solver=solver, **STEPS[solver])
    left = np.exp(-RATE * run.time)
    assert run["ball.velocity.x"].values == pytest.approx(left, rel=1e-5)
    assert run["top.angular_velocity"].values[:, 2] == pytest.approx(2.0 * left, rel=1e-5)
    assert run["ball.position.x"].final == pytest.approx((1.0 - np.exp(-RATE)) / RATE, rel=1e-5)
    assert run.audit.dissipated[-1] == pytest.approx((0.5 + 0.6) * (1.0 - np.exp(-2.0 * RATE)), rel=1e-4)


def test_only_bodies_that_are_named_are_slowed_down():
    run = bath(on=["top"]).simulate(1.0)
    assert run["ball.velocity.x"].final == pytest.approx(1.0, rel=1e-12)
    assert run["top.angular_velocity"].values[-1, 2] == pytest.approx(2.0 * np.exp(-RATE), rel=1e-7)


def test_what_a_body_is_attached_to_is_not_slowed_down_with_it():
    """A light film on a heavy ball that flies: nearly all of its momentum stays."""
    m = Model(name="film", gravity=(0, 0, 0))
    m.rigid("ball", at=[0, 0, 0], mass=1, inertia=[1e-3] * 3, velocity=[0, 0, 1])
    mesh = {"kind": "plate", "length": 0.1, "width": 0.1, "divisions": [2, 2]}
    film = {"mesh": mesh, "thickness": 1e-5, "material": FILM, "velocity": [0, 0, 1]}
    m.membrane("film", **film, attach={"left": "ball"})  # 0.1 g
    m.drag("air", rate=100.0, on=["film"])
    run = m.simulate(0.02, solver="explicit", outputs=10)
    assert run["ball.velocity.z"].final == pytest.approx(1.0, abs=3e-4)
    assert run.audit.dissipated[-1] > 0.0


def test_a_stage_may_be_without_it():
    m = bath()
    stages = [{"name": "in", "duration": 0.5}, {"name": "out", "duration": 0.5, "without": ["bath"]}]
    m.settings = m.settings.changed(stages=stages)
    run = m.simulate()
    assert run["ball.velocity.x"].at(0.5) == pytest.approx(np.exp(-0.5 * RATE), rel=1e-6)
    assert run["ball.velocity.x"].final == pytest.approx(np.exp(-0.5 * RATE), rel=1e-6)


@pytest.mark.parametrize("body", ["beam", "membrane"])
def test_it_is_the_damping_by_mass_of_flexible_bodies(body):
    """Of all their nodes: a run with `damping: {mass: …}` is the same."""
    runs = []
    for own in (True, False):
        m = Model(name="strip", gravity=(0, 0, 0))
        damping = {"mass": RATE} if own else {}
        if body == "beam":
            section = {"kind": "rectangle", "width": 0.01, "thickness": 1e-3}
            m.beam(
                "strip", path=[[0, 0, 0], [0.3, 0, 0]], elements=3, section=section, material=FILM,
                velocity=[0, 0, 1], damping=damping,
            )  # fmt: skip
        else:
            mesh = {"kind": "plate", "length": 0.3, "width": 0.1, "divisions": [3, 1]}
            m.membrane("strip", mesh=mesh, thickness=1e-3, material=FILM, velocity=[0, 0, 1], damping=damping)
        if not own:
            m.drag("air", rate=RATE)
        runs.append(m.simulate(0.2, solver="explicit", outputs=10))
    assert runs[0]["strip.positions"].values == pytest.approx(runs[1]["strip.positions"].values, rel=1e-12, abs=1e-14)
    middle = runs[1]["system.centre_of_mass"].values[-1, 2]
    assert middle == pytest.approx((1.0 - np.exp(-0.2 * RATE)) / RATE, rel=1e-5)


@pytest.mark.parametrize("damping", [{"mass": RATE}, {"stiffness": 1e-3}])
def test_damping_of_a_beam_alone_is_accounted_for_by_ode(damping):
    m = Model(name="strip", gravity=(0, 0, 0))
    section = {"kind": "rectangle", "width": 0.01, "thickness": 1e-3}
    m.beam(
        "strip", path=[[0, 0, 0], [0.3, 0, 0]], elements=2, section=section, material=FILM, damping=damping,
        angular_velocity=[0, 30, 0],
    )  # fmt: skip
    m.fixed("clamp", between=["ground", "strip.start"])
    run = m.simulate(0.05, solver="ode", outputs=20)
    assert run.audit.dissipated[-1] > 0.01 * run.audit.kinetic[0]
    assert run.audit.relative < 1e-6


@pytest.mark.parametrize(
    ("drag", "words"),
    [
        ({"on": ["bal"]}, "did you mean 'ball'"),
        ({"on": ["ball.start"]}, "not the name of a body; write a name such as arm"),
        ({"rate": "20 Hz m"}, "rate"),
        ({"rate": 0.0}, "rate"),
    ],
)
def test_mistakes_are_answered(drag, words):
    with pytest.raises(ModelError, match=words):
        bath(**drag).simulate(0.1)
