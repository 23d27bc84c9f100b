"""Compile with Numba. Imported only when something is not compiled yet; see jit.

NamedTuples of arrays go through compiled code as one pointer. Numba passes tuples by value: forty arrays become three
hundred arguments at every call. `pack.field` of a Reference loads just that field. The tuple itself never changes (the
arrays' contents do), so its loads are marked invariant.

Nothing in compiled code allocates, so Numba's reference counting is switched off throughout: counting the arrays of a
model at every call cost ten times the mechanics.
"""

from __future__ import annotations

import hashlib

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model


def compiled(function, **options):
    """A function that compiled code calls."""
    return numba.njit(
        error_model="numpy", fastmath={"contract"}, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True,
        **options,
    )(function)  # fmt: skip


def part_of_callers(function):
    """See jit.small."""
    return compiled(function, forceinline=True)


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


def made(function, kind: str):
    """What Numba makes of a function that compiled code calls."""
    return {"device": compiled, "small": part_of_callers, "intrinsic": intrinsic}[kind](function)


def type_of_function(function) -> types.Type:
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(function)


def type_of_argument(argument) -> types.Type:
    """The type under which a kernel takes an argument from Python."""
    if isinstance(argument, tuple):
        return Reference(numba.typeof(argument))
    return numba.typeof(argument) if isinstance(argument, (np.ndarray, float)) else types.int64


def compile_function(function, arguments) -> tuple[str, str, list[str], bytes]:
    """(symbol, type of the result, functions it needs of the process, object file) for such arguments."""
    signature = tuple(map(type_of_argument, arguments))
    dispatcher = compiled(function)
    dispatcher.compile(signature)
    found = dispatcher.overloads[signature]
    _, _, (machine_code, bitcode) = found.library.serialize_using_object_code()
    result = types.unliteral(found.signature.return_type)
    return found.fndesc.llvm_func_name, str(result), needs_of(bitcode), machine_code


def needs_of(bitcode: bytes) -> list[str]:
    """Functions that a module calls and does not contain; LLVM's own may become calls of C functions of that name."""
    declared = [f.name for f in llvm.parse_bitcode(bitcode).functions if f.is_declaration]
    own = {name.split(".")[1] for name in declared if name.startswith("llvm.")}
    others = {name for name in declared if not name.startswith("llvm.")}
    return sorted(others | {name for name in own if llvm.address_of_symbol(name) is not None})
