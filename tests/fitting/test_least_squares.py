"""The search itself on problems with known answers."""

import numpy as np
import pytest

from tapespring.fitting.least_squares import FAILS, Descent, descend, limited_step

FREE = (np.full(2, -np.inf), np.full(2, np.inf))


def rosenbrock(x):
    return np.array([10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]])


def rosenbrock_slopes(x, r):
    return np.array([[-20.0 * x[0], 10.0], [-1.0, 0.0]])


def test_a_curved_valley_is_followed_to_its_end():
    end = descend(rosenbrock, rosenbrock_slopes, Descent(np.array([-1.2, 1.0])), FREE, 60, 1e-9)
    assert end.status == "converged"
    assert end.x == pytest.approx([1.0, 1.0], abs=1e-6)


def test_a_bound_holds():
    """With x at most 0.5 the least of the function is at (0.5, 0.25)."""
    bounds = (np.array([-2.0, -2.0]), np.array([0.5, 2.0]))
    end = descend(rosenbrock, rosenbrock_slopes, Descent(np.array([-1.2, 1.0])), bounds, 60, 1e-9)
    assert end.x == pytest.approx([0.5, 0.25], abs=1e-6)


def test_a_linear_problem_takes_one_step():
    A, y = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]), np.array([1.0, -1.0, 2.0])
    end = descend(lambda x: A @ x - y, lambda x, r: A, Descent(np.zeros(2), radius=100.0), FREE, 10, 1e-9)
    assert end.x == pytest.approx(np.linalg.lstsq(A, y, rcond=None)[0], abs=1e-12)
    assert end.solutions == 2


def test_steps_into_failure_are_taken_back():
    """sqrt(x) - 0.1 fails for x below zero, where a full step from 1 leads."""

    def residuals(x):
        return None if x[0] < 0.0 else np.array([np.sqrt(x[0]) - 0.1])

    def slopes(x, r):
        return np.array([[0.5 / np.sqrt(x[0])]])

    end = descend(residuals, slopes, Descent(np.array([1.0]), radius=5.0), (FREE[0][:1], FREE[1][:1]), 60, 1e-10)
    assert end.x[0] == pytest.approx(0.01, abs=1e-8)


def test_a_start_that_fails_is_told():
    end = descend(lambda x: None, rosenbrock_slopes, Descent(np.zeros(2)), FREE, 10, 1e-9)
    assert end.status == FAILS


def test_steps_are_as_long_as_the_radius_allows():
    J, r = np.array([[3.0, 0.0], [0.0, 1e-3]]), np.array([1.0, 1.0])
    step = limited_step(J, r, 0.5, np.zeros(2), *FREE)
    assert np.linalg.norm(step) == pytest.approx(0.5, rel=0.06)
    free = limited_step(J, r, 1e6, np.zeros(2), *FREE)
    assert free == pytest.approx([-1.0 / 3.0, -1e3], rel=1e-12)
