"""Mistakes in beams, cables and what holds on to them: place, thing and remedy."""

import pytest

from tapespring import ModelError
from tapespring.model import Model

GOOD = {
    "path": "[[0, 0, 0], [1, 0, 0]]",
    "section": "{kind: rectangle, width: 10 mm, thickness: 1 mm}",
    "material": "{young: 70 GPa, poisson: 0.3, density: 2700}",
}


def complaint(text):
    with pytest.raises(ModelError) as caught:
        Model.from_text(text)
    return str(caught.value)


def beam(kind="beam", **fields):
    entries = {key: value for key, value in (GOOD | fields).items() if value is not None}
    return f"bodies:\n  strap: {{kind: {kind}, {', '.join(f'{key}: {value}' for key, value in entries.items())}}}\n"


def matrix(**changes):
    rows = [[float(10 * (i == j)) for j in range(6)] for i in range(6)]
    for place, value in changes.items():
        rows[int(place[1])][int(place[2])] = value
    return f"{{kind: general, mass_per_length: 1, stiffness: {rows}}}"


BEAM = {
    "no section": ({"section": None}, "needs 'section'"),
    "no path": ({"path": None}, "needs 'path'"),
    "no material": ({"material": None}, "a rectangle section needs 'material'"),
    "unknown section": ({"section": "{kind: rectangel, width: 1}"}, "did you mean 'rectangle'?"),
    "section without kind": ({"section": "{width: 1}"}, "choose among rectangle"),
    "zero width": ({"section": "{kind: rectangle, width: 0, thickness: 1}"}, "section.width: 0 is out of range"),
    "thickness below zero": ({"section": "{kind: rectangle, width: 1, thickness: -1 mm}"}, "length must be positive"),
    "no thickness": ({"section": "{kind: rectangle, width: 1}"}, "needs 'thickness' (for example 25 mm)"),
    "thick wall": ({"section": "{kind: tube, radius: 10 mm, wall: 10 mm}"}, "not thinner than the radius 0.01 m"),
    "thick flanges": ({"section": "{kind: i, height: 1, width: 1, flange: 0.5, web: 0.1}"}, "leave no web"),
    "wide web": ({"section": "{kind: i, height: 1, width: 1, flange: 0.1, web: 1}"}, "not thinner than the flanges"),
    "two corners": ({"section": "{kind: polygon, points: [[0, 0], [1, 0]]}"}, "at least 3 are"),
    "crossing": ({"section": "{kind: polygon, points: [[0, 0], [1, 1], [1, 0], [0, 1]]}"}, "edges 0 and 2"),
    "touching": ({"section": "{kind: polygon, points: [[0, 0], [2, 0], [2, 2], [1, 0], [0, 2]]}"}, "cross or touch"),
    "closed twice": ({"section": "{kind: polygon, points: [[0, 0], [1, 0], [0, 1], [0, 0]]}"}, "it closes itself"),
    "flat": ({"section": "{kind: polygon, points: [[0, 0], [1, 0], [2, 0]]}"}, "the polygon"),
    "corner of three": ({"section": "{kind: polygon, points: [[0, 0, 0], [1, 0], [2, 0]]}"}, "write [y, z]"),
    "stiffness with material": ({"section": matrix()}, "remove 'material'"),
    "not symmetric": ({"section": matrix(_01=1.0), "material": None}, "[0][1] is 1, [1][0] is 0"),
    "not definite": ({"section": matrix(_01=11.0, _10=11.0), "material": None}, "not positive definite"),
    "zero on the diagonal": ({"section": matrix(_33=0.0), "material": None}, "stiffness [3][3] is 0"),
    "five rows": ({"section": "{kind: general, mass_per_length: 1, stiffness: [1, 2, 3]}", "material": None}, "6 rows"),
    "half a general section": (
        {"section": "{kind: general, mass_per_length: 1, axial_stiffness: 1}", "material": None},
        "or 'bending_stiffness', 'torsion_stiffness'",
    ),
    "stiffness below zero": (
        {"section": "{kind: general, mass_per_length: 1, axial_stiffness: -1 kN}", "material": None},
        "the force must be positive",
    ),
    "three bendings": (
        {"section": "{kind: general, mass_per_length: 1, bending_stiffness: [1, 2, 3]}", "material": None},
        "write one, or two",
    ),
    "massless": ({"section": "{kind: general, axial_stiffness: 1}", "material": None}, "needs 'mass_per_length'"),
    "no density": ({"material": "{young: 1, poisson: 0.3}"}, "needs 'density'"),
    "density": ({"material": "{young: 1, poisson: 0.3, density: 0}"}, "density must be positive"),
    "young": ({"material": "{young: 70 kg, poisson: 0.3, density: 1}"}, "but a pressure is wanted"),
    "no shear modulus": ({"material": "{young: 1, density: 1}"}, "needs 'shear'"),
    "shear twice": ({"material": "{young: 1, shear: 1, poisson: 0.1, density: 1}"}, "keep one"),
    "poisson": ({"material": "{young: 1, poisson: 0.6, density: 1}"}, "at most 0.5"),
    "no length": ({"path": "[[1, 0, 0], [1, 0, 0]]"}, "the path has no length"),
    "repeated point": ({"path": "[[0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0]]"}, "points 1 and 2 are both at"),
    "one point": ({"path": "[[0, 0, 0]]"}, "at least 2 are"),
    "two coordinates": ({"path": "[[0, 0, 0], [1, 0]]"}, "strap.path[1]: [1, 0] has 2 components"),
    "unknown path": ({"path": "{kind: arch}"}, "did you mean 'arc'?"),
    "zero radius": (
        {"path": "{kind: arc, start: [0, 0, 0], tangent: x, normal: z, radius: 0, angle: 1}"}, "must be positive"),
    "centre at start": (
        {"path": "{kind: arc, start: [0, 0, 0], centre: [0, 0, 0], normal: z, angle: 1}"}, "radius is zero"),
    "zero angle": (
        {"path": "{kind: arc, start: [0, 0, 0], centre: [1, 0, 0], normal: z, angle: 0}"}, "more than zero"),
    "skew normal": (
        {"path": "{kind: arc, start: [0, 0, 0], centre: [1, 0, 1], normal: z, angle: 1}"}, "not perpendicular"),
    "skew tangent": (
        {"path": "{kind: arc, start: [0, 0, 0], tangent: z, normal: z, radius: 1, angle: 1}"}, "not perpendicular"),
    "half an arc": ({"path": "{kind: arc, start: [0, 0, 0], radius: 1}"}, "not given by radius, start"),
    "straight arc": ({"path": "{kind: arc, through: [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}"}, "on one line"),
    "helix on its axis": ({"path": "{kind: helix, start: [0, 0, 0], pitch: 1, turns: 1}"}, "radius is zero"),
    "chain apart": (
        {"path": "{kind: chain, parts: [{kind: polyline, points: [[0, 0, 0], [1, 0, 0]]}, "
                 "{kind: polyline, points: [[2, 0, 0], [3, 0, 0]]}]}"}, "let them meet"),
    "no elements": ({"elements": 0}, "must be at least 1"),
    "half an element": ({"elements": 2.5}, "whole number"),
    "up along": ({"up": "x"}, "strap.up: up is parallel to the path's tangent"),
    "marker outside": ({"markers": "{m: 2 m}"}, "strap.markers.m: 2 m is outside the body, which is 1 m long"),
    "marker far outside": ({"markers": "{m: 120 %}"}, "120 % is outside"),
    "marker below": ({"markers": "{m: -1 mm}"}, "outside"),
    "own marker": ({"markers": "{end: 0.5}"}, "choose another"),
    "marker in kg": ({"markers": "{m: 1 kg}"}, "but a length is wanted"),
    "damping": ({"damping": "{stifness: 1}"}, "did you mean 'stiffness'?"),
    "negative damping": ({"damping": "{mass: -1}"}, "zero or positive"),
}  # fmt: skip


