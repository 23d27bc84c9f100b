"""How far to trust a run, in plain words: what was checked, what was found, and what was not checked.

`judge` is the one place that decides: summary, page, notebook, JSON, results file and exit code all say what it says.

Levels: bad (the numbers are wrong or may be), fair (usable with care), good, open (nobody looked).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .audit import CARRIED, GRADES, NUMERICAL, ROUNDING, EnergyAudit, residuals, scales
from .extremes import ROUGH

if TYPE_CHECKING:
    from .dataset import Results

LEVELS = ("bad", "fair", "good", "open")
DRIFT = (1e-6, 1e-3)  # of the model's size: constraints that drift less are good, fair
DAMPED = (0.01, 0.1)  # of the energy exchanged: a scheme that takes less is good, fair
LITTLE = 0.01  # of the energy carried all along: a scheme that takes less is no worse than fair
RETURNED = 1e-6  # of the energy exchanged: dampers that give back less are rounding
UNCERTAIN = (0.01, 0.5)  # of its size: a channel that a finer run moves less is good, fair; peaks shift easily
NOTHING = 1e-9  # of the largest of its unit: channels below are rounding
NEGLIGIBLE = 1e-6  # of the largest of its unit: extremes that are below are no load
BESIDE = 1e-3  # of a channel's largest: components that change less are nothing beside it
LEFT_OUT = "extremes and the energy audit"  # a note that begins so tells of steps that were not looked at
MOST_PEAKS = 4  # named
THROUGH = 1.0  # of the smallest size: surfaces this deep in each other have gone through


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: a level, what it is, and what was found."""

    level: str
    title: str
    words: str


@dataclass(frozen=True)
class Verdict:
    """What a whole run is worth.

    level:    'good', 'fair' or 'bad'.
    sentence: the same for people, with what to look at.
    findings: everything that was looked at, the worst first.
    """

    level: str
    sentence: str
    findings: tuple[Finding, ...]

    @property
    def trusted(self) -> bool:
        """Whether the numbers may be used, if with care."""
        return self.level != "bad"

    @property
    def doubts(self) -> tuple[Finding, ...]:
        """What speaks against the numbers."""
        return tuple(f for f in self.findings if f.level in ("bad", "fair"))

    def to_plain(self) -> dict[str, Any]:
        """Plain data for programs."""
        return {"level": self.level, "sentence": self.sentence, "findings": [asdict(f) for f in self.findings]}


def judge(results: Results) -> Verdict:
    """As bad as the worst that was found; what was not checked does not count."""
    found = findings(results)
    titles = {level: [f.title[:1].lower() + f.title[1:] for f in found if f.level == level] for level in LEVELS}
    level, sentence = "good", "Nothing was found that speaks against these numbers."
    if titles["bad"]:
        level, sentence = "bad", f"Do not trust these numbers: look at {_and(titles['bad'])}."
    elif titles["fair"]:
        level, sentence = "fair", f"Usable with care: look at {_and(titles['fair'])}."
    return Verdict(level, sentence, tuple(found))


def findings(results: Results) -> list[Finding]:
    """Everything that was looked at, the worst first."""
    found = [_completion(results), _energy(results), _damping(results), _dampers(results), _drift(results)]
    found += [*_contacts(results), *(Finding(**warning) for warning in results.warnings)]
    if results.time.size:
        found += [_finite(results), _peaks(results), _refinement(results)]
    return sorted((f for f in found if f is not None), key=lambda f: LEVELS.index(f.level))


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _level(value: float, limits: tuple[float, float]) -> str:
    good, fair = limits
    return "good" if value < good else "fair" if value < fair else "bad"


def _completion(results: Results) -> Finding:
    status = results.status
    if status.complete:
        return Finding(
            "good", "Completion", status.message or f"The run did all that was asked, to t = {status.time:g} s."
        )
    return Finding("bad", "Completion", f"The run did not get to its end ({status.code}). {status.message}".strip())


