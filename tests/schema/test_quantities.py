"""Quantities and vectors as pydantic types."""

import math
from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from tapespring.schema import quantities, vectors
from tapespring.schema.quantities import Quantity
from tapespring.schema.units import DENSITY, LENGTH
from tapespring.schema.vectors import VectorOf


def read(kind, value):
    return TypeAdapter(kind).validate_python(value)


def scalar_types():
    found = {}
    for module in (quantities, vectors):
        for name, kind in vars(module).items():
            for rule in getattr(kind, "__metadata__", ()):
                if isinstance(rule, Quantity):
                    found[name] = kind
    return found


def vector_types():
    return {
        name: kind
        for name, kind in vars(vectors).items()
        for rule in getattr(kind, "__metadata__", ())
        if isinstance(rule, VectorOf)
    }


def test_the_named_types_are_all_there():
    wanted = {"Length", "PositiveLength", "Mass", "Time", "PositiveTime", "Angle", "Speed", "AngularRate", "Number"}
    wanted |= {"Acceleration", "AngularAcceleration", "Force", "Torque", "Stiffness", "AngularStiffness", "Damping"}
    wanted |= {"AngularDamping", "Density", "Inertia"}
    assert wanted <= set(scalar_types())
    assert {"Point", "Velocity", "AngularVelocity", "ForceVector", "TorqueVector", "AccelerationVector"} <= set(
        vector_types()
    )


@pytest.mark.parametrize("name", scalar_types())
def test_every_scalar_reads_its_own_example_and_writes_what_it_reads(name):
    adapter = TypeAdapter(scalar_types()[name])
    value = adapter.validate_python(scalar_types()[name].__metadata__[0].dimension.example)
    written = adapter.dump_python(value, mode="json")
    assert adapter.dump_python(value) == value
    assert adapter.validate_python(written) == value
    assert adapter.validate_python(0.37) == 0.37


@pytest.mark.parametrize("name", scalar_types())
def test_every_scalar_says_in_its_json_schema_that_text_with_a_unit_is_fine(name):
    schema = TypeAdapter(scalar_types()[name]).json_schema()
    dimension = scalar_types()[name].__metadata__[0].dimension
    assert [choice["type"] for choice in schema["anyOf"]] == ["number", "string"]
    assert dimension.unit in schema["description"]
    assert schema["examples"] == [dimension.example]


def test_limits():
    assert read(quantities.Length, "-3 mm") == -0.003
    with pytest.raises(ValidationError, match="'-3 mm' is out of range; the length must be positive"):
        read(quantities.PositiveLength, "-3 mm")
    with pytest.raises(ValidationError, match="0 is out of range; the mass must be positive"):
        read(quantities.Mass, 0)
    assert read(quantities.NonNegativeLength, 0) == 0.0
    with pytest.raises(ValidationError, match="zero or positive"):
        read(quantities.NonNegativeLength, -1)
    with pytest.raises(ValidationError, match=r"the number must be at most 1.0"):
        read(quantities.Fraction, 1.01)
    with pytest.raises(ValidationError, match=r"above 5.0 m"):
        read(Annotated[float, Quantity(LENGTH, above=5.0)], "5 m")
    schema = TypeAdapter(quantities.PositiveLength).json_schema()
    assert schema["anyOf"][0]["exclusiveMinimum"] == 0.0


def test_wrong_dimension():
    with pytest.raises(ValidationError, match=r"'3 kg' is a mass \(kg\), but a density is wanted here"):
        read(Annotated[float, Quantity(DENSITY)], "3 kg")


@pytest.mark.parametrize(
    "written",
    [
        [0.001, 0.002, -0.003],
        ("1 mm", "2 mm", "-3 mm"),
        ["1 mm", 0.002, "-3e-3 m"],
        "[1, 2, -3] mm",
        "(1, 2, -3) mm",
        "1 2 -3 mm",
        "1, 2, -3 mm",
        "[0.001, 0.002, -0.003]",
    ],
)
def test_ways_of_writing_a_point(written):
    assert read(vectors.Point, written) == (0.001, 0.002, -0.003)


def test_a_numpy_array_is_a_point():
    numpy = pytest.importorskip("numpy")
    point = read(vectors.Point, numpy.array([1, 2, 3]))
    assert point == (1.0, 2.0, 3.0)
    assert all(type(c) is float for c in point)


@pytest.mark.parametrize("name", vector_types())
def test_every_vector_writes_what_it_reads(name):
    adapter = TypeAdapter(vector_types()[name])
    value = adapter.validate_python([0.1, -2e-17, 1e22])
    assert value == (0.1, -2e-17, 1e22)
    assert adapter.validate_python(adapter.dump_python(value, mode="json")) == value
    assert adapter.json_schema()["anyOf"][0]["minItems"] == 3


def test_a_wrong_component_is_located():
    with pytest.raises(ValidationError) as caught:
        read(vectors.Point, [0, "3 kg", 0])
    (error,) = caught.value.errors()
    assert error["loc"] == (1,)
    assert "'3 kg' is a mass" in error["msg"]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ([1, 2], "has 2 components, not 3; write three components such as"),
        ([1, 2, 3, 4], "has 4 components, not 3"),
        (5, "5 is not a vector"),
        ("1 2 mm", "'1 2 mm' is not a vector"),
        ("1 2 3 kg", r"is a mass \(kg\), but a length"),
        ({"x": 1}, "not a vector"),
    ],
)
def test_what_is_not_a_point(written, message):
    with pytest.raises(ValidationError, match=message):
        read(vectors.Point, written)


def test_directions():
    assert read(vectors.Direction, "z") == (0.0, 0.0, 1.0)
    assert read(vectors.Direction, "-x") == (-1.0, 0.0, 0.0)
    assert read(vectors.Direction, "+Y") == (0.0, 1.0, 0.0)
    assert read(vectors.Direction, [0, 0, 5]) == (0.0, 0.0, 1.0)
    assert read(vectors.Direction, [3, 0, 4]) == pytest.approx((0.6, 0.0, 0.8), rel=1e-15)
    assert read(vectors.Direction, [1e-200, 0, 1e-200]) == pytest.approx((math.sqrt(0.5), 0, math.sqrt(0.5)))
    assert read(vectors.Direction, [1e300, 1e300, 0]) == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0))


def test_a_direction_read_again_does_not_change():
    for i in range(200):
        once = read(vectors.Direction, [math.sin(i), math.cos(3 * i), 0.1 * i - 7])
        assert math.hypot(*once) == pytest.approx(1.0, abs=1e-15)
        assert read(vectors.Direction, list(once)) == once


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ([0, 0, 0], r"axis has zero length; give a direction such as \[0, 0, 1\] or 'z'"),
        ([1, 0], "not a direction; give one such as"),
        ("w", "'w' is not a direction"),
        (3, "3 is not a direction"),
        ([1, 0, "3 m"], r"'3 m' is a length \(m\), but a number is wanted"),
    ],
)
def test_what_is_not_a_direction(written, message):
    with pytest.raises(ValidationError, match=message):
        read(vectors.Direction, written)
