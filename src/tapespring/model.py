"""Models: what a user wrote, in SI, everything with a name; from a file or from Python.

    m = Model(name="Simple pendulum", gravity=(0, 0, "-9.81 m/s^2"))
    bob = m.point_mass("bob", mass="1 kg", at=("1 m", 0, 0))
    m.distance("rod", m.ground, bob)
    m.save("pendulum.yaml")

There is a method for every kind: `m.<kind>(name, …fields…)`; joints and two-sided forces take their two sides as
positional arguments, loads the body, drives and joint torques the joint, events what they watch.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from pydantic_core import PydanticSerializationError

from .kinds.reading import FILE_SECTIONS, Header, Reading, read_entity, read_model
from .kinds.registry import SECTIONS, Kind, kinds
from .schema.entity import Entity, check_name
from .schema.folder import Folder, trusted
from .schema.named_files import contents
from .schema.near_words import advice
from .schema.problems import DataPath, ModelError, Problem, path_text
from .schema.settings import Settings
from .schema.source import Source, parse_yaml, read_yaml, write_yaml, yaml_text
from .schema.validation import validated


class Handle:
    """A part of a model, to refer to it from others."""

    def __init__(self, name: str):
        self.name = name

    @property
    def reference(self) -> str:
        """How a model file refers to it."""
        return self.name

    def at(self, x, y=None, z=None, orientation=None) -> dict[str, Any]:
        """A place on this body in its own axes: `arm.at("0.5 m", 0, 0)` or `arm.at((0.5, 0, 0))`."""
        place: dict[str, Any] = {"on": self.name, "at": x if y is None and z is None else [x, y, z]}
        return place if orientation is None else place | {"orientation": orientation}

    def marker(self, name: str) -> str:
        """A marker of this body."""
        return f"{self.name}.{name}"

    def coordinate(self, label: str) -> str:
        """A coordinate of this joint, such as `angle`."""
        return f"{self.name}.{label}"

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Model:
    """Bodies, joints, drives, forces and events by name, gravity, and how to simulate them."""

    def __init__(
        self,
        name: str = "",
        description: str = "",
        gravity=(0.0, 0.0, 0.0),
        folder: str | Path | Folder = ".",
        **settings,
    ):
        """`gravity` [m/s²]; files named in the model are looked for in `folder`; `settings` as in `simulate:`."""
        header = validated(Header, {"name": name, "description": description, "gravity": gravity})
        self._fill(Reading(header=header, settings=validated(Settings, settings, ("simulate",))), folder, None)

    def _fill(self, reading: Reading, folder: str | Path | Folder, source: Source | None) -> None:
        self.name, self.description = reading.header.name, reading.header.description
        self.gravity = reading.header.gravity
        self.entities = reading.entities
        self.settings = reading.settings
        self.folder = trusted(folder)
        self.source = source

    # -- files ------------------------------------------------------------------------------------------------------
    @classmethod
    def from_file(cls, path: str | Path, *, allow_python: bool = False, allow_outside: bool = False) -> Model:
        """Read and check a model file; also `Model.load(path)`. Raises ModelError with everything that is wrong.

        Python functions that it names run only with `allow_python`, for they can do whatever you can; files outside
        its folder are read only with `allow_outside`.
        """
        return cls._from_source(read_yaml(path), Folder(Path(path).parent, allow_python, allow_outside))

    @classmethod
    def from_text(
        cls, text: str, folder: str | Path = ".", *, allow_python: bool = False, allow_outside: bool = False
    ) -> Model:
        """Read and check the text of a model file that stands in `folder`; see `from_file`. Raises ModelError."""
        return cls._from_source(parse_yaml(text), Folder(Path(folder), allow_python, allow_outside))

    @classmethod
    def from_plain(
        cls,
        data: dict[str, Any],
        folder: str | Path | Folder = ".",
        *,
        allow_python: bool = False,
        allow_outside: bool = False,
    ) -> Model:
        """Read and check plain data as it stands in a file of `folder`; see `from_file`. Raises ModelError."""
        place = folder if isinstance(folder, Folder) else Folder(Path(folder), allow_python, allow_outside)
        return cls._from_source(Source(data), place)

    @classmethod
    def _from_source(cls, source: Source, folder: Folder) -> Model:
        from .build.builder import problems_in

        reading = read_model(source)
        model = cls.__new__(cls)
        model._fill(reading, folder, source)
        found, _ = problems_in(model, already=reading.refused)
        problems = reading.problems + found
        if problems:
            raise ModelError(sorted(problems, key=lambda p: p.place.line if p.place else 0))
        return model

    def save(self, path: str | Path) -> None:
        """Write a model file that reads back equal, whole or not at all. Raises ModelError."""
        write_yaml(self.to_plain(), path)

    def to_yaml(self) -> str:
        """The text of its file."""
        return yaml_text(self.to_plain())

    def to_plain(self) -> dict[str, Any]:
        """Plain data as it stands in a file: what differs from the defaults, with units. Raises ModelError."""
        return self._data(mode="json")

    def _data(self, mode: str) -> dict[str, Any]:
        """Plain data; in mode "python" numbers are bare and Python functions stay themselves."""
        header = Header(name=self.name, description=self.description, gravity=self.gravity)
        data = header.model_dump(mode=mode, exclude_defaults=True)
        for section in FILE_SECTIONS:
            if self.entities[section]:
                data[section] = {
                    name: self._entity_data(section, entity, mode) for name, entity in self.entities[section].items()
                }
        settings = self.settings.model_dump(mode=mode, exclude_unset=True)
        return data | {"simulate": settings} if settings else data

    def _entity_data(self, section: str, entity: Entity, mode: str) -> dict[str, Any]:
        try:
            return entity.model_dump(mode=mode, exclude_defaults=True)
        except PydanticSerializationError as error:
            reason = str(error).split("ValueError: ")[-1]
            raise ModelError(Problem(None, (section, entity.name), reason)) from None

    def hash(self, settings: bool = True) -> str:
        """A fingerprint of the model's content and of the files it names; Python functions count by their name and
        code. Without `settings` those of `simulate:`, name and description do not count."""
        left_out = () if settings else ("simulate", "name", "description")
        data = {key: value for key, value in self._data("python").items() if key not in left_out}
        text = json.dumps(data, sort_keys=True, default=fingerprint)
        return hashlib.sha256(text.encode() + contents(data, self.folder)).hexdigest()

    # -- parts ------------------------------------------------------------------------------------------------------
    @property
    def ground(self) -> Handle:
        """The fixed frame."""
        return Handle("ground")

    def section(self, section: str) -> dict[str, Entity]:
        """The entities of one section by name."""
        return self.entities[section]

    def section_of(self, name: str) -> str | None:
        """The section in which a name stands."""
        return next((section for section in SECTIONS if name in self.entities[section]), None)

    def __getitem__(self, name: str) -> Entity:
        """A part of the model by its name."""
        section = self.section_of(name)
        if section is None:
            names = [n for s in SECTIONS for n in self.entities[s]]
            raise KeyError(f"no '{name}' in this model{advice(name, names, 'it has')}")
        return self.entities[section][name]

    def add(self, kind: str, name: str, *sides, **fields) -> Handle:
        """Add a part of any kind; the same as `m.<kind>(name, …)`. Raises ModelError."""
        if kind not in kinds():
            raise ModelError(Problem(None, (name,), f"unknown kind '{kind}'{advice(kind, kinds())}"))
        found = kinds()[kind]
        path: DataPath = (found.section, name)
        try:
            check_name(name)
        except ValueError as error:
            raise ModelError(Problem(None, path, str(error))) from None
        if other := self.section_of(name):
            raise ModelError(
                Problem(None, path, f"the name '{name}' is taken already, under '{other}'; choose another")
            )
        fields = positional_fields(found, sides) | {key: value for key, value in fields.items() if value is not None}
        self.entities[found.section][name] = read_entity(found.section, name, {"kind": kind, **fields})
        return Handle(name)

    def problem(self, path: DataPath, message: str) -> Problem:
        """A problem at a path, with its line if the model came from a file."""
        return self.source.problem(path, message) if self.source else Problem(None, path, message)

    def set(self, path: str, value: Any) -> Model:
        """A copy with one value changed, by its path: `m.set("bodies.bob.mass", "2 kg")`. Raises ModelError."""
        data = _unfrozen(self._data("python"))
        steps: DataPath = tuple(int(s) if s.isdigit() else s for s in re.findall(r"[^.\[\]]+", path))
        _replace(data, steps, _from_words(value))
        changed = type(self)._from_source(Source(data), trusted(self.folder))
        changed.source = self.source
        return changed

    def replaced(self, bodies: dict[str, Entity], settings: Settings) -> Model:
        """A copy with other bodies and settings, which are not checked again."""
        changed = type(self).__new__(type(self))
        changed.__dict__.update(self.__dict__)
        changed.entities, changed.settings = {**self.entities, "bodies": bodies}, settings
        return changed

    def located(self, problem: Problem) -> Problem:
        """The problem with its line, if the model came from a file; a part's name alone is told with its section."""
        path = problem.path
        if path and path[0] not in ("simulate", *FILE_SECTIONS) and (section := self.section_of(str(path[0]))):
            path = (section, *path)
        if problem.place is not None or not path:
            return Problem(problem.place, path, problem.message)
        return self.problem(path, problem.message)

    def check(self, duration=None, **settings) -> list[str]:
        """Do all that `simulate` with the same arguments does before its first step; returns notes a user should read.

        Raises ModelError with what is wrong.
        """
        from .simulate import check

        return check(self, duration, **settings)

    # -- what can be asked of it ------------------------------------------------------------------------------------
    def simulate(self, duration=None, **settings):
        """Run it; `duration` such as "10 s" and other settings go before those of the model. Returns Results.

        With `refine=True` a second, finer run tells how large numerical errors are: `results.errors`.
        """
        if settings.pop("refine", False):
            from .refining import simulate_refined as simulate
        else:
            from .simulate import simulate

        return simulate(self, **({} if duration is None else {"duration": duration}), **settings)

    def modes(self, *args, **kwargs):
        """Natural frequencies and mode shapes: see `tapespring.questions.modes`."""
        from .questions import modes

        return modes(self, *args, **kwargs)

    def buckling(self, *args, **kwargs):
        """Critical times of loads: see `tapespring.questions.buckling`."""
        from .questions import buckling

        return buckling(self, *args, **kwargs)

    def equilibrium(self, *args, **kwargs):
        """The position at rest."""
        from .simulate import equilibrium

        return equilibrium(self, *args, **kwargs)

    def write_mesh(self, path, body=None):
        """The mesh of a membrane, shell or solid as it was built: see `tapespring.questions.write_mesh`."""
        from .questions import write_mesh

        return write_mesh(self, path, body)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._data("python") == other._data("python")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self.entities[s])} {s}" for s in FILE_SECTIONS if self.entities[s])
        return f"<Model '{self.name}': {counts or 'empty'}>"


