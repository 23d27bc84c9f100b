"""Box of solid elements."""

from itertools import permutations, product
from typing import Literal

import numpy as np
from pydantic import Field

from ...schema.folder import Folder
from ...schema.quantities import PositiveLength
from .elements import ELEMENTS
from .grid import Cells, Grid
from .mesh import Mesh, Three

CUBE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)])


class BoxMesh(Mesh):
    """Length along x, width along y, height along z, from the origin. Groups of faces `x0`, `x1`, `y0`, `y1`, `z0`,
    `z1`, edges `x1y0` … (in order along them), corners `x0y0z1` …, `centre`."""

    kind: Literal["box"] = "box"
    length: PositiveLength = Field(examples=["1 m"])
    width: PositiveLength = Field(examples=["0.1 m"])
    height: PositiveLength = Field(examples=["0.1 m"])
    divisions: Three = Field(description="cells along x, y and z", examples=["[10, 2, 2]"])
    elements: Literal["hexahedron", "tetra10"] = Field("hexahedron", description="tetra10: six in each cell")

    def drawn(self, base_dir: Folder) -> Grid:
        tetra = self.elements == "tetra10"
        counts = [2 * n if tetra else n for n in self.divisions]  # nodes of tetra10 lie halfway too
        axes = [np.linspace(0.0, d, n + 1) for d, n in zip((self.length, self.width, self.height), counts, strict=True)]
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        number = np.arange(len(points)).reshape([n + 1 for n in counts])
        cells = tetrahedra_of(number) if tetra else hexahedra_of(number)
        groups = box_groups(number)
        if all(n % 2 == 0 for n in counts):
            groups["centre"] = number[tuple(n // 2 for n in counts)].reshape(1)
            return Grid(points, {self.elements: cells}, groups)
        absent = {"centre": "no node is there; make all divisions even"}
        return Grid(points, {self.elements: cells}, groups, absent=absent)


def hexahedra_of(number: np.ndarray) -> np.ndarray:
    """Cells of a lattice in space."""
    n, m, k = (count - 1 for count in number.shape)
    return np.stack([number[i : i + n, j : j + m, h : h + k] for i, j, h in CUBE], axis=-1).reshape(-1, 8)


def tetrahedra_of(number: np.ndarray) -> np.ndarray:
    """Six tetra10 around a diagonal of every cell of 2 x 2 x 2 (Kuhn): diagonals of neighbours' faces agree."""
    n, m, k = ((count - 1) // 2 for count in number.shape)
    found = []
    for order in permutations(range(3)):
        corner = np.zeros((4, 3), int)
        for step, axis in enumerate(order):
            corner[step + 1 :, axis] = 2
        if np.linalg.det((corner[1:] - corner[0]).astype(float)) < 0.0:
            corner[[1, 2]] = corner[[2, 1]]
        halfway = [(corner[a] + corner[b]) // 2 for a, b in ELEMENTS["tetra10"].edges]
        nodes = [*corner, *halfway]
        found.append(
            np.stack(
                [number[i : i + 2 * n : 2, j : j + 2 * m : 2, h : h + 2 * k : 2] for i, j, h in nodes], axis=-1
            ).reshape(-1, 10)
        )
    return np.concatenate(found)


def box_groups(number: np.ndarray) -> Cells:
    """Faces, edges and corners: a name says which coordinates are at their lower (0) or upper (1) end."""
    groups = {}
    for ends in product((None, 0, 1), repeat=3):
        name = "".join(f"{axis}{end}" for axis, end in zip("xyz", ends, strict=True) if end is not None)
        if name:
            index = tuple(slice(None) if end is None else -end for end in ends)
            groups[name] = np.atleast_1d(number[index]).reshape(-1)
    return dict(sorted(groups.items(), key=lambda item: len(item[0])))
