"""`tapespring run`: from a model file to a results file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from ..interruption import exit_code, was_interrupted
from ..model import Model
from ..results import Results, ResultsFileError
from ..schema.problems import ModelError, Problem
from .screen import CANNOT_WRITE, NOT_COMPLETE, NOT_TRUSTED, complain, print_json, progress_bar
from .targets import check_target

DEFAULT_FOLDER = Path("out")


def run_file(
    file: Path,
    out: Path | None,
    changes: list[str],
    settings: dict[str, Any],
    allowed: dict[str, bool],
    *,
    page: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run, print, save; leaves with an exit code. Raises ModelError and ResultsFileError."""
    model = changed(Model.from_file(file, **allowed), changes)
    target = writable(out, file)
    if page is not None:
        check_target(page, (file, target, settings.get("restart"), settings.get("checkpoint")))
    if settings.get("checkpoint") is not None:
        check_target(settings["checkpoint"], (file, target))
    with progress_bar(model.name or file.stem, shown=not quiet) as bar:
        results = model.simulate(progress=bar, **settings)
    results, saved = kept(results, target)
    page, trouble = drawn_page(results, page) if page is not None and saved else (None, "")
    if as_json:
        print_json(report(results, model, saved) | ({} if page is None else {"report": shown(page)}))
    elif not quiet:
        typer.echo(results.summary())
        typer.echo(f"  saved       {shown(saved)}" if saved else "  saved       nothing: no output time was reached")
        if page:
            typer.echo(f"  report      {shown(page)}")
    if trouble:
        complain(trouble)
    if results.status.complete and was_interrupted():
        complain(f"interrupted; the results are in {shown(saved)}" if saved else "interrupted; nothing was saved")
        raise typer.Exit(exit_code())
    leave(results, saved, quiet or as_json)
    if trouble:
        raise typer.Exit(CANNOT_WRITE)


def kept(results: Results, target: Path) -> tuple[Results, Path | None]:
    """(the run, its file or None if it has no rows). What an interrupted run reached is on disk before anything is
    found between its outputs, for whoever interrupted it may not wait; interrupted in that, it is kept without."""
    if not len(results.time):
        return results, None
    try:
        if results.status.code == "interrupted":
            results.at_outputs().save(target)
        return results, results.save(target)
    except KeyboardInterrupt as interrupt:
        if str(interrupt):  # it is saved
            raise
    quick = results.at_outputs()
    quick.notes.append("extremes and energy audit are those of the outputs: finding more was interrupted")
    return quick, quick.save(target)


def drawn_page(results: Results, page: Path) -> tuple[Path | None, str]:
    """(the page, why there is none): a run that was saved is not lost because it cannot be drawn."""
    try:
        return results.report(page), ""
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the results are saved, and there is no page") from None
    except Exception as error:
        why = str(error) if isinstance(error, ResultsFileError) else f"{type(error).__name__}: {error}"
        return None, f"the results are saved, but the page could not be drawn: {why}"


def changed(model: Model, changes: list[str]) -> Model:
    """The model with values replaced: `bodies.bob.mass=2 kg`. Raises ModelError."""
    for change in changes:
        path, equals, value = change.partition("=")
        if not equals or not path.strip():
            message = f"--set {change}: write a path and a value, such as bodies.bob.mass='2 kg'"
            raise ModelError(Problem(None, (), message))
        model = model.set(path.strip(), value.strip())
    return model


def writable(out: Path | None, file: Path) -> Path:
    """Where the results go, found to be writable before a long run. Raises ResultsFileError."""
    if out is None:
        try:
            DEFAULT_FOLDER.mkdir(exist_ok=True)
        except OSError as error:
            message = f"cannot make the folder '{DEFAULT_FOLDER}' here: {error.strerror}; give --out"
            raise ResultsFileError(message) from None
        out = DEFAULT_FOLDER / f"{file.stem}.nc"
    check_target(out, (file,))
    return out


def shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def report(results: Results, model: Model, saved: Path | None) -> dict[str, Any]:
    """The run as plain data."""
    audit = results.audit
    return {
        "model": model.name,
        "complete": results.status.complete,
        "status": results.status.code,
        "message": results.status.message,
        "time": results.status.time,
        "verdict": results.verdict.to_plain(),
        "out": None if saved is None else shown(saved),
        "solver": results.provenance.get("solver"),
        "energy": None
        if audit is None
        else {"relative": audit.relative, "largest_residual_J": audit.largest_residual[0]},
        "violation": results.violation,
        "counters": results.counters,
        "timing": results.timing,
        "phases": results.phases,
        **({"errors": results.errors} if results.errors else {}),
        "events": [{"name": event.name, "time": event.time} for event in results.events],
        "notes": results.notes,
    }


def leave(results: Results, saved: Path | None, terse: bool) -> None:
    """Leave with the exit code of a run."""
    if results.status.complete:
        if results.verdict.trusted:
            return
        if terse:
            complain(results.verdict.sentence)
        raise typer.Exit(NOT_TRUSTED)
    if terse:
        complain(results.status.message or results.status.code)
    if results.status.code == "interrupted":
        complain(f"interrupted; what was reached is in {shown(saved)}" if saved else "interrupted; nothing was saved")
        raise typer.Exit(exit_code())
    raise typer.Exit(NOT_COMPLETE)
