"""What implicit loops share: the equations of motion and their tangent, compiled once for all of them, weights of
errors."""

from __future__ import annotations

import numpy as np
from numpy import float64

from ..jit import call_core, device, kernel
from ..mechanics import tangent
from ..mechanics.linking import RESIDUAL, TANGENT
from ..mechanics.motion import position_rates
from ..mechanics.projection import copy
from ..mechanics.tables import N_POWERS, Tables, Work
from .kkt import any_kkt


@kernel
def residual_core(tables, work, t, q, v, a, multiplier, out):
    tangent.residual(tables, t, q, v, a, multiplier, work, out)


@kernel
def tangent_core(tables, work, t, q, v, multiplier, weight_mass, weight_rate, weight_place, kkt):
    tangent.add_tangent(tables, t, q, v, multiplier, work, weight_mass, weight_rate, weight_place, kkt)


@device
def residual(tables, t, q, v, a, multiplier, work, out):
    """See tangent.residual."""
    call_core(work.core[RESIDUAL], (tables, work, float64(t), q, v, a, multiplier, out))


@device
def add_tangent(tables, t, q, v, multiplier, work, weight_mass, weight_rate, weight_place, kkt):
    """See tangent.add_tangent."""
    weights = (float64(weight_mass), float64(weight_rate), float64(weight_place))
    call_core(work.core[TANGENT], (tables, work, float64(t), q, v, multiplier, weights[0], weights[1], weights[2], kkt))


def link_implicit(tables: Tables, work: Work) -> None:
    """Give a work the core functions of implicit solvers."""
    vector = np.empty(0)
    work.core[RESIDUAL] = residual_core.address(tables, work, 0.0, *(vector,) * 5)
    work.core[TANGENT] = tangent_core.address(tables, work, 0.0, *(vector,) * 3, 0.0, 0.0, 0.0, any_kkt())


@device
def weight(loop, i, size):
    """One over the error allowed in component i."""
    return 1.0 / (loop.tolerance[1] * loop.scale[i] + loop.tolerance[0] * abs(size))


@device
def larger(a, b):
    """The larger one; a NaN wins."""
    return b if not b <= a else a


@device
def put_rates(tables, q, v, a, power, out):
    """out <- rates of the state (q, v, works)."""
    nq, nv = len(q), len(v)
    position_rates(tables, q, v, out[:nq])
    copy(a, out[nq : nq + nv])
    for k in range(N_POWERS):
        out[nq + nv + k] = power[k]
