"""Beams in motion: order, energy audit, momenta, corners of loads, and what `auto` makes of flexible models."""

import itertools

import numpy as np
import pytest

from tapespring import Model
from tapespring.simulate import prepare
from tapespring.solve.transient import run_transient


def section(EA, EI, GJ, GA, mass, inertia):
    return {
        "kind": "general", "axial_stiffness": EA, "shear_stiffness": [GA, GA], "bending_stiffness": [EI, EI],
        "torsion_stiffness": GJ, "mass_per_length": mass, "rotary_inertia": list(inertia),
    }  # fmt: skip


def pendulum(elements):
    """A rod as soft as a rope, from the horizontal."""
    m = Model(name="flexible pendulum", gravity=(0, 0, -9.81))
    soft = section(1260, 8.505e-3, 5.519e-3, 1260, 9.972, (1.3462e-4, 6.731e-5, 6.731e-5))
    m.beam("rod", path=[[0, 0, 0], [1.2, 0, 0]], elements=elements, section=soft)
    m.spherical("pin", m.ground, "rod.start")
    return m


def flight(elements, bending=500, until="if(t < 2.5, 1, 0)"):
    """A force and a moment on one end of a free beam for 2.5 s, then nothing (Simo and Vu-Quoc 1986)."""
    m = Model(name="flying beam")
    m.beam("beam", path=[[6, 0, 0], [0, 8, 0]], elements=elements,
           section=section(1e4, bending, bending, 1e4, 1.0, (20, 10, 10)))  # fmt: skip
    m.load("push", "beam.start", force=(f"8*{until}", 0, 0), torque=(0, 0, f"-80*{until}"))
    return m


def elbow(elements):
    """Two legs at a right angle, clamped at one end and struck at the corner across their plane."""
    m = Model(name="elbow")
    m.beam("beam", path=[[0, 0, 0], [10, 0, 0], [10, 10, 0]], elements=elements, markers={"elbow": 10},
           section=section(1e6, 1e3, 1e3, 1e6, 1.0, (20, 10, 10)))  # fmt: skip
    m.fixed("clamp", m.ground, "beam.start")
    m.load("blow", "beam.elbow", force=(0, 0, "50*max(0, 1 - abs(t - 1))"))
    return m


def ran(model, duration, **settings):
    """(start, run) of an implicit run."""
    stage = model.settings.changed(solver="implicit", duration=duration, **settings).stage_list()[0]
    _, _, start = prepare(model, duration)
    return start, run_transient(start, stage, stage.output_times())


def momenta(start, record, k):
    """Linear and angular momentum about the origin at output k."""
    p, L = np.zeros(3), np.zeros(3)
    for node in start.system.tables.nodes:
        if node["kind"] != 2:
            continue
        i, j = node["q"], node["v"]
        x, (a, *e) = record.q[k, i : i + 3], record.q[k, i + 3 : i + 7]
        v, w = record.v[k, j : j + 3], record.v[k, j + 3 : j + 6]
        spin = node["inertia"] * w
        spin = spin + 2 * a * np.cross(e, spin) + 2 * np.cross(e, np.cross(e, spin))
        p += node["mass"] * v
        L += np.cross(x, node["mass"] * v) + spin
    return p, L


# -- accuracy ---------------------------------------------------------------------------------------------------------
def test_order_two_in_time():
    places = []
    for step in (5e-4, 2.5e-4, 1.25e-4, 6.25e-5):
        _, run = ran(pendulum(8), 0.2, step=step, tolerance=1e-11, dissipation=0.8, outputs=4)
        places.append(run.record.q[-1])
    steps = [np.abs(a - b).max() for a, b in itertools.pairwise(places)]
    orders = np.log2(np.divide(steps[:-1], steps[1:]))
    assert np.all((orders > 1.8) & (orders < 2.3)), orders


def test_newton_ends_when_nothing_is_left_to_gain():
    loose, tight = (
        ran(pendulum(16), 0.3, step=1e-3, tolerance=tolerance, dissipation=0.8, outputs=3)[1]
        for tolerance in (1e-8, 1e-12)
    )
    assert np.abs(loose.record.q - tight.record.q).max() < 1e-8
    assert loose.counters()["newton_iterations"] < 4 * loose.counters()["steps"]


