"""Coupler: gears, racks and screws, as a linear relation between coordinates of joints."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ...schema import units
from ...schema.entity import Entity
from ...schema.quantities import Number, Quantity
from ..either import EitherOf, Written
from ..references import CoordinateRef
from ..refusal import Refusal
from ..registry import Kind

RATIOS = EitherOf((Quantity(units.NUMBER), Quantity(units.LENGTH), Quantity(units.CURVATURE)))
OFFSETS = EitherOf((Quantity(units.ANGLE), Quantity(units.LENGTH)))


class Coupler(Entity):
    """coordinate2 = ratio × coordinate1 + offset; or, with `terms`, Σ weight × coordinate = constant (as drawn).

    Between an angle and a length the ratio is in m/rad or rad/m.
    """

    kind: Literal["coupler"] = "coupler"
    joints: tuple[CoordinateRef, CoordinateRef] | None = Field(
        None, description="two coordinates, with 'ratio'", examples=["[gear1, gear2.angle]"]
    )
    ratio: Annotated[Written, RATIOS] | None = Field(None, examples=[-2])
    offset: Annotated[Written, OFFSETS] | None = Field(None, description="else as drawn")
    terms: dict[CoordinateRef, Number] | None = Field(
        None, description="coordinates and their weights", examples=["{sun: 1, ring: 2, carrier: -3}"]
    )

    @model_validator(mode="after")
    def _one_way(self):
        if (self.joints is None) == (self.terms is None):
            raise ValueError(
                "give either 'joints' (two, with 'ratio') or 'terms', such as {sun: 1, ring: 2, carrier: -3}"
            )
        if self.joints is not None and self.ratio is None:
            raise ValueError("needs 'ratio': coordinate2 = ratio × coordinate1 + offset")
        if self.terms is not None and (self.ratio is not None or self.offset is not None):
            raise ValueError("'ratio' and 'offset' belong to 'joints'; with 'terms' the sum keeps its drawn value")
        if self.terms is not None and (len(self.terms) < 2 or 0.0 in self.terms.values()):
            raise ValueError("'terms' needs at least two coordinates, each with a weight that is not zero")
        return self


def build(coupler: Coupler, builder) -> None:
    """One row over several measures."""
    if coupler.terms is not None:
        found = [(builder.coordinate(name, "terms", name), w) for name, w in coupler.terms.items()]
        constant = sum(w * builder.drawn_value(c.measure) for c, w in found)
    else:
        first, second = (builder.coordinate(name, "joints", k) for k, name in enumerate(coupler.joints or ()))
        ratio = builder.read_either(coupler.ratio, ratio_dimension(first, second), "ratio")
        found = [(second, 1.0), (first, -ratio)]
        if coupler.offset is not None:
            constant = builder.read_either(coupler.offset, second.dimension, "offset")
        else:
            constant = builder.drawn_value(second.measure) - ratio * builder.drawn_value(first.measure)
    if len({c.measure for c, _ in found}) < len(found):
        raise Refusal("couples a coordinate with itself", "terms" if coupler.terms else "joints")
    row = builder.assembler.constrain([(c.measure, w) for c, w in found], coupler.name, "coupling", constant)
    builder.add_coupler(coupler, row, [(c.measure, w) for c, w in found])


def ratio_dimension(first, second) -> units.Dimension:
    """Of coordinate2 over coordinate1."""
    if first.dimension == second.dimension:
        return units.NUMBER
    return units.LENGTH if second.dimension == units.LENGTH else units.CURVATURE


def wheel(x: float) -> dict:
    """A disc for the example."""
    return {"kind": "rigid", "at": [x, 0, 0], "mass": 1, "shape": {"kind": "cylinder", "radius": 0.1, "length": 0.02}}


KIND = Kind(
    "coupler",
    "joints",
    Coupler,
    build,
    "gears, racks, screws: a linear relation between coordinates of joints",
    {
        "name": "Pair of gears",
        "bodies": {"pinion": wheel(0.0), "gear": wheel(0.3)},
        "joints": {
            "shaft1": {
                "kind": "revolute",
                "between": ["ground", "pinion"],
                "at": [0, 0, 0],
                "axis": "z",
                "initial": {"rate": "10 rad/s"},
            },
            "shaft2": {"kind": "revolute", "between": ["ground", "gear"], "at": [0.3, 0, 0], "axis": "z"},
            "mesh": {"kind": "coupler", "joints": ["shaft1", "shaft2.angle"], "ratio": -0.5},
        },
        "simulate": {"duration": "1 s"},
    },
    stage=1,
)
