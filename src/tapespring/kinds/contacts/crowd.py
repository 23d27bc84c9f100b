"""Contacts among many: members, who meets whom, and who is too near of kin to touch."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from ...mechanics import tables as tb
from ..surfaces.surface import Features

NEAR = 0.25  # of the size of most members: distance from which they are pairs
ALONG = 2.0  # thicknesses along a rod: nearer parts of it do not touch each other
MOST = 20_000  # pairs written down for loops that do not find them by themselves

PARTS = (
    ("planes", tb.PLANE), ("boxes", tb.BOX), ("ellipsoids", tb.ELLIPSOID), ("cylinders", tb.CYLINDER),
    ("wedges", tb.WEDGE), ("rims", tb.RIM), ("balls", tb.BALL),
    ("segments", tb.SEGMENT), ("triangles", tb.TRIANGLE), ("corners", tb.CORNER), ("mesh_edges", tb.MESH_EDGE),
)  # fmt: skip


def meeting(crossing: bool) -> dict[int, int]:
    """Bits of the roles that each role can touch."""
    partners = {
        tb.PLANE: [tb.BALL, tb.CORNER, tb.ELLIPSOID],
        tb.BOX: [tb.BALL, tb.CORNER],
        tb.ELLIPSOID: [tb.ELLIPSOID, tb.BALL, tb.CORNER],
        tb.BALL: [tb.BALL, tb.SEGMENT, tb.TRIANGLE, tb.CORNER],
        tb.SEGMENT: [tb.SEGMENT] if crossing else [tb.CORNER],
        tb.TRIANGLE: [tb.CORNER],
        tb.MESH_EDGE: [tb.MESH_EDGE, tb.SEGMENT],
    }
    bits = dict.fromkeys((role for _, role in PARTS), 0)
    for a, others in partners.items():
        for b in others:
            bits[a] |= 1 << b
            bits[b] |= 1 << a
    return bits


def surfaces_of(body: Features) -> list[tuple[int, int, int]]:
    """(surface, role, place among its kind)"""
    return [(k, role, place) for name, role in PARTS for place, k in enumerate(getattr(body, name))]


def members_of(bodies: list[Features], sides: list[int], crossing: bool):
    """Fields of CrowdDraft from surfaces to kin."""
    meets = meeting(crossing)
    rows: list[tuple[int, int, int, int, int]] = []
    kin: list[list[int]] = []
    for number, (body, side) in enumerate(zip(bodies, sides, strict=True)):
        found = surfaces_of(body)
        begin = len(rows)
        rows += [(k, number, side, role, meets[role]) for k, role, _ in found]
        kin += [[begin + k for k in mine] for mine in kin_within(body, found, side)]
    return *(list(column) for column in zip(*rows, strict=True)), kin


def kin_within(body: Features, found, side: int) -> list[list[int]]:
    """Of each surface of a body, those of the same body it must not touch."""
    if side != 3 or (body.stations is None and body.hops is None):
        everything = list(range(len(found)))
        return [everything if side == 3 else []] * len(found)
    if body.stations is not None:
        s, apart = np.asarray(body.stations), 2.0 * ALONG * (body.radius or 0.0)
        ends = [(s[k], s[k + 1]) if role == tb.SEGMENT else (s[k], s[k]) for _, role, k in found]
        low, high = np.array(ends).T
        near = (low[None, :] - high[:, None] <= apart) & (low[:, None] - high[None, :] <= apart)
        return [np.flatnonzero(row).tolist() for row in near]
    assert body.hops is not None
    kin: list[list[int]] = [[] for _ in found]
    for mine, others, hops in ((tb.CORNER, tb.TRIANGLE, body.hops), (tb.MESH_EDGE, tb.MESH_EDGE, body.edge_hops)):
        at = [k for k, (_, role, _) in enumerate(found) if role == others]
        for k, (_, role, place) in enumerate(found):
            if role == mine:
                kin[k] = [at[t] for t in hops[place]]
    return kin


def near_distance(bodies: list[Features], builder) -> float:
    """From which members are pairs [m]."""
    sizes = []
    for body in bodies:
        for k, role, _ in surfaces_of(body):
            surface = builder.assembler.surfaces[k]
            if role in (tb.SEGMENT, tb.TRIANGLE, tb.MESH_EDGE):
                sizes.append(float(np.linalg.norm(surface.points[1] - surface.points[0])))
            elif role not in (tb.PLANE, tb.CORNER):
                sizes.append(surface.radius or surface.feature)
    sizes = [size for size in sizes if size > 0.0]
    return NEAR * float(np.median(sizes)) if sizes else 1e-2


def all_pairs(bodies: list[Features], sides: list[int], pairs_between) -> list[tuple[int, int, float]] | None:
    """Every pair, for loops that take them as they are; None if they are too many or have triangles."""
    if any(body.triangles for body in bodies):
        return None
    found: list[tuple[int, int, float]] = []
    for i, j in combinations(range(len(bodies)), 2):
        both = sides[i] == sides[j] == 3
        if both or sides[i] != sides[j]:
            found += [(a, b, 0.0 if both else sign) for a, b, sign in pairs_between(bodies[i], bodies[j])]
        if len(found) > MOST:
            return None
    for body, side in zip(bodies, sides, strict=True):
        if side == 3 and body.stations is not None:
            found += pairs_within(body)
    return found if len(found) <= MOST else None


def pairs_within(body: Features) -> list[tuple[int, int, float]]:
    """Of a rod or strap with itself."""
    surfaces = surfaces_of(body)
    kin = kin_within(body, surfaces, 3)
    crossing = not body.flat
    found = []
    for (i, (a, p, _)), (j, (b, q, _)) in product(enumerate(surfaces), repeat=2):
        wanted = (i < j and p == q == tb.SEGMENT) if crossing else (p == tb.CORNER and q == tb.SEGMENT)
        if wanted and j not in kin[i]:
            found.append((a, b, 0.0))
    return found
