"""A run in a few lines of words and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .trust import doubtful_channels, is_of_contact, peaks_in_words

if TYPE_CHECKING:
    from .dataset import Results

MOST_EVENTS_SHOWN = 8
MOST_ERRORS_SHOWN = 8


def summary(results: Results) -> str:
    """Status, verdict, work done, energy audit, constraints, timing, events and notes; a line each, left out if
    unknown."""
    lines = [
        _status(results),
        *_verdict(results),
        _line("solver", _solver(results)),
        *_phases(results),
        _line("energy", _energy(results)),
        _line("constraints", _constraints(results)),
        _line("timing", _timing(results)),
        _line("events", _events(results)),
        *_errors(results),
        _line("peaks", peaks_in_words(results)),
        _line("stored", f"{len(results.channels)} channels at {len(results.time)} times"),
        *(_line("note", note) for note in results.notes if not is_of_contact(note)),
    ]
    return "\n".join(line for line in lines if line)


def _line(label: str, text: str) -> str:
    return f"  {label:<12}{text}" if text else ""


def _status(results: Results) -> str:
    status = results.status
    name = results.provenance.get("model_name") or "run"
    word = status.code if status.complete else f"NOT COMPLETE ({status.code})"
    message = f": {status.message}" if status.message else ""
    return f"{name}: {word} at t = {status.time:g} s{message}"


def _verdict(results: Results) -> list[str]:
    """The verdict, then what speaks against the numbers; how the run ended stands in the first line already."""
    verdict = results.verdict
    doubts = [f"{doubt.title}: {doubt.words}" for doubt in verdict.doubts if doubt.title != "Completion"]
    return [_line("verdict", verdict.sentence), *(_line("doubt", doubt) for doubt in doubts)]


def _solver(results: Results) -> str:
    counts = [f"{count} {name.replace('_', ' ')}" for name, count in results.counters.items() if count]
    solver = results.provenance.get("solver")
    return "; ".join(part for part in (str(solver) if solver else "", ", ".join(counts)) if part)


def _phases(results: Results) -> list[str]:
    """Where there are several: which solver, from when to when, its steps and why. Of one, notes tell as much."""
    if len(results.phases) < 2:
        return []
    said = []
    for phase in results.phases:
        why = f": {phase['why']}" if phase["why"] else ""
        said.append(
            f"{phase['stage']}, {phase['solver']}, {phase['begin']:.4g} to {phase['end']:.4g} s, "
            f"{phase['steps']} steps, {phase['cpu_s']:.2g} s CPU{why}"
        )
    return [_line("phase", text) for text in said]


def _energy(results: Results) -> str:
    if results.audit is None:
        return "no audit was made"
    return results.audit.describe()


def _constraints(results: Results) -> str:
    """Units are not said: a violation is in m or rad according to the constraint."""
    found = []
    for level in ("position", "velocity"):
        size, when = results.violation.get(level), results.violation.get(f"{level}_time")
        if size is not None:
            found.append(f"{size:.1e} in {level}" + (f" (t = {when:.4g} s)" if when is not None else ""))
    return "largest violation " + ", ".join(found) if found else ""


def _timing(results: Results) -> str:
    words = {"wall_s": "wall", "cpu_s": "CPU", "solver_cpu_s": "CPU in the solver"}
    said = [f"{results.timing[key]:.3g} s {word}" for key, word in words.items() if results.timing.get(key) is not None]
    if results.timing.get("compile_s"):
        said.append(f"{results.timing['compile_s']:.3g} s compiling, once")
    return ", ".join(said)


def _errors(results: Results) -> list[str]:
    """Channels with the largest errors for their size, but for those that are nothing but rounding."""
    found = doubtful_channels(results)
    lines = []
    for name, _ in found[:MOST_ERRORS_SHOWN]:
        e = results.errors[name]
        lines.append(
            f"{name} [{e['unit']}]: at most {e['largest']:.5g} ± {e['of_largest']:.1g}; over time ± {e['rms']:.1g} "
            f"(rms), at worst {e['error']:.1g} at {e['time']:.4g} s"
        )
    if len(found) > MOST_ERRORS_SHOWN:
        _, part = found[MOST_ERRORS_SHOWN]
        lines.append(f"{len(found) - MOST_ERRORS_SHOWN} more channels: {100.0 * part:.1g} % (rms) and less")
    return [_line("error", line) for line in lines]


def _events(results: Results) -> str:
    shown = ", ".join(f"{event.name} at {event.time:.6g} s" for event in results.events[:MOST_EVENTS_SHOWN])
    more = len(results.events) - MOST_EVENTS_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
