"""What parts are coloured by: stress, moments and tension of elements, brought to the nodes that are drawn."""

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
)


def fields_of(results: Results, part: dict[str, Any], rows: NDArray[np.int64]) -> list[tuple[str, str, Values]]:
    """(name, unit, values (rows, nodes)) of a line or mesh."""
    found = []
    for channel, count, shown, name in SHOWN:
        full = f"{part['name']}.{channel}"
        if full in results.channels:
            of_elements = shown(results[full].values[rows].reshape(len(rows), -1, count))
            found.append((name, results[full].unit, at_nodes(of_elements, cells_of(part), part["nodes"])))
    return found


def cells_of(part: dict[str, Any]) -> list[NDArray[np.int64]]:
    """Nodes of elements, in the order of channels."""
    if part["kind"] == "line":
        first = np.arange(part["nodes"] - 1)
        return [np.stack((first, first + 1), axis=1)]
    return [np.array(rows) for rows in part["cells"].values()]


def at_nodes(of_elements: Values, cells: list[NDArray[np.int64]], nodes: int) -> Values:
    """Means of the elements around each node."""
    total, count = np.zeros((nodes, len(of_elements))), np.zeros(nodes)
    first = 0
    for rows in cells:
        values = of_elements[:, first : first + len(rows)].T
        for corner in rows.T:
            np.add.at(total, corner, values)
            np.add.at(count, corner, 1.0)
        first += len(rows)
    return (total / np.maximum(count, 1.0)[:, None]).T
