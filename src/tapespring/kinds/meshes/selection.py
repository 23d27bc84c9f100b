"""From what a file has to the mesh of one body: its elements, and groups from sets and from elements of lower
dimension."""

from __future__ import annotations

import numpy as np

from ...schema.near_words import advice
from ..refusal import Refusal
from .elements import ELEMENTS, REMEDIES, plural
from .given import once
from .grid import Cells, Grid
from .raw import RawMesh

Members = dict[int, np.ndarray]  # cell numbers by block


def body_of(raw: RawMesh, parts: tuple[str, ...], scale: float) -> Grid:
    """The elements of the named parts, or those of the highest dimension. Raises Refusal."""
    check_nodes_exist(raw)
    chosen = named_cells(raw, parts) if parts else highest(raw)
    check_supported(raw, chosen)
    if parts:
        check_one_dimension(raw, chosen, parts)
    blocks = {k: raw.blocks[k].cells[cells] for k, cells in chosen.items()}
    used = np.unique(np.concatenate([cells.reshape(-1) for cells in blocks.values()]))
    if not parts:
        check_nothing_beside(raw, chosen, used)
    new = np.full(len(raw.points), -1)
    new[used] = np.arange(len(used))
    cells, numbers, place = joined(raw, chosen)
    groups, absent = node_groups(raw, new)
    loose = len(raw.points) - len(used)
    notes = list(raw.notes)
    if loose and not parts:
        notes.append(f"{loose} nodes of the file belong to no element and were left out")
    return Grid(
        points=scale * raw.points[used],
        cells={name: new[found] for name, found in cells.items()},
        groups=groups,
        parts=cell_parts(raw, place),
        notes=tuple(notes),
        absent=absent,
        node_numbers=raw.node_numbers[used],
        cell_numbers=numbers,
    )


def check_nodes_exist(raw: RawMesh) -> None:
    """Refuse elements of nodes that are not in the file. Raises Refusal."""
    for block in raw.blocks:
        lost = np.flatnonzero(((block.cells < 0) | (block.cells >= len(raw.points))).any(axis=1))
        if len(lost):
            raise Refusal(f"{block.name} {block.numbers[lost[0]]} names a node that is not in the file; write it anew")


def highest(raw: RawMesh) -> Members:
    """All elements of the highest dimension. Raises Refusal."""
    full = {k: block for k, block in enumerate(raw.blocks) if len(block.cells)}
    top = max((block.dimension for block in full.values()), default=0)
    if top < 2:
        what = "no elements" if top == 0 else "lines only"
        raise Refusal(f"the file has {what}; surfaces and solids are wanted (in Gmsh: Mesh 2 or Mesh 3 before saving)")
    return {k: np.arange(len(block.cells)) for k, block in full.items() if block.dimension == top}


def named_cells(raw: RawMesh, parts: tuple[str, ...]) -> Members:
    """Elements of named sets, each once. Raises Refusal."""
    found: dict[int, list[np.ndarray]] = {}
    for name in parts:
        if name not in raw.cell_sets:
            if name in raw.node_sets:
                raise Refusal(f"'{name}' is a group of nodes, not of elements; a part is one of elements", "part")
            hint = advice(name, raw.cell_sets, "it has") if raw.cell_sets else "; it has no named elements"
            raise Refusal(f"the file has no part '{name}'{hint}", "part")
        for k, cells in raw.cell_sets[name].items():
            found.setdefault(k, []).append(cells)
    members = {k: np.unique(np.concatenate(cells)) for k, cells in found.items() if sum(map(len, cells))}
    if not members:
        raise Refusal(f"there are no elements in {' and '.join(parts)}", "part")
    return members


def check_supported(raw: RawMesh, chosen: Members) -> None:
    """Refuse element types that no body is made of. Raises Refusal."""
    count: dict[str, int] = {}
    for k, cells in chosen.items():
        count[raw.blocks[k].name] = count.get(raw.blocks[k].name, 0) + len(cells)
    for name, many in count.items():
        if name not in ELEMENTS:
            usable = ", ".join(found for found, element in ELEMENTS.items() if element.dimension > 1)
            remedy = REMEDIES.get(name, "mesh with others")
            raise Refusal(f"{many} elements of type {name}, of which no body is made (but of {usable}); {remedy}")