@pytest.mark.parametrize("name", BEAM)
def test_beam(name):
    fields, words = BEAM[name]
    text = complaint(beam(**fields))
    assert words in text
    assert text.startswith("line 2: bodies.strap")
    assert len(text.splitlines()) == 1


CABLE = {
    "nothing": ({}, "needs 'axial_stiffness'"),
    "no mass": ({"axial_stiffness": 1}, "'mass_per_length'"),
    "no material": ({"section": "{kind: circle, radius: 1}"}, "needs 'material'"),
    "both": ({"section": "{kind: circle, radius: 1}", "axial_stiffness": 1}, "keep one"),
    "lone material": ({"axial_stiffness": 1, "mass_per_length": 1, "material": GOOD["material"]}, "remove it"),
    "length twice": (
        {"axial_stiffness": 1, "mass_per_length": 1, "pretension": 1, "unstretched_length": 1}, "keep one"),
    "pushed": ({"axial_stiffness": 1, "mass_per_length": 1, "pretension": -1}, "carries no compression"),
    "crushed": (
        {"axial_stiffness": 1, "mass_per_length": 1, "pretension": -1, "compression": "true"}, "would crush"),
    "offset": (
        {"axial_stiffness": 1, "mass_per_length": 1, "markers": "{m: {at: 0.5, offset: [0, 0, 1]}}"}, "section axes"),
    "up": ({"axial_stiffness": 1, "mass_per_length": 1, "up": "z"}, "unknown field"),
}  # fmt: skip


