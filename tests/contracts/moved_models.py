"""The same mechanism written down differently: elsewhere, turned, under other names and in another order.

Every field that is a place, a direction or a set of axes stands in FIELDS with what happens to it when the whole is
moved; `unknown_fields` names those that do not, so that a new kind has to say. References to the ground become places
on the ground that moved along, so that whatever is given in the axes of its place stays as it is.
"""

from __future__ import annotations

import re
from typing import Any, get_args

import numpy as np
from pydantic import BaseModel
from scipy.spatial.transform import Rotation

from tapespring import Model
from tapespring.kinds.paths.course import start_frame
from tapespring.kinds.registry import kinds
from tapespring.schema.functions import Constant, Expression, Table

PLACE, DIRECTION, AXES, HISTORY, REFERENCE, OWN = ["place", "direction", "axes", "history", "reference", "own"]
SECTIONS = ("bodies", "joints", "drives", "forces", "contacts", "events")

#: by class and field, or by field alone: OWN is in the axes of the body or place it belongs to
FIELDS: dict[str, str] = {
    "at": PLACE, "axis": DIRECTION, "axis2": DIRECTION, "normal": DIRECTION, "velocity": DIRECTION, "orientation": AXES,
    "between": REFERENCE, "through": REFERENCE, "on": REFERENCE, "among": REFERENCE, "attach": OWN, "along": DIRECTION,
    "origin": PLACE, "force": HISTORY, "torque": HISTORY, "moment": HISTORY, "centre": PLACE, "start": PLACE,
    "end": PLACE, "points": PLACE, "tangent": DIRECTION, "start_tangent": DIRECTION, "end_tangent": DIRECTION,
    "up": DIRECTION, "vertical": DIRECTION,
    "Arc.through": PLACE, "Rigid.com": OWN, "Rigid.angular_velocity": OWN, "Modal.angular_velocity": OWN,
    "Beam.angular_velocity": DIRECTION, "Cable.angular_velocity": DIRECTION, "Membrane.angular_velocity": DIRECTION,
    "Shell.angular_velocity": DIRECTION, "Solid.angular_velocity": DIRECTION,
    "MovingFrame.position": HISTORY, "MovingFrame.velocity": OWN, "MovingFrame.acceleration": OWN,
    "MovingFrame.angular_velocity": OWN, "TurnAbout.axis": OWN, "EulerTurns.euler": OWN,
    "LineMarker.offset": OWN, "LineMarker.orientation": OWN, "Marker.at": OWN, "Marker.orientation": OWN,
    "Placed.offset": OWN, "Placed.orientation": OWN, "General.rotary_inertia": OWN,
    "PlateMesh.corners": OWN, "PointsMesh.nodes": OWN,
}  # fmt: skip
COMPONENT = re.compile(r"\.(position|velocity)\.[xyz]$")
BULK = re.compile(r"(GRID,\d+,,|CBAR,\d+,\d+,\d+,\d+,)([-.\d]+),([-.\d]+),([-.\d]+)")
OWN_MODULES = (".surfaces.", ".bodies.shapes")  # in the axes of the place or body they are fixed to


def kind_of(owner: type, field: str) -> str | None:
    """What happens to a field."""
    if any(part in owner.__module__ for part in OWN_MODULES):
        return REFERENCE if field == "on" else OWN
    return FIELDS.get(f"{owner.__name__}.{field}", FIELDS.get(field))


def is_spatial(annotation: str) -> bool:
    """Whether a field holds vectors, axes, three functions of time or references."""
    functions = annotation.count("FunctionOf(") >= 3 and "tuple[" in annotation
    marks = ("VectorOf(", "unit_vector", "_OrientationType", "Tag(tag='text')", "Tag(tag='body')")
    return functions or any(mark in annotation for mark in marks)


def schemas() -> list[type[BaseModel]]:
    """Of all kinds and of all that is written within them."""
    found: list[type[BaseModel]] = []

    def look(annotation: Any) -> None:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel) and annotation not in found:
            found.append(annotation)
            for field in annotation.model_fields.values():
                look(field.annotation)
        for inner in get_args(annotation):
            look(inner)

    for kind in kinds().values():
        look(kind.schema)
    return found


