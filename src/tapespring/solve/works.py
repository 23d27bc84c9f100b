"""Works of a step of generalized-alpha by Gauss's rule of two points along its straight path.

On the way from q_n to q_n o exp(d) every free node keeps the velocity d/h and the angular velocity of the same, in its
own axes. Along any path the work of elastic forces and gravity is what their potentials lose, so what the audit finds
missing is the error of Gauss's rule: of order 4, and none for linear springs, however fast they vibrate (the path with
the velocities of both ends would swing out far then). The energy the scheme took is the work of all forces by the same
rule, less the gain of kinetic energy: not what is missing. Multipliers of drives are interpolated between the ends, so
the works of loads and drives are of order 2, as the motion is.

Dampers are another matter: what they take does depend on the path, and on straight ways the points of a body that turns
come nearer to each other and part again. They take h times their power in the middle of the step, where every point has
the velocity d/h and every frame the angular velocity tan(θ/2) / (θ/2) of its mean one, θ its turn. By Cayley's formula
that is the velocity field of a rigid body if the step turned or moved the nodes as one, so nothing is taken then; and
rates of Green's strain there are exactly their change over h.

Friction of contacts takes what its forces do
by the same rule, less what elastic slip stores at the end beyond what it stored at the start: within a step it may come
to slip, which two points do not see. Nor do they see a jump: where a contact begins or ends, or its force turns all at
once as a corner passes another one, the rule is applied before and after. (Not among many surfaces, where something
begins or ends in every step.)
"""

from __future__ import annotations

from math import sqrt, tan

from ..jit import device
from ..math.vec3 import dot, load3
from ..mechanics.constraints import evaluate_rows
from ..mechanics.dynamics import kinetic_energy
from ..mechanics.elements import has_elements
from ..mechanics.forces import apply_forces
from ..mechanics.grips import PRESSED, PRESSES
from ..mechanics.linking import add_contacts, add_elements, add_model_forces
from ..mechanics.motion import is_free, place_nodes
from ..mechanics.pair_memory import AS_A_WHOLE, LAST_FORCE
from ..mechanics.tables import DISSIPATED, DRIVES, FRAME, FRICTION, GROUND, N_POWERS, PLAY, POINT, STICKING
from .alpha import DRIVEN, KINETIC, put_place
from .steps import EVALUATIONS, NUMERICAL, OLD_NUMERICAL

POINTS = 0.21132486540518713, 0.7886751345948129  # of Gauss's rule on (0, 1)
FARTHEST = 2.0  # rad: of turns within a step whose tangent is still taken
TURNED = 0.95  # cosine between forces of which the later one has another normal, or rubs the other way
HALVES = 12  # of the part of a step in which a force begins, ends or turns


@device
def put_way(tables, loop, s, part, h):
    """s.middle <- the state at a part of the way from loop.y_old. Uses s.residual up."""
    d, way, r = s.displacement, s.residual, 1.0 / h
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == GROUND:
            continue
        for j in range(node.v, node.v + (3 if node.kind == POINT else 6)):
            way[j] = part * d[j]
            s.middle_v[j] = r * d[j]
        put_place(tables, n, loop.y_old, way, s.middle_q)


@device
def put_middle(tables, loop, s, h):
    """s.middle <- the state in the middle of the step, with velocities of a rigid body where nodes moved as one."""
    put_way(tables, loop, s, 0.5, h)
    for n in range(len(tables.nodes)):
        node = tables.nodes[n]
        if node.kind == GROUND or node.kind == POINT:
            continue
        j = node.v + 3
        turn = (s.displacement[j], s.displacement[j + 1], s.displacement[j + 2])
        half = 0.5 * min(sqrt(dot(turn, turn)), FARTHEST)
        if half > 0.0:
            for k in range(j, j + 3):
                s.middle_v[k] *= tan(half) / half


@device
def power_of_dampers(tables, work, loop, s, t, h):
    """In the middle of the step that ends at t."""
    put_middle(tables, loop, s, h)
    place_nodes(tables, t - 0.5 * h, s.middle_q, s.middle_v, work)
    work.power[DISSIPATED] = 0.0
    if len(tables.couplings) + len(tables.bushings) > 0:
        add_model_forces(tables, t - 0.5 * h, work)
    if has_elements(tables):
        add_elements(tables, work)
    loop.count[EVALUATIONS] += 1
    return work.power[DISSIPATED]


@device
def has_turned(tables, work):
    """Whether the force of a pair, as last evaluated, has begun, ended or turned since the start of the step."""
    for i in range(len(tables.pairs)):
        out, memory = work.pair_out[i], work.pair_memory[i]
        old = (memory[LAST_FORCE], memory[LAST_FORCE + 1], memory[LAST_FORCE + 2])
        new = (out[3], out[4], out[5])
        was, now, along = dot(old, old), dot(new, new), dot(old, new)
        if (was > 0.0) != (now > 0.0) or along < TURNED * sqrt(was * now):
            return True
    return False


