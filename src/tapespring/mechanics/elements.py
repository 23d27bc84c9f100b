"""Flexible elements: beams, bars, and the drag of their nodes."""

from ..jit import device
from .bars import add_bar, add_bar_tangent, bar_energy
from .beams import add_beam, beam_energy
from .beams_tangent import add_beam_tangent
from .cells import add_cell, cell_energy, foresee_cell_stress
from .cells_tangent import add_cell_tangent
from .drags import add_drag, add_drag_tangent


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
def add_cells(tables, work, first, last):
    """Forces and powers of the cells from first to last - 1."""
    for e in range(first, last):
        add_cell(tables, e, work)


@device
def cells_energy(tables, work):
    """Energy stored in cells."""
    total = 0.0
    for e in range(len(tables.cells)):
        total += cell_energy(tables, e, work)
    return total


@device
def add_cells_tangent(tables, work, weight_rate, weight_place, values, cell_at):
    """The same for cells."""
    for e in range(len(tables.cells)):
        add_cell_tangent(tables, e, work, weight_rate, weight_place, values, cell_at)


@device
def foresee_cells(tables, work, part):
    """Stress of all cells for the next tangent, see mechanics.mixed."""
    for e in range(len(tables.cells)):
        foresee_cell_stress(tables, e, work, part)
