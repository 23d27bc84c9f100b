"""The matrices of a model as drawn: its own beams, bars, shells and solids, what holds them, and its named places.

Nothing is eliminated here, so entries are laid out without an order of elimination. Loads, gravity and reactions count
as absent: a reduced body is stress-free as drawn.
"""

from __future__ import annotations

import numpy as np

from ..build.catalogue import BodyEntry, Catalogue
from ..build.neighbours import edges_between, free_nodes
from ..build.places import Groups, Places
from ..mechanics import tables as tb
from ..schema.problems import ModelError, Problem
from ..simulate import prepare, provenance_text
from ..solve.implicit import link_implicit
from ..solve.initial import Start, displace
from ..solve.kkt import active_freedoms, any_kkt
from ..solve.multigrid import rows_matrix
from ..solve.small_motion import linearise
from .bending import Bending
from .stress import Recovery
from .structure import Drawing, Spot, Structure


def structure_of_model(model) -> Structure:
    """Raises ModelError."""
    from scipy.sparse import csr_array

    _, catalogue, start = prepare(model, planar=False)
    tables, work = start.system.tables, start.work
    free = np.array(list(free_nodes(tables)), np.int64)
    if (tables.nodes["kind"] == tb.MOVING_POSE).any() or (tables.nodes["kind"] == tb.MOVING_TWIST).any():
        raise ModelError(Problem(None, ("bodies",), "a moving frame cannot be part of a reduced body; remove it"))
    tangents = Tangents(start)
    mass, damping, stiffness = tangents.matrices()
    rows = rows_matrix(tables, np.arange(len(start.v)), work.G)
    turn = to_world(tables, work, free, len(start.v))
    mass, damping, stiffness = (in_world(A, turn) for A in (mass, damping, stiffness))
    rows = csr_array(rows @ turn)
    freedoms = np.where(
        (np.arange(6) < 3) | (tables.nodes["kind"][free] == tb.FRAME)[:, None],
        tables.nodes["v"][free][:, None] + np.arange(6), -1,
    )  # fmt: skip
    new = np.full(len(tables.nodes), -1)
    new[free] = np.arange(len(free))
    held, rows = single_rows(rows)
    return Structure(
        model.name, mass.tocsr(), stiffness.tocsr(), work.x[free].copy(), freedoms, held,
        damping.tocsr() if abs(damping).max() > 0.0 else None, rows, named_places(catalogue, new),
        tuple(start.system.drafts.nodes[int(n)].label for n in free), drawing(catalogue, new),
        Recovery(start, catalogue, turn), None if rows is not None else Bending(start, tangents, turn, freedoms),
        source={"model": provenance_text(model), "file": str(model.source.file) if model.source else ""},
        notes=tuple(catalogue.notes),
    )  # fmt: skip


class Tangents:
    """Matrices over all freedoms in the engine's axes, at rest."""

    def __init__(self, start: Start):
        self.start, tables = start, start.system.tables
        free = free_nodes(tables)
        slots, edges = {n: (i, 0) for i, n in enumerate(free)}, edges_between(tables, free)
        places = Places(Groups(list(free.values()), slots, [(-1, 0)] * len(tables.rows), edges), len(tables.nodes))
        self.kkt = any_kkt()._replace(
            values=np.zeros(places.size), **places.of_tables(tables), active=active_freedoms(tables),
            refinements=np.array([0]), status=np.zeros(2, np.int64), core=np.zeros(2, np.int64),
        )  # fmt: skip
        link_implicit(tables, start.work)
        self.entries = entries_of(places, np.array([mine[0] for mine in free.values()]))

    def matrices(self) -> list:
        """[M, D, K] as drawn."""
        tables = self.start.system.tables
        bare = tables._replace(cells=tables.cells[:0])  # mass is in the nodes
        damped = tables if tables.cells["damping"].any() else bare
        return [self.at(self.start.q, w, t) for w, t in zip(np.eye(3), (bare, damped, tables), strict=True)]

    def at(self, q: np.ndarray, weights: np.ndarray, tables: tb.Tables):
        from scipy.sparse import csr_array

        kkt = self.kkt
        nv = tb.velocity_size(tables)
        zero, residual, none = np.zeros(nv), np.zeros(nv), np.zeros(len(tables.rows))
        linearise(tables, self.start.work, 0.0, q, zero, zero, none, residual, weights, kkt, True)
        some = kkt.values != 0.0
        rows, columns = self.entries
        return csr_array((kkt.values[some], (rows[some], columns[some])), shape=(nv, nv))

    def moved(self, d: np.ndarray, step: float):
        """K where all is displaced by step d."""
        q = self.start.q.copy()
        displace(self.start.system.tables, q, step * d)
        return self.at(q, np.array([0.0, 0.0, 1.0]), self.start.system.tables)