@device
def find_turn(tables, work, loop, s, t, h):
    """Parts of the way between which a force begins, ends or turns."""
    before, after = 0.0, 1.0
    for _ in range(HALVES):
        part = 0.5 * (before + after)
        put_way(tables, loop, s, part, h)
        place_nodes(tables, t - (1.0 - part) * h, s.middle_q, s.middle_v, work)
        add_contacts(tables, work, 0, work.pair_count[0])
        if has_turned(tables, work):
            after = part
        else:
            before = part
    loop.count[EVALUATIONS] += HALVES
    return before, after


@device
def power_of_forces(tables, work):
    """Power of all applied forces on the free nodes."""
    total = 0.0
    for n in range(len(tables.nodes)):
        if is_free(tables, n):
            total += dot(load3(work.force, n), load3(work.v, n))
            if tables.nodes[n].kind == FRAME:
                total += dot(load3(work.moment, n), load3(work.w, n))
    return total


@device
def can_stick(tables):
    """Whether a contact stores elastic slip."""
    for c in range(len(tables.contacts)):
        if tables.contacts[c].friction == STICKING and tables.contacts[c].law != PLAY:
            return True
    return False


@device
def elastic_slip(tables, work, z, first):
    """Energy of all elastic slip; z: of pairs, from a column on."""
    total = 0.0
    for i in range(work.pair_count[0]):
        law = tables.contacts[work.pairs[i].contact]
        if law.friction == STICKING and law.law != PLAY:
            slip = (z[i, first], z[i, first + 1], z[i, first + 2])
            total += 0.5 * law.slip_stiffness * dot(slip, slip)
    return total


@device
def keep_slip(tables, work, loop, t):
    """Take off friction what elastic slip stores more than at the start of the step, which contacts still remember."""
    place_nodes(tables, t, loop.q, loop.v, work)
    add_contacts(tables, work, 0, work.pair_count[0])
    loop.works[FRICTION] -= elastic_slip(tables, work, work.pair_rate, 0) - elastic_slip(
        tables, work, work.pair_memory, 1
    )


@device
def add_works(tables, work, loop, s, t, h, begin, end):
    """Add the works from one part of the way to another of the step that ends at t; (work of all forces there but
    dampers, what dampers would take)."""
    done, damped, share = 0.0, 0.0, 0.5 * h * (end - begin)
    for i in range(2):
        part = begin + (end - begin) * POINTS[i]
        at = t - (1.0 - part) * h
        put_way(tables, loop, s, part, h)
        place_nodes(tables, at, s.middle_q, s.middle_v, work)
        work.contact_step[1] = part * h
        for g in range(len(tables.grips)):
            old, new = work.grip_memory[g, PRESSED], work.grip_memory[g, PRESSES]
            work.grip_normal[g] = old + part * (new - old)
        apply_forces(tables, at, work)
        if s.options[DRIVEN] > 0.0:
            evaluate_rows(tables, at, work)
            for r in range(len(s.multiplier)):
                l = part * s.multiplier[r] + (1.0 - part) * s.last_multiplier[r]
                work.power[DRIVES] += l * work.g_target[r]
                done += share * l * work.g_target[r]
        done += share * (power_of_forces(tables, work) + work.power[DISSIPATED])
        damped += share * work.power[DISSIPATED]
        work.power[DISSIPATED] = 0.0
        for k in range(N_POWERS):
            loop.works[k] += share * work.power[k]
    loop.count[EVALUATIONS] += 2
    return done, damped


@device
def note_works(tables, work, loop, s, t, h):
    """Add the works of the step that ends at t to loop.works, and what the scheme took to loop.clock. Work is as it was
    last evaluated, at the end of the step."""
    turned = len(tables.pairs) > 0 and len(tables.members) == 0 and has_turned(tables, work)
    work.contact_step[AS_A_WHOLE] = 1.0
    for g in range(len(tables.grips)):
        work.grip_memory[g, PRESSES] = work.grip_normal[g]
    if turned:
        before, after = find_turn(tables, work, loop, s, t, h)
        done, damped = add_works(tables, work, loop, s, t, h, 0.0, before)
        more, more_damped = add_works(tables, work, loop, s, t, h, before, after)
        last, last_damped = add_works(tables, work, loop, s, t, h, after, 1.0)
        done, damped = done + more + last, damped + more_damped + last_damped
    else:
        done, damped = add_works(tables, work, loop, s, t, h, 0.0, 1.0)
    if damped != 0.0:
        damped = h * power_of_dampers(tables, work, loop, s, t, h)
        loop.works[DISSIPATED] += damped
        done -= damped
    work.contact_step[AS_A_WHOLE] = 0.0
    if can_stick(tables):
        work.contact_step[1] = h
        keep_slip(tables, work, loop, t)
    kinetic = kinetic_energy(tables, loop.q, loop.v, work)
    loop.clock[OLD_NUMERICAL] = loop.clock[NUMERICAL]
    loop.clock[NUMERICAL] += done - (kinetic - s.options[KINETIC])
    s.options[KINETIC] = kinetic
