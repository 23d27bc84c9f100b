"""Kinds, and the parts they are made of, as plain data: fields with what they are, unit, default and an example."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import numpy as np
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ..schema.settings import Settings, Stage
from .either import Written
from .registry import Kind, kinds

WITH_UNIT = re.compile(r" in [^,;]*, or text with a unit such as '[^']*'")


def described(kind: Kind) -> dict[str, Any]:
    """A kind with its fields and a small model in which it appears."""
    return {
        "kind": kind.name,
        "section": kind.section,
        "about": kind.about,
        "doc": inspect.cleandoc(kind.schema.__doc__ or ""),
        "fields": fields_of(kind.schema),
        "example": kind.example,
    }


def all_parts() -> list[type[BaseModel]]:
    """Schemas of settings, and of what stands in fields of kinds, none twice."""
    found: dict[type[BaseModel], None] = {Settings: None} | parts_within(Settings)
    for kind in kinds().values():
        found |= parts_within(kind.schema)
    return list(found)


def parts_by_name() -> dict[str, list[type[BaseModel]]]:
    """Parts by what a user calls them: their `kind`, or the section of the file; some names are those of several."""
    found: dict[str, list[type[BaseModel]]] = {"simulate": [Settings], "stages": [Stage]}
    for schema in all_parts():
        field = schema.model_fields.get("kind")
        if field is not None and isinstance(field.default, str):
            found.setdefault(field.default, []).append(schema)
    return found


def described_part(name: str, schema: type[BaseModel]) -> dict[str, Any]:
    """A part with its fields, and the folder of what it is one of: sections, meshes, surfaces …"""
    folder = schema.__module__.rpartition(".")[0].rpartition(".")[2]
    doc = inspect.cleandoc(schema.__doc__ or "")
    where = "settings" if folder == "schema" else folder.replace("_", " ")
    return {"kind": name, "section": where, "doc": doc, "fields": fields_of(schema)}


def fields_of(schema: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """Every field of a kind or part but `kind` and the name it is entered by."""
    whole = schema.model_json_schema()
    properties, definitions = whole.get("properties", {}), whole.get("$defs", {})
    fields = {}
    for name, field in schema.model_fields.items():
        if name not in properties or name == "kind" or field.exclude:
            continue
        told = parts_of(properties[name], definitions)
        told["description"] = told["description"] or kinds_among(properties[name])
        fields[name] = {
            "about": in_words(told["description"], properties[name].get("enum", ())),
            "unit": " or ".join(dict.fromkeys(units_of(field))),
            "default": written(default_of(field)),
            "example": written(told["examples"][0] if told["examples"] else None),
            "required": field.is_required(),
        }
    return fields


def kinds_among(field: dict[str, Any]) -> list[str]:
    """Of a field that takes one of several kinds of parts."""
    found = [*field.get("discriminator", {}).get("mapping", {})]
    return [f"kind: {', '.join(found)}"] if found else []


def in_words(told: list[str], choices: Sequence[Any]) -> str:
    """Descriptions in one line, without the unit, which has a place of its own."""
    plain = [WITH_UNIT.sub("", " ".join(words.split())).rstrip(".") for words in told]
    said = [words for words in dict.fromkeys(plain) if not (" vector in " in words and len(plain) > 1)]
    return "; ".join([*said, *([f"one of {', '.join(map(str, choices))}"] if choices else [])])


def written(value: Any) -> str | None:
    """A value as it would stand in a file."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(str(written(item)) for item in value) + "]"
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


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


def units_of(field: FieldInfo) -> list[str]:
    """SI units of what a field may hold, as text; none for words, names and plain numbers."""
    return [unit for reader in readers_in(field.annotation, field.metadata) if (unit := unit_of(reader))]


def readers_in(annotation: Any, metadata: Any) -> Iterator[Any]:
    """Whatever reads values of an annotated type, and of those it is made of."""
    yield from metadata
    yield from getattr(annotation, "__metadata__", ())
    if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        for inner in get_args(annotation):
            yield from readers_in(inner, ())


def unit_of(reader: Any) -> str:
    """Of quantities, vectors and pairs of them, functions, and values of one of several dimensions."""
    if hasattr(reader, "readers"):
        return " or ".join(dict.fromkeys(unit_of(each) or "1" for each in reader.readers))
    dimension = getattr(getattr(reader, "each", reader), "dimension", None) or getattr(reader, "result", None)
    return getattr(dimension, "unit", "")


def default_of(field: FieldInfo) -> Any:
    """As it would be written; None where there is none, or where leaving a field out means something of its own."""
    value = field.get_default(call_default_factory=True)
    if field.is_required() or value in (None, (), {}, ""):
        return None
    if isinstance(value, Written):
        return value.value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_defaults=True) or None
    return 0.0 if isinstance(value, tuple) and isinstance(value[0], tuple) and not np.any(value) else value


def parts_within(schema: type[BaseModel]) -> dict[type[BaseModel], None]:
    """Schemas that the fields of one are made of, all the way down, in the order in which they are met."""
    found: dict[type[BaseModel], None] = {}
    for field in schema.model_fields.values():
        for part in schemas_in(field.annotation):
            if part not in found and part is not schema:
                found |= {part: None} | parts_within(part)
    return found


def schemas_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Schemas among the choices and items of a type."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from schemas_in(inner)
