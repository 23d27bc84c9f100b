"""How the numbers of cells lie: four cells of a form side by side, number below number.

    scalars without stress | vectors that corners carry, node axes | C, or points and their law

Of a block of C there stands

    WHOLE      its upper triangle, by rows
    MULTIPLE   its ratio to the block before: bending of a sheet of one material is stretching times a square of length
    EVEN       what all its entries have, and what those of the diagonal have more

Kernels that compute four cells at a time read rows of
four, those that take one cell after another read its lane; there is no other copy. Lanes without a cell are zero.
"""

from __future__ import annotations

import numpy as np

from ..mechanics.tables import EVEN, MULTIPLE, WHOLE
from .form import Form

WIDTH = 4
LINE = 64  # [bytes] of a processor's cache


def zeros_on_lines(rows: int, fields: int) -> np.ndarray:
    """(rows, fields, 4) from the beginning of a cache line: no four then straddle two lines."""
    size = rows * fields * WIDTH
    room = np.zeros(size + LINE // 8)
    first = -room.ctypes.data % LINE // 8
    return room[first : first + size].reshape(rows, fields, WIDTH)


def blocks_of(cells: int) -> int:
    """Blocks of four that hold these many cells."""
    return -(-cells // WIDTH)


def carried_size(form: Form) -> int:
    return 3 * form.corners * form.carried


def kept_size(size: int, kept: int) -> int:
    """Numbers stored of a block of C."""
    return {WHOLE: size * (size + 1) // 2, MULTIPLE: 1, EVEN: 2}[kept]


def upper(block: np.ndarray) -> np.ndarray:
    """(cells, n (n + 1) / 2) of symmetric matrices (cells, n, n)."""
    i, j = np.triu_indices(block.shape[-1])
    return block[:, i, j]


def put(store: np.ndarray, first: int, field: int, values: np.ndarray) -> None:
    """Numbers (cells, n) of cells from `first` on, a multiple of four, from a field on."""
    count, n = values.shape
    whole, left = divmod(count, WIDTH)
    b = first // WIDTH
    rows = values[: WIDTH * whole].reshape(whole, WIDTH, n)
    store[b : b + whole, field : field + n] = rows.transpose(0, 2, 1)
    if left:
        store[b + whole, field : field + n, :left] = values[WIDTH * whole :].T
