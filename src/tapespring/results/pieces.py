"""Bodies of a run as points that move and cells between them, for programs that draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .facets import facets
from .safe_file import ResultsFileError

if TYPE_CHECKING:
    from .dataset import Results

# what elements carry, by its number of components
CARRIED = {
    "membrane_force": 3, "bending_moment": 3, "shear_force": 2, "stress": 6, "section_force": 3, "section_moment": 3,
    "strain": 3, "curvature": 3, "tension": 1, "energy_density": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """A part as points that move and cells between them."""

    name: str
    points: NDArray[np.float64]  # (nt, n, 3)
    cells: dict[str, list[list[int]]]
    carried: dict[str, NDArray[np.float64]]  # (nt, cells, k)

    @property
    def count(self) -> int:
        return sum(len(rows) for rows in self.cells.values())


def pieces_of(results: Results) -> list[Piece]:
    """Of all bodies. Raises ResultsFileError if there are none."""
    found = [piece for part in results.scene.get("parts", ()) if (piece := piece_of(results, part)) is not None]
    if not found:
        raise ResultsFileError("these results hold no geometry; run the model again with this version")
    return found


def piece_of(results: Results, part: dict[str, Any]) -> Piece | None:
    """None for what is no body."""
    name, kind, rows = part["name"], part["kind"], len(results.time)
    if kind in ("line", "mesh") and f"{name}.positions" in results.channels:
        points = results[f"{name}.positions"].values.reshape(rows, -1, 3)
        cells = part["cells"] if kind == "mesh" else {"line": [[k, k + 1] for k in range(points.shape[1] - 1)]}
        found = {c: results[f"{name}.{c}"].values for c in CARRIED if f"{name}.{c}" in results.channels}
        return Piece(name, points, cells, {c: v.reshape(rows, -1, CARRIED[c]) for c, v in found.items()})
    if kind == "point" and f"{name}.position" in results.channels:
        return Piece(name, results[f"{name}.position"].values[:, None], {"vertex": [[0]]}, {})
    if kind == "rigid":
        return rigid_piece(results, part)
    return None


def rigid_piece(results: Results, part: dict[str, Any]) -> Piece | None:
    made = [found for shape in part["shapes"] if (found := facets(shape)) is not None]
    if not made:
        return None
    cells: dict[str, list[list[int]]] = {}
    first = 0
    for points, rows in made:
        for kind, corners in rows.items():
            cells.setdefault(kind, []).extend([first + k for k in row] for row in corners)
        first += len(points)
    local = np.concatenate([points for points, _ in made])
    return Piece(part["name"], placed(results, part["name"], local), cells, {})


def placed(results: Results, name: str, local: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of a rigid body's frame in the world, (nt, n, 3)."""
    if f"{name}.position" not in results.channels:
        return np.broadcast_to(local, (len(results.time), *local.shape))
    origin = results[f"{name}.position"].values[:, None]
    q = results[f"{name}.orientation"].values[:, None]
    twice = 2.0 * np.cross(q[..., 1:], local)
    return origin + local + q[..., :1] * twice + np.cross(q[..., 1:], twice)
