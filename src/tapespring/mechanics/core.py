"""The core functions every solver shares, and how kernels call them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import float64, typeof

from ..jit import call_core, core, device
from ..reference import Reference
from . import dynamics, projection
from .tables import Tables, Work

ACCELERATIONS, PROJECT = 0, 1


@core
def accelerations_core(tables, work, t, q, v, out, alpha, beta):
    dynamics.accelerations(tables, t, q, v, work, out, alpha, beta)


@core
def project_core(tables, work, t, q, v, small):
    projection.project(tables, t, q, v, work, small)


@device
def accelerations(tables, t, q, v, work, out, alpha, beta):
    """See dynamics.accelerations."""
    call_core(work.core[ACCELERATIONS], (tables, work, float64(t), q, v, out, float64(alpha), float64(beta)))


@device
def project(tables, t, q, v, work, small):
    """See projection.project."""
    call_core(work.core[PROJECT], (tables, work, float64(t), q, v, float64(small)))


@cache
def addresses(tables_type, work_type) -> np.ndarray:
    """Addresses of the core functions, compiling them if this is the first time ever."""
    vector = float64[::1]
    packs = (Reference(tables_type), Reference(work_type), float64)
    table = np.zeros(16, np.int64)
    table[ACCELERATIONS] = accelerations_core.address((*packs, vector, vector, vector, float64, float64))
    table[PROJECT] = project_core.address((*packs, vector, vector, float64))
    return table


def link(tables: Tables, work: Work) -> Work:
    """Give a work its core functions."""
    work.core[:] = addresses(typeof(tables), typeof(work))
    return work
