"""One step of `explicit`: forces, kick, drift, constraints, and the works it does.

Evaluations come first: a step evaluates the state it leaves, unless `settle` did so to write it. Nodes are treated one
by one, but for those that the pass of mechanics.chains owns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import device
from ..math.vec3 import dot, load3
from ..mechanics import linking
from ..mechanics.bars import add_bar
from ..mechanics.beams import add_beam
from ..mechanics.chains import AHEAD, AHEAD_W, V
from ..mechanics.drags import add_drag
from ..mechanics.dynamics import constrain_accelerations, free_acceleration
from ..mechanics.forces import load_wrench, put_weight
from ..mechanics.motion import is_free, load_quaternion, place_nodes, turned_back
from ..mechanics.pair_memory import BY_RATE
from ..mechanics.tables import DISSIPATED, DRIVES, FRAME, FRICTION, GROUND, IMPACTS, LOADS, N_POWERS, POINT
from .chain_moves import add_chain_forces, copy_neighbours, is_damped, put_held, put_owned, take_owned
from .leapfrog import (
    drift_prescribed,
    kick_and_drift,
    meet_constraints,
    meet_rates,
    place,
    take_lost,
    take_totals,
    velocities_from,
    work_of,
    work_of_loads,
    work_of_lost,
    work_of_prescribed,
    work_of_resistance,
)
from .patch_moves import move_owned, owned_ahead
from .steps import EVALUATIONS, NUMERICAL, OLD_STEP, STEPS, TIME, note_violation
from .team import sweep_all

# places in Leap.options: the longest step, when to pause; accounts; whether the state was evaluated; steps to the next
# output; energy of elastic slip in contacts; whether room for pairs has to be made before the step can be finished
LONGEST, HELD_UNTIL, WORK, KINETIC, BUDGET, LOWEST, EVALUATED, NUMERICAL_OWNED, STEPS_LEFT, SLIP, CROWDED = range(11)
ALONG_ROWS = N_POWERS  # place in Leap.power after those of Work.power


class Leap(NamedTuple):
    """Momenta between the steps and what the last evaluation found."""

    nodes: np.ndarray  # free nodes treated one by one
    placed: np.ndarray  # these and the prescribed ones and the ground
    counted: np.ndarray  # free nodes whose works are found one by one
    prescribed: np.ndarray  # nodes that move as they are told
    row_nodes: np.ndarray  # nodes with constraints
    beams: np.ndarray  # elements treated one by one
    drags: np.ndarray
    cells: np.ndarray  # (n, 2) ranges of cells treated one by one
    shells: np.ndarray  # first cells of blocks of four, see mechanics.cell_lanes
    quads: np.ndarray
    triangles: np.ndarray
    owned: np.ndarray  # nodes that solve.patch_moves moves
    ahead: np.ndarray  # (1,) 1: velocities are foreseen for them, for there is damping
    half: np.ndarray  # (nv,) velocities and world angular momenta half a step before the last kick
    drift: np.ndarray  # (nv,) velocities and world angular velocities of the step, of owned nodes only if asked for
    a: np.ndarray  # (nv,) accelerations, body axes; the same array as total where nothing asks for them later
    total: np.ndarray  # (nv,) accelerations and world moments with reactions
    applied: np.ndarray  # (nv,) forces and world moments without, of nodes counted
    resisting: np.ndarray  # (nv,) those of damped cells and drag, unless there are chains
    lost: np.ndarray  # (2, nv) those of contacts that no energy is behind: damping, friction
    load: np.ndarray  # (loads, 6) forces and moments
    power: np.ndarray  # (4,) at the last evaluation: active laws, constraints, dampers; constraints once more
    rate: np.ndarray  # (2, n) of the state at both ends
    options: np.ndarray


# -- forces -----------------------------------------------------------------------------------------------------------


@device
def apply(tables, t, s, work):
    """Forces on the placed nodes."""
    for k in range(N_POWERS):
        work.power[k] = 0.0
    if work.apart[0]:
        clear_resistance(work)
    for i in range(len(s.placed)):
        put_weight(tables, s.placed[i], work)
    if len(tables.loads) + len(tables.couplings) + len(tables.bushings) > 0:
        linking.add_model_forces(tables, t, work)
    if len(tables.pressures) > 0:
        linking.add_pressures(tables, t, work)
    for i in range(len(s.beams)):
        add_beam(tables, s.beams[i], work)
    for i in range(len(tables.bars)):
        add_bar(tables, i, work)
    for i in range(len(s.cells)):
        linking.add_cells(tables, work, s.cells[i, 0], s.cells[i, 1])
    if len(s.shells) + len(s.quads) + len(s.triangles) > 0:
        linking.add_patches(tables, work, s)
    for i in range(len(s.drags)):
        add_drag(tables, s.drags[i], work)
    if len(work.pairs) > 0:
        linking.add_contacts(tables, work, 0, work.pair_count[0])


@device
def clear_resistance(work):
    for n in range(len(work.resisting_force)):
        for k in range(3):
            work.resisting_force[n, k] = 0.0
            work.resisting_moment[n, k] = 0.0


@device
def keep_resistance(tables, s, work):
    """s.resisting <- forces and moments of damped cells and drag; the power they have at the foreseen velocities."""
    total = 0.0
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == GROUND:
            continue
        total += dot(load3(work.resisting_force, n), load3(work.v, n))
        for k in range(3):
            s.resisting[node.v + k] = work.resisting_force[n, k]
        if node.kind != POINT:
            total += dot(load3(work.resisting_moment, n), load3(work.w, n))
            for k in range(3):
                s.resisting[node.v + 3 + k] = work.resisting_moment[n, k]
    return total


@device
def keep_loads(tables, t, s, work):
    """s.load <- loads now; the power they have at the foreseen velocities."""
    total = 0.0
    for i in range(len(tables.loads)):
        n = tables.loads[i].node
        force, moment = load_wrench(tables, i, t, work)
        for k in range(3):
            s.load[i, k] = force[k]
            s.load[i, 3 + k] = moment[k]
        if is_free(tables, n):
            total += dot(force, load3(work.v, n)) + dot(moment, load3(work.w, n))
    return total


@device
def evaluate(tables, t, loop, s, chains, chained, work):
    """Accelerations, totals, loads and powers at the state that work is placed at; chained: with the forces the last
    pass found."""
    if len(work.pairs) > 0:
        work.contact_step[0], work.contact_step[1] = BY_RATE, loop.clock[OLD_STEP]
    apply(tables, t, s, work)
    if chained:
        add_chain_forces(chains, work, loop.clock[OLD_STEP])
        for k in range(len(chains.found)):
            work.power[DISSIPATED] += chains.found[k, 1]
    for i in range(len(s.placed)):
        free_acceleration(tables, s.placed[i], loop.v, work, s.a)
    along_rows = 0.0
    if len(tables.rows) > 0:
        along_rows = constrain_accelerations(tables, t, work, s.a, 0.0, 0.0)
    for k in range(N_POWERS):
        s.power[k] = work.power[k]
    s.power[DRIVES] = along_rows
    s.power[LOADS] -= keep_loads(tables, t, s, work)  # what is left: active laws
    if work.apart[0]:
        s.power[DISSIPATED] += keep_resistance(tables, s, work)  # what is left: springs, beams, bars
    s.power[ALONG_ROWS] = along_rows
    take_totals(tables, loop, s, work)
    if len(work.pairs) > 0:
        take_lost(tables, s, work)
        keep_slip(tables, loop, s, work)
    loop.count[EVALUATIONS] += 1


@device
def keep_slip(tables, loop, s, work):
    """What contacts remember; friction stores what its elastic slip does."""
    slip = linking.note_contacts(tables, work)
    s.power[IMPACTS], s.power[FRICTION] = 0.0, 0.0  # of the drifts instead, see account
    loop.works[FRICTION] -= slip - s.options[SLIP]
    s.options[SLIP] = slip
    work.contact_step[1] = 0.0  # nothing slips until the next step: for outputs


# -- one step ---------------------------------------------------------------------------------------------------------


@device
def account(tables, loop, s, h):
    """Works over half the step h, with the forces of the last evaluation and the velocities of the drift."""
    for k in range(N_POWERS):
        loop.works[k] += 0.5 * h * s.power[k]
    loop.works[LOADS] += 0.5 * h * work_of_loads(tables, s)
    if s.ahead[0] > 0:
        loop.works[DISSIPATED] -= 0.5 * h * work_of_resistance(s)
    loop.works[DRIVES] += 0.5 * h * work_of_prescribed(tables, s)
    s.options[WORK] += 0.5 * h * (work_of(tables, s, s.applied) + s.power[ALONG_ROWS])
    if len(s.lost[0]) > 0:
        loop.works[IMPACTS] -= 0.5 * h * work_of_lost(tables, s, s.lost[0])
        loop.works[FRICTION] -= 0.5 * h * work_of_lost(tables, s, s.lost[1])


@device
def pass_chains(tables, chains, h):
    """Forces of all chains, and their own nodes a step on."""
    copy_neighbours(chains)
    sweep_all(tables, chains, h)


@device
def sharpest(chains):
    turn = 0.0
    for k in range(len(chains.ranges)):
        turn = max(turn, chains.found[k, 0])
    return turn


@device
def change_step(tables, loop, s, chains, work, h):
    """Momenta as if the last step had been h long, in the chains too; all nodes have been evaluated."""
    ago = 0.5 * (loop.clock[OLD_STEP] - h)
    for k in range(len(s.half)):
        s.half[k] += ago * s.total[k]
    s.options[NUMERICAL_OWNED] += 0.125 * (h * h - loop.clock[OLD_STEP] ** 2) * squares(tables, s, chains)
    loop.clock[OLD_STEP] = h
    if len(chains.ranges) > 0:
        place_nodes(tables, loop.clock[TIME], loop.q, loop.v, work)
        put_owned(tables, chains, loop.q, s.half, work, h)
        put_held(tables, chains, loop.q, work)


@device
def squares(tables, s, chains):
    """Sum of m a² and of moments' m J⁻¹ m over the nodes that chains and patches move."""
    total = 0.0
    for i in range(len(chains.owned)):
        node = tables.nodes[chains.owned[i, 0]]
        J, v = node.inertia, node.v
        for k in range(3):
            total += node.mass * s.a[v + k] ** 2 + J[k] * s.a[v + 3 + k] ** 2
    for i in range(len(s.owned)):
        node = tables.nodes[s.owned[i]]
        v = node.v
        for k in range(3):
            total += node.mass * s.total[v + k] ** 2
            if node.kind == FRAME:
                total += node.inverse_inertia[k] * s.total[v + 3 + k] ** 2
    return total


