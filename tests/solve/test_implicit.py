"""Generalized-alpha: order 2 in positions, velocities and multipliers; damping as rho says."""

import numpy as np
import pytest

from tapespring.build.assembler import Assembler, NodeDraft
from tapespring.mechanics import tables as tb
from tapespring.mechanics.core import link
from tapespring.solve import implicit, ode, runge_kutta, steps
from tapespring.solve.kkt import new_kkt
from tapespring.solve.status import DONE


def spherical(assembler, a, b, p):
    for e in np.eye(3):
        assembler.constrain(assembler.measure(tb.ALONG_WORLD, a, b, p, p, e1=e), "joint", "point")


def heavy_top():
    c, s = np.cos(np.pi / 9), np.sin(np.pi / 9)
    R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    x, w = R @ [0, 0, 1.0], R @ [0, 0, 20.0]
    inertia = R @ np.diag([0.47, 0.47, 0.235]) @ R.T
    assembler = Assembler([0, 0, -9.81])
    top = assembler.node(NodeDraft(tb.FRAME, "top", x, R, 1.0, inertia, v=np.cross(w, x), w=w))
    spherical(assembler, 0, top, np.zeros(3))
    return assembler.finish()


def double_pendulum():
    assembler = Assembler([0, -9.81, 0])
    w = np.array([1.0, 2.0, 0.0])
    a = assembler.node(NodeDraft(tb.FRAME, "a", np.array([0.5, 0, 0]), np.eye(3), 1.0, np.diag([0.01, 0.09, 0.08])))
    arm = np.array([0.3, -0.4, 0.0])
    inertia = np.diag([0.06, 0.05, 0.09])
    x = np.array([1.0, 0, 0]) + arm
    b = assembler.node(NodeDraft(tb.FRAME, "b", x, np.eye(3), 1.0, inertia, v=np.cross(w, arm), w=w))
    spherical(assembler, 0, a, np.zeros(3))
    spherical(assembler, a, b, np.array([1.0, 0, 0]))
    return assembler.finish()


def stiff_spring(stiffness):
    """A mass on a spring along x, pulled out and let go."""
    assembler = Assembler([0, 0, 0])
    mass = assembler.node(NodeDraft(tb.POINT, "mass", np.array([1.1, 0, 0]), np.eye(3), 1.0))
    length = assembler.measure(tb.LENGTH, 0, mass, np.zeros(3), np.array([1.1, 0, 0]))
    assembler.couple(length, elastic=assembler.law_polynomial([0.0, stiffness]), free=1.0)
    return assembler.finish()


def begin(system, end, rtol, outputs):
    t = system.tables
    work = link(t, tb.new_work(t))
    sizes = np.r_[np.ones(len(system.q0)), np.full(len(system.v0), 5.0), np.ones(tb.N_POWERS)]
    loop = steps.new_loop(t, system.q0, system.v0, 0.0, end, sizes, (rtol, 0.01 * rtol))
    return work, loop, steps.new_record(t, np.linspace(0.0, end, outputs), len(system.drafts.rows))


def reference(system, end, outputs=5):
    work, loop, record = begin(system, end, 1e-10, outputs)
    rk = runge_kutta.new_runge_kutta(system.tables, len(system.q0), len(system.v0), (1, 0, 0, 0, 0, 0, 0))
    assert ode.run(system.tables, work, loop, rk, record, 100_000) == DONE
    return record


def solve(system, end, rtol=1e-9, outputs=5, **options):
    work, loop, record = begin(system, end, rtol, outputs)
    alpha = implicit.new_alpha(system.tables, work, **options)
    kkt = new_kkt(system.tables, 0)
    assert implicit.run(system.tables, work, loop, alpha, kkt, record, 100_000) == DONE
    return loop, record


def balance(record):
    """Energy less work done, plus what dampers and the scheme took: constant."""
    e = record.energy
    return e[:, :3].sum(axis=1) - e[:, 3] - e[:, 4] + e[:, 5] + e[:, 6]


@pytest.mark.parametrize(("build", "end"), [(heavy_top, 0.5), (double_pendulum, 1.0)])
def test_order_two(build, end):
    system = build()
    exact = reference(system, end)
    errors = []
    for h in (0.005, 0.0025):
        loop, record = solve(system, end, fixed_step=h)
        assert loop.count[steps.STEPS] == round(end / h)
        assert loop.clock[steps.WORST_G] < 1e-10
        errors.append([np.abs(getattr(record, k) - getattr(exact, k)).max() for k in ("q", "v", "multiplier")])
    orders = np.log2(np.divide(*errors))
    assert np.all((orders > 1.9) & (orders < 2.1)), orders


def test_error_control():
    system = heavy_top()
    exact = reference(system, 0.5)
    errors = []
    for rtol in (1e-4, 1e-6):
        loop, record = solve(system, 0.5, rtol)
        errors.append(np.abs(record.q - exact.q).max())
    assert errors[1] < 0.1 * errors[0] < 1e-3
    assert loop.count[steps.STEPS] < 400


def test_dissipation_is_the_energy_lost():
    """Integrated from the scheme: what remains is the error of Gauss's rule for the work, of order 4."""
    system = double_pendulum()
    left = []
    for h in (0.01, 0.005):
        _, record = solve(system, 1.0, fixed_step=h)
        left.append(np.abs(balance(record) - balance(record)[0]).max())
    assert left[1] < 0.1 * left[0]


def test_damps_fast_vibration_only_if_told():
    """Fifty radians per step: gone within a few steps for rho = 0.5, kept for rho = 1."""
    system = stiff_spring(2.5e7)
    _, damped = solve(system, 0.5, outputs=6, fixed_step=0.01, rho=0.5)
    _, kept = solve(system, 0.5, outputs=6, fixed_step=0.01, rho=1.0)
    energy = damped.energy[:, :3].sum(axis=1)
    assert energy[-1] < 1e-12 * energy[0]
    assert np.abs(balance(damped) - energy[0]).max() < 1e-7 * energy[0]  # a linear spring: exact but for Newton
    assert np.abs(balance(kept) - energy[0]).max() < 1e-6 * energy[0]
