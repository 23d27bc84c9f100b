"""The energy audit: did every joule go somewhere?

Accounts over the output times, all in J: three that store energy (kinetic, gravity, strain) and six that move it in or
out since the start (work_loads, work_drives, dissipated, numerical, impacts, friction). If nothing is lost or invented,

    stored - work_loads - work_drives + dissipated + numerical + impacts + friction,   stored = K + V + S,

never changes; the residual is how far it is from its first value. That value is the energy given: surfaces that meet
at the very start take their loss before the first row.

`numerical` is integrated from the time-stepping scheme, never set to the remainder, so the residual can fail.

The residual is judged against the energy *exchanged*. An exchange shows in at least two accounts, so

    exchanged = min(largest range of any account, sum of the ranges of all others).

Where the books close, the first is the smaller: no account can change by more than the others pay or take. Where they
do not close (one account grows and no other pays), the growth that is the error does not enlarge its own scale.

Some runs exchange little beside what they carry (K + S) all along: flight, spin, a preload. Errors of steps go with the
latter, so the scale is never below STEADY of it: an exchange that is wrong by its own size is bad down to 1e-5 of the
energy carried all along, and no better than fair down to 1e-7. Where next to nothing is exchanged but by the scheme
(below 1e-6 of the energy carried, or 1e-10 of |V|, whose zero is arbitrary), the range of an account is itself only
error, and the scale is the energy carried. Nothing less than `rounding` is ever the scale: the last digit of the
model's size times the largest force in its joints, or the energy of all its mass on a way that is no motion. What is
held and does not move has no other energy.
`describe` says which it is.

All of this is found at the steps of a run where they are known (`steps`), so that it does not hang on the outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .channels import Channel
from .extremes import Steps

ACCOUNTS = {
    "kinetic": "kinetic energy",
    "gravity": "potential energy in gravity",
    "strain": "energy stored in springs, elements and contacts",
    "work_loads": "work done by applied loads and active laws since the start",
    "work_drives": "work done by prescribed motion since the start",
    "dissipated": "energy taken out by dampers and friction since the start",
    "numerical": "energy taken out by the time-stepping scheme since the start",
    "impacts": "energy lost in contacts, but for friction, since the start",
    "friction": "energy lost to friction of contacts since the start",
}
DERIVED = {
    "stored": "kinetic + gravity + strain",
    "residual": "energy unaccounted for since the start",
}
NOTHING: Any = 0.0  # an account left out
NUMERICAL = list(ACCOUNTS).index("numerical")
GRADES = ((1e-8, "excellent"), (1e-5, "good"), (1e-3, "fair"))
STEADY = 0.01  # of the energy carried all along: an exchange below this is judged by this
STORED = np.array([1.0] * 3 + [0.0] * 6)
SIGNS = np.array([1.0] * 3 + [-1.0] * 2 + [1.0] * 4)  # with which accounts stand in what never changes
EXCHANGED, PART, CARRIED, ROUNDING = "exchanged", "part", "carried", "that roundings are worth"  # what the scale is


def residuals(accounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., nt) energy unaccounted for since the start, of accounts (..., 9, nt) in the order of ACCOUNTS."""
    stored = accounts[..., :3, :].sum(axis=-2)
    given, taken = accounts[..., 3:5, :].sum(axis=-2), accounts[..., 5:, :].sum(axis=-2)
    kept = stored - (given - taken)
    return kept - kept[..., :1]


def column(steps: Steps, weights: NDArray[np.float64], less: float = 0.0) -> Steps:
    """One number of all accounts at the steps."""
    return steps._replace(
        ends=lambda: (steps.ends() @ weights)[:, None] - less,
        inside=lambda which: (steps.inside(which) @ weights)[..., None] - less,
    )


class Scales(NamedTuple):
    """Energies to judge by, never zero; see the head of this file."""

    scale: NDArray[np.float64]
    exchanged: NDArray[np.float64]  # what is carried where next to nothing is exchanged
    steady: NDArray[np.float64]  # carried all along, may be zero
    moves: NDArray[np.bool_]  # whether more than next to nothing is exchanged


