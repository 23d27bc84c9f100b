"""The law of a contact for which none was given: from materials and radii, or from masses and speeds, and said so.

Hertz's law where a side has a material (beams and the like), the other side counting as rigid if it has none, and both
have radii. Else a linear one that takes up the energy of the model's speed at a depth of SOFT of what touches: of what
bodies begin with, and of a fall through the size of the model. Nothing is lost in either.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...mechanics import tables as tb
from ..references import body_of
from ..refusal import Refusal
from .hertz import Elastic, Hertz
from .law import Law
from .linear import Linear

SOFT = 1e-2  # depth over the smallest size of what touches
RIGID = Elastic(young=1e30, poisson=0.0)
GIVE = "give a 'law', for example {kind: linear, stiffness: 1e6 N/m, restitution: 0.8}"


def usual_law(touching, surfaces) -> tuple[Law, str]:
    """(law, words for the user); surfaces: all that take part. Raises Refusal."""
    builder, contact = touching.builder, touching.contact
    materials = [material_of(side, builder) for side in contact.between or (contact.among, contact.among)]
    if any(materials) and all(is_round(body) or body.planes for side in touching.sides for body in side):
        law = Hertz.model_validate({"materials": tuple(m or RIGID for m in materials)})
        row = law.row(touching)
        return law, f"no law was given: Hertz's with {row['stiffness']:.4g} N/m^1.5 from materials and radii"
    return linear_law(builder, [builder.assembler.surfaces[k] for k in surfaces])


def is_round(side) -> bool:
    """Whether it has a radius of curvature, and does not touch with corners or along straps."""
    return bool(side.radius) and not side.boxes and not side.flat


def material_of(side: Any, builder) -> Elastic | None:
    """Of the bodies a side belongs to; None if they have none, or several."""
    if isinstance(side, tuple):
        found = [material_of(body, builder) for body in side]
        return found[0] if all(material == found[0] for material in found) else None
    name = body_of(side if isinstance(side, str) else getattr(side, "on", side))
    material = getattr(builder.model.section("bodies").get(name), "material", None)
    if material is None or not hasattr(material, "poisson_ratio"):
        return None
    return Elastic(young=material.young, poisson=material.poisson_ratio())


def linear_law(builder, surfaces) -> tuple[Law, str]:
    """k = m v²/δ². Raises Refusal."""
    sizes = [surface.feature for surface in surfaces if surface.feature > 0.0]
    if not sizes:
        raise Refusal(f"what touches has no size to find a stiffness by; {GIVE}", "law")
    mass, speed = lightest(builder, surfaces), usual_speed(builder)
    if mass == 0.0 or speed == 0.0:
        raise Refusal(f"nothing falls or moves at the start, so no speed tells how stiff it has to be; {GIVE}", "law")
    depth = SOFT * min(sizes)
    stiffness = mass * (speed / depth) ** 2
    words = (
        f"no law was given: linear with {stiffness:.4g} N/m, which takes {mass:.4g} kg at {speed:.4g} m/s up within "
        f"{depth:.4g} m; nothing is lost"
    )
    return Linear.model_validate({"stiffness": stiffness}), words


def lightest(builder, surfaces) -> float:
    """Mass of the lightest body that takes part, as if the other stood still [kg]."""
    nodes = [builder.assembler.nodes[n] for surface in surfaces for n in surface.nodes]
    return float(min((node.mass for node in nodes if node.kind in (tb.POINT, tb.FRAME)), default=0.0))


def usual_speed(builder) -> float:
    """Of the fastest body at the start, and of a fall through the size of the model [m/s]."""
    table = builder.assembler.nodes.table
    reach = np.ptp(table["x"], axis=0) + 2.0 * max((s.feature for s in builder.assembler.surfaces), default=0.0)
    start = np.linalg.norm(table["v"], axis=1).max(initial=0.0)
    return float(np.sqrt(start**2 + 2.0 * np.linalg.norm(builder.assembler.gravity) * np.linalg.norm(reach)))
