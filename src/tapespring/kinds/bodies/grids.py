"""Grids of bulk data as nodes of the engine: those tied rigidly are one node, at the centre of their mass."""

from __future__ import annotations

import numpy as np

from ...mechanics import tables as tb
from ...nastran.bulk import Bulk, Tie
from ...schema.problems import ModelError

ALL = (0, 1, 2, 3, 4, 5)
FLOOR = 1e-3  # rotary inertia about an axis where a node has none: this × mass × length² of its elements


class GridNodes:
    """Which grids are one node, what mass each has, and whether it turns."""

    def __init__(self, bulk: Bulk, length: float):
        self.bulk = bulk
        self.x = {number: length * grid.x for number, grid in bulk.grids.items()}
        self.turning: set[int] = set()  # grids that need a rotation
        self.used: set[int] = set()
        self.mass: dict[int, list[tuple[np.ndarray, float, np.ndarray]]] = {}  # by grid: (centre, mass, inertia)
        self.reach: dict[int, float] = {}  # by grid: length of its elements
        self.leader: dict[int, int] = {}
        self.node: dict[int, int] = {}  # of the engine, by leader
        self.use_elements()
        self.tie_all()

    def use_elements(self) -> None:
        for element in self.bulk.elements.values():
            self.used.update(element.grids)
            if element.name in ("CBAR", "CBEAM", "CQUAD4", "CTRIA3"):
                self.turning.update(element.grids)
        for lump in self.bulk.lumps:
            self.used.add(lump.grid)
            if np.any(lump.offset) or np.any(lump.inertia):
                self.turning.add(lump.grid)

    def tie_all(self) -> None:
        """Raises ModelError."""
        for tie in self.bulk.ties:
            for grid in (tie.master, *tie.grids):
                if grid not in self.x:
                    raise ModelError(tie.fields.card.problem(f"there is no grid {grid}"))
            for grid in tie.grids:
                self.tie(tie, grid)

    def tie(self, tie: Tie, grid: int) -> None:
        wanted = (0, 1, 2) if grid not in self.turning else ALL
        if not set(wanted) <= set(tie.components):
            message = (
                f"CM = {''.join(str(c + 1) for c in tie.components)} ties grid {grid} in part only; all of its "
                f"{'six' if len(wanted) == 6 else 'three'} freedoms are understood; join it by a joint instead"
            )
            raise ModelError(tie.fields.card.problem(message))
        if self.lead(grid) != self.lead(tie.master):
            self.leader[self.lead(grid)] = self.lead(tie.master)
        self.used.update((grid, tie.master))
        if np.any(self.x[grid] != self.x[tie.master]):
            self.turning.add(tie.master)

    def lead(self, grid: int) -> int:
        """The grid that stands for all that are one with this one."""
        while grid in self.leader:
            grid = self.leader[grid]
        return grid

    def add_mass(self, grid: int, centre: np.ndarray, mass: float, inertia: np.ndarray, reach: float = 0.0) -> None:
        """inertia about its centre, basic axes."""
        self.mass.setdefault(self.lead(grid), []).append((centre, mass, inertia))
        self.reach[self.lead(grid)] = max(reach, self.reach.get(self.lead(grid), 0.0))

    def of(self, grid: int) -> int:
        """The engine's node."""
        return self.node[self.lead(grid)]

    def place(self, grid: int) -> tuple[int, np.ndarray, np.ndarray]:
        """(node, point, axes of its displacements)."""
        return self.of(grid), self.x[grid], self.bulk.axes_of(grid)

    def groups(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for grid in sorted(self.used):
            found.setdefault(self.lead(grid), []).append(grid)
        return found


def place_nodes(body, builder, grids: GridNodes) -> None:
    """One node for each group of grids. Raises ModelError."""
    from .beam import floored

    zero = np.zeros(3)
    for leader, members in grids.groups().items():
        parts = grids.mass.get(leader, [])
        total = sum(mass for _, mass, _ in parts)
        if not total > 0.0:
            raise massless(grids, members[0])
        centre = sum((mass * x for x, mass, _ in parts), zero) / total
        label = f"{body.name}[{leader}]"
        if not any(grid in grids.turning for grid in members):
            grids.node[leader] = builder.point_node(label, centre, total, zero)
            continue
        inertia = np.zeros((3, 3))
        for x, mass, own in parts:
            r = x - centre
            inertia += own + mass * ((r @ r) * np.eye(3) - np.outer(r, r))
        reach = grids.reach.get(leader) or 1.0
        inertia = floored(inertia, FLOOR * total * reach**2)
        grids.node[leader] = builder.frame_node(label, centre, np.eye(3), total, inertia, zero, zero)


def massless(grids: GridNodes, grid: int) -> ModelError:
    for element in grids.bulk.elements.values():
        if grid in element.grids:
            message = f"grid {grid} of element {element.number} has no mass; give its material a density (RHO)"
            return ModelError(element.fields.card.problem(message))
    tie = next((t for t in grids.bulk.ties if grid in (t.master, *t.grids)), None)
    message = f"grid {grid} has no mass and no element; give it mass (CONM2) or remove it"
    card = tie.fields.card if tie else grids.bulk.lumps[0].fields.card
    return ModelError(card.problem(message))


def hold_grids(body, builder, bulk: Bulk, grids: GridNodes) -> None:
    """A row for every freedom that SPC, SPC1 or a grid itself holds, along the axes of the grid's displacements."""
    held: dict[int, set[int]] = {}
    for grid, components, _ in bulk.held:
        held.setdefault(grid, set()).update(components)
    for grid, own in bulk.grids.items():
        held.setdefault(grid, set()).update(own.held)
    assembler = builder.assembler
    for grid in sorted(held):
        if grid not in grids.used:
            continue
        node, point, axes = grids.place(grid)
        for k in sorted(held[grid]):
            if k >= 3 and assembler.nodes[node].kind != tb.FRAME:
                continue
            label = f"{'xyz'[k % 3]}{' turn' if k >= 3 else ''} of grid {grid}"
            if k < 3:
                m = assembler.measure(tb.ALONG_WORLD, 0, node, point, point, axes[:, k])
            else:
                e1, f = axes[:, (k + 1) % 3], axes[:, (k + 2) % 3]
                m = assembler.measure(tb.COSINE, 0, node, point, point, e1=e1, f=f)
            assembler.constrain(m, body.name, label)
