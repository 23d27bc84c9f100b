"""How kernels are compiled.

`device`   a function called only from compiled code; linked into every caller.
`small`    a device function that is always part of its caller.
`core`     a large function shared by several kernels: compiled once by itself and called through its address, so that a
           kernel that uses it compiles in a fraction of the time.
`kernel`   what Python calls; `free_kernel` the same without the interpreter's lock.

Nothing in compiled code allocates, so Numba's reference counting is switched off throughout: counting the arrays of a
model at every call cost ten times the mechanics.

Compiled code is cached on disk. Numba checks only the file of the function it loads, so an edit in another file would
silently run old code; the cache folder is therefore keyed by a hash of every source file of the package.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import numba
from numba import types
from numba.extending import intrinsic

DEBUG = bool(os.environ.get("TAPESPRING_DEBUG"))
PACKAGE = Path(__file__).parent
COMPILED_FOLDERS = ("math", "mechanics", "linear", "solve")


def source_hash() -> str:
    """A short hash of all sources that can end up in compiled code, and of how it is compiled (this file)."""
    digest = hashlib.sha256()
    for pattern in ("jit.py", "reference.py", *(f"{folder}/*.py" for folder in COMPILED_FOLDERS)):
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def cache_folder() -> Path:
    """Folder of compiled code for exactly these sources; a temporary one if the user's cannot be written."""
    base = Path(os.environ.get("TAPESPRING_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser())
    folder = base / "tapespring" / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise OSError
    except OSError:
        folder = (
            Path(tempfile.gettempdir()) / f"tapespring-{os.getuid() if hasattr(os, 'getuid') else 0}" / source_hash()
        )
        folder.mkdir(parents=True, exist_ok=True)
    return folder


CACHE = cache_folder()


def is_compiled(name: str) -> bool:
    """Whether the kernel of this name has been compiled and cached before."""
    return any(CACHE.rglob(f"*.{name}-*.nbi"))


def device(function, **options):
    """A function called only from compiled code; TAPESPRING_DEBUG=1 makes it callable from Python too."""
    numba.config.CACHE_DIR = str(CACHE)
    if not DEBUG:
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(error_model="numpy", fastmath={"contract"}, _nrt=False, **options)(function)


def small(function):
    """A device function that becomes part of its callers: for a few numbers a call costs as much as its work.

    Numba hands the option on to what it calls, as long as that says nothing itself.
    """
    return device(function, forceinline=True)


def kernel(function):
    """A compiled function that Python calls; kept on disk."""
    numba.config.CACHE_DIR = str(CACHE)
    return numba.njit(error_model="numpy", fastmath={"contract"}, _nrt=False, cache=True, no_cfunc_wrapper=True)(
        function
    )


def free_kernel(function):
    """A kernel that runs beside Python: it does not hold the interpreter's lock."""
    numba.config.CACHE_DIR = str(CACHE)
    return numba.njit(
        error_model="numpy", fastmath={"contract"}, _nrt=False, cache=True, nogil=True, no_cfunc_wrapper=True
    )(function)


class Core:
    """A function compiled once for given argument types and called by its address; returns nothing."""

    def __init__(self, function):
        numba.config.CACHE_DIR = str(CACHE)
        self.name = function.__name__
        self.dispatcher = numba.njit(
            error_model="numpy",
            fastmath={"contract"},
            _nrt=False,
            cache=True,
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
        )(function)

    def address(self, argument_types) -> int:
        signature = tuple(argument_types)
        self.dispatcher.compile(signature)
        compiled = self.dispatcher.overloads[signature]
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def core(function) -> Core:
    return Core(function)


@intrinsic
def call_core(typingctx, address, arguments):
    """Call a core function at an address with a tuple of arguments of exactly its types."""

    def codegen(context, builder, signature, values):
        argument_types = signature.args[1].types
        function_type = context.call_conv.get_function_type(types.none, argument_types)
        callee = builder.inttoptr(values[0], function_type.as_pointer())
        unpacked = [builder.extract_value(values[1], i) for i in range(len(argument_types))]
        context.call_conv.call_function(builder, callee, types.none, argument_types, unpacked)
        return context.get_dummy_value()

    return types.none(types.int64, arguments), codegen
