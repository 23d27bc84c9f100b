"""The energy audit: did every joule go somewhere?

Accounts over the output times, all in J: three that store energy (kinetic, gravity, strain) and four that move it in or
out since the start (work_loads, work_drives, dissipated, numerical). If nothing is lost or invented,

    stored - work_loads - work_drives + dissipated + numerical,   stored = K + V + S,

never changes; the residual is how far it is from its first value. That value is the energy given: surfaces that meet
at the very start take their loss before the first row.

`numerical` is integrated from the time-stepping scheme, never set to the remainder, so the residual can fail.

The residual is judged against the energy *exchanged*. An exchange shows in at least two accounts, so

    exchanged = min(largest range of any account, sum of the ranges of all others).

Where the books close, the first is the smaller: no account can change by more than the others pay or take. Where they
do not close (one account grows and no other pays), the growth that is the error does not enlarge its own scale.

Some runs exchange next to nothing: free flight, steady spin, rest. There the range of an account is itself only error,
so where the exchange is below 1e-6 of the energy carried (K + S) or 1e-10 of |V| (whose zero is arbitrary), the scale
is the energy carried instead, and `describe` says so. Nothing less than `rounding` is ever the scale: the last digit of
the model's size times the largest force in its joints. What is held by them and does not move has no other energy.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .channels import Channel

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
GRADES = ((1e-8, "excellent"), (1e-5, "good"), (1e-3, "fair"))


def residuals(accounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., nt) energy unaccounted for since the start, of accounts (..., 9, nt) in the order of ACCOUNTS."""
    stored = accounts[..., :3, :].sum(axis=-2)
    given, taken = accounts[..., 3:5, :].sum(axis=-2), accounts[..., 5:, :].sum(axis=-2)
    kept = stored - (given - taken)
    return kept - kept[..., :1]


def scales(accounts: NDArray[np.float64], rounding: float = 0.0) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """((...,) energy to judge by, never zero, (...,) whether it was exchanged, not only carried): see the head of this
    file; of accounts (..., 9, nt)."""
    ranges = np.sort(np.ptp(accounts, axis=-1), axis=-1)
    largest = ranges[..., -1]
    exchange = np.minimum(largest, ranges[..., :-1].sum(axis=-1))
    carried = (np.abs(accounts[..., 0, :]) + np.abs(accounts[..., 2, :])).max(axis=-1)
    lifted = np.abs(accounts[..., 1, :]).max(axis=-1)
    exchanged = (exchange > 1e-6 * carried) & (exchange > 1e-10 * lifted) & (exchange > rounding)
    rest = np.maximum(np.maximum(carried, lifted), rounding)
    rest = np.where(rest > 0.0, rest, np.where(largest > 0.0, largest, 1.0))
    return np.where(exchanged, exchange, rest), exchanged


@dataclass(frozen=True, eq=False)
class EnergyAudit:
    """Energy accounts over the output times; arrays (nt,), `time` in s, all others in J. Accounts left out are zero.

    kinetic, gravity, strain: energy stored now. work_loads, work_drives: work done on the model since the start.
    dissipated: taken out by dampers and friction (never falls). numerical: taken out by the scheme, positive = removed.
    rounding: what the last digits of places are worth under the forces that act [J].
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
    rounding: float = 0.0

    def __post_init__(self) -> None:
        count = len(self.time)
        for account in fields(self)[:-1]:
            values = np.asarray(getattr(self, account.name), dtype=np.float64)
            if values.ndim == 0:
                values = np.full(count, float(values))
            if values.shape != (count,) or count == 0:
                raise ValueError(f"energy audit: {account.name} has shape {values.shape}, wanted ({count},), not empty")
            object.__setattr__(self, account.name, values)

    @cached_property
    def stored(self) -> NDArray[np.float64]:
        """Kinetic + gravity + strain energy [J]."""
        return self.kinetic + self.gravity + self.strain

    @cached_property
    def residual(self) -> NDArray[np.float64]:
        """Energy unaccounted for since the start [J]; positive where energy appeared from nowhere."""
        return residuals(self._accounts)

    @cached_property
    def largest_residual(self) -> tuple[float, float]:
        """(largest |residual| [J], time at which it stands [s])."""
        row = int(np.argmax(np.abs(self.residual)))  # argmax answers the first NaN if there is one
        return float(abs(self.residual[row])), float(self.time[row])

    @cached_property
    def exchanged(self) -> float:
        """The scale the residual is judged by [J], never zero; see the head of this file."""
        return self._scale[0]

    @property
    def relative(self) -> float:
        """Largest |residual| / exchanged [1]."""
        return self.largest_residual[0] / self.exchanged

    @property
    def grade(self) -> str:
        """How well the balance closes, and no more: 'excellent' below 1e-8, 'good' below 1e-5, 'fair' below 1e-3,
        otherwise 'poor' (also if not finite). What the whole run is worth is for trust to say."""
        return next((word for limit, word in GRADES if self.relative < limit), "poor")

    @property
    def returned(self) -> float:
        """Most that dampers and friction gave back of what they had taken [J]."""
        highest_yet = np.maximum.accumulate(np.maximum(self.dissipated, 0.0))
        return float(np.max(highest_yet - self.dissipated))

    def describe(self) -> str:
        """The audit's numbers in a sentence; what they are worth is for trust to say."""
        worst, when = self.largest_residual
        if not np.isfinite(worst):
            return f"not finite from t = {when:g} s on"
        scale, what = self._scale
        closes = (
            f"closes to {self.relative:.1e} of the {scale:.3g} J {what} "
            f"(largest residual {worst:.1e} J at t = {when:.4g} s)"
        )
        removed = float(self.numerical[np.argmax(np.abs(self.numerical))])
        if not abs(removed) > 1e-3 * self.exchanged:
            return closes
        verb = "removed" if removed > 0 else "added"
        return f"{closes}; the scheme itself {verb} {abs(removed):.2g} J ({abs(removed) / self.exchanged:.1%})"

    def channels(self) -> dict[str, Channel]:
        """The accounts as channels 'energy.kinetic' … 'energy.numerical', 'energy.stored' and 'energy.residual'."""
        return {
            f"energy.{name}": Channel(f"energy.{name}", "J", getattr(self, name), about=about, time=self.time)
            for name, about in (ACCOUNTS | DERIVED).items()
        }

    @cached_property
    def _accounts(self) -> NDArray[np.float64]:
        return np.array([getattr(self, name) for name in ACCOUNTS])

    @cached_property
    def _scale(self) -> tuple[float, str]:
        """(scale [J], 'exchanged', 'carried' or what else it is)."""
        scale, exchanged = scales(self._accounts, self.rounding)
        if float(scale) == self.rounding:
            return self.rounding, "that roundings are worth"
        return float(scale), "exchanged" if exchanged else "carried"
