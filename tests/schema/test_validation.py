"""Mistakes in a model file answered with file, line, thing and remedy."""

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from tapespring.schema.entity import Entity
from tapespring.schema.functions import Constant, ForceHistory
from tapespring.schema.orientation import Orientation
from tapespring.schema.problems import ModelError, Place, Problem, path_text
from tapespring.schema.quantities import Mass, PositiveLength, Stiffness
from tapespring.schema.source import parse_yaml
from tapespring.schema.validation import validated
from tapespring.schema.vectors import Direction, Point


class Sphere(Entity):
    kind: Literal["sphere"] = "sphere"
    radius: PositiveLength


class Box(Entity):
    kind: Literal["box"] = "box"
    size: Point


class Bob(Entity):
    kind: Literal["point_mass"] = "point_mass"
    mass: Mass
    at: Point = (0, 0, 0)
    turn: Orientation = (1, 0, 0, 0)
    load: ForceHistory = Constant(value=0)
    shape: Annotated[Sphere | Box, Field(discriminator="kind")] | None = None
    parts: dict[str, Sphere] = Field(default_factory=dict)


class Spring(Entity):
    kind: Literal["spring"] = "spring"
    stiffness: Stiffness
    axis: Direction
    note: str = Field(examples=["soft"])
    load: ForceHistory
    turns: int = 3
    mode: Literal["fast", "slow"] = "fast"
    tags: tuple[str, ...] = ()


class Tiny(BaseModel):
    model_config = ConfigDict(extra="forbid")
    bodies: dict[str, Annotated[Bob | Spring, Field(discriminator="kind")]] = {}
    planar: bool = False
    limit: int = Field(default=1, gt=0)


def complaints(text):
    source = parse_yaml(text, "m.yaml")
    with pytest.raises(ModelError) as caught:
        validated(Tiny, source.data, (), source)
    return str(caught.value).splitlines()


CASES = [
    ("bodis: {}", "m.yaml:1: bodis: unknown field; did you mean 'bodies'?"),
    ("zzz: {}", "m.yaml:1: zzz: unknown field; fields here: bodies, planar, limit"),
    ("bodies:\n  b:\n    kind: point_mass", "m.yaml:2: bodies.b: needs 'mass' (for example 1 kg)"),
    (
        "bodies:\n  b: {kind: pont_mass}",
        "m.yaml:2: bodies.b.kind: unknown kind 'pont_mass'; did you mean 'point_mass'?",
    ),
    ("bodies:\n  b: {kind: zzz}", "m.yaml:2: bodies.b.kind: unknown kind 'zzz'; choose among point_mass, spring"),
    ("bodies:\n  b: {mass: 3}", "m.yaml:2: bodies.b: needs 'kind'; choose among point_mass, spring"),
    ("bodies: [1]", "m.yaml:1: bodies: entries such as {name: value} are wanted here, not [1]"),
    ("bodies:\n  b: 5", "m.yaml:2: bodies.b: entries such as {name: value} are wanted here, not 5"),
    ("planar: maybe", "m.yaml:1: planar: true or false is wanted here, not 'maybe'"),
    ("limit: 2.5", "m.yaml:1: limit: a whole number is wanted here, not 2.5"),
    ("limit: x", "m.yaml:1: limit: a whole number is wanted here, not 'x'"),
    ("limit: 0", "m.yaml:1: limit: must be above 0, not 0"),
]


@pytest.mark.parametrize(("text", "line"), CASES)
def test_top_level_mistakes(text, line):
    assert complaints(text) == [line]