def scales(accounts: NDArray[np.float64], rounding: float = 0.0) -> Scales:
    """Of accounts (..., 9, nt), and what roundings are worth."""
    ranges = np.ptp(accounts, axis=-1)
    exchange, by_the_model = exchange_of(ranges), exchange_of(np.delete(ranges, NUMERICAL, axis=-1))
    inside = np.abs(accounts[..., 0, :]) + np.abs(accounts[..., 2, :])
    carried, steady = inside.max(axis=-1), inside.min(axis=-1)
    lifted = np.abs(accounts[..., 1, :]).max(axis=-1)
    moves = (
        ((by_the_model > 1e-6 * carried) | (exchange > carried)) & (exchange > 1e-10 * lifted) & (exchange > rounding)
    )
    rest, largest = np.maximum(np.maximum(carried, lifted), rounding), ranges.max(axis=-1)
    rest = np.where(rest > 0.0, rest, np.where(largest > 0.0, largest, 1.0))
    return Scales(
        np.where(moves, np.maximum(exchange, STEADY * steady), rest), np.where(moves, exchange, rest), steady, moves
    )


def exchange_of(ranges: NDArray[np.float64]) -> NDArray[np.float64]:
    """(...,) of the ranges (..., accounts)."""
    ordered = np.sort(ranges, axis=-1)
    return np.minimum(ordered[..., -1], ordered[..., :-1].sum(axis=-1))


class Balance(NamedTuple):
    """What the accounts say of a whole run [J]."""

    residual: float  # the largest
    time: float  # at which it stands [s]
    scale: float  # that it is judged by
    what: str  # the scale is: EXCHANGED, a PART of what is carried, all that is CARRIED, or what ROUNDING is worth
    exchanged: float  # what is carried where next to nothing is exchanged
    steady: float  # carried all along
    numerical: float  # most that the scheme took, or gave (below zero)
    returned: float  # most that dampers and friction gave back of what they had taken
    rounding: float = 0.0  # what the last digits of places are worth under the forces that act


def balance_of(time: NDArray[np.float64], accounts: NDArray[np.float64], rounding: float = 0.0) -> Balance:
    """Of accounts (9, nt)."""
    by, residual = scales(accounts, rounding), np.abs(residuals(accounts))
    row = int(np.argmax(residual))  # argmax answers the first NaN if there is one
    numerical, dissipated = accounts[NUMERICAL], accounts[5]
    highest_yet = np.maximum.accumulate(np.maximum(dissipated, 0.0))
    return Balance(
        float(residual[row]), float(time[row]), float(by.scale),
        scale_of(by, rounding),
        float(by.exchanged), float(by.steady), float(numerical[np.argmax(np.abs(numerical))]),
        float(np.max(highest_yet - dissipated)), rounding,
    )  # fmt: skip


def scale_of(by: Scales, rounding: float) -> str:
    """What the scale of a run is."""
    if not by.moves:
        return ROUNDING if by.scale == rounding else CARRIED
    return PART if by.scale > by.exchanged else EXCHANGED


