"""Flexible elements: beams, bars, and the drag of their nodes."""

from ..jit import device
from .bars import add_bar, add_bar_tangent, bar_energy
from .beams import add_beam, beam_energy
from .beams_tangent import add_beam_tangent
from .cells import add_cell, cell_energy, foresee_cell_stress
from .cells_tangent import add_cell_tangent
from .drags import add_drag, add_drag_tangent
from .hexa_lanes import add_hexahedra_tangent, are_hexahedra
from .linking import ADD_FORCES, FIND_ENERGY


@device
def has_elements(tables):
    return len(tables.beams) + len(tables.bars) + len(tables.cells) + len(tables.drags) > 0


@device
def add_elements(tables, work):
    """Forces and powers of all elements."""
    for e in range(len(tables.beams)):
        add_beam(tables, e, work)
    for i in range(len(tables.bars)):
        add_bar(tables, i, work)
    for i in range(len(tables.drags)):
        add_drag(tables, i, work)


@device
def elements_energy(tables, work):
    """Energy stored in beams and bars."""
    total = 0.0
    for e in range(len(tables.beams)):
        total += beam_energy(tables, e, work)
    for i in range(len(tables.bars)):
        total += bar_energy(tables, i, work)
    return total


@device
def add_elements_tangent(tables, work, weight_rate, weight_place, values, beam_at, bar_at, node_at):
    """values += weight_rate dr/dv + weight_place dr/d(displacement) of the elements' part of the residual r."""
    for e in range(len(tables.beams)):
        add_beam_tangent(tables, e, work, weight_rate, weight_place, values, beam_at)
    for i in range(len(tables.bars)):
        add_bar_tangent(tables, i, work, weight_rate, weight_place, values, bar_at)
    for i in range(len(tables.drags)):
        add_drag_tangent(tables, i, weight_rate, values, node_at)


@device
def cells(tables, work, what, part, first, last):
    """Of the cells from first to last - 1: forces and powers, or energy (which is returned), or stress for the next
    tangent after a part of a displacement (see mechanics.mixed): in one function, for it is compiled once."""
    total = 0.0
    for e in range(first, last):
        if what == ADD_FORCES:
            add_cell(tables, e, work)
        elif what == FIND_ENERGY:
            total += cell_energy(tables, e, work)
        else:
            foresee_cell_stress(tables, e, work, part)
    return total


@device
def add_cells_tangent(tables, work, weight_rate, weight_place, values, cell_at):
    """The same for cells."""
    e = 0
    while e < len(tables.cells):
        if are_hexahedra(tables, e):
            add_hexahedra_tangent(tables, e, work, weight_place, values, cell_at)
            e += 4
        else:
            add_cell_tangent(tables, e, work, weight_rate, weight_place, values, cell_at)
            e += 1
