"""Arrays in one piece of memory, so that compiled code can put them all back, or write into any of them."""

from __future__ import annotations

import ctypes

import numpy as np

LINE = 64  # bytes of a cache line, with which each array begins


def in_one_piece(arrays: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """(memory as whole numbers of 64 bits, copies of the arrays in it); arrays that share memory go on sharing it."""
    owners = {id(o): o for o in map(owner_of, arrays)}
    begins, size = {}, 0
    for key, owner in owners.items():
        begins[key] = size
        size += -(-owner.nbytes // LINE) * LINE
    room = np.zeros(size // 8 + LINE // 8, np.int64)
    skip = -room.ctypes.data % LINE // 8
    memory = room[skip : skip + size // 8]
    for key, owner in owners.items():
        ctypes.memmove(memory.ctypes.data + begins[key], owner.ctypes.data, owner.nbytes)
    return memory, [placed(a, memory, begins[id(owner_of(a))]) for a in arrays]


def owner_of(array: np.ndarray) -> np.ndarray:
    """The array whose memory it looks at."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def placed(array: np.ndarray, memory: np.ndarray, begin: int) -> np.ndarray:
    """The array where its owner was copied to."""
    offset = begin + array.ctypes.data - owner_of(array).ctypes.data if array.size else 0
    there = np.ndarray(array.shape, array.dtype, memory.view(np.uint8), offset, array.strides)
    there.flags.writeable = array.flags.writeable
    return there
