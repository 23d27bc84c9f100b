"""Filters of channels: what they pass, what they stop, and how late they are."""

import numpy as np
import pytest

from tapespring.results.channels import Channel

T = np.linspace(0.0, 1.0, 10001)


def channel(values, time=T, **more):
    return Channel("bar.normal", "N", values, time=time, **more)


def test_moving_average_of_a_wave():
    """Of sin ωt over a window w: sin(ωt) · sin(ωw/2)/(ωw/2), less (ωh)²/12 for straight lines between outputs."""
    w, window = 2 * np.pi * 20, 0.01
    found = channel(np.sin(w * T)).moving_average(window).values
    inside = slice(100, -100)
    factor = np.sin(w * window / 2) / (w * window / 2)
    assert found[inside] == pytest.approx(factor * np.sin(w * T)[inside], abs=(w * T[1]) ** 2 / 12)


def test_trailing_average_is_late_by_half_its_window():
    ramp = channel(3.0 * T)
    late = ramp.moving_average(0.2, centred=False)
    assert late.values[5000] == pytest.approx(3.0 * (0.5 - 0.1))
    assert "late by 0.1 s" in late.about
    assert ramp.moving_average(0.2).values[5000] == pytest.approx(1.5)


def test_moving_average_of_unequal_times():
    time = np.sort(np.random.default_rng(0).uniform(0.0, 1.0, 400))
    found = channel(2.0 + 5.0 * time, time).moving_average(0.1).values
    inside = (time > time[0] + 0.05) & (time < time[-1] - 0.05)
    assert found[inside] == pytest.approx((2.0 + 5.0 * time)[inside])


def test_low_pass():
    slow, fast = np.sin(2 * np.pi * 5 * T), np.sin(2 * np.pi * 1000 * T)
    found = channel(slow + fast).low_pass(100.0)
    assert found.values[500:-500] == pytest.approx(slow[500:-500], abs=2e-3)
    assert "no delay" in found.about


def test_causal_low_pass_says_how_late_it_is():
    slow = np.sin(2 * np.pi * 5 * T)
    found = channel(slow).low_pass(100.0, causal=True)
    delay = float(found.about.split("late by ")[1].split()[0])
    assert found.values[2000:] == pytest.approx(np.sin(2 * np.pi * 5 * (T - delay))[2000:], abs=2e-3)


def test_cfc_halves_the_power_near_its_class():
    """Forwards and backwards: -3 dB at about 1.65 times the class (100 Hz for class 60), by SAE J211."""
    w = 2 * np.pi * 100.0
    found = channel(np.sin(w * T)).cfc(60).values
    assert np.abs(found[3000:-3000]).max() == pytest.approx(1 / np.sqrt(2), rel=0.03)
    assert channel(np.ones(len(T))).cfc(60).values == pytest.approx(1.0)


def test_components_are_filtered_one_by_one():
    both = channel(np.column_stack((T, 2 * T)), components=("x", "y")).moving_average(0.1)
    assert both.components == ("x", "y")
    assert both.values[5000] == pytest.approx([0.5, 1.0])


@pytest.mark.parametrize(("ask", "words"), [
    (lambda c: c.moving_average(0.0), "not positive"),
    (lambda c: c.moving_average(2.0), "longer than the record"),
    (lambda c: c.low_pass(1e5), "half the output rate"),
    (lambda c: c.cfc(100), "not one of 60"),
])  # fmt: skip
def test_what_is_refused(ask, words):
    with pytest.raises(ValueError, match=words):
        ask(channel(T))


def test_equidistant_times_are_asked_for():
    with pytest.raises(ValueError, match="equidistant"):
        channel(T**2, T**2).low_pass(10.0)
