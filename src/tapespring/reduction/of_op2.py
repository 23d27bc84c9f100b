"""Modes that NASTRAN found, of a structure whose masses and elements stand in bulk data.

An OUTPUT2 file has shapes and frequencies, but no masses: inertia is that of the bulk data, stiffness of the modes
that of the file. Both have to be of the same structure, which the modal masses tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..kinds.bodies.nastran import Nastran, bulk_of
from ..nastran.op2 import Modes, read_op2, refuse
from ..schema.folder import Folder
from ..schema.validation import validated
from .coordinates import Coordinates
from .of_nastran import structure_of_nastran
from .structure import Structure

AS_ONE = 1e-3  # of a shape's mass: what else than motion as one piece is in it
ALIKE = 0.05  # modal masses of two modes together, over their own


@dataclass(frozen=True, eq=False)
class Imported:
    """Shapes (nv, n), world axes, and ω²."""

    path: Path
    shapes: np.ndarray
    squares: np.ndarray


def structure_of_op2(path: str | Path, nodes=None, allow_outside: bool = False, **reading) -> Structure:
    """`nodes`: the bulk data; `reading` as theirs. Raises ModelError."""
    path = Path(path)
    if nodes is None:
        refuse(path, "modes have no masses; name the bulk data they belong to (--nodes boom.bdf)")
    structure = structure_of_nastran(nodes, allow_outside, **reading)
    modes = read_op2(path)
    fields = {"kind": "nastran", "file": Path(nodes).name, **{k: v for k, v in reading.items() if v is not None}}
    body = validated(Nastran, fields, ("structure",))
    bulk = bulk_of(body, Folder(Path(nodes).resolve().parent, allow_outside=allow_outside))
    shapes = on_freedoms(path, structure, modes, bulk, body.length_unit)
    note = f"modes of {path.name} by {modes.reader}, masses of {Path(nodes).name}"
    return replace(
        structure,
        name=path.stem,
        imported=Imported(path, shapes, modes.squares),
        notes=(*structure.notes, note),
        source=structure.source | {"modes": path.name},
    )


def on_freedoms(path: Path, structure: Structure, modes: Modes, bulk, unit: float) -> np.ndarray:
    """(nv, n). Raises ModelError."""
    place = {int(g): k for k, g in enumerate(modes.grids)}
    out = np.zeros((structure.size, len(modes.squares)))
    for name, spot in structure.places.items():
        if not len(spot.nodes) or np.abs(spot.points[0] - structure.positions[spot.nodes[0]]).max() > 0.0:
            continue  # held, or carried by another grid
        if int(name) not in place:
            refuse(path, f"grid {name} of the bulk data has no displacements here; ask for DISPLACEMENT(PLOT) = ALL")
        axes = bulk.axes_of(int(name))
        given = modes.shapes[:, place[int(name)]]
        moved = np.hstack((unit * given[:, :3] @ axes.T, given[:, 3:] @ axes.T))
        free = structure.freedoms[spot.nodes[0]]
        out[free[free >= 0]] = moved.T[free >= 0]
    return out


def imported_shapes(structure: Structure, z: Coordinates, count: int | None) -> tuple[np.ndarray, np.ndarray]:
    """(ω² rising, shapes (nz, n) of unit modal mass) without motions as one piece. Raises ModelError."""
    given = structure.imported
    V = z.back @ given.shapes
    V = V / np.sqrt(np.einsum("zi,zi->i", V, z.mass @ V))
    V = V - z.rigid @ (z.rigid.T @ (z.mass @ V))
    left = np.einsum("zi,zi->i", V, z.mass @ V)
    some = np.flatnonzero(left > AS_ONE)
    order = some[np.argsort(given.squares[some])][:count]
    V, squares = V[:, order] / np.sqrt(left[order]), given.squares[order]
    modal = V.T @ (z.mass @ V)
    mixed = np.abs(modal - np.eye(len(order))).max(initial=0.0)
    if mixed > ALIKE:
        message = f"its modes are not those of the bulk data: of the masses there they share {mixed:.0%}"
        refuse(given.path, message + "; check that both files, and units and masses in them, belong together")
    if len(squares) and not squares[0] > 0.0:
        refuse(given.path, f"a mode that deforms has ω² = {squares[0]:.3g}: the structure is loose or unstable")
    return squares, V
