"""One recorded quantity over the output times, with its name, unit and component labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike, NDArray

from .extremes import Extremes, Steps, of_all, of_rows
from .labels import Numbered
from .lookup import unknown_component

SAME_TIME = 1e-9  # two times are one if they differ by less than this, relative to the time or the run's span


class Channel(NDArrayOperatorsMixin):
    """A quantity `<entity>.<quantity>` at every output time.

    name:       '<entity>.<quantity>', for example 'bob.position'.
    unit:       SI unit of the values as text: 'm', 'rad/s', 'N m', '1' for pure numbers.
    values:     array (nt,) or (nt, k); or a function of no arguments returning it, called once, on first use.
    components: the k labels of an (nt, k) channel, e.g. ('x', 'y', 'z'); empty for (nt,).
    about:      a sentence on what it is.
    time:       the output times (nt,) [s]; `Results` fills it in.
    steps:      a function that gives the channel at the steps of its run, one part after the other; None if unknown.

    `max`, `min`, `peak` and the times of extremes count what happens between outputs, if steps are known. numpy
    functions and arithmetic take a channel as its array of values.
    """

    def __init__(
        self,
        name: str,
        unit: str,
        values: ArrayLike | Callable[[], ArrayLike],
        components: Sequence[str] = (),
        about: str = "",
        *,
        time: NDArray[np.float64] | None = None,
        steps: Callable[[], list[Steps]] | None = None,
    ) -> None:
        self.name = _checked_name(name)
        self.unit = unit
        self.components = _checked_components(name, components)
        self.about = about
        self.time = time
        self.steps = steps
        self._extremes: Extremes | None = None
        self._source: Callable[[], ArrayLike] | None = values if callable(values) else None
        self._values = None if callable(values) else self._checked_values(values)

    @property
    def values(self) -> NDArray[np.float64]:
        """The numbers, (nt,) or (nt, k), in `unit`; computed now if this channel was given as a function."""
        if self._values is None:
            assert self._source is not None
            self._values = self._checked_values(self._source())
            self._source = None  # lets go of whatever the function held on to
        return self._values

    @property
    def source(self) -> Callable[[], ArrayLike]:
        """What computes the values, or gives those that are computed."""
        return self._source if self._source is not None else lambda: self.values

    def bind(self, time: NDArray[np.float64]) -> Channel:
        """Tell the channel the times of its rows [s]; returns the channel itself."""
        self.time = time
        if self._values is not None:
            self._values = self._checked_values(self._values)
        return self

    def at_outputs(self) -> Channel:
        """The same channel without what is known between outputs."""
        return Channel(self.name, self.unit, self.source, self.components, self.about, time=self.time)

    def component(self, label: str) -> Channel:
        """One component as a channel of its own: `r['bob.position'].component('x')`."""
        if label not in self.components:
            raise unknown_component(self.name, label, self.components)
        column = self.components.index(label)
        about = f"{self.about} ({label})" if self.about else ""
        one = Channel(f"{self.name}.{label}", self.unit, lambda: self.values[:, column], about=about, time=self.time)
        if self.steps is not None:
            one.steps = lambda: [_component_steps(steps, column) for steps in self.steps()]
        if self._extremes is not None:
            one._extremes = self._extremes.of(column)
        return one

    def at(self, time: float) -> Any:
        """The value at a stored output time [s]: a float, or an array (k,).

        Nothing is interpolated: a time that was not stored is an error. Where a time is stored twice (before and after
        an event) the later row answers.
        """
        times = self._times()
        distance = np.abs(times - time)
        row = len(times) - 1 - int(np.argmin(distance[::-1]))
        tolerance = SAME_TIME * max(abs(time), float(times[-1] - times[0]))
        if not distance[row] <= tolerance:
            raise ValueError(
                f"'{self.name}' was not stored at t = {time:g} s (stored: {len(times)} times from {times[0]:g} s to "
                f"{times[-1]:g} s, nearest {times[row]:.9g} s); ask the simulation for output at that time"
            )
        return _number_or_row(self.values[row])

    @property
    def extremes(self) -> Extremes:
        """Smallest and largest value of each component and when, at outputs and between them; computed once."""
        if self._extremes is None:
            self.know_parts(of_all(self.steps() if self.steps is not None else []))
        assert self._extremes is not None
        return self._extremes

    @property
    def is_known_between(self) -> bool:
        """Whether extremes count what happens between outputs."""
        return self.steps is not None or self._extremes is not None

    @property
    def has_extremes(self) -> bool:
        """Whether extremes have been found."""
        return self._extremes is not None

    def know(self, extremes: Extremes) -> None:
        """Take extremes as they were found in the run."""
        if any(len(a) != max(1, len(self.components)) for a in extremes):
            raise ValueError(f"channel '{self.name}': extremes of {len(extremes.low)} components")
        self._extremes = extremes

    def know_parts(self, parts: Iterable[Extremes]) -> None:
        """Take extremes as they were found in each part of the run; rows count beside them."""
        found = of_rows(self._times(), self.values)
        for part in parts:
            found = part.together(found)
        self._extremes = found

    def min(self, axis: int | None = 0, out: Any = None, **options: Any) -> Any:
        """Smallest value over time, between outputs too: a float, or an array (k,) with one per component; what is not
        a number does not count."""
        if self.time is None or axis not in (0, None) or out is not None or options:
            return _number_or_row(np.min(self.values, axis=axis, out=out, **options))
        return self._one(self.extremes.low) if axis == 0 else float(np.fmin.reduce(self.extremes.low))

    def max(self, axis: int | None = 0, out: Any = None, **options: Any) -> Any:
        """Largest value over time, between outputs too: a float, or an array (k,) with one per component; what is not
        a number does not count."""
        if self.time is None or axis not in (0, None) or out is not None or options:
            return _number_or_row(np.max(self.values, axis=axis, out=out, **options))
        return self._one(self.extremes.high) if axis == 0 else float(np.fmax.reduce(self.extremes.high))

    def peak(self) -> Any:
        """Largest size over time, whatever its sign, between outputs too: a float, or an array (k,)."""
        return self._one(self.extremes.sizes)

    @property
    def time_of_max(self) -> Any:
        """When it is largest [s]: a float, or an array (k,)."""
        return self._one(self.extremes.high_time)

    @property
    def time_of_min(self) -> Any:
        """When it is smallest [s]: a float, or an array (k,)."""
        return self._one(self.extremes.low_time)

    def at_steps(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times and values at the steps of the run, and within long ones; at outputs where steps are not known. A time
        may stand twice, before and after a change."""
        parts = [steps.series() for steps in self.steps()] if self.steps is not None else []
        if not parts:
            return self._times(), self.values
        time, table = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
        return time, table if self.components else table[:, 0]

    def _one(self, of_components: NDArray[np.float64]) -> Any:
        return of_components if self.components else float(of_components[0])

    @property
    def final(self) -> Any:
        """The value at the last output time: a float, or an array (k,)."""
        return _number_or_row(self.values[-1])

    @property
    def shape(self) -> tuple[int, ...]:
        """(nt,) or (nt, k)."""
        return self.values.shape

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """The channel as one array (nt,) per number: {'bob.position.x': …, …}, or {name: values} for (nt,)."""
        if not self.components:
            return {self.name: self.values}
        return {f"{self.name}.{label}": self.values[:, i] for i, label in enumerate(self.components)}

    def moving_average(self, window: float, *, centred: bool = True) -> Channel:
        """Mean over a window [s]; see `results.filters`."""
        from .filters import moving_average

        return moving_average(self, window, centred=centred)

    def low_pass(self, cutoff: float, *, order: int = 4, causal: bool = False) -> Channel:
        """Butterworth low-pass at a cut-off frequency [Hz]; see `results.filters`."""
        from .filters import butterworth

        return butterworth(self, cutoff, order=order, causal=causal)

    def cfc(self, frequency_class: int) -> Channel:
        """Channel frequency class 60, 180, 600 or 1000 of crash testing; see `results.filters`."""
        from .filters import cfc

        return cfc(self, frequency_class)

    def first_peak(self, ripple: float = 0.1) -> Any:
        """The first rise and fall by more than a part of the channel's range; see `results.peaks`."""
        from .peaks import first_peak

        return first_peak(self, ripple)

    def integral(self, begin: float | None = None, end: float | None = None) -> float:
        """Over time: the impulse of a force, the work of a power."""
        from .peaks import integral

        return integral(self, begin, end)

    def spectrum(self, begin: float | None = None, end: float | None = None) -> Any:
        """Frequencies [Hz] and amplitudes of the sines it consists of; see `results.spectrum`."""
        from .spectrum import spectrum

        return spectrum(self, begin, end)

    def plot_spectrum(self, begin: float | None = None, end: float | None = None, ax: Any = None) -> Any:
        """Draw the amplitudes over frequency with matplotlib; returns the axes (None without matplotlib)."""
        from .plots import plot_spectrum

        return plot_spectrum(self, begin, end, ax)

    def plot(self, ax: Any = None) -> Any:
        """Draw the channel over time with matplotlib; returns the axes (None, with a warning, without matplotlib)."""
        from .plots import plot_channels

        axes = plot_channels([self], ax)
        return None if axes is None else axes[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = [item.values if isinstance(item, Channel) else item for item in inputs]
        return getattr(ufunc, method)(*arrays, **options)

    def __getitem__(self, index: Any) -> Any:
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        size = "not yet computed" if self._values is None else f"{self._values.shape[0]} times"
        labels = f" ({', '.join(self.components)})" if self.components else ""
        return f"<Channel {self.name}{labels} [{self.unit}], {size}>"

    def _times(self) -> NDArray[np.float64]:
        if self.time is None:
            raise ValueError(f"channel '{self.name}' does not know its times: it belongs to no Results yet")
        return self.time

    def _checked_values(self, values: ArrayLike) -> NDArray[np.float64]:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            raise ValueError(f"channel '{self.name}': values must be real numbers, got {array.dtype}")
        array = array.astype(np.float64, copy=False)
        expected = (len(self.components),) if self.components else ()
        if array.ndim == 0 or array.shape[1:] != expected:
            labels = f"the components {', '.join(self.components)}" if self.components else "no component labels"
            raise ValueError(f"channel '{self.name}': values of shape {array.shape} do not go with {labels}")
        if self.time is not None and len(array) != len(self.time):
            raise ValueError(f"channel '{self.name}': {len(array)} values for {len(self.time)} output times")
        return array


def _component_steps(steps: Steps, column: int) -> Steps:
    return steps._replace(
        ends=lambda: steps.ends()[:, column : column + 1],
        inside=lambda which: steps.inside(which)[..., column : column + 1],
    )


def _number_or_row(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value


def _checked_name(name: str) -> str:
    """Names are variable names in the results file: '<entity>.<quantity>', no slash, nothing unprintable."""
    entity, dot, quantity = name.partition(".")
    if not (entity and dot and quantity) or name != name.strip() or "/" in name or not name.isprintable():
        raise ValueError(f"channel name {name!r}: wanted '<entity>.<quantity>' of printable characters without '/'")
    return name


def _checked_components(name: str, components: Sequence[str]) -> Sequence[str]:
    if isinstance(components, Numbered):
        _checked_components(name, components.words)
        return components
    if isinstance(components, str):
        raise ValueError(f"channel '{name}': components must be a tuple of labels such as ('x', 'y', 'z')")
    labels = tuple(str(label) for label in components)
    if len(set(labels)) != len(labels):
        raise ValueError(f"channel '{name}': component labels must differ, got {', '.join(labels)}")
    for label in labels:
        if not label.isprintable() or len(label.split()) != 1 or label != label.strip() or set(label) & set("./"):
            raise ValueError(f"channel '{name}': component label {label!r} must be one word without '.' or '/'")
    return labels
