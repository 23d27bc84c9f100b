"""The core functions: compiled once by themselves, for the parts a model uses."""

from __future__ import annotations

import numpy as np

from ..jit import kernel
from . import (
    all_contacts,
    broad_phase,
    cell_lanes,
    contacts_tangent,
    dynamics,
    elements,
    forces,
    grip_balance,
    grip_changes,
    grips,
    grips_tangent,
    laws,
    modal,
    modal_curves,
    motion,
    pressures,
    projection,
    rigid_changes,
    rigid_contacts,
    touching,
)
from .linking import (
    ACCELERATIONS,
    ACCEPT,
    ADD,
    BEGIN,
    BEGIN_STEPS,
    BEND,
    CELLS,
    CELLS_TANGENT,
    CONTACTS,
    CONTACTS_NOTE,
    CONTACTS_STEP,
    CONTACTS_TANGENT,
    DIVIDE,
    ELEMENTS,
    ELEMENTS_ENERGY,
    ELEMENTS_TANGENT,
    FORCES,
    FREE,
    GRIPS,
    GRIPS_TANGENT,
    KINETIC,
    LAW,
    MODAL,
    MODAL_TANGENT,
    NEAR,
    PATCHES,
    PRESCRIBE,
    PRESS,
    PRESSURES,
    PRESSURES_TANGENT,
    PROJECT,
    REFINE,
    RENEW,
    RESIST,
    RIGID_CHANGES,
    RIGID_FORCES,
    RIGID_TOGETHER,
    SETTLE,
    STRAIN,
    WEIGH,
)
from .tables import Tables, Work, has_momentum


@kernel
def accelerations_core(tables, work, t, q, v, out, alpha, beta):
    dynamics.accelerations(tables, t, q, v, work, out, alpha, beta)


@kernel
def refine_core(tables, work, v, out):
    dynamics.refine_reactions(tables, v, work, out)


@kernel
def project_core(tables, work, t, q, v, small):
    projection.project(tables, t, q, v, work, small)


@kernel
def forces_core(tables, work, t):
    forces.add_model_forces(tables, t, work)


@kernel
def strain_core(tables, work, t):
    work.jet[0] = forces.strain_energy(tables, t, work)


@kernel
def prescribe_core(tables, work, t, n, q, v):
    motion.prescribe(tables, n, t, q, v, work)


@kernel
def law_core(tables, work, t, i, main, x, v):
    f, d1, d2, d11 = laws.evaluate_law(tables, i, main, t, x, v, work.stack)
    work.jet[0] = f
    work.jet[1] = d1
    work.jet[2] = d2
    work.jet[3] = d11


@kernel
def elements_core(tables, work):
    elements.add_elements(tables, work)


@kernel
def elements_energy_core(tables, work):
    work.jet[0] = elements.elements_energy(tables, work)


@kernel
def elements_tangent_core(tables, work, weight_rate, weight_place, values, beam_at, bar_at, node_at):
    elements.add_elements_tangent(tables, work, weight_rate, weight_place, values, beam_at, bar_at, node_at)


@kernel
def cells_core(tables, work, what, part, first, last):
    work.jet[0] = elements.cells(tables, work, what, part, first, last)


@kernel
def cells_tangent_core(tables, work, weight_rate, weight_place, values, cell_at):
    elements.add_cells_tangent(tables, work, weight_rate, weight_place, values, cell_at)


@kernel
def patches_core(tables, work, shells, quads, triangles, damped):
    cell_lanes.add_patches(tables, work, shells, quads, triangles, damped[0] > 0)


@kernel
def pressures_core(tables, work, t):
    pressures.add_pressures(tables, t, work)


@kernel
def pressures_tangent_core(tables, work, t, weight_place, values, pressure_at):
    pressures.add_pressures_tangent(tables, t, work, weight_place, values, pressure_at)


@kernel
def contacts_core(tables, work, first, last):
    all_contacts.add_contacts(tables, work, first, last)


@kernel
def contacts_tangent_core(tables, work, weight_rate, weight_place, values, contact_at):
    contacts_tangent.add_contacts_tangent(tables, work, weight_rate, weight_place, values, contact_at)


