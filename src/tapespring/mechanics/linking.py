"""Calls through addresses: what kernels share without containing it.

Work.core holds the addresses of core functions (see mechanics.core, which compiles them). Parts that a model does not
use (laws, springs, prescribed frames) are never compiled for it: their callers ask the tables first.
"""

from numpy import float64, int64

from ..jit import call_core, device

# places in Work.core
ACCELERATIONS, PROJECT, RESIDUAL, TANGENT, FORCES, LAW, PRESCRIBE, STRAIN = range(8)
ELEMENTS, ELEMENTS_ENERGY, ELEMENTS_TANGENT, CELLS, CELLS_TANGENT, PRESSURES, PRESSURES_TANGENT = range(8, 15)
PATCHES, CONTACTS, CONTACTS_TANGENT, CONTACTS_STEP, RIGID_FORCES, RIGID_CHANGES, RIGID_TOGETHER = range(15, 22)
CONTACT_EVENTS, CONTACTS_NOTE, NEAR, GRIPS, GRIPS_TANGENT, MODAL, MODAL_TANGENT = range(22, 29)
PLANE_STEPS, REFINE = 29, 30
ADD_FORCES, FIND_ENERGY, FORESEE_STRESS = 0, 1, 2  # what CELLS does
ADD, PRESS, SETTLE, ACCEPT, BEGIN, BEGIN_STEPS, RENEW, CHANGE = range(8)  # what GRIPS does
FREE, WEIGH, DIVIDE, KINETIC, RESIST, BEND = range(6)  # what MODAL does


@device
def accelerations(tables, t, q, v, work, out, alpha, beta):
    """See dynamics.accelerations."""
    call_core(work.core[ACCELERATIONS], (tables, work, float64(t), q, v, out, float64(alpha), float64(beta)))


@device
def refine_reactions(tables, v, work, out):
    """See dynamics.refine_reactions; where nothing but rows and applied forces decides on accelerations."""
    if len(tables.rows) > 0 and len(tables.grips) == 0 and len(tables.modal) == 0 and work.rigid_closed[0] == 0:
        call_core(work.core[REFINE], (tables, work, v, out))


@device
def project(tables, t, q, v, work, small):
    """See projection.project."""
    call_core(work.core[PROJECT], (tables, work, float64(t), q, v, float64(small)))


@device
def add_model_forces(tables, t, work):
    """See forces.add_model_forces."""
    call_core(work.core[FORCES], (tables, work, float64(t)))


@device
def stored_energy(tables, t, work):
    """See forces.strain_energy."""
    call_core(work.core[STRAIN], (tables, work, float64(t)))
    return work.jet[0]


@device
def add_elements(tables, work):
    """See elements.add_elements and cells."""
    if work.core[ELEMENTS] != 0:
        call_core(work.core[ELEMENTS], (tables, work))
    if work.core[CELLS] != 0:
        add_cells(tables, work, 0, len(tables.cells))


@device
def some_cells(tables, work, what, part, first, last):
    """See elements.cells."""
    call_core(work.core[CELLS], (tables, work, int64(what), float64(part), int64(first), int64(last)))


@device
def add_cells(tables, work, first, last):
    """Forces and powers of the cells from first to last - 1."""
    some_cells(tables, work, ADD_FORCES, 0.0, first, last)


@device
def elements_energy(tables, work):
    """See elements.elements_energy and cells."""
    total = 0.0
    if work.core[ELEMENTS_ENERGY] != 0:
        call_core(work.core[ELEMENTS_ENERGY], (tables, work))
        total += work.jet[0]
    if work.core[CELLS] != 0:
        some_cells(tables, work, FIND_ENERGY, 0.0, 0, len(tables.cells))
        total += work.jet[0]
    return total


