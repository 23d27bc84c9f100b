"""States that elements represent exactly, and what they report about themselves."""

import numpy as np
import pytest
from element_models import Elements, bars, beams, compliance
from scipy.linalg import expm

from tapespring.build.assembler import WORLD, Assembler, BarDraft, BeamDraft, NodeDraft, quaternion_from_matrix
from tapespring.build.beam_element import skew
from tapespring.mechanics.tables import DISSIPATED, FRAME, POINT
from tapespring.solve.probe import fill_bar_tension, fill_beam_stress


def straight_beam(count, length, section, damping=0.0) -> Elements:
    """Along x, clamped to the ground at the origin."""
    assembler, h = Assembler((0, 0, 0)), length / count
    before = WORLD
    for k in range(count):
        a, b = np.array([k * h, 0.0, 0.0]), np.array([(k + 1) * h, 0.0, 0.0])
        node = assembler.node(NodeDraft(FRAME, f"{k}", b, np.eye(3), 1.0, np.eye(3)))
        assembler.beams.append(BeamDraft(before, node, a, b, np.eye(3), np.eye(3), h, section, damping))
        before = node
    return Elements(assembler)


def placed(model, placements) -> np.ndarray:
    """q of nodes at given (4, 4) placements."""
    q = np.zeros(len(model.system.q0))
    for node, A in zip(model.tables.nodes[1:], placements, strict=True):
        q[node["q"] : node["q"] + 7] = *A[:3, 3], *quaternion_from_matrix(A[:3, :3])
    return q


def along(strain, s) -> np.ndarray:
    """Placement of the section at arc length s of a beam of constant strain that starts at the origin."""
    A = np.zeros((4, 4))
    A[:3, :3], A[:3, 3] = skew(strain[3:]), strain[:3]
    return expm(s * A)