@dataclass(frozen=True, eq=False)
class EnergyAudit:
    """Energy accounts over the output times; arrays (nt,), `time` in s, all others in J. Accounts left out are zero.

    kinetic, gravity, strain: energy stored now. work_loads, work_drives: work done on the model since the start.
    dissipated: taken out by dampers and friction (never falls). numerical: taken out by the scheme, positive = removed.

    steps: gives the accounts at the steps of the run, part by part, as nine columns. known: what they said, of a run
    whose steps are gone. rounding: what the last digits of places are worth under the forces that act [J].
    """

    time: NDArray[np.float64]
    kinetic: NDArray[np.float64]
    gravity: NDArray[np.float64] = NOTHING
    strain: NDArray[np.float64] = NOTHING
    work_loads: NDArray[np.float64] = NOTHING
    work_drives: NDArray[np.float64] = NOTHING
    dissipated: NDArray[np.float64] = NOTHING
    numerical: NDArray[np.float64] = NOTHING
    impacts: NDArray[np.float64] = NOTHING
    friction: NDArray[np.float64] = NOTHING
    steps: Callable[[], list[Steps]] | None = None
    known: Balance | None = None
    rounding: float = 0.0

    def __post_init__(self) -> None:
        count = len(self.time)
        for name in ("time", *ACCOUNTS):
            values = np.asarray(getattr(self, name), dtype=np.float64)
            if values.ndim == 0:
                values = np.full(count, float(values))
            if values.shape != (count,) or count == 0:
                raise ValueError(f"energy audit: {name} has shape {values.shape}, wanted ({count},), not empty")
            object.__setattr__(self, name, values)

    @cached_property
    def stored(self) -> NDArray[np.float64]:
        """Kinetic + gravity + strain energy [J]."""
        return self.kinetic + self.gravity + self.strain

    @cached_property
    def residual(self) -> NDArray[np.float64]:
        """Energy unaccounted for since the start [J]; positive where energy appeared from nowhere."""
        return residuals(self._accounts)

    @cached_property
    def balance(self) -> Balance:
        """What the accounts say: at the steps where they are known, else at the outputs."""
        if self.known is not None:
            return self.known
        if self.steps is None:
            return balance_of(self.time, self._accounts, self.rounding)
        parts = self.steps()
        time, rows = np.concatenate([p.time for p in parts]), np.concatenate([p.ends() for p in parts])
        return balance_of(time, rows.T, self.rounding)

    @property
    def largest_residual(self) -> tuple[float, float]:
        """(largest |residual| [J], time at which it stands [s])."""
        return self.balance.residual, self.balance.time

    @property
    def exchanged(self) -> float:
        """Energy exchanged, or all that is carried where that is next to nothing [J], never zero."""
        return self.balance.exchanged

    @property
    def relative(self) -> float:
        """Largest |residual| / scale [1]; see the head of this file."""
        return self.balance.residual / self.balance.scale

    @property
    def grade(self) -> str:
        """How well the balance closes, and no more: 'excellent' below 1e-8, 'good' below 1e-5, 'fair' below 1e-3,
        otherwise 'poor' (also if not finite). What the whole run is worth is for trust to say."""
        return next((word for limit, word in GRADES if self.relative < limit), "poor")

    @property
    def returned(self) -> float:
        """Most that dampers and friction gave back of what they had taken [J]."""
        return self.balance.returned

    @property
    def scale_in_words(self) -> str:
        """What the residual is judged by."""
        balance = self.balance
        if balance.what == PART:
            return f"{100 * STEADY:.0f} % of the {balance.steady:.3g} J carried all along"
        return f"{balance.scale:.3g} J {balance.what}"

    def describe(self) -> str:
        """The audit's numbers in a sentence; what they are worth is for trust to say."""
        worst, when = self.largest_residual
        if not np.isfinite(worst):
            return f"not finite from t = {when:g} s on"
        the = "" if self.balance.what == PART else "the "
        closes = (
            f"closes to {self.relative:.1e} of {the}{self.scale_in_words} "
            f"(largest residual {worst:.1e} J at t = {when:.4g} s)"
        )
        removed = self.balance.numerical
        if not abs(removed) > 1e-3 * self.exchanged:
            return closes
        verb = "removed" if removed > 0 else "added"
        return f"{closes}; the scheme itself {verb} {abs(removed):.2g} J ({abs(removed) / self.exchanged:.1%})"

    def channels(self) -> dict[str, Channel]:
        """The accounts as channels 'energy.kinetic' … 'energy.numerical', 'energy.stored' and 'energy.residual'."""
        return {
            f"energy.{name}": Channel(
                f"energy.{name}", "J", getattr(self, name), about=about, time=self.time,
                steps=partial(self._steps_of, name) if self.steps else None,
            )
            for name, about in (ACCOUNTS | DERIVED).items()
        }  # fmt: skip

    def _steps_of(self, name: str) -> list[Steps]:
        """An account at the steps, or what follows from all of them."""
        assert self.steps is not None
        parts = self.steps()
        if name == "residual":
            first = parts[0].ends()[0]
            return [column(part, SIGNS, first @ SIGNS) for part in parts]
        return [column(part, STORED if name == "stored" else np.eye(9)[list(ACCOUNTS).index(name)]) for part in parts]

    @cached_property
    def _accounts(self) -> NDArray[np.float64]:
        return np.array([getattr(self, name) for name in ACCOUNTS])
