"""Two threads at one pass: the caller sweeps its range of the chains, a helper the other.

The helper waits in compiled code, without Python's lock, for a number to rise, claims its range and sweeps it. A caller
that is done with its own before the helper began (another program may have its core) claims that range and sweeps it
too; else it waits for the helper to end. Results are those of one thread, bit by bit: each node is computed by the same
operations.
"""

from __future__ import annotations

import platform
import threading
import time
from contextlib import contextmanager

from llvmlite import ir
from numba import int64, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from ..jit import device, free_kernel
from ..mechanics.chains import STATE_DAMPED, sweep, sweep_damped
from ..reference import by_reference

# places in Chains.sync, a cache line or more apart
GO, DONE, QUIT, READY, CLAIM = 0, 16, 32, 48, 64
PATIENCE = 2000  # looks before the core is offered to others
X86 = platform.machine() in ("x86_64", "AMD64")
LINUX = platform.system() == "Linux"


def place(context, builder, array_type, array, i):
    data = arrayobj.make_array(array_type)(context, builder, array)
    return cgutils.gep_inbounds(builder, data.data, i)


@intrinsic
def read(typingctx, array, i):
    """array[i], not before what another thread wrote ahead of it is visible."""

    def codegen(context, builder, signature, args):
        return builder.load_atomic(place(context, builder, signature.args[0], *args), "acquire", 8)

    return types.int64(array, types.int64), codegen


@intrinsic
def write(typingctx, array, i, value):
    """array[i] = value, visible only after all that was written before."""

    def codegen(context, builder, signature, args):
        builder.store_atomic(args[2], place(context, builder, signature.args[0], *args[:2]), "release", 8)
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64), codegen


@intrinsic
def relax(typingctx):
    """Tell the processor that this thread only waits."""

    def codegen(context, builder, signature, args):
        if X86:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), [])
        return context.get_dummy_value()

    return types.none(), codegen


@intrinsic
def claim(typingctx, array, i, value):
    """array[i] from value - 1 to value, if no other thread did it before: whether this one did."""

    def codegen(context, builder, signature, args):
        before = builder.sub(args[2], ir.Constant(ir.IntType(64), 1))
        at = place(context, builder, signature.args[0], *args[:2])
        found = builder.cmpxchg(at, before, args[2], "acq_rel", "acquire")
        return builder.extract_value(found, 1)

    return types.boolean(array, types.int64, types.int64), codegen


@intrinsic
def give_way(typingctx):
    """Let another thread have this core."""

    def codegen(context, builder, signature, args):
        if LINUX:
            kind = ir.FunctionType(ir.IntType(32), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.none(), codegen


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


@free_kernel
def help_out(tables, chains):
    """Sweep range 1 whenever asked to, until told to stop."""
    T, C = by_reference(tables), by_reference(chains)
    sync = C.sync
    turn = read(sync, GO)
    write(sync, READY, 1)
    while True:
        wait_for_turn(sync, turn)
        if read(sync, QUIT) == 1:
            return
        turn = read(sync, GO)
        if claim(sync, CLAIM, turn):
            sweep_range(T, C, int64(1), C.step[0])
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
