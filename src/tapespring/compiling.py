"""Compile with Numba. Imported only when something is not compiled yet; see jit.

NamedTuples of arrays go through compiled code as one pointer. Numba passes tuples by value: forty arrays become three
hundred arguments at every call. `pack.field` of a Reference loads just that field. The tuple itself never changes (the
arrays' contents do), so its loads are marked invariant.

Nothing in compiled code allocates, so Numba's reference counting is switched off throughout: counting the arrays of a
model at every call cost ten times the mechanics.
"""

from __future__ import annotations

import gc
import hashlib
from contextlib import contextmanager

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import _dynfunc, types  # type: ignore[attr-defined]
from numba.core import cgutils, compiler, funcdesc, lowering, typed_passes, untyped_passes
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model

# -- how Numba compiles -----------------------------------------------------------------------------------------------


class Part(CPUCodeLibrary):
    """The code of one function and, once linked, of all it calls."""

    def finalize(self):
        """Nothing yet: Numba would optimise every function with all it calls, over and over on the way up."""
        self._finalized = True

    def link_whole(self, symbol: str) -> llvm.ModuleRef:
        """One module of this function and all it calls, optimised; only the function itself is seen from outside."""
        module, seen, waiting = self._final_module, {self}, list(self._linking_libraries)
        while waiting:
            part = waiting.pop()
            if part in seen:
                continue
            seen.add(part)
            if isinstance(part, Part):
                module.link_in(part._final_module, preserve=True)
                waiting += part._linking_libraries
            else:  # Numba's own
                module.link_in(part._get_module_for_linking(), preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.name != symbol:
                function.linkage = llvm.Linkage.internal
        self._optimize_final_module()
        return module


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(LoweringPass):
    """Numba's, without making every function callable from Python."""

    _name = "lowering_of_parts"

    def __init__(self):  # abstract in Numba
        super().__init__()

    def run_pass(self, state):
        context, name = state.targetctx, state.func_id.func_qualname
        state.library = library = Part(context.codegen(), name)
        described = funcdesc.PythonFunctionDescriptor.from_specialized_function(
            state.func_ir, state.typemap, state.return_type, state.calltypes, mangler=context.mangler,
            inline=state.flags.forceinline, noalias=state.flags.noalias, abi_tags=[state.flags.get_mangle_string()],
        )  # fmt: skip
        with context.push_code_library(library):
            lower = lowering.Lower(context, library, described, state.func_ir, metadata=state.metadata)
            lower.lower()
        # Numba knows functions by what Python would call
        entry = _dynfunc.make_function(described.lookup_module(), name.split(".")[-1], "", 0, lower.env, (library,))
        context.insert_user_function(entry, described, [library])
        state["cr"] = compiler._LowerResult(described, lower.call_helper, cfunc=entry, env=lower.env)
        return True


class Compiler(compiler.CompilerBase):
    """Numba's passes but those for what kernels do not contain: closures, comprehensions, array expressions."""

    def define_pipelines(self):
        passes = PassManager("kernels")
        for step in (
            untyped_passes.TranslateByteCode, untyped_passes.FixupArgs, untyped_passes.IRProcessing,
            untyped_passes.GenericRewrites, untyped_passes.ReconstructSSA, typed_passes.NopythonTypeInference,
            typed_passes.PreLowerStripPhis, typed_passes.IRLegalization, Lowering, typed_passes.NoPythonBackend,
        ):  # fmt: skip
            passes.add_pass(step, step.__name__)
        passes.finalize()
        return [passes]


def compiled(function, **options):
    """A function that compiled code calls."""
    return numba.njit(
        error_model="numpy", fastmath={"contract"}, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True,
        pipeline_class=Compiler, **options,
    )(function)  # fmt: skip


def made_intrinsic(function):
    return intrinsic(function)


# -- NamedTuples ------------------------------------------------------------------------------------------------------


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


# -- functions --------------------------------------------------------------------------------------------------------


def type_of_function(function) -> types.Type:
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(function)


def type_of_argument(argument) -> types.Type:
    """The type under which a kernel takes an argument from Python."""
    if isinstance(argument, tuple):
        return Reference(numba.typeof(argument))
    return numba.typeof(argument) if isinstance(argument, (np.ndarray, float)) else types.int64


@contextmanager
def no_garbage_collection():
    """Compiling makes many objects that stay; looking through them for garbage takes a tenth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def compile_function(function, arguments) -> tuple[str, str, list[str], bytes]:
    """(symbol, type of the result, functions it needs of the process, object file) for such arguments."""
    signature = tuple(map(type_of_argument, arguments))
    with no_garbage_collection():
        dispatcher = compiled(function)
        dispatcher.compile(signature)
        found = dispatcher.overloads[signature]
        symbol = found.fndesc.llvm_func_name
        module = found.library.link_whole(symbol)
        machine_code = found.library.codegen._tm.emit_object(module)
    return symbol, str(types.unliteral(found.signature.return_type)), needs_of(module), machine_code


def needs_of(module: llvm.ModuleRef) -> list[str]:
    """Functions that a module calls and does not contain; LLVM's own may become calls of C functions of that name."""
    declared = [f.name for f in module.functions if f.is_declaration]
    own = {name.split(".")[1] for name in declared if name.startswith("llvm.")}
    others = {name for name in declared if not name.startswith("llvm.")}
    return sorted(others | {name for name in own if llvm.address_of_symbol(name) is not None})
