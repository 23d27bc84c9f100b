"""How the numbers of cells lie: four cells of a form side by side, number below number.

    scalars without stress | vectors that corners carry, node axes | C, or points and their law

Of every block of C the upper triangle stands there, by rows. Kernels that compute four cells at a time read rows of
four, those that take one cell after another read its lane; there is no other copy. Lanes without a cell are zero.
"""

from __future__ import annotations

import numpy as np

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
