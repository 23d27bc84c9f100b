"""Runs as files: one netCDF-4 file each, readable by any netCDF reader, and read back exactly.

In the file (all dimensions fixed, no groups):

    time(time) [s]                     the output times
    <entity>.<quantity>(time[, xyz])   the channels, with `units`, `long_name` and `components`
    energy.*(time)                     the energy audit
    xyz(xyz), wxyz(wxyz), …            component labels
    event_time, event_name, event_about, event_values(event)
    state_q(position), state_v(velocity)   where the run ended, to go on from there; run_state: the rest of it
    run_status, run_counters, run_contacts, run_timing, run_violation, run_provenance, run_notes,
    run_phases, run_errors: JSON text
    run_extremes: JSON text, smallest and largest values of channels and when, between outputs too
    run_balance: JSON text, what the energy audit says of all steps
    run_model: YAML text; run_scene: JSON text, what the model looks like

After all that stands a checksum (`seal`): a changed byte anywhere is noticed before anything is read.
Channels have a dot in their names and everything else has none, so the two never collide.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .audit import ACCOUNTS, Balance, EnergyAudit
from .channels import Channel
from .extremes import Extremes
from .netcdf_contents import Contents
from .netcdf_layout import NetcdfWriter, adding, as_texts, writing
from .outcome import Event, Status
from .record_shapes import check_record, check_scene
from .safe_file import ResultsFileError
from .seal import check_seal, has_seal
from .state import State

if TYPE_CHECKING:
    from .dataset import Results

FORMAT = 1
CONVENTIONS = f"CF-1.11 tapespring-{FORMAT}"
MEMORIES = ("contacts", "joints", "scheme")  # fields of State
RECORDS = ("counters", "contacts", "timing", "violation", "notes", "warnings", "phases", "errors")
CHANGED = "another program has changed this results file since it was written: nothing vouches for its numbers any more"


def save(results: Results, path: str | os.PathLike[str]) -> Path:
    """Write a run to `path`, whole or not at all; returns the path. Raises ResultsFileError.

    The run is on disk before anything is drawn, and whatever becomes of the drawing it stays there.
    """
    drawn = results.is_drawn
    with writing(path, results.provenance.get("tapespring", "unknown")) as writer:
        _write_attributes(writer, results)
        writer.coordinate("time", results.time, units="s", long_name="time since the start", axis="T")
        _write_channels(writer, results)
        _write_events(writer, results.events)
        _write_state(writer, results.state)
        _write_records(writer, results)
        if drawn:
            _write_scene(writer, results)
    if not drawn:
        _draw_into(path, results, writer.dimensions)
    return Path(path)


def _draw_into(path: str | os.PathLike[str], results: Results, dimensions: int) -> None:
    """Draw the model and add the drawing to the file of its run."""
    try:
        if results.scene:
            with adding(path, dimensions) as writer:
                _write_scene(writer, results)
    except ResultsFileError as error:
        results.notes.append(f"'{path}' holds no drawing of the model, but all else: {error}")
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"the results are in '{path}', without a drawing of the model") from None


def save_state(state: State, path: str | os.PathLike[str]) -> Path:
    """Write a checkpoint to `path`, whole or not at all; returns the path. Raises ResultsFileError."""
    with writing(path, "checkpoint") as writer:
        writer.attributes(Conventions=CONVENTIONS, title=f"checkpoint at t = {state.time:g} s")
        _write_state(writer, state)
    return Path(path)


def load_state(path: str | os.PathLike[str]) -> State:
    """The state in a checkpoint or in a file of results. Raises ResultsFileError."""
    with _opened(path) as h5:
        state = _read_state(h5)
    if state is None:
        raise ResultsFileError(f"'{path}' holds no state to go on from: its run never began")
    return state


@contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[Contents]:
    """A file of ours to read; whatever is wrong with it is a ResultsFileError."""
    import h5py

    if not os.path.isfile(path):
        raise ResultsFileError(f"no results file at '{path}'")
    try:
        check_seal(path)
        with h5py.File(path, "r") as h5:
            contents = Contents(h5, os.path.getsize(path))
            _check_format(contents, path)
            yield contents
    except (OSError, LookupError, TypeError, ValueError, RuntimeError, MemoryError) as error:
        if isinstance(error, ResultsFileError) and str(path) in str(error):
            raise
        raise ResultsFileError(
            f"'{path}' is not a tapespring results file, or is damaged ({error}); use a copy of it, or run the model "
            "again"
        ) from error


def load(path: str | os.PathLike[str]) -> Results:
    """Read a run back from a file written by `save`. Raises ResultsFileError."""
    from .dataset import Results

    with _opened(path) as h5:
        if "time" not in h5:
            raise ResultsFileError(f"'{path}' is a checkpoint, not results; give it to 'restart'")
        time = h5.array("time")
        audit = None
        if f"energy.{next(iter(ACCOUNTS))}" in h5:
            known = Balance(**_read_json(h5, "run_balance")) if "run_balance" in h5 else None
            accounts: dict[str, Any] = {name: h5.array(f"energy.{name}") for name in ACCOUNTS}
            audit = EnergyAudit(time, **accounts, known=known)
        from_audit = audit.channels() if audit else {}
        channels = [_read_channel(h5, name) for name in h5 if "." in name and name not in from_audit]
        extremes = _read_json(h5, "run_extremes") if "run_extremes" in h5 else {}
        provenance = _read_json(h5, "run_provenance")
        if "run_model" in h5:
            provenance["model_text"] = _read_text(h5, "run_model")
        records = {name: _read_json(h5, f"run_{name}") for name in RECORDS if f"run_{name}" in h5}
        if h5.attribute("checksum") and not has_seal(path):
            records["notes"] = list(dict.fromkeys([*records.get("notes", ()), CHANGED]))
        results = Results(
            time,
            channels,
            status=Status(**_read_json(h5, "run_status")),
            events=_read_events(h5),
            audit=audit,
            provenance=provenance,
            state=_read_state(h5),
            scene=_read_scene(h5, channels) if "run_scene" in h5 else None,
            **records,
        )
        for name, channel in results.channels.items():
            if name in extremes:
                channel.know(Extremes.of_plain(extremes[name]))
        return results


def _check_format(h5: Contents, path: str | os.PathLike[str]) -> None:
    text = h5.attribute("Conventions")
    found = re.search(r"tapespring-(\d+)", text)
    if not found:
        raise ResultsFileError(f"'{path}' was not written by tapespring (Conventions: '{text}')")
    if int(found[1]) > FORMAT:
        raise ResultsFileError(f"'{path}' was written by a newer tapespring; upgrade with pip install -U tapespring")


def _write_attributes(writer: NetcdfWriter, results: Results) -> None:
    """For people and catalogues; nothing here is needed to read the run back."""
    origin = results.provenance
    made_by = f"tapespring {origin.get('tapespring', '')}".strip()
    status = results.status
    writer.attributes(
        Conventions=CONVENTIONS,
        title=str(origin.get("model_name", ""))[:1000],
        source=made_by,
        history=f"{origin.get('date', '')} {made_by}".strip(),
        comment=f"{status.code}: {status.message}"[:4000],
        energy_audit=results.audit.describe() if results.audit else "",
        verdict=results.verdict.sentence,
    )


def _write_channels(writer: NetcdfWriter, results: Results) -> None:
    dimension_of = component_dimensions(results)
    for labels, dimension in dimension_of.items():
        writer.labels(dimension, labels, long_name="component")
    for channel in results.channels.values():
        labels = channel.components
        writer.variable(
            channel.name,
            channel.values,
            ("time", dimension_of[labels]) if labels else ("time",),
            units=channel.unit,
            long_name=channel.about,
            components=" ".join(labels),
        )


def component_dimensions(results: Results) -> dict[Sequence[str], str]:
    """The name of the dimension for each set of component labels in a run: ('x', 'y', 'z') → 'xyz'."""
    names: dict[Sequence[str], str] = {}
    for labels in dict.fromkeys(channel.components for channel in results.channels.values()):
        joined = ("" if all(len(label) == 1 for label in labels) else "_").join(labels)
        usable = re.fullmatch(r"(?!time|run_|event)[A-Za-z]\w{0,30}", joined, re.ASCII)
        if labels:
            names[labels] = joined if usable and joined not in names.values() else f"component{len(names) + 1}"
    return names


def _read_channel(h5: Contents, name: str) -> Channel:
    unit, components, about = (h5.attribute(a, name) for a in ("units", "components", "long_name"))
    return Channel(name, unit, h5.array(name), tuple(components.split()), about)


def _write_events(writer: NetcdfWriter, events: list[Event]) -> None:
    if not events:
        return  # netCDF has no dimension of size zero
    writer.dimension("event", len(events))
    times = np.array([event.time for event in events])
    writer.variable("event_time", times, ("event",), units="s", long_name="time of the event")
    writer.texts("event_name", [event.name for event in events], "event", long_name="name of the event")
    writer.texts("event_about", [event.about for event in events], "event", long_name="what happened")
    values = [_json(event.values) for event in events]
    writer.texts("event_values", values, "event", long_name="numbers at that moment, SI, as JSON")


def _read_events(h5: Contents) -> list[Event]:
    if "event_time" not in h5:
        return []
    names, abouts, values = (as_texts(h5.array(f"event_{part}")) for part in ("name", "about", "values"))
    rows = zip(names, h5.array("event_time").tolist(), abouts, values, strict=True)
    return [Event(name, time, about, check_record("event", json.loads(value))) for name, time, about, value in rows]


def _write_state(writer: NetcdfWriter, state: State | None) -> None:
    if state is None:
        return
    for name, dimension, values in (("state_q", "position", state.q), ("state_v", "velocity", state.v)):
        writer.dimension(dimension, len(values))
        writer.variable(name, values, (dimension,), long_name=f"{dimension} numbers of all nodes at the end")
    rest: dict[str, Any] = {"time": state.time, "angles": state.angles, "stage": state.stage, "model": state.model}
    rest |= {"system": state.system, "bodies": state.bodies, "reached": state.reached}
    for kind in MEMORIES:
        memory = getattr(state, kind)
        if memory is not None:
            rest[kind] = {name: list(rows.shape) for name, rows in memory.items()}
            _write_numbers(writer, f"state_{kind}", np.concatenate([[], *(rows.ravel() for rows in memory.values())]))
    about = (
        "time, counted turns, stage, model and bodies of the state, what contacts and joints remember by name, as JSON"
    )
    writer.text("run_state", _json(rest), long_name=about)


def _write_numbers(writer: NetcdfWriter, name: str, numbers: NDArray[np.float64]) -> None:
    if len(numbers):  # netCDF has no dimension of size zero
        writer.dimension(f"{name}_number", len(numbers))
        about = "what is remembered at the end, by the shapes in run_state"
        writer.variable(name, numbers, (f"{name}_number",), long_name=about)


def _read_state(h5: Contents) -> State | None:
    if "run_state" not in h5:
        return None
    rest = _read_json(h5, "run_state")
    rest |= {kind: _read_memory(h5, f"state_{kind}", rest.get(kind)) for kind in MEMORIES}
    return State(q=h5.array("state_q"), v=h5.array("state_v"), **rest)


def _read_memory(h5: Contents, name: str, shapes: dict[str, list[int]] | None) -> dict[str, NDArray[np.float64]] | None:
    """Rows by name out of one array of numbers; None where an earlier version wrote none."""
    if shapes is None:
        return None
    numbers = h5.array(name) if name in h5 else np.zeros(0)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    parts = np.split(numbers, ends[:-1]) if len(ends) else []
    return {label: part.reshape(shape) for (label, shape), part in zip(shapes.items(), parts, strict=True)}


def _write_records(writer: NetcdfWriter, results: Results) -> None:
    origin = dict(results.provenance)
    model_text = origin.pop("model_text", None)
    writer.text("run_status", _json(asdict(results.status)), long_name="how the run ended, as JSON")
    for name in RECORDS:
        writer.text(f"run_{name}", _json(getattr(results, name)), long_name=f"{name} of the run, as JSON")
    known = {name: extremes.plain() for name, extremes in results.extremes.items()}
    writer.text("run_extremes", _json(known), long_name="extremes of channels, between outputs too, as JSON")
    if results.audit is not None:
        writer.text("run_balance", _json(results.audit.balance._asdict()), long_name="energy audit, as JSON")
    writer.text("run_provenance", _json(origin), long_name="where the run came from, as JSON")
    if model_text is not None:
        writer.text("run_model", model_text, long_name="the model, as YAML")


def _write_scene(writer: NetcdfWriter, results: Results) -> None:
    if results.scene:
        writer.text("run_scene", _json(results.scene), long_name="what the model looks like, as JSON")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _read_scene(h5: Contents, channels: list[Channel]) -> dict[str, Any]:
    return check_scene(_read_json(h5, "run_scene"), {channel.name: channel for channel in channels})


def _read_text(h5: Contents, name: str) -> str:
    return as_texts(h5.array(name)[np.newaxis])[0]


def _read_json(h5: Contents, name: str) -> Any:
    return check_record(name.removeprefix("run_"), json.loads(_read_text(h5, name)))
