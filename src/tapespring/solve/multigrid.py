"""Static systems of large solids by multigrid (linear.multigrid) in place of elimination, and when that pays.

To compiled code it is a Kkt like every other: the addresses of what factors and solves are those of Python functions.
Nothing is eliminated, so nothing is known of unstable motions but that the iteration fails on them; whoever uses it has
to look at `trouble` and go on with a direct system.
"""

from __future__ import annotations

import numpy as np

from ..build.neighbours import edges_between, free_nodes
from ..build.places import Groups, Places
from ..jit import as_kernel
from ..linear.multigrid import LARGEST_KNOT, Multigrid, NotConvergedError, knots
from ..mechanics import tables as tb
from ..results.extras import MissingExtraError
from ..schema.problems import ModelError, Problem
from .kkt import Kkt, active_freedoms, any_kkt

SOLID = 8  # corners of an element: those of sheets have fewer
WIDE = 900  # unknowns that lie in one layer of the mesh: from here on elimination takes longer
SLOW = "this solid would be solved faster by multigrid: pip install tapespring[multigrid]"


def rows_matrix(tables: tb.Tables, unknowns: np.ndarray, G: np.ndarray | None = None):
    """G of the given unknowns; a matrix of ones where it can have entries if G is None."""
    from scipy.sparse import csr_array

    node, place = tables.nodes[tables.block_node], np.full(tb.velocity_size(tables), -1)
    place[unknowns] = np.arange(len(unknowns))
    width = np.where(node["kind"] == tb.FRAME, 6, 3)
    inside = np.arange(6) < width[:, None]
    rows = np.broadcast_to(tables.block_row[:, None], inside.shape)[inside]
    columns = place[(node["v"][:, None] + np.arange(6))[inside]]
    values = np.ones(len(rows)) if G is None else G[: len(inside), :6][inside]
    return csr_array((values, (rows, columns)), shape=(len(tables.rows), len(unknowns)))


def layer(count: int, edges: np.ndarray) -> int:
    """Nodes in the widest layer when nodes are counted from one end of the mesh, neighbours of neighbours."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(count, count)).tocsr()

    def distances(start: int) -> np.ndarray:
        found = shortest_path(graph, directed=False, unweighted=True, indices=start)
        return np.where(np.isfinite(found), found, -1).astype(np.int64)

    far = int(np.argmax(distances(count - 1)))
    return int(np.bincount(distances(far) + 1)[1:].max())


def has_solids(tables: tb.Tables) -> bool:
    corners = tables.forms["corners"][tables.cells["form"]]
    return len(corners) > 0 and int(corners.min()) >= SOLID


def pays(tables: tb.Tables) -> bool:
    """Whether elimination would fill a large part of the matrix: solids that are thick every way."""
    if not has_solids(tables) or 3 * (tables.nodes["kind"] == tb.POINT).sum() < WIDE:
        return False
    free = free_nodes(tables)
    return 3 * layer(len(free), edges_between(tables, free)) >= WIDE


def obstacle(tables: tb.Tables) -> str:
    """Why multigrid cannot be used; empty if it can."""
    free = free_nodes(tables)
    unknowns = np.array([u for mine in free.values() for u in mine])
    if not len(unknowns) or not active_freedoms(tables)[unknowns].all():
        return "the model is planar"
    if len(tables.rows) and max(g.shape[1] for g in knots(rows_matrix(tables, unknowns))) > LARGEST_KNOT:
        return f"more than {LARGEST_KNOT} constraints hang together"
    return ""


def blocks_of_three(places: Places) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(entries of all 3 x 3 blocks, block column of each, first block of each block row): a frame makes two rows."""
    parts = places.sizes // 3
    first = np.cumsum(parts) - parts
    g, h = places.rows, places.columns
    rows, columns, offsets, strides = [], [], [], []
    for a in range(2):
        for b in range(2):
            there = (parts[g] > a) & (parts[h] > b)
            stride = places.sizes[h[there]]
            rows.append(first[g[there]] + a)
            columns.append(first[h[there]] + b)
            offsets.append(places.offset[there] + 3 * a * stride + 3 * b)
            strides.append(stride)
    row, column = np.concatenate(rows), np.concatenate(columns)
    order = np.lexsort((column, row))
    offset, stride = np.concatenate(offsets)[order], np.concatenate(strides)[order]
    within = stride[:, None, None] * np.arange(3)[:, None] + np.arange(3)
    starts = np.searchsorted(row[order], np.arange(parts.sum() + 1))
    return offset[:, None, None] + within, column[order].astype(np.int32), starts.astype(np.int32)


