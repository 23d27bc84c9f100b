"""The conserving loop keeps energy and momenta to rounding and converges with order 2."""

import numpy as np
import pytest

from tapespring.build.assembler import Assembler, NodeDraft
from tapespring.mechanics import tables as tb
from tapespring.mechanics.core import link
from tapespring.solve import conserving, ode, runge_kutta, steps
from tapespring.solve.kkt import new_kkt
from tapespring.solve.status import DONE


def body(assembler, x, mass, inertia, v=(0, 0, 0), w=(0, 0, 0)):
    vectors = [np.array(u, float) for u in (x, v, w)]
    draft = NodeDraft(tb.FRAME, "body", vectors[0], np.eye(3), mass, np.diag(inertia), v=vectors[1], w=vectors[2])
    return assembler.node(draft)


def spherical(assembler, a, b, p):
    for e in np.eye(3):
        assembler.constrain(assembler.measure(tb.ALONG_WORLD, a, b, p, p, e1=e), "joint", "point")


def free_body():
    assembler = Assembler([0, 0, 0])
    body(assembler, [0, 0, 0], 1.0, [1.0, 2.0, 3.0], [0.1, 0.2, 0.3], [0.1, 3.0, 0.2])
    return assembler.finish()


def double_pendulum():
    """A revolute and a spherical joint: point and cosine rows."""
    assembler = Assembler([0, -9.81, 0])
    arm, w = np.array([0.3, -0.4, 0.0]), np.array([1.0, 2.0, 0.0])
    a = body(assembler, [0.5, 0, 0], 1.0, [0.01, 0.09, 0.08])
    b = body(assembler, np.array([1, 0, 0]) + arm, 1.0, [0.06, 0.05, 0.09], np.cross(w, arm), w)
    spherical(assembler, 0, a, np.zeros(3))
    for e in np.eye(3)[:2]:
        assembler.constrain(assembler.measure(tb.COSINE, 0, a, e1=e, f=[0, 0, 1.0]), "joint", "axis")
    spherical(assembler, a, b, np.array([1.0, 0, 0]))
    return assembler.finish()


def two_bodies_and_a_spring():
    assembler = Assembler([0, 0, 0])
    a = body(assembler, [0, 0, 0], 1.0, [0.1, 0.2, 0.25], [0.3, -0.5, 0.2], [1.0, -0.6, 0.8])
    b = body(assembler, [1.5, 0.1, 0], 2.0, [0.1, 0.2, 0.25], [-0.4, 0.6, 0.9], [0.4, 1.1, -0.7])
    length = assembler.measure(tb.LENGTH, a, b, [0.3, 0.2, 0.1], [1.2, 0.0, 0.2])
    assembler.couple(length, elastic=assembler.law_polynomial([0, 50.0, 0, 20.0]), free=0.7)
    return assembler.finish()


def begin(system, end, outputs=2):
    t = system.tables
    work = link(t, tb.new_work(t))
    sizes = np.ones(len(system.q0) + len(system.v0) + tb.N_POWERS)
    loop = steps.new_loop(t, system.q0, system.v0, 0.0, end, sizes, (1e-10, 1e-12))
    return work, loop, steps.new_record(t, np.linspace(0.0, end, outputs), len(system.drafts.rows))


def solve(system, end, h, outputs=2):
    work, loop, record = begin(system, end, outputs)
    scheme = conserving.new_conserving(system.tables, work, h)
    assert conserving.run(system.tables, work, loop, scheme, new_kkt(system.tables, 0), record, 1_000_000) == DONE
    return loop, record


def momenta(system, q, v):
    """(linear, angular about the origin), world axes."""
    linear, angular = np.zeros(3), np.zeros(3)
    for node in system.tables.nodes[1:]:
        i, j = node["q"], node["v"]
        x, s, u = q[i : i + 3], q[i + 3], q[i + 4 : i + 7]
        spin = node["inertia"] * v[j + 3 : j + 6]
        linear += node["mass"] * v[j : j + 3]
        angular += node["mass"] * np.cross(x, v[j : j + 3]) + spin + 2 * np.cross(u, np.cross(u, spin) + s * spin)
    return linear, angular


def assert_momenta(system, loop, near):
    for now, then in zip(momenta(system, loop.q, loop.v), momenta(system, system.q0, system.v0), strict=True):
        assert now == pytest.approx(then, abs=near)


def test_torque_free_body():
    system = free_body()
    loop, record = solve(system, 100.0, 0.05)
    assert record.energy[-1, 0] == pytest.approx(record.energy[0, 0], rel=1e-11)
    assert_momenta(system, loop, 1e-10)


def test_spring_in_free_flight():
    system = two_bodies_and_a_spring()
    loop, record = solve(system, 50.0, 0.01, 11)
    energy = record.energy[:, :3].sum(axis=1)
    assert np.ptp(record.energy[:, 2]) > 0.1  # the spring works
    assert energy == pytest.approx(energy[0], rel=1e-5)  # between steps: of the interpolation
    assert energy[-1] == pytest.approx(energy[0], rel=1e-10)
    assert_momenta(system, loop, 1e-10)


def test_double_pendulum_for_ten_thousand_steps():
    system = double_pendulum()
    loop, record = solve(system, 10.0, 0.001, 11)
    assert loop.count[steps.STEPS] == 10_000
    energy = record.energy[:, :3].sum(axis=1)
    size = np.abs(record.energy[:, 1]).max()
    assert np.abs(energy - energy[0]).max() < 1e-10 * size
    assert loop.clock[steps.WORST_G] < 1e-12


def test_order_two():
    system, end = double_pendulum(), 1.0
    work, loop, exact = begin(system, end, 5)
    rk = runge_kutta.new_runge_kutta(system.tables, len(system.q0), len(system.v0), (1, 0, 0, 0, 0, 0, 0))
    assert ode.run(system.tables, work, loop, rk, exact, 100_000) == DONE
    errors = []
    for h in (0.005, 0.0025):
        _, record = solve(system, end, h, 5)
        errors.append([np.abs(record.q - exact.q).max(), np.abs(record.v - exact.v).max()])
    orders = np.log2(np.divide(*errors))
    assert np.all((orders > 1.9) & (orders < 2.1)), orders
