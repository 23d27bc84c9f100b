"""The surface a body has by itself: of a rigid body's shape, of a beam's section, of a sheet, of a point mass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...mechanics import tables as tb
from ..refusal import Refusal
from .box import box_features
from .cylinder import cylinder_features
from .mesh import body_features
from .surface import Features


def features_of(name: str, builder, *field: str | int) -> Features:
    """Raises Refusal where a body has no surface of its own."""
    body = builder.body(name, *field)
    if body.name == "ground":
        raise Refusal(
            "ground has no surface; write {kind: half_space, on: ground, normal: z} or another surface", *field
        )
    entity = builder.model.section("bodies")[name]
    if body.mesh is not None:
        return body_features(name, body, entity, builder, *field)
    if body.line is not None:
        return line_features(name, body.line, entity, builder, *field)
    if body.kind == "rigid" and entity.shape is not None:
        return shape_features(name, body, entity, builder, *field)
    if body.kind == "point_mass":
        return Features(name, balls=[builder.add_surface(tb.BALL, [(body.node, body.point)])])
    raise Refusal(
        f"'{name}' has no surface of its own; give it a 'shape', or write {{kind: sphere, on: {name}, radius: …}} here",
        *field,
    )


def shape_features(name: str, body, entity, builder, *field: str | int) -> Features:
    """Around the centre of mass, as the inertia is."""
    shape, node = entity.shape, body.node
    centre = builder.assembler.nodes[node].x
    if shape.kind == "sphere":
        ball = builder.add_surface(tb.BALL, [(node, centre)], radius=shape.radius)
        return Features(name, balls=[ball], radius=shape.radius)
    if shape.kind == "ellipsoid":
        sizes = {"size": shape.semi_axes, "axes": body.axes, "feature": min(shape.semi_axes)}
        return Features(name, ellipsoids=[builder.add_surface(tb.ELLIPSOID, [(node, centre)], **sizes)])
    if shape.kind == "box":
        return box_features(builder, name, node, centre, body.axes, shape.size)
    if shape.kind == "cylinder":
        return cylinder_features(builder, name, node, centre, body.axes, shape)
    raise Refusal(f"the shape '{shape.kind}' of '{name}' cannot touch; write a capsule, box or sphere here", *field)


def line_features(name: str, line, entity, builder, *field: str | int) -> Features:
    """A rod: a chain of segments of the section's radius; a strap: of half its thickness."""
    section = getattr(entity, "section", None)
    radius = half_thickness(section)
    if radius is None:
        raise Refusal(f"the section of '{name}' does not tell how thick it is; use a circle, tube or rectangle", *field)
    width = section.width if section is not None and section.kind == "rectangle" else 0.0
    return chain_features(name, line, radius, width, builder)


def chain_features(name: str, line, radius: float, width: float, builder) -> Features:
    """Segments from node to node, and a ball at every node; of a strap they have a width and two sides."""
    spots = list(zip(line.nodes, line.points, strict=True))
    first = builder.next_spot()
    segments = []
    for k in range(len(spots) - 1):
        before = first + 2 * (k - 1) if k > 0 else -1
        after = first + 2 * (k + 1) + 1 if k + 2 < len(spots) else -1
        about = {"radius": radius, "before": before, "after": after}
        if width:
            about |= {"size": (1.0, 0.5 * width, 0.0), "axes": line.ends[k, 0]}
        segments.append(builder.add_surface(tb.SEGMENT, spots[k : k + 2], **about))
    corners = [builder.add_surface(tb.BALL, [spot], radius=radius) for spot in spots]
    stations = [float(s) for s in line.stations]
    return Features(
        name, segments=segments, corners=corners, radius=radius, flat=width > 0.0, chain=True, stations=stations
    )


def half_thickness(section) -> float | None:
    """m; a cable without a section is a line."""
    if section is None:
        return 0.0
    if section.kind == "rectangle":
        return section.thickness / 2.0
    return section.radius if section.kind in ("circle", "tube") else None


def piece_of(line, stations: tuple[float, float], *field: str | int):
    """Of a line of a beam or cable, from the first to the last node within the stations [m]. Raises Refusal."""
    begin, end = stations
    inside = np.flatnonzero((line.stations >= begin - 1e-9) & (line.stations <= end + 1e-9))
    if len(inside) < 2:
        raise Refusal("no element lies between these stations; make it finer, or the part longer", *field, "stations")
    a, b = inside[0], inside[-1] + 1
    return replace(
        line, stations=line.stations[a:b], nodes=line.nodes[a:b], points=line.points[a:b], axes=line.axes[a:b],
        ends=line.ends[a : b - 1],
    )  # fmt: skip