def on_circle(curvature, s) -> np.ndarray:
    """Placement at arc length s of a circle in the plane of x and y."""
    A, angle = np.eye(4), curvature * s
    A[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    A[:2, 3] = np.sin(angle) / curvature, 2.0 * np.sin(0.5 * angle) ** 2 / curvature
    return A


@pytest.mark.parametrize("turns", [0.01, 0.4, 1.0, 1.9])
def test_end_moment_makes_an_arc(turns):
    """A moment M at the free end bends a cantilever into a circle of curvature M/EI: five elements hold it."""
    EI, length = 2.0, 3.0
    model = straight_beam(5, length, np.diag([1e-4, 0.01, 0.02, 0.3, 1 / 3, 1 / EI]))
    curvature = 2 * np.pi * turns / length
    r, _ = model.at(placed(model, [on_circle(curvature, length * (k + 1) / 5) for k in range(5)]))
    wanted = np.zeros(30)
    wanted[29] = EI * curvature
    # a position of 3 m is rounded to 4e-16 m, which stretches 0.6 m of EA = 1e4 N by up to 1e-11 N
    assert r == pytest.approx(wanted, abs=5e-11)
    assert model.energy[2] == pytest.approx(0.5 * EI * curvature**2 * length, rel=1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_constant_strain_in_balance_leaves_inner_nodes_alone(seed):
    """Any section, any helix (Γ, κ): the stress (λκ, λΓ + μκ) is in balance along it without loads."""
    rng = np.random.default_rng(seed)
    model = straight_beam(4, 2.0, compliance(rng))
    strain = np.array([1.0, 0, 0, 0, 0, 0]) + 0.8 * rng.normal(size=6)
    l, m = rng.normal(size=2)
    stress = np.concatenate((l * strain[3:], l * strain[:3] + m * strain[3:]))
    for row in model.tables.beams:
        row["strain"] = strain - np.linalg.solve(row["stiffness"], stress)
    model.tables.beams["bow"] = 0.0  # so that the stress is what was put in
    r, _ = model.at(placed(model, [along(strain, 0.5 * (k + 1)) for k in range(4)]))
    assert r[:18] == pytest.approx(0.0, abs=1e-12 * np.abs(model.tables.beams["stiffness"]).max())
    assert np.abs(r[18:]).max() > 0.1
    R = along(strain, 2.0)[:3, :3]
    assert R.T @ r[18:21] == pytest.approx(stress[:3], abs=1e-11)
    assert r[21:] == pytest.approx(stress[3:], abs=1e-11)


def test_one_element_is_exact_for_small_displacements():
    """Timoshenko's cantilever: a tip force P along y moves the tip by PL³/3EI + PL/GA and turns it by PL²/2EI."""
    EI, GA, L = 3.0, 50.0, 1.7
    model = straight_beam(1, L, np.diag([1e-3, 1 / GA, 1 / 70, 1 / 4, 1 / 5, 1 / EI]))
    _, K = model.at(model.system.q0, weights=(0, 1))
    moved = np.linalg.solve(K, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    assert moved == pytest.approx([0, L**3 / (3 * EI) + L / GA, 0, 0, 0, L**2 / (2 * EI)], rel=1e-13, abs=1e-13)


def test_reports_of_beams():
    """Stress is the section's share of the energy; damping adds β K of the strain's rate."""
    model = Elements(beams(damping=0.2))
    model.tables.beams["bow"] = 0.0  # stress is then K times strain
    q, h = model.moved(model.system.q0, 0.2 * model.rng.normal(size=model.nv)), 1e-6
    v = model.rng.normal(size=model.nv)
    times, n = model.t + np.array([-h, 0.0, h]), len(model.tables.beams)
    states = np.array([model.moved(q, s * v) for s in (-h, 0.0, h)])
    stress, strain, energy = np.zeros((3, n, 6)), np.zeros((3, n, 6)), np.zeros((3, n))
    fill_beam_stress(model.tables, model.work, times, states, np.array([v, v, v]), stress, strain, energy)
    for e, row in enumerate(model.tables.beams):
        K = row["stiffness"]
        rate = (strain[2, e] - strain[0, e]) / (2 * h)
        assert energy[1, e] == pytest.approx(0.5 * row["length"] * strain[1, e] @ K @ strain[1, e], rel=1e-12)
        assert stress[1, e] == pytest.approx(K @ strain[1, e] + 0.2 * K @ rate, abs=1e-7 * np.abs(stress).max())
    model.at(q)
    assert model.energy[2] == pytest.approx(energy[1].sum(), rel=1e-12)


def cord(stretch, speed, damping=0.5):
    """A cord of 1 m and EA = 10 N from the ground to a point, at a stretch and a speed along it."""
    assembler = Assembler((0, 0, 0))
    x = np.array([0.0, 0.0, 1.0 + stretch])
    p = assembler.node(NodeDraft(POINT, "p", x, np.eye(3), 1.0))
    assembler.bars.append(BarDraft(WORLD, p, np.zeros(3), x, 1.0, 10.0, damping, True))
    model = Elements(assembler)
    r, K = model.at(model.system.q0, np.array([0.0, 0.0, speed]), (1.0, 1.0))
    return model, r[2], K


def test_slack_cord_does_nothing():
    model, force, K = cord(-0.1, 2.0)
    assert force == 0.0
    assert model.energy[2] == 0.0
    assert not K.any()
    assert model.work.power[DISSIPATED] == 0.0


def test_taut_cord_pulls():
    model, force, K = cord(0.1, 0.04)
    assert force == pytest.approx(1.0 + 0.2)
    assert model.energy[2] == pytest.approx(0.05)
    assert K[2, 2] == pytest.approx(10.0 + 5.0)
    assert model.work.power[DISSIPATED] == pytest.approx(0.2 * 0.04)


def test_damping_never_makes_a_cord_push():
    """It is let go faster than it could follow: its energy is lost."""
    model, force, K = cord(0.1, -3.0)
    assert force == 0.0
    assert not K.any()
    assert model.work.power[DISSIPATED] == pytest.approx(1.0 * 3.0)


def test_reports_of_bars():
    model = Elements(bars(slack=True))
    n = len(model.tables.bars)
    tension, stretch, energy = np.zeros((1, n)), np.zeros((1, n)), np.zeros((1, n))
    q, v = model.system.q0[None].copy(), np.zeros((1, model.nv))
    fill_bar_tension(model.tables, model.work, np.array([model.t]), q, v, tension, stretch, energy)
    assert tension == pytest.approx(20.0 * np.maximum(stretch, 0.0))
    assert (stretch < 0.0).any()
    assert (stretch > 0.0).any()
    assert energy[0] == pytest.approx(0.5 * tension[0] * np.maximum(stretch[0], 0.0) * model.tables.bars["length"])
