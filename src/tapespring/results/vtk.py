"""A run as a VTK time series for ParaView: one .pvd file, and a folder with one .vtu file per output time.

Every body is there: beams, cables and cords as lines, membranes and shells as triangles and quads, solids as hexahedra
and quadratic tetrahedra, rigid bodies by their shapes, point masses as vertices. On points: `displacement` since the
start. On cells: `part` (numbers are listed in the .pvd file), and what elements carry: `membrane_force`,
`bending_moment`, `shear_force`, `stress`, `section_force`, `section_moment`, `strain`, `curvature`, `tension`,
`energy_density` (J/m, J/m² or J/m³ as drawn); not a number where a cell has none.
"""

from __future__ import annotations

import base64
import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .pieces import CARRIED, Piece, pieces_of
from .safe_file import ResultsFileError, replacing

if TYPE_CHECKING:
    from .dataset import Results

TYPES = {"vertex": 1, "line": 3, "triangle": 5, "quad": 9, "hexahedron": 12, "tetra10": 24}
NAMES = {"Float32": "<f4", "Float64": "<f8", "Int64": "<i8", "Int32": "<i4", "UInt8": "u1"}


def write_vtk(results: Results, path: str | os.PathLike[str]) -> Path:
    """Write `path` (.pvd) and the folder beside it; returns the path. Raises ResultsFileError."""
    path = Path(path)
    pieces = pieces_of(results)
    folder = path.with_suffix("")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResultsFileError(f"cannot make the folder '{folder}': {error.strerror}") from error
    shared = shared_cells(pieces)
    files = [f"{folder.name}/{folder.name}_{row:06d}.vtu" for row in range(len(results.time))]
    for row, name in enumerate(files):
        with replacing(path.parent / name) as file:
            file.write(grid(pieces, shared, row).encode("ascii"))
    with replacing(path) as file:
        file.write(collection(results.time, files, [piece.name for piece in pieces]).encode("utf-8"))
    return path


def shared_cells(pieces: list[Piece]) -> str:
    """What is the same at all times: connectivity, types, part numbers."""
    rows, kinds, parts = [], [], []
    first = 0
    for number, piece in enumerate(pieces):
        for kind, cells in piece.cells.items():
            rows += [np.array(cells) + first]
            kinds += [np.full(len(cells), TYPES[kind])]
        parts.append(np.full(piece.count, number))
        first += piece.points.shape[1]
    ends = np.cumsum(np.concatenate([np.full(len(row), row.shape[1]) for row in rows]))
    listed = [
        array("connectivity", "Int64", np.concatenate([row.ravel() for row in rows])),
        array("offsets", "Int64", ends),
        array("types", "UInt8", np.concatenate(kinds)),
    ]
    numbers = array("part", "Int32", np.concatenate(parts))
    return f"<Cells>{''.join(listed)}</Cells><CellData>{numbers}"


def grid(pieces: list[Piece], shared: str, row: int) -> str:
    """One .vtu file."""
    here = np.concatenate([piece.points[row] for piece in pieces])
    moved = here - np.concatenate([piece.points[0] for piece in pieces])
    names = dict.fromkeys(name for piece in pieces for name in piece.carried)
    carried = "".join(array(name, "Float32", of_all(pieces, name, row)) for name in names)
    count = sum(piece.count for piece in pieces)
    return (
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">'
        f'<UnstructuredGrid><Piece NumberOfPoints="{len(here)}" NumberOfCells="{count}">'
        f"<Points>{array('Points', 'Float64', here)}</Points>"
        f"<PointData>{array('displacement', 'Float32', moved)}</PointData>"
        f"{shared}{carried}</CellData></Piece></UnstructuredGrid></VTKFile>\n"
    )


def of_all(pieces: list[Piece], name: str, row: int) -> NDArray[np.float64]:
    """(cells, k) of all parts, not a number where one does not carry it."""
    return np.concatenate([
        piece.carried[name][row] if name in piece.carried else np.full((piece.count, CARRIED[name]), np.nan)
        for piece in pieces
    ])  # fmt: skip


def array(name: str, kind: str, values: NDArray[Any]) -> str:
    data = np.ascontiguousarray(values, NAMES[kind]).tobytes()
    text = base64.b64encode(len(data).to_bytes(8, "little") + data).decode("ascii")
    width = values.shape[1] if values.ndim > 1 else 1
    return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{width}" format="binary">{text}</DataArray>'


def collection(times: NDArray[np.float64], files: list[str], parts: list[str]) -> str:
    """The .pvd file."""
    listed = "\n".join(f"<!-- part {k}: {escape(name).replace('--', '- -')} -->" for k, name in enumerate(parts))
    sets = "\n".join(
        f'<DataSet timestep="{time!r}" file="{escape(name, quote=True)}"/>'
        for time, name in zip(times.tolist(), files, strict=True)
    )
    head = '<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">'
    return f'<?xml version="1.0" encoding="utf-8"?>\n{listed}\n{head}<Collection>\n{sets}\n</Collection></VTKFile>\n'
