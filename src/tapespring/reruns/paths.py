"""Numbers of a model by their path, such as `forces.pivot.stiffness[0]`, changed without reading the rest anew."""

from __future__ import annotations

import re
from typing import Any

from ..kinds.reading import FILE_SECTIONS, read_entity
from ..model import Model
from ..schema.near_words import advice
from ..schema.problems import PathError, path_text
from ..schema.written import in_si


def steps_of(path: str) -> tuple[str | int, ...]:
    """`forces.pivot.stiffness[0]` → ('forces', 'pivot', 'stiffness', 0)"""
    return tuple(int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", path))


def unfrozen(data: Any) -> Any:
    """A deep copy with lists for tuples."""
    if isinstance(data, dict):
        return {key: unfrozen(value) for key, value in data.items()}
    return [unfrozen(item) for item in data] if isinstance(data, (list, tuple)) else data


def number_in(text: str) -> float | None:
    """The number of a quantity, which models write in SI; None for any other text."""
    try:
        return in_si(text)
    except ValueError:
        return None


class Numbers:
    """Numbers of a model that are changed again and again; everything else of it stays as it is."""

    def __init__(self, model: Model, paths: list[str]):
        """Raises PathError for a path that leads to no number."""
        self.model = model
        self.places = [steps_of(path) for path in paths]
        self.entries: dict[tuple[str, str], Any] = {}
        self.gravity = list(model.gravity)
        self.values = [self._found(steps) for steps in self.places]

    def _entry(self, section: str, name: str) -> Any:
        if (section, name) not in self.entries:
            entity = self.model.entities[section][name]
            self.entries[section, name] = unfrozen(entity.model_dump(mode="python", exclude_defaults=True))
        return self.entries[section, name]

    def _holder(self, steps: tuple[str | int, ...]) -> tuple[Any, str | int]:
        """The list or mapping a number stands in, and where in it."""
        first, *rest = steps
        if first == "gravity":
            data: Any = self.gravity
        else:
            if first not in FILE_SECTIONS:
                known = ["gravity", *FILE_SECTIONS]
                raise PathError(f"a path begins with one of {', '.join(known)}{advice(str(first), known)}")
            names = self.model.entities[str(first)]
            if not rest or str(rest[0]) not in names:
                wanted = str(rest[0]) if rest else ""
                raise PathError(f"there is no '{wanted}' under '{first}'{advice(wanted, names, 'there are')}")
            data, rest = self._entry(str(first), str(rest[0])), rest[1:]
        if not rest:
            raise PathError("the path ends before it reaches a number")
        for k, step in enumerate(rest[:-1]):
            data = self._inside(data, step, steps[: len(steps) - len(rest) + k + 1])
        found, last = self._inside(data, rest[-1], steps), rest[-1]
        if isinstance(found, list) and isinstance(last, int) and len(found) == len(data) == 3:
            return found, last  # moments of inertia written as three numbers are held as a matrix
        return data, last

    def _inside(self, data: Any, step: str | int, path: tuple[str | int, ...]) -> Any:
        if isinstance(data, dict) and step in data:
            return data[step]
        if isinstance(data, list) and isinstance(step, int) and step < len(data):
            return data[step]
        if isinstance(data, dict):
            raise PathError(f"nothing is written at {path_text(path)}{advice(str(step), data, 'there are')}")
        if isinstance(data, list):
            raise PathError(f"nothing is written at {path_text(path)}; it has {len(data)} items, counted from 0")
        raise PathError(f"{path_text(path[:-1])} is a single value and has no '{step}'")

    def _write_default(self, steps: tuple[str | int, ...]) -> None:
        """Write down a default on the way to a number, as if the user had."""
        if len(steps) < 3 or str(steps[1]) not in self.model.entities.get(str(steps[0]), {}):
            return
        section, name = str(steps[0]), str(steps[1])
        whole: Any = unfrozen(self.model.entities[section][name].model_dump(mode="python"))
        data = self._entry(section, name)
        for step in steps[2:]:
            if isinstance(data, dict) and step not in data and isinstance(whole, dict) and whole.get(step) is not None:
                data[step] = whole[step]
            try:
                data, whole = data[step], whole[step]
            except (KeyError, IndexError, TypeError):
                return

    def _found(self, steps: tuple[str | int, ...]) -> float:
        self._write_default(steps)
        data, last = self._holder(steps)
        value = data[last]
        if isinstance(value, str):
            value = number_in(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise PathError(f"{path_text(steps)} is {data[last]!r}, not a number")
        return float(value)

    def changed(self, values) -> Model:
        """The model with these numbers, SI or texts with a unit, in the order of the paths.

        Raises ModelError for one out of range or of another dimension.
        """
        touched = set()
        for steps, value in zip(self.places, values, strict=True):
            data, last = self._holder(steps)
            is_entry = isinstance(value, str) and steps[0] != "gravity"
            data[last] = value if is_entry else in_si(value, "m/s^2" if steps[0] == "gravity" else "")
            if steps[0] != "gravity":
                touched.add((str(steps[0]), str(steps[1])))
        model = type(self.model).__new__(type(self.model))
        model.__dict__.update(self.model.__dict__)
        gx, gy, gz = self.gravity
        model.gravity = (gx, gy, gz)
        model.entities = {section: dict(entities) for section, entities in self.model.entities.items()}
        for section, name in touched:
            model.entities[section][name] = read_entity(section, name, self.entries[section, name], self.model.source)
        return model
