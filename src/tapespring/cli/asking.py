"""`tapespring check`, `modes`, `buckling`, `equilibrium` and `mesh`: questions about a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from ..kinds.reading import FILE_SECTIONS
from ..model import Model
from ..schema.problems import ModelError, Problem
from .screen import NOT_COMPLETE, print_json


def check_file(file: Path, allowed: dict[str, bool], settings: dict[str, Any], as_json: bool) -> None:
    """What the model is made of, and notes, if it can be run with these settings. Raises ModelError."""
    model = Model.from_file(file, **allowed)
    notes = model.check(**settings)
    counts = {section: len(model.section(section)) for section in FILE_SECTIONS if model.section(section)}
    if as_json:
        print_json({"model": model.name, "ok": True, "counts": counts, "notes": notes})
        return
    parts = ", ".join(f"{count} {section if count > 1 else singular(section)}" for section, count in counts.items())
    typer.echo(f"{file}: ok ({parts or 'empty'})")
    for note in notes:
        typer.echo(f"  note: {note}")


def singular(section: str) -> str:
    """`bodies` → body, `joints` → joint"""
    return section[:-3] + "y" if section.endswith("ies") else section.removesuffix("s")


def chosen_place(at: str | None, at_end: bool, state: Path | None, at_rest: bool = False) -> dict[str, Any]:
    """What a question is about, as `modes` and `buckling` take it. Raises ModelError."""
    given = {
        "--at": {"at": at} if at is not None else None,
        "--at-end": {"at": "end"} if at_end else None,
        "--state": {"state": state} if state is not None else None,
        "--at-equilibrium": {"at": "rest"} if at_rest else None,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    if len(chosen) > 1:
        raise ModelError(Problem(None, (), f"{' and '.join(chosen)} name different places; give one"))
    return next(iter(chosen.values()), {})


def show_modes(
    file: Path, count: int | None, place: dict[str, Any], spin: str | None, allowed: dict[str, bool], as_json: bool
) -> None:
    """Frequencies [Hz], damping ratios and what moves, from the lowest. Raises ModelError."""
    from ..simulate import is_at_rest

    model = Model.from_file(file, **allowed)
    turning = None if spin is None else spin.split(maxsplit=1)
    found = model.modes(count, **place, spin=turning)
    rows = [
        {
            "frequency_hz": float(found.frequencies_hz[k]),
            "damping_ratio": float(found.damping_ratios[k]),
            "unstable": bool(found.unstable[k]),
            "about": found.describe(k),
        }
        for k in range(len(found.frequencies_hz))
    ]
    if as_json:
        print_json({"modes": rows, "notes": list(found.notes)})
        return
    if not rows:
        typer.echo("no degree of freedom, so no modes")
        return
    if not place and turning is None and not is_at_rest(model):
        typer.echo("the model is not at rest where it is drawn; --at-equilibrium takes the modes about rest")
    for note in found.notes:
        typer.echo(f"note: {note}")
    typer.echo("mode  frequency [Hz]  damping ratio")
    for k, row in enumerate(rows, start=1):
        grows = "  unstable: the motion grows" if row["unstable"] else ""
        typer.echo(f"{k:4d}  {row['frequency_hz']:14.6g}  {row['damping_ratio']:13.6g}  {row['about']}{grows}")


def show_buckling(file: Path, count: int, place: dict[str, Any], allowed: dict[str, bool], as_json: bool) -> None:
    """Critical times [s] and what gives way, from the earliest. Raises ModelError."""
    found = Model.from_file(file, **allowed).buckling(count, **place)
    rows = [{"critical_time_s": float(t), "about": found.describe(k)} for k, t in enumerate(found.critical_times)]
    if as_json:
        print_json({"time_s": found.time, "buckling": rows})
        return
    if not rows:
        typer.echo("loads that grow as they do here make nothing buckle")
        return
    typer.echo(f"about the balanced place at t = {found.time:g} s; loads that grow in proportion to time: load factors")
    typer.echo("mode  critical time [s]")
    for k, row in enumerate(rows, start=1):
        typer.echo(f"{k:4d}  {row['critical_time_s']:17.8g}  {row['about']}")


def show_equilibrium(file: Path, allowed: dict[str, bool], as_json: bool) -> None:
    """Where the bodies come to rest. Raises ModelError."""
    from ..simulate import prepare

    model = Model.from_file(file, **allowed)
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


def show_meshes(file: Path, body: str | None, output: Path | None, allowed: dict[str, bool], as_json: bool) -> None:
    """List the meshes of a model, or write one. Raises ModelError."""
    from ..questions import meshes

    model = Model.from_file(file, **allowed)
    if output is not None:
        model.write_mesh(output, body)
        typer.echo(f"{output}: written")
        return
    found: dict[str, Any] = {
        name: {
            "nodes": len(grid.points),
            "elements": {kind: len(cells) for kind, cells in grid.cells.items()},
            "groups": {group: len(nodes) for group, nodes in grid.groups.items()},
        }
        for name, grid in meshes(model).items()
        if body in (None, name)
    }
    if as_json:
        print_json(found)
        return
    for name, about in found.items():
        elements = ", ".join(f"{count} {kind}" for kind, count in about["elements"].items())
        typer.echo(f"{name}: {about['nodes']} nodes, {elements}")
        typer.echo("  groups: " + ", ".join(f"{group} ({count})" for group, count in about["groups"].items()))