@kernel
def contacts_step_core(tables, work, begins):
    if begins:
        touching.begin_contacts(tables, work)
    else:
        touching.accept_contacts(tables, work)


@kernel
def grips_core(tables, work, t, task, g, v, multiplier, out, alpha, beta):
    """Friction of joints: what it does, see linking; of a change, what to report and what it lost go to work.jet."""
    if task == ADD:
        grips.add_grips(tables, t, work)
    elif task == PRESS:
        grips.press_grips(tables, work, multiplier)
    elif task == SETTLE:
        grip_balance.settle_grips(tables, t, v, work, out, alpha, beta)
    elif task == ACCEPT:
        grip_changes.accept_grips(tables, t, work, multiplier)
    elif task == BEGIN:
        grip_changes.begin_grips(tables, t, work)
    elif task == BEGIN_STEPS:
        grip_changes.begin_stepped_grips(tables, t, work, multiplier)
    elif task == RENEW:
        grip_changes.renew_ways(tables, t, work)
    else:
        kind, lost = grip_changes.change_grip(tables, g, t, work)
        work.jet[0], work.jet[1] = kind, lost


@kernel
def grips_tangent_core(tables, work, t, multiplier, weight_rate, weight_place, values, measure_at, column_at):
    weights = weight_rate, weight_place
    grips_tangent.add_grips_tangent(tables, t, multiplier, work, *weights, values, measure_at, column_at)


@kernel
def modal_core(tables, work, task, q, v, a, out):
    """Inertia of bodies by modes: what it does, see linking."""
    if task == FREE:
        modal.free_modal_accelerations(tables, v, work, out)
    elif task == WEIGH:
        modal.weigh_modal_rows(tables, work)
    elif task == DIVIDE:
        modal.divide_modal(tables, work, v, out)
    elif task == KINETIC:
        work.jet[0] = modal.modal_kinetic_energy(tables, q, v)
    elif task == RESIST:
        modal.add_modal_residual(tables, v, a, work, out)
    elif task == BEND:
        modal_curves.bend_modal_rows(tables, work)


@kernel
def modal_tangent_core(tables, work, v, multiplier, weight_mass, weight_rate, weight_place, values, modal_at):
    modal.add_modal_tangent(tables, v, work, weight_mass, weight_rate, weight_place, values, modal_at)
    if len(tables.modal_curves) > 0:
        modal_curves.add_curves_tangent(tables, multiplier, weight_place, values, modal_at)


@kernel
def rigid_forces_core(tables, work, v, a):
    rigid_contacts.add_rigid_forces(tables, v, work, a)


@kernel
def rigid_together_core(tables, work, t, q, v):
    rigid_contacts.bring_together(tables, t, q, v, True, work)


@kernel
def rigid_changes_core(tables, work, t, q, v, works, pair, what):
    work.jet[0] = rigid_changes.change_rigid(tables, t, q, v, works, work, pair, what)


@kernel
def contacts_note_core(tables, work):
    work.jet[0] = touching.note_contacts(tables, work)


@kernel
def near_core(tables, work):
    broad_phase.watch_near(tables, work)


@kernel
def move_memories(old, new):
    broad_phase.move_memories(old, new)


@kernel
def keep_memories(work, keys, modes, memories):
    for i in range(len(keys)):
        broad_phase.keep(work, keys[i], modes[i], memories[i])


