"""What a balanced place costs, and that what is spared changes nothing."""

import math

import numpy as np
import pytest

from tapespring import Model
from tapespring.bench.beam_bending import column
from tapespring.bench.strap import strap
from tapespring.simulate import prepare
from tapespring.solve import balance as bal
from tapespring.solve.quasi_static import run_quasi_static
from tapespring.solve.search import Search


def cantilever(along=1e4, across=(1, 1), **load) -> Model:
    """20 elements of 1 m, EI = 1 N m², clamped, with a load at the end."""
    m = Model()
    m.beam(
        "beam", path=[[0, 0, 0], [1, 0, 0]], elements=20,
        section={"kind": "general", "axial_stiffness": along, "shear_stiffness": [1e4, 1e4], "torsion_stiffness": 1,
                 "bending_stiffness": list(across), "mass_per_length": 1, "rotary_inertia": [0, 0, 0]},
    )  # fmt: skip
    m.fixed("clamp", m.ground, "beam.start")
    m.load("load", "beam.end", **load)
    m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=5)
    return m


def bowed_strap() -> Model:
    """Shortened by 2 %, with a breath of air to bow it."""
    m = strap(elements=40, distances=(0.98 * 0.432,))
    m.distributed_load("breath", "strap", force=(0, 0, 1e-6))
    return m


def search_of(model) -> Search:
    stage = model.settings.stage_list()[0]
    start = prepare(model, stage.duration)[2]
    search = Search(start, stage, len(stage.output_times()), start.t)
    assert search.settle()
    return search


def static_run(model, keep=None):
    stage = model.settings.stage_list()[0]
    start = prepare(model, stage.duration)[2]
    return run_quasi_static(start, stage, [t for t in stage.output_times() if t > 0.0], keep=keep)


@pytest.mark.parametrize("load", [{"torque": (0, 0, "6*t")}, {"force": (0, "8*t", "3*t")}], ids=["moment", "force"])
def test_factors_at_hand_are_those_of_the_place(load):
    search = search_of(cantilever(**load))
    assert search.balanced_at(0.2)
    if search.at.count[bal.AT_HAND] == bal.NOTHING:  # the last corrections were made with older factors
        assert search.balanced_at(0.2)
    assert search.at.count[bal.AT_HAND] == bal.FACTORS
    made = search.at.count[bal.FACTORIZATIONS]
    unstable, slope = search.instabilities(), search.at.by_time.copy()
    assert search.at.count[bal.FACTORIZATIONS] == made
    search.at.count[bal.AT_HAND] = bal.NOTHING
    assert search.instabilities() == unstable
    assert search.at.count[bal.FACTORIZATIONS] == made + 1
    np.testing.assert_allclose(search.at.by_time, slope, atol=1e-7 * np.abs(slope).max())


def test_a_place_that_was_left_has_no_factors():
    search = search_of(cantilever(force=(0, "8*t", 0)))
    search.instabilities()
    assert search.at.count[bal.AT_HAND] == bal.SLOPE
    here = search.kept()
    search.balanced_at(0.5)
    search.return_to(here)
    assert search.at.count[bal.AT_HAND] == bal.NOTHING


@pytest.mark.parametrize("along", [1e4, 1e10, 1e13], ids=str)
def test_stress_without_displacement_makes_unstable(along):
    """A straight column so stiff that its balance is found at once, the load of which is beyond Euler's."""
    search = search_of(cantilever(along, (1, 2), force=("-3*t", 0, 0)))
    assert search.instabilities() == 0
    assert search.balanced_at(0.8)
    assert search.instabilities() == 0
    assert search.balanced_at(1.0)
    assert search.instabilities() == 1


def test_newton_gives_up_when_it_is_lost():
    search = search_of(bowed_strap())
    before = search.at.count[bal.FACTORIZATIONS]
    assert not search.balanced_at(1.0, insist=False)
    assert search.code == bal.NOT_BALANCED
    assert search.at.count[bal.FACTORIZATIONS] - before <= 10


@pytest.mark.parametrize(
    ("model", "most"), [(cantilever(torque=(0, 0, f"{2 * math.pi}*t")), 18), (bowed_strap(), 30)], ids=["roll", "strap"]
)
def test_few_factorizations(model, most):
    run = static_run(model)
    assert run.time == 1.0
    assert run.counters()["factorizations"] <= most


def test_a_branch_is_followed_onward():
    """Beyond the first place on the buckled branch no increment falls back onto it."""
    times: list[float] = []
    run = static_run(column(), keep=lambda run: times.append(run.time))
    assert any("it buckles" in note for note in run.notes)
    assert np.all(np.diff(times) > 0.0)
