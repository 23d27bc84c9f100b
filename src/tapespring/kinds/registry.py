"""All kinds there are. A module `<section>/<name>.py` that holds `KIND` adds one; nothing else has to be told."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..schema.entity import Entity

#: The sections of a model file in the order in which they are built.
SECTIONS = ("bodies", "joints", "forces", "contacts", "drives", "events")


@dataclass(frozen=True)
class Kind:
    """One kind of thing a model is made of.

    `build(entity, builder)` adds it to the assembler and the catalogue. `example` is a small complete model, as plain
    data, in which the kind appears. Kinds of a later `stage` of a section may lean on those of earlier ones.
    """

    name: str
    section: str
    schema: type[Entity]
    build: Callable[[Any, Any], None]
    about: str
    example: dict[str, Any]
    stage: int = 0


class Kinds(Mapping[str, Kind]):
    """Kinds by name; the module of a kind is imported when it is first asked for, for there are many."""

    def __init__(self, sections: dict[str, str]):
        self.sections = sections  # of every kind

    def __getitem__(self, name: str) -> Kind:
        if name not in self.sections:
            raise KeyError(name)
        kind = importlib.import_module(f"{__package__}.{self.sections[name]}.{name}").KIND
        if (kind.name, kind.section) != (name, self.sections[name]):
            raise RuntimeError(f"kind '{kind.name}' must stand in {kind.section}/{kind.name}.py")
        return kind

    def __contains__(self, name: object) -> bool:
        return name in self.sections

    def __iter__(self) -> Iterator[str]:
        return iter(self.sections)

    def __len__(self) -> int:
        return len(self.sections)


@cache
def kinds() -> Kinds:
    """Every kind by its name, by section and then in the order of the alphabet."""
    folder = Path(__file__).parent
    found = {}
    for section in SECTIONS:
        for path in sorted((folder / section).glob("*.py")):
            if "\nKIND = Kind(" in path.read_text(encoding="utf-8"):
                found[path.stem] = section
    return Kinds(found)


@cache
def kinds_of(section: str) -> Kinds:
    """The kinds that may stand in a section of a model file."""
    return Kinds({name: where for name, where in kinds().sections.items() if where == section})
