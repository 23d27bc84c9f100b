"""First peaks and integrals of channels, by functions whose peaks are known."""

import numpy as np
import pytest

from tapespring.results.channels import Channel

T = np.linspace(0.0, 2.0, 4001)


def channel(values):
    return Channel("bar.force", "N", values, time=T)


def test_first_of_several_peaks_despite_ripples():
    slow = np.sin(np.pi * T) ** 2 * (1.0 + T)  # peaks near 0.5 and 1.5 s
    found = channel(slow + 0.01 * np.sin(400.0 * T)).first_peak()
    assert found.time == pytest.approx(0.53, abs=0.02)
    assert found.value == pytest.approx(slow[:2000].max(), abs=0.011)
    assert found.begin == pytest.approx(0.0, abs=0.02)
    assert found.end == pytest.approx(1.0, abs=0.02)


def test_a_single_peak_ends_with_the_record():
    found = channel(np.exp(-((T - 0.7) ** 2) / 0.01)).first_peak()
    assert found.time == pytest.approx(0.7, abs=1e-3)
    assert found.end > 1.0


def test_no_peak_is_refused():
    with pytest.raises(ValueError, match="does not rise and fall"):
        channel(np.ones(len(T))).first_peak()


def test_components_are_refused():
    with pytest.raises(ValueError, match=r"choose one, as 'bar\.force\.x'"):
        Channel("bar.force", "N", np.ones((len(T), 2)), ("x", "y"), time=T).first_peak()


def test_integral_between_any_times():
    assert channel(np.cos(T)).integral() == pytest.approx(np.sin(2.0), abs=1e-7)
    assert channel(3.0 * T).integral(0.25, 1.0) == pytest.approx(1.5 * (1.0 - 0.0625))
