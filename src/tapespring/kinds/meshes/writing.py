"""Meshes written to files: what was built, for other programs to look at."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from ..refusal import Refusal
from .grid import Cells, Grid
from .through_meshio import GROUP, PART, meshio_for

ABAQUS = {"line": "T3D2", "triangle": "S3", "quad": "S4", "tetra10": "C3D10", "hexahedron": "C3D8"}
PER_ROW = 8


def write_mesh(path: str | Path, grid: Grid) -> None:
    """Write .vtu, .vtk, .msh (Gmsh 2.2) or .inp (Abaqus), in metres, with groups and parts. Raises Refusal."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".inp":
        with path.open("w", encoding="utf-8") as file:
            write_inp(file, grid)
        return
    makers = {".vtu": vtk_mesh, ".vtk": vtk_mesh, ".msh": gmsh_mesh}
    if suffix not in makers:
        raise Refusal(f"'{path.name}': meshes are written as .vtu, .vtk, .msh or .inp")
    meshio = meshio_for(f"writing {suffix} files")
    mesh = makers[suffix](grid, meshio)
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        if suffix == ".msh":
            meshio.gmsh.write(str(path), mesh, "2.2", binary=False)
        else:
            mesh.write(str(path))


def vtk_mesh(grid: Grid, meshio: Any) -> Any:
    """Groups and parts as marks 0 and 1 on nodes and cells."""
    point_data = {GROUP + name: marks(nodes, len(grid.points)) for name, nodes in grid.groups.items()}
    if grid.normals is not None:
        point_data["normals"] = np.ascontiguousarray(grid.normals)
    cell_data = {
        PART + part: [marks(cells.get(name, []), len(rows)) for name, rows in grid.cells.items()]
        for part, cells in grid.parts.items()
    }
    return meshio.Mesh(grid.points, list(grid.cells.items()), point_data=point_data, cell_data=cell_data)


def marks(chosen, count: int) -> np.ndarray:
    """1 at the chosen, 0 elsewhere."""
    marked = np.zeros(count, np.int32)
    marked[chosen] = 1
    return marked


def gmsh_mesh(grid: Grid, meshio: Any) -> Any:
    """Groups are physical groups of points, in their order; parts of elements, written once for each part."""
    blocks: list[tuple[str, np.ndarray]] = []
    tags: list[np.ndarray] = []
    names: dict[str, np.ndarray] = {}
    dimension = grid.dimension

    def add(name: str, cells: np.ndarray, tag: int) -> None:
        blocks.append((name, cells))
        tags.append(np.full(len(cells), tag, np.int32))

    for tag, (name, nodes) in enumerate(grid.groups.items(), start=1):
        if name not in grid.parts:  # a part's nodes are a group by themselves
            names[name] = np.array([tag, 0])
            add("vertex", nodes[:, None], tag)
    for name, cells in grid.cells.items():
        add(name, cells[~in_parts(grid.parts, name, len(cells))], 0)
    for tag, (part, members) in enumerate(grid.parts.items(), start=1):
        names[part] = np.array([tag, dimension])
        for name, chosen in members.items():
            add(name, grid.cells[name][chosen], tag)
    full = [k for k, (_, cells) in enumerate(blocks) if len(cells)]
    kept = [tags[k] for k in full]
    cell_data = {"gmsh:physical": kept, "gmsh:geometrical": kept}
    return meshio.Mesh(grid.points, [blocks[k] for k in full], cell_data=cell_data, field_data=names)


def in_parts(parts: dict[str, Cells], name: str, count: int) -> np.ndarray:
    """Which elements of a type are in any part."""
    inside = np.zeros(count, bool)
    for members in parts.values():
        inside[members.get(name, [])] = True
    return inside


def write_inp(file: TextIO, grid: Grid) -> None:
    """Nodes and elements counted from 1, sets of both."""
    file.write("*HEADING\nwritten by tapespring, in metres\n*NODE\n")
    for number, place in enumerate(grid.points.tolist(), start=1):
        file.write(f"{number}, {', '.join(map(repr, place))}\n")
    start, first = 1, {}
    for name, cells in grid.cells.items():
        first[name] = start
        file.write(f"*ELEMENT, TYPE={ABAQUS[name]}\n")
        for row in (cells + 1).tolist():
            file.write(f"{start}, {', '.join(map(str, row))}\n")
            start += 1
    for name, nodes in grid.groups.items():
        if name not in grid.parts:
            write_set(file, f"*NSET, NSET={name}, UNSORTED", nodes + 1)
    for part, members in grid.parts.items():
        write_set(file, f"*ELSET, ELSET={part}", np.concatenate([cells + first[n] for n, cells in members.items()]))


def write_set(file: TextIO, head: str, numbers: np.ndarray) -> None:
    """A few numbers in each row."""
    file.write(head + "\n")
    for k in range(0, len(numbers), PER_ROW):
        file.write(", ".join(map(str, numbers[k : k + PER_ROW].tolist())) + "\n")