def unknown_fields() -> list[str]:
    """Spatial fields of which nobody has said what happens to them."""
    return [
        f"{owner.__name__}.{name}"
        for owner in schemas()
        for name, field in owner.model_fields.items()
        if is_spatial(f"{field.annotation}{field.metadata}") and kind_of(owner, name) is None
    ]


class Motion:
    """A turn, then a shift. `letters` says where a turn that keeps the axes' lines takes x, y and z."""

    def __init__(self, turn: np.ndarray | None = None, shift=(0.0, 0.0, 0.0)):
        self.R, self.d = np.eye(3) if turn is None else np.array(turn, float), np.array(shift, float)
        self.turn = Rotation.from_matrix(self.R)
        on_axes = np.array_equal(self.R, np.rint(self.R)) and self.R.min() >= 0.0
        self.letters = dict(zip("xyz", ("xyz"[k] for k in self.R.argmax(axis=0)), strict=True)) if on_axes else {}

    def place(self, p) -> list[float]:
        return (self.R @ np.array(p, float) + self.d).tolist()

    def direction(self, v) -> list[float]:
        return (self.R @ np.array(v, float)).tolist()

    def axes(self, q) -> list[float]:
        return (
            (self.turn * Rotation.from_quat(np.array(q, float), scalar_first=True)).as_quat(scalar_first=True).tolist()
        )

    def letter(self, word: str) -> str:
        """`x` or `turn_x` about the axis to which this one goes."""
        return word[:-1] + self.letters[word[-1]]

    def history(self, functions) -> list[Any]:
        """Three functions of time in world axes."""
        return [combined(row, functions) for row in self.R.tolist()]

    def reference(self, side: Any) -> Any:
        """A place on the ground moves along; what is on another body stays there."""
        if isinstance(side, (list, tuple)):
            return [self.reference(one) for one in side]
        if isinstance(side, dict) and "kind" in side:  # a surface, given in the axes of its place
            return side | {"on": self.reference(side["on"])}
        on = side["on"] if isinstance(side, dict) else side
        if on != "ground":
            return side
        given = side if isinstance(side, dict) else {}
        axes = self.axes(given.get("orientation", (1.0, 0.0, 0.0, 0.0)))
        return {"on": "ground", "at": self.place(given.get("at", (0.0, 0.0, 0.0))), "orientation": axes}

    def field(self, what: str, value: Any, written: Any) -> Any:
        """A field moved, from its value and how it is written."""
        if what == PLACE:
            return [self.place(p) for p in value] if isinstance(value[0], tuple) else self.place(value)
        if what == DIRECTION:
            return self.direction(value)
        if what == AXES:
            return self.axes(value)
        return self.history(value) if what == HISTORY else self.reference(written)


def combined(weights: list[float], functions) -> Any:
    """A weighted sum of formulas, or of a table and constants."""
    pairs = [(w, f) for w, f in zip(weights, functions, strict=True) if w != 0.0]
    tables = [(w, f) for w, f in pairs if isinstance(f, Table)]
    if not tables:
        return " + ".join(f"({w!r})*({formula(f)})" for w, f in pairs)
    ((weight, table),) = tables
    rest = sum(w * f.value for w, f in pairs if f is not table)
    return {"table": [[x, weight * y + rest] for x, y in zip(table.x, table.y, strict=True)]}


def formula(function: Constant | Expression) -> str:
    return repr(function.value) if isinstance(function, Constant) else function.expression


def moved(data: dict[str, Any], motion: Motion) -> dict[str, Any]:
    """A model as plain data, moved."""
    model = Model.from_plain(data)
    plain = model._data("python")
    plain["gravity"] = motion.direction(model.gravity)
    for section in SECTIONS:
        for name, entity in model.section(section).items():
            plain[section][name] = moved_part(entity, plain[section][name], motion)
    return plain


def moved_part(part: BaseModel, written: dict[str, Any], motion: Motion) -> dict[str, Any]:
    """An entity, or a path or mesh within it."""
    made, owner = {key: value for key, value in written.items() if key != "name"}, type(part)
    if hasattr(part, "kind"):
        made["kind"] = part.kind
    for field, info in owner.model_fields.items():
        value = getattr(part, field)
        if field in ("path", "mesh", "segments", "parts"):
            made[field] = moved_part(value, dict(made[field]), motion)
        elif is_spatial(f"{info.annotation}{info.metadata}") and value is not None:
            what = kind_of(owner, field)
            in_world = what != HISTORY or (isinstance(value, tuple) and begins_in_world(part))
            if what not in (None, OWN) and in_world:
                made[field] = motion.field(what, value, made.get(field))
    return made | along_the_world(part, motion) | in_letters(part, made, motion)


