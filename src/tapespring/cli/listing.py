"""`tapespring kinds` and `tapespring schema`: what a model file may hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from ..kinds.file_schema import file_schema
from ..kinds.registry import SECTIONS, Kind, kinds, kinds_of
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
    for section in SECTIONS:
        typer.echo(f"{section}:")
        for kind in kinds_of(section).values():
            typer.echo(f"  {kind.name:<16}{kind.about}")
    typer.echo("`tapespring kinds NAME` shows fields and an example")


def show_kind(name: str, as_json: bool) -> None:
    """One kind in full: fields with units, and a small model that runs. Raises ModelError."""
    if name not in kinds():
        raise ModelError(Problem(None, (), f"no kind '{name}'{advice(name, kinds(), 'there are')}"))
    kind = kinds()[name]
    found = described(kind)
    if as_json:
        print_json(found)
        return
    typer.echo(f"{kind.name} (under '{kind.section}:'): {kind.about}\n\n{kind.schema.__doc__}\n")
    width = max(len(field) for field in found["fields"])
    for field, about in found["fields"].items():
        needed = "required; " if about["required"] else ""
        example = f" e.g. {about['example']}" if about["example"] is not None else ""
        typer.echo(f"  {field:<{width}}  {needed}{about['about']}{example}".rstrip())
    typer.echo("\nExample:\n")
    typer.echo(yaml_text(kind.example))


def described(kind: Kind) -> dict[str, Any]:
    """A kind as plain data: fields with what they are, their units and an example."""
    definitions = file_schema()["$defs"]
    schema = definitions[kind.schema.__name__]
    required = set(schema.get("required", ()))
    fields = {}
    for name, field in schema["properties"].items():
        if name == "kind":
            continue
        told = parts_of(field, definitions)
        fields[name] = {
            "about": "; ".join(dict.fromkeys(told["description"])),
            "example": told["examples"][0] if told["examples"] else None,
            "required": name in required,
        }
    return {
        "kind": kind.name,
        "section": kind.section,
        "about": kind.about,
        "doc": kind.schema.__doc__,
        "fields": fields,
        "example": kind.example,
    }


def parts_of(field: dict[str, Any], definitions: dict[str, Any]) -> dict[str, list[Any]]:
    """Descriptions and examples of a field, also those of the types it is made of."""
    told: dict[str, list[Any]] = {"description": [], "examples": []}
    if "$ref" in field:
        inner = parts_of(definitions[field["$ref"].rsplit("/", 1)[1]], {})
        told["description"] += inner["description"]
    told["description"] += [field["description"]] if "description" in field else []
    told["examples"] += field.get("examples", [])
    for choice in field.get("anyOf", ()):
        if choice.get("type") != "null":
            inner = parts_of(choice, definitions)
            told["description"] += inner["description"]
            told["examples"] += inner["examples"]
    return told


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
