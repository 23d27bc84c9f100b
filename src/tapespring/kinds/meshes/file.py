"""Mesh from a file of another program."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from ...schema.folder import Folder, NotAllowedError
from ...schema.near_words import nearest
from ...schema.quantities import PositiveLength
from ..refusal import Refusal
from .given import GivenMesh
from .grid import Grid
from .raw import RawMesh
from .selection import body_of

FORMATS = ".msh (Gmsh), .inp (Abaqus), .vtk and .vtu (VTK)"


def read_unit(value: Any) -> Any:
    """`mm` is short for `1 mm`."""
    return f"1 {value.strip()}" if isinstance(value, str) and value.strip()[:1].isalpha() else value


def read_parts(value: Any) -> Any:
    """One name stands for a list of one."""
    return (value,) if isinstance(value, str) else value


Unit = Annotated[
    PositiveLength,
    BeforeValidator(read_unit),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "number"}], "examples": ["mm"]}),
]
Parts = Annotated[
    tuple[str, ...],
    BeforeValidator(read_parts),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class FileMesh(GivenMesh):
    """Gmsh (.msh, text or binary), Abaqus (.inp) or VTK (.vtk, .vtu). Groups are the file's: physical groups, NSET and
    ELSET; those of elements are also parts. Lines and faces on the body only make groups."""

    kind: Literal["file"] = "file"
    file: str = Field(description="below the model's folder", examples=["panel.msh"])
    unit: Unit = Field(1.0, description="of length in the file", examples=["mm"])
    part: Parts = Field(
        (), description="groups of elements to take; else all of the highest dimension", examples=["web"]
    )

    def drawn(self, base_dir: Folder) -> Grid:
        try:
            return super().drawn(base_dir)
        except Refusal as refusal:
            raise Refusal(f"{Path(self.file).name}: {refusal}", *(refusal.field or ("file",))) from None

    def written(self, base_dir: Folder) -> Grid:
        try:
            return body_of(read_mesh(base_dir.file(self.file), base_dir), self.part, self.unit)
        except NotAllowedError as error:
            raise Refusal(str(error), "file") from None


def read_mesh(path: Path, folder: Folder) -> RawMesh:
    """What is in a file, and in those of the folder that it includes. Raises Refusal and NotAllowedError."""
    if not path.is_file():
        near = nearest(path.name, [p.name for p in path.parent.iterdir()]) if path.parent.is_dir() else None
        raise Refusal(f"no such file in {path.parent}" + (f"; did you mean '{near}'?" if near else ""))
    suffix = path.suffix.lower()
    if suffix == ".inp":
        from .abaqus import read_inp

        return read_inp(path, folder)
    if suffix in (".msh", ".vtk", ".vtu"):
        from .through_meshio import read_with_meshio

        return read_with_meshio(path)
    raise Refusal(f"meshes are read from {FORMATS}; convert the file to one of them (for example with Gmsh)")
