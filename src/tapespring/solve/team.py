"""Two threads at one pass: the caller sweeps its range of the chains, a helper the other.

The helper waits in compiled code, without Python's lock, for a number to rise, claims its range and sweeps it. A caller
that is done with its own before the helper began (another program may have its core) claims that range and sweeps it
too; else it waits for the helper to end. Results are those of one thread, bit by bit: each node is computed by the same
operations.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager

from numpy import int64

from ..jit import device, from_numba, kernel
from ..mechanics.chains import STATE_DAMPED, sweep, sweep_damped

claim, give_way, read, relax, write = from_numba(".solve.signals", "claim", "give_way", "read", "relax", "write")

# places in Chains.sync, a cache line or more apart
GO, DONE, QUIT, READY, CLAIM = 0, 16, 32, 48, 64
PATIENCE = 2000  # looks before the core is offered to others


@device
def wait_for_turn(sync, last):
    """Until there is a new turn or the team is told to quit; offers the core to others after a while."""
    looks = 0
    while read(sync, GO) == last and read(sync, QUIT) == 0:
        looks += 1
        if looks > PATIENCE:
            give_way()
        else:
            relax()


@device
def sweep_range(tables, chains, k, h):
    """One step of the chains in range k."""
    first, last = chains.ranges[k, 0], chains.ranges[k, 1]
    if chains.state.shape[1] == STATE_DAMPED:
        sweep_damped(chains.state, chains.data, first, last, h, tables.gravity, chains.found[k])
    else:
        sweep(chains.state, chains.data, first, last, h, tables.gravity, chains.found[k])


@device
def sweep_all(tables, chains, h):
    """One step of all chains, with the helper if there is one."""
    sync = chains.sync
    if read(sync, READY) == 0:
        for k in range(len(chains.ranges)):
            sweep_range(tables, chains, k, h)
        return
    turn = read(sync, GO) + 1
    chains.step[0] = h
    write(sync, GO, turn)
    sweep_range(tables, chains, int64(0), h)
    if claim(sync, CLAIM, turn):
        sweep_range(tables, chains, int64(1), h)
    else:
        while read(sync, DONE) != turn:
            relax()


@kernel
def help_out(tables, chains):
    """Sweep range 1 whenever asked to, until told to stop."""
    sync = chains.sync
    turn = read(sync, GO)
    write(sync, READY, 1)
    while True:
        wait_for_turn(sync, turn)
        if read(sync, QUIT) == 1:
            return
        turn = read(sync, GO)
        if claim(sync, CLAIM, turn):
            sweep_range(tables, chains, int64(1), chains.step[0])
            write(sync, DONE, turn)


@contextmanager
def helper(tables, chains):
    """A helper at work while the block runs, if there are two ranges."""
    if len(chains.ranges) < 2:
        yield
        return
    chains.sync[:] = 0
    thread = threading.Thread(target=help_out, args=(tables, chains), daemon=True)
    thread.start()
    while chains.sync[READY] == 0 and thread.is_alive():
        time.sleep(0)
    try:
        yield
    finally:
        chains.sync[QUIT] = 1
        thread.join()
        chains.sync[:] = 0