def check_one_dimension(raw: RawMesh, chosen: Members, parts: tuple[str, ...]) -> None:
    """Refuse parts that are solids and surfaces, or lines. Raises Refusal."""
    dimensions = {raw.blocks[k].dimension for k in chosen}
    if len(dimensions) > 1 or dimensions == {1}:
        mixture = " and ".join(plural(raw.blocks[k].name, len(cells)) for k, cells in chosen.items())
        raise Refusal(
            f"{' and '.join(parts)}: {mixture}; a body is made of surface elements or of solid ones; make two bodies",
            "part",
        )


def check_nothing_beside(raw: RawMesh, chosen: Members, used: np.ndarray) -> None:
    """Refuse lines and surfaces apart from the body's elements: they are no groups on it. Raises Refusal."""
    mine = np.zeros(len(raw.points), bool)
    mine[used] = True
    for k, block in enumerate(raw.blocks):
        if k in chosen or block.dimension == 0:
            continue
        beside = int((~mine[block.cells].all(axis=1)).sum())
        if beside:
            body = " and ".join(sorted({raw.blocks[j].name for j in chosen}))
            names = ", ".join(raw.cell_sets) or "none is named in this file"
            raise Refusal(
                f"{plural(block.name, beside)} apart from the elements of type {body}: the file mixes dimensions; say "
                f"with 'part' what the body is made of ({names})"
            )


def joined(raw: RawMesh, chosen: Members) -> tuple[Cells, Cells, dict[int, tuple[str, np.ndarray]]]:
    """Blocks of one type put together, repeated elements once (Gmsh 2 writes an element for each of its groups):
    cells and their numbers by type, and where the cells of each block have gone, -1 for those not chosen."""
    cells, numbers, place = {}, {}, {}
    for name in dict.fromkeys(raw.blocks[k].name for k in chosen):
        mine = [k for k in chosen if raw.blocks[k].name == name]
        rows = np.concatenate([raw.blocks[k].cells[chosen[k]] for k in mine])
        _, first, of = np.unique(np.sort(rows, axis=1), axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.argsort(order)[of.reshape(-1)]
        keep = first[order]
        cells[name] = rows[keep]
        numbers[name] = np.concatenate([raw.blocks[k].numbers[chosen[k]] for k in mine])[keep]
        start = 0
        for k in mine:
            place[k] = (name, np.full(len(raw.blocks[k].cells), -1))
            place[k][1][chosen[k]] = rank[start : start + len(chosen[k])]
            start += len(chosen[k])
    return cells, numbers, place


def node_groups(raw: RawMesh, new: np.ndarray) -> tuple[Cells, dict[str, str]]:
    """Sets of nodes, and the nodes of sets of elements, as far as they are on the body."""
    sets = {name: raw.nodes_of(members) for name, members in raw.cell_sets.items()} | raw.node_sets
    groups, absent = {}, {}
    for name, nodes in sets.items():
        there = new[nodes][new[nodes] >= 0]
        if len(there):
            groups[name] = once(there)
        else:
            absent[name] = "none of its nodes belongs to an element of this body"
    return groups, absent


def cell_parts(raw: RawMesh, place: dict[int, tuple[str, np.ndarray]]) -> dict[str, Cells]:
    """Sets of elements, as far as they are the body's."""
    parts: dict[str, Cells] = {}
    for set_name, members in raw.cell_sets.items():
        found: dict[str, list[np.ndarray]] = {}
        for k, cells in members.items():
            if k in place:
                name, where = place[k]
                found.setdefault(name, []).append(where[cells][where[cells] >= 0])
        part = {name: np.unique(np.concatenate(cells)) for name, cells in found.items()}
        part = {name: cells for name, cells in part.items() if len(cells)}
        if part:
            parts[set_name] = part
    return parts
