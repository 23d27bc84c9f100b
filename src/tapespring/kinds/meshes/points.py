"""Mesh written node by node."""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from ...schema.entity import Name
from ...schema.folder import Folder
from ...schema.vectors import Point
from .given import GivenMesh, once
from .grid import Grid

FIELDS = {"triangles": "triangle", "quads": "quad", "tetra10": "tetra10", "hexahedra": "hexahedron"}
Node = Annotated[int, Field(ge=0, strict=True)]


def read_nodes(count: int):
    """A check for the nodes of one element."""

    def read(value: Any) -> Any:
        if not isinstance(value, (list, tuple)) or len(value) != count:
            raise ValueError(f"{value!r} is not an element of {count} nodes")
        return value

    return read


Triangle = Annotated[tuple[Node, ...], BeforeValidator(read_nodes(3))]
Quad = Annotated[tuple[Node, ...], BeforeValidator(read_nodes(4))]
Tetra10 = Annotated[tuple[Node, ...], BeforeValidator(read_nodes(10))]
Hexahedron = Annotated[tuple[Node, ...], BeforeValidator(read_nodes(8))]


class PointsMesh(GivenMesh):
    """Places of nodes, and elements and groups of their numbers, counted from 0. Quads and triangles may stand
    together."""

    kind: Literal["points"] = "points"
    nodes: tuple[Point, ...] = Field(examples=["[[0, 0, 0], [1 m, 0, 0], [1 m, 1 m, 0], [0, 1 m, 0]]"])
    quads: tuple[Quad, ...] = Field((), examples=["[[0, 1, 2, 3]]"])
    triangles: tuple[Triangle, ...] = Field((), examples=["[[0, 1, 2]]"])
    hexahedra: tuple[Hexahedron, ...] = Field((), description="four nodes below, four above")
    tetra10: tuple[Tetra10, ...] = Field((), description="corners, then nodes between 01, 12, 02, 03, 13, 23")
    groups: dict[Name, tuple[Node, ...]] = Field({}, examples=["{left: [0, 3]}"])

    @model_validator(mode="after")
    def _nodes_exist(self):
        listed = {field: getattr(self, field) for field in FIELDS}
        if not any(listed.values()):
            raise ValueError("the mesh has no elements; list 'quads', 'triangles', 'hexahedra' or 'tetra10'")
        listed["groups"] = self.groups
        for field, items in listed.items():
            for key, nodes in items.items() if isinstance(items, dict) else enumerate(items):
                wrong = [node for node in nodes if node >= len(self.nodes)]
                if wrong:
                    where = f"group '{key}'" if field == "groups" else f"{field}[{key}]"
                    raise ValueError(
                        f"{where} names node {wrong[0]}, but there are {len(self.nodes)} nodes, counted from 0"
                    )
        return self

    def written(self, base_dir: Folder) -> Grid:
        cells = {name: np.array(getattr(self, field)) for field, name in FIELDS.items() if getattr(self, field)}
        groups = {name: once(np.array(nodes, int)) for name, nodes in self.groups.items()}
        return Grid(np.array(self.nodes, float).reshape(-1, 3), cells, groups)
