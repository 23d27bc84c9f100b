"""Spectra of sums of sines, known beforehand."""

import numpy as np
import pytest
from drawn_exports import exported_run

from tapespring.results import Channel


def sines(time):
    return 3.0 + 2.0 * np.sin(2.0 * np.pi * 5.0 * time) + 0.5 * np.cos(2.0 * np.pi * 20.0 * time)


def test_amplitudes_and_frequencies_of_sines():
    time = np.arange(1000) / 500.0
    found = Channel("a.x", "m", sines(time), time=time).spectrum()
    assert found.peak == pytest.approx(5.0)
    at = {f: found.amplitude[np.argmin(abs(found.frequency - f))] for f in (0.0, 5.0, 12.0, 20.0)}
    assert at == pytest.approx({0.0: 0.0, 5.0: 2.0, 12.0: 0.0, 20.0: 0.5}, abs=1e-9)
    assert found.frequency[-1] == pytest.approx(250.0)


def test_uneven_and_repeated_times_are_made_even():
    time = np.sort(np.concatenate((np.linspace(0.0, 2.0, 2000), np.linspace(0.5, 0.7, 500), [1.0])))
    assert Channel("a.x", "m", sines(time), time=time).spectrum().peak == pytest.approx(5.0, abs=0.3)


def test_components_have_their_own_and_parts_of_time_can_be_chosen():
    time = np.arange(2000) / 500.0
    both = np.stack(
        (np.sin(2 * np.pi * 10.0 * time), np.where(time < 2.0, 0.0, np.sin(2 * np.pi * 40.0 * time))), axis=1
    )
    channel = Channel("a.v", "m/s", both, ("x", "y"), time=time)
    late = channel.spectrum(2.0, 4.0)
    assert late.frequency[late.amplitude.argmax(axis=0)] == pytest.approx([10.0, 40.0], abs=0.6)
    assert channel.spectrum(0.0, 1.99).amplitude[:, 1].max() == pytest.approx(0.0, abs=1e-12)


def test_too_few_or_no_numbers_are_refused():
    with pytest.raises(ValueError, match="at least 4 times"):
        exported_run()["rope.tension"].spectrum()


def test_notebooks_see_what_a_run_is_worth_first():
    shown = exported_run()._repr_html_()
    assert shown.startswith("<b style='color:#15803d'>Nothing was found")
    assert "<pre>" in shown


def test_a_phase_plane_and_a_spectrum_are_drawn_with_their_units():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = exported_run()
    axes = run.plot_phase("bob.position.x", "bob.position.y")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("bob.position.x [m]", "bob.position.y [m]")
    path, start = axes.lines
    assert path.get_xydata() == pytest.approx(run["bob.position"].values[:, :2])
    assert start.get_xydata()[0] == pytest.approx(run["bob.position"].values[0, :2])
    with pytest.raises(ValueError, match="single numbers"):
        run.plot_phase("bob.position", "bob.position.y")
    time = np.linspace(0.0, 1.0, 200, endpoint=False)
    axes = Channel("tip.z", "mm", 3.0 * np.sin(2.0 * np.pi * 25.0 * time), time=time).plot_spectrum()
    frequency, amplitude = axes.lines[0].get_xydata().T
    assert frequency[np.argmax(amplitude)] == pytest.approx(25.0, abs=1.0)
    assert axes.get_ylabel() == "amplitude [mm]"
