"""What membranes, shells and solids share: fields, nodes from a mesh, places that other bodies carry."""

from __future__ import annotations

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ...cells import quad
from ...cells.pieces import Pieces
from ...schema.entity import Entity, Name
from ...schema.quantities import NonNegativeRate, NonNegativeTime
from ...schema.vectors import AngularVelocity, Direction, Velocity
from ..meshes.grid import Grid
from ..references import BodyRef
from ..refusal import Refusal

ZERO = (0.0, 0.0, 0.0)
APART = 1e-6  # of the mesh's size: a node this close to another body's is the same


class MeshDamping(BaseModel):
    """Rayleigh damping by `stiffness` [s] and `mass` [1/s]."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    stiffness: NonNegativeTime = Field(0.0, examples=["1e-4 s"])
    mass: NonNegativeRate = Field(0.0, examples=["0.1 1/s"])


class MeshBody(Entity):
    """Fields of bodies that have a mesh."""

    attach: dict[Name, BodyRef] = Field(
        {}, description="groups of nodes that are part of another body and move with it: a rigid body, a beam, ground",
        examples=["{start: ground, end: hub}"],
    )  # fmt: skip
    along: Direction | None = Field(None, description="first axis of the material, laid into the surface; else x")
    damping: MeshDamping = Field(MeshDamping.model_validate({}), examples=["{stiffness: 1e-4 s, mass: 0.1 1/s}"])
    velocity: Velocity = Field(ZERO, description="of the world's origin as if it moved along, world axes")
    angular_velocity: AngularVelocity = Field(ZERO, description="world axes; the body moves as if rigid at first")
    rigid: bool = Field(False, description="true: does not deform")


class MeshNodes:
    """Nodes of the engine for the nodes of a mesh, with their mass."""

    def __init__(self, body: MeshBody, builder, grid: Grid, mass: np.ndarray, rotary: np.ndarray | None):
        """mass (n,) [kg]; rotary (n,) [kg m²], None if nodes do not turn."""
        self.body, self.builder, self.grid = body, builder, grid
        carriers = self.carriers()
        motion = np.array(body.velocity) + np.cross(np.array(body.angular_velocity), grid.points)
        spin = np.array(body.angular_velocity)
        if body.rigid:
            carriers = self.single_carrier(mass, rotary)
        self.numbers = np.full(len(grid.points), -1)
        self.numbers[list(carriers)] = list(carriers.values())
        if not body.rigid:
            for k, node in carriers.items():
                J = np.zeros((3, 3)) if rotary is None else rotary[k] * np.eye(3)
                builder.add_mass(node, grid.points[k], float(mass[k]), J)
        own = np.flatnonzero(self.numbers < 0)
        turn = None if rotary is None else rotary[own]
        self.numbers[own] = builder.mesh_nodes(
            body.name, own, grid.points[own], mass[own], turn, motion[own], spin, body.damping.mass
        )

    def carriers(self) -> dict[int, int]:
        """Nodes of the engine that exist already, by node of the mesh. Raises Refusal."""
        found: dict[int, int] = {}
        for name, reference in self.body.attach.items():
            try:
                nodes = self.grid.group(name)
            except Refusal as refusal:
                raise Refusal(str(refusal), "attach", name) from refusal
            for k in nodes.tolist():
                node = self.builder.carrier(reference, self.grid.points[k], APART * self.grid.size, "attach", name)
                if found.setdefault(k, node) != node:
                    raise Refusal(
                        f"node {self.grid.node_name(k)} belongs to two of the groups, which are attached to different "
                        "bodies; leave it out of one",
                        "attach",
                        name,
                    )
        return found

    def single_carrier(self, mass: np.ndarray, rotary: np.ndarray | None) -> dict[int, int]:
        """One rigid body of all nodes. Raises Refusal."""
        if self.body.attach:
            raise Refusal("a rigid body is attached by a fixed joint; remove 'attach' or 'rigid'", "attach")
        p, total = self.grid.points, float(mass.sum())
        centre = mass @ p / total
        r = p - centre
        inertia = (mass @ (r * r).sum(axis=1)) * np.eye(3) - np.einsum("n,ni,nj->ij", mass, r, r)
        inertia += (0.0 if rotary is None else float(rotary.sum())) * np.eye(3)
        v = np.array(self.body.velocity) + np.cross(np.array(self.body.angular_velocity), centre)
        node = self.builder.frame_node(
            self.body.name, centre, np.eye(3), total, inertia, v, np.array(self.body.angular_velocity)
        )
        self.builder.add_drag(node, self.body.damping.mass * total, self.body.damping.mass * inertia)
        return dict.fromkeys(range(len(p)), node)


def mesh_of(body, builder, dimension: int) -> Grid:
    """The body's grid, checked and of surfaces (2) or solids (3). Raises Refusal."""
    try:
        grid = body.mesh.grid(builder.base_dir)
    except Refusal as refusal:
        raise Refusal(str(refusal), "mesh", *refusal.field) from refusal
    for note in grid.notes:
        builder.note(note)
    if grid.dimension != dimension:
        wanted, other = ("a surface", "'solid'") if dimension == 2 else ("a solid", "'shell' or 'membrane'")
        raise Refusal(f"the mesh is not {wanted}; give a {body.kind} another mesh, or use a {other}", "mesh")
    return grid


def directions(points: np.ndarray, normals: np.ndarray, along, field_given: bool) -> np.ndarray:
    """(elements, 3) first axes to be laid into surfaces of these normals; x, or y where x is nearly normal."""
    wanted = np.broadcast_to(np.array(along if along is not None else (1.0, 0.0, 0.0)), normals.shape).copy()
    steep = np.abs(np.einsum("ea,ea->e", wanted, normals)) > 0.99
    if field_given and steep.any():
        where = ", ".join(f"{x:.4g}" for x in points[int(np.argmax(steep))])
        raise Refusal(f"'along' is across the surface near ({where}) m; give a direction within it", "along")
    wanted[steep] = (0.0, 1.0, 0.0)
    return wanted


def surface_pieces(body: MeshBody, grid: Grid, shapes: dict) -> dict[str, Pieces]:
    """Elements of a sheet by kind, their material laid into the surface. Raises Refusal."""
    found = {}
    for name, cells in grid.cells.items():
        corners = grid.points[cells]
        normals = quad.unit(np.cross(corners[:, 2] - corners[:, 0], corners[:, -1] - corners[:, 1]))
        along = directions(corners.mean(axis=1), normals, body.along, body.along is not None)
        found[name] = Pieces(shapes[name], grid.points, cells, along)
    return found


def areas_of(grid: Grid, pieces: dict[str, Pieces]) -> np.ndarray:
    """(nodes,) area around every node of a sheet."""
    areas = np.zeros(len(grid.points))
    for name, p in pieces.items():
        np.add.at(areas, grid.cells[name], p.gathered(p.shape.nodal_areas))
    return areas
