"""Distributed load: force and moment per length along a beam or cable, as functions of time."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from ...schema.entity import Entity
from ...schema.functions import LineForceHistory, LineMomentHistory
from ..refusal import Refusal
from ..registry import Kind
from ..stations import AlongBody, Station
from .wrench import COMPONENTS


def read_line_name(value: Any) -> str:
    """The name of a beam or cable, or a handle. Raises ValueError."""
    value = getattr(value, "reference", value)
    if not isinstance(value, str) or "." in value:
        raise ValueError(f"{value!r} is not the name of a beam or cable; say where along it with 'span'")
    return value


_LINE = {"type": "string", "description": "a beam or cable", "examples": ["strap"]}
LineRef = Annotated[str, BeforeValidator(read_line_name), WithJsonSchema(_LINE)]


class DistributedLoad(Entity):
    """Per length of the undeformed axis; `axes: body` follows the sections as they turn. Each node takes what acts on
    the halves of its elements."""

    kind: Literal["distributed_load"] = "distributed_load"
    on: LineRef
    force: tuple[LineForceHistory, LineForceHistory, LineForceHistory] | None = Field(
        None, description=COMPONENTS, examples=["[0, 0, -5 N/m]"]
    )
    moment: tuple[LineMomentHistory, LineMomentHistory, LineMomentHistory] | None = Field(
        None, description=COMPONENTS, examples=["[2 N m/m, 0, 0]"]
    )
    axes: Literal["world", "body"] = Field("world", description="directions of the components")
    span: tuple[AlongBody, AlongBody] = Field(
        (Station(0.0, True), Station(1.0, True)), description="from and to; else all of it", examples=["[0.1 m, 75 %]"]
    )

    @model_validator(mode="after")
    def _does_something(self):
        if self.force is None and self.moment is None:
            raise ValueError("needs 'force' (for example [0, 0, -5 N/m]) or 'moment' (for example [2 N m/m, 0, 0])")
        return self

    def stations_wanted(self) -> list[tuple[str, Station]]:
        """Nodes at both ends of the span."""
        return [(self.on, station) for station in self.span]


def build(load: DistributedLoad, builder) -> None:
    """Six laws of time that all parts share, each part by its length."""
    body = builder.body(load.on, "on")
    if body.line is None:
        raise Refusal(f"'{load.on}' is not a beam or cable; use a load at a point of it", "on")
    if body.kind in ("cable", "cord") and load.moment is not None:
        raise Refusal("a cable cannot carry a moment; give 'force' only, or use a beam", "moment")
    if body.kind in ("cable", "cord") and load.axes == "body":
        raise Refusal("a cable has no section axes; write 'axes: world'", "axes")
    first, last = (span_end(builder, body, load.span[k], k) for k in (0, 1))
    if last <= first:
        raise Refusal(f"the span ends at {last:.6g} m, where it starts or before; swap its ends", "span")
    laws = [builder.law_of_time(f, ("force", k)) for k, f in enumerate(load.force or (None,) * 3)]
    laws += [builder.law_of_time(f, ("moment", k)) for k, f in enumerate(load.moment or (None,) * 3)]
    follows = load.axes == "body"
    parts = []
    for k, length in enumerate(np.diff(body.line.stations)):
        if first - 1e-12 <= body.line.stations[k] + 0.5 * length <= last:
            for end in (0, 1):
                axes = body.line.ends[k, end].T if follows else np.eye(3)
                parts.append((body.line.nodes[k + end], body.line.points[k + end], axes, 0.5 * float(length)))
    builder.add_distributed_load(load, merged(parts), follows, laws)


def span_end(builder, body, station: Station, k: int) -> float:
    """Arc length [m]. Raises Refusal."""
    with builder.at_field("span", k):
        return station.along(body.line.length)


def merged(parts: list) -> list:
    """Parts of one node, place and axes as one."""
    found: list = []
    for node, point, axes, share in parts:
        if found and found[-1][0] == node and np.array_equal(found[-1][1], point) and np.allclose(found[-1][2], axes):
            found[-1] = (node, point, axes, found[-1][3] + share)
        else:
            found.append((node, point, axes, share))
    return found


KIND = Kind(
    "distributed_load",
    "forces",
    DistributedLoad,
    build,
    "a force and a moment per length along a beam or cable, as functions of time",
    {
        "name": "Boom in a side wind",
        "bodies": {
            "boom": {
                "kind": "beam",
                "path": [[0, 0, 0], [0, 0, "1 m"]],
                "section": {"kind": "tube", "radius": "10 mm", "wall": "1 mm"},
                "material": {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"},
                "elements": 2,
            }
        },
        "joints": {"clamp": {"kind": "fixed", "between": ["ground", "boom.start"]}},
        "forces": {
            "wind": {
                "kind": "distributed_load",
                "on": "boom",
                "force": ["5*(1 - cos(20*t))", 0, 0],
                "moment": [0, 0, "0.1 N m/m"],
                "span": ["0.5 m", "100 %"],
                "axes": "body",
            }
        },
        "simulate": {"duration": "0.1 s"},
    },
)