class AddMethod:
    """The method that adds parts of one kind, made when it is first asked for."""

    def __init__(self, kind: str):
        self.kind = kind

    def __get__(self, instance: Model | None, owner: type[Model]):
        method = _adding(kinds()[self.kind])
        setattr(owner, self.kind, method)
        return method if instance is None else method.__get__(instance)


class LoadMethod:
    """`Model.load(path)` reads a file; `m.load(name, body, force=…)` adds a load to a model."""

    def __get__(self, instance: Model | None, owner: type[Model]):
        return owner.from_file if instance is None else _adding(kinds()["load"]).__get__(instance)


def _adding(kind: Kind):
    """The method that adds parts of one kind."""

    def add(self: Model, name: str, *sides, **fields) -> Handle:
        return self.add(kind.name, name, *sides, **fields)

    fields = "\n".join(
        f"    {key}: {field.description or ''}".rstrip() for key, field in kind.schema.model_fields.items()
        if key not in ("kind", "name")
    )  # fmt: skip
    add.__name__, add.__qualname__ = kind.name, f"Model.{kind.name}"
    add.__doc__ = f"Add {kind.about}.\n\n{kind.schema.__doc__}\n\n{fields}"
    return add


for _name in kinds():
    setattr(Model, _name, LoadMethod() if _name == "load" else AddMethod(_name))