@device
def add_elements_tangent(tables, work, weight_rate, weight_place, kkt):
    """See elements; kkt: anything with the fields values, beam_at, bar_at, cell_at and node_at."""
    rate, place = float64(weight_rate), float64(weight_place)
    if work.core[ELEMENTS_TANGENT] != 0:
        places = (kkt.values, kkt.beam_at, kkt.bar_at, kkt.node_at)
        call_core(work.core[ELEMENTS_TANGENT], (tables, work, rate, place, *places))
    if work.core[CELLS_TANGENT] != 0:
        add_cells_tangent(tables, work, rate, place, kkt.values, kkt.cell_at)


@device
def add_cells_tangent(tables, work, weight_rate, weight_place, values, cell_at):
    """See elements.add_cells_tangent."""
    rate, place = float64(weight_rate), float64(weight_place)
    call_core(work.core[CELLS_TANGENT], (tables, work, rate, place, values, cell_at))


@device
def add_pressures(tables, t, work):
    """See pressures.add_pressures."""
    call_core(work.core[PRESSURES], (tables, work, float64(t)))


@device
def add_pressures_tangent(tables, t, work, weight_place, kkt):
    """See pressures.add_pressures_tangent."""
    arguments = (tables, work, float64(t), float64(weight_place), kkt.values, kkt.pressure_at)
    call_core(work.core[PRESSURES_TANGENT], arguments)


@device
def add_contacts(tables, work, first, last):
    """See all_contacts.add_contacts."""
    call_core(work.core[CONTACTS], (tables, work, int64(first), int64(last)))


@device
def add_contacts_tangent(tables, work, weight_rate, weight_place, kkt):
    """See contacts_tangent.add_contacts_tangent."""
    weights = float64(weight_rate), float64(weight_place)
    call_core(work.core[CONTACTS_TANGENT], (tables, work, *weights, kkt.values, kkt.contact_at))


@device
def accept_contacts(tables, work):
    """See touching.accept_contacts."""
    call_core(work.core[CONTACTS_STEP], (tables, work, int64(0)))


@device
def begin_contacts(tables, work):
    """See touching.begin_contacts."""
    call_core(work.core[CONTACTS_STEP], (tables, work, int64(1)))


@device
def add_rigid_forces(tables, v, work, a):
    """See rigid_contacts.add_rigid_forces."""
    call_core(work.core[RIGID_FORCES], (tables, work, v, a))


@device
def bring_together(tables, t, q, v, work):
    """See rigid_contacts.bring_together."""
    call_core(work.core[RIGID_TOGETHER], (tables, work, float64(t), q, v))


@device
def change_rigid(tables, t, q, v, works, work, pair, what):
    """See rigid_changes.change_rigid."""
    call_core(work.core[RIGID_CHANGES], (tables, work, float64(t), q, v, works, int64(pair), int64(what)))
    return int64(work.jet[0])


@device
def note_contacts(tables, work):
    """See touching.note_contacts."""
    call_core(work.core[CONTACTS_NOTE], (tables, work))
    return work.jet[0]


@device
def watch_near(tables, work):
    """See broad_phase.watch_near."""
    call_core(work.core[NEAR], (tables, work))


@device
def grips(tables, t, work, task, g, v, multiplier, out, alpha, beta):
    """Friction of joints, see core.grips_core."""
    numbers = float64(alpha), float64(beta)
    call_core(work.core[GRIPS], (tables, work, float64(t), int64(task), int64(g), v, multiplier, out, *numbers))
    return work.jet[0], work.jet[1]


@device
def add_grips(tables, t, work):
    """See grips.add_grips."""
    none = work.multiplier
    grips(tables, t, work, ADD, 0, none, none, none, 0.0, 0.0)


@device
def press_grips(tables, work, multiplier):
    """See grips.press_grips."""
    grips(tables, 0.0, work, PRESS, 0, multiplier, multiplier, multiplier, 0.0, 0.0)