BOB_CASES = [
    ("mass: 1 mm", "mass: '1 mm' is a length (m), but a mass is wanted here (for example '1 kg')"),
    ("mass: -1", "mass: -1 is out of range; the mass must be positive"),
    ("mass: 1, at: [1 kg, 0, 0]", "at[0]: '1 kg' is a mass (kg), but a length is wanted here (for example '25 mm')"),
    ("mass: 1, turn: {axis: z, angle: 1 kg}", "turn.angle: '1 kg' is a mass (kg), but an angle is wanted here"),
    ("mass: 1, turn: {z: [0, 0, 0]}", "turn: axis has zero length; give a direction such as [0, 0, 1] or 'z'"),
    ("mass: 1, load: {polynomial: [1, x]}", "load.polynomial[1]: 'x' is not a number"),
    ("mass: 1, load: 3*sn(t)", "load: in '3*sn(t)': unknown function 'sn'; did you mean 'sin'?"),
    ("mass: 1, load: {table: [[0, 1], [0, 2]]}", "load: time repeats at row 2"),
    ("mass: 1, shape: {kind: sphere, radus: 3}", "shape.radus: unknown field; did you mean 'radius'?"),
    ("mass: 1, shape: {kind: bx}", "shape.kind: unknown kind 'bx'; did you mean 'box'?"),
    ("mass: 1, shape: {kind: box}", "shape: needs 'size' (for example [25 mm, 0, 0])"),
    ("mass: 1, parts: {a: {radius: 3, radiuss: 3}}", "parts.a.radiuss: unknown field; did you mean 'radius'?"),
    ("mas: 1", "mas: unknown field; did you mean 'mass'?"),
    ("mass: 1, zzz: 1", "zzz: unknown field; fields here: kind, mass, at, turn, load, shape, parts"),
]


@pytest.mark.parametrize(("written", "said"), BOB_CASES)
def test_mistakes_inside_entities(written, said):
    lines = complaints(f"planar: true\nbodies:\n  bob: {{kind: point_mass, {written}}}")
    assert len(lines) == 1
    assert lines[0].startswith("m.yaml:3: bodies.bob" + ("." if not said.startswith("needs") else ": ") + said)


def test_examples_for_missing_fields_of_every_type():
    lines = complaints("bodies:\n  s: {kind: spring, stiffness: 3}")
    assert lines == [
        "m.yaml:2: bodies.s: needs 'axis' (for example z)",
        "m.yaml:2: bodies.s: needs 'note' (for example soft)",
        "m.yaml:2: bodies.s: needs 'load' (for example 10 N)",
    ]


def test_plain_types_in_plain_words():
    lines = complaints("bodies:\n  s: {kind: spring, stiffness: 1, axis: z, load: 1, note: 5, mode: fats, tags: 3}")
    assert lines == [
        "m.yaml:2: bodies.s.note: text is wanted here (in quotes if it looks like a number), not 5",
        "m.yaml:2: bodies.s.mode: unknown mode 'fats'; did you mean 'fast'?",
        "m.yaml:2: bodies.s.tags: a list such as [a, b] is wanted here, not 3",
    ]


def test_all_mistakes_come_in_one_pass_each_on_its_line():
    lines = complaints("bodies:\n  a: {kind: point_mass}\n  b:\n    kind: point_mass\n    mass: 3 m\nplaner: true\n")
    assert [line.split(": ")[0] for line in lines] == ["m.yaml:2", "m.yaml:5", "m.yaml:6"]


def test_a_part_of_a_file_is_placed_by_its_prefix():
    source = parse_yaml("bodies:\n  bob:\n    mass: 3 m\n", "m.yaml")
    with pytest.raises(ModelError) as caught:
        validated(Bob, source.data["bodies"]["bob"], ("bodies", "bob"), source)
    (problem,) = caught.value.problems
    assert problem.path == ("bodies", "bob", "mass")
    assert problem.place == Place("m.yaml", 3, 11)


def test_without_a_file():
    with pytest.raises(ModelError) as caught:
        validated(Bob, {"mass": "3 m"}, ("bodies", "bob"))
    assert str(caught.value).startswith("bodies.bob.mass: '3 m' is a length")
    assert validated(Bob, {"mass": "3 kg"}).mass == 3.0


def test_problems_print_as_place_path_message():
    problem = Problem(Place("strap.yaml", 14), ("straps", "left", "thicknes"), "unknown field")
    assert str(problem) == "strap.yaml:14: straps.left.thicknes: unknown field"
    assert str(Problem(None, ("a", 1, "b", 0), "bad")) == "a[1].b[0]: bad"
    assert str(Problem(Place("strap.yaml"), (), "empty")) == "strap.yaml: empty"
    assert str(ModelError([problem, Problem(None, (), "x")])) == f"{problem}\nx"
    assert ModelError(problem).problems == [problem]
    assert path_text(()) == ""
