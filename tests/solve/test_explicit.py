"""Central differences: order, waves, momenta, stable steps, mass scaling, the vector pass and its threads."""

from itertools import pairwise

import numpy as np
import pytest

from tapespring import Model
from tapespring.build.assembler import Assembler, BarDraft, BeamDraft, DragDraft, LoadDraft, NodeDraft
from tapespring.jit import kernel
from tapespring.mechanics import chains as ch
from tapespring.mechanics import linking
from tapespring.mechanics import tables as tb
from tapespring.mechanics.core import link
from tapespring.mechanics.forces import add_gravity
from tapespring.mechanics.motion import place_nodes
from tapespring.schema.problems import ModelError
from tapespring.solve import explicit, ode, runge_kutta, steps
from tapespring.solve.chain_layout import new_chains
from tapespring.solve.chain_moves import copy_neighbours, put_held, put_owned
from tapespring.solve.status import DONE, PAUSED, UNSTABLE
from tapespring.solve.team import sweep_all


def begin(system, end, outputs=5, t=0.0):
    tables = system.tables
    work = link(tables, tb.new_work(tables))
    sizes = np.ones(len(system.q0) + len(system.v0) + tb.N_POWERS)
    loop = steps.new_loop(tables, system.q0, system.v0, t, end, sizes, (1e-11, 1e-13))
    return work, loop, steps.new_record(tables, np.linspace(t, end, outputs), len(system.drafts.rows))


def solve(system, end, step, outputs=5, threads=1, fast=True):
    work, loop, record = begin(system, end, outputs)
    scheme = explicit.new_scheme(system.tables, system.q0, step, threads, fast)
    code = PAUSED
    while code == PAUSED:
        code = explicit.run(system.tables, work, loop, scheme, record, 1000)
    return code, loop, record, scheme


def reference(system, end, outputs=5):
    work, loop, record = begin(system, end, outputs)
    rk = runge_kutta.new_runge_kutta(system.tables, len(system.q0), len(system.v0), (1, 0, 0, 0, 0, 0, 0))
    assert ode.run(system.tables, work, loop, rk, record, 100_000) == DONE
    return record


def balance(record):
    e = record.energy
    residual = e[:, :3].sum(axis=1) - e[:, 3] - e[:, 4] + e[:, 5] + e[:, 6]
    return np.abs(residual - residual[0]).max()


# -- small systems ----------------------------------------------------------------------------------------------------


def spherical(assembler, a, b, p):
    for e in np.eye(3):
        assembler.constrain(assembler.measure(tb.ALONG_WORLD, a, b, p, p, e1=e), "joint", "point")


def heavy_top():
    c, s = np.cos(0.6), np.sin(0.6)
    R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    x, w = R @ [0, 0, 1.0], R @ [0, 0, 10.0]
    assembler = Assembler([0, 0, -9.81])
    inertia = R @ np.diag([0.47, 0.4, 0.235]) @ R.T
    top = assembler.node(NodeDraft(tb.FRAME, "top", x, R, 1.0, inertia, v=np.cross(w, x), w=w))
    spherical(assembler, 0, top, np.zeros(3))
    return assembler.finish()


def oscillator():
    """A mass on a damped spring under a pulsating load, with gravity."""
    assembler = Assembler([0, 0, -1.0])
    mass = assembler.node(NodeDraft(tb.POINT, "mass", np.array([1.2, 0, 0.1]), np.eye(3), 2.0))
    length = assembler.measure(tb.LENGTH, 0, mass, np.zeros(3), np.array([1.2, 0, 0.1]))
    spring, damper = assembler.law_polynomial([0.0, 50.0]), assembler.law_polynomial([0.0, 3.0])
    assembler.couple(length, elastic=spring, free=1.0, damping=damper)
    law = assembler.law_polynomial([1.0, 2.0, -1.0])
    assembler.loads.append(LoadDraft(mass, np.array([1.2, 0, 0.1]), np.eye(3), False, [law, -1, -1, -1, -1, -1]))
    return assembler.finish()


