"""What joints with clearance share: two places that coincide as drawn, a law, friction and a film."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from ...mechanics import tables as tb
from ...schema.entity import Entity
from ...schema.quantities import NonNegativeDamping, NonNegativeLength, PositiveLength
from ...schema.vectors import Point
from ..contact_laws.any_law import AnyLaw
from ..friction.coulomb import AnyFriction
from ..laws.forms import PolynomialForm
from ..references import Between
from ..surfaces.surface import Features
from .contact import Touching, law_row, stiffness_at


class Clearance(Entity):
    """Fields of all joints with clearance."""

    between: Between
    at: Point | None = Field(None, description="where both meet as drawn, world axes; else the places as named")
    clearance: PositiveLength = Field(
        description="how far they can move apart: difference of the radii, or of half widths"
    )
    radius: NonNegativeLength = Field(0.0, description="of the pin, ball or tongue: where friction acts")
    law: AnyLaw | None = Field(
        None,
        description="normal law; else one that suits sizes and speeds, which the notes of a run tell",
        examples=["{kind: lankarani_nikravesh, stiffness: 6.6e10 N/m^1.5, restitution: 0.9}"],
    )
    friction: AnyFriction | None = None
    film: NonNegativeDamping = Field(
        0.0, description="viscous force against the relative velocity of the middles, always"
    )


def places(joint: Clearance, builder) -> tuple[Any, Any, np.ndarray, np.ndarray]:
    """Both sides and the point of each, as drawn."""
    a, b = builder.two_sides(joint.between)
    if joint.at is not None:
        point = np.array(joint.at)
        return a, b, point, point
    return a, b, a.point, b.point


def add_clearance(joint: Clearance, builder, a: Features, b: Features, pairs, radii) -> None:
    """The law between surfaces, with the radii of curvature (hollow, full)."""
    touching = Touching(joint, ([a], [b]), builder)  # type: ignore[arg-type]
    a.radius, b.radius = radii
    row = law_row(joint, touching, [k for i, j, _ in pairs for k in (i, j)])
    if joint.friction is not None:
        row |= joint.friction.row(stiffness_at(row, joint.clearance))
    builder.add_contact(joint, row, pairs, (a.label, b.label))


def add_film(joint: Clearance, builder, a, b, pa, pb) -> None:
    """Force against the relative velocity of two points, along all world axes. It acts at both points: as they are
    apart by the clearance at most, what that makes of angular momentum is left out."""
    if not joint.film:
        return
    damping = PolynomialForm((0.0, joint.film)).put(builder.assembler)
    for e, letter in zip(np.eye(3), "xyz", strict=True):
        measure = builder.assembler.measure(
            tb.ALONG_WORLD, a.node, b.node, pa, pb, e, label=f"{joint.name}.film.{letter}"
        )
        builder.assembler.track(measure)
        builder.assembler.couple(measure, damping=damping, film=joint.film if letter == "x" else -1.0)
