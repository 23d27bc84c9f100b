"""The energy audit: a budget that closes, and many that must not pass."""

import numpy as np
import pytest

from tapespring.results import EnergyAudit
from tapespring.results.audit import ACCOUNTS
from tapespring.results.extremes import at_rows

TIME = np.linspace(0.0, 10.0, 101)
SWING = 9.81 * np.sin(TIME) ** 2


def test_everything_at_once_closes_to_round_off():
    kinetic, strain = 5 + np.sin(TIME), 2 + np.cos(3 * TIME)
    loads, drives, lost, scheme = TIME**2, -0.5 * TIME, 0.3 * TIME, 1e-3 * TIME
    gravity = loads + drives - lost - scheme - kinetic - strain + 40
    audit = EnergyAudit(TIME, kinetic, gravity, strain, loads, drives, lost, scheme)
    assert np.allclose(audit.stored, kinetic + gravity + strain)
    assert audit.relative < 1e-14
    assert audit.grade == "excellent"


@pytest.mark.parametrize(
    ("account", "sign"),
    [
        ("kinetic", 1), ("gravity", 1), ("strain", 1),
        ("work_loads", -1), ("work_drives", -1), ("dissipated", 1), ("numerical", 1),
    ],
)  # fmt: skip
def test_signs_of_the_accounts(account, sign):
    accounts = {"kinetic": SWING, "gravity": -SWING}
    accounts[account] = accounts.get(account, 0.0) + 0.5 * (TIME / 10)
    residual = EnergyAudit(TIME, **accounts).residual
    assert np.allclose(residual, sign * 0.05 * TIME)


@pytest.mark.parametrize(
    ("error", "grade"), [(0.0, "excellent"), (5e-9, "excellent"), (5e-8, "good"), (5e-5, "fair"), (5e-3, "poor")]
)
def test_grades(error, grade):
    audit = EnergyAudit(TIME, SWING, -SWING * (1 - error))
    assert audit.exchanged == pytest.approx(9.81, rel=1e-2)
    assert audit.relative == pytest.approx(error, rel=1e-2, abs=1e-15)
    assert audit.grade == grade


def test_numbers_in_words():
    audit = EnergyAudit(TIME, SWING, np.where(TIME == 5.0, 3e-9, 0.0) - SWING)
    worst, when = audit.largest_residual
    assert (worst, when) == (pytest.approx(3e-9, rel=1e-5), 5.0)
    assert audit.describe() == ("closes to 3.1e-10 of the 9.81 J exchanged (largest residual 3.0e-09 J at t = 5 s)")


def test_an_explosion_does_not_enlarge_the_scale_it_is_judged_by():
    audit = EnergyAudit(TIME, SWING + np.exp(TIME), -SWING)
    assert audit.exchanged < 10.0
    assert audit.relative > 1000.0


def test_damping_that_nobody_paid_for_is_found():
    assert EnergyAudit(TIME, SWING, -SWING, dissipated=1e3 * TIME).relative > 100.0


def test_spin_down_exchanges_with_the_damper():
    lost = 5.0 * (1 - np.exp(-TIME))
    audit = EnergyAudit(TIME, 5.0 - lost, dissipated=lost)
    assert audit.exchanged == pytest.approx(5.0, rel=1e-3)
    assert audit.relative < 1e-15


@pytest.mark.parametrize(("drift", "grade"), [(1e-10, "excellent"), (1e-6, "good"), (1e-4, "fair"), (1e-2, "poor")])
def test_free_flight_is_judged_by_the_energy_carried(drift, grade):
    audit = EnergyAudit(TIME, 50.0 * (1 + drift * TIME / 10))
    assert audit.exchanged == pytest.approx(50.0, rel=0.02)
    assert audit.grade == grade
    assert "J carried" in audit.describe()


def test_free_flight_with_a_whiff_of_damping_is_not_judged_by_the_whiff():
    noise = 1e-9 * np.sin(TIME)
    assert EnergyAudit(TIME, 50.0 + noise, dissipated=1e-12 * TIME).grade == "excellent"


def test_rest_high_above_the_datum_is_not_condemned_for_round_off():
    noise = np.random.default_rng(3).normal(size=TIME.size)
    audit = EnergyAudit(TIME, 1e-20 * noise**2, 9.81 + 1e-15 * noise)
    assert audit.grade == "excellent"


def test_a_distant_datum_does_not_hide_an_error():
    audit = EnergyAudit(TIME, SWING, 1e7 - 0.5 * SWING)
    assert audit.grade == "poor"


def test_what_joints_hold_at_rest_is_not_judged_by_roundings():
    """Velocities of 1e-26 rad/s, as a weld between turned axes leaves them, are no energy that was exchanged."""
    noise = np.random.default_rng(4).normal(size=TIME.size)
    assert EnergyAudit(TIME, 1e-52 * noise**2).grade == "poor"
    audit = EnergyAudit(TIME, 1e-52 * noise**2, numerical=1e-26 * noise, rounding=1e-15)
    assert audit.grade == "excellent"
    assert "that roundings are worth" in audit.describe()
    assert EnergyAudit(TIME, 1e-12 * TIME, rounding=1e-15).grade == "poor"


def test_nothing_at_all_is_no_division_by_zero():
    audit = EnergyAudit(TIME, np.zeros_like(TIME))
    assert audit.exchanged > 0.0
    assert audit.relative == 0.0
    assert EnergyAudit([0.0], [0.0]).grade == "excellent"


