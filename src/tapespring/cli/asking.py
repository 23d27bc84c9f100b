"""`tapespring check`, `modes` and `equilibrium`: questions that need no run."""

from __future__ import annotations

from pathlib import Path

import typer

from ..kinds.reading import FILE_SECTIONS
from ..model import Model
from .screen import NOT_COMPLETE, print_json


def check_file(file: Path, as_json: bool) -> None:
    """What the model is made of, and notes. Raises ModelError."""
    model = Model.from_file(file)
    notes = model.check()
    counts = {section: len(model.section(section)) for section in FILE_SECTIONS if model.section(section)}
    if as_json:
        print_json({"model": model.name, "ok": True, "counts": counts, "notes": notes})
        return
    parts = ", ".join(f"{count} {section}" for section, count in counts.items()) or "empty"
    typer.echo(f"{file}: ok ({parts})")
    for note in notes:
        typer.echo(f"  note: {note}")


def show_modes(file: Path, count: int | None, at_equilibrium: bool, as_json: bool) -> None:
    """Frequencies [Hz] and damping ratios from the lowest. Raises ModelError."""
    from ..simulate import is_at_rest

    model = Model.from_file(file)
    found = model.modes(count, at_equilibrium=at_equilibrium)
    rows = [
        {"frequency_hz": float(frequency), "damping_ratio": float(ratio), "unstable": bool(unstable)}
        for frequency, ratio, unstable in zip(found.frequencies_hz, found.damping_ratios, found.unstable, strict=True)
    ]
    if as_json:
        print_json({"modes": rows})
        return
    if not rows:
        typer.echo("no degree of freedom, so no modes")
        return
    if not at_equilibrium and not is_at_rest(model):
        typer.echo("the model is not at rest where it is drawn; --at-equilibrium takes the modes about rest")
    typer.echo("mode  frequency [Hz]  damping ratio")
    for k, row in enumerate(rows, start=1):
        grows = "  unstable: the motion grows" if row["unstable"] else ""
        typer.echo(f"{k:4d}  {row['frequency_hz']:14.6g}  {row['damping_ratio']:13.6g}{grows}")


def show_equilibrium(file: Path, as_json: bool) -> None:
    """Where the bodies come to rest. Raises ModelError."""
    from ..simulate import prepare

    model = Model.from_file(file)
    found = model.equilibrium()
    system = prepare(model)[2].system
    centres: dict[str, list[float]] = {}
    for draft, node in zip(system.drafts.nodes, system.tables.nodes, strict=True):
        if draft.label in model.section("bodies"):
            start = int(node["q"])
            centres[draft.label] = [float(x) for x in found.q[start : start + 3]]
    if as_json:
        print_json({"found": bool(found.converged), "message": found.message, "centres_m": centres})
    else:
        typer.echo(found.message)
        for name, point in centres.items():
            typer.echo(f"  {name:<20}" + " ".join(f"{x:14.9g}" for x in point) + "  m (centre of mass)")
    if not found.converged:
        raise typer.Exit(NOT_COMPLETE)
