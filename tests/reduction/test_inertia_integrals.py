"""Inertia of a deforming body against the kinetic energy of its masses, one by one."""

import numpy as np
import pytest

from tapespring.modal.inertia import inertia_of, spread
from tapespring.schema.problems import ModelError


def energy_by_masses(X, m, phi, q, rates):
    v, w, dq = rates[:3], rates[3:6], rates[6:]
    u, du = (np.einsum("nai,i->na", phi, a) for a in (q, dq))
    speed = v + np.cross(w, X + u) + du
    return 0.5 * (m[:, None] * speed**2).sum()


def test_energy_of_point_masses():
    rng = np.random.default_rng(1)
    n, k = 9, 4
    X, m = rng.standard_normal((n, 3)), rng.uniform(1, 3, n)
    freedoms = np.hstack((np.arange(3 * n).reshape(n, 3), -np.ones((n, 3), int)))
    shapes = rng.standard_normal((3 * n, k))
    inertia = inertia_of(np.diag(np.repeat(m, 3)), X, freedoms, shapes)
    for _ in range(5):
        q, rates = rng.standard_normal(k), rng.standard_normal(6 + k)
        want = energy_by_masses(X, m, spread(shapes, freedoms)[:, :3], q, rates)
        assert 0.5 * rates @ inertia.matrix(q) @ rates == pytest.approx(want, rel=1e-13)
    np.testing.assert_allclose(inertia.centre, m @ X / m.sum(), atol=1e-14)


def test_energy_of_small_bodies_turning_with_their_nodes():
    """Nodes with inertia: to first order in the amplitudes, for the inertia turns along."""
    rng = np.random.default_rng(2)
    n, k = 4, 3
    X, m = rng.standard_normal((n, 3)), rng.uniform(1, 3, n)
    J = np.array([np.diag(rng.uniform(0.5, 2.0, 3)) for _ in range(n)])
    freedoms = np.arange(6 * n).reshape(n, 6)
    M = np.zeros((6 * n, 6 * n))
    for i in range(n):
        M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = m[i] * np.eye(3)
        M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = J[i]
    shapes = rng.standard_normal((6 * n, k))
    inertia, phi = inertia_of(M, X, freedoms, shapes), spread(shapes, freedoms)
    w = rng.standard_normal(3)
    rates = np.concatenate((np.zeros(3), w, np.zeros(k)))
    direction = rng.standard_normal(k)

    def exact(a):
        total = energy_by_masses(X, m, phi[:, :3], a * direction, rates)
        for i in range(n):
            turn = a * phi[i, 3:] @ direction
            angle = np.linalg.norm(turn)
            e = turn / max(angle, 1e-300)
            own = w * np.cos(angle) - np.cross(e, w) * np.sin(angle) + e * (e @ w) * (1 - np.cos(angle))
            total += 0.5 * own @ J[i] @ own
        return total

    h = 1e-5
    slope = (exact(h) - exact(-h)) / (2 * h)
    ours = [0.5 * rates @ inertia.matrix(a * direction) @ rates for a in (h, -h)]
    assert (ours[0] - ours[1]) / (2 * h) == pytest.approx(slope, rel=1e-7)


def test_a_file_that_is_no_reduced_body(tmp_path):
    from tapespring.modal import Reduced

    np.savez(tmp_path / "a.npz", x=np.zeros(3))
    with pytest.raises(ModelError, match="no reduced body"):
        Reduced.load(tmp_path / "a.npz")
    with pytest.raises(ModelError, match="no such file"):
        Reduced.load(tmp_path / "b.npz")
