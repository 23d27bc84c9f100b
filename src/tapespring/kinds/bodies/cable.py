"""Cable: a chain of points and cords, without stiffness in bending; a rope, a wire, a chain of bars."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from ...schema.quantities import Force, LineDensity, PositiveForce, PositiveLength
from ..paths.course import Mesh
from ..refusal import Refusal
from ..registry import Kind
from ..sections.any_section import KINDS, AnySection
from ..sections.general import General
from ..sections.material import Material
from .line import LineBody, course_of, halved, meshed, motion_at


class Cable(LineBody):
    """Carries tension only, unless `compression: true`. Its stiffness and mass are `axial_stiffness` (EA) and
    `mass_per_length` (without tension), or those of a `section` of a `material`. As drawn it is without tension, or
    under `pretension`, or of an `unstretched_length` (longer than drawn: slack)."""

    kind: Literal["cable"] = "cable"
    axial_stiffness: PositiveForce | None = Field(None, description="EA", examples=["10 kN"])
    mass_per_length: LineDensity | None = None
    section: AnySection | None = Field(None, description=KINDS, examples=["{kind: circle, radius: 1 mm}"])
    material: Material | None = Field(None, examples=["{young: 200 GPa, poisson: 0.3, density: 7850 kg/m^3}"])
    pretension: Force | None = Field(None, description="tension as drawn", examples=["50 N"])
    unstretched_length: PositiveLength | None = Field(None, description="of the whole, without tension")
    compression: bool = Field(False, description="true: carries compression too, as a chain of bars does")

    @model_validator(mode="after")
    def _stiffness_and_mass_once(self):
        given = [name for name in ("axial_stiffness", "mass_per_length") if getattr(self, name) is not None]
        if self.section is not None and given:
            raise ValueError(f"both 'section' and '{given[0]}' are given; keep one, the section gives both")
        if self.section is None and len(given) < 2:
            raise ValueError(
                "needs 'axial_stiffness' (for example 10 kN) and 'mass_per_length' (for example 0.2 kg/m), or "
                "'section' and 'material'"
            )
        needs_material = self.section is not None and not isinstance(self.section, General)
        if needs_material and self.material is None:
            raise ValueError("the section needs 'material' (for example {young: 200 GPa, poisson: 0.3, density: 7850})")
        if not needs_material and self.material is not None:
            raise ValueError("'material' goes with a 'section' such as {kind: circle, radius: 1 mm}; remove it")
        if self.pretension is not None and self.unstretched_length is not None:
            raise ValueError("both 'pretension' and 'unstretched_length' are given; keep one")
        return self

    def stiffness_and_mass(self) -> tuple[float, float]:
        """EA [N] and mass per length [kg/m]."""
        if self.section is None:
            assert self.axial_stiffness is not None
            assert self.mass_per_length is not None
            return self.axial_stiffness, self.mass_per_length
        constants = self.section.constants(self.material)
        return float(1.0 / constants.compliance[0, 0]), constants.mass


def build(cable: Cable, builder) -> None:
    """Points with half the mass of their elements, and cords between them."""
    course = course_of(cable)
    with builder.at_field("section"):
        stiffness, mass = cable.stiffness_and_mass()
    mesh = meshed(cable, course, builder)
    no_axes(cable)
    free = free_lengths(cable, stiffness, mesh)
    nodes = point_nodes(cable, builder, mesh, mass * free)
    elements = [
        builder.add_bar_element(
            (nodes[k], nodes[k + 1]),
            mesh.points[k : k + 2],
            float(free[k]),
            stiffness,
            cable.damping.stiffness,
            not cable.compression,
        )
        for k in range(len(free))
    ]
    builder.add_line(cable, mesh, nodes, elements)


def no_axes(cable: Cable) -> None:
    """A cable is all points: nothing beside its axis, nothing turned. Raises Refusal."""
    for name, marker in cable.markers.items():
        if any(marker.offset) or marker.orientation != (1.0, 0.0, 0.0, 0.0):
            raise Refusal("a cable has no section axes; give the station only, such as 50 %", "markers", name)


def free_lengths(cable: Cable, stiffness: float, mesh: Mesh) -> np.ndarray:
    """Of the elements without tension [m]. Raises Refusal."""
    if cable.unstretched_length is not None:
        return mesh.lengths * cable.unstretched_length / mesh.stations[-1]
    pull = cable.pretension or 0.0
    if pull < 0.0 and not cable.compression:
        raise Refusal("a cable carries no compression; give a positive tension, or compression: true", "pretension")
    if pull <= -0.5 * stiffness:
        raise Refusal(f"{pull:g} N would crush a bar of EA = {stiffness:g} N; check the units", "pretension")
    chords = np.linalg.norm(np.diff(mesh.points, axis=0), axis=1)
    return chords / (1.0 + pull / stiffness)


def point_nodes(cable: Cable, builder, mesh: Mesh, masses: np.ndarray) -> list[int]:
    """One point per station with half the masses [kg] of its elements."""
    velocities = motion_at(cable, mesh.points, mesh.points[0])
    nodes = []
    for k, (mass, length) in enumerate(zip(halved(masses), halved(mesh.lengths), strict=True)):
        nodes.append(builder.point_node(f"{cable.name}[{k}]", mesh.points[k], float(mass), velocities[k]))
        drag = cable.damping.mass * mass + cable.damping.viscous * length
        builder.add_drag(nodes[-1], float(drag), np.zeros((3, 3)))
    return nodes


KIND = Kind(
    "cable",
    "bodies",
    Cable,
    build,
    "a rope or wire: tension, no bending; a chain of bars with compression: true",
    {
        "name": "Hanging rope",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "rope": {
                "kind": "cable",
                "path": [[0, 0, 0], ["1 m", 0, 0]],
                "axial_stiffness": "1 kN",
                "mass_per_length": "0.2 kg/m",
                "unstretched_length": "1.1 m",
                "elements": 3,
                "damping": {"stiffness": "10 ms"},
            }
        },
        "joints": {
            "left": {"kind": "spherical", "between": ["ground", "rope.start"], "at": [0, 0, 0]},
            "right": {"kind": "spherical", "between": ["ground", "rope.end"], "at": ["1 m", 0, 0]},
        },
        "simulate": {"duration": "0.1 s"},
    },
)
