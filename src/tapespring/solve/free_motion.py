"""The motion that nothing resists, and how it is told."""

from __future__ import annotations

import numpy as np

from ..build.assembler import System
from ..mechanics import tables as tb

RESISTED = 1e-9  # of the largest stiffness


def softest_motion(K) -> tuple[float, np.ndarray, np.ndarray]:
    """(smallest singular value over the largest entry, its vector, scale of rows and columns) of a sparse matrix made
    up to entries of order one; by inverse iteration, for it may be large."""
    from scipy.sparse import diags_array, eye_array
    from scipy.sparse.linalg import splu

    size = np.sqrt(abs(K).max(axis=1).toarray().ravel())
    size[size == 0.0] = 1.0
    D = diags_array(1.0 / size)
    factors = splu((D @ K @ D + 1e-14 * eye_array(K.shape[0])).tocsc())
    x = np.random.default_rng(0).normal(size=K.shape[0])
    growth = 1.0
    for _ in range(8):
        y = factors.solve(factors.solve(x / np.linalg.norm(x), trans="T"))
        growth, x = float(np.linalg.norm(y)), y
    return 1.0 / np.sqrt(growth), x / np.linalg.norm(x), size


def moves_most(tables: tb.Tables, motion: np.ndarray) -> int:
    """The node that takes most part in a displacement."""
    i, first = int(np.argmax(np.abs(motion))), tables.nodes["v"]
    return max((n for n in range(1, len(first)) if first[n] <= i), key=lambda n: int(first[n]))


def words_of_free_motion(system: System, K, weight: np.ndarray) -> str:
    """Of a balanced place with the matrix K, displacements counted by their weight; empty if all is resisted."""
    softest, shape, size = softest_motion(K)
    if softest > RESISTED:
        return ""
    tables, motion = system.tables, shape / size
    n = moves_most(tables, motion[: len(weight)] * weight)
    j = int(tables.nodes[n]["v"])
    turns = int(np.argmax(np.abs(motion[: len(weight)] * weight))) >= j + 3
    d = motion[j + 3 : j + 6] if turns else motion[j : j + 3]
    d = d / np.linalg.norm(d) * np.sign(d[np.argmax(np.abs(d))])
    along = ", ".join(f"{c:.2g}" for c in np.where(np.abs(d) < 1e-9, 0.0, d))
    verb, axes = ("turn about", "its own axes") if turns else ("move along", "world axes")
    slack = tables.nodes[n]["kind"] == tb.POINT and n in tables.corners["node"]
    remedy = "give the membrane a tension, " if slack else ""
    return (
        f"nothing resists that '{system.drafts.nodes[n].label}' should {verb} ({along}) in {axes}; {remedy}hold it by "
        "a joint or a spring, or use a dynamic solver"
    )
