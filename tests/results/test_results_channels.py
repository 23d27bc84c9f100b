"""Channels: values, components, stored times, numpy."""

import sys

import numpy as np
import pytest

from tapespring.results import Channel, UnknownChannelError

TIME = np.linspace(0.0, 2.0, 5)
POSITION = np.arange(15.0).reshape(5, 3)


def position() -> Channel:
    return Channel("bob.position", "m", POSITION, ("x", "y", "z"), "centre of the bob", time=TIME)


def test_function_is_called_once_and_only_when_needed():
    calls = []

    def compute():
        calls.append(1)
        return POSITION

    channel = Channel("bob.position", "m", compute, ("x", "y", "z"), time=TIME)
    x = channel.component("x")
    assert "not yet computed" in repr(channel)
    assert calls == []
    assert np.array_equal(x.values, POSITION[:, 0])
    assert np.array_equal(channel.values, POSITION)
    assert channel.final[2] == 14.0
    assert calls == [1]


def test_component_keeps_unit_and_time():
    y = position().component("y")
    assert (y.name, y.unit, y.components, y.about) == ("bob.position.y", "m", (), "centre of the bob (y)")
    assert y.at(0.5) == 4.0


def test_unknown_component_names_those_there_are():
    with pytest.raises(UnknownChannelError, match=r"'bob.position' has no component 'q'; it has x, y, z"):
        position().component("q")
    with pytest.raises(UnknownChannelError, match="single number"):
        Channel("a.b", "N", TIME).component("x")


@pytest.mark.parametrize("time", [1.0, 1.0 + 1e-10, 1.0 - 1e-10])
def test_at_answers_stored_times(time):
    assert np.array_equal(position().at(time), [6.0, 7.0, 8.0])


def test_at_answers_a_float_for_a_scalar_channel_and_reaches_both_ends():
    channel = Channel("a.b", "N", TIME**2, time=TIME)
    assert channel.at(0.0) == 0.0
    assert channel.at(2.0) == 4.0
    assert isinstance(channel.at(2.0), float)


@pytest.mark.parametrize("time", [0.25, 1.0 + 1e-6, -0.1, 2.1, float("nan")])
def test_at_does_not_interpolate(time):
    with pytest.raises(ValueError, match="ask the simulation for output at that time"):
        position().at(time)


def test_at_a_doubled_time_answers_the_row_after_the_event():
    channel = Channel("a.b", "m/s", [1.0, 2.0, -2.0, -1.0], time=np.array([0.0, 0.5, 0.5, 1.0]))
    assert channel.at(0.5) == -2.0


def test_at_without_times_says_so():
    with pytest.raises(ValueError, match="does not know its times"):
        Channel("a.b", "N", TIME).at(0.0)


def test_min_max_final():
    wave = Channel("a.b", "N", [3.0, -1.0, 2.0])
    assert (wave.min(), wave.max(), wave.final) == (-1.0, 3.0, 2.0)
    assert np.array_equal(position().max(), [12.0, 13.0, 14.0])
    assert np.array_equal(position().min(), [0.0, 1.0, 2.0])
    assert np.array_equal(position().final, [12.0, 13.0, 14.0])


def test_numpy_takes_a_channel_as_its_values():
    channel = position()
    assert np.array_equal(np.asarray(channel), POSITION)
    assert np.asarray(channel, dtype=np.float32).dtype == np.float32
    assert not np.shares_memory(np.array(channel), channel.values)
    assert np.max(channel) == 14.0
    assert np.mean(channel) == 7.0
    assert np.array_equal(np.linalg.norm(channel, axis=1), np.linalg.norm(POSITION, axis=1))
    assert np.array_equal(channel - channel, np.zeros((5, 3)))
    assert np.array_equal(2.0 * channel + POSITION, 3.0 * POSITION)
    assert np.array_equal(channel[1:3, 0], [3.0, 6.0])
    assert len(channel) == 5


def test_columns():
    assert list(position().columns()) == ["bob.position.x", "bob.position.y", "bob.position.z"]
    assert list(Channel("a.b", "N", TIME).columns()) == ["a.b"]


@pytest.mark.parametrize("name", ["time", "", ".x", "bob.", "a/b.c", " bob.x", "bob.x ", "bob.\n"])
def test_bad_names_are_refused(name):
    with pytest.raises(ValueError, match=r"<entity>\.<quantity>"):
        Channel(name, "m", TIME)


@pytest.mark.parametrize("components", ["xyz", ("x", "x", "y"), ("x", "", "z"), ("a b", "c", "d"), ("a.b", "c", "d")])
def test_bad_component_labels_are_refused(components):
    with pytest.raises(ValueError, match="component"):
        Channel("bob.position", "m", POSITION, components)


@pytest.mark.parametrize(
    ("values", "components"), [(POSITION, ()), (POSITION, ("x", "y")), (TIME, ("x",)), (1.0, ()), (TIME * 1j, ())]
)
def test_values_must_go_with_the_labels(values, components):
    with pytest.raises(ValueError, match="values"):
        Channel("bob.position", "m", values, components)


def test_a_late_value_of_the_wrong_length_is_refused():
    channel = Channel("a.b", "N", lambda: np.zeros(4), time=TIME)
    with pytest.raises(ValueError, match="4 values for 5 output times"):
        _ = channel.values


def test_integers_and_truth_values_become_doubles():
    assert Channel("a.closed", "1", np.array([True, False])).values.dtype == np.float64


def test_plot_without_matplotlib_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # None makes the import fail
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.warns(UserWarning, match=r"pip install tapespring\[plot\]"):
        assert position().plot() is None


def test_plot_draws_one_line_per_component():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ax = position().plot()
    assert [line.get_label() for line in ax.get_lines()] == list(position().columns())
    assert ax.get_ylabel() == "[m]"
    assert ax.get_xlabel() == "time [s]"
