"""`quasi-static`: a sequence of balanced places, along time (`along_time`) or along the path of equilibria
(`along_path`).

Along time, increments end at the output times and are cut where Newton's method fails. Along the path, time itself is
an unknown (loads and drives are functions of it), so that the path is followed through limit points where no balanced
place lies ahead in time: each increment goes a given way along the tangent and is corrected at right angles to it.
Where a run along time follows snaps, inertia takes it to the next balanced place (`snap`) and it goes on from there.
"""

from __future__ import annotations

import time as clock_of_day
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import status
from .along_path import FIRST_WAY, MOST_PLACES, along_path
from .along_time import along_time
from .initial import Start
from .memory import recall
from .search import Search, TooDeepError
from .static_run import StaticRun

if TYPE_CHECKING:
    from .transient import Run


@dataclass
class BegunSearch:
    """A quasi-static run about to look for its first balanced place."""

    search: Search
    settings: Any
    times: Sequence[float]

    @property
    def run(self) -> StaticRun:
        """What has been recorded."""
        return self.search.run

    def go_on(self, progress=None, keep=None) -> StaticRun:
        """Balanced places for settings.duration. Where snaps were followed, this is what came after the last one."""
        from .snap import follow_snap

        search, settings, times = self.search, self.settings, self.times
        t, path = search.start.t, settings.control == "path"
        end = t + float(settings.duration)
        search.load_kernels()
        search.keep = keep
        search.follows = settings.snaps == "follow"
        search.began = clock_of_day.process_time()
        code = status.NO_BALANCE
        earlier: list[StaticRun | Run] = []
        try:
            done = search.settle() or search.sink()
            if done:
                search.accept()
                if path or (len(times) and times[0] <= t):
                    search.write(0.0 if path else None)
                done = (
                    along_path(search, end, FIRST_WAY, progress) if path else along_time(search, times, end, progress)
                )
                while not done and search.follows and follow_snap(search, settings, earlier, len(times) + 2, progress):
                    done = along_time(search, times, end, progress)
            if not done:
                search.explain()
            code = status.DONE if done else status.NO_BALANCE
        except TooDeepError as error:
            code, search.run.trouble = status.TOO_DEEP, str(error)
        except KeyboardInterrupt:
            search.run.interrupted = True
        run = search.end_run(code)
        run.earlier = earlier
        return run


def begin_quasi_static(start: Start, settings, times) -> BegunSearch:
    """Choose the linear solver and make room for balanced places from the start on. Raises ModelError."""
    recall(start, by_mode=False)
    rows = MOST_PLACES if settings.control == "path" else len(times) + 2
    return BegunSearch(Search(start, settings, rows, start.t), settings, times)


def run_quasi_static(start: Start, settings, times, progress=None, keep=None) -> StaticRun:
    """Balanced places from the start on, for settings.duration."""
    return begin_quasi_static(start, settings, times).go_on(progress, keep)
