"""What parts are coloured by: stress, moments, tension and energy of elements, brought to the nodes that are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..dataset import Results

Values = NDArray[np.float64]


def mises_of_sheet(s: Values) -> Values:
    """(…, 11 22 12)"""
    a, b, c = np.moveaxis(s, -1, 0)
    return np.sqrt(a * a - a * b + b * b + 3.0 * c * c)


def mises_of_solid(s: Values) -> Values:
    """(…, 11 22 33 23 31 12)"""
    a, b, c, d, e, f = np.moveaxis(s, -1, 0)
    return np.sqrt(0.5 * ((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) + 3.0 * (d * d + e * e + f * f))


# channel of a part, numbers per element, what is shown of them, its name
SHOWN: tuple[tuple[str, int, Callable[[Values], Values], str], ...] = (
    ("stress", 6, mises_of_solid, "von Mises stress"),
    ("membrane_force", 3, mises_of_sheet, "membrane force, von Mises"),
    ("bending_moment", 3, mises_of_sheet, "shell bending moment, von Mises"),
    ("section_moment", 3, lambda m: np.hypot(m[..., 1], m[..., 2]), "bending moment of beams"),
    ("section_force", 3, lambda n: n[..., 0], "normal force of beams"),
    ("tension", 1, lambda t: t[..., 0], "tension of cables"),
    ("energy_density", 1, lambda u: u[..., 0], "strain energy"),
)
PER = {"J/m": "per length", "J/m^2": "per area", "J/m^3": "per volume"}


def fields_of(results: Results, part: dict[str, Any], rows: NDArray[np.int64]) -> list[tuple[str, str, Values]]:
    """(name, unit, values (rows, nodes)) of a line or mesh."""
    found, mean = [], None
    for channel, count, shown, name in SHOWN:
        full = f"{part['name']}.{channel}"
        if full in results.channels:
            mean = mean or NodeMean(cells_of(part), part["nodes"])
            values = results[full].values
            at_nodes = np.stack([mean(shown(values[row].reshape(-1, count))) for row in rows])
            unit = results[full].unit
            found.append((f"{name} {PER.get(unit, '')}".strip(), unit, at_nodes))
    return found


def cells_of(part: dict[str, Any]) -> list[NDArray[np.int64]]:
    """Nodes of elements, in the order of channels."""
    if part["kind"] == "line":
        first = np.arange(part["nodes"] - 1)
        return [np.stack((first, first + 1), axis=1)]
    return [np.array(rows) for rows in part["cells"].values()]


class NodeMean:
    """From numbers of elements to means of the elements around each node."""

    def __init__(self, cells: list[NDArray[np.int64]], nodes: int) -> None:
        self.nodes = nodes
        self.corners = np.concatenate([rows.ravel() for rows in cells])
        firsts = np.cumsum([0, *(len(rows) for rows in cells)])
        numbers = [
            first + np.arange(len(rows)).repeat(rows.shape[1]) for first, rows in zip(firsts, cells, strict=False)
        ]
        self.elements = np.concatenate(numbers)
        self.count = np.maximum(np.bincount(self.corners, minlength=nodes), 1)

    def __call__(self, of_elements: Values) -> Values:
        return np.bincount(self.corners, of_elements[self.elements], self.nodes) / self.count