def _energy(results: Results) -> Finding:
    audit = results.audit
    if audit is None:
        return Finding("open", "Energy balance", "No audit: nothing moved in time, so there is no work to balance.")
    level = {"excellent": "good", "good": "good", "fair": "fair", "poor": "bad"}[audit.grade]
    worst, when = audit.largest_residual
    if not np.isfinite(worst):
        return Finding("bad", "Energy balance", f"Energies are not finite from t = {when:g} s on.")
    if audit.balance.what == ROUNDING and worst <= audit.balance.rounding:
        words = "Nothing is exchanged but what roundings are worth under the forces that act"
        return Finding("good", "Energy balance", f"{words}, {audit.balance.rounding:.1g} J.")
    if worst == 0.0:
        return Finding("good", "Energy balance", f"All of the energy is accounted for: {audit.scale_in_words}.")
    words = (
        f"Of {audit.scale_in_words}, {worst:.2g} J at most are unaccounted for ({_part(audit.relative)}, "
        f"at t = {when:.4g} s)."
    )
    if level == "bad":
        words += (
            " Energy appears or vanishes: tighten the tolerance or shorten the step, and check laws written by hand."
        )
    return Finding(level, "Energy balance", words)


def _damping(results: Results) -> Finding | None:
    audit = results.audit
    if audit is None or not np.isfinite(audit.exchanged):
        return None
    taken, steady = _taken(results, audit), audit.balance.steady
    share, what = abs(taken) / audit.exchanged, "carried" if audit.balance.what == CARRIED else "exchanged"
    if not share or abs(taken) <= audit.balance.rounding:
        return Finding("good", "Numerical damping", "The scheme takes no energy out of the motion.")
    verb = "took out" if taken > 0.0 else "put in"
    words = f"The time stepping itself {verb} {abs(taken):.2g} J, {_part(share)} of the energy {what}"
    level = _level(share, DAMPED)
    if level == "bad" and 0.0 < taken < LITTLE * steady:
        level, words = "fair", f"{words}, if only {_part(taken / steady)} of what is carried all along"
    if level != "good":
        words += ". Vibrations fade (or grow) more than they should: shorten the step or tighten the tolerance"
    return Finding(level, "Numerical damping", f"{words}.")


def _taken(results: Results, audit: EnergyAudit) -> float:
    """Most that the scheme took out, or put in (below zero), by itself [J]."""
    if not any(event.name == "snap" for event in results.events):
        return audit.balance.numerical
    by_itself = audit.numerical - np.clip(audit.numerical, *_stopped(results, audit.time))
    return float(by_itself[np.argmax(np.abs(by_itself))])


def _stopped(results: Results, time: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2, nt) least and most energy that stops in snaps took so far, which differ at the instant of one. Events tell of
    it; it is no fault of the scheme."""
    found = np.zeros((2, len(time)))
    for event in results.events:
        taken = float(event.values.get("stopped", 0.0)) if event.name == "snap" else 0.0
        found += np.sort([taken * (time > event.time), taken * (time >= event.time)], axis=0)
    return found


def may_be_bad(accounts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(samples,) whether energies (samples, 9, nt) of many runs speak against them: each is then to be judged whole."""
    by, limit = scales(accounts), GRADES[-1][0]
    lost, taken = np.abs(residuals(accounts)).max(axis=-1), np.abs(accounts[..., NUMERICAL, :]).max(axis=-1)
    return ~((lost < limit * by.scale) & (taken < limit * by.exchanged))


def _dampers(results: Results) -> Finding | None:
    """Dampers and friction only take: what they give back comes from a law that drives, or from the time stepping."""
    audit = results.audit
    if audit is None or not np.isfinite(audit.exchanged) or audit.returned <= RETURNED * audit.exchanged:
        return None
    words = (
        f"Dampers gave back {audit.returned:.2g} J, {_part(audit.returned / audit.exchanged)} of the energy exchanged. "
        "Either a damping or friction law pushes along the motion somewhere (check its sign), or the step is too long "
        "for the damping: shorten it or tighten the tolerance, and see whether it stays."
    )
    return Finding("fair", "Dampers", words)


