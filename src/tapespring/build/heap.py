"""Where large arrays lie in memory.

Arrays above a limit get pages of their own: those that hold zeros take no memory until they are written to, and freed
ones are the system's again. glibc raises the limit, up to 32 MB, whenever a larger array is freed: 100 000 shells then
took 60 MB more, in zeros that nobody reads and in gaps between arrays.
"""

from __future__ import annotations

import ctypes
import sys

TRIM, LIMIT = -1, -3  # numbers of glibc's mallopt
LARGE = 2 << 20  # [bytes]


def keep_large_arrays_apart() -> None:
    """For the rest of the process; nothing with another C library."""
    if sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
        if set_option is not None:
            set_option(LIMIT, LARGE)
            set_option(TRIM, 2 * LARGE)  # else it would fall to 128 kB, and small arrays come and go all the time
