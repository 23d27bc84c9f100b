"""Files that meshio reads: Gmsh and VTK."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..refusal import Refusal
from .elements import dimension_of
from .raw import Block, RawMesh

ENTITIES = ("point", "curve", "surface", "volume")
GROUP = "group_"  # point data of a VTK file: 1 at the nodes of a group
PART = "part_"  # cell data likewise


def meshio_for(what: str) -> ModuleType:
    """The optional package. Raises Refusal."""
    try:
        import meshio
    except ImportError:
        raise Refusal(f"{what} needs meshio; install it: pip install tapespring[meshes]") from None
    return meshio


def read_with_meshio(path: Path) -> RawMesh:
    """A .msh, .vtk or .vtu file. Raises Refusal."""
    meshio = meshio_for(f"reading {path.suffix} files")
    reader = {".msh": meshio.gmsh.read, ".vtk": meshio.vtk.read, ".vtu": meshio.vtu.read}[path.suffix.lower()]
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):  # meshio talks to the terminal
            mesh = reader(str(path))
        raw = blocks_of(mesh, 1 if path.suffix.lower() == ".msh" else 0)
    except (Exception, SystemExit) as error:  # whatever a damaged file makes it stumble over
        raise Refusal(f"cannot be read as a {path.suffix} file: {reason(error)}") from None
    add_gmsh_groups(raw, mesh)
    add_vtk_groups(raw, mesh)
    return raw


def reason(error: BaseException) -> str:
    """meshio's own words, or what they mean."""
    if "Incompatible cell data 'gmsh:physical'" in str(error):
        return (
            "some of its elements are in physical groups and some are not; put all of them into groups, or save "
            "without Mesh.SaveAll"
        )
    if type(error).__name__ == "ReadError" and str(error):
        return str(error)
    return f"it ends too early or is damaged ({type(error).__name__}: {error})"


def blocks_of(mesh: Any, counted_from: int) -> RawMesh:
    """Nodes and elements, numbered in the order of the file."""
    points = np.zeros((len(mesh.points), 3))
    if len(points):
        given = np.asarray(mesh.points, float)
        points[:, : given.shape[1]] = given
    blocks, start = [], counted_from
    for block in mesh.cells:
        cells = np.asarray(block.data, int)
        blocks.append(Block(block.type, cells, start + np.arange(len(cells))))
        start += len(cells)
    return RawMesh(points, counted_from + np.arange(len(points)), blocks)


def add_gmsh_groups(raw: RawMesh, mesh: Any) -> None:
    """Physical groups by name; those without one are `surface_3` and the like."""
    named = {(int(dimension), int(tag)): name for name, (tag, dimension) in mesh.field_data.items()}
    for k, tags in enumerate(mesh.cell_data.get("gmsh:physical", [])):
        dimension = dimension_of(raw.blocks[k].name)
        for tag in np.unique(tags).tolist():
            if tag > 0:
                name = named.get((dimension, tag), f"{ENTITIES[dimension]}_{tag}")
                raw.cell_sets.setdefault(name, {})[k] = np.flatnonzero(tags == tag)
    for name, members in mesh.cell_sets.items():
        if name != "gmsh:bounding_entities":  # several groups of one entity are only here
            found = {k: np.asarray(cells, int) for k, cells in enumerate(members) if cells is not None and len(cells)}
            if found:
                raw.cell_sets[name] = found


def add_vtk_groups(raw: RawMesh, mesh: Any) -> None:
    """Groups as `write_mesh` marks them."""
    for name, marks in mesh.point_data.items():
        if name.startswith(GROUP):
            raw.node_sets[name.removeprefix(GROUP)] = np.flatnonzero(np.asarray(marks).reshape(-1))
    for name, by_block in mesh.cell_data.items():
        if name.startswith(PART):
            found = {k: np.flatnonzero(np.asarray(marks).reshape(-1)) for k, marks in enumerate(by_block)}
            raw.cell_sets[name.removeprefix(PART)] = {k: cells for k, cells in found.items() if len(cells)}