def test_not_finite_is_poor():
    kinetic = np.where(TIME >= 7.0, np.nan, SWING)
    audit = EnergyAudit(TIME, kinetic, -SWING)
    assert audit.grade == "poor"
    assert "not finite from t = 7 s" in audit.describe()


def test_infinite_is_poor():
    assert EnergyAudit(TIME, np.where(TIME >= 7.0, np.inf, SWING), -SWING).grade == "poor"


def test_closed_books_can_still_hide_a_scheme_that_damps():
    removed = 0.1 * TIME
    audit = EnergyAudit(TIME, SWING, -SWING - removed, numerical=removed)
    assert audit.grade == "excellent"
    assert "the scheme itself removed 1 J" in audit.describe()
    added = EnergyAudit(TIME, SWING, -SWING + removed, numerical=-removed).describe()
    assert "the scheme itself added 1 J" in added


def test_a_damper_that_drives_is_named():
    given = -0.1 * TIME
    audit = EnergyAudit(TIME, SWING - given, -SWING, dissipated=given)
    assert audit.grade == "excellent"
    assert audit.returned == pytest.approx(1.0)
    assert EnergyAudit(TIME, SWING + given, -SWING, dissipated=-given).returned == 0.0


SPIN = 1000.0  # J carried all along


@pytest.mark.parametrize(
    ("exchange", "wrong", "grade"),
    [(1e-3, 0.05, "poor"), (1e-3, 1e-3, "fair"), (1e-4, 0.5, "poor"), (1e-4, 0.01, "fair"), (3e-6, 0.5, "fair")],
)
def test_a_steady_spin_does_not_hide_a_wrong_exchange(exchange, wrong, grade):
    """Parts of the spin's energy go to and fro, and some of that is lost."""
    swing = exchange * SPIN * np.sin(TIME) ** 2
    audit = EnergyAudit(TIME, SPIN - swing, strain=(1.0 - wrong) * swing)
    assert audit.grade == grade
    assert audit.balance.scale == pytest.approx(0.01 * SPIN, rel=0.01)
    assert "of 1 % of the 1e+03 J carried all along" in audit.describe()


def test_what_the_scheme_alone_takes_from_a_spin_is_judged_by_the_spin():
    taken = 1e-4 * SPIN * TIME / 10
    audit = EnergyAudit(TIME, SPIN - taken, numerical=taken)
    assert (audit.exchanged, audit.balance.what) == (SPIN, "carried")
    half = EnergyAudit(TIME, SPIN - 5e3 * taken, numerical=5e3 * taken)
    assert half.balance.numerical == pytest.approx(0.5 * half.exchanged)


def test_a_scheme_that_moves_more_than_there_is_is_judged_by_that():
    """Something sinks high above the datum, and the scheme takes it all."""
    fall = TIME / 10
    audit = EnergyAudit(TIME, 0.0 * TIME, 1e4 - fall, numerical=fall)
    assert audit.exchanged == pytest.approx(1.0)


def at_steps(time, **accounts):
    table = np.array([np.broadcast_to(accounts.get(name, 0.0), time.shape) for name in ACCOUNTS]).T
    return lambda: [at_rows(time, lambda: table)]


def test_what_steps_know_counts_whatever_the_outputs_show():
    """Five outputs of a swing at the same height; and what is lost and comes back between two of them."""
    few, steps = np.linspace(0.0, 4.0 * np.pi, 5), np.linspace(0.0, 4.0 * np.pi, 401)
    swing = 9.81 * np.sin(steps) ** 2
    noise = 1e-9 * np.sin(7.0 * few + 1.0)
    audit = EnergyAudit(few, 1e-9 + 0.5 * noise, noise, steps=at_steps(steps, kinetic=swing, gravity=-swing))
    assert EnergyAudit(few, 1e-9 + 0.5 * noise, noise).grade == "poor"
    assert audit.grade == "excellent"
    assert audit.exchanged == pytest.approx(9.81)
    assert audit.channels()["energy.kinetic"].max() == pytest.approx(9.81)
    bump = np.exp(-(((steps - 5.0) / 0.1) ** 2))
    lossy = EnergyAudit(few, 0.0 * few, steps=at_steps(steps, kinetic=swing - bump, gravity=-swing))
    assert EnergyAudit(few, 0.0 * few).grade == "excellent"
    assert lossy.grade == "poor"
    assert lossy.largest_residual == (pytest.approx(1.0, rel=0.02), pytest.approx(5.0, abs=0.02))
    assert lossy.channels()["energy.residual"].min() == pytest.approx(-1.0, rel=0.02)


def test_channels():
    audit = EnergyAudit(TIME, SWING, -SWING)
    channels = audit.channels()
    assert list(channels) == [
        f"energy.{part}"
        for part in (
            "kinetic", "gravity", "strain", "work_loads", "work_drives", "dissipated", "numerical", "impacts",
            "friction", "stored", "residual",
        )
    ]  # fmt: skip
    assert {channel.unit for channel in channels.values()} == {"J"}
    assert np.array_equal(channels["energy.kinetic"].values, SWING)
    assert channels["energy.residual"].at(10.0) == 0.0


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="strain has shape"):
        EnergyAudit(TIME, SWING, strain=SWING[:-1])
    with pytest.raises(ValueError, match="not empty"):
        EnergyAudit([], [])
