"""`tapespring fit`: from a study file to fitted values and a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from ..interruption import exit_code
from ..results import ResultsFileError
from ..results.safe_file import replacing
from .running import DEFAULT_FOLDER, shown
from .screen import NOT_COMPLETE, complain, finite, print_json, progress_bar
from .targets import check_target


def fit_file(
    file: Path, out: Path | None, profiles: bool | list[str], allowed: dict[str, Any], *, afresh: bool, as_json: bool
) -> None:
    """Fit, print, save a page and a JSON file; leaves with an exit code. Raises ModelError and ResultsFileError."""
    from ..fitting import fit

    page, kept = targets(file, out)
    if afresh and kept.is_dir():
        for old in kept.glob("start_*.json"):
            old.unlink()
    try:
        with progress_bar(file.stem) as bar:
            results = fit(file, profiles=profiles, keep=kept, parallel=True, progress=bar, **allowed)
    except KeyboardInterrupt:
        complain(f"interrupted; what was reached is in {shown(kept)}, and the same command goes on from there")
        raise typer.Exit(exit_code()) from None
    data = page.with_suffix(".json")
    with replacing(data) as written:
        written.write(json.dumps(finite(results.to_plain()), indent=2, ensure_ascii=False).encode())
    results.report(page)  # last, for it draws
    if as_json:
        print_json(results.to_plain() | {"out": shown(page)})
    else:
        typer.echo(results.summary())
        typer.echo(f"saved {shown(page)} and {shown(data)}")
    if not results.converged:
        raise typer.Exit(NOT_COMPLETE)


def targets(file: Path, out: Path | None) -> tuple[Path, Path]:
    """(page, folder of the search), found to be writable before a long search. Raises ResultsFileError."""
    page = DEFAULT_FOLDER / f"{file.stem}.fit.html" if out is None else out
    try:
        if out is None:
            DEFAULT_FOLDER.mkdir(exist_ok=True)
    except OSError as error:
        raise ResultsFileError(
            f"cannot make the folder '{DEFAULT_FOLDER}' here: {error.strerror}; give --out"
        ) from None
    check_target(page, (file, page.with_suffix(".json")))
    return page, page.with_suffix(".search")
