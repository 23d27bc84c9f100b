"""`tapespring sweep`: from a study file to samples, answers and a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from ..interruption import exit_code
from ..results.safe_file import replacing
from .running import shown
from .screen import BAD_INPUT, NOT_COMPLETE, complain, finite, print_json, progress_bar


def sweep_file(
    file: Path,
    out: Path | None,
    allowed: dict[str, Any],
    *,
    workers: int | None,
    cluster: str | None,
    afresh: bool,
    as_json: bool,
) -> None:
    """Run what is missing, print, save; leaves with an exit code. Raises ModelError and ResultsFileError."""
    from ..results.extras import MissingExtraError
    from ..studies import study
    from ..studies.outcome import default_folder

    folder = out or default_folder(file)
    try:
        with progress_bar(file.stem) as bar:
            results = study(file, keep=folder, workers=workers, cluster=cluster, afresh=afresh, progress=bar, **allowed)
    except KeyboardInterrupt:
        complain(f"interrupted; finished samples are in {shown(folder)}, and the same command goes on from there")
        raise typer.Exit(exit_code()) from None
    except MissingExtraError as error:
        complain(str(error))
        raise typer.Exit(BAD_INPUT) from None
    page = results.report(folder / "report.html")
    data: dict[str, Any] = results.to_plain()
    with replacing(folder / "answers.json") as answers:
        answers.write(json.dumps(finite(data), indent=2, ensure_ascii=False).encode())
    if as_json:
        print_json(data | {"report": shown(page)})
    else:
        typer.echo(results.summary())
        typer.echo(f"saved {shown(page)}, samples.nc and samples.csv beside it")
    if not results.complete:
        raise typer.Exit(NOT_COMPLETE)


def play_sample(file: Path, out: Path | None, index: int, allowed: dict[str, bool]) -> None:
    """Run one sample again, whole, with a page. Raises ModelError and ResultsFileError."""
    from ..studies.keeping import play_again
    from ..studies.outcome import default_folder

    played = play_again(file, out or default_folder(file), index, **allowed)
    typer.echo(played.words())
    typer.echo(f"saved {shown(played.page)}")