def _drift(results: Results) -> Finding | None:
    size = results.violation.get("position")
    if not size:  # nothing is held, or exactly
        return None
    share = size / model_size(results)
    when = results.violation.get("position_time")
    at = f" at t = {when:.4g} s" if when is not None else ""
    words = f"Joints and drives are held to {size:.1e} m or rad{at}, {_part(share)} of the model's size."
    level = _level(share, DRIFT) if np.isfinite(share) else "bad"
    if level != "good":
        words += " Parts come apart visibly: tighten the tolerance."
    return Finding(level, "Joints", words)


def model_size(results: Results) -> float:
    """Largest extent as drawn [m]; where that was not kept, the diagonal of the box around everything at the start; 1
    if nothing is placed."""
    if results.violation.get("size"):
        return float(results.violation["size"])
    rows = [
        channel.values[0].reshape(-1, 3)
        for name, channel in results.channels.items()
        if name.endswith((".position", ".positions")) and channel.components
    ]
    points = np.concatenate([np.zeros((0, 3)), *rows])
    points = points[np.isfinite(points).all(axis=1)]
    return (float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0) or 1.0


def _contacts(results: Results) -> list[Finding]:
    """Each contact with what was said of it; complaints were made when the run ended."""
    found = []
    for name, facts in results.contacts.items():
        begin = f"contact '{name}': "
        said = [note.removeprefix(begin) for note in results.notes if note.startswith(begin)]
        deep = facts.get("depth_by_feature")
        through = (deep is not None and deep > THROUGH) or facts.get("passed")
        level = "bad" if through else "fair" if said else "good"
        words = [_touches(facts), *(f"{word[:1].upper()}{word[1:]}." for word in said)]
        found.append(Finding(level, f"Contact '{name}'", " ".join(words)))
    return found


def is_of_contact(note: str) -> bool:
    """Whether a note is said of a contact, and stands among its findings."""
    return note.startswith("contact '")


def _touches(facts: dict[str, Any]) -> str:
    touches = facts.get("touches") or 0
    if not touches:
        return "No touch was seen." if facts.get("passed") else "The surfaces never touched."
    times = "once" if touches == 1 else f"{touches} times"
    deep = facts.get("depth_by_feature")
    part = f", {_part(deep)} of the smallest size" if deep is not None else ""
    return (
        f"Touched {times}, at most {facts['deepest']:.2g} m deep{part}, with up to {facts['strongest']:.3g} N, "
        f"at up to {facts['fastest']:.3g} m/s."
    )


def _finite(results: Results) -> Finding | None:
    """Contact points are not a number while nothing touches, and stages may lack a part: only motion has to be."""
    broken = [
        name
        for name, channel in results.channels.items()
        if name.endswith((".position", ".positions")) and not np.isfinite(channel.values).all()
    ]
    if not broken:
        return None
    return Finding("bad", "Motion", f"Places are not finite numbers: {', '.join(broken[:5])}.")


def rough_peaks(results: Results) -> list[str]:
    """Channels whose extremes hang on the step, with the largest size of each and when; flags and rounding left out."""
    least, said = negligible(results), []
    for name, found in results.extremes.items():
        channel = results.channels[name]
        range_ = found.high - found.low
        matters = range_ > max(least.get(channel.unit, 0.0), BESIDE * np.nanmax(found.sizes, initial=0.0))
        rough = np.where(found.rough & matters, found.sizes, 0.0)
        k = int(np.nanargmax(rough))
        told = channel.unit not in ("", "1") and not name.startswith("energy.")  # of which the audit speaks
        if told and rough[k] > 0.0:
            when = found.high_time[k] if abs(found.high[k]) >= abs(found.low[k]) else found.low_time[k]
            said.append(f"{name} ({rough[k]:.4g} {channel.unit} at t = {when:.4g} s)")
    return said