def begins_in_world(part: Any) -> bool:
    """Whether functions of time are in the world's axes, as those of nodes of a mesh are as drawn."""
    return getattr(part, "axes", "world") == "world" or part.kind == "spread_load"


def along_the_world(part: Any, motion: Motion) -> dict[str, Any]:
    """What is chosen along the world's axes, or counted from its origin, where nothing else is said."""
    kind, found = getattr(part, "kind", ""), {}
    if kind == "beam" and part.up is None:
        tangent = part.path.pieces()[0].tangent
        found["up"] = motion.direction(start_frame(tangent, None)[:, 2])
    if kind in ("membrane", "shell", "solid"):
        if part.along is None:
            found["along"] = motion.direction((1, 0, 0))
        spin = motion.R @ np.array(part.angular_velocity)
        found["velocity"] = (motion.R @ np.array(part.velocity) - np.cross(spin, motion.d)).tolist()
    return found


def speaks_of_axes(data: dict[str, Any]) -> bool:
    """Whether a model names axes of the world by their letters, which cannot be turned but onto each other."""
    supports = [joint for joint in data.get("joints", {}).values() if joint["kind"] == "support"]
    held = any(word in support for support in supports for word in ("hold", "symmetry", "move"))
    return held or any(COMPONENT.search(event["watch"]) for event in data.get("events", {}).values())


def in_letters(part: Any, made: dict[str, Any], motion: Motion) -> dict[str, Any]:
    """What names axes of the world, and levels of coordinates along them; bulk data of NASTRAN."""
    kind = getattr(part, "kind", "")
    if kind == "support" and any(word in made for word in ("hold", "symmetry", "move")):
        found = {"hold": [motion.letter(word) for word in part.held()]}
        return found | {"symmetry": None, "move": {motion.letter(k): v for k, v in (made.get("move") or {}).items()}}
    if kind == "event" and COMPONENT.search(part.watch):
        watch = part.watch[:-1] + motion.letters[part.watch[-1]]
        by, meant = (motion.d["xyz".index(watch[-1])], "length") if ".position." in watch else (0.0, "speed")
        (dimension,) = (one for one in part.level.readers if one.name == meant)
        return {"watch": watch, "level": float(part.level.read(dimension)) + by}
    if kind == "nastran":
        return {"text": BULK.sub(lambda card: moved_card(card, motion), part.text)}
    return {}


def moved_card(card: re.Match, motion: Motion) -> str:
    move = motion.place if card[1].startswith("GRID") else motion.direction
    return card[1] + ",".join(repr(c) for c in move([float(c) for c in card.groups()[1:4]]))


NAMED = ("between", "among", "on", "through", "attach", "joint", "joints", "terms", "winch", "watch")


def renamed(data: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """(the model with all names changed so that their alphabetical order is reversed, written in reverse order; new
    names by old ones)"""
    plain = Model.from_plain(data)._data("python")
    old = sorted(name for section in SECTIONS for name in plain.get(section, {}))
    names = {name: f"n{len(old) - k:02d}_{name}" for k, name in enumerate(old)}
    made = {key: value for key, value in plain.items() if key not in SECTIONS}
    for section in SECTIONS:
        entries = plain.get(section, {})
        if entries:
            made[section] = {names[name]: with_names(entries[name], names) for name in reversed(entries)}
    return made, names


def with_names(entry: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {key: new_names(value, names) if key in NAMED else value for key, value in entry.items() if key != "name"}


def new_names(value: Any, names: dict[str, str]) -> Any:
    """References in whatever shape they are written."""
    if isinstance(value, str):
        first, dot, rest = value.partition(".")
        return names.get(first, first) + dot + rest
    if isinstance(value, (list, tuple)):
        return [new_names(one, names) for one in value]
    if isinstance(value, dict) and "on" in value:
        return value | {"on": new_names(value["on"], names)}
    if isinstance(value, dict):
        return {new_names(key, names): new_names(one, names) for key, one in value.items()}
    return value
