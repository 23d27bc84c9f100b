"""Interfaces: places of a structure that become frames of the reduced body.

A place of several nodes is tied rigidly to its frame (nothing within it deforms) or averaged: the frame follows the
nodes in the mean, its load is shared among them, and nothing is stiffened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..modal.inertia import cross_matrix
from ..schema.problems import ModelError, Problem
from ..schema.units import LENGTH, QuantityError, parse_quantity
from .structure import COMPONENTS, Spot, Structure, motion_at, refuse

TIES = ("rigid", "average")
IN_LINE = 1e-6  # of the extent of its points: across this they count as lying in a line


@dataclass(frozen=True, eq=False)
class Interface:
    """What a user asks for: a place, how it is tied, and where its frame is (else amid its points)."""

    name: str
    place: str
    tie: str = "rigid"
    at: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False)
class Attached:
    """An interface found in a structure. Its k coordinates are those of its six motions that exist and are free."""

    name: str
    tie: str
    spot: Spot
    position: np.ndarray  # (3,)
    axes: np.ndarray  # (3, 3)
    motions: np.ndarray  # (6, k) translation and rotation of the frame by its coordinates
    turns: bool  # whether its rotation is defined


def read_interfaces(given: Any) -> list[Interface]:
    """From names, `name=place`, or a mapping of name to place or to {place, tie, at}. Raises ModelError."""
    if isinstance(given, str):
        given = [part for part in given.split(",") if part.strip()]
    if isinstance(given, Mapping):
        return [one_interface(str(name), value) for name, value in given.items()]
    found = []
    for entry in given or ():
        if isinstance(entry, Interface):
            found.append(entry)
            continue
        name, equals, place = str(entry).strip().partition("=")
        found.append(one_interface(name, place if equals else name))
    names = [interface.name for interface in found]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(Problem(None, ("interfaces", name), "two interfaces have this name; give others"))
    return found


def one_interface(name: str, value: Any) -> Interface:
    """Raises ModelError."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):  # a name, or a node's number
        place, colon, tie = str(value).partition(":")
        value = {"place": place, **({"tie": tie} if colon else {})}
    if not isinstance(value, Mapping):
        message = f"{value!r} is not a place; write one such as boom.end, a node's number, or {{place: …, tie: …}}"
        raise ModelError(Problem(None, ("interfaces", name), message))
    unknown = set(value) - {"place", "tie", "at"}
    if unknown:
        message = f"'{min(unknown)}' is not understood; an interface has 'place', 'tie' and 'at'"
        raise ModelError(Problem(None, ("interfaces", name), message))
    tie = value.get("tie", "rigid")
    if tie not in TIES:
        raise ModelError(Problem(None, ("interfaces", name, "tie"), f"'{tie}' is no tie; there are rigid and average"))
    at = value.get("at")
    at = at.tolist() if isinstance(at, np.ndarray) else at
    if at is not None and (not isinstance(at, (list, tuple)) or len(at) != 3):
        message = f"{at!r} is not a point; write [x, y, z]"
        raise ModelError(Problem(None, ("interfaces", name, "at"), message))
    try:
        point = None if at is None else tuple(parse_quantity(c, LENGTH) for c in at)
    except QuantityError as reason:
        raise ModelError(Problem(None, ("interfaces", name, "at"), str(reason))) from None
    return Interface(name, str(value.get("place", name)), tie, point)


def attach(structure: Structure, interfaces: Iterable[Interface]) -> list[Attached]:
    """Find them. Raises ModelError."""
    found = [attached(structure, interface) for interface in interfaces]
    taken: dict[int, str] = {}
    for one in found:
        for node in one.spot.nodes.tolist():
            other = taken.setdefault(node, one.name)
            if other != one.name:
                refuse(structure, f"interfaces '{other}' and '{one.name}' share {structure.label(node)}; part them")
    return found


