"""What commands share: exit codes, lines on the screen, and a progress bar that only long runs show."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

NOT_COMPLETE, BAD_INPUT, CANNOT_WRITE, INTERRUPTED = 1, 2, 3, 130
PATIENCE = 1.0  # s without a bar


def complain(text: str) -> None:
    """A line for people, on the error stream."""
    typer.echo(text, err=True)


def print_json(data: Any) -> None:
    """Data for programs; numbers JSON does not know (NaN, infinity) become null."""
    typer.echo(json.dumps(finite(data), indent=2, ensure_ascii=False))


def finite(data: Any) -> Any:
    """The data with null for numbers that are not finite."""
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [finite(value) for value in data]
    if isinstance(data, float) and not abs(data) < float("inf"):
        return None
    return data


@contextmanager
def exit_codes() -> Iterator[None]:
    """Mistakes as lines on the error stream and a code, without a traceback; faults of the program keep theirs."""
    try:
        yield
    except KeyboardInterrupt:
        complain("interrupted; nothing was saved")
        raise typer.Exit(INTERRUPTED) from None
    except Exception as error:
        code = code_of(error)
        if code is None:
            raise
        complain(str(error))
        raise typer.Exit(code) from None


def code_of(error: Exception) -> int | None:
    """The exit code of a mistake, or None for anything else."""
    from ..results.extras import MissingExtraError
    from ..results.safe_file import ResultsFileError
    from ..schema.problems import ModelError

    if isinstance(error, ModelError | MissingExtraError):
        return BAD_INPUT
    return CANNOT_WRITE if isinstance(error, ResultsFileError) else None


class Bar:
    """Called with (fraction done, words); draws itself on the error stream once a run has taken a while."""

    def __init__(self, title: str):
        self.title = title
        self.started = time.monotonic()
        self.drawn: Any = None
        self.said: set[str] = set()

    def __call__(self, fraction: float, text: str) -> None:
        if "compil" in text and text not in self.said:  # nothing is reported while that lasts
            self.said.add(text)
            complain(text)
        if self.drawn is None and time.monotonic() - self.started > PATIENCE and sys.stderr.isatty():
            self.draw()
        if self.drawn is not None:
            self.drawn.update(self.task, completed=min(max(fraction, 0.0), 1.0), text=text)

    def draw(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        self.drawn = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[text]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self.task = self.drawn.add_task(self.title, total=1.0, text="")
        self.drawn.start()

    def finish(self) -> None:
        """Leave the terminal as it should be."""
        if self.drawn is not None:
            self.drawn.stop()
            self.drawn = None


@contextmanager
def progress_bar(title: str, *, shown: bool = True) -> Iterator[Bar | None]:
    """A bar for a block, or None; it ends with the block however that ends."""
    bar = Bar(title) if shown else None
    try:
        yield bar
    finally:
        if bar is not None:
            bar.finish()