@device
def take_step(tables, work, loop, s, chains, t, h):
    """From the state, evaluated or else placed in work, to the next at time t, which gets placed."""
    chained = len(chains.ranges) > 0
    if h != loop.clock[OLD_STEP]:
        change_step(tables, loop, s, chains, work, h)
    if chained:
        pass_chains(tables, chains, h)
    if s.options[EVALUATED] == 0.0:
        evaluate(tables, loop.clock[TIME], loop, s, chains, chained, work)
        account(tables, loop, s, h)
    kick_and_drift(tables, loop, s, h)
    if len(s.owned) > 0:
        move_owned(tables, loop, s, work, h, s.options[EVALUATED] > 0.0)
    if len(tables.motions) > 0:
        drift_prescribed(tables, t, loop, s, work, h)
    if len(tables.rows) > 0:
        meet_constraints(tables, t, loop, s, work, h, 1e-14 * loop.scale[0])
    loop.clock[TIME] = t
    if len(tables.rows) > 0:
        note_violation(loop, work.found[0], 0.0)
    account(tables, loop, s, h)
    velocities_from(tables, loop, s, h)
    place(tables, t, loop, s, work)
    if chained:
        put_held(tables, chains, loop.q, work)
    s.options[EVALUATED] = 0.0
    loop.count[STEPS] += 1


