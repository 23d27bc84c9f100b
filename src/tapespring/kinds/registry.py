"""All kinds there are. A module below this folder that holds `KIND` adds one; nothing else has to be told."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..schema.entity import Entity

#: The sections of a model file in the order in which they are built.
SECTIONS = ("bodies", "joints", "forces", "drives", "events")


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


@cache
def kinds() -> dict[str, Kind]:
    """Every kind by its name, by section and then in the order of the alphabet."""
    folder = importlib.import_module(__package__)
    found = []
    for module in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        kind = getattr(importlib.import_module(module.name), "KIND", None)
        if kind is not None:
            found.append(kind)
    found.sort(key=lambda kind: (SECTIONS.index(kind.section), kind.name))
    named = {kind.name: kind for kind in found}
    if len(named) != len(found):
        raise RuntimeError("two kinds share a name")
    return named


def kinds_of(section: str) -> dict[str, Kind]:
    """The kinds that may stand in a section of a model file."""
    return {name: kind for name, kind in kinds().items() if kind.section == section}
