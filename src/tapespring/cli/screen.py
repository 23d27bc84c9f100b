"""What commands share: exit codes, lines on the screen, and a progress bar that only long runs show."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import typer

from ..interruption import ENDING, exit_code, interruptible

NOT_COMPLETE, BAD_INPUT, CANNOT_WRITE, NOT_TRUSTED = 1, 2, 3, 4
PATIENCE = 1.0  # s without a bar
BETWEEN_LINES = 30.0  # s, where there is no terminal to draw a bar on
FIRST_TIME = "compiling kernels: this happens once and takes about 20 s"
FIRST_OF_ITS_KIND = "compiling kernels that no model needed here so far: this happens once, and can take a minute"


def complain(text: str) -> None:
    """A line for people, on the error stream; whether it can be written there does not matter."""
    with suppress(OSError):
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
    """Mistakes as lines on the error stream and a code, without a traceback; faults of the program keep theirs. Signals
    that ask the process to end are Ctrl-C."""
    with interruptible(ENDING):
        try:
            yield
        except KeyboardInterrupt as error:
            complain(f"interrupted; {str(error) or 'nothing was saved'}")
            raise typer.Exit(exit_code()) from None
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


def leave_unwritten(error: OSError) -> NoReturn:
    """End with a sentence on something that the system refused: mostly standard output on a full disk."""
    why = error.strerror or str(error)
    if error.filename is None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still held back for it is lost
        complain(f"cannot write the output: {why}; send it elsewhere (files that were named are written before it)")
    else:
        complain(f"'{error.filename}': {why}; check the path and its permissions, or give another")
    sys.exit(CANNOT_WRITE)


class Bar:
    """Called with (fraction done, words); draws itself on the error stream once a run has taken a while. Where that is
    no terminal (batch queues, logs) it writes a line now and then."""

    def __init__(self, title: str):
        self.title = title
        self.started = self.told = time.monotonic()
        self.drawn: Any = None

    def __call__(self, fraction: float, text: str) -> None:
        fraction, now = min(max(fraction, 0.0), 1.0), time.monotonic()
        if not sys.stderr.isatty():
            if now - self.told >= BETWEEN_LINES:
                self.told = now
                complain(f"{self.title}: {fraction:.1%} after {now - self.started:.0f} s, {text}")
            return
        if self.drawn is None and now - self.started > PATIENCE:
            self.draw()
        if self.drawn is not None:
            self.drawn.update(self.task, completed=fraction, text=text)

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
    if not shown:
        yield None
        return
    bar = Bar(title)
    try:
        with compiling_told():
            yield bar
    finally:
        bar.finish()


@contextmanager
def compiling_told() -> Iterator[None]:
    """Says before kernels are compiled, once, that this is what takes so long."""
    from ..jit import Compilation, is_compiled

    said: list[str] = []

    def tell() -> None:
        if not said:
            said.append(FIRST_OF_ITS_KIND if is_compiled("accelerations_core") else FIRST_TIME)
            complain(said[0])

    with Compilation(tell):
        yield
