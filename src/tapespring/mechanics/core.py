"""The core functions: compiled once by themselves, for the parts a model uses."""

from __future__ import annotations

from functools import cache

from numba import float64, int64, typeof

from ..jit import core
from ..reference import Reference
from . import dynamics, elements, forces, laws, motion, projection
from .linking import (
    ACCELERATIONS,
    ELEMENTS,
    ELEMENTS_ENERGY,
    ELEMENTS_TANGENT,
    FORCES,
    LAW,
    PRESCRIBE,
    PROJECT,
    STRAIN,
)
from .tables import Tables, Work


@core
def accelerations_core(tables, work, t, q, v, out, alpha, beta):
    dynamics.accelerations(tables, t, q, v, work, out, alpha, beta)


@core
def project_core(tables, work, t, q, v, small):
    projection.project(tables, t, q, v, work, small)


@core
def forces_core(tables, work, t):
    forces.add_model_forces(tables, t, work)


@core
def strain_core(tables, work, t):
    work.jet[0] = forces.strain_energy(tables, t, work)


@core
def prescribe_core(tables, work, t, n, q, v):
    motion.prescribe(tables, n, t, q, v, work)


@core
def law_core(tables, work, t, i, main, x, v):
    f, d1, d2, d11 = laws.evaluate_law(tables, i, main, t, x, v, work.stack)
    work.jet[0] = f
    work.jet[1] = d1
    work.jet[2] = d2
    work.jet[3] = d11


@core
def elements_core(tables, work):
    elements.add_elements(tables, work)


@core
def elements_energy_core(tables, work):
    work.jet[0] = elements.elements_energy(tables, work)


@core
def elements_tangent_core(tables, work, weight_rate, weight_place, values, beam_at, bar_at, node_at):
    elements.add_elements_tangent(tables, work, weight_rate, weight_place, values, beam_at, bar_at, node_at)


@cache
def address(place: int, tables_type, work_type) -> int:
    """Address of a core function, compiling it if this is the first time ever."""
    vector, places = float64[::1], int64[:, :, :, ::1]
    function, extra = {
        ACCELERATIONS: (accelerations_core, (float64, vector, vector, vector, float64, float64)),
        PROJECT: (project_core, (float64, vector, vector, float64)),
        FORCES: (forces_core, (float64,)),
        STRAIN: (strain_core, (float64,)),
        PRESCRIBE: (prescribe_core, (float64, int64, vector, vector)),
        LAW: (law_core, (float64, int64, int64, float64, float64)),
        ELEMENTS: (elements_core, ()),
        ELEMENTS_ENERGY: (elements_energy_core, ()),
        ELEMENTS_TANGENT: (elements_tangent_core, (float64, float64, vector, places, places, int64[:, ::1])),
    }[place]
    return function.address((Reference(tables_type), Reference(work_type), *extra))


def parts_of(t: Tables) -> list[int]:
    """Places in Work.core that a model with these tables needs."""
    springs = len(t.couplings) + len(t.bushings) > 0
    elastic = len(t.beams) + len(t.bars) + len(t.drags) > 0
    wanted = {
        ACCELERATIONS: True,
        PROJECT: True,
        FORCES: springs or len(t.loads) > 0,
        STRAIN: springs or elastic,
        PRESCRIBE: len(t.motions) > 0,
        LAW: len(t.laws) > 0,
        ELEMENTS: elastic,
        ELEMENTS_ENERGY: elastic,
        ELEMENTS_TANGENT: elastic,
    }
    return [place for place, needed in wanted.items() if needed]


def link(tables: Tables, work: Work) -> Work:
    """Give a work the core functions its model needs."""
    types = typeof(tables), typeof(work)
    for place in parts_of(tables):
        work.core[place] = address(place, *types)
    return work
