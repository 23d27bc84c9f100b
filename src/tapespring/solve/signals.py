"""What threads in compiled code say to each other (solve.team). Imports Numba: imported only to compile."""

import platform

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

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