@device
def settle(tables, work, loop, s, whole, chains):
    """State at the end of the last step: accelerations, velocities, and what the scheme took."""
    t, h = loop.clock[TIME], loop.clock[OLD_STEP]
    if s.options[EVALUATED] == 0.0:
        if len(chains.ranges) > 0:
            take_owned(tables, chains, loop.q, s.half)
            take_ahead(tables, chains, loop)
        owned_ahead(tables, loop, s, work)
        place(tables, t, loop, whole, work)
        evaluate(tables, t, loop, whole, chains, False, work)
        account(tables, loop, s, h)
        s.options[EVALUATED] = 1.0
    velocities_from(tables, loop, whole, h)
    if len(tables.rows) > 0:
        meet_rates(tables, t, loop, s, work)
        note_violation(loop, 0.0, work.found[1])
    owned = s.options[NUMERICAL_OWNED] - 0.125 * h * h * squares(tables, s, chains)
    loop.clock[NUMERICAL] = s.options[WORK] - kinetic_of(tables, loop.v, s) + s.options[KINETIC] + owned


@device
def take_ahead(tables, chains, loop):
    """Velocities foreseen by the pass, where there is damping; else those of half a step ago will do."""
    for i in range(len(chains.owned)):
        node = tables.nodes[chains.owned[i, 0]]
        row, l, j = chains.owned[i, 1], chains.owned[i, 2], node.v
        at, state, w = AHEAD if is_damped(chains) else V, chains.state, (0.0, 0.0, 0.0)
        for k in range(3):
            loop.v[j + k] = state[row, at + k, l]
        if is_damped(chains):
            w = (state[row, AHEAD_W, l], state[row, AHEAD_W + 1, l], state[row, AHEAD_W + 2, l])
            w = turned_back(load_quaternion(loop.q, node.q + 3), w)
        for k in range(3):
            loop.v[j + 3 + k] = w[k]


@device
def kinetic_of(tables, v, s):
    """Kinetic energy of the nodes treated one by one."""
    total = 0.0
    for i in range(len(s.nodes)):
        node = tables.nodes[s.nodes[i]]
        J, j = node.inertia, node.v
        for k in range(3):
            total += 0.5 * node.mass * v[j + k] ** 2
            if node.kind == FRAME:
                total += 0.5 * J[k] * v[j + 3 + k] ** 2
    return total
