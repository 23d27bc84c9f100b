"""From placed bodies, measures and laws to tables.

The assembler speaks world coordinates of the reference placement: points and directions as they stand when the model is
drawn. Node axes (principal axes of inertia; world axes for planar models) are its own affair, so that kinds never see
them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..cells.tables import CellsDraft, PressureDraft, cell_tables
from ..mechanics import tables as tb
from .beam_element import bow, drawn_strain, element_stiffness
from .grips import GripDraft, grip_tables
from .modal_tables import ModalDraft, modal_tables
from .nodes import LocalFrames, NodeDraft, Nodes, node_axes, node_table, quaternion_from_matrix
from .pattern import analyse, elimination_order
from .planar import find_plane, needed_in_plane

WORLD = 0  # the ground node


@dataclass
class MeasureDraft:
    kind: int
    a: int
    b: int
    pa: np.ndarray
    pb: np.ndarray
    e1: np.ndarray
    e2: np.ndarray
    f: np.ndarray
    label: str = ""


@dataclass
class RowDraft:
    """One scalar constraint: sum of weights times measures = constant + law(t)."""

    terms: list[tuple[int, float]]
    constant: float
    law: int
    owner: str  # joint or drive
    about: str  # what it holds, in words


@dataclass
class LoadDraft:
    node: int
    point: np.ndarray
    axes: np.ndarray  # rows: directions of the three components, world axes at the reference placement
    follows: bool
    laws: list[int]
    share: float = 1.0  # the laws times this: a node's part of a distributed load


@dataclass
class BushingDraft:
    a: int
    b: int
    pa: np.ndarray
    pb: np.ndarray
    frame_a: np.ndarray
    frame_b: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray


@dataclass
class TiltDraft:
    """A torque against the angle between an axis of node a and the line to a point of node b."""

    a: int
    b: int
    pa: np.ndarray
    pb: np.ndarray
    axis: np.ndarray
    vertical: np.ndarray  # world; stiffness fades as the axis turns away from it; zero: it does not
    stiffness: np.ndarray  # coefficients of even powers of the angle
    damping: np.ndarray

    def fill(self, row, local) -> None:
        row["tilts"], row["axis"], row["vertical"] = 1, local.direction(self.a, self.axis), self.vertical
        row["even_stiffness"][: len(self.stiffness)] = self.stiffness
        row["even_damping"][: len(self.damping)] = self.damping


@dataclass
class BeamDraft:
    """A beam element between two section frames (columns: tangent, then the two section axes), stress-free as drawn."""

    a: int
    b: int
    pa: np.ndarray
    pb: np.ndarray
    frame_a: np.ndarray
    frame_b: np.ndarray
    length: float  # of the undeformed axis [m]
    compliance: np.ndarray  # (6, 6) of the section: strain (stretch, two shears, twist, two curvatures) by stress
    damping: float = 0.0  # [s] stress grows by this times the stress of the strain rate
    prestrain: np.ndarray = field(default_factory=lambda: np.zeros(6))  # strain the element has as drawn


@dataclass
class BarDraft:
    """A bar or cord element between two points."""

    a: int
    b: int
    pa: np.ndarray
    pb: np.ndarray
    length: float  # without tension [m]
    stiffness: float  # EA [N]
    damping: float = 0.0  # [s]
    slack: bool = False  # carries no compression


@dataclass
class DragDraft:
    """Viscous resistance to the motion of a node, or of many: arrays then have one more dimension."""

    node: int | np.ndarray
    linear: float | np.ndarray  # [N s/m]
    angular: np.ndarray  # (3, 3) [N m s], world axes as drawn


@dataclass
class SurfaceDraft:
    """Something that can touch: see mechanics.tables for kinds."""

    kind: int
    nodes: list[int]
    points: list[np.ndarray]
    radius: float = 0.0
    size: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axes: np.ndarray = field(default_factory=lambda: np.eye(3))  # columns, world axes as drawn
    before: int = -1  # spot at which the segment before it in a chain begins
    after: int = -1  # spot at which the segment after it ends; number of the mesh a triangle belongs to
    feature: float = 0.0  # size that penetration is judged by [m]
    shown: bool = True  # False: only a part of how another one touches
    spot: int = 0  # number of its first spot


@dataclass
class CrowdDraft:
    """A contact among many: whose pairs are found as they come near, or all of them if that cannot be."""

    contact: int
    surfaces: list[int]
    bodies: list[int]  # to which each belongs
    sides: list[int]  # 1 first, 2 second, 3 both
    roles: list[int]  # kinds of surfaces, or CORNER
    meets: list[int]  # bits of the roles it can touch
    kin: list[list[int]]  # members that each must not touch
    near: float  # distance from which they are pairs [m]
    pairs: list[tuple[int, int, int, float]] | None  # all of them, None if they are too many


ZERO = np.zeros(3)


class Assembler:
    """Collects drafts; `finish` numbers them."""

    def __init__(self, gravity):
        self.may_be_planar = True  # False: keep all rows even if nothing leaves a plane
        self.gravity = np.array(gravity, float)
        self.nodes = Nodes()
        self.node(NodeDraft(tb.GROUND, "ground", np.zeros(3), np.eye(3)))
        self.motions: list[dict] = []
        self.measures: list[MeasureDraft] = []
        self.rows: list[RowDraft] = []
        self.laws: list[tuple] = []
        self.numbers: list[float] = []
        self.codes: list[int] = []
        self.couplings: list[tuple] = []
        self.loads: list[LoadDraft] = []
        self.bushings: list[BushingDraft | TiltDraft] = []
        self.beams: list[BeamDraft] = []
        self.bars: list[BarDraft] = []
        self.cells: list[CellsDraft] = []
        self.pressures: list[PressureDraft] = []
        self.drags: list[DragDraft] = []
        self.surfaces: list[SurfaceDraft] = []
        self.pairs: list[tuple[int, int, int, float]] = []
        self.crowds: list[CrowdDraft] = []
        self.pairs_come_near = False  # True: pairs of crowds are found by the loop; else all are written down
        self.contacts: list[dict] = []
        self.contact_labels: list[str] = []
        self.contact_ends: list[int] = []  # surfaces there are once a contact is entered: its own are the last
        self.grips: list[GripDraft] = []
        self.modal: list[ModalDraft] = []
        self.weightless: list[int] = []  # nodes that are no places
        self.watches: list[tuple] = []
        self.tracked: list[int] = []
        self.frozen: Any = None  # build.freezing.Frozen: what is rigid for a stage
        self.idle_rows: frozenset[int] = frozenset()  # rows that hold nothing, within what is rigid
        self._made: dict | None = None  # tables of cells
        self.kept_alive: list = []  # callbacks whose addresses the tables hold
        self.bodies: dict[str, str] = {}  # what each body is, as built (build.restart)

    # -- nodes ------------------------------------------------------------------------------------------------------
    def node(self, draft: NodeDraft) -> int:
        return self.nodes.add(draft)

    def motion(self, base, axes, turn_laws, laws, spin_laws) -> int:
        self.motions.append({"base": base, "axes": axes, "turn": turn_laws, "law": laws, "spin": spin_laws})
        return len(self.motions) - 1

    # -- measures ---------------------------------------------------------------------------------------------------
    def measure(self, kind, a, b, pa=ZERO, pb=ZERO, e1=ZERO, e2=ZERO, f=ZERO, label="") -> int:
        p, q, u, w, z = (np.array(vector, float) for vector in (pa, pb, e1, e2, f))
        self.measures.append(MeasureDraft(kind, a, b, p, q, u, w, z, label))
        return len(self.measures) - 1

    def is_flexible(self) -> bool:
        """Whether anything bends or stretches."""
        return len(self.beams) + len(self.bars) + len(self.cells) > 0

    def track(self, measure: int) -> int:
        """Ask for a measure's history; returns its place among the tracked ones."""
        if measure not in self.tracked:
            self.tracked.append(measure)
        return self.tracked.index(measure)

    def constrain(self, terms, owner, about, constant=0.0, law=-1) -> int:
        pairs = [(terms, 1.0)] if isinstance(terms, int) else list(terms)
        self.rows.append(RowDraft(pairs, constant, law, owner, about))
        return len(self.rows) - 1

    def couple(self, measure, elastic=-1, free=0.0, damping=-1, active=-1, sign=1.0, film=0.0) -> int:
        """Generalized force sign*active - elastic(value - free) - damping(rate) along a measure; tracks it."""
        self.track(measure)
        self.couplings.append((measure, elastic, free, damping, active, sign, film))
        return len(self.couplings) - 1

    def watch(self, measure, of_rate, level, direction, stop) -> int:
        self.watches.append((measure, int(of_rate), level, direction, int(stop)))
        return len(self.watches) - 1

    # -- laws -------------------------------------------------------------------------------------------------------
    def law_constant(self, value) -> int:
        return self._law(tb.CONSTANT, [value], 1)

    def law_polynomial(self, coefficients) -> int:
        return self._law(tb.POLYNOMIAL, coefficients, len(coefficients))

    def law_spline(self, knots, coefficients, of_time: bool = False) -> int:
        """knots (n+1), coefficients (n, degree+1) ascending in (x - knot); of_time: whatever the law's variable is."""
        knots, coefficients = np.asarray(knots, float), np.asarray(coefficients, float)
        n, size = coefficients.shape
        width = np.diff(knots)[:, None]
        pieces = (coefficients * width ** np.arange(1, size + 1) / np.arange(1, size + 1)).sum(axis=1)
        integral = np.concatenate(([0.0], np.cumsum(pieces)[:-1]))
        k = int(np.clip(np.searchsorted(knots, 0.0, side="right") - 1, 0, n - 1))  # energy counts from x = 0
        powers = (np.clip(0.0, knots[0], knots[-1]) - knots[k]) ** np.arange(1, size + 1) / np.arange(1, size + 1)
        integral -= integral[k] + coefficients[k] @ powers
        data = np.concatenate((knots, np.column_stack((coefficients, integral)).ravel()))
        return self._law(tb.TIMED if of_time else tb.PIECEWISE, data, n, degree=size - 1)

    def law_expression(self, codes, values) -> int:
        first, operands = len(self.codes), len(self.numbers)
        self.codes.extend(codes)
        self.numbers.extend(values)
        self.laws.append((tb.EXPRESSION, first, len(codes), 0, operands))
        return len(self.laws) - 1

    def law_python(self, address, keep, course: int = -1) -> int:
        """course: a law of time that is like it in time, for the choice of steps."""
        self.kept_alive.append(keep)
        self.laws.append((tb.PYTHON, max(course, 0), int(course >= 0), 0, address))
        return len(self.laws) - 1

    def _law(self, kind, data, count, degree=0) -> int:
        first = len(self.numbers)
        self.numbers.extend(float(x) for x in data)
        self.laws.append((kind, first, count, degree, 0))
        return len(self.laws) - 1

    # -- numbering --------------------------------------------------------------------------------------------------
    def finish(self, without_rows=frozenset()) -> System:
        """Tables for all rows but those named as redundant."""
        plane = find_plane(self) if self.may_be_planar else None
        kept = [r for r in range(len(self.rows)) if r not in without_rows and r not in self.idle_rows]
        if plane is not None:
            kept = [r for r in kept if needed_in_plane(self, self.rows[r], plane)]
        axes = node_axes(self.nodes, plane)
        nodes, q0, v0 = node_table(self.nodes, axes)
        nodes["weight"][self.weightless] = 0.0
        local = LocalFrames(self.nodes, axes)
        measures = self._measure_table(local)
        rows, terms, blocks, kept = self._row_tables(kept, nodes)
        pattern = analyse([[(k, n) for k, n in row] for row in blocks])
        flat = [(n, r) for r, row in enumerate(blocks) for _, n in row]
        angles = [m for m in range(len(self.measures)) if self.measures[m].kind == tb.ANGLE]
        tables = tb.Tables(
            gravity=self.gravity,
            nodes=nodes,
            motions=self._motion_table(),
            measures=measures,
            laws=np.array(self.laws, dtype=tb.Law) if self.laws else np.zeros(0, tb.Law),
            numbers=np.array(self.numbers, float),
            codes=np.array(self.codes, np.int64),
            rows=rows,
            terms=terms,
            row_draft=np.array(kept, np.int64),
            couplings=records(self.couplings, tb.Coupling),
            loads=self._load_table(local),
            bushings=self._bushing_table(local),
            beams=self._beam_table(local),
            bars=self._bar_table(local),
            drags=self._drag_table(local),
            **self._cell_tables(nodes, axes),
            **self._contact_tables(local),
            **grip_tables(self.grips, kept, local),
            **modal_tables(self.modal, kept, rows, terms, local),
            watches=records(self.watches, tb.Watch),
            tracked=np.array(self.tracked, np.int64),
            turning=np.array(angles, np.int64),
            block_node=np.array([n for n, _ in flat], np.int64),
            block_row=np.array([r for _, r in flat], np.int64),
            columns=np.array([] if plane is None else [k for k in range(3) if k != plane] + [3 + plane], np.int64),
            **pattern._asdict(),
        )
        return System(tables, q0, v0, kept, axes, plane, self, [self.rows[r] for r in kept])

    def _measure_table(self, local):
        table = np.zeros(len(self.measures), tb.Measure)
        for row, m in zip(table, self.measures, strict=True):
            row["kind"], row["a"], row["b"] = m.kind, m.a, m.b
            row["sa"], row["sb"] = local.point(m.a, m.pa), local.point(m.b, m.pb)
            row["e1"], row["e2"], row["f"] = (
                local.direction(m.a, m.e1),
                local.direction(m.a, m.e2),
                local.direction(m.b, m.f),
            )
            if m.kind == tb.ALONG_WORLD:
                row["e1"] = m.e1
        return table

    def _row_tables(self, kept, nodes):
        """Rows in elimination order, their terms, and (block, node) lists per row."""
        free = {tb.POINT, tb.FRAME}

        def sides(r):
            return [
                n
                for m, _ in self.rows[r].terms
                for n in (self.measures[m].a, self.measures[m].b)
                if nodes[n]["kind"] in free
            ]

        order = elimination_order([sides(r) for r in kept])
        kept = [kept[i] for i in order]
        rows, terms, blocks, block = np.zeros(len(kept), tb.Row), [], [], 0
        for table_row, r in zip(rows, kept, strict=True):
            draft = self.rows[r]
            table_row["first"], table_row["law"], table_row["constant"] = len(terms), draft.law, draft.constant
            mine = []
            for m, weight in draft.terms:
                numbers = []
                for n in (self.measures[m].a, self.measures[m].b):
                    numbers.append(block if nodes[n]["kind"] in free else -1)
                    if numbers[-1] >= 0:
                        mine.append((block, n))
                        block += 1
                terms.append((m, weight, *numbers, self._shares_points(terms, m)))
            table_row["last"] = len(terms)
            blocks.append(mine)
        return rows, records(terms, tb.Term), blocks, kept

    def _shares_points(self, terms, m) -> bool:
        """Whether a world-axis measure joins the same two points as the one before it."""
        if not terms:
            return False
        old, new = self.measures[terms[-1][0]], self.measures[m]
        same_points = np.array_equal(old.pa, new.pa) and np.array_equal(old.pb, new.pb)
        return old.kind == new.kind == tb.ALONG_WORLD and (old.a, old.b) == (new.a, new.b) and same_points

    def _motion_table(self):
        table = np.zeros(len(self.motions), tb.Motion)
        for row, m in zip(table, self.motions, strict=True):
            row["base"], row["turns"] = quaternion_from_matrix(m["base"]), len(m["axes"])
            row["law"], row["spin_law"], row["turn_law"] = m["law"], m["spin"], -1
            for k, (axis, law) in enumerate(zip(m["axes"], m["turn"], strict=True)):
                row["axes"][k], row["turn_law"][k] = axis, law
        return table

    def _load_table(self, local):
        table = np.zeros(len(self.loads), tb.Load)
        for row, load in zip(table, self.loads, strict=True):
            row["node"], row["s"], row["follows"] = load.node, local.point(load.node, load.point), load.follows
            row["axes"] = [local.direction(load.node, e) for e in load.axes] if load.follows else load.axes
            row["law"], row["share"] = load.laws, load.share
        return table

    def _bushing_table(self, local):
        table = np.zeros(len(self.bushings), tb.Bushing)
        for row, b in zip(table, self.bushings, strict=True):
            row["a"], row["b"] = b.a, b.b
            row["sa"], row["sb"] = local.point(b.a, b.pa), local.point(b.b, b.pb)
            if isinstance(b, TiltDraft):
                b.fill(row, local)
                continue
            row["qa"], row["qb"] = local.axes[b.a].T @ b.frame_a, local.axes[b.b].T @ b.frame_b
            row["stiffness"], row["damping"] = b.stiffness, b.damping
        return table

    def _beam_table(self, local):
        table = np.zeros(len(self.beams), tb.Beam)
        for row, b in zip(table, self.beams, strict=True):
            row["a"], row["b"], row["length"], row["damping"] = b.a, b.b, b.length, b.damping
            row["sa"], row["sb"] = local.point(b.a, b.pa), local.point(b.b, b.pb)
            row["qa"], row["qb"] = local.axes[b.a].T @ b.frame_a, local.axes[b.b].T @ b.frame_b
            drawn = drawn_strain(b)
            row["strain"] = drawn - b.prestrain
            row["stiffness"] = element_stiffness(b.compliance, drawn, b.length)
            row["bow"] = bow(b.compliance, row["stiffness"])
        return table

    def _bar_table(self, local):
        table = np.zeros(len(self.bars), tb.Bar)
        for row, b in zip(table, self.bars, strict=True):
            row["a"], row["b"], row["length"] = b.a, b.b, b.length
            row["sa"], row["sb"] = local.point(b.a, b.pa), local.point(b.b, b.pb)
            row["stiffness"], row["damping"], row["slack"] = b.stiffness, b.damping, b.slack
        return table

    def _cell_tables(self, nodes, axes):
        """Made once, for models with cells are never planar; drafts then let go of what is large."""
        if self._made is None:
            self._made = cell_tables(self.cells, self.pressures, nodes["kind"], self.nodes.table["x"], axes)
            for draft in self.cells:
                draft.release()
        return self._made

    def _contact_tables(self, local):
        spots = np.zeros(sum(len(s.nodes) for s in self.surfaces), tb.Spot)
        surfaces, contacts = np.zeros(len(self.surfaces), tb.Surface), np.zeros(len(self.contacts), tb.Contact)
        for row, s in zip(surfaces, self.surfaces, strict=True):
            for k, (n, p) in enumerate(zip(s.nodes, s.points, strict=True)):
                spots[s.spot + k] = n, local.point(n, p)
            row["kind"], row["spot"], row["count"], row["radius"], row["size"] = (
                s.kind,
                s.spot,
                len(s.nodes),
                s.radius,
                s.size,
            )
            row["axes"] = (local.axes[s.nodes[0]].T @ s.axes).T
            row["before"], row["after"], row["feature"] = s.before, s.after, s.feature
        usual = {"exponent": 1.0, "rate_power": 1.0, "function": -1}
        for row, given in zip(contacts, self.contacts, strict=True):
            for name, value in (usual | given).items():
                row[name] = value
        pairs = self.pairs
        if not self.pairs_come_near:
            pairs = pairs + [pair for crowd in self.crowds for pair in crowd.pairs or ()]
        near = self._member_tables(spots)
        pairs = records([(*pair, 0.0) for pair in pairs], tb.Pair)
        beside = np.zeros((0, 2), np.int64)
        return {"spots": spots, "surfaces": surfaces, "pairs": pairs, "beside": beside, "contacts": contacts, **near}

    def _member_tables(self, spots):
        crowds = self.crowds if self.pairs_come_near else []
        members = np.zeros(sum(len(c.surfaces) for c in crowds), tb.Member)
        first, kin = [0], []
        for crowd in crowds:
            begin = len(first) - 1
            rows = members[begin : begin + len(crowd.surfaces)]
            rows["contact"], rows["surface"], rows["body"] = crowd.contact, crowd.surfaces, crowd.bodies
            rows["side"], rows["role"], rows["meets"] = crowd.sides, crowd.roles, crowd.meets
            for a in rows:
                nodes = self.surfaces[a["surface"]].nodes
                a["free"] = any(self.nodes[n].kind in (tb.POINT, tb.FRAME) for n in nodes)
            found = np.zeros(len(rows), np.int64)  # bits of the roles of members that each could touch
            for role, side in set(zip(crowd.roles, crowd.sides, strict=True)):
                across = (rows["side"] | side) == 3
                found |= np.where(across, rows["meets"] & (1 << role), 0)
            bounded, triangle = found & ~(1 << tb.PLANE), rows["role"] == tb.TRIANGLE
            rows["seeks"] = (bounded != 0) & ~triangle & (rows["role"] != tb.PLANE)
            rows["seeks"] += rows["seeks"] * ((bounded & (1 << tb.TRIANGLE)) != 0)
            rows["shown"] = ((bounded & ~(1 << tb.TRIANGLE)) != 0) & (rows["role"] != tb.PLANE)
            for mine in crowd.kin:
                kin += [begin + k for k in mine]
                first.append(len(kin))
        return {
            "members": members, "kin_first": np.array(first), "kin": np.array(kin, np.int64),
            "near_spots": self._distinct_spots(members, spots),
            "near": np.array([min((c.near for c in crowds), default=0.0)]),
        }  # fmt: skip

    def _distinct_spots(self, members, spots):
        """One spot for every place of a member."""
        used = [
            s.spot + k for s in (self.surfaces[m] for m in np.unique(members["surface"])) for k in range(len(s.nodes))
        ]
        used = np.array(used, np.int64)
        places = np.concatenate((spots["node"][used, None], spots["arm"][used]), axis=1)
        return used[np.unique(places, axis=0, return_index=True)[1]]

    def _drag_table(self, local):
        tables = [np.zeros(0, tb.Drag)]
        for d in self.drags:
            table = np.zeros(np.size(d.node), tb.Drag)
            axes = local.axes[np.atleast_1d(d.node)]
            table["node"], table["linear"] = d.node, d.linear
            table["angular"] = np.einsum("nji,njk,nki->ni", axes, d.angular.reshape(-1, 3, 3), axes, optimize=True)
            tables.append(table)
        return np.concatenate(tables)


def records(rows, dtype):
    table = np.zeros(len(rows), dtype)
    for i, row in enumerate(rows):
        table[i] = tuple(row)
    return table


@dataclass
class System:
    """A model ready to run: read-only tables, the reference state, and whose rows are whose."""

    tables: tb.Tables
    q0: np.ndarray
    v0: np.ndarray
    kept: list[int]  # drafts of the rows in table order
    axes: np.ndarray  # (nodes, 3, 3) of nodes in the reference placement
    plane: int | None  # normal of a planar model (0, 1, 2) or None
    drafts: Assembler
    rows: list[RowDraft]  # in table order

    def row_owner(self, row: int) -> RowDraft:
        return self.rows[row]
