"""Results: everything a run gives back, under names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .audit import EnergyAudit
from .channels import Channel
from .extras import need
from .extremes import Extremes, of_all
from .lookup import unknown_channel, unknown_component
from .outcome import Event, Status
from .plain import plain
from .state import State

if TYPE_CHECKING:
    from .trust import Verdict


class Results:
    """What a run gives back: `r['bob.position']`, `r['bob.position.x']`, `r.summary()`, `r.save('run.nc')`.

    time:       output times (nt,) [s], never falling; a time may stand twice, before and after an event.
    channels:   name → Channel; the audit's accounts are among them as 'energy.kinetic' …
    status:     how the run ended.
    events:     what was located in time, in order.
    audit:      the energy audit, or None.
    violation:  largest constraint violation: 'position' [m or rad] and 'velocity' [m/s or rad/s], with
                'position_time' and 'velocity_time' [s], and the model's 'size' [m]; empty without constraints.
    contacts:   name → what a contact did: 'touches', 'deepest' [m], 'strongest' [N], 'fastest' [m/s], 'restitution' …
    counters:   'steps', 'rejected', 'evaluations', 'factorizations', …
    timing:     'wall_s', 'cpu_s', 'solver_cpu_s' [s], 'compile_s' if kernels were compiled.
    provenance: see `make_provenance`.
    phases:     what was run one after the other: 'stage', 'solver', 'begin', 'end' [s], 'steps', 'cpu_s', 'why'.
    errors:     name of a channel → 'largest', 'of_largest', 'rms', 'error', 'time', 'unit': see `refining`; else empty.
    notes:      sentences said to the user during the run.
    warnings:   what was noticed on the way against the numbers: 'level' ('bad' or 'fair'), 'title', 'words'.
    state:      where it ended, to go on from there; None if it never began.
    scene:      what the model looks like, for reports and exports: `{'parts': [...]}`, empty if unknown; may be given
                as a function of no arguments, called once, on first use.

    Dicts and notes are kept as plain data (numbers, text, lists, dicts), so that a saved run reads back equal.
    """

    def __init__(
        self,
        time: ArrayLike,
        channels: Mapping[str, Channel] | Iterable[Channel] = (),
        *,
        status: Status,
        events: Iterable[Event] = (),
        audit: EnergyAudit | None = None,
        violation: Mapping[str, Any] | None = None,
        counters: Mapping[str, Any] | None = None,
        contacts: Mapping[str, Any] | None = None,
        timing: Mapping[str, Any] | None = None,
        provenance: Mapping[str, Any] | None = None,
        phases: Iterable[Mapping[str, Any]] = (),
        errors: Mapping[str, Any] | None = None,
        notes: Iterable[str] = (),
        warnings: Iterable[Mapping[str, str]] = (),
        state: State | None = None,
        scene: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
    ) -> None:
        self.time = _checked_time(time)
        self.status = status
        self.events = list(events)
        self.audit = audit
        self.state = state
        self._scene = scene or {}
        self.violation: dict[str, Any] = plain(violation or {})
        self.counters: dict[str, Any] = plain(counters or {})
        self.contacts: dict[str, Any] = plain(contacts or {})
        self.timing: dict[str, Any] = plain(timing or {})
        self.provenance: dict[str, Any] = plain(provenance or {})
        self.phases: list[dict[str, Any]] = plain(list(phases))
        self.errors: dict[str, Any] = plain(errors or {})
        self.notes: list[str] = [str(note) for note in notes]
        self._extremes: dict[str, Extremes] = {}
        self.warnings: list[dict[str, str]] = plain(list(warnings))
        self.channels: dict[str, Channel] = {}
        self._add(channels.values() if isinstance(channels, Mapping) else channels)
        if audit is not None:
            if len(audit.time) != len(self.time):
                raise ValueError(f"energy audit over {len(audit.time)} times, results over {len(self.time)}")
            self._add(audit.channels().values())

    @property
    def extremes(self) -> dict[str, Extremes]:
        """Smallest and largest values, and when, of all channels that are known between outputs; found on first use."""
        if not self._extremes:
            asking = [channel for channel in self.channels.values() if channel.steps and not channel.has_extremes]
            parts = [channel.steps() for channel in asking if channel.steps]
            found = iter(of_all([steps for own in parts for steps in own]))
            for channel, own in zip(asking, parts, strict=True):
                channel.know_parts(islice(found, len(own)))
            known = {name: channel for name, channel in self.channels.items() if channel.is_known_between}
            self._extremes = {name: channel.extremes for name, channel in known.items()}
        return self._extremes

    def unless_interrupted(self) -> Results:
        """The run itself; for whoever runs a model on the way to something else, an interruption ends that too. Raises
        KeyboardInterrupt."""
        if self.status.code == "interrupted":
            raise KeyboardInterrupt
        return self

    def at_outputs(self) -> Results:
        """The same run without what is known between its outputs, which takes time to find."""
        audit = None if self.audit is None else replace(self.audit, steps=None)
        own = [channel for name, channel in self.channels.items() if audit is None or name not in audit.channels()]
        return Results(
            self.time, [channel.at_outputs() for channel in own], status=self.status, events=self.events, audit=audit,
            violation=self.violation, counters=self.counters, contacts=self.contacts, timing=self.timing,
            provenance=self.provenance, phases=self.phases, errors=self.errors, notes=self.notes,
            warnings=self.warnings, state=self.state, scene=self._scene,
        )  # fmt: skip

    @property
    def scene(self) -> dict[str, Any]:
        """Geometry of the model as plain data; it moves by the channels."""
        if callable(self._scene):
            try:
                self._scene = self._scene()  # lets go of what the function held on to
            except Exception as error:  # a run is worth having without a drawing
                self._scene = {}
                why = f"{type(error).__name__}: {error}"
                self.notes.append(f"the model could not be drawn ({why}); all else of this run is as it should be")
        return dict(self._scene)

    @property
    def is_drawn(self) -> bool:
        """Whether the geometry is at hand, or has still to be drawn."""
        return not callable(self._scene)

    def __getitem__(self, name: str) -> Channel:
        """A channel by name, or one of its components: r['bob.position'], r['bob.position.x']."""
        if name in self.channels:
            return self.channels[name]
        base, _, label = name.rpartition(".")
        if base in self.channels:
            if label not in self.channels[base].components:
                raise unknown_component(base, label, self.channels[base].components)
            return self.channels[base].component(label)
        raise unknown_channel(name, list(self.channels))

    def __contains__(self, name: object) -> bool:
        if name in self.channels:
            return True
        base, _, label = str(name).rpartition(".")
        return base in self.channels and label in self.channels[base].components

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def names(self, pattern: str = "*") -> list[str]:
        """Names of the channels, all or those like `pattern` ('bob.*', '*.position')."""
        return [name for name in self.channels if fnmatchcase(name, pattern)]

    def table(self, names: Iterable[str] | None = None) -> dict[str, NDArray[np.float64]]:
        """Columns (nt,) by name, 'time' first, channels with components as one column each ('bob.position.x').

        names: which channels or components; all if left out.
        """
        columns = {"time": self.time}
        for name in [names] if isinstance(names, str) else self.channels if names is None else names:
            columns.update(self[name].columns())
        return columns

    def to_pandas(self, names: Iterable[str] | None = None) -> Any:
        """A pandas DataFrame indexed by time [s], columns as in `table`; units in `.attrs['units']`."""
        pandas = need("pandas", "data", "to_pandas()")
        columns = self.table(names)
        frame = pandas.DataFrame(columns, copy=True).set_index("time")
        frame.attrs["units"] = {name: self[name].unit for name in columns if name != "time"}
        return frame

    def to_xarray(self) -> Any:
        """An xarray Dataset over `time` and component dimensions, with units; the same as opening a saved run."""
        from .arrays import to_xarray

        return to_xarray(self)

    def to_csv(self, path: str | os.PathLike[str], names: Iterable[str] | None = None) -> Path:
        """Write a table: a row per output time, columns as in `table` headed with units. Raises ResultsFileError."""
        from .csv_file import write_csv

        return write_csv(self, path, names)

    def to_vtk(self, path: str | os.PathLike[str]) -> Path:
        """Write a time series for ParaView, a .pvd file and a folder beside it. Raises ResultsFileError."""
        from .vtk import write_vtk

        return write_vtk(self, path)

    def to_movie(self, path: str | os.PathLike[str], speed: float | None = None) -> Path:
        """Write a .gif, or an .mp4 where ffmpeg is installed; `speed` is 0.1 for ten times slower than it happens, else
        the movie lasts at most ten seconds. Raises ResultsFileError."""
        from .movie import write_movie

        return write_movie(self, path, speed)

    def plot(self, *names: str) -> Any:
        """Draw channels over time, one pair of axes per unit; returns the axes (None without matplotlib)."""
        from .plots import plot_channels

        if not names:
            raise ValueError("plot() wants the names of channels, such as plot('bob.position', 'rod.tension')")
        return plot_channels([self[name] for name in names])

    def plot_phase(self, across: str, up: str, ax: Any = None) -> Any:
        """Draw one channel over another, such as a rate over its coordinate; returns the axes (None without
        matplotlib)."""
        from .plots import plot_phase

        return plot_phase(self[across], self[up], ax)

    @property
    def verdict(self) -> Verdict:
        """How far to trust it: `level` ('good', 'fair', 'bad'), `sentence`, `findings`, `trusted`; see trust."""
        from .trust import judge

        return judge(self)

    def summary(self) -> str:
        """The run in a few lines of words and numbers."""
        from .summary import summary

        return summary(self)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write one netCDF-4 file, whole or not at all; returns its path. Raises ResultsFileError."""
        from .netcdf import save

        return save(self, path)

    def report(self, path: str | os.PathLike[str], *others: Results, labels: Sequence[str] = ()) -> Path:
        """Write one HTML page that plays the run beside its curves and says how far to trust it; returns its path.

        others: runs to compare with on the same page; labels: a name for each run, this one first.
        Raises ResultsFileError.
        """
        from .report import write_report

        runs = (self, *others)
        names = labels or [str(run.provenance.get("model_name") or "run") for run in runs]
        if not labels and len(set(names)) < len(names):
            names = [f"{name} ({k})" for k, name in enumerate(names, 1)]
        return write_report(list(zip(names, runs, strict=True)), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Results:
        """Read a run written by `save`. Raises ResultsFileError."""
        from .netcdf import load

        return load(path)

    def __repr__(self) -> str:
        return f"<Results: {self.status.code}, {len(self.channels)} channels at {len(self.time)} times>"

    def _repr_html_(self) -> str:
        """For notebooks: what the run is worth, then its summary."""
        from html import escape

        verdict = self.verdict
        colour = {"good": "#15803d", "fair": "#a35a00", "bad": "#c8102e"}[verdict.level]
        return f"<b style='color:{colour}'>{escape(verdict.sentence)}</b><pre>{escape(self.summary())}</pre>"

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()

    def _add(self, channels: Iterable[Channel]) -> None:
        for channel in channels:
            if channel.name in self.channels:
                raise ValueError(f"channel '{channel.name}' is given twice")
            self.channels[channel.name] = channel.bind(self.time)


def _checked_time(time: ArrayLike) -> NDArray[np.float64]:
    times = np.asarray(time, dtype=np.float64)
    if times.ndim != 1 or len(times) == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0):
        raise ValueError("time must be a list of finite numbers that never fall, at least one of them")
    return times
