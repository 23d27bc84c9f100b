"""Vibrations and buckling of a model: find the place they are about, then ask."""

from __future__ import annotations

from typing import Any

import numpy as np

from .mechanics import tables as tb
from .schema.problems import ModelError, Problem
from .schema.units import ANGULAR_RATE, LENGTH, NUMBER, TIME, QuantityError, parse_quantity
from .simulate import prepare, refuse_augmented, refuse_momentum, simulate, state_of
from .stages import stage_model

SLOW = 1e-9  # of the model's natural speed: at rest
PLACES = "'drawn', 'rest', 'end' or a time such as '2 s'"


def modes(model, count=None, *, at=None, at_equilibrium=False, state=None, spin=None):
    """Natural frequencies, damping and shapes of small motions.

    `at` says about which place: 'drawn' (default); 'rest', where the model comes to rest at the start; a time, about
    the balanced place under the loads of that time, reached from rest through balanced places; 'end', where the
    model's own simulation ends. `state`: where earlier Results, or a file of them, ended. Places that are not
    drawn are taken at rest.

    `spin=(axis, rate)` or `(axis, rate, point)`: about steady rotation of everything, ground, joints and loads
    included, seen by an observer who turns along. `axis` is "x", "y", "z" or a vector, `rate` such as "300 rpm".

    `count`: the slowest so many; else all of a small model and 20 of a large one. `notes` of what is returned say what
    was left out: speeds, stresses.
    """
    from dataclasses import replace

    from .solve.krylov import NotSettledError
    from .solve.modes import find_modes
    from .solve.settled import spinning_place

    refuse_momentum(model, "the search for modes")
    refuse_augmented(model, "the search for modes")
    turning = None if spin is None else read_spin(spin, model)
    try:
        if state is None and at == "end":
            state, at = simulate(model), None
        start, q, multiplier = place_of(model, "rest" if at_equilibrium and at is None else at, state)
        if turning is not None:
            refuse_fixed_shapes(start)
            q, multiplier = spinning_place(start, q, multiplier, start.t, turning)
        work = start.work if multiplier is not None else None
        found = find_modes(start.system, q, count=count, t=start.t, multiplier=multiplier, spin=turning, work=work)
    except NotSettledError as reason:
        raise ModelError(Problem(None, (), f"modes: {reason}")) from None
    moving = [] if turning else note_of_speed(start, None if state is None else state_of(state))
    return replace(found, notes=(*moving, *notes_of_slack(model, found)))


def note_of_speed(start, state) -> list[str]:
    """That modes are those of the same place at rest, if the model moves there."""
    v = start.v if state is None else state.v
    nodes = start.system.tables.nodes
    frames = nodes["kind"] == tb.FRAME
    first = nodes["v"][frames | (nodes["kind"] == tb.POINT)]
    moves = np.linalg.norm(v[first[:, None] + np.arange(3)], axis=1).max(initial=0.0)
    turns = np.linalg.norm(v[nodes["v"][frames][:, None] + np.arange(3, 6)], axis=1).max(initial=0.0)
    if max(moves, start.length * turns) <= SLOW * start.speed:
        return []
    return [
        f"the model moves at up to {moves:.3g} m/s and {turns:.3g} rad/s in this state; the modes are those of "
        "the same position at rest, without gyroscopic and centrifugal effects; for a steady rotation of the whole "
        "give 'spin'"
    ]


def notes_of_slack(model, found) -> list[str]:
    """Which membranes and cables are not resisted across themselves."""
    free = found.shapes[:, found.frequencies_hz == 0.0]
    said = []
    for name, body in model.section("bodies").items():
        if body.kind in ("membrane", "cable") and free.size:
            count = int((found.freedoms.energy_share(name, free) > 0.5).sum())
            if count:
                field = "tension" if body.kind == "membrane" else "pretension"
                said.append(
                    f"{body.kind} '{name}' has {count} modes without stiffness: unstressed, it does not resist "
                    f"transverse displacements; give it '{field}', or ask for the modes under load (at: '1 s')"
                )
    return said


def buckling(model, count=4, *, at=None, state=None):
    """Critical times at which the model gives way, by linear buckling about a balanced place.

    `at`: the time of that place (default 0), reached from the start through balanced places, or 'end'; `state`:
    where earlier Results, or a file of them, ended. Loads and drives are functions of time; those that grow in
    proportion to it give load factors.
    """
    from .solve.buckling import find_buckling
    from .solve.krylov import NotSettledError

    refuse_momentum(model, "the search for buckling")
    refuse_augmented(model, "the search for buckling")
    try:
        return find_buckling(balanced(model, at, state), count)
    except NotSettledError as reason:
        raise ModelError(Problem(None, (), f"buckling: {reason}")) from None


def meshes(model) -> dict[str, Any]:
    """Grids of all membranes, shells and solids as they are built, in world axes [m]. Raises ModelError."""
    from .build.builder import Builder

    builder = Builder(model, dry=True)
    problems = builder.run()
    if problems:
        raise ModelError(problems)
    return {name: body.mesh.grid for name, body in builder.catalogue.bodies.items() if body.mesh is not None}


