"""Contact between two surfaces."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from ...mechanics import tables as tb
from ...schema.entity import Entity
from ..contact_laws.any_law import AnyLaw
from ..contact_laws.law import rest_speed
from ..contact_laws.usual import lightest, usual_law
from ..friction.coulomb import AnyFriction
from ..laws.of_force import put_law
from ..refusal import Refusal
from ..registry import Kind
from ..surfaces.any_surface import AnySurface, OneOrMany
from ..surfaces.of_body import features_of
from ..surfaces.surface import Features
from .crowd import all_pairs, members_of, near_distance, surfaces_of

FEW = 200  # pairs of two surfaces that are looked at without a search
SOFT = 1e-3  # of a feature: depth at which a law's stiffness is taken for friction that sticks


class Contact(Entity):
    """Keeps surfaces apart by a normal law, with friction if given: two of them or two lists (`between`), or all in a
    list from each other and flexible ones from themselves (`among`). Pairs of many are found as they come near. Forces
    act on the second body; channels `force` (not of `among`), `normal`, `gap`, `point`."""

    kind: Literal["contact"] = "contact"
    between: tuple[OneOrMany, OneOrMany] | None = Field(
        None,
        description="the two surfaces, or two lists of surfaces",
        examples=["[{kind: half_space, on: ground, normal: z}, ball]", "[{kind: half_space, on: ground}, [ball, rod]]"],
    )
    among: tuple[AnySurface, ...] | None = Field(
        None, description="surfaces each of which may touch each other", examples=["[ball1, ball2, strap]"]
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
    edges: bool = Field(
        False, description="true: sheets also touch where their edges cross, between nodes", examples=[True]
    )

    @model_validator(mode="after")
    def _one_of_two(self):
        if (self.between is None) == (self.among is None):
            raise ValueError("give 'between: [a, b]' or 'among: [a, b, …]'")
        return self


class Touching:
    """What a law may ask about the surfaces."""

    def __init__(self, contact: Contact, sides: tuple[list[Features], list[Features]], builder):
        self.contact, self.sides, self.builder = contact, sides, builder

    def radius(self, *field: str | int) -> float:
        """Of curvature, both sides together [m]. Raises Refusal."""
        curved = [{body.radius for body in side if not (body.planes or body.boxes)} for side in self.sides]
        found = [next(iter(radii)) for radii in curved if radii]
        if not found or any(len(radii) > 1 for radii in curved) or any(not radius for radius in found):
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
    sides, named = sides_of(contact, builder)
    a, b = sides
    bodies = [*a, *b] if contact.between else list(a)
    if contact.edges:
        add_edges(bodies)
    meshed = any(body.triangles for body in bodies)
    few = contact.between and not meshed and len(a) * len(b) == 1
    if few and len({repr(side) for side in contact.between or ()}) == 1:
        raise Refusal(
            f"{words_of(a[0])} is given twice and cannot touch itself; name two surfaces, or flexible bodies 'among'",
            "between",
        )
    pairs = pairs_of(a[0], b[0], contact, builder) if few else None
    if few and not pairs:
        raise Refusal(
            f"contact between {words_of(a[0])} and {words_of(b[0])} is not available; use spheres, capsules or "
            "half-spaces",
            "between",
        )
    if few and not any(builder.can_meet(i, j) for i, j, _ in pairs or ()):
        raise Refusal(
            f"{words_of(a[0])} and {words_of(b[0])} have no thickness, so they would pass through each other; give one "
            "a radius, for example {kind: rod, on: …, radius: 1 mm} or a capsule with a radius",
            "between",
        )
    row = law_row(contact, Touching(contact, sides, builder), [k for body in bodies for k, _, _ in surfaces_of(body)])
    if contact.friction is not None:
        row |= friction_row(contact.friction, row, bodies, builder)
    if pairs is not None and (len(pairs) <= FEW or a[0].edges or b[0].edges):
        builder.add_contact(contact, row, pairs, named)
    else:
        of_side = [1] * len(a) + [2] * len(b) if contact.between else [3] * len(a)
        add_crowd(contact, bodies, of_side, row, named, builder)


def add_edges(bodies: list[Features]) -> None:
    """Edges of sheets take part. Raises Refusal."""
    sheets = [body for body in bodies if body.find_edges is not None]
    if not sheets:
        raise Refusal("'edges' are those of membranes, shells and open meshes, and there are none here", "edges")
    for body in sheets:
        assert body.find_edges is not None
        body.mesh_edges, body.edge_hops, body.opposite = body.find_edges()


def friction_row(friction, row: dict[str, Any], bodies: list[Features], builder) -> dict[str, Any]:
    if row["law"] == tb.MOMENTUM:
        return friction.rigid_row()
    feature = builder.feature_of([k for body in bodies for k, _, _ in surfaces_of(body)])
    return friction.row(stiffness_at(row, feature))


def add_crowd(contact: Contact, bodies: list[Features], sides: list[int], row, named, builder) -> None:
    """A contact whose pairs are found as they come near."""
    if any(body.cylinders for body in bodies):
        raise Refusal("cylinders touch one other surface each; write a contact for each pair", "between")
    if any(body.wedges for body in bodies):
        raise Refusal("wedges touch one other wedge or sphere each; write a contact for each pair", "between")
    if any(body.rings for body in bodies):
        raise Refusal("bearings and sockets touch one journal each; write a contact for each of them", "between")
    lines = [body for body in bodies if body.segments]
    around = [(side, body) for side, body in zip(sides, bodies, strict=True) if body.boxes or body.segments]
    if any(a.boxes and meet(p, q) for (p, a), (q, _) in permutations(around, 2)):
        raise Refusal("boxes touch one other box or rod each; write a contact for each pair", "between")
    crossing = contact.lines == "crossing" or (contact.lines is None and not all(body.flat for body in lines))
    members = members_of(bodies, sides, crossing)
    pairs = all_pairs(bodies, sides, lambda p, q: pairs_of(p, q, contact, builder))
    if pairs is not None and not pairs:
        raise Refusal("none of these can touch any other", "between" if contact.between else "among")
    # an element at a hem has no neighbour there that would keep its far corner from passing over it as it collapses
    hems = [pair for body, side in zip(bodies, sides, strict=True) if side == 3 for pair in body.opposite]
    builder.add_crowd(contact, row, members, near_distance(bodies, builder), pairs, named, hems)


def meet(side: int, other: int) -> bool:
    """Whether bodies of two sides of a contact among many touch each other; 3: both sides."""
    return side != other or side == 3


def sides_of(contact: Contact, builder) -> tuple[tuple[list[Features], list[Features]], tuple[str, str]]:
    """(features of all bodies of both sides, their names)"""
    if contact.among is not None:
        bodies = [side_features(body, builder, "among", k) for k, body in enumerate(contact.among)]
        return (bodies, bodies), ("all", "all")
    sides = []
    assert contact.between is not None
    for k, side in enumerate(contact.between):
        if isinstance(side, tuple):
            sides.append([side_features(body, builder, "between", k, i) for i, body in enumerate(side)])
        else:
            sides.append([side_features(side, builder, "between", k)])
    a, b = sides
    return (a, b), (named(a), named(b))


def named(side: list[Features]) -> str:
    return side[0].label if len(side) == 1 else f"{side[0].label} …"


def law_row(contact, touching: Touching, surfaces) -> dict[str, Any]:
    """The law as given, or one that suits all surfaces that take part. Raises Refusal."""
    law = contact.law
    if law is None:
        law, words = usual_law(touching, surfaces)
        touching.builder.note(words)
    row, builder = law.row(touching) | {"deepest": law.max_depth or 0.0}, touching.builder
    if "rest_speed" not in row:
        mass = lightest(builder, [builder.assembler.surfaces[k] for k in surfaces])
        row["rest_speed"] = rest_speed(law, row, mass, float(np.linalg.norm(builder.assembler.gravity)))
    return row


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
    found += [(i, j, 1.0) for i, j in product(a.edges, b.edges)]
    if a.ellipsoids and b.ellipsoids:
        found += [(i, j, 1.0) for i, j in product(a.ellipsoids, b.ellipsoids)]
    found += [(i, j, 1.0) for i, j in product(a.wedges, b.wedges)]
    if a.balls and b.balls:
        found += [(i, j, 1.0) for i, j in product(a.balls, b.balls)]
    return [pair for pair in found if builder.can_touch(pair[0], pair[1])]


def one_way(a: Features, b: Features, sign: float) -> list[tuple[int, int, float]]:
    """Pairs whose first surface, by the order of kinds, is a's."""
    found = list(product(a.planes, [*b.balls, *b.corners, *b.ellipsoids, *b.rims]))
    found += product([*a.ellipsoids, *a.cylinders, *a.wedges], b.balls)
    found += product(a.rings, b.balls)
    found += product(a.boxes, [*b.balls, *b.corners] if b.flat else b.balls)
    found += product(a.cores, b.core_corners)
    if b.segments and not b.flat:
        found += [*product(a.cores, b.corners), *product(a.edges, b.segments)]
    found += product(a.balls, [*b.segments, *b.triangles])
    return [(i, j, sign) for i, j in found]


def words_of(side: Features) -> str:
    names = {
        "planes": "half-space", "rings": "bearing", "boxes": "box", "ellipsoids": "ellipsoid",
        "cylinders": "cylinder", "wedges": "wedge", "balls": "sphere",
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
