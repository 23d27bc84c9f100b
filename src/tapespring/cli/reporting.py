"""`tapespring report` and `tapespring export`: runs for people to look at, and for other programs."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from ..results import Results, ResultsFileError
from ..results.extras import need
from .running import shown
from .screen import BAD_INPUT, complain
from .targets import check_target


def loaded(file: Path) -> Results:
    """A run; leaves with what to do instead if the file is none."""
    try:
        return Results.load(file)
    except ResultsFileError as error:
        there = sorted(map(str, [*file.parent.glob("*.nc"), *file.parent.glob("out/*.nc")]))
        if file.suffix in (".yaml", ".yml") and os.path.exists(file):
            complain(
                f"'{file}' is a model, not a run: `tapespring run {file} --report {file.stem}.html` writes its page"
            )
        elif there and not os.path.exists(file):
            complain(f"{error}; there are {', '.join(there[:6])}{' …' if len(there) > 6 else ''}")
        else:
            complain(str(error))
        raise typer.Exit(BAD_INPUT) from None


def report_runs(files: list[Path], out: Path | None) -> None:
    """One page about all runs. Raises ResultsFileError."""
    runs = [loaded(file) for file in files]
    page = files[0].with_suffix(".html") if out is None else out
    check_target(page, files)
    labels = [file.stem for file in files] if len(files) > 1 else ()
    if len(set(labels)) < len(labels):
        labels = [str(file.with_suffix("")) for file in files]
    typer.echo(shown(runs[0].report(page, *runs[1:], labels=labels)))


def export_run(file: Path, out: Path, patterns: list[str], speed: float | None = None) -> None:
    """By the ending of the file to write. Raises ResultsFileError."""
    results = loaded(file)
    writers = {
        ".csv": lambda: results.to_csv(out, chosen(results, patterns)),
        ".pvd": lambda: results.to_vtk(out),
        ".gif": lambda: results.to_movie(out, speed),
        ".mp4": lambda: results.to_movie(out, speed),
        ".png": lambda: draw_channels(results, out, patterns),
        ".svg": lambda: draw_channels(results, out, patterns),
    }
    if out.suffix.lower() not in writers:
        complain(
            f"'{out.name}': runs are exported as .csv (channels), .png or .svg (curves), .gif or .mp4 (movie) or .pvd "
            "(ParaView)"
        )
        raise typer.Exit(BAD_INPUT)
    check_target(out, (file,))
    typer.echo(shown(writers[out.suffix.lower()]()))


def draw_channels(results: Results, out: Path, patterns: list[str]) -> Path:
    """Curves of the channels that are like any of the patterns."""
    names = chosen(results, patterns)
    if names is None:
        complain("name what to draw, such as --channel 'bob.position' or --channel 'energy.*'")
        raise typer.Exit(BAD_INPUT)
    need("matplotlib", "plot", "a picture of curves").use("Agg")
    results.plot(*names)[0].figure.savefig(out)
    return out


def chosen(results: Results, patterns: list[str]) -> list[str] | None:
    """Names of channels, or of their components, like any of the patterns; None for all."""
    if not patterns:
        return None
    names = list(dict.fromkeys(n for p in patterns for n in (results.names(p) or ([p] if p in results else []))))
    if not names:
        complain(f"no channel is like {', '.join(patterns)}; `tapespring report` shows all of them")
        raise typer.Exit(BAD_INPUT)
    return names
