"""Pass a NamedTuple of arrays through compiled code as one pointer.

Numba passes tuples by value: forty arrays become three hundred arguments at every call. `by_reference(pack)`, called
once in a kernel, puts the tuple on the kernel's stack and hands on its address; `pack.field` then loads just that
field. The tuple itself never changes (the arrays' contents do), so its loads are marked invariant.
"""

import hashlib

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model


class Reference(types.Type):
    """Address of a NamedTuple."""

    def __init__(self, target):
        self.target = target
        # names end up in every symbol: a short one compiles much faster than the tuple's full description
        digest = hashlib.sha256(str(target).encode()).hexdigest()[:8]
        super().__init__(name=f"Reference({target.instance_class.__name__}{digest})")


@register_model(Reference)
class ReferenceModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.IntType(8).as_pointer())


@intrinsic
def by_reference(typingctx, pack):
    """Address of a NamedTuple, valid while the calling kernel runs."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(cgutils.alloca_once_value(builder, args[0]), ir.IntType(8).as_pointer())

    return Reference(pack)(pack), codegen


@infer_getattr
class ReferenceFields(AttributeTemplate):
    key = Reference

    def generic_resolve(self, reference, field):
        names = reference.target.fields
        return reference.target.types[names.index(field)] if field in names else None


@lower_getattr_generic(Reference)
def load_field(context, builder, reference, value, field):
    target = reference.target
    i = target.fields.index(field)
    whole = builder.bitcast(value, context.get_value_type(target).as_pointer())
    loaded = builder.load(cgutils.gep_inbounds(builder, whole, 0, i))
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded
