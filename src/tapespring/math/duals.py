"""Numbers that know their derivatives: a value and its change with three variables, computed with as one.

Functions written for floats and tuples of floats (math.vec3) work as they are on `Dual` numbers and give exact
derivatives along with their results. Comparisons look at values only. A float becomes a Dual that does not change.
"""

import math
import operator

from llvmlite import ir
from numba import float64, types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

WIDTH = 4  # the value, then the derivatives
FLAGS = ("contract", "nsz", "arcp")
DOUBLE = ir.DoubleType()
VECTOR = ir.VectorType(DOUBLE, WIDTH)
FIRST = ir.Constant(ir.IntType(32), 0)


class Dual(types.Type):
    """Type of a value and three derivatives."""

    def __init__(self):
        super().__init__(name="Dual")

    def can_convert_from(self, typingctx, other):
        return Conversion.promote if other == float64 else None

    def unify(self, typingctx, other):
        return self if other == float64 else None


dual = Dual()


@register_model(Dual)
class DualModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, VECTOR)


def spread(builder, scalar):
    """The same number in every lane."""
    vector = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), scalar, FIRST)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(vector, ir.Constant(VECTOR, ir.Undefined), mask)


def constant(builder, scalar):
    """A number that does not change."""
    return builder.insert_element(ir.Constant(VECTOR, [0.0] * WIDTH), scalar, FIRST)


def value(builder, number):
    return builder.extract_element(number, FIRST)


def with_value(builder, number, scalar):
    return builder.insert_element(number, scalar, FIRST)


@lower_cast(float64, dual)
def from_float(context, builder, fromty, toty, number):
    return constant(builder, number)


# -- arithmetic -------------------------------------------------------------------------------------------------------
def plus(builder, a, b):
    return builder.fadd(a, b, flags=FLAGS)


def minus(builder, a, b):
    return builder.fsub(a, b, flags=FLAGS)


def times(builder, a, b):
    by_b = builder.fmul(spread(builder, value(builder, a)), b, flags=FLAGS)
    by_a = builder.fmul(
        spread(builder, value(builder, b)), with_value(builder, a, ir.Constant(DOUBLE, 0.0)), flags=FLAGS
    )
    return builder.fadd(by_b, by_a, flags=FLAGS)


def over(builder, a, b):
    bottom = value(builder, b)
    ratio = builder.fdiv(value(builder, a), bottom)
    change = builder.fsub(a, builder.fmul(spread(builder, ratio), b, flags=FLAGS), flags=FLAGS)
    return with_value(builder, builder.fdiv(change, spread(builder, bottom), flags=FLAGS), ratio)


def add_operator(operation, code):
    """Type and code of one operator for duals with duals and with floats."""

    @infer_global(operation)
    class Cases(ConcreteTemplate):
        cases = [  # noqa: RUF012
            signature(dual, dual, dual),
            signature(dual, float64, dual),
            signature(dual, dual, float64),
        ]

    def lowered(context, builder, sig, args):
        pair = [constant(builder, a) if t == float64 else a for a, t in zip(args, sig.args, strict=True)]
        return code(builder, *pair)

    for left, right in ((dual, dual), (types.Float, dual), (dual, types.Float)):
        lower_builtin(operation, left, right)(lowered)


for name, code in (("add", plus), ("sub", minus), ("mul", times), ("truediv", over)):
    add_operator(getattr(operator, name), code)


def add_comparison(operation, symbol):
    """A comparison of values."""

    @infer_global(operation)
    class Cases(ConcreteTemplate):
        cases = [  # noqa: RUF012
            signature(types.boolean, dual, dual),
            signature(types.boolean, float64, dual),
            signature(types.boolean, dual, float64),
        ]

    def lowered(context, builder, sig, args):
        pair = [a if t == float64 else value(builder, a) for a, t in zip(args, sig.args, strict=True)]
        return builder.fcmp_ordered(symbol, *pair)

    for left, right in ((dual, dual), (types.Float, dual), (dual, types.Float)):
        lower_builtin(operation, left, right)(lowered)


for name, symbol in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "==")):
    add_comparison(getattr(operator, name), symbol)


# -- functions --------------------------------------------------------------------------------------------------------
def add_function(function, code):
    """A function of one number: code(builder, value) gives (result, slope)."""

    @infer_global(function)
    class Cases(ConcreteTemplate):
        cases = [signature(dual, dual)]  # noqa: RUF012

    @lower_builtin(function, dual)
    def lowered(context, builder, sig, args):
        result, slope = code(builder, value(builder, args[0]))
        return with_value(builder, builder.fmul(args[0], spread(builder, slope), flags=FLAGS), result)


def call(builder, name, *args):
    function = ir.FunctionType(DOUBLE, [DOUBLE] * len(args))
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), args)


def number(x):
    return ir.Constant(DOUBLE, x)


def negative(builder, x):
    return builder.fsub(number(-0.0), x), number(-1.0)


def magnitude(builder, x):
    below = builder.fcmp_ordered("<", x, number(0.0))
    return call(builder, "llvm.fabs.f64", x), builder.select(below, number(-1.0), number(1.0))


def square_root(builder, x):
    root = call(builder, "llvm.sqrt.f64", x)
    return root, builder.fdiv(number(0.5), root)


def logarithm(builder, x):
    return call(builder, "llvm.log.f64", x), builder.fdiv(number(1.0), x)


for function, formula in ((operator.neg, negative), (abs, magnitude), (math.sqrt, square_root), (math.log, logarithm)):
    add_function(function, formula)


@infer_global(operator.pow)
class Power(ConcreteTemplate):
    cases = [signature(dual, dual, float64)]  # noqa: RUF012


@lower_builtin(operator.pow, dual, types.Float)
def power(context, builder, sig, args):
    base, exponent = value(builder, args[0]), args[1]
    less = call(builder, "llvm.pow.f64", base, builder.fsub(exponent, number(1.0)))
    change = builder.fmul(args[0], spread(builder, builder.fmul(exponent, less)), flags=FLAGS)
    return with_value(builder, change, builder.fmul(less, base))


# -- in and out -------------------------------------------------------------------------------------------------------
@intrinsic
def changing(typingctx, x, d0, d1, d2):
    """A value and its derivatives."""

    def codegen(context, builder, signature, args):
        vector = ir.Constant(VECTOR, ir.Undefined)
        for i, part in enumerate(args):
            vector = builder.insert_element(vector, part, ir.Constant(ir.IntType(32), i))
        return vector

    return dual(*[types.float64] * WIDTH), codegen


@intrinsic
def value_of(typingctx, x):
    """The value of a Dual, or of a float."""

    def codegen(context, builder, signature, args):
        return value(builder, args[0]) if signature.args[0] == dual else args[0]

    return types.float64(x), codegen


@intrinsic
def slope_of(typingctx, x, k):
    """Derivative k = 0, 1, 2."""

    def codegen(context, builder, signature, args):
        place = builder.add(builder.trunc(args[1], ir.IntType(32)), ir.Constant(ir.IntType(32), 1))
        return builder.extract_element(args[0], place)

    return types.float64(dual, types.int64), codegen
