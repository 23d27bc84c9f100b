"""Distances by which packed fabric is judged: against dense samples, and of what runs through."""

import numpy as np
import pytest

from tapespring.bench.segments_triangles import least_distance, least_of_segments

FAR = 100.0
ONE, OTHER = np.array([[0, 1]]), np.array([[2, 3, 4]])
GRID = np.linspace(0.0, 1.0, 61)
INSIDE = np.array([(s, t) for s in GRID for t in GRID if s + t <= 1.0 + 1e-12])


def sampled(p: np.ndarray) -> float:
    line = p[0] + GRID[:, None] * (p[1] - p[0])
    face = p[2] + INSIDE @ (p[3:] - p[2])
    return float(np.linalg.norm(line[:, None] - face[None], axis=2).min())


@pytest.mark.parametrize("seed", range(40))
def test_no_sample_is_nearer_and_some_are_as_near(seed):
    places = np.random.default_rng(seed).normal(size=(5, 3))
    found, near = least_distance(places, ONE, OTHER, FAR), sampled(places)
    assert near - 0.09 < found <= near + 1e-12


def test_what_runs_through_is_no_distance_apart():
    places = np.array([[0.2, 0.2, -1.0], [0.2, 0.2, 1.0], [0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    assert least_distance(places, ONE, OTHER, FAR) == 0.0


def test_what_has_a_point_in_common_is_left_out():
    places = np.array([[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]], float)
    assert least_distance(places, ONE, np.array([[0, 2, 3]]), FAR) == FAR


@pytest.mark.parametrize(
    ("angle", "shift", "expected"), [(90, 0, 0.1), (2, 0, 0.1), (0, 0, 0.1), (0, 3, np.hypot(1, 0.1))]
)
def test_segments_across_and_along_each_other(angle, shift, expected):
    a = np.array([[[-1.0, 0, 0], [1, 0, 0]]])
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    b = np.array([[[shift - c, -s, 0.1], [shift + c, s, 0.1]]])
    assert least_of_segments(a, b, FAR) == pytest.approx(expected, rel=1e-12)
