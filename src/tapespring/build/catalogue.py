"""Who is who in the tables: names of the model beside indices of the assembler.

Points and axes are those of the drawn placement, in world coordinates [m]; matrices hold axes in columns. Rows,
couplings, loads, bushings, beams, bars and watches are numbered as in the assembler's lists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..schema.units import Dimension


@dataclass(frozen=True)
class MarkerEntry:
    """A named place on a body, as drawn, and the node it is fixed to."""

    name: str
    point: np.ndarray
    axes: np.ndarray
    node: int


@dataclass(frozen=True)
class LineEntry:
    """The axis of a beam or cable: its nodes by arc length, and its elements (none if it is declared rigid)."""

    stations: np.ndarray  # (n,) arc length of each node, or of each place to refer to on a rigid one [m]
    nodes: tuple[int, ...]
    points: np.ndarray  # (n, 3)
    axes: np.ndarray  # (n, 3, 3) section axes, at a corner those behind it
    ends: np.ndarray  # (n - 1, 2, 3, 3) section axes at the two ends of each element
    elements: tuple[int, ...]  # beams or bars of the assembler
    frozen: bool = False  # flexible, but rigid for a stage

    @property
    def length(self) -> float:
        """m"""
        return float(self.stations[-1])

    @property
    def is_flexible(self) -> bool:
        """Whether its nodes move each on its own."""
        return len(self.elements) > 0


@dataclass(frozen=True)
class MeshEntry:
    """A membrane, shell or solid: nodes of the engine for those of the mesh, and its elements (none if rigid)."""

    points: np.ndarray  # (n, 3)
    nodes: np.ndarray  # (n,)
    groups: dict[str, np.ndarray]  # nodes of the mesh
    cells: dict[str, np.ndarray]  # nodes of the mesh, by kind of element
    drafts: tuple[int, ...]  # cells of the assembler, in the order of `cells`
    recover: dict[str, Any]  # what elements carry by their scalars and mean stress, by kind of element
    pieces: dict[str, Any]  # geometry of elements, by kind of element
    shares: np.ndarray  # (n,) area or volume around each node
    grid: Any  # as the mesh made it
    nodal: Any = None  # stress at nodes by scalars, see cells.recover

    @property
    def is_flexible(self) -> bool:
        """Whether its nodes move each on its own."""
        return len(self.drafts) > 0

    @cached_property
    def normals(self) -> np.ndarray | None:
        """(n, 3) of a surface at its nodes, from the elements around; of no particular length."""
        if self.grid.dimension != 2:
            return None
        total = np.zeros_like(self.points)
        for cells in self.grid.cells.values():
            c = self.points[cells]
            np.add.at(total, cells, np.cross(c[:, 2] - c[:, 0], c[:, -1] - c[:, 1])[:, None])
        return total


@dataclass(frozen=True)
class SupportEntry:
    """Nodes held in the world."""

    name: str
    rows: tuple[int, ...]
    nodes: tuple[int, ...]
    points: np.ndarray  # (n, 3)


@dataclass(frozen=True)
class PressureEntry:
    """A pressure on faces of a body."""

    name: str
    law: int
    body: str


@dataclass(frozen=True)
class ModalEntry:
    """A body by modes: its amplitudes, and how to know it from them."""

    nodes: tuple[int, ...]  # of amplitudes, three on each
    couplings: tuple[int, ...]  # springs along them
    floating: Any  # modal.floating.Floating
    reduced: Any  # modal.reduced.Reduced


@dataclass(frozen=True)
class BodyEntry:
    """A body: its node, and where its own frame is drawn (a rigid body's node is its centre of mass). A beam or cable
    has many nodes: `node` is the first, at its start."""

    name: str
    kind: str
    node: int
    point: np.ndarray  # origin of the body's frame
    axes: np.ndarray  # axes of the body's frame
    markers: dict[str, MarkerEntry] = field(default_factory=dict)
    line: LineEntry | None = None
    mesh: MeshEntry | None = None
    modal: ModalEntry | None = None
    by_markers: bool = False  # flexible, and its markers are the only places on it

    @property
    def is_flexible(self) -> bool:
        """Whether it has no single frame."""
        return self.by_markers or any(part is not None and part.is_flexible for part in (self.line, self.mesh))


@dataclass(frozen=True)
class Coordinate:
    """A named measure: `measure` numbers it in the assembler."""

    owner: str
    label: str
    measure: int
    dimension: Dimension

    @property
    def unit(self) -> str:
        """`rad` or `m`"""
        return self.dimension.unit

    @property
    def name(self) -> str:
        """`hinge.angle`"""
        return f"{self.owner}.{self.label}"


@dataclass(frozen=True)
class JointEntry:
    """A joint: the nodes of its two sides, its point on each, its frame (e1, e2, axis) on the first, its rows."""

    name: str
    kind: str
    a: int
    b: int
    sides: tuple[str, str]  # as the user called them
    point_a: np.ndarray
    point_b: np.ndarray
    frame_a: np.ndarray
    frame_b: np.ndarray
    rows: tuple[int, ...]
    coordinates: dict[str, tuple[int, str]]  # label: (measure, unit)


@dataclass(frozen=True)
class GripEntry:
    """Friction of a joint: its number, the coordinates it acts along, whether it grows with reactions."""

    joint: str
    grip: int
    along: tuple[str, ...]
    by_reaction: bool
    unit: str = ""  # of the force of a latch, which belongs to no joint


@dataclass(frozen=True)
class CouplerEntry:
    """A linear relation between coordinates: Σ weight × measure = constant."""

    name: str
    row: int
    terms: tuple[tuple[int, float], ...]
    unit: str = ""  # of the force on the sum: of a cable its tension
    stretch: int | None = None  # measure by which a cable gives way


@dataclass(frozen=True)
class DriveEntry:
    """A coordinate that follows a function of time."""

    name: str
    row: int
    measure: int
    coordinate: str  # hinge.angle
    unit: str  # of the coordinate


@dataclass(frozen=True)
class CouplingEntry:
    """A spring, damper or motor along a measure; usually one coupling, two if an elastic law has no potential."""

    name: str
    kind: str
    couplings: tuple[int, ...]
    measure: int
    label: str  # of the coordinate it acts along: length, angle, position …
    unit: str  # of the coordinate
    force_unit: str  # N or N m
    sides: tuple[str, str] | None = None

    @property
    def coupling(self) -> int:
        """The first coupling."""
        return self.couplings[0]


@dataclass(frozen=True)
class LoadEntry:
    """A force and torque on one body."""

    name: str
    load: int
    node: int
    point: np.ndarray
    has_force: bool
    has_torque: bool


@dataclass(frozen=True)
class DistributedEntry:
    """A load per length: its parts on the nodes."""

    name: str
    loads: tuple[int, ...]
    body: str


@dataclass(frozen=True)
class BarEntry:
    """A massless bar or cord between two places."""

    name: str
    bar: int
    a: int
    b: int
    sides: tuple[str, str]


@dataclass(frozen=True)
class BushingEntry:
    """An elastic mount."""

    name: str
    bushing: int
    a: int
    b: int
    sides: tuple[str, str]


@dataclass(frozen=True)
class TiltEntry:
    """A torque against tilt: the angle it is watched by, the two points and the axes its direction is seen in."""

    name: str
    measure: int
    a: int
    b: int
    point_a: np.ndarray
    point_b: np.ndarray
    axes: np.ndarray
    sides: tuple[str, str]


@dataclass(frozen=True)
class ContactEntry:
    """A contact; `contact` numbers it in the assembler."""

    name: str
    contact: int
    sides: tuple[str, str]
    overlap: str = "keep"  # what to do with surfaces that are within each other at the start


@dataclass(frozen=True)
class EventEntry:
    """A watched crossing; `watch` numbers it in the assembler."""

    name: str
    watch: int
    watched: str
    measure: int
    of_rate: bool
    level: float
    direction: int
    stop: bool
    unit: str


@dataclass(frozen=True)
class InitialValue:
    """Where a coordinate starts: value [m or rad] and rate, None if the user did not say."""

    measure: int
    value: float | None
    rate: float | None
    label: str  # hinge.angle


@dataclass
class Catalogue:
    """All entries by name, in the order of building."""

    bodies: dict[str, BodyEntry] = field(default_factory=dict)
    joints: dict[str, JointEntry] = field(default_factory=dict)
    grips: dict[str, GripEntry] = field(default_factory=dict)
    supports: dict[str, SupportEntry] = field(default_factory=dict)
    pressures: dict[str, PressureEntry] = field(default_factory=dict)
    couplers: dict[str, CouplerEntry] = field(default_factory=dict)
    drives: dict[str, DriveEntry] = field(default_factory=dict)
    couplings: dict[str, CouplingEntry] = field(default_factory=dict)
    loads: dict[str, LoadEntry] = field(default_factory=dict)
    distributed: dict[str, DistributedEntry] = field(default_factory=dict)
    bars: dict[str, BarEntry] = field(default_factory=dict)
    bushings: dict[str, BushingEntry] = field(default_factory=dict)
    tilts: dict[str, TiltEntry] = field(default_factory=dict)
    drags: dict[str, np.ndarray] = field(default_factory=dict)  # nodes
    contacts: dict[str, ContactEntry] = field(default_factory=dict)
    events: dict[str, EventEntry] = field(default_factory=dict)
    coordinates: dict[str, Coordinate] = field(default_factory=dict)  # by full name: hinge.angle, coil.length
    initial: list[InitialValue] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what a user should know, but is no mistake

    def coordinates_of(self, owner: str) -> list[Coordinate]:
        """The coordinates of one joint or force."""
        return [c for c in self.coordinates.values() if c.owner == owner]
