"""`tapespring compare-solvers`: which solver suits a model, by measurement."""

from __future__ import annotations

from pathlib import Path

import typer

from ..model import Model
from ..results.safe_file import replacing
from .running import DEFAULT_FOLDER, shown
from .screen import print_json, progress_bar
from .targets import check_target


def compare_file(
    file: Path, out: Path | None, accuracy: float, duration: str | None, allowed: dict[str, bool], as_json: bool
) -> None:
    """Compare, print a table, save a plot. Raises ModelError and ResultsFileError."""
    from ..comparing import compare_solvers

    model = Model.from_file(file, **allowed)
    span = model.settings.changed(duration=duration).duration if duration else None
    if out is None:
        DEFAULT_FOLDER.mkdir(exist_ok=True)
        out = DEFAULT_FOLDER / f"{file.stem}.solvers.svg"
    check_target(out, (file,))
    with progress_bar(file.stem) as bar:
        found = compare_solvers(model, accuracy, span, progress=bar)
    with replacing(out) as drawing:
        drawing.write(found.figure().encode())
    if as_json:
        print_json(found.to_plain() | {"out": shown(out)})
    else:
        typer.echo(found.table())
        typer.echo(f"saved {shown(out)}: work against precision")