def attached(structure: Structure, interface: Interface) -> Attached:
    spot = structure.place(interface.place)
    name = interface.name
    if not len(spot.nodes):
        refuse(structure, f"interface '{name}' is inside what is held: none of its nodes can move")
    position = np.array(interface.at) if interface.at is not None else spot.points.mean(axis=0)
    check_rows(structure, name, spot)
    tie = interface.tie if len(np.unique(spot.nodes)) > 1 else "rigid"
    E, freedoms = rigid_rows(structure, spot, position)
    turns = can_turn(structure, name, spot)
    if not turns and np.abs(position - structure.positions[spot.nodes[0]]).max() > 1e-9 * np.ptp(
        structure.positions, axis=0
    ).max(initial=1e-300):
        refuse(structure, f"interface '{name}' is one node without attitude, so its frame cannot be beside it")
    there = np.abs(E).max(axis=0) > 0.0  # motions that move anything: fewer in a plane
    there[3:] &= turns
    B = np.eye(6)[:, there]
    held = E[structure.held[freedoms]] @ B
    if len(held) and np.abs(held).max(initial=0.0) > 0.0:
        B = B @ allowed(held)
    if B.shape[1] == 0:
        first = int(
            np.flatnonzero(np.isin(structure.freedoms[spot.nodes], freedoms[structure.held[freedoms]]).any(1))[0]
        )
        refuse(
            structure,
            f"interface '{name}' is inside what is held ({structure.label(spot.nodes[first])} …): it cannot move; "
            "choose other nodes, or release them",
        )
    return Attached(name, tie, spot, position, spot.axes, B, turns)


def allowed(held: np.ndarray) -> np.ndarray:
    """Combinations of motions that leave all held freedoms in place, along single motions as far as possible."""
    import scipy.linalg

    single = np.abs(held).max(axis=0) <= 1e-12 * np.abs(held).max()
    rest = np.flatnonzero(~single)
    combined = scipy.linalg.null_space(held[:, rest], rcond=1e-10)
    out = np.zeros((held.shape[1], int(single.sum()) + combined.shape[1]))
    out[np.flatnonzero(single), np.arange(single.sum())] = 1.0
    out[np.ix_(rest, np.arange(single.sum(), out.shape[1]))] = combined
    return out


def rigid_rows(structure: Structure, spot: Spot, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 6): freedoms of the nodes by the motions of a frame there, and (m,) which freedoms they are."""
    nodes = np.unique(spot.nodes)
    whole = np.tile(np.eye(6), (len(nodes), 1, 1))
    for k, arm in enumerate(structure.positions[nodes] - position):
        whole[k, :3, 3:] = -cross_matrix(arm)
    free = structure.freedoms[nodes]
    return whole[free >= 0], free[free >= 0]


def can_turn(structure: Structure, name: str, spot: Spot) -> bool:
    """Whether nodes define a rotation: they have one, or do not lie in a line. Raises ModelError."""
    if (structure.freedoms[spot.nodes, 3:] >= 0).any():
        return True
    r = spot.points - spot.points.mean(axis=0)
    extent = np.linalg.svd(r, compute_uv=False) if len(r) > 1 else np.zeros(1)
    if extent[0] == 0.0:
        return False
    flat = (structure.freedoms[:, :3] < 0).all(axis=0).any()  # all nodes lack a direction: a planar structure
    if not flat and (len(extent) < 2 or extent[1] < IN_LINE * extent[0]):
        message = f"interface '{name}': its nodes lie in a line and do not turn, so nothing says how the frame turns "
        refuse(structure, message + "about it; choose nodes that span a surface, or a single one")
    return True


def check_rows(structure: Structure, name: str, spot: Spot) -> None:
    """Refuse nodes that constraints tie to others. Raises ModelError."""
    if structure.rows is None:
        return
    tied = np.zeros(structure.size, bool)
    tied[structure.rows.indices] = True
    for node in spot.nodes:
        free = structure.freedoms[node]
        for component in np.flatnonzero(free >= 0):
            if tied[free[component]]:
                refuse(
                    structure,
                    f"interface '{name}' is inside a constrained set: {structure.label(node)} is tied to others along "
                    f"{COMPONENTS[component]}; choose other nodes, or remove that joint",
                )


def mean_motion(structure: Structure, one: Attached) -> np.ndarray:
    """(6, nv) dense over few columns: the mean motion of an averaged interface's points at its frame, by freedoms.

    Translation is the mean over points, rotation that which fits their translations best (least squares).
    """
    moved = motion_at(structure, one.spot.nodes, one.spot.points)
    k = len(one.spot.nodes)
    centre = one.spot.points.mean(axis=0)
    r = one.spot.points - centre
    J = (r * r).sum() * np.eye(3) - r.T @ r
    weights = np.zeros((6, 6 * k))
    inverse = np.linalg.pinv(J, rcond=1e-12)
    for j in range(k):
        weights[:3, 6 * j : 6 * j + 3] = np.eye(3) / k
        weights[3:, 6 * j : 6 * j + 3] = inverse @ cross_matrix(r[j])
    weights[:3] += -cross_matrix(one.position - centre) @ weights[3:]
    return np.asarray(weights @ moved)
