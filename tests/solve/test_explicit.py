"""Central differences: waves, agreement with the implicit solver, stable steps, mass scaling, threads."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.schema.problems import ModelError

L, EA, EI, RHO_A = 1.0, 1e4, 1.0, 1.0


def strap(elements=16, **settings):
    m = Model(name="strap", gravity=(0, 0, -9.81), **settings)
    m.beam(
        "strap", path=[[0, 0, 0], [L, 0, 0]], elements=elements,
        section={"kind": "general", "axial_stiffness": EA, "shear_stiffness": EA, "bending_stiffness": EI,
                 "torsion_stiffness": EI, "mass_per_length": RHO_A, "rotary_inertia": [2e-3, 1e-3, 1e-3]},
    )  # fmt: skip
    return m


def clamped(elements=16, **settings):
    m = strap(elements, **settings)
    m.fixed("clamp", m.ground, "strap.start")
    return m


def test_wave_in_a_bar():
    """A step of end load: the tip moves between 0 and 2 F L / EA, there and back in 4 L / c."""
    m = clamped(200)
    m.gravity = (0.0, 0.0, 0.0)
    m.load("pull", "strap.end", force=(10, 0, 0))
    period = 4 * L / np.sqrt(EA / RHO_A)
    r = m.simulate(period, solver="explicit", outputs=[period / 4, period / 2, 3 * period / 4, period])
    tip = r["strap.end.position.x"].values - L
    far = 2 * 10 * L / EA
    np.testing.assert_allclose(tip, [far / 2, far, far / 2, 0.0], atol=0.03 * far)
    assert r.audit.relative < 1e-6


def test_agrees_with_implicit():
    times = {"outputs": [0.1, 0.2, 0.3]}
    explicit = clamped().simulate("0.3 s", solver="explicit", **times)
    implicit = clamped().simulate("0.3 s", solver="implicit", step=2e-4, dissipation=1.0, **times)
    np.testing.assert_allclose(
        explicit["strap.end.position"].values, implicit["strap.end.position"].values, atol=2e-4 * L
    )
    assert explicit.audit.relative < 1e-6


def test_rigid_pendulum_agrees_with_ode():
    m = Model(gravity=(0, 0, -9.81))
    bar = m.rigid("bar", at=(0.5, 0, 0), mass=1, inertia=[0.01, 0.1, 0.1])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    ends = [m.simulate("1 s", solver="explicit", step=h)["bar.position"].final for h in (8e-3, 4e-3)]
    exact = m.simulate("1 s", solver="ode")["bar.position"].final
    errors = [np.linalg.norm(end - exact) for end in ends]
    assert errors[1] < 1e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)


def test_a_step_that_is_too_long_is_refused():
    with pytest.raises(ModelError, match=r"strap"):
        clamped().simulate("0.1 s", solver="explicit", step=0.05)


def test_mass_scaling_tells_what_it_added():
    r = clamped().simulate("0.02 s", solver="explicit", mass_scaling=1e-3)
    assert any("kg" in note for note in r.notes)


def test_two_threads_give_the_same():
    one = clamped(64).simulate("0.02 s", solver="explicit")
    two = clamped(64).simulate("0.02 s", solver="explicit", threads=2)
    np.testing.assert_allclose(two["strap.end.position"].final, one["strap.end.position"].final, atol=1e-9)


def test_momentum_of_a_free_beam():
    m = strap()
    r = m.simulate("0.1 s", solver="explicit", outputs=[0.1])
    z = r["strap.positions"].values[-1].reshape(-1, 3)[:, 2]
    np.testing.assert_allclose(z, -0.5 * 9.81 * 0.01, atol=1e-10)
