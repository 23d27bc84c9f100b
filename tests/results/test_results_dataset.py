"""Results: access by name, tables, the summary."""

import sys

import numpy as np
import pytest

from tapespring.results import (
    Channel,
    EnergyAudit,
    Event,
    MissingExtraError,
    Results,
    Status,
    UnknownChannelError,
    make_provenance,
)  # fmt: skip
from tapespring.results.trust import model_size

DONE = Status(True, "complete", time=1.0)


def test_channels_and_components_by_name(run):
    assert run["bob.position"].values.shape == (11, 3)
    assert np.array_equal(run["bob.position.y"].values, run["bob.position"].values[:, 1])
    assert run["bob.velocity.z"].at(1.0) == 3.0
    assert run["energy.kinetic"].unit == "J"
    assert "bob.position.x" in run
    assert "bob.position.q" not in run
    assert "bob" not in run


def test_a_channel_of_that_very_name_comes_before_a_component():
    time = [0.0, 1.0]
    both = [Channel("a.p", "m", np.zeros((2, 1)), ("x",)), Channel("a.p.x", "m", np.ones(2))]
    assert Results(time, both, status=DONE)["a.p.x"].final == 1.0


def test_unknown_name_suggests(run):
    with pytest.raises(KeyError) as caught:
        run["bob.postion"]
    message = str(caught.value)
    assert message.startswith("no channel 'bob.postion'; did you mean 'bob.position'")
    assert "'bob' has bob.position, bob.velocity, bob.orientation" in message


def test_unknown_entity_and_empty_run(run):
    with pytest.raises(UnknownChannelError, match=r"no channel 'zzz'; there are bob.position, .* and 4 more"):
        run["zzz"]
    with pytest.raises(UnknownChannelError, match="this run has no channels"):
        Results([0.0], status=DONE)["a.b"]


def test_unknown_component(run):
    with pytest.raises(UnknownChannelError, match=r"no component 'w'; it has x, y, z"):
        run["bob.position.w"]


def test_names(run):
    assert run.names()[:2] == ["bob.position", "bob.velocity"]
    assert run.names("bob.*") == ["bob.position", "bob.velocity", "bob.orientation"]
    assert list(run) == run.names()


def test_table(run):
    columns = run.table(["rod.tension", "bob.position"])
    assert list(columns) == ["time", "rod.tension", "bob.position.x", "bob.position.y", "bob.position.z"]
    assert all(column.shape == (11,) for column in columns.values())
    assert list(run.table("bob.position.x")) == ["time", "bob.position.x"]
    assert len(run.table()) == 1 + 3 + 3 + 4 + 1 + 2 + 11


def test_channels_may_come_as_a_mapping():
    channel = Channel("a.b", "m", [1.0, 2.0])
    assert Results([0.0, 1.0], {"a.b": channel}, status=DONE)["a.b"].at(1.0) == 2.0


@pytest.mark.parametrize("time", [[], [0.0, np.nan], [1.0, 0.0], [[0.0]]])
def test_bad_times_are_refused(time):
    with pytest.raises(ValueError, match="time must be"):
        Results(time, status=DONE)


def test_wrong_lengths_and_doubles_are_refused():
    with pytest.raises(ValueError, match="3 values for 2 output times"):
        Results([0.0, 1.0], [Channel("a.b", "m", [1.0, 2.0, 3.0])], status=DONE)
    with pytest.raises(ValueError, match=r"'a.b' is given twice"):
        Results([0.0], [Channel("a.b", "m", [1.0]), Channel("a.b", "m", [1.0])], status=DONE)
    with pytest.raises(ValueError, match="energy audit over 1 times"):
        Results([0.0, 1.0], status=DONE, audit=EnergyAudit([0.0], [1.0]))


def test_dicts_are_kept_as_plain_data(run):
    assert type(run.counters["steps"]) is int
    assert run.provenance["settings"] == {"rtol": 1e-8, "scale": [1.0, float("inf")]}
    assert run.events[0].values == {"speed": 0.1, "point": [0.0, 0.0, 0.0]}
    assert type(run.events[0].values["speed"]) is float


