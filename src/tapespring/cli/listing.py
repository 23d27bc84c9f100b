"""`tapespring kinds` and `tapespring schema`: what a model file may hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from ..kinds.describing import described, described_part, parts_by_name
from ..kinds.file_schema import file_schema
from ..kinds.registry import SECTIONS, kinds, kinds_of
from ..results import ResultsFileError
from ..schema.near_words import advice
from ..schema.problems import ModelError, Problem
from ..schema.source import replacing, yaml_text
from .screen import print_json


def list_kinds(as_json: bool) -> None:
    """Every kind with a line on it, by section."""
    if as_json:
        print_json([described(kind) for kind in kinds().values()])
        return
    width = max(len(name) for name in kinds())
    for section in SECTIONS:
        typer.echo(f"{section}:")
        for kind in kinds_of(section).values():
            typer.echo(f"  {kind.name:<{width}}  {kind.about}")
    typer.echo("`tapespring kinds NAME` shows fields and an example")


def show_kind(name: str, as_json: bool) -> None:
    """One kind in full: fields with units, and a small model that runs; or a part of kinds, such as a section or a
    mesh, or the settings. Raises ModelError."""
    if name in kinds():
        found, others = described(kinds()[name]), []
    else:
        parts = parts_by_name()
        if name not in parts:
            near = advice(name, [*kinds(), *parts], "there are")
            raise ModelError(Problem(None, (), f"no kind '{name}'{near}"))
        found, *others = [described_part(name, schema) for schema in parts[name]]
    if as_json:
        print_json([found, *others] if others else found)
        return
    if "about" in found:
        typer.echo(f"{name} (under '{found['section']}:'): {found['about']}\n")
    for part in (found, *others):
        if "about" not in part:
            typer.echo(f"{name} ({part['section']})\n")
        typer.echo(f"{part['doc']}\n")
        print_fields(part["fields"])
    if "example" in found:
        typer.echo(f"\nExample:\n\n{yaml_text(found['example'])}")


def print_fields(fields: dict[str, dict[str, Any]]) -> None:
    width = max(map(len, fields), default=0)
    for field, about in fields.items():
        unit = f" [{about['unit']}]" if about["unit"] else ""
        told = ["required"] if about["required"] else []
        told += [f"{about['about']}{unit}".strip()] if about["about"] or unit else []
        told += [f"default {about['default']}"] if about["default"] is not None else []
        told += [f"e.g. {about['example']}"] if about["example"] is not None else []
        typer.echo(f"  {field:<{width}}  {'; '.join(told)}")


def write_schema(out: Path | None) -> None:
    """The JSON Schema, printed or written whole. Raises ResultsFileError."""
    text = json.dumps(file_schema(), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        with replacing(out) as temporary:
            temporary.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ResultsFileError(f"cannot write '{out}': {error.strerror}; give another path") from None
    typer.echo(f"wrote {out}")
