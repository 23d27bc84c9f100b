"""The type of linear.six, for Numba. Imported only to compile."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import models, register_model

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