def test_provenance_holds_what_is_needed_to_repeat_a_run():
    origin = make_provenance("p", "name: p\n", "ode", {"rtol": 1e-8})
    assert origin["numpy"] == np.__version__
    assert origin["python"] == sys.version.split()[0]
    assert len(origin["model_hash"]) == 64
    assert origin["model_hash"] == make_provenance("q", "name: p\n")["model_hash"]
    assert origin["model_hash"] != make_provenance("p", "name: q\n")["model_hash"]
    assert {"tapespring", "numba", "date", "model_text", "solver", "settings"} <= set(origin)


def test_summary_says_it_all(run):
    lines = run.summary().splitlines()
    assert lines[0] == "Simple pendulum: complete at t = 1 s: did all that was asked"
    text = "\n".join(lines)
    assert "ode; 120 steps, 3 rejected, 5000000000 evaluations" in text
    assert "verdict     Nothing was found that speaks against these numbers." in text
    assert "energy      closes to" in text
    assert "largest violation 1.5e-12 in position (t = 0.5 s), 2.0e-11 in velocity (t = 0.75 s)" in text
    assert "0.25 s wall, 0.2 s CPU, 0.1 s CPU in the solver, 17.2 s compiling, once" in text
    assert "impact at 0.25 s, limit at 0.75 s" in text
    assert text.endswith("  note        zweite Notiz: ∞")


def test_summary_of_a_bare_failure():
    status = Status(False, "diverged", "Newton stalled in contact 'barrier'; try solver: explicit", 0.812)
    text = Results([0.0], status=status, events=[Event("hit", i) for i in range(10)]).summary()
    assert text.splitlines()[0].startswith("run: NOT COMPLETE (diverged) at t = 0.812 s: Newton stalled")
    assert "no audit was made" in text
    assert "and 2 more" in text
    assert "constraints" not in text


@pytest.mark.parametrize(("method", "package"), [("to_pandas", "pandas"), ("to_xarray", "xarray")])
def test_missing_extras_say_how_to_get_them(run, monkeypatch, method, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{package}: pip install tapespring\[data\]"):
        getattr(run, method)()


def test_plot_without_matplotlib_goes_on(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.warns(UserWarning, match=r"tapespring\[plot\]"):
        assert run.plot("bob.position") is None
    with pytest.raises(ValueError, match="names of channels"):
        run.plot()


def test_plot_one_pair_of_axes_per_unit(run):
    pytest.importorskip("matplotlib").use("Agg")
    axes = run.plot("bob.position", "rod.tension", "bob.position.x")
    assert [len(ax.get_lines()) for ax in axes] == [4, 1]


def test_to_pandas(run):
    pytest.importorskip("pandas")
    frame = run.to_pandas(["bob.position"])
    assert frame.index.name == "time"
    assert frame.attrs["units"] == {f"bob.position.{label}": "m" for label in "xyz"}
    assert np.array_equal(frame.to_numpy(), run["bob.position"].values)


def test_to_xarray(run):
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert data["bob.position"].dims == ("time", "xyz")
    assert data["bob.position"].attrs["units"] == "m"
    assert np.array_equal(data["bob.orientation"].sel(wxyz="w"), run["bob.orientation.w"].values)


def test_joints_are_judged_by_the_models_size_wherever_it_stands():
    """A drift of a tenth of the model is no less of it a thousand kilometres from the origin."""
    for shift in (0.0, 1e6):
        places = np.array([[[shift, 0, 0], [shift + 0.3, 0.4, 0]]] * 2).reshape(2, 6)
        points = Channel("net.positions", "m", places, [f"{k}{c}" for k in "12" for c in "xyz"])
        assert model_size(Results([0.0, 1.0], [points], status=DONE)) == pytest.approx(0.5)
        assert model_size(Results([0.0, 1.0], [points], status=DONE, violation={"size": 0.3})) == 0.3
