"""Extremes within steps: as good as the run where a channel is smooth, never beyond what it is where it jumps."""

import numpy as np
import pytest

from tapespring.results.extremes import NODES, SHARES, Steps, is_smooth, of_all, polynomial_peak

TIME = np.linspace(0.0, 1.0, 6)


def steps_of(*functions, run=None):
    """Channels of a run of five steps, each of which knows itself within."""

    def values(t):
        return np.stack([f(t) for f in functions], axis=-1)

    length = np.append(np.diff(TIME), 0.0)
    return Steps(
        TIME,
        length,
        length > 0.0,
        lambda: values(TIME),
        lambda which: values(TIME[which, None] + length[which, None] * SHARES),
        run,
    )


def wave(t):
    return np.sin(7.0 * t) + 0.3 * np.cos(11.0 * t)


def flag(t):
    return (t > 0.47).astype(float)


def wrapped(t):
    """An angle that jumps from pi to -pi within a step."""
    return (9.0 * t + np.pi) % (2.0 * np.pi) - np.pi


def tent(t):
    return 1.0 - np.abs(t - 0.47)


def test_smooth_channels_are_as_good_as_the_run():
    fine = np.linspace(0.0, 1.0, 1_000_001)
    [found] = of_all([steps_of(wave)])
    assert found.high[0] == pytest.approx(wave(fine).max(), rel=2e-8)
    assert found.low[0] == pytest.approx(wave(fine).min(), rel=2e-8)
    assert found.high_time[0] == pytest.approx(fine[wave(fine).argmax()], abs=1e-5)


def test_channels_that_jump_or_bend_are_never_beyond_themselves():
    [found] = of_all([steps_of(flag, wrapped, tent)])
    assert found.high[0] == 1.0
    assert found.low[0] == 0.0
    assert np.pi - 0.1 < found.high[1] <= np.pi
    assert -np.pi <= found.low[1] < -np.pi + 0.1
    assert 0.99 < found.high[2] <= 1.0


def test_channels_side_by_side_are_as_by_themselves():
    """More of them than are looked at together."""
    functions = [lambda t, k=k: wave(t + 0.01 * k) for k in range(100)]
    run = type("Run", (), {"look_into": staticmethod(lambda which: None)})()
    together = of_all([steps_of(f, run=run) for f in functions])
    for f, found in zip(functions, together, strict=True):
        [alone] = of_all([steps_of(f)])
        for a, b in zip(found, alone, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("k", range(12))
def test_polynomials_have_their_peaks(k):
    y = np.polynomial.Polynomial.fromroots([0.5 + 0.04 * k - 0.3, 0.5 + 0.04 * k + 0.3])(NODES)
    value, where = polynomial_peak(-y[None])
    assert value == pytest.approx(0.09, abs=1e-12)
    assert where == pytest.approx(0.5 + 0.04 * k, abs=1e-6)


def test_what_is_smooth():
    assert is_smooth(np.sin(7.0 * NODES)[None])
    assert not is_smooth((NODES > 0.3).astype(float)[None])
    assert not is_smooth(np.abs(NODES - 0.43)[None])
    assert not is_smooth(np.full((1, len(NODES)), np.nan))
