"""Model files: from plain data to entities, all mistakes in one pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..schema.entity import Entity, check_name
from ..schema.near_words import advice, listing
from ..schema.problems import DataPath, ModelError, Problem
from ..schema.settings import Settings
from ..schema.source import Source
from ..schema.validation import shown, validated
from ..schema.vectors import AccelerationVector
from .registry import SECTIONS, kinds, kinds_of


class Header(BaseModel):
    """What a model is called, and the gravity in it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: str = ""
    description: str = ""
    gravity: AccelerationVector = Field((0.0, 0.0, 0.0), examples=["[0, 0, -9.81 m/s^2]"])


#: The entries at the top of a model file, in the order they are written.
FILE_SECTIONS = ("bodies", "joints", "drives", "forces", "contacts", "events")
TOP = ("name", "description", "gravity", *FILE_SECTIONS, "simulate")


@dataclass
class Reading:
    """What was read, and what is wrong with it; `refused` names the entities left out."""

    header: Header = field(default_factory=lambda: Header.model_validate({}))
    entities: dict[str, dict[str, Entity]] = field(default_factory=lambda: {s: {} for s in SECTIONS})
    settings: Settings = field(default_factory=lambda: Settings.model_validate({}))
    problems: list[Problem] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)


def read_model(source: Source) -> Reading:
    """Everything in the data, as far as it can be read."""
    reading = Reading()
    data = source.data
    for key in data:
        if key not in TOP:
            message = misplaced_kind(key, data[key]) or f"unknown entry{advice(str(key), TOP, 'a model has')}"
            reading.problems.append(source.problem((key,), message, of_key=True))
    header = {key: data[key] for key in Header.model_fields if key in data}
    reading.header = collected(reading, Header, header, (), source) or reading.header
    for section in FILE_SECTIONS:
        read_section(reading, section, data.get(section), source)
    settings = data.get("simulate")
    if settings is not None:
        reading.settings = collected(reading, Settings, settings, ("simulate",), source) or reading.settings
    check_names(reading, source)
    return reading


def misplaced_kind(key: str, value: Any) -> str | None:
    """Advice for an entity that stands at the top instead of in its section."""
    kind = kinds().get(str(value.get("kind")) if isinstance(value, dict) else "")
    return f"a {kind.name} belongs under '{kind.section}:'" if kind else None


def collected(reading: Reading, model, data: Any, path: DataPath, source: Source) -> Any:
    """A validated model, or None with its problems noted."""
    try:
        return validated(model, data, path, source)
    except ModelError as error:
        reading.problems.extend(error.problems)
        return None


def read_section(reading: Reading, section: str, data: Any, source: Source) -> None:
    """All entities of one section."""
    if data is None:
        return
    if not isinstance(data, dict):
        message = f"names with their entries are wanted here, such as {{a_name: {{kind: …}}}}, not {shown(data)}"
        reading.problems.append(source.problem((section,), message))
        return
    for name, entry in data.items():
        path = (section, name)
        try:
            entity = read_entity(section, name, entry, source)
        except ModelError as error:
            reading.refused.add(str(name))
            reading.problems.extend(error.problems)
            continue
        try:
            check_name(name)
        except ValueError as error:
            reading.problems.append(source.problem(path, str(error), of_key=True))
        reading.entities[section][name] = entity


def read_entity(section: str, name: str, entry: Any, source: Source | None = None) -> Entity:
    """One entity from plain data. Raises ModelError."""
    source = source or Source({})
    path: DataPath = (section, name)
    here = kinds_of(section)
    if not isinstance(entry, dict):
        message = f"entries such as {{kind: {next(iter(here))}, …}} are wanted here, not {shown(entry)}"
        raise ModelError(source.problem(path, message))
    kind_name = entry.get("kind", next(iter(here)) if len(here) == 1 else None)
    if kind_name is None:
        raise ModelError(source.problem(path, f"needs 'kind'; choose among {listing(here)}", of_key=True))
    if not isinstance(kind_name, str):
        message = f"the kind is a single word, not {shown(kind_name)}; choose among {listing(here)}"
        raise ModelError(source.problem((*path, "kind"), message))
    if kind_name not in here:
        other = kinds().get(kind_name)
        hint = f"; it belongs under '{other.section}'" if other else advice(str(kind_name), here)
        word = f"kind '{kind_name}' does not stand under '{section}'" if other else f"unknown kind '{kind_name}'"
        raise ModelError(source.problem((*path, "kind"), f"{word}{hint}"))
    if "name" in entry:
        raise ModelError(source.problem((*path, "name"), "the name is the key of the entry; remove this", of_key=True))
    entity = validated(here[kind_name].schema, entry, path, source)
    return entity.model_copy(update={"name": name})


def check_names(reading: Reading, source: Source) -> None:
    """All names of all sections are unique together."""
    for name, first, second in repeated(reading.entities):
        a, b = (source.place((section, name), of_key=True) for section in (first, second))
        where = f" ({a} and {b})" if a and b and a.line else ""
        message = f"the name '{name}' is given twice, under '{first}' and under '{second}'{where}; rename one"
        reading.problems.append(source.problem((second, name), message, of_key=True))


def repeated(entities: dict[str, dict[str, Entity]]) -> Iterable[tuple[str, str, str]]:
    """(name, first section, second section) of names that occur twice."""
    seen: dict[str, str] = {}
    for section in FILE_SECTIONS:
        for name in entities[section]:
            if name in seen:
                yield name, seen[name], section
            seen.setdefault(name, section)