class MultigridSystem:
    """A Kkt that iterates; holds what its addresses need."""

    def __init__(self, tables: tb.Tables, work: tb.Work):
        """Raises MissingExtraError."""
        self.tables, self.work = tables, work
        self.failure: BaseException | None = None  # of the last solution, which then is not a number
        self.idle = False  # nothing is solved while kernels that call it are loaded
        free = free_nodes(tables)
        around: list[set[int]] = [set() for _ in free]
        for a, b in edges_between(tables, free).tolist():
            around[a].add(b)
            around[b].add(a)
        mine = list(free.values())
        groups = Groups(mine, {n: (i, 0) for i, n in enumerate(free)}, [(-1, 0)] * len(tables.rows), around)
        places = Places(groups, len(tables.nodes))
        self.nodes, self.unknowns = np.array(list(free)), np.array([u for each in mine for u in each])
        self.entries, indices, indptr = blocks_of_three(places)
        self.solver = Multigrid(indices, indptr)
        self.kkt: Kkt = any_kkt()._replace(
            values=np.zeros(places.size), **places.of_tables(tables), active=active_freedoms(tables),
            refinements=np.array([2]), status=np.zeros(2, np.int64), core=np.zeros(2, np.int64),
        )  # fmt: skip
        kernels = as_kernel(self.factor, self.kkt, work.G), as_kernel(self.solve, self.kkt, self.kkt.rhs)
        self.kkt.core[:] = [kernel.address for kernel in kernels]
        self.kernels = kernels

    def motions(self) -> np.ndarray:
        """(unknowns, 6) rigid motions; turns of frames in their own axes."""
        x, R = self.work.x[self.nodes], self.work.R[self.nodes]
        x = (x - x.mean(axis=0)) / max(np.abs(x - x.mean(axis=0)).max(), 1e-300)
        moved = np.zeros((len(x), 6, 6))
        moved[:, :3, :3] = np.eye(3)
        moved[:, :3, 3:] = np.cross(np.eye(3), x[:, None]).transpose(0, 2, 1)
        moved[:, 3:, 3:] = R.transpose(0, 2, 1)
        turns = self.tables.nodes["kind"][self.nodes] == tb.FRAME
        return moved[(np.arange(6) < 3) | turns[:, None]]

    def factor(self, kkt, G) -> None:
        if self.idle:
            return
        try:
            blocks = self.kkt.values[self.entries]
            self.solver.fill(blocks, rows_matrix(self.tables, self.unknowns, G), self.motions())
        except BaseException as error:
            self.failure = error

    def solve(self, kkt, out: np.ndarray) -> None:
        nv = len(self.kkt.active)
        if self.idle:
            out[:] = 0.0
            return
        try:
            x, multiplier = self.solver.solve(out[self.unknowns], out[nv:])
            out[:nv], out[nv:] = 0.0, multiplier
            out[self.unknowns] = x
        except BaseException as error:
            self.failure = error
            out[:] = np.nan

    def check(self) -> None:
        """Look for unstable motions at the place of the last matrix; `failure` tells."""
        try:
            self.solver.check()
        except NotConvergedError as reason:
            self.failure = reason


def chosen_system(tables: tb.Tables, work: tb.Work, wanted: str) -> tuple[MultigridSystem | None, str]:
    """(the system if multigrid is `wanted`, or pays when left to us; a note for the user). Raises ModelError."""
    if wanted == "direct" or (wanted == "auto" and not pays(tables)):
        return None, ""
    reason = obstacle(tables)
    if reason:
        return None, f"multigrid is not possible, for {reason}; a direct solver was used" if wanted != "auto" else ""
    try:
        return MultigridSystem(tables, work), ""
    except MissingExtraError as missing:
        if wanted == "auto":
            return None, SLOW
        raise ModelError([Problem(None, ("simulate", "linear_solver"), str(missing))]) from None
