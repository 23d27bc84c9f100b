"""The logarithm in SE(3): against the Bernoulli series, and up to half a turn."""

from fractions import Fraction
from math import comb, factorial

import numpy as np
import pytest
from contract_evaluation import rotation

from tapespring.build.beam_element import skew
from tapespring.jit import kernel
from tapespring.math.screws import log_coefficients, log_matrices, rotation_vector


@kernel
def fill_matrices(phi, rho, out):
    """out <- (D, E), and c, c', c'' after them."""
    p, r = (phi[0], phi[1], phi[2]), (rho[0], rho[1], rho[2])
    c, c1, c2 = log_coefficients(phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2)
    D, E = log_matrices(c, c1, p, r)
    for k in range(9):
        out[k] = D[k]
        out[9 + k] = E[k]
    out[18], out[19], out[20] = c, c1, c2


@kernel
def fill_log(C, out):
    out[0], out[1], out[2] = rotation_vector(
        (C[0, 0], C[0, 1], C[0, 2], C[1, 0], C[1, 1], C[1, 2], C[2, 0], C[2, 1], C[2, 2])
    )


def bernoulli(count):
    numbers = [Fraction(1)]
    for m in range(1, count):
        numbers.append(-sum(comb(m + 1, k) * numbers[k] for k in range(m)) / (m + 1))
    return numbers


B = bernoulli(120)


def evaluated(phi, rho):
    out = np.zeros(21)
    fill_matrices(np.array(phi, float), np.array(rho, float), out)
    return out[:9].reshape(3, 3), out[9:18].reshape(3, 3), out[18:]


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 0.1, 0.59, 0.61, 1.0, 2.0, 3.0, np.pi])
def test_coefficients_are_the_bernoulli_series(angle):
    """c = sum of |B(2k+2)| / (2k+2)! z^k, which converges by a factor of four per term at half a turn."""
    z = Fraction(float(angle) ** 2)
    terms = [abs(B[2 * k + 2]) / factorial(2 * k + 2) for k in range(50)]
    c = sum(t * z**k for k, t in enumerate(terms))
    c1 = sum(2 * k * t * z ** (k - 1) for k, t in enumerate(terms) if k)
    c2 = sum(4 * k * (k - 1) * t * z ** (k - 2) for k, t in enumerate(terms) if k > 1)
    found = evaluated([angle, 0, 0], [0, 0, 0])[2]
    assert found == pytest.approx([float(c), float(c1), float(c2)], rel=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-3, 0.5, 1.5])
def test_matrices_sum_the_series_of_ad(angle):
    """1 + ad/2 + sum of B(2k)/(2k)! ad^2k, and the same as a(φ) ad² + b(φ) ad⁴ in closed form."""
    phi, rho = angle * np.array([2.0, -1.0, 2.0]) / 3.0, np.array([1.0, 0.3, -0.4])
    ad = np.block([[skew(phi), skew(rho)], [np.zeros((3, 3)), skew(phi)]])
    wanted, power = np.eye(6) + 0.5 * ad, np.eye(6)
    for k in range(1, 50):
        power = power @ ad @ ad
        wanted = wanted + float(B[2 * k] / factorial(2 * k)) * power
    D, E, _ = evaluated(phi, rho)
    assert np.block([[D, E], [np.zeros((3, 3)), D]]) == pytest.approx(wanted, abs=1e-15)
    if angle >= 0.5:
        a = 2 / angle**2 + (angle + 3 * np.sin(angle)) / (4 * angle * (np.cos(angle) - 1))
        b = 1 / angle**4 + (angle + np.sin(angle)) / (4 * angle**3 * (np.cos(angle) - 1))
        closed = np.eye(6) + 0.5 * ad + a * ad @ ad + b * ad @ ad @ ad @ ad
        assert closed == pytest.approx(wanted, abs=1e-13)


@pytest.mark.parametrize("axis", [[1, 2, 3], [-3, 1, 2], [1, -5, 2], [0, 0, 1], [0, -1, 0]])
@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-3, 0.199, 0.201, 1.0, 2.0, 2.2, 3.1, np.pi - 1e-9])
def test_logarithm_of_rotations(axis, angle):
    """To the rounding of the matrix, up to half a turn."""
    out = np.zeros(3)
    fill_log(rotation(axis, angle), out)
    assert out == pytest.approx(angle * np.array(axis) / np.linalg.norm(axis), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("k", range(3))
def test_half_a_turn_is_finite(k):
    out, C = np.zeros(3), -np.eye(3)
    C[k, k] = 1.0
    fill_log(C, out)
    assert abs(out[k]) == pytest.approx(np.pi)
