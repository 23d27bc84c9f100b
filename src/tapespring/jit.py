"""How kernels are compiled, kept and called.

`device`   a function called only from compiled code; linked into every caller.
`small`    a device function that is always part of its caller.
`kernel`   what Python calls; or, by its address, other compiled code: a large function that several kernels share is
           compiled once by itself, and a kernel that uses it compiles in a fraction of the time (`call_core`).
           Runs without the interpreter's lock.

A kernel takes NamedTuples of arrays (as one pointer each), arrays, floats and ints, and returns a number or nothing.

Machine code is kept on disk and called without Numba: loading it takes milliseconds, importing Numba most of a second.
Everything here that Numba must know of is therefore made when Numba first asks. Code is found again only for exactly
the same sources, versions, processor and kinds of arguments; else, or if anything about it is odd, it is compiled anew.
What is loaded is run: folder and files are the user's own, and nobody else can write there.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from ctypes import addressof
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import version
from operator import index
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .interruption import calls_back, raise_waiting, waiting

PACKAGE = Path(__file__).parent
COMPILED = ("jit.py", "compiling.py", "math/*.py", "mechanics/*.py", "linear/*.py", "solve/*.py")


# -- what Numba sees --------------------------------------------------------------------------------------------------


class Deferred:
    """Stands for a function in the source of compiled code; becomes what Numba understands when Numba asks."""

    def __init__(self, make):
        self.make = make

    @cached_property
    def _numba_type_(self):
        from . import compiling

        self.made = self.make(compiling)  # Numba's type does not keep it alive
        return compiling.type_of_function(self.made)


def device(function):
    """A function called only from compiled code."""
    return Deferred(lambda compiling: compiling.compiled(function))


def small(function):
    """A device function that becomes part of its callers: for a few numbers a call costs as much as its work.

    Numba hands the option on to what it calls, as long as that says nothing itself.
    """
    return Deferred(lambda compiling: compiling.compiled(function, forceinline=True))


def intrinsic(function):
    """A function that writes LLVM; see numba.extending.intrinsic."""
    return Deferred(lambda compiling: compiling.made_intrinsic(function))


def from_numba(module: str, *names: str) -> list[Deferred]:
    """Intrinsics of a module of this package that imports Numba: for types of its own."""
    return [Deferred(lambda _, name=name: getattr(import_module(module, __package__), name)) for name in names]


def call_at(result):
    """LLVM for a call of the kernel at an address, with a tuple of arguments of exactly its types."""

    def codegen(context, builder, signature, values):
        argument_types = signature.args[1].types
        function_type = context.call_conv.get_function_type(result, argument_types)
        callee = builder.inttoptr(values[0], function_type.as_pointer())
        unpacked = [builder.extract_value(values[1], i) for i in range(len(argument_types))]
        _, found = context.call_conv.call_function(builder, callee, result, argument_types, unpacked)
        return found

    return codegen


@intrinsic
def call_core(typingctx, address, arguments):
    """Call the kernel at an address, one that returns nothing, with a tuple of arguments of exactly its types."""
    from numba import types

    return types.none(types.int64, arguments), call_at(types.none)


@intrinsic
def call_loop(typingctx, address, arguments):
    """The same of a kernel that returns a whole number."""
    from numba import types

    return types.int64(types.int64, arguments), call_at(types.int64)


# -- where machine code is kept ---------------------------------------------------------------------------------------


def fingerprint() -> str:
    """A short hash of all that decides what machine code a kernel becomes, but its arguments."""
    import llvmlite.binding as llvm

    digest = hashlib.sha256()
    for pattern in COMPILED:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.read_bytes())
    switches = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    machine = llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    versions = sys.version, np.__version__, version("numba"), version("llvmlite")
    digest.update(repr((versions, machine, switches)).encode())
    return digest.hexdigest()[:12]


@cache
def cache_folder() -> Path:
    """Folder of machine code for exactly this state of things; if the user's own cannot be had, one in the temporary
    folder, and if others have taken that name, one for this process alone."""
    base = Path(os.environ.get("TAPESPRING_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser())
    user = os.getuid() if hasattr(os, "getuid") else 0
    mark = fingerprint()
    for place in (base / "tapespring", Path(tempfile.gettempdir()) / f"tapespring-{user}"):
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            if made_private(place) and made_private(place / mark):
                return place / mark
    alone = tempfile.mkdtemp(prefix="tapespring-")
    atexit.register(shutil.rmtree, alone, ignore_errors=True)
    return Path(alone)


def made_private(folder: Path) -> bool:
    """Make a folder, unless it is there, that nobody but the user can look into; whether that is so. Raises OSError."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    if hasattr(os, "getuid"):
        if {folder.stat().st_uid, folder.lstat().st_uid} != {os.getuid()}:
            return False  # another's, or where a link of another's leads
        folder.chmod(0o700)
    return folder.is_dir() and os.access(folder, os.W_OK)


def is_own(about: os.stat_result) -> bool:
    """Whether a file is the user's, and others cannot write it; where the system does not tell, it is."""
    return not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & 0o022)


