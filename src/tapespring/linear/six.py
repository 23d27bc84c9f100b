"""Six numbers at once: the width of a frame's block. Numba leaves such short rows to scalar instructions; here they are
a type of their own, which LLVM keeps in vector registers."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

VECTOR = ir.VectorType(ir.DoubleType(), 6)


class Six(types.Type):
    """Six numbers in registers."""

    def __init__(self):
        super().__init__(name="Six")


six_numbers = Six()


@register_model(Six)
class SixModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, VECTOR)


def pointer(context, builder, array_type, array, index):
    """Address of six entries of a flat array of numbers."""
    data = cgutils.create_struct_proxy(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), VECTOR.as_pointer())


def broadcast(builder, number):
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), 6), [0] * 6)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), mask)


@intrinsic
def load6(typingctx, array, index):
    """array[index : index + 6] of a contiguous array"""

    def codegen(context, builder, signature, args):
        return builder.load(pointer(context, builder, signature.args[0], *args), align=8)

    return six_numbers(array, types.uintp), codegen


@intrinsic
def store6(typingctx, array, index, numbers):
    """array[index : index + 6] = numbers"""

    def codegen(context, builder, signature, args):
        builder.store(args[2], pointer(context, builder, signature.args[0], args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.none(array, types.uintp, six_numbers), codegen


@intrinsic
def less6(typingctx, numbers, factor, others):
    """numbers - factor others"""

    def codegen(context, builder, signature, args):
        product = builder.fmul(broadcast(builder, args[1]), args[2], flags=("contract",))
        return builder.fsub(args[0], product, flags=("contract",))

    return six_numbers(six_numbers, types.float64, six_numbers), codegen


@intrinsic
def scale6(typingctx, factor, numbers):
    """factor numbers"""

    def codegen(context, builder, signature, args):
        return builder.fmul(broadcast(builder, args[0]), args[1], flags=("contract",))

    return six_numbers(types.float64, six_numbers), codegen


@intrinsic
def times6(typingctx, numbers, others):
    """numbers times others, one by one"""

    def codegen(context, builder, signature, args):
        return builder.fmul(*args, flags=("contract",))

    return six_numbers(six_numbers, six_numbers), codegen


@intrinsic
def larger6(typingctx, numbers, others):
    """The larger ones of numbers and the magnitudes of others; a NaN among the others counts for nothing."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(VECTOR, [VECTOR])
        magnitude = cgutils.get_or_insert_function(builder.module, kind, "llvm.fabs.v6f64")
        sizes = builder.call(magnitude, [args[1]])
        return builder.select(builder.fcmp_ordered(">", sizes, args[0]), sizes, args[0])

    return six_numbers(six_numbers, six_numbers), codegen
