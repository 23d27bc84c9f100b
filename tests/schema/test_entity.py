"""Entities: frozen, named, and written so that they read back equal."""

from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from tapespring.schema.entity import Entity, check_name
from tapespring.schema.functions import Constant, ForceHistory
from tapespring.schema.orientation import Orientation
from tapespring.schema.quantities import Angle, Mass, Number, PositiveLength
from tapespring.schema.source import parse_yaml, yaml_text
from tapespring.schema.vectors import Direction, Point


class Sphere(Entity):
    kind: Literal["sphere"] = "sphere"
    radius: PositiveLength = 1.0


class Box(Entity):
    kind: Literal["box"] = "box"
    size: Point = (1, 1, 1)


class Bob(Entity):
    kind: Literal["bob"] = "bob"
    mass: Mass
    thickness: PositiveLength | None = None
    at: Point = (0, 0, 0)
    axis: Direction = "z"
    turn: Orientation = (1, 0, 0, 0)
    ratio: Number = 0.5
    load: ForceHistory = Constant(value=0)
    shape: Annotated[Sphere | Box, Field(discriminator="kind")] | None = None
    angles: tuple[Angle, ...] = ()
    between: tuple[str, str] = ("ground", "bob")


def test_only_what_differs_from_the_defaults_is_written():
    assert Bob(mass=1, ratio=0.5, at=[0, 0, 0], load=0).to_plain() == {
        "kind": "bob",
        "mass": "1.0 kg",
        "axis": [0.0, 0.0, 1.0],
    }


FULL = {
    "mass": "1 lb",
    "thickness": "0.3 mm",
    "at": ["1 in", "2 ft", -0.1],
    "axis": [1, 2, 3],
    "turn": {"axis": [1, 1, 0], "angle": "33 deg"},
    "ratio": 0.1,
    "load": {"table": [[0, 0], ["1 ms", "3 lbf"]]},
    "shape": {"kind": "box"},
    "angles": ["1 deg", "2 deg"],
    "between": ["a", "b"],
}


def test_round_trip_through_yaml_text():
    bob = Bob(**FULL)
    plain = bob.to_plain()
    again = parse_yaml(yaml_text(plain)).data
    assert Bob.model_validate(again) == bob
    assert set(plain) == {"kind", *FULL}
    assert plain["kind"] == "bob"
    assert plain["thickness"] == "0.0003 m"
    assert plain["at"] == "[0.0254, 0.6096, -0.1] m"
    assert plain["shape"] == {"kind": "box"}
    assert plain["angles"][0].endswith(" rad")


def test_round_trip_through_python():
    bob = Bob(**FULL)
    assert Bob.model_validate(bob.model_dump()) == bob
    assert bob.model_dump()["thickness"] == 0.0003


def test_defaults_are_read_like_anything_written():
    assert Bob(mass=1).axis == (0.0, 0.0, 1.0)
    assert Bob(mass=1).at == (0.0, 0.0, 0.0)


def test_the_name_is_given_but_not_written():
    bob = Bob(name="left", mass=1)
    assert bob.name == "left"
    assert "name" not in bob.to_plain()


def test_frozen_and_closed():
    bob = Bob(mass=1)
    with pytest.raises(ValidationError, match="frozen"):
        bob.mass = 2
    with pytest.raises(ValidationError, match="Extra inputs"):
        Bob(mass=1, weight=3)
    with pytest.raises(ValidationError, match="bob"):
        Bob(kind="bib", mass=1)


@pytest.mark.parametrize("name", ["bob", "left-arm", "_x", "A1_b-2"])
def test_good_names(name):
    assert check_name(name) == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my body", "'my body' cannot be a name; use letters, digits, _ and -, for example 'my_body'"),
        ("1st", "for example 'part_1st'"),
        ("", "'' cannot be a name; .* for example 'part'"),
        ("a.b", "for example 'a_b'"),
        ("bob\n", "for example 'bob'"),
        (5, "'5' cannot be a name"),
        ("ground", "'ground' is the name of the fixed frame"),
        ("world", "'world' is the name of the fixed frame"),
    ],
)
def test_bad_names(name, message):
    with pytest.raises(ValueError, match=message):
        check_name(name)