def negligible(results: Results) -> dict[str, float]:
    """By unit, what is nothing beside the largest that there is, or beside what moves the model by its own size; a
    moment also beside the largest force on such an arm."""
    largest: dict[str, float] = {}
    for name, found in results.extremes.items():
        unit = results.channels[name].unit
        largest[unit] = max(largest.get(unit, 0.0), float(np.nanmax(found.sizes, initial=0.0)))
    size, duration = model_size(results), np.ptp(results.time) or np.float64(1.0)
    others = {"m": size, "rad": 1.0, "N m": size * largest.get("N", 0.0), "kg m^2/s": size * largest.get("kg m/s", 0.0)}
    with np.errstate(all="ignore"):  # of runs of no length at all anything is negligible
        others |= {f"{of}{per}": others[of] / duration**n for of in ("m", "rad") for per, n in (("/s", 1), ("/s^2", 2))}
    return {unit: NEGLIGIBLE * max(size, others.get(unit, 0.0)) for unit, size in largest.items()}


def peaks_in_words(results: Results) -> str:
    """What is to be known of extremes; nothing if all are resolved."""
    rough = rough_peaks(results)
    if not rough:
        return ""
    more = f" and {len(rough) - MOST_PEAKS} more" if len(rough) > MOST_PEAKS else ""
    return (
        f"The largest values of {', '.join(rough[:MOST_PEAKS])}{more} hang on the step: from one step to the next they "
        f"change by more than {100 * ROUGH:.0f} % of their range. Shorten the step or tighten the tolerance to see "
        "what becomes of them."
    )


def _peaks(results: Results) -> Finding | None:
    words = peaks_in_words(results)
    # without inertia nothing swings beyond the places that were found, and loads are met at their own extremes; where
    # steps were left out, which of them were looked at hangs on the outputs, which have no part in a verdict
    known = results.audit is not None and not any(note.startswith(LEFT_OUT) for note in results.notes)
    return Finding("fair" if known else "open", "Peaks", words) if words else None


def _refinement(results: Results) -> Finding:
    worst = doubtful_channels(results)
    if worst:
        return _errors(results, *worst[0])
    meshed = any(name.endswith(".positions") for name in results.channels)
    what = "a smaller step or a finer mesh changes" if meshed else "a tighter tolerance or a smaller step changes"
    return Finding(
        "open", "Refinement", f"Not checked: whether {what} the result. `--refine` runs it twice and tells by how much."
    )


def _errors(results: Results, name: str, share: float) -> Finding:
    """By the channel that is the least certain for its size."""
    e = results.errors[name]
    words = (
        f"A finer run moves no channel by more than {_part(share)} (rms): {name} is at most {e['largest']:.4g} ± "
        f"{e['of_largest']:.1g} {e['unit']}, and off by {e['error']:.1g} at worst, at t = {e['time']:.4g} s."
    )
    level = _level(share, UNCERTAIN)
    if level != "good":
        words += " Use more elements or a tighter tolerance, or use only what hardly changes."
    return Finding(level, "Refinement", words)


def doubtful_channels(results: Results) -> list[tuple[str, float]]:
    """Channels with their error (rms) over their size, the worst first, but for those that are nothing but rounding.
    The size is that in the finer run if it is larger: a channel may be zero only because something was missed."""
    sizes: dict[str, float] = {}
    for entry in results.errors.values():
        sizes[entry["unit"]] = max(sizes.get(entry["unit"], 0.0), _size(entry))
    found = [
        (name, entry["rms"] / _size(entry)) for name, entry in results.errors.items()
        if _size(entry) > NOTHING * sizes[entry["unit"]] and not name.startswith("energy.")
    ]  # fmt: skip
    return sorted(found, key=lambda one: -one[1])


def _size(entry: dict) -> float:
    return entry["largest"] + entry["of_largest"]


def _part(share: float) -> str:
    """A part of something, without zeros to count."""
    if share >= 0.1:
        return f"{100.0 * share:.0f} %"
    return f"{100.0 * share:.2g} %" if share >= 1e-4 else f"{share:.1e}"
