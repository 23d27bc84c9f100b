"""What all meshes share: where they are placed, and how divisions are written."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
)

from ...schema.folder import Folder, trusted
from ...schema.orientation import Orientation
from ...schema.vectors import Point
from ..frames import rotation_matrix
from ..references import NO_TURN
from .grid import Grid, placed

MOST_ELEMENTS = 2_000_000


class Mesh(BaseModel):
    """Base of the meshes: where nodes and elements of a membrane, shell or solid come from."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    kind: str
    origin: Point = Field((0.0, 0.0, 0.0), description="where the mesh's own origin is in the world")
    orientation: Orientation = Field(NO_TURN, description="the mesh's own axes in the world")

    @model_serializer(mode="wrap")
    def _keep_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """`kind` is a default of its class, yet a file cannot be read without it."""
        return {"kind": self.kind} | handler(self)

    def grid(self, base_dir: str | Path | Folder = ".") -> Grid:
        """Nodes and elements in the world; files are looked for in `base_dir`. Raises Refusal."""
        from .checks import check_elements

        drawn = self.drawn(trusted(base_dir))
        check_elements(drawn)
        return placed(drawn, self.origin, rotation_matrix(self.orientation))

    def drawn(self, base_dir: Folder) -> Grid:
        """In the mesh's own axes. Raises Refusal."""
        raise NotImplementedError


class SurfaceMesh(Mesh):
    """A surface of quads, or of triangles."""

    triangles: bool = Field(False, strict=True, description="cut every quad in two, diagonals alternating")


def read_counts(count: int, example: str):
    """A check for a list of so many counts."""

    def read(value: Any) -> Any:
        if hasattr(value, "tolist"):
            value = value.tolist()
        if not isinstance(value, (list, tuple)) or len(value) != count:
            raise ValueError(f"{value!r} does not say how many elements there are; write {count} counts: {example}")
        return value

    return read


def not_too_many(counts: tuple[int, ...]) -> tuple[int, ...]:
    """A slip of the keyboard should not fill the memory. Raises ValueError."""
    if prod(counts) > MOST_ELEMENTS:
        raise ValueError(f"{prod(counts)} elements; at most {MOST_ELEMENTS} are made")
    return counts


def _schema(count: int) -> WithJsonSchema:
    items = {"type": "integer", "minimum": 1}
    return WithJsonSchema({"type": "array", "items": items, "minItems": count, "maxItems": count})


Count = Annotated[int, Field(ge=1, le=MOST_ELEMENTS, strict=True)]
Two = Annotated[
    tuple[Count, Count],
    BeforeValidator(read_counts(2, "[40, 8]")),
    AfterValidator(not_too_many),
    _schema(2),
]
Three = Annotated[
    tuple[Count, Count, Count],
    BeforeValidator(read_counts(3, "[10, 2, 2]")),
    AfterValidator(not_too_many),
    _schema(3),
]