@pytest.mark.parametrize("name", CABLE)
def test_cable(name):
    fields, words = CABLE[name]
    assert words in complaint(beam("cable", **{"section": None, "material": None} | fields))


ROPE = "  rope: {kind: cable, path: [[0, 0, 1], [1, 0, 1]], axial_stiffness: 1, mass_per_length: 1}\n"
BLOCK = "  block: {kind: rigid, mass: 1, inertia: [1, 1, 1]}\n"
USES = {
    "joints: {j: {kind: fixed, between: [ground, strap]}}":
        "between[1]: 'strap' is flexible, so say where on it: 'strap.start', 'strap.end', 'strap.m' or {on: strap, at",
    "joints: {j: {kind: fixed, between: [ground, {on: strap}]}}": "say where along it",
    "joints: {j: {kind: fixed, between: [ground, {on: strap, at: [0, 0, 0]}]}}": "between[1].at: 'strap' is flexible",
    "joints: {j: {kind: fixed, between: [ground, {on: strap, at: 1.5 m}]}}": "between[1].at: 1.5 m is outside",
    "joints: {j: {kind: fixed, between: [ground, {on: block, at: 0.5 m}]}}": "write at: [x, y, z]",
    "joints: {j: {kind: fixed, between: [ground, {on: strap, at: 5 kg}]}}": "but a length is wanted",
    "joints: {j: {kind: fixed, between: [ground, {on: block, at: [0, 0, 0], offset: [1, 0, 0]}]}}": "'offset' goes",
    "joints: {j: {kind: fixed, between: [ground, strap.strat]}}": "did you mean 'start'?",
    "joints: {j: {kind: fixed, between: [strap.start, {on: strap, at: 0}]}}": "both sides are on 'strap[0]'",
    "joints: {j: {kind: fixed, between: [ground, rope.end]}}": "'rope.end' is a cable and has no axes",
    "joints: {j: {kind: spherical, between: [ground, {on: rope, at: 0.5, offset: [1, 0, 0]}]}}": "no other points",
    "forces: {f: {kind: load, on: strap, force: [1, 0, 0]}}": "is flexible",
    "forces: {f: {kind: load, on: rope.end, torque: [1, 0, 0]}}": "is a cable, which a torque cannot turn",
    "forces: {f: {kind: distributed_load, on: block, force: [1, 0, 0]}}": "not a beam or cable",
    "forces: {f: {kind: distributed_load, on: strip, force: [1, 0, 0]}}": "did you mean 'strap'?",
    "forces: {f: {kind: distributed_load, on: strap.end, force: [1, 0, 0]}}": "'span'",
    "forces: {f: {kind: distributed_load, on: strap}}": "needs 'force'",
    "forces: {f: {kind: distributed_load, on: strap, force: [1 N, 0, 0]}}": "but a force per length is wanted",
    "forces: {f: {kind: distributed_load, on: strap, force: [1, 0, 0], span: [0.5, 0.2]}}": "swap its ends",
    "forces: {f: {kind: distributed_load, on: strap, force: [1, 0, 0], span: [0.5, 2 m]}}": "span[1]: 2 m is outside",
    "forces: {f: {kind: distributed_load, on: rope, moment: [1, 0, 0]}}": "cannot carry a moment",
    "forces: {f: {kind: distributed_load, on: rope, force: [1, 0, 0], axes: body}}": "axes: world",
    "forces: {f: {kind: bar, between: [ground, block], axial_stiffness: 1}}": "zero length as drawn",
    "forces: {f: {kind: bar, between: [ground, strap.end], axial_stiffness: 0}}": "must be positive",
    "forces: {f: {kind: bar, between: [ground, strap.end], axial_stiffness: 1, pretension: -0.1, tension_only: true}}":
        "a cord carries no compression",
    "events: {e: {watch: strap.position.z}}": "is flexible",
}  # fmt: skip


@pytest.mark.parametrize("use", USES)
def test_use(use):
    text = complaint(beam(markers="{m: 0.2}") + ROPE + BLOCK + use)
    assert USES[use] in text
    assert text.startswith("line 5: ")
    assert len(text.splitlines()) == 1


def test_a_refused_beam_is_told_once():
    text = complaint(beam(up="x") + "joints: {j: {kind: fixed, between: [ground, strap.start]}}")
    assert len(text.splitlines()) == 1