def entries_of(places: Places, first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(row, column) of every stored entry, by the first freedom of each group."""
    high, wide = places.sizes[places.rows], places.sizes[places.columns]
    block = np.repeat(np.arange(len(high)), high * wide)
    within = np.arange(places.size) - places.offset[block]
    return first[places.rows][block] + within // wide[block], first[places.columns][block] + within % wide[block]


def in_world(A, turn):
    """The symmetric part of a matrix over freedoms of the engine, over those in world axes."""
    A = 0.5 * (A + A.T)
    return A if turn.nnz == turn.shape[0] and (turn.data == 1.0).all() else turn.T @ A @ turn


def to_world(tables: tb.Tables, work: tb.Work, free: np.ndarray, nv: int):
    """(nv, nv): freedoms of the engine, rotations in body axes, by those in world axes."""
    from scipy.sparse import csr_array

    turning = free[tables.nodes["kind"][free] == tb.FRAME]
    first = tables.nodes["v"][turning] + 3
    straight = np.setdiff1d(np.arange(nv), (first[:, None] + np.arange(3)).ravel())
    row = np.broadcast_to(first[:, None, None] + np.arange(3)[:, None], (len(first), 3, 3))
    values = np.concatenate((np.ones(len(straight)), work.R[turning].transpose(0, 2, 1).ravel()))
    rows = np.concatenate((straight, row.ravel()))
    columns = np.concatenate((straight, row.transpose(0, 2, 1).ravel()))
    some = values != 0.0
    return csr_array((values[some], (rows[some], columns[some])), shape=(nv, nv))


def single_rows(rows) -> tuple[np.ndarray, object]:
    """(freedoms that a row of their own holds, rows of several)."""
    rows.data[np.abs(rows.data) < 1e-14 * np.abs(rows.data).max(initial=0.0)] = 0.0
    rows.eliminate_zeros()
    held = np.zeros(rows.shape[1], bool)
    many = np.diff(rows.indptr)
    held[rows.indices[rows.indptr[:-1][many == 1]]] = True
    rest = rows[many > 1]
    return held, rest if rest.shape[0] else None


def named_places(catalogue: Catalogue, new: np.ndarray) -> dict[str, Spot]:
    """Groups of meshes, markers of bodies and bodies of one node, as `body.group`, `body.marker` and `body`."""
    found: dict[str, Spot] = {}
    for name, body in catalogue.bodies.items():
        if name == "ground":
            continue
        if body.mesh is not None:
            for group, members in body.mesh.groups.items():
                put(found, f"{name}.{group}", body.mesh.nodes[members], body.mesh.points[members], np.eye(3), new)
        elif body.line is None or not body.line.is_flexible:
            put(found, name, np.array([body.node]), body.point[None], body.axes, new)
        for marker in body.markers.values():
            put(found, f"{name}.{marker.name}", np.array([marker.node]), marker.point[None], marker.axes, new)
    return found


def put(found: dict[str, Spot], name: str, nodes, points, axes, new: np.ndarray) -> None:
    mine = new[np.asarray(nodes, np.int64)]
    found[name] = Spot(mine[mine >= 0], np.asarray(points, float)[mine >= 0], np.asarray(axes, float))


def drawing(catalogue: Catalogue, new: np.ndarray) -> Drawing | None:
    """All meshes and lines of a model, with the nodes their points are fixed to."""
    nodes, points, count = [], [], 0
    cells: dict[str, list[np.ndarray]] = {}
    for body in catalogue.bodies.values():
        drawn = drawn_cells(body)
        if drawn is None:
            continue
        own_nodes, own_points, own_cells = drawn
        nodes.append(new[own_nodes])
        points.append(own_points)
        for kind, members in own_cells.items():
            cells.setdefault(kind, []).append(members + count)
        count += len(own_points)
    if not points:
        return None
    joined = {kind: np.concatenate(parts) for kind, parts in cells.items()}
    return Drawing(np.concatenate(nodes), np.concatenate(points), joined)


def drawn_cells(body: BodyEntry):
    """(nodes, points, cells) of a body with a mesh or an axis."""
    if body.mesh is not None:
        return body.mesh.nodes, body.mesh.points, body.mesh.cells
    if body.line is None:
        return None
    k = np.arange(len(body.line.nodes) - 1)
    return np.array(body.line.nodes), body.line.points, {"line": np.stack((k, k + 1), axis=1)}
