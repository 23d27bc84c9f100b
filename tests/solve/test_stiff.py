"""Backward differentiation: errors follow the tolerance at every order; stiff springs cost few steps."""

import numpy as np
import pytest

from tapespring.build.assembler import Assembler, NodeDraft
from tapespring.mechanics import tables as tb
from tapespring.mechanics.core import link
from tapespring.solve import ode, runge_kutta, steps, stiff
from tapespring.solve.kkt import new_kkt
from tapespring.solve.status import DONE, PAUSED


def heavy_top():
    c, s = np.cos(np.pi / 9), np.sin(np.pi / 9)
    R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    x, w = R @ [0, 0, 1.0], R @ [0, 0, 20.0]
    inertia = R @ np.diag([0.47, 0.47, 0.235]) @ R.T
    assembler = Assembler([0, 0, -9.81])
    top = assembler.node(NodeDraft(tb.FRAME, "top", x, R, 1.0, inertia, v=np.cross(w, x), w=w))
    for e in np.eye(3):
        assembler.constrain(assembler.measure(tb.ALONG_WORLD, 0, top, e1=e), "joint", "point")
    return assembler.finish()


def pendulum_on_a_stiff_damped_spring():
    """The swing takes two seconds; the stretch decays within 10 microseconds at first, then 10 milliseconds."""
    assembler = Assembler([0, -9.81, 0])
    bob = assembler.node(NodeDraft(tb.POINT, "bob", np.array([1.0, 0, 0]), np.eye(3), 1.0))
    length = assembler.measure(tb.LENGTH, 0, bob, np.zeros(3), np.array([1.0, 0, 0]))
    elastic, damping = assembler.law_polynomial([0, 1e7]), assembler.law_polynomial([0, 1e5])
    assembler.couple(length, elastic=elastic, free=1.0, damping=damping)
    return assembler.finish()


def begin(system, end, rtol, outputs=5):
    t = system.tables
    work = link(t, tb.new_work(t))
    sizes = np.r_[np.ones(len(system.q0)), np.full(len(system.v0), 5.0), np.ones(tb.N_POWERS)]
    loop = steps.new_loop(t, system.q0, system.v0, 0.0, end, sizes, (rtol, 0.01 * rtol))
    return work, loop, steps.new_record(t, np.linspace(0.0, end, outputs), len(system.drafts.rows))


def explicit(system, end, rtol, most=100_000):
    work, loop, record = begin(system, end, rtol)
    rk = runge_kutta.new_runge_kutta(system.tables, len(system.q0), len(system.v0), (1, 0, 0, 0, 0, 0, 0))
    return ode.run(system.tables, work, loop, rk, record, most), loop, record


def solve(system, end, rtol, order=5):
    work, loop, record = begin(system, end, rtol)
    bdf = stiff.new_stiff(system.tables, work, order)
    assert stiff.run(system.tables, work, loop, bdf, new_kkt(system.tables, 0), record, 100_000) == DONE
    return loop, record


@pytest.fixture(scope="module")
def exact_top():
    system = heavy_top()
    return system, explicit(system, 0.5, 1e-10)[2]


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_order(exact_top, order):
    """Error against number of steps: the slope is the order, though every step is projected on the constraints."""
    system, exact = exact_top
    tolerances = (1e-4, 1e-5) if order < 3 else (1e-6, 1e-8)
    runs = [solve(system, 0.5, rtol, order) for rtol in tolerances]
    errors = [np.abs(record.q - exact.q).max() for _, record in runs]
    counts = [loop.count[steps.STEPS] for loop, _ in runs]
    slope = np.log(errors[0] / errors[1]) / np.log(counts[1] / counts[0])
    assert slope > order - 0.2, (slope, errors, counts)


def test_error_follows_tolerance(exact_top):
    system, exact = exact_top
    for rtol in (1e-3, 1e-5, 1e-7):
        _, record = solve(system, 0.5, rtol)
        assert np.abs(record.q - exact.q).max() < rtol
        assert record.violation[:, 0].max() < 1e-12


def test_stiff_spring_costs_few_steps():
    system = pendulum_on_a_stiff_damped_spring()
    loop, record = solve(system, 2.0, 1e-6)
    used = loop.count[steps.STEPS]
    assert used < 1000
    status, _, _ = explicit(system, 2.0, 1e-6, most=10 * used)
    assert status == PAUSED  # ten times the steps do not suffice
    # kinetic + gravity + strain + dissipated
    e = record.energy
    total = e[:, 0] + e[:, 1] + e[:, 2] + e[:, 5]
    assert total == pytest.approx(total[0], abs=1e-3)
    # as a pendulum of constant length, released level: its speed at angle y is sqrt(-2 g y)
    assert np.abs(np.hypot(record.v[:, 0], record.v[:, 1]) - np.sqrt(-2 * 9.81 * record.q[:, 1])).max() < 1e-3
