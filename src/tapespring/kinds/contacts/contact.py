"""Contact between two surfaces."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal

from pydantic import Field

from ...mechanics import tables as tb
from ...schema.entity import Entity
from ..contact_laws.any_law import AnyLaw
from ..contact_laws.usual import usual_law
from ..friction.coulomb import AnyFriction
from ..laws.of_force import put_law
from ..refusal import Refusal
from ..registry import Kind
from ..surfaces.any_surface import AnySurface
from ..surfaces.of_body import features_of
from ..surfaces.surface import Features

SOFT = 1e-3  # of a feature: depth at which a law's stiffness is taken for friction that sticks


class Contact(Entity):
    """Keeps two surfaces apart by a normal law, with friction if given. Forces act on the second body; channels
    `force`, `normal`, `gap`, `point`."""

    kind: Literal["contact"] = "contact"
    between: tuple[AnySurface, AnySurface] = Field(
        description="the two surfaces", examples=["[{kind: half_space, on: ground, normal: z}, ball]"]
    )
    law: AnyLaw | None = Field(
        None,
        description="normal law; else one that suits materials, sizes and speeds, which the notes of a run tell",
        examples=["{kind: linear, stiffness: 1e6 N/m, restitution: 0.8}"],
    )
    friction: AnyFriction | None = Field(None, description="coefficient, or more", examples=[0.3])
    overlap: Literal["refuse", "keep", "relax"] = Field(
        "refuse", description="surfaces well within each other at the start: refuse, keep, or count gaps from there"
    )
    lines: Literal["crossing", "nodes"] | None = Field(
        None,
        description="rods and straps: touch where their axes are nearest, or with their nodes (straps: by default)",
    )


class Touching:
    """What a law may ask about the surfaces."""

    def __init__(self, contact: Contact, sides: tuple[Features, Features], builder):
        self.contact, self.sides, self.builder = contact, sides, builder

    def radius(self, *field: str | int) -> float:
        """Of curvature, both sides together [m]. Raises Refusal."""
        flat = [bool(side.planes or side.boxes) for side in self.sides]
        found = [side.radius for side, level in zip(self.sides, flat, strict=True) if not level]
        if not found or any(not radius for radius in found):
            raise Refusal("the surfaces have no single radius of curvature; give 'radius' in the law", *field)
        curvature = sum(1.0 / radius for radius in found if radius)
        if curvature <= 0.0:
            raise Refusal("what is inside must be smaller than what is around it", *field)
        return 1.0 / curvature

    def law_of_force(self, function, field) -> int:
        with self.builder.at_field(*field):
            return put_law(function, self.builder, ("x", "v"), (0.0, 1e-6, 0.0))


def build(contact: Contact, builder) -> None:
    """Surfaces, the law, and pairs of what can touch what."""
    a, b = (side_features(side, builder, "between", k) for k, side in enumerate(contact.between))
    pairs = pairs_of(a, b, contact, builder)
    if not pairs:
        raise Refusal(
            f"contact between {words_of(a)} and {words_of(b)} is not available; use spheres, capsules or half-spaces",
            "between",
        )
    if not any(builder.can_meet(i, j) for i, j, _ in pairs):
        raise Refusal(
            f"{words_of(a)} and {words_of(b)} have no thickness, so they would pass through each other; give one a "
            "radius, for example {kind: rod, on: …, radius: 1 mm} or a capsule with a radius",
            "between",
        )
    row = law_row(contact, Touching(contact, (a, b), builder), pairs)
    if contact.friction is not None:
        if row["law"] == tb.MOMENTUM:
            row |= contact.friction.rigid_row()
        else:
            row |= contact.friction.row(stiffness_at(row, builder.feature_of(pairs)))
    builder.add_contact(contact, row, pairs, (a.label, b.label))


def law_row(contact, touching: Touching, pairs) -> dict[str, Any]:
    """The law as given, or one that suits. Raises Refusal."""
    law = contact.law
    if law is None:
        law, words = usual_law(touching, pairs)
        touching.builder.note(words)
    return law.row(touching) | {"deepest": law.max_depth or 0.0}


def side_features(side: Any, builder, *field: str | int) -> Features:
    return features_of(side, builder, *field) if isinstance(side, str) else side.features(builder, *field)


def stiffness_at(row: dict[str, Any], feature: float) -> float:
    """Of the normal law at a small depth [N/m]."""
    stiffness, n = row.get("stiffness", 0.0), row.get("exponent", 1.0)
    if not stiffness:
        raise Refusal("friction on a law of one's own needs its 'stiffness', of what sticks", "friction", "stiffness")
    return n * stiffness * (SOFT * feature) ** (n - 1.0)


def pairs_of(a: Features, b: Features, contact: Contact, builder) -> list[tuple[int, int, float]]:
    """(first, second, sign) of surfaces of the assembler; the sign is that of the force on the second body."""
    found = one_way(a, b, 1.0) + one_way(b, a, -1.0)
    crossing = contact.lines == "crossing" or (contact.lines is None and not (a.flat and b.flat))
    if a.segments and b.segments:
        if crossing:
            found += [(i, j, 1.0) for i, j in product(a.segments, b.segments)]
        else:
            found += [(i, j, 1.0) for i, j in product(a.corners, b.segments)]
            found += [(j, i, -1.0) for j, i in product(b.corners, a.segments)]
    if a.ellipsoids and b.ellipsoids:
        found += [(i, j, 1.0) for i, j in product(a.ellipsoids, b.ellipsoids)]
    if a.balls and b.balls:
        found += [(i, j, 1.0) for i, j in product(a.balls, b.balls)]
    return [pair for pair in found if builder.can_touch(pair[0], pair[1])]


def one_way(a: Features, b: Features, sign: float) -> list[tuple[int, int, float]]:
    """Pairs whose first surface, by the order of kinds, is a's."""
    found = list(product(a.planes, [*b.balls, *b.corners, *b.ellipsoids, *b.rims]))
    found += product([*a.ellipsoids, *a.cylinders], b.balls)
    found += product(a.rings, b.balls)
    found += product(a.boxes, b.balls)
    found += product(a.balls, [*b.segments, *b.triangles])
    return [(i, j, sign) for i, j in found]


def words_of(side: Features) -> str:
    names = {
        "planes": "half-space", "rings": "bearing", "boxes": "box", "ellipsoids": "ellipsoid",
        "cylinders": "cylinder", "balls": "sphere",
        "segments": "rod", "triangles": "mesh",
    }  # fmt: skip
    return f"'{side.label}' ({next((word for name, word in names.items() if getattr(side, name)), 'nothing')})"


KIND = Kind(
    "contact",
    "contacts",
    Contact,
    build,
    "contact between two surfaces, with a normal law and friction",
    {
        "name": "Ball on a floor",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "ball": {
                "kind": "rigid", "at": [0, 0, "0.3 m"], "mass": "1 kg", "velocity": ["0.5 m/s", 0, 0],
                "shape": {"kind": "sphere", "radius": "0.1 m"},
            }
        },
        "contacts": {
            "floor": {
                "kind": "contact", "between": [{"kind": "half_space", "on": "ground", "normal": "z"}, "ball"],
                "law": {"kind": "linear", "stiffness": "1e5 N/m", "restitution": 0.8}, "friction": 0.3,
            }
        },
        "simulate": {"duration": "1 s"},
    },
)  # fmt: skip
