"""Six numbers at once: the width of a frame's block. Numba leaves such short rows to scalar instructions; here they are
a type of their own, which LLVM keeps in vector registers."""

from ..jit import intrinsic


@intrinsic
def load6(typingctx, array, index):
    """array[index : index + 6] of a contiguous array"""
    from numba import types

    from .registers import pointer, six_numbers

    def codegen(context, builder, signature, args):
        return builder.load(pointer(context, builder, signature.args[0], *args), align=8)

    return six_numbers(array, types.uintp), codegen


@intrinsic
def store6(typingctx, array, index, numbers):
    """array[index : index + 6] = numbers"""
    from numba import types

    from .registers import pointer, six_numbers

    def codegen(context, builder, signature, args):
        builder.store(args[2], pointer(context, builder, signature.args[0], args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.none(array, types.uintp, six_numbers), codegen


@intrinsic
def less6(typingctx, numbers, factor, others):
    """numbers - factor others"""
    from numba import types

    from .registers import broadcast, six_numbers

    def codegen(context, builder, signature, args):
        product = builder.fmul(broadcast(builder, args[1]), args[2], flags=("contract",))
        return builder.fsub(args[0], product, flags=("contract",))

    return six_numbers(six_numbers, types.float64, six_numbers), codegen


@intrinsic
def scale6(typingctx, factor, numbers):
    """factor numbers"""
    from numba import types

    from .registers import broadcast, six_numbers

    def codegen(context, builder, signature, args):
        return builder.fmul(broadcast(builder, args[0]), args[1], flags=("contract",))

    return six_numbers(types.float64, six_numbers), codegen