def load(path: str | Path, *, allow_python: bool = False, allow_outside: bool = False) -> Model:
    """Read and check a model file; see `Model.from_file`. Raises ModelError."""
    return Model.from_file(path, allow_python=allow_python, allow_outside=allow_outside)


def model_schema() -> dict[str, Any]:
    """The JSON Schema of model files."""
    from .kinds.file_schema import file_schema

    return file_schema()


def positional_fields(kind: Kind, sides: tuple) -> dict[str, Any]:
    """Positional arguments after the name, as the field they stand for. Raises TypeError."""
    fields = kind.schema.model_fields
    if not sides:
        return {}
    if len(sides) == 2:
        for field in ("between", "joints"):
            if field in fields:
                return {field: list(sides)}
    if len(sides) == 1:
        for field in ("on", "joint", "watch"):
            if field in fields:
                return {field: sides[0]}
    raise TypeError(f"{kind.name} does not take {len(sides)} positional arguments after its name; write fields by name")


def fingerprint(value: Any) -> str:
    """A Python function for the hash: its name and its code."""
    code = getattr(value, "__code__", None)
    body = hashlib.sha256(code.co_code + repr(code.co_consts).encode()).hexdigest() if code else ""
    return f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', type(value).__name__)}:{body}"


def _unfrozen(data: Any) -> Any:
    """A deep copy with lists for tuples."""
    if isinstance(data, dict):
        return {key: _unfrozen(value) for key, value in data.items()}
    return [_unfrozen(item) for item in data] if isinstance(data, (list, tuple)) else data


def _from_words(value: Any) -> Any:
    """Text from a command line as a file would read it: `2 kg`, `[1, 0, 0]`, `true`."""
    if not isinstance(value, str):
        return value
    try:
        return parse_yaml(f"value: {value}").data["value"]
    except ModelError:
        return value


def _replace(data: Any, steps: DataPath, value: Any) -> None:
    """Set the value at a path; the last step, and a section, need not be there yet. Raises ModelError."""
    for k, step in enumerate(steps):
        here = path_text(steps[: k + 1])
        if isinstance(data, list):
            if not isinstance(step, int) or step >= len(data):
                raise ModelError(
                    Problem(None, (), f"--set {path_text(steps)}: {here} does not exist; it has {len(data)} items")
                )
        elif not isinstance(data, dict):
            raise ModelError(Problem(None, (), f"--set {path_text(steps)}: {path_text(steps[:k])} is a single value"))
        elif step not in data and k < len(steps) - 1:
            if k == 0 and step in ("simulate", *FILE_SECTIONS):
                data[step] = {}
            elif k == 0 or (steps[0] in FILE_SECTIONS and k == 1):
                near = advice(str(step), [str(key) for key in data], "there are")
                raise ModelError(Problem(None, (), f"--set {path_text(steps)}: there is no '{here}'{near}"))
            else:
                data[step] = {}
        if k == len(steps) - 1:
            data[step] = value
        else:
            data = data[step]
