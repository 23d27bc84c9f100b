"""`tapespring reduce`: a reduced body, and what it is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from ..reduction.reduce import reduced_with_report
from ..reduction.report import Report
from ..schema.problems import ModelError, Problem
from .screen import print_json
from .targets import check_target

SHOWN = 40


def reduce_file(
    file: Path, interfaces: str, output: Path | None, options: dict[str, Any], reading: dict[str, Any], as_json: bool
) -> None:
    """Raises ModelError, ResultsFileError."""
    if options["modes"] is not None and options["below"] is not None:
        raise ModelError(Problem(None, (), "--modes and --below both say how many modes; give one"))
    if options["modes"] is not None and options["modes"] < 0:
        raise ModelError(Problem(None, (), f"--modes {options['modes']}: a number of modes is not negative"))
    if output is not None:
        check_target(output, (file, reading.get("mass")))
    try:
        body, report = reduced_with_report(file, interfaces, **options, **reading)
    except TypeError as reason:
        if "unexpected keyword" not in str(reason):
            raise
        option = str(reason).rpartition("'")[0].rpartition("'")[2].replace("_", "-")
        raise ModelError(Problem(None, (), f"--{option} does not go with {file.suffix} files; remove it")) from None
    if output is not None:
        body.save(output)
    if as_json:
        print_json(report.plain() | {"name": body.name, "modes": body.count, "output": str(output or "")})
        return
    show(body, report)
    if output is not None:
        typer.echo(f"{output}: {body.count} modes, {len(body.frames)} interfaces")


def show(body, report: Report) -> None:
    centre = ", ".join(f"{x:.6g}" for x in body.inertia.centre)
    typer.echo(f"{body.name}: {report.mass:.9g} kg, centre of mass ({centre}) m, {len(body.positions)} nodes")
    held = (
        "with the interfaces held" if report.method == "craig-bampton" and body.frames else "with the interfaces free"
    )
    typer.echo(f"normal modes {held if body.frames else 'of the structure'}:")
    typer.echo("mode  frequency [Hz]" + ("   effective mass x       y       z" if report.effective is not None else ""))
    for k, f in enumerate(report.normal_hz[:SHOWN]):
        part = "" if report.effective is None else "        " + "".join(f" {p:7.2%}" for p in report.effective[k, :3])
        typer.echo(f"{k + 1:4d}  {f:14.6g}{part}")
    if len(report.normal_hz) > SHOWN:
        typer.echo(f"   … {len(report.normal_hz) - SHOWN} more")
    if report.effective is not None and len(report.normal_hz):
        total = "".join(f" {p:7.2%}" for p in report.effective[:, :3].sum(axis=0))
        typer.echo(f"   all {' ' * 14}        {total}")
    first = ", ".join(f"{f:.6g}" for f in report.body_hz[:8])
    typer.echo(f"the reduced body: {body.count} modes, {report.free_motions} free motions; slowest {first} Hz")
    if report.dropped:
        typer.echo(f"{report.dropped} directions that depend on others were dropped")
    for name, error in report.static_error.items():
        where = ", the other interfaces held" if report.free_motions else ""
        typer.echo(f"static error under unit loads on '{name}'{where}: {error:.2g} (energy norm)")
    for name, error in report.accelerated_error.items():
        typer.echo(f"error under unit loads on '{name}' that accelerate it: {error:.2g} (energy norm)")
    for note in report.notes:
        typer.echo(f"note: {note}")
    typer.echo(report.advice())
