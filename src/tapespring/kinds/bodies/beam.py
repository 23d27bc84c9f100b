"""Beam: a slender body that stretches, shears, twists and bends by any amount; a boom, a strap, a coil."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema.quantities import Angle
from ...schema.vectors import Direction
from ..paths.course import Course, Mesh
from ..registry import Kind
from ..sections.any_section import KINDS, AnySection
from ..sections.general import General
from ..sections.material import Material
from ..sections.section import SectionConstants
from .line import LineBody, course_of, halved, meshed, motion_at

FLOOR = 1e-3  # rotary inertia of a node about an axis where the section has none: this × mass × length²


class Beam(LineBody):
    """Stress-free as drawn. Its section's z axis is `up` at the start and is carried along the path without turning
    about it, but for `twist`. `rigid: true` makes it one rigid body of the same mass and markers."""

    kind: Literal["beam"] = "beam"
    section: AnySection = Field(description=KINDS, examples=["{kind: rectangle, width: 10 mm, thickness: 0.2 mm}"])
    material: Material | None = Field(None, examples=["{young: 70 GPa, poisson: 0.33, density: 2700 kg/m^3}"])
    up: Direction | None = Field(
        None, description="section's z axis at the start; else world z (x for a vertical path)"
    )
    twist: Angle = Field(0.0, description="turn of the section about the tangent, evenly from start to end")
    shear: bool = Field(True, description="false: sections stay across the axis (Euler–Bernoulli)")
    rigid: bool = Field(False, description="true: does not deform")

    @model_validator(mode="after")
    def _material_where_needed(self):
        if isinstance(self.section, General):
            if self.material is not None:
                raise ValueError("a general section has its own stiffness and mass; remove 'material'")
        elif self.material is None:
            raise ValueError(
                f"a {self.section.kind} section needs 'material' (for example "
                "{young: 70 GPa, poisson: 0.33, density: 2700 kg/m^3})"
            )
        return self

    def constants(self) -> SectionConstants:
        """Of the section, with or without shear."""
        found = self.section.constants(self.material)
        return found if self.shear else found.without_shear()


def build(beam: Beam, builder) -> None:
    """Nodes with half the mass of their elements, and elements between them; or one rigid body."""
    course = course_of(beam, beam.up, beam.twist)
    with builder.at_field("section"):
        constants = beam.constants()
    mesh = meshed(beam, course, builder)
    if beam.rigid:
        build_rigid(beam, builder, course, mesh, constants)
        return
    nodes = frame_nodes(beam, builder, mesh, constants)
    elements = [
        builder.add_beam_element(
            (nodes[k], nodes[k + 1]),
            mesh.points[k : k + 2],
            (mesh.first[k], mesh.last[k]),
            float(mesh.lengths[k]),
            constants.compliance,
            beam.damping.stiffness,
        )
        for k in range(len(mesh.lengths))
    ]
    builder.add_line(beam, mesh, nodes, elements)


def frame_nodes(beam: Beam, builder, mesh: Mesh, constants: SectionConstants) -> list[int]:
    """One node per station; a corner has the inertia of both its sides."""
    share = halved(mesh.lengths)
    half = 0.5 * mesh.lengths[:, None, None]
    inertias = np.zeros((len(share), 3, 3))
    inertias[:-1] += half * (mesh.first @ constants.inertia @ mesh.first.transpose(0, 2, 1))
    inertias[1:] += half * (mesh.last @ constants.inertia @ mesh.last.transpose(0, 2, 1))
    velocities = motion_at(beam, mesh.points, mesh.points[0])
    spin = np.array(beam.angular_velocity)
    nodes = []
    for k, (length, axes) in enumerate(zip(share, mesh.axes, strict=True)):
        mass = float(constants.mass * length)
        inertia = floored(inertias[k], FLOOR * mass * float(length) ** 2)
        nodes.append(
            builder.frame_node(f"{beam.name}[{k}]", mesh.points[k], axes, mass, inertia, velocities[k], spin.copy())
        )
        drag = beam.damping.mass * mass + beam.damping.viscous * float(length)
        builder.add_drag(nodes[-1], drag, beam.damping.mass * inertia)
    return nodes


def floored(inertia: np.ndarray, floor: float) -> np.ndarray:
    """Moments that are zero raised to a floor: a node cannot turn at no cost."""
    inertia = 0.5 * (inertia + inertia.T)
    moments, axes = np.linalg.eigh(inertia)
    missing = moments <= 1e-12 * max(float(moments[-1]), floor)
    if not missing.any():
        return inertia
    return inertia + floor * axes[:, missing] @ axes[:, missing].T


def build_rigid(beam: Beam, builder, course: Course, mesh: Mesh, constants: SectionConstants) -> None:
    """Mass and inertia integrated along the path; one node at the centre of mass."""
    mass, centre, inertia = rigid_mass(course, mesh, constants)
    inertia = floored(inertia, FLOOR * mass * (course.length / beam.elements) ** 2)
    node = builder.frame_node(
        beam.name, centre, mesh.axes[0], mass, inertia,
        motion_at(beam, centre[None], mesh.points[0])[0], np.array(beam.angular_velocity),
    )  # fmt: skip
    drag = beam.damping.mass * mass + beam.damping.viscous * course.length
    builder.add_drag(node, drag, drag / mass * inertia)
    builder.add_line(beam, mesh, [node] * len(mesh.stations), [])


def rigid_mass(course: Course, mesh: Mesh, constants: SectionConstants) -> tuple[float, np.ndarray, np.ndarray]:
    """(mass, centre, inertia about it in world axes) by Gauss's rule on each element: exact for straight ones."""
    x, weight = np.polynomial.legendre.leggauss(4)
    points, inertia, lengths = [], np.zeros((3, 3)), []
    for s, length in zip(mesh.stations, mesh.lengths, strict=False):
        piece = int(np.searchsorted(course.ends, s + 0.5 * length))
        place, frames = course.on_piece(piece, s + 0.5 * length * (1.0 + x))
        points.append(place)
        lengths.append(0.5 * length * weight)
        inertia += np.einsum("n,nij->ij", lengths[-1], frames @ constants.inertia @ frames.transpose(0, 2, 1))
    p, m = np.concatenate(points), constants.mass * np.concatenate(lengths)
    mass = float(m.sum())
    centre = m @ p / mass
    r = p - centre
    inertia += (m @ (r * r).sum(axis=1)) * np.eye(3) - np.einsum("n,ni,nj->ij", m, r, r)
    return mass, centre, 0.5 * (inertia + inertia.T)


KIND = Kind(
    "beam",
    "bodies",
    Beam,
    build,
    "a slender flexible body: a boom or strap of given section along a path; may be declared rigid",
    {
        "name": "Cantilever with a tip load",
        "bodies": {
            "boom": {
                "kind": "beam",
                "path": [[0, 0, 0], ["1 m", 0, 0]],
                "section": {"kind": "rectangle", "width": "20 mm", "thickness": "10 mm"},
                "material": {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"},
                "elements": 3,
                "damping": {"mass": "2 1/s"},
            }
        },
        "joints": {"clamp": {"kind": "fixed", "between": ["ground", "boom.start"]}},
        "forces": {"weight": {"kind": "load", "on": "boom.end", "force": [0, 0, "-10 N"]}},
        "simulate": {"duration": "0.1 s"},
    },
)
