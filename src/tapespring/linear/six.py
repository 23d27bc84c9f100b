"""Six numbers at once: the width of a frame's block. Numba leaves such short rows to scalar instructions; here they are
a type of their own, four and two numbers in vector registers. (A single vector of six is none that processors know:
LLVM takes it apart at the end of every turn of a loop.)"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

PARTS = tuple((first, ir.VectorType(ir.DoubleType(), count)) for first, count in ((0, 4), (4, 2)))
BOTH = ir.LiteralStructType([kind for _, kind in PARTS])


class Six(types.Type):
    """Six numbers in registers."""

    def __init__(self):
        super().__init__(name="Six")


six_numbers = Six()


@register_model(Six)
class SixModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, BOTH)


def pointers(context, builder, array_type, array, index):
    """Addresses of the parts of six entries of a flat array of numbers."""
    data = cgutils.create_struct_proxy(array_type)(context, builder, array).data
    at = builder.gep(data, [index])
    return [builder.bitcast(builder.gep(at, [ir.Constant(ir.IntType(64), first)]), kind.as_pointer())
            for first, kind in PARTS]  # fmt: skip


def by_parts(builder, action, *sixes):
    """What the action on (type, parts of the sixes …) gives, put together."""
    out = ir.Constant(BOTH, ir.Undefined)
    for i, (_, kind) in enumerate(PARTS):
        out = builder.insert_value(out, action(kind, *(builder.extract_value(s, i) for s in sixes)), i)
    return out


def broadcast(builder, number, kind):
    nothing = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    return builder.shuffle_vector(one, nothing, mask)


@intrinsic
def load6(typingctx, array, index):
    """array[index : index + 6] of a contiguous array"""

    def codegen(context, builder, signature, args):
        out = ir.Constant(BOTH, ir.Undefined)
        for i, at in enumerate(pointers(context, builder, signature.args[0], *args)):
            out = builder.insert_value(out, builder.load(at, align=8), i)
        return out

    return six_numbers(array, types.uintp), codegen


@intrinsic
def store6(typingctx, array, index, numbers):
    """array[index : index + 6] = numbers"""

    def codegen(context, builder, signature, args):
        for i, at in enumerate(pointers(context, builder, signature.args[0], args[0], args[1])):
            builder.store(builder.extract_value(args[2], i), at, align=8)
        return context.get_dummy_value()

    return types.none(array, types.uintp, six_numbers), codegen


@intrinsic
def less6(typingctx, numbers, factor, others):
    """numbers - factor others"""

    def codegen(context, builder, signature, args):
        def less(kind, a, b):
            product = builder.fmul(broadcast(builder, args[1], kind), b, flags=("contract",))
            return builder.fsub(a, product, flags=("contract",))

        return by_parts(builder, less, args[0], args[2])

    return six_numbers(six_numbers, types.float64, six_numbers), codegen


@intrinsic
def scale6(typingctx, factor, numbers):
    """factor numbers"""

    def codegen(context, builder, signature, args):
        def scaled(kind, a):
            return builder.fmul(broadcast(builder, args[0], kind), a, flags=("contract",))

        return by_parts(builder, scaled, args[1])

    return six_numbers(types.float64, six_numbers), codegen


@intrinsic
def times6(typingctx, numbers, others):
    """numbers times others, one by one"""

    def codegen(context, builder, signature, args):
        return by_parts(builder, lambda _, a, b: builder.fmul(a, b, flags=("contract",)), *args)

    return six_numbers(six_numbers, six_numbers), codegen


@intrinsic
def larger6(typingctx, numbers, others):
    """The larger ones of numbers and the magnitudes of others; a NaN among the others counts for nothing."""

    def codegen(context, builder, signature, args):
        def larger(kind, a, b):
            name = f"llvm.fabs.v{kind.count}f64"
            magnitude = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), name)
            sizes = builder.call(magnitude, [b])
            return builder.select(builder.fcmp_ordered(">", sizes, a), sizes, a)

        return by_parts(builder, larger, *args)

    return six_numbers(six_numbers, six_numbers), codegen
