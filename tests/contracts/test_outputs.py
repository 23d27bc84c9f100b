"""Contracts of whole runs: however many outputs are asked for, the same extremes, events, energy audit and verdict."""

import numpy as np
import pytest
from contract_models import EXAMPLES
from test_whole_runs import FLOOR, SOLVERS, run, settings_of

from tapespring.results.labels import Numbered
from tapespring.results.trust import model_size

OUTPUTS = (40, 20, 80)  # as it is, halved, doubled
NEAR = 1e-6  # of the largest extreme of its unit
#: Channels of all nodes or elements are not looked at within steps if there are many, but for outputs there; and forces
#: of states that are interpolated differ by more than the states (2e-4 found, by `ode` 2e-3 in cloth).
NEAR_OF_FIELDS = 5e-3
#: within steps states are interpolated; the largest residual that is told is the audit's, compared beside
NOT_TOLD = "energy.residual"


def channels_apart(usual, other):
    """By how much extremes of a channel differ, against what it may."""
    largest = {}
    for name, known in usual.extremes.items():
        unit = usual[name].unit
        largest[unit] = max(largest.get(unit, FLOOR), np.nanmax(known.sizes, initial=0.0))
    # a moment is known as well as forces at an arm of the model's size
    largest["N m"] = max(largest.get("N m", FLOOR), largest.get("N", 0.0) * model_size(usual))
    for name, known in usual.extremes.items():
        of_all = isinstance(usual[name].components, Numbered)
        near = (NEAR_OF_FIELDS if of_all else NEAR) * largest[usual[name].unit]
        for side in ("low", "high"):
            a, b = getattr(known, side), getattr(other.extremes[name], side)
            assert np.array_equal(np.isnan(a), np.isnan(b)), name
            if name != NOT_TOLD:
                yield f"{name} {side}", np.nanmax(np.abs(a - b), initial=0.0) / near


def assert_same(usual, other, duration):
    assert other.verdict.sentence == usual.verdict.sentence
    assert other.status.code == usual.status.code
    assert [e.name for e in other.events] == [e.name for e in usual.events]
    times = [[e.time for e in r.events] for r in (usual, other)]
    assert times[1] == pytest.approx(times[0], abs=1e-9 * duration)
    if usual.audit is not None:
        a, b = usual.audit.balance, other.audit.balance
        assert b.what == a.what
        assert b[4:] == pytest.approx(a[4:], rel=NEAR, abs=1e-12 * a.exchanged)
        assert b.residual == pytest.approx(a.residual, rel=1e-3, abs=1e-9 * a.scale)
    apart = dict(channels_apart(usual, other))
    worst = max(apart, key=apart.get, default="")
    assert not apart or apart[worst] <= 1.0, worst


def runs(kind, **settings):
    usual, *others = (run(EXAMPLES[kind], settings | {"outputs": n}) for n in OUTPUTS)
    if isinstance(usual, str):
        pytest.skip(f"refused: {usual}")
    assert usual.extremes or usual.status.code != "done"
    for other in others:
        assert_same(usual, other, usual.time[-1] - usual.time[0])


@pytest.mark.parametrize("kind", EXAMPLES)
def test_with_the_usual_solver(kind):
    runs(kind)


@pytest.mark.slow
@pytest.mark.parametrize("solver", [s for s in SOLVERS if s not in ("explicit", "quasi-static")])
@pytest.mark.parametrize("kind", EXAMPLES)
def test_with_every_solver_that_lays_its_steps_by_itself(kind, solver):
    """`explicit` ends steps at outputs, and so does `quasi-static`: they are other runs then."""
    runs(kind, **settings_of(EXAMPLES[kind], solver))
