"""Four numbers at a time give what one at a time gives."""

from math import sqrt

import numpy as np

from tapespring.jit import kernel, small
from tapespring.math.lanes import lane, larger4, load4, not_above4, same, store4


@small
def formula(x, y):
    return sqrt(x * x + 2.0 * y) - (-x) / y + 1.0 / sqrt(y)


@kernel
def by_lanes(a, out):
    for i in range(len(a)):
        store4(out, i, 0, formula(load4(a, i, 0), load4(a, i, 1)))


@kernel
def one_by_one(a, out):
    for i in range(len(a)):
        for l in range(4):
            out[i, 0, l] = formula(a[i, 0, l], a[i, 1, l])


@kernel
def largest(a):
    found = same(-1.0)
    for i in range(len(a)):
        found = larger4(load4(a, i, 0), found)
    return max(max(lane(found, 0), lane(found, 1)), max(lane(found, 2), lane(found, 3)))


@kernel
def not_above(a, i):
    return not_above4(load4(a, i, 0), load4(a, i, 1))


def test_a_formula_for_floats_works_on_lanes():
    a = np.random.default_rng(2).uniform(0.1, 3.0, (7, 2, 4))
    four, one = np.zeros((7, 1, 4)), np.zeros((7, 1, 4))
    by_lanes(a, four)
    one_by_one(a, one)
    np.testing.assert_allclose(four, one, rtol=1e-15)
    x, y = a[:, :1], a[:, 1:]
    np.testing.assert_allclose(four, np.sqrt(x * x + 2.0 * y) + x / y + 1.0 / np.sqrt(y), rtol=2e-15)


def test_the_largest_of_all_lanes():
    a = np.random.default_rng(3).uniform(0.0, 1.0, (9, 1, 4))
    assert largest(a) == a.max()


def test_comparisons_are_bits():
    a = np.random.default_rng(4).integers(0, 3, (50, 2, 4)).astype(float)
    wanted = (a[:, 0] <= a[:, 1]) @ (1 << np.arange(4))
    assert [not_above(a, i) for i in range(50)] == wanted.tolist()