def turned(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.cross(np.eye(3), axis).T
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def coil(count, damped=False, moving=True, seed=1):
    """A free chain of elements, bent and twisted, with velocities of all sizes."""
    rng = np.random.default_rng(seed)
    assembler = Assembler([0.0, 0.0, 0.0])
    R, x = np.eye(3), np.zeros(3)
    section = rng.normal(size=(6, 6))
    compliance = np.diag([1e-6, 2e-6, 2e-6, 1e-2, 1.5e-2, 1e-2])
    compliance = compliance + 0.1 * np.sqrt(np.outer(np.diag(compliance), np.diag(compliance))) * (
        (section @ section.T) / 20.0
    )
    for k in range(count + 1):
        axes = R @ turned([1, 2, 3], 0.3)  # principal axes of inertia that are not the section's
        inertia = axes @ np.diag([2e-5, 3e-5, 4e-5]) @ axes.T
        v, w = (rng.normal(size=3), rng.normal(size=3)) if moving else (np.zeros(3), np.zeros(3))
        assembler.node(NodeDraft(tb.FRAME, f"{k}", x.copy(), R.copy(), 0.1, inertia, v=v, w=w))
        x = x + R @ [0.1, 0, 0]
        R = R @ turned([0.2, 1, 0.5], 0.2)
    for k in range(count):
        n, m = assembler.nodes[k + 1], assembler.nodes[k + 2]
        strained = 1e-3 * rng.normal(size=6)
        beta = 1e-5 if damped else 0.0
        assembler.beams.append(BeamDraft(k + 1, k + 2, n.x, m.x, n.R, m.R, 0.1, compliance, beta, strained))
        if damped:
            assembler.drags.append(DragDraft(k + 1, 0.03, 0.2 * n.inertia))
    return assembler.finish()


def taut_strap(count=16, force=2000.0):
    """A steel strip 10 mm x 1 mm, clamped at one end, pulled at the other and struck from the side."""
    young, shear, length, area, width, thin = 210e9, 80e9, 0.1, 1e-5, 0.01, 0.001
    flat, edge = width * thin**3 / 12, thin * width**3 / 12
    stiffness = [young * area, shear * area, shear * area, shear * 4 * flat, young * flat, young * edge]
    assert force > 5 * 12 * young * flat / length**2  # sections would turn aside but for the bow
    assembler, mass, rng = Assembler([0, 0, -9.81]), 7800.0 * area * length, np.random.default_rng(4)
    for k in range(1, count + 1):
        inertia, v = np.eye(3) * mass * length**2 / 12, np.array([0.0, *rng.normal(size=2)])
        assembler.node(NodeDraft(tb.FRAME, f"{k}", np.array([k * length, 0, 0]), np.eye(3), mass, inertia, v=v))
    for k in range(count):
        at = np.array([k * length, 0.0, 0.0]), np.array([(k + 1) * length, 0.0, 0.0])
        compliance = np.diag(1.0 / np.array(stiffness))
        assembler.beams.append(BeamDraft(k, k + 1, *at, np.eye(3), np.eye(3), length, compliance))
    law = assembler.law_constant(force)
    assembler.loads.append(LoadDraft(count, at[1], np.eye(3), False, [law, -1, -1, -1, -1, -1]))
    return assembler.finish()


# -- order and motion -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [heavy_top, oscillator])
def test_order_two(make):
    system = make()
    exact = reference(system, 1.0)
    errors = []
    for h in (4e-3, 2e-3, 1e-3):
        code, _, record, _ = solve(system, 1.0, h)
        assert code == DONE
        errors.append(np.abs(record.q - exact.q).max())
    assert errors[-1] < 1e-3
    for coarse, fine in pairwise(errors):
        assert 3.5 < coarse / fine < 4.5


@pytest.mark.parametrize("make", [heavy_top, oscillator])
def test_energy_is_accounted_for(make):
    _, _, record, _ = solve(make(), 1.0, 2e-4, outputs=50)
    assert balance(record) < 1e-6 * np.ptp(record.energy, axis=0).max()


def test_momenta_of_a_free_beam_are_kept():
    system = coil(17)
    for fast in (True, False):
        _, _, record, _ = solve(system, 0.02, 1e-5, fast=fast)
        momenta = [momentum(system, q, v) for q, v in zip(record.q, record.v, strict=True)]
        np.testing.assert_allclose(momenta, np.tile(momenta[0], (len(momenta), 1)), atol=3e-13)


def momentum(system, q, v):
    linear, angular = np.zeros(3), np.zeros(3)
    for node in system.tables.nodes[1:]:
        i, j = node["q"], node["v"]
        linear += node["mass"] * v[j : j + 3]
        angular += np.cross(q[i : i + 3], node["mass"] * v[j : j + 3])
        w, x, y, z = q[i + 3 : i + 7]
        R = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        angular += R @ (node["inertia"] * v[j + 3 : j + 6])
    return np.concatenate((linear, angular))


def test_wave_in_a_bar_under_a_sudden_end_load():
    """Tip between 0 and 2 sigma L / E, period 4 L / c, velocity ± sigma / (rho c); exact at Courant number 1."""
    count, length, stiffness, mass_per_length, force = 40, 2.0, 1e7, 1.0, 10.0
    element = length / count
    c = np.sqrt(stiffness / mass_per_length)
    assembler = Assembler([0, 0, 0])
    for k in range(1, count + 1):
        mass = mass_per_length * element * (1.0 if k < count else 0.5)
        assembler.node(NodeDraft(tb.POINT, f"{k}", np.array([k * element, 0, 0]), np.eye(3), mass))
    for k in range(count):
        at = np.array([k * element, 0.0, 0.0]), np.array([(k + 1) * element, 0.0, 0.0])
        assembler.bars.append(BarDraft(k, k + 1, *at, element, stiffness))
    law = assembler.law_constant(force)
    assembler.loads.append(LoadDraft(count, at[1], np.eye(3), False, [law, -1, -1, -1, -1, -1]))
    system = assembler.finish()
    end, step = 8 * length / c, element / c
    code, _, record, _ = solve(system, end, step, outputs=8 * count + 1)
    assert code == DONE
    tip = record.q[:, -3] - length
    phase = (record.time * c / length) % 4.0
    exact = force / stiffness * length * np.where(phase < 2.0, phase, 4.0 - phase)
    np.testing.assert_allclose(tip, exact, atol=1e-6 * 2 * force * length / stiffness)
    inside = np.abs(phase % 2.0 - 1.0) < 0.9
    speed = force / np.sqrt(stiffness * mass_per_length) * np.where(phase < 2.0, 1.0, -1.0)
    np.testing.assert_allclose(record.v[inside, -3], speed[inside], atol=1e-5 * speed.max())
    assert balance(record) < 1e-6 * np.ptp(record.energy, axis=0).max()


# -- models -----------------------------------------------------------------------------------------------------------


def strap(elements=6, **fields):
    m = Model(name="strap", gravity=(0, 0, "-9.81 m/s^2"))
    aluminium = {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"}
    m.beam(
        "strap", path=[[0, 0, 0], [0.4, 0, 0]], section={"kind": "rectangle", "width": "20 mm", "thickness": "2 mm"},
        material=aluminium, elements=elements, **fields,
    )  # fmt: skip
    m.fixed("clamp", m.ground, "strap.start")
    return m


@pytest.mark.parametrize("elements", [6, 12])
def test_agrees_with_implicit(elements):
    m = strap(elements, damping={"stiffness": "5 us", "mass": 2})
    m.load("push", on="strap.end", force=[0, "0.5 * sin(60*t)", 0])
    explicit_run = m.simulate("0.04 s", solver="explicit", outputs=20)
    implicit_run = m.simulate("0.04 s", solver="implicit", outputs=20, tolerance=1e-8)
    assert explicit_run.status.complete
    tips = [run["strap.end.position"].values for run in (explicit_run, implicit_run)]
    np.testing.assert_allclose(tips[0], tips[1], atol=1e-4 * np.ptp(tips[1][:, 2]))
    assert explicit_run.audit.relative < 1e-6, explicit_run.audit.describe()


def test_pendulum_agrees_with_ode():
    m = Model(name="swing", gravity=(0, 0, "-9.81 m/s^2"))
    bar = m.rigid("bar", at=(0.5, 0, 0), mass=1, inertia=[0.01, 0.1, 0.1])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    runs = [m.simulate("2 s", solver=solver, outputs=40, planar="off") for solver in ("explicit", "ode")]
    angles = [run["hinge.angle"].values for run in runs]
    np.testing.assert_allclose(angles[0], angles[1], atol=2e-4)
    assert runs[0].audit.relative < 1e-5
    assert runs[0].violation["position"] < 1e-6


def test_events_stop_the_run():
    m = Model(name="swing", gravity=(0, 0, "-9.81 m/s^2"))
    bar = m.rigid("bar", at=(0.5, 0, 0), mass=1, inertia=[0.01, 0.1, 0.1])
    m.revolute("hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    m.event("down", watch="hinge.angle", level="45 deg", stop=True)
    runs = [m.simulate("2 s", solver=solver) for solver in ("explicit", "ode")]
    assert runs[0].events[0].time == pytest.approx(runs[1].events[0].time, abs=1e-5)


def test_drives_and_moving_frames_are_paid_for():
    base = Model(name="shaken")
    frame = base.moving_frame("table", position=[0, 0, "0.01 * sin(100*t)"])
    mass = base.point_mass("mass", mass=0.5, at=(0, 0, 1.0))
    base.spring("coil", frame, mass, stiffness=5000, free_length=1.0)
    run = base.simulate("0.2 s", solver="explicit", outputs=50)
    assert run.status.complete
    assert run.audit.relative < 1e-6, run.audit.describe()
    other = base.simulate("0.2 s", solver="ode", outputs=50)
    np.testing.assert_allclose(run["mass.position"].values, other["mass.position"].values, atol=1e-3)


# -- the stable step --------------------------------------------------------------------------------------------------


def test_too_long_a_step_is_refused():
    with pytest.raises(ModelError, match=r"longer than the .* stable, limited by the beam element between 'strap\["):
        strap().simulate("1 ms", solver="explicit", step="1 ms")


def test_a_stable_step_is_used_as_asked():
    run = strap().simulate("1 ms", solver="explicit", step="1 us", outputs=10)
    assert run.counters["steps"] == 1000


def test_bound_is_safe_and_not_far_from_the_limit():
    """The shortest period of the whole model, from its eigenvalues, allows at most a little more."""
    from tapespring.simulate import prepare
    from tapespring.solve.modes import find_modes
    from tapespring.solve.stable_step import bound

    _, _, start = prepare(strap(), planar=False)
    limit = 2.0 / (2.0 * np.pi * find_modes(start.system, start.q).frequencies_hz.max())
    found = bound(start, start.q, start.v, 0.0).shortest
    assert 0.6 * limit < found <= limit * (1.0 + 1e-9)


def test_divergence_stops_with_what_was_reached():
    assembler = Assembler([0, 0, 0])
    mass = assembler.node(NodeDraft(tb.POINT, "mass", np.array([1.001, 0, 0]), np.eye(3), 1.0))
    length = assembler.measure(tb.LENGTH, 0, mass, np.zeros(3), np.array([1.001, 0, 0]))
    assembler.couple(length, elastic=assembler.law_polynomial([0.0, 1e4]), free=1.0)
    code, loop, record, _ = solve(assembler.finish(), 2.0, 0.0205, outputs=50)
    assert code == UNSTABLE
    assert 0.0 < loop.clock[steps.TIME] < 2.0
    assert loop.count[steps.NEXT_OUTPUT] > 1
    assert np.isfinite(record.energy[:2]).all()


def test_mass_scaling_reaches_the_step_and_says_what_it_added():
    plain = strap().simulate("2 ms", solver="explicit", outputs=4)
    usual = 2e-3 / plain.counters["steps"]
    scaled = strap().simulate("2 ms", solver="explicit", outputs=4, mass_scaling=3 * usual)
    assert scaled.status.complete
    assert scaled.counters["steps"] == pytest.approx(plain.counters["steps"] / 3, rel=0.05)
    note = next(n for n in scaled.notes if n.startswith("mass scaling"))
    assert "kg (" in note
    assert "rotary inertia" in note
    none = strap().simulate("2 ms", solver="explicit", outputs=4, mass_scaling=0.5 * usual)
    assert any("none needed" in n for n in none.notes)


# -- the vector pass --------------------------------------------------------------------------------------------------


@kernel
def one_pass(tables, work, chains, q, v, half):
    """Forces by the pass into the slots (a step of 1 s from rest), and by the elements one by one into work."""
    place_nodes(tables, 0.0, q, v, work)
    add_gravity(tables, work)
    put_owned(tables, chains, q, half, work, 1.0)
    put_held(tables, chains, q, work)
    copy_neighbours(chains)
    sweep_all(tables, chains, 1.0)
    linking.add_elements(tables, work)


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("count", [9, 30, 64])
def test_same_forces_as_one_by_one(count, damped):
    system = coil(count, damped)
    t = system.tables
    assert (t.beams["bow"] > 0.1).all()
    if damped:
        t = t._replace(drags=t.drags[:0])  # the pass treats drag within the kick
        t.beams["damping"] = 1e-3
    work = link(t, tb.new_work(t))
    q = system.q0.copy()
    rng = np.random.default_rng(3)
    for node in t.nodes[1:]:  # neighbours turned by up to half a radian more
        i = node["q"]
        q[i : i + 3] += 2e-3 * rng.normal(size=3)
        q[i + 3 : i + 7] += 0.1 * rng.normal(size=4)
        q[i + 3 : i + 7] /= np.linalg.norm(q[i + 3 : i + 7])
    chains, loners = new_chains(t, system.q0)
    assert len(loners) == 0
    assert len(chains.owned) == count + 1
    one_pass(t, work, chains, q, system.v0.copy(), np.zeros(len(system.v0)))
    nodes, rows, lanes = chains.owned.T
    force = np.stack([chains.state[rows, ch.V + k, lanes] for k in range(3)], axis=1) * t.nodes["mass"][nodes, None]
    moment = np.stack([chains.state[rows, ch.L + k, lanes] for k in range(3)], axis=1)
    np.testing.assert_allclose(force, work.force[nodes], atol=1e-12 * np.abs(work.force).max())
    np.testing.assert_allclose(moment, work.moment[nodes], atol=1e-12 * np.abs(work.moment).max())


@pytest.mark.parametrize("damped", [False, True])
def test_pass_moves_as_one_by_one(damped):
    system = coil(21, damped)
    records = [solve(system, 5e-3, 2e-5, fast=fast)[2] for fast in (True, False)]
    np.testing.assert_allclose(records[0].q, records[1].q, atol=1e-7 if damped else 2e-9)
    # every node shakes on its own: few steps to a period, so that even the shape of the strain energy matters
    assert balance(records[0]) < (5e-3 if damped else 2e-4) * np.ptp(records[0].energy, axis=0).max()


def test_pass_knows_that_tension_keeps_straight():
    system = taut_strap()
    assert (system.tables.beams["bow"][:, 0] > 0.9).all()
    (_, _, fast, scheme), (_, _, slow, _) = [solve(system, 0.05, 1e-6, fast=fast) for fast in (True, False)]
    assert len(scheme.chains.owned) == 15  # all but the ends
    np.testing.assert_allclose(fast.q, slow.q, atol=1e-11)
    assert balance(fast) < 1e-5 * np.ptp(fast.energy, axis=0).max()
    assert fast.q[-1, -7] == pytest.approx(1.6, abs=2e-3)  # x of the end


def test_two_threads_give_the_same_bits():
    system = coil(150, damped=True)
    records = [solve(system, 2e-3, 2e-5, threads=threads)[2] for threads in (1, 2)]
    np.testing.assert_array_equal(records[0].q, records[1].q)
    np.testing.assert_array_equal(records[0].v, records[1].v)


def test_sharp_turns_leave_the_pass():
    system = coil(12, moving=False)
    t = system.tables
    q = system.q0.copy()
    i = t.nodes["q"][6] + 3
    q[i : i + 4] = q[i + 7 : i + 11] * 0.2 + np.array([-q[i + 8], q[i + 7], -q[i + 10], q[i + 9]])
    q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    system.q0[:] = q
    code, _, _, _ = solve(system, 1e-3, 1e-5)
    assert code == explicit.TOO_SHARP
