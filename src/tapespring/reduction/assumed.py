"""Shapes that are assumed instead of found: displacements along x, y and z as formulas of the place as drawn [m].

Nodes that turn do so by half the curl of the field. Sections of a beam along x that bends by w(x) along z move by
-z w'(x) along x: write that too, for only then is half the curl their turn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..modal.inertia import gathered
from ..schema.expressions import ExpressionError, compile_expression
from ..schema.problems import ModelError, Problem
from ..schema.programs import Program, evaluate
from .coordinates import Coordinates
from .methods import Span
from .structure import Structure

STEP = 1e-4  # of the size of the structure, for the curl
NEAR = 1e-6  # of the largest displacement
AXES = ("x", "y", "z")


def read_shapes(given: str | Sequence) -> list[list[Program]]:
    """From `[["-2*x*z", 0, "x^2"], …]`, or as text `-2*x*z, 0, x^2; …`. Raises ModelError."""
    if isinstance(given, str):
        given = [part.split(",") for part in given.split(";") if part.strip()]
    found = []
    for k, shape in enumerate(given):
        if isinstance(shape, str) or len(shape) != 3:
            raise ModelError(
                Problem(None, ("shapes", k), "a shape has three formulas, for displacements along x, y, z")
            )
        try:
            found.append([compile_expression(str(formula), AXES) for formula in shape])
        except ExpressionError as reason:
            raise ModelError(Problem(None, ("shapes", k), str(reason))) from None
    return found


def assumed_shapes(
    structure: Structure, z: Coordinates, fields: list[list[Program]], drop: float
) -> tuple[np.ndarray, np.ndarray]:
    """(ω² rising, shapes (nz, n) of unit modal mass): the combinations that vibrate. Raises ModelError."""
    if not fields:
        raise ModelError(Problem(None, ("shapes",), "method 'assumed' needs shapes, such as [['-2*x*z', 0, 'x^2']]"))
    u = np.zeros((structure.size, len(fields)))
    nodal = displaced(structure, fields)
    there = gathered(nodal, structure.freedoms)
    u[: len(there)] = there
    V = z.back @ u
    miss = np.abs(z.T @ V - u).max(axis=0) - NEAR * np.abs(u).max(axis=0)
    if miss.max() > 0.0:
        k = int(np.argmax(miss))
        freedom = int(np.argmax(np.abs(z.T @ V - u)[:, k]))
        node = structure.label(structure.owner(freedom)[0])
        message = f"shape {k + 1} moves {node} though it is held or tied; choose one that leaves it in place"
        raise ModelError(Problem(None, ("shapes", k), message))
    span = Span(V, z)
    squares, T = span.solved(np.arange(len(fields)), drop)
    return squares, span.V @ T


def displaced(structure: Structure, fields: list[list[Program]]) -> np.ndarray:
    """(nodes, 6, n): displacements, and half the curl."""
    x = structure.positions
    step = STEP * (float(np.ptp(x, axis=0).max(initial=0.0)) or 1.0)
    slopes = [(at(fields, x + step * e) - at(fields, x - step * e)) / (2.0 * step) for e in np.eye(3)]
    turn = [slopes[(k + 1) % 3][:, (k + 2) % 3] - slopes[(k + 2) % 3][:, (k + 1) % 3] for k in range(3)]
    return np.concatenate((at(fields, x), 0.5 * np.stack(turn, axis=1)), axis=1)


def at(fields: list[list[Program]], places: np.ndarray) -> np.ndarray:
    """(nodes, 3, n)"""
    return np.array([[[evaluate(f[c], p) for f in fields] for c in range(3)] for p in places.tolist()])