def address(place: int, tables: Tables, work: Work) -> int:
    """Address of a core function, compiling it if this is the first time ever."""
    vector, places, pairs = np.empty(0), np.empty((0, 2, 2, 2), np.int64), np.empty((0, 2), np.int64)
    function, others = {
        ACCELERATIONS: (accelerations_core, (0.0, vector, vector, vector, 0.0, 0.0)),
        PROJECT: (project_core, (0.0, vector, vector, 0.0)),
        REFINE: (refine_core, (vector, vector)),
        FORCES: (forces_core, (0.0,)),
        STRAIN: (strain_core, (0.0,)),
        PRESCRIBE: (prescribe_core, (0.0, 0, vector, vector)),
        LAW: (law_core, (0.0, 0, 0, 0.0, 0.0)),
        ELEMENTS: (elements_core, ()),
        ELEMENTS_ENERGY: (elements_energy_core, ()),
        ELEMENTS_TANGENT: (elements_tangent_core, (0.0, 0.0, vector, places, places, pairs)),
        CELLS: (cells_core, (0, 0.0, 0, 0)),
        PRESSURES: (pressures_core, (0.0,)),
        PRESSURES_TANGENT: (pressures_tangent_core, (0.0, 0.0, vector, pairs)),
        CELLS_TANGENT: (cells_tangent_core, (0.0, 0.0, vector, pairs)),
        CONTACTS: (contacts_core, (0, 0)),
        CONTACTS_TANGENT: (contacts_tangent_core, (0.0, 0.0, vector, places)),
        CONTACTS_STEP: (contacts_step_core, (0,)),
        GRIPS: (grips_core, (0.0, 0, 0, vector, vector, vector, 0.0, 0.0)),
        GRIPS_TANGENT: (grips_tangent_core, (0.0, vector, 0.0, 0.0, vector, places, pairs)),
        MODAL: (modal_core, (0, *(vector,) * 4)),
        MODAL_TANGENT: (modal_tangent_core, (vector, vector, 0.0, 0.0, 0.0, vector, pairs)),
        RIGID_FORCES: (rigid_forces_core, (vector, vector)),
        RIGID_TOGETHER: (rigid_together_core, (0.0, vector, vector)),
        RIGID_CHANGES: (rigid_changes_core, (0.0, vector, vector, vector, 0, 0)),
        CONTACTS_NOTE: (contacts_note_core, ()),
        NEAR: (near_core, ()),
    }[place]
    return function.address(tables, work, *others)


def parts_of(t: Tables) -> list[int]:
    """Places in Work.core that a model with these tables needs."""
    springs = len(t.couplings) + len(t.bushings) > 0
    rigid = has_momentum(t)
    elastic, cells = len(t.beams) + len(t.bars) + len(t.drags) > 0, len(t.cells) > 0
    wanted = {
        ACCELERATIONS: True,
        PROJECT: True,
        REFINE: len(t.rows) > 0 and len(t.modal) == 0,
        FORCES: springs or len(t.loads) > 0,
        STRAIN: springs or elastic or cells or len(t.contacts) + len(t.grips) > 0,
        PRESCRIBE: len(t.motions) > 0,
        LAW: len(t.laws) > 0,
        ELEMENTS: elastic,
        ELEMENTS_ENERGY: elastic,
        ELEMENTS_TANGENT: elastic,
        CELLS: cells,
        CELLS_TANGENT: cells,
        PRESSURES: len(t.pressures) > 0,
        PRESSURES_TANGENT: len(t.pressures) > 0,
        CONTACTS: len(t.contacts) > 0,
        CONTACTS_TANGENT: len(t.pairs) > 0,
        CONTACTS_STEP: len(t.pairs) > 0,
        GRIPS: len(t.grips) > 0,
        GRIPS_TANGENT: len(t.grips) > 0,
        MODAL: len(t.modal) > 0,
        MODAL_TANGENT: len(t.modal) > 0,
        RIGID_FORCES: rigid,
        RIGID_TOGETHER: rigid,
        RIGID_CHANGES: rigid,
    }
    return [place for place, needed in wanted.items() if needed]


def link_contacts(tables: Tables, work: Work) -> None:
    """Give a work what only `explicit` uses of contacts."""
    for place in (CONTACTS_NOTE, NEAR) if len(tables.members) else (CONTACTS_NOTE,):
        work.core[place] = address(place, tables, work)


def link_patches(tables: Tables, work: Work) -> None:
    """Give a work the pass over cells that only `explicit` uses."""
    some = np.empty(0, np.int64)
    work.core[PATCHES] = patches_core.address(tables, work, some, some, some, some)


def link(tables: Tables, work: Work) -> Work:
    """Give a work the core functions its model needs."""
    for place in parts_of(tables):
        work.core[place] = address(place, tables, work)
    return work
