"""Straps and fabric stowed until everything touches, held, and let go: what any such run has to fulfil.

Nothing is published that the motion could be compared with. But surfaces do not pass into each other, by more than a
twentieth of the thinner one's thickness, and energy comes from the drives alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..results import Results
from .case import Case, Quantity
from .fabric_models import HOLD, STOW, STRAPS, THICK, THIN, packed, sheet
from .segments_triangles import EDGES, least_distance, least_of_segments

DEPTH, SHARE = 0.05, 1e-3  # of the thinner thickness, of the energy exchanged
SOLID = "surfaces do not pass into each other"
KEPT = "conservation of energy"
GRAVITY = {"with gravity": 9.81, "without gravity": 0.01}  # m/s²


def thinner(contact: str) -> float:
    """Thickness of the thinner of what touches [m]."""
    return THICK if contact == "straps" else THIN


def deepest(results: Results) -> float:
    """Of all contacts, as they tell, by the thickness of the thinner one."""
    return max(0.0, *(facts["deepest"] / thinner(name) for name, facts in results.contacts.items()))


def edges_of(triangles: np.ndarray) -> np.ndarray:
    return np.unique(np.sort(triangles[:, EDGES].reshape(-1, 2), axis=1), axis=0)


def least_room(fabric: np.ndarray, straps: dict[str, np.ndarray], triangles: np.ndarray, groups) -> float:
    """Least distance of surfaces that may touch, less what is half of both thicknesses, by the thickness of the thinner
    one; of nodes with these places."""
    reach = 1e-3
    found = [(least_distance(fabric, edges_of(triangles), triangles, reach) - THIN) / THIN]
    for name, line in straps.items():
        nodes = len(fabric) + np.arange(len(line))
        pieces = np.stack((nodes[1:-2], nodes[2:-1]), axis=1)
        loose = triangles[np.isin(triangles, groups[f"off_{name}"]).all(axis=1)]
        apart = least_distance(np.concatenate((fabric, line)), pieces, loose, reach)
        found.append((apart - 0.5 * (THIN + THICK)) / THIN)
    lines = [np.stack((line[1:-2], line[2:-1]), axis=1) for line in straps.values()]
    found += [least_of_segments(a, b, reach) / THICK - 1.0 for k, a in enumerate(lines) for b in lines[k + 1 :]]
    return min(found)


def by_geometry(results: Results) -> float:
    """The same from the places of all nodes at the output times; straps but for the elements at their rivets."""
    mesh, _ = sheet()
    triangles = np.array(mesh["triangles"])
    places = {name: results[f"{name}.positions"].values for name in ("fabric", *STRAPS)}

    def room(k: int) -> float:
        now = {name: values[k].reshape(-1, 3) for name, values in places.items()}
        return least_room(now.pop("fabric"), now, triangles, mesh["groups"])

    return max(0.0, -min(room(k) for k in range(len(results.time))))


def unaccounted(results: Results) -> float:
    return results.audit.relative if results.audit else float("nan")


def growth(results: Results) -> float:
    """Of the energy stored after the release, when nothing drives any more, by what was exchanged."""
    if results.audit is None:
        return float("nan")
    stored = results.audit.stored[results.time >= STOW + HOLD]
    return float((stored - stored[0]).max()) / results.audit.exchanged


def whole(value):
    """Of a run that came to its end."""
    return lambda results: value(results) if results.status.complete else float("nan")


def quantities() -> Iterator[Quantity]:
    for run in GRAVITY:
        for name, tolerance, source, value in (
            ("depth over the thinner thickness, as contacts tell", DEPTH, SOLID, deepest),
            ("depth over the thinner thickness, by geometry", DEPTH, SOLID, by_geometry),
            ("residual of the energy over what was exchanged", SHARE, KEPT, unaccounted),
            ("growth of the energy once let go over what was exchanged", SHARE, KEPT, growth),
        ):
            yield Quantity(f"{run}: {name}", "1", 0.0, tolerance, source, "A", whole(value), run)


CASES = tuple(
    Case(
        f"variant_fabric{'_cord' if cord else ''}",
        f"straps and fabric {'with a cord ' if cord else ''}stowed to 12.7 mm with contact, held and let go",
        {run: partial(packed, gravity, cord) for run, gravity in GRAVITY.items()},
        quantities,
    )
    for cord in (False, True)
)
