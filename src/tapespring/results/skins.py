"""What is seen of a mesh: triangles and edges of a surface, or of the outside of a solid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


def skin(part: dict[str, Any]) -> tuple[Rows, Rows, Rows]:
    """(nodes that are seen, triangles, edges), the latter two by places among the former."""
    faces = [np.array(rows) for rows in part["cells"].values()] if is_surface(part) else outside(part)
    triangles = np.concatenate([split(face) for face in faces])
    edges = unique_edges(faces)
    seen, places = np.unique(triangles, return_inverse=True)
    return seen, places.reshape(-1, 3), np.searchsorted(seen, edges)


def is_surface(part: dict[str, Any]) -> bool:
    return part["of"] != "solid"


def outside(part: dict[str, Any]) -> list[Rows]:
    """Faces of a solid that belong to one element only, by their number of nodes."""
    by_size: dict[int, list[Rows]] = {}
    for name, cells in part["cells"].items():
        rows = np.array(cells)
        for side in part["sides"][name]:
            by_size.setdefault(len(side), []).append(rows[:, side])
    found = []
    for faces in by_size.values():
        all_faces = np.concatenate(faces)
        _, first, count = np.unique(np.sort(all_faces, axis=1), axis=0, return_index=True, return_counts=True)
        found.append(all_faces[first[count == 1]])
    return found


def split(faces: Rows) -> Rows:
    """Faces of 3, 4 or 6 nodes (corners, then middles of edges) as triangles."""
    pieces = {
        3: [(0, 1, 2)],
        4: [(0, 1, 2), (0, 2, 3)],
        6: [(0, 3, 5), (3, 1, 4), (4, 2, 5), (3, 4, 5)],
    }[faces.shape[1]]
    return np.concatenate([faces[:, piece] for piece in pieces])


def unique_edges(faces: list[Rows]) -> Rows:
    """Between corners, each once."""
    pairs = []
    for face in faces:
        corners = 3 if face.shape[1] == 6 else face.shape[1]
        pairs += [face[:, [k, (k + 1) % corners]] for k in range(corners)]
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)