def test_error_control_goes_with_the_tolerance():
    """Of places; turns of nodes as fast as a step may stay unresolved."""
    exact = pendulum(8).simulate(0.4, solver="implicit", step=5e-5, outputs=4)["rod.end.position"].values
    errors = [
        np.abs(pendulum(8).simulate(0.4, tolerance=e, outputs=4)["rod.end.position"].values - exact).max()
        for e in (1e-3, 1e-6)
    ]
    assert errors[1] < 0.1 * errors[0] < 1e-3


def test_tension_straightens_coarse_elements():
    """A string with some bending stiffness pulled aside: w = F/4N (l - 2 tanh(kl/2)/k), far beyond N = 12 EI/L²."""
    N, EI, F = 50.0, 1e-3, 1.0
    m = Model(name="string")
    m.beam("string", path=[[0, 0, 0], [1, 0, 0]], elements=8, markers={"middle": 0.5},
           section=section(1e6, EI, EI, 1e6, 1.0, (1e-6, 1e-6, 1e-6)))  # fmt: skip
    m.revolute("left", m.ground, "string.start", axis="y")
    m.point_on_line("right", m.ground.at(1, 0, 0), "string.end", axis="x")
    m.load("pull", "string.end", force=(N, 0, 0))
    m.load("pluck", "string.middle", force=(0, 0, f"{F}*t"))
    r = m.simulate(1, solver="quasi-static", outputs=2)
    k = np.sqrt(N / EI)
    expected = F / (4 * N) * (1 - 2 * np.tanh(k / 2) / k)
    assert r["string.middle.position.z"].values[-1] == pytest.approx(expected, rel=0.03)


# -- books ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("model", "duration", "step"), [(pendulum(16), 1.0, 1e-3), (flight(16), 5, 5e-3), (elbow(8), 5, 5e-3)]
)
def test_audit_closes(model, duration, step):
    r = model.simulate(duration, solver="implicit", step=step, outputs=50)
    assert r.status.complete
    assert r.audit.relative < 1e-6


def test_audit_is_of_order_four():
    left = [
        flight(8, 100).simulate(5, solver="implicit", step=step, tolerance=1e-12, outputs=50).audit.largest_residual[0]
        for step in (2e-2, 1e-2)
    ]
    assert left[1] < left[0] / 10


def test_momenta_of_a_free_beam():
    """Linear momentum to rounding; angular momentum of order 2, as the scheme has it."""
    drifts = []
    for step in (1e-2, 5e-3):
        start, run = ran(flight(16), 6, step=step, dissipation=0.95, outputs=60)
        time = run.record.time[: run.rows]
        after = [momenta(start, run.record, k) for k in np.flatnonzero(time > 2.55)]
        assert after[-1][0] == pytest.approx([20, 0, 0], abs=1e-9)
        drifts.append(max(np.abs(L - after[0][1]).max() for _, L in after) / np.abs(after[0][1]).max())
    assert drifts[0] < 1e-4
    assert drifts[1] < drifts[0] / 3


# -- corners ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("settings", [{"step": 0.01}, {"tolerance": 1e-6}])
def test_steps_end_where_loads_jump(settings):
    m = Model()
    m.load("push", m.point_mass("p", mass=1), force=("if(t < 0.1234, 1, 0)", 0, 0))
    r = m.simulate(1, solver="implicit", **settings)
    assert r["p.velocity.x"].values[-1] == pytest.approx(0.1234, abs=1e-9)
    assert r["p.position.x"].values[-1] == pytest.approx(0.1234 * (1 - 0.0617), abs=1e-9)
    assert r.audit.relative < 1e-9


# -- stiff ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rho", [0.5, 0.9, 1.0])
@pytest.mark.parametrize("stretch", [0.1, 0.3])
def test_fast_vibration_does_not_turn_over(rho, stretch):
    """A bar at fifty radians per step: the mirrored place balances too, and must not be found."""
    m = Model()
    mass = m.point_mass("mass", mass=1, at=(1 + stretch, 0, 0))
    m.bar("bar", m.ground, mass, axial_stiffness=2.5e7, free_length=1)
    r = m.simulate(0.5, solver="implicit", step=0.01, dissipation=rho, outputs=50)
    assert r.status.complete
    assert r["mass.position.x"].values.min() > 0.5
    assert r.audit.relative < 1e-6


# -- choice -----------------------------------------------------------------------------------------------------------
def test_auto_runs_flexible_models_implicitly():
    r = pendulum(4).simulate(0.1)
    assert any("'implicit' runs it" in note for note in r.notes)
    assert any("1e-06" in note for note in r.notes)
    assert r.counters["steps"] < 1000