def is_compiled(name: str) -> bool:
    """Whether the kernel of this name has been compiled and kept before."""
    return any(cache_folder().glob(f"*.{name}-*"))


class Code(NamedTuple):
    """A compiled kernel as it is kept."""

    symbol: str  # name of its function
    result: str  # type of what it returns
    needs: list[str]  # functions it calls in this process
    machine_code: bytes  # an object file


def keep(path: Path, code: Code) -> None:
    """Write whole or not at all, a checksum first; a full disk only costs the time to compile again."""
    about = json.dumps([code.symbol, code.result, code.needs])
    content = about.encode() + b"\n" + code.machine_code
    with suppress(OSError), tempfile.TemporaryDirectory(dir=path.parent) as folder:
        whole = Path(folder) / path.name
        whole.touch(mode=0o600)
        whole.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        whole.replace(path)


def kept(path: Path) -> Code | None:
    """What was kept; None if there is nothing, or others could have written it, or it is not exactly what was written,
    or it needs what is not here.

    LLVM knows the functions of this process from its first engine on.
    """
    import llvmlite.binding as llvm

    try:
        with path.open("rb") as file:
            if not is_own(os.fstat(file.fileno())):
                return None
            digest, _, content = file.read().partition(b"\n")
    except OSError:
        return None
    if digest != hashlib.sha256(content).hexdigest().encode():
        return None
    about, _, machine_code = content.partition(b"\n")
    symbol, result, needs = json.loads(about)
    if any(llvm.address_of_symbol(name) is None for name in needs):
        return None
    return Code(symbol, result, needs, machine_code)


class Compilation:
    """Hears of every kernel that is compiled while it is open."""

    open: ClassVar[list[Compilation]] = []

    def __init__(self, tell: Callable[[], None] = lambda: None):
        """tell: called before each of them, for it takes a while."""
        self.tell, self.seconds = tell, 0.0

    def __enter__(self) -> Compilation:
        self.open.append(self)
        return self

    def __exit__(self, *_) -> None:
        self.open.remove(self)


def newly_compiled(function, arguments) -> Code:
    """Machine code for such arguments; whoever listens hears of it."""
    for heard in Compilation.open:
        heard.tell()
    since = time.perf_counter()
    from . import compiling

    code = Code(*compiling.compile_function(function, arguments))
    for heard in Compilation.open:
        heard.seconds += time.perf_counter() - since
    return code


def new_engine():
    """LLVM's loader of an object file; each has its own, for the same device functions stand in many."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def loaded(engine, code: Code) -> int:
    """The address of a kernel's function, good while the engine lives."""
    import llvmlite.binding as llvm

    engine.add_object_file(llvm.ObjectFileRef.from_data(code.machine_code))
    engine.finalize_object()
    return engine.get_function_address(code.symbol)


# -- calling ----------------------------------------------------------------------------------------------------------


class Given(NamedTuple):
    """An argument as compiled code takes it."""

    layout: str  # what code must know of it beforehand
    words: tuple[Any, ...]  # machine words: ints, or a float
    holds: Any = None  # keeps it as it is: a tuple and its words in memory, or the weak reference that forgets an array


GIVEN: dict[int, Given] = {}  # of arrays and NamedTuples by id, for loops call kernels with the same again and again
PACKS: dict[int, Any] = {}  # NamedTuples in GIVEN: alive, so that no other has their id


@cache
def array_layout(*properties) -> str:
    return sys.intern(repr(properties))


def layout_of(array: np.ndarray) -> str:
    flags = array.flags
    order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return array_layout(array.dtype, array.ndim, order, flags.writeable, flags.aligned)


def array_words(array: np.ndarray) -> tuple[int, ...]:
    """An array as Numba passes it: no owner, size, address, shape and strides."""
    return 0, 0, array.size, array.itemsize, array.__array_interface__["data"][0], *array.shape, *array.strides


def given_array(array: np.ndarray) -> Given:
    key = id(array)
    forget = weakref.ref(array, lambda _: GIVEN.pop(key, None))
    GIVEN[key] = given = Given(layout_of(array), array_words(array), forget)
    return given


def given_pack(arrays) -> Given:
    """A NamedTuple of arrays: the words of all its arrays in a row, and where they are."""
    forget_packs()
    words = [word for array in arrays for word in array_words(array)]
    memory = (ctypes.c_int64 * len(words))(*words)
    layout = sys.intern(f"{type(arrays)}({', '.join(map(layout_of, arrays))})")
    key = id(arrays)
    PACKS[key] = arrays
    GIVEN[key] = given = Given(layout, (addressof(memory),), memory)
    return given


def forget_packs(phase: str = "stop", about: dict[str, int] | None = None) -> None:
    """Let go of NamedTuples that nobody else holds: when there is a new one, and when Python collects garbage.

    They cannot be referred to weakly, and the arrays of one may live on in another at the same address.
    """
    if phase == "stop":
        for key in list(PACKS):
            if sys.getrefcount(PACKS.get(key)) == 1 + UNHELD:
                GIVEN.pop(key, None)
                PACKS.pop(key, None)