@device
def settle_grips(tables, t, v, work, out, alpha, beta):
    """See grip_balance.settle_grips."""
    grips(tables, t, work, SETTLE, 0, v, work.multiplier, out, alpha, beta)


@device
def accept_grips(tables, t, work, multiplier):
    """See grip_changes.accept_grips."""
    grips(tables, t, work, ACCEPT, 0, multiplier, multiplier, multiplier, 0.0, 0.0)


@device
def begin_stepped_grips(tables, t, work, multiplier):
    """See grip_changes.begin_stepped_grips."""
    grips(tables, t, work, BEGIN_STEPS, 0, multiplier, multiplier, multiplier, 0.0, 0.0)


@device
def add_grips_tangent(tables, t, multiplier, work, weight_rate, weight_place, kkt):
    """See grips_tangent.add_grips_tangent."""
    weights = float64(weight_rate), float64(weight_place)
    places = kkt.values, kkt.measure_at, kkt.column_at
    call_core(work.core[GRIPS_TANGENT], (tables, work, float64(t), multiplier, *weights, *places))


@device
def add_patches(tables, work, s):
    """See cell_lanes.add_patches; s: anything with the fields of solve.patch_layout."""
    call_core(work.core[PATCHES], (tables, work, s.shells, s.quads, s.triangles, s.ahead))


@device
def foresee_cells(tables, work, part):
    """Stress of all cells for the next tangent, see mechanics.mixed."""
    some_cells(tables, work, FORESEE_STRESS, part, 0, len(tables.cells))


@device
def prescribe(tables, n, t, q, v, work):
    """See motion.prescribe."""
    call_core(work.core[PRESCRIBE], (tables, work, float64(t), int64(n), q, v))


@device
def law_jet(tables, i, main, t, x, v, work):
    """See laws.evaluate_law."""
    call_core(work.core[LAW], (tables, work, float64(t), int64(i), int64(main), float64(x), float64(v)))
    return work.jet[0], work.jet[1], work.jet[2], work.jet[3]


@device
def time_law(tables, i, t, work):
    """(f, f', f'') of a function of time; law -1 is zero."""
    if i < 0:
        return 0.0, 0.0, 0.0
    f, d, _, dd = law_jet(tables, i, int64(0), t, 0.0, 0.0, work)
    return f, d, dd


@device
def modal(tables, work, task, q, v, a, out):
    """Inertia of bodies by modes, see core.modal_core."""
    call_core(work.core[MODAL], (tables, work, int64(task), q, v, a, out))


@device
def free_modal_accelerations(tables, v, work, out):
    """See modal.free_modal_accelerations."""
    modal(tables, work, FREE, v, v, v, out)


@device
def weigh_modal_rows(tables, work):
    """See modal.weigh_modal_rows."""
    modal(tables, work, WEIGH, work.correction, work.correction, work.correction, work.correction)


@device
def bend_modal_rows(tables, work):
    """See modal_curves.bend_modal_rows."""
    modal(tables, work, BEND, work.correction, work.correction, work.correction, work.correction)


@device
def divide_modal(tables, work, f, out):
    """See modal.divide_modal."""
    modal(tables, work, DIVIDE, f, f, f, out)


@device
def modal_kinetic_energy(tables, q, v, work):
    """See modal.modal_kinetic_energy."""
    modal(tables, work, KINETIC, q, v, v, v)
    return work.jet[0]


@device
def add_modal_residual(tables, v, a, work, out):
    """See modal.add_modal_residual."""
    modal(tables, work, RESIST, v, v, a, out)


@device
def add_modal_tangent(tables, v, multiplier, work, weight_mass, weight_rate, weight_place, kkt):
    """See modal.add_modal_tangent and modal_curves.add_curves_tangent."""
    weights = float64(weight_mass), float64(weight_rate), float64(weight_place)
    call_core(work.core[MODAL_TANGENT], (tables, work, v, multiplier, *weights, kkt.values, kkt.modal_at))
