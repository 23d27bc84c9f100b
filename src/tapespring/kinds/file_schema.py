"""The JSON Schema of a model file, for editors and for `tapespring schema`."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ..schema.settings import Settings
from .reading import FILE_SECTIONS, Header
from .registry import kinds, kinds_of

NAME = "^[A-Za-z_][A-Za-z0-9_-]*$"


def file_schema() -> dict[str, Any]:
    """Draft 2020-12: the sections, and in each the kinds that may stand there."""
    models: list[type[BaseModel]] = [Header, Settings, *(kind.schema for kind in kinds().values())]
    references, definitions = models_json_schema([(model, "validation") for model in models])
    defs = definitions["$defs"]
    for kind in kinds().values():
        schema = defs[references[(kind.schema, "validation")]["$ref"].rsplit("/", 1)[1]]
        schema["properties"].pop("name", None)  # the key of the entry
        schema["title"] = kind.name
        schema["description"] = kind.about
        if len(kinds_of(kind.section)) > 1:
            schema["required"] = ["kind", *schema.get("required", [])]
    header = defs[references[(Header, "validation")]["$ref"].rsplit("/", 1)[1]]["properties"]
    sections = {section: section_schema(section, references) for section in FILE_SECTIONS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tapespring model",
        "type": "object",
        "properties": header | sections | {"simulate": references[(Settings, "validation")]},
        "additionalProperties": False,
        "$defs": defs,
    }


def section_schema(section: str, references: dict) -> dict[str, Any]:
    """Names with entities of the section's kinds."""
    choices = [references[(kind.schema, "validation")] for kind in kinds_of(section).values()]
    return {"type": "object", "patternProperties": {NAME: {"oneOf": choices}}, "additionalProperties": False}