def write_mesh(model, path, body=None) -> None:
    """Write the mesh of a body with its groups as .vtu, .vtk, .msh or .inp; `body` is needed if there are several.
    Raises ModelError."""
    from .kinds.meshes.writing import write_mesh as write
    from .kinds.refusal import Refusal

    found = meshes(model)
    if body is None and len(found) == 1:
        body = next(iter(found))
    if body not in found:
        known = ", ".join(f"'{name}'" for name in found) or "none"
        raise ModelError(Problem(None, ("bodies",), f"which body's mesh? bodies with a mesh: {known}"))
    try:
        write(path, found[body])
    except Refusal as refusal:
        raise ModelError(Problem(None, ("bodies", body), str(refusal))) from None


def place_of(model, at, state) -> tuple[Any, np.ndarray, np.ndarray | None]:
    """(start, q, multipliers there or None if the place is not known to be balanced)."""
    from .solve.equilibrium import find_equilibrium
    from .solve.settled import settled_near

    if state is None and (at is None or at == "drawn"):
        start = prepare(model, planar=False)[2]
        return start, start.q, None
    if state is None and at == "rest" and not is_elastic(start := prepare(model, planar=False)[2]):
        found = find_equilibrium(start.system, start.q)
        return start, found.q, found.multiplier if found.converged else None
    if state is not None or at == "end":
        start = start_at(model, at, state)
        search = settled_near(start)
        if search is None:
            return start, start.q, None
    else:
        search = balanced_or_free(model, at)
        if isinstance(search, tuple):
            return search
    search.start.t = search.time
    return search.start, search.at.q.copy(), search.at.multiplier.copy()


def balanced(model, at, state):
    """A search in balance where `at` or `state` say. Raises ModelError, NotSettledError."""
    from .solve.krylov import NotSettledError
    from .solve.settled import settled_at, settled_near

    if state is not None or at == "end":
        start = start_at(model, at, state)
        search = settled_near(start)
        if search is None:
            raise NotSettledError(f"the state at t = {start.t:g} s is not in balance")
        search.span = start.t or 1.0
        return search
    t = time_of(at)
    start = prepare(model, max(t, model.settings.duration or 0.0) or None, planar=False)[2]
    return settled_at(start, t)


def balanced_or_free(model, at):
    """A search in balance at a time; or (start, q, multipliers) where parts can move without any force, for which no
    search is made. Raises ModelError, NotSettledError."""
    from .solve.krylov import NotSettledError
    from .solve.settled import settled_freely

    try:
        return balanced(model, at, None)
    except NotSettledError:
        t = time_of(at)
        start = prepare(model, max(t, model.settings.duration or 0.0) or None, planar=False)[2]
        found = settled_freely(start, t)
        if found is None:
            raise
        start.t = t
        return start, *found


def time_of(at) -> float:
    return 0.0 if at in (None, "rest", "drawn") else read_time(at)


def start_at(model, at, state):
    """The start of a model at the end of a run."""
    if state is not None and at not in (None, "end"):
        raise ModelError(Problem(None, (), "give 'at' or 'state', not both"))
    ended = state_of(simulate(model) if state is None else state)
    stages = model.settings.stages
    if ended.stage < len(stages):
        model = stage_model(model, stages[ended.stage])
    return prepare(model, ended.time or None, planar=False, state=ended, at_rest=True)[2]


def is_elastic(start) -> bool:
    """Whether anything in it can deform: Newton's method then finds rest at once."""
    tables = start.system.tables
    return len(tables.beams) + len(tables.bars) + len(tables.cells) > 0


def read_time(at) -> float:
    try:
        return parse_quantity(at, TIME)
    except QuantityError:
        raise ModelError(Problem(None, (), f"at={at!r} is no place; give {PLACES}")) from None


def refuse_fixed_shapes(start) -> None:
    """Raises ModelError."""
    tables = start.system.tables
    amplitudes = (tables.nodes["weight"] == 0.0) & (tables.nodes["kind"] == tb.POINT)
    if 3 * amplitudes.sum() > tables.modal["count"].sum():
        message = "a body by modes whose frame is fixed cannot turn along; say fixed: false and hold it by joints"
        raise ModelError(Problem(None, ("bodies",), message))


def read_spin(spin, model):
    """(axis, rate) or (axis, rate, point). Raises ModelError."""
    from .solve.spin import Spin

    try:
        axis, rate, *point = spin
        if isinstance(axis, str):
            axis = np.eye(3)["xyz".index(axis)]
        axis = np.array([parse_quantity(c, NUMBER) for c in axis])
        centre = np.array([parse_quantity(c, LENGTH) for c in (point[0] if point else (0, 0, 0))])
        turn = parse_quantity(rate, ANGULAR_RATE) * axis / np.linalg.norm(axis)
        if len(point) > 1 or turn.shape != (3,) or centre.shape != (3,) or not np.all(np.isfinite(turn)):
            raise ValueError("an axis has three components")
    except (TypeError, ValueError) as reason:
        message = f"spin={spin!r} is not understood ({reason}); write spin=('z', '300 rpm')"
        raise ModelError(Problem(None, (), message)) from None
    across = np.linalg.norm(np.cross(model.gravity, turn))
    if across > 1e-9 * np.linalg.norm(model.gravity) * np.linalg.norm(turn):
        message = (
            "gravity across the axis of rotation shakes what turns: nothing is steady; remove it, or turn about it"
        )
        raise ModelError(Problem(None, ("gravity",), message))
    return Spin(turn, centre)