UNHELD = sys.getrefcount(object())  # what is seen of an object that nobody holds
gc.callbacks.append(forget_packs)


def given_number(number) -> Given:
    if isinstance(number, float):
        return Given("float", (number,))
    if isinstance(number, (int, np.integer)):
        return Given("int", (index(number),))
    raise TypeError(f"a kernel cannot take {type(number).__name__}")


def given(argument) -> Given:
    """What compiled code takes for an argument of Python."""
    known = GIVEN.get(id(argument))
    if known is not None:
        return known
    if isinstance(argument, np.ndarray):
        return given_array(argument)
    return given_pack(argument) if isinstance(argument, tuple) else given_number(argument)


def outcome(result) -> type[ctypes.Structure]:
    """Where a kernel leaves its result and what went wrong."""
    return type("Outcome", (ctypes.Structure,), {"_fields_": [("result", result), ("error", ctypes.c_void_p)]})


OUTCOMES = {"int64": outcome(ctypes.c_int64), "float64": outcome(ctypes.c_double), "none": outcome(ctypes.c_void_p)}
TO_ERROR = 8  # bytes


class Entry(NamedTuple):
    """A kernel's function for some kinds of arguments."""

    function: Any
    outcome: Any
    engine: Any  # holds the code


class Kernel:
    """A compiled function that Python calls, or whose address it hands to compiled code."""

    def __init__(self, function):
        if function.__closure__:
            raise TypeError(f"{function.__qualname__}: a kernel is a function of a module, without a closure")
        self.function = function
        self.entries: dict[tuple[str, ...], Entry] = {}

    def __call__(self, *arguments):
        layouts, words, known = [], [], GIVEN.get
        for argument in arguments:
            if type(argument) is float:
                layouts.append("float")
                words.append(argument)
            else:
                layout, numbers, _ = known(id(argument)) or given(argument)
                layouts.append(layout)
                words += numbers
        key = tuple(layouts)
        entry = self.entries.get(key) or self.new_entry(key, arguments)
        outcome = entry.outcome()
        at = addressof(outcome)
        if entry.function(at, at + TO_ERROR, *words):
            raise RuntimeError(f"the compiled function {self.function.__qualname__} raised an error")
        if waiting:
            raise_waiting()
        return outcome.result

    def address(self, *arguments) -> int:
        """Address of the function for arguments such as these."""
        layouts = tuple(given(argument).layout for argument in arguments)
        entry = self.entries.get(layouts) or self.new_entry(layouts, arguments)
        return ctypes.cast(entry.function, ctypes.c_void_p).value or 0

    def new_entry(self, layouts: tuple[str, ...], arguments) -> Entry:
        """Loaded, or compiled if never met before."""
        path, engine = self.path(layouts), new_engine()
        code = kept(path)
        if code is None:
            code = newly_compiled(self.function, arguments)
            keep(path, code)
        words = [word for argument in arguments for word in given(argument).words]
        types = [ctypes.c_double if isinstance(word, float) else ctypes.c_int64 for word in (0, 0, *words)]
        function = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(loaded(engine, code))
        self.entries[layouts] = entry = Entry(function, OUTCOMES[code.result], engine)
        return entry

    def path(self, layouts: tuple[str, ...]) -> Path:
        """Where its code for these arguments is kept; kernels of tests stand in files that the folder does not mark."""
        f = self.function
        own = Path(f.__code__.co_filename).read_bytes()
        digest = hashlib.sha256(own + repr(layouts).encode()).hexdigest()[:12]
        return cache_folder() / f"{f.__module__}.{f.__name__}-{digest}"


def kernel(function) -> Kernel:
    """A compiled function that Python calls; kept on disk."""
    return Kernel(function)


class PythonKernel:
    """A Python function that compiled code calls as a kernel, by its address while this lives.

    Arrays (of floats, in C's order) come as such, NamedTuples as None. Nobody sees what it raises."""

    def __init__(self, function, arguments):
        sizes = [argument.ndim if isinstance(argument, np.ndarray) else None for argument in arguments]

        @calls_back
        def call(_result, _error, *words):
            at, found = 0, []
            for ndim in sizes:
                if ndim is None:
                    found.append(None)
                    at += 1
                else:
                    count, _, address, *shape = words[at + 2 : at + 5 + ndim]
                    numbers = (ctypes.c_double * max(count, 1)).from_address(address)
                    found.append(np.frombuffer(numbers, count=count).reshape(shape))
                    at += 5 + 2 * ndim
            function(*found)
            return 0

        words = [word for argument in arguments for word in given(argument).words]
        self.call = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_int64] * (2 + len(words)))(call)
        self.address = ctypes.cast(self.call, ctypes.c_void_p).value or 0


def as_kernel(function, *arguments) -> PythonKernel:
    """For arguments such as these."""
    return PythonKernel(function, arguments)
