"""Four numbers that are computed with as one: arithmetic that becomes the processor's vector instructions.

Functions written for tuples of floats (math.vec3, math.screws) work as they are on tuples of `Lanes`. Arrays that are
read and written this way end in an axis of four. Products and sums may be fused, as everywhere.
"""

import math
import operator

from llvmlite import ir
from numba import float64, types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model
from numba.np import arrayobj

WIDTH = 4
FLAGS = ("contract", "nsz", "arcp")
VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)


class Lanes(types.Type):
    """Type of four numbers."""

    def __init__(self):
        super().__init__(name="Lanes")


lanes = Lanes()


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, VECTOR)


def spread(builder, scalar):
    """The same number in every lane."""
    vector = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(vector, ir.Constant(VECTOR, ir.Undefined), mask)


def add_operator(operation, instruction):
    """Type and code of one operator for lanes with lanes and with floats."""

    @infer_global(operation)
    class Cases(ConcreteTemplate):
        cases = [  # noqa: RUF012
            signature(lanes, lanes, lanes),
            signature(lanes, float64, lanes),
            signature(lanes, lanes, float64),
        ]

    def code(context, builder, sig, args):
        pair = [spread(builder, a) if t == float64 else a for a, t in zip(args, sig.args, strict=True)]
        return getattr(builder, instruction)(*pair, flags=FLAGS)

    for left, right in ((lanes, lanes), (types.Float, lanes), (lanes, types.Float)):
        lower_builtin(operation, left, right)(code)


for name, instruction in (("add", "fadd"), ("sub", "fsub"), ("mul", "fmul"), ("truediv", "fdiv")):
    add_operator(getattr(operator, name), instruction)


@infer_global(operator.neg)
class Negative(ConcreteTemplate):
    cases = [signature(lanes, lanes)]  # noqa: RUF012


@lower_builtin(operator.neg, lanes)
def negative(context, builder, sig, args):
    return builder.fsub(ir.Constant(VECTOR, [-0.0] * WIDTH), args[0], flags=FLAGS)


@infer_global(math.sqrt)
class SquareRoot(ConcreteTemplate):
    cases = [signature(lanes, lanes)]  # noqa: RUF012


@lower_builtin(math.sqrt, lanes)
def square_root(context, builder, sig, args):
    function = ir.FunctionType(VECTOR, [VECTOR])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, "llvm.sqrt.v4f64"), args)


def address(context, builder, array_type, array, i, k):
    """Of array[i, k, 0]."""
    data = arrayobj.make_array(array_type)(context, builder, array)
    fields = cgutils.unpack_tuple(builder, data.shape)[1]
    row = builder.mul(builder.add(builder.mul(i, fields), k), ir.Constant(i.type, WIDTH))
    return builder.bitcast(builder.gep(data.data, [row]), VECTOR.as_pointer())


@intrinsic
def load4(typingctx, array, i, k):
    """array[i, k, 0:4]"""

    def codegen(context, builder, signature, args):
        value = builder.load(address(context, builder, signature.args[0], *args))
        value.align = 8
        return value

    return lanes(array, types.int64, types.int64), codegen


def row_address(context, builder, array_type, array, i):
    """Of array[i, 0]."""
    data = arrayobj.make_array(array_type)(context, builder, array)
    first = builder.gep(data.data, [builder.mul(i, ir.Constant(i.type, WIDTH))])
    return builder.bitcast(first, VECTOR.as_pointer())


@intrinsic
def load_row(typingctx, array, i):
    """array[i, 0:4], rows of which follow one another"""

    def codegen(context, builder, signature, args):
        value = builder.load(row_address(context, builder, signature.args[0], *args))
        value.align = 8
        return value

    return lanes(array, types.int64), codegen


@intrinsic
def store_row(typingctx, array, i, value):
    """array[i, 0:4] = value"""

    def codegen(context, builder, signature, args):
        place = builder.store(args[2], row_address(context, builder, signature.args[0], *args[:2]))
        place.align = 8
        return context.get_dummy_value()

    return types.none(array, types.int64, lanes), codegen


@intrinsic
def store4(typingctx, array, i, k, value):
    """array[i, k, 0:4] = value"""

    def codegen(context, builder, signature, args):
        place = builder.store(args[3], address(context, builder, signature.args[0], *args[:3]))
        place.align = 8
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64, lanes), codegen


@intrinsic
def same(typingctx, scalar):
    """A number in every lane."""
    return lanes(types.float64), lambda context, builder, signature, args: spread(builder, args[0])


@intrinsic
def larger4(typingctx, a, b):
    """The larger one, lane by lane."""

    def codegen(context, builder, signature, args):
        return builder.select(builder.fcmp_ordered(">", args[0], args[1]), args[0], args[1])

    return lanes(lanes, lanes), codegen


@intrinsic
def not_above4(typingctx, a, b):
    """Whether a <= b, lane by lane: bits of a number, the first lane's lowest."""

    def codegen(context, builder, signature, args):
        bits = builder.bitcast(builder.fcmp_ordered("<=", args[0], args[1]), ir.IntType(WIDTH))
        return builder.zext(bits, ir.IntType(64))

    return types.int64(lanes, lanes), codegen


@intrinsic
def lane(typingctx, a, i):
    """One of the four."""

    def codegen(context, builder, signature, args):
        return builder.extract_element(args[0], builder.trunc(args[1], ir.IntType(32)))

    return types.float64(lanes, types.int64), codegen


@intrinsic
def four(typingctx, a, b, c, d):
    """Four numbers as one."""

    def codegen(context, builder, signature, args):
        vector = ir.Constant(VECTOR, ir.Undefined)
        for i, value in enumerate(args):
            vector = builder.insert_element(vector, value, ir.Constant(ir.IntType(32), i))
        return vector

    return lanes(*[types.float64] * WIDTH), codegen


@intrinsic
def transpose4(typingctx, a, b, c, d):
    """Four times four: the first lanes of all, the second ones, and so on."""

    def codegen(context, builder, signature, args):
        def mixed(x, y, which):
            return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), which))

        even, odd, low, high = [0, 4, 2, 6], [1, 5, 3, 7], [0, 1, 4, 5], [2, 3, 6, 7]
        pairs = [mixed(*two, which) for two in (args[:2], args[2:]) for which in (even, odd)]
        rows = [mixed(pairs[i], pairs[i + 2], which) for which in (low, high) for i in (0, 1)]
        return context.make_tuple(builder, signature.return_type, rows)

    return types.UniTuple(lanes, WIDTH)(*[lanes] * WIDTH), codegen


@intrinsic
def sum4(typingctx, a):
    """Of the four."""

    def codegen(context, builder, signature, args):
        one, two, three, last = (builder.extract_element(args[0], ir.Constant(ir.IntType(32), i)) for i in range(WIDTH))
        return builder.fadd(builder.fadd(one, two), builder.fadd(three, last))

    return types.float64(lanes), codegen
