"""Machine code on disk: used again without Numba, never when it could be another's or old."""

import gc
import hashlib
import json
import os
import stat
import subprocess
import sys
import tempfile
import weakref
from typing import NamedTuple

import llvmlite.binding
import numpy as np
import pytest

from tapespring import jit

KERNEL = """
import sys
from math import sin
from typing import NamedTuple
import numpy as np
from tapespring.jit import device, is_compiled, kernel

class Pair(NamedTuple):
    x: np.ndarray
    y: np.ndarray

@device
def term(pair, i):
    return sin(pair.x[i]) + FACTOR * pair.y[i]

@kernel
def total(pair, scale, out, first):
    s = 0.0
    for i in range(first, len(pair.x)):
        s += term(pair, i)
    out[0, 0] = scale * s
    return s

out = np.zeros((1, 1))
s = total(Pair(np.zeros(3), np.arange(3.0)), 2.0, out, 1)
print(s, out[0, 0], "numba" in sys.modules, is_compiled("total"))
"""


class Two(NamedTuple):
    a: np.ndarray
    b: np.ndarray


@jit.kernel
def both(two, out):
    out[0], out[1] = two.a[0], two.b[0]


@jit.kernel
def corner(matrix):
    return matrix[-1, -1]


@jit.kernel
def failing(pair):
    if pair[0] > 0.0:
        raise ValueError
    return 1


@pytest.fixture
def script(tmp_path):
    def run(factor=1.0, **environment):
        file = tmp_path / "script.py"
        file.write_text(KERNEL.replace("FACTOR", str(factor)))
        settings = os.environ | {"TAPESPRING_CACHE": str(tmp_path / "cache")} | environment
        done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True, env=settings)
        return done.stdout.split()

    return run


def kept_files(tmp_path):
    return sorted((tmp_path / "cache").rglob("*.total-*"))


def test_second_process_does_without_numba(script):
    assert script() == ["3.0", "6.0", "True", "True"]
    assert script() == ["3.0", "6.0", "False", "True"]


def test_edits_and_switches_compile_anew(script):
    script()
    assert script(factor=2.0) == ["6.0", "12.0", "True", "True"]
    assert script(NUMBA_OPT="1")[2] == "True"


def test_damage_is_noticed(script, tmp_path):
    script()
    (file,) = kept_files(tmp_path)
    whole = file.read_bytes()
    jit.new_engine()
    assert jit.kept(file) is not None
    headers = [b"{}", b"[]", b"", b"null", b'{"machine_code": 1}', b"[" * 100_000]
    others = [with_header(whole, header) for header in headers]
    for damaged in (b"", whole[:-1], whole[:-1] + b"?", whole[:99] + b"?" + whole[100:], b"{}\n" + whole, *others):
        file.write_bytes(damaged)
        assert jit.kept(file) is None
    assert script() == ["3.0", "6.0", "True", "True"]
    assert len(file.read_bytes()) == len(whole)
    assert script()[2] == "False"


def with_header(whole: bytes, header: bytes) -> bytes:
    """A file whose second line, which tells of the code, is another."""
    digest, _, code = whole.split(b"\n", 2)
    return b"\n".join((digest, header, code))


def test_code_that_needs_what_is_not_here(script, tmp_path):
    script()
    (file,) = kept_files(tmp_path)
    _, about, code = file.read_bytes().split(b"\n", 2)
    symbol, result, needs = json.loads(about)
    content = json.dumps([symbol, result, [*needs, "no_such_function"]]).encode() + b"\n" + code
    file.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    assert script()[2] == "True"
    assert script()[2] == "False"


# -- whose code is run ------------------------------------------------------------------------------------------------
unix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")
SOMEBODY = 12345


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where code is kept if it is asked for now, in a place of its own."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TAPESPRING_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return jit.cache_folder.__wrapped__


def is_private(folder):
    return all(
        stat.S_IMODE(f.stat().st_mode) == 0o700 and f.stat().st_uid == os.getuid() for f in (folder, folder.parent)
    )


@unix
def test_the_folder_is_private(folder, tmp_path):
    found = folder()
    assert found.parent == tmp_path / "cache" / "tapespring"
    assert is_private(found)
    found.parent.chmod(0o777)  # of an older version, or a slip
    assert folder() == found
    assert is_private(found)


@unix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give folders away")
@pytest.mark.parametrize("taken", ["cache/tapespring", "both"])
def test_folders_of_others_are_left_alone(folder, tmp_path, taken):
    places = [tmp_path / "cache" / "tapespring", tmp_path / "tmp" / f"tapespring-{os.getuid()}"]
    for place in places[: 2 if taken == "both" else 1]:
        place.mkdir(parents=True)
        place.chmod(0o777)
        os.chown(place, SOMEBODY, SOMEBODY)
    found = folder()
    assert tmp_path / "tmp" in found.parents
    assert (found.parent == places[1]) == (taken != "both")
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    assert found.stat().st_uid == os.getuid()
    assert not list(places[0].iterdir())


@unix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give links away")
def test_links_of_others_are_not_followed(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "cache").mkdir()
    link = tmp_path / "cache" / "tapespring"
    link.symlink_to(tmp_path / "elsewhere")
    assert folder().parent == link
    os.chown(link, SOMEBODY, SOMEBODY, follow_symlinks=False)
    assert tmp_path / "tmp" in folder().parents


@unix
def test_code_that_others_could_have_written_is_not_run(script, tmp_path):
    script()
    (file,) = kept_files(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    ways = [lambda: file.chmod(0o620), lambda: file.chmod(0o602)]
    if os.geteuid() == 0:
        ways.append(lambda: os.chown(file, SOMEBODY, SOMEBODY))
    jit.new_engine()
    for change in ways:
        assert jit.kept(file) is not None
        change()
        assert jit.kept(file) is None
        os.chown(file, os.getuid(), os.getgid())
        file.chmod(0o600)
    ways[-1]()
    assert script() == ["3.0", "6.0", "True", "True"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.stat().st_uid == os.getuid()
    assert script()[2] == "False"


def test_another_processor_has_another_folder(monkeypatch):
    here = jit.fingerprint()
    assert jit.fingerprint() == here
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_name", lambda: "another")
    assert jit.fingerprint() != here


def test_packs_follow_their_arrays():
    """Tuples come and go, often at the address of an earlier one; none is taken for another."""
    gc.collect()
    shared, out, before = np.array([7.0]), np.zeros(2), len(jit.PACKS)  # those that other tests still hold
    for k in range(200):
        both(Two(shared, np.array([float(k)])), out)
        assert out[0] == 7.0
        assert out[1] == k
    del k
    assert len(jit.PACKS) < before + 100


def test_tuples_nobody_holds_are_let_go():
    """A kernel's memory of its arguments does not keep results of a run alive."""
    array = np.array([1.0])
    gone = weakref.ref(array)
    both(Two(array, array), np.zeros(2))
    del array
    gc.collect()
    assert gone() is None


def test_an_array_replaced_in_a_tuple_is_seen():
    two, out = Two(np.array([1.0]), np.array([2.0])), np.zeros(2)
    both(two, out)
    two = two._replace(a=np.array([5.0]))
    both(two, out)
    assert list(out) == [5.0, 2.0]


def test_new_views_are_seen():
    matrix, two = np.zeros((50, 2)), Two(np.array([1.0]), np.array([2.0]))
    for row in range(50):
        both(two, matrix[row])
    assert np.all(matrix == [1.0, 2.0])


def test_arrays_of_other_orders():
    matrix = np.arange(6.0).reshape(2, 3)
    for view in (matrix[0], matrix[:, 1], matrix[::-1, 2]):
        both(Two(view, view[1:]), out := np.zeros(2))
        assert out == pytest.approx(view[:2])


def test_size_does_not_matter():
    """Of one row a matrix is in the order of C and of Fortran; that must not compile another kernel."""
    assert [corner(np.full((n, n), float(n))) for n in (1, 2, 3)] == [1.0, 2.0, 3.0]
    assert len(corner.entries) == 1


def test_an_error_in_a_kernel_is_one_in_python():
    assert failing(np.zeros(1)) == 1
    with pytest.raises(RuntimeError, match="failing"):
        failing(np.ones(1))


def test_arguments_are_taken_as_they_are():
    with pytest.raises(TypeError):
        both(Two(np.zeros(1), np.zeros(1)), "text")


def test_whoever_listens_hears_of_compiling(tmp_path, monkeypatch):
    """Before it happens and how long it took; code from disk is not news."""
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)

    def last(matrix):
        return matrix[-1, -1]

    told = []
    with jit.Compilation(lambda: told.append(len(list(tmp_path.iterdir())))) as first:
        assert jit.kernel(last)(np.ones((2, 2))) == 1.0
    assert told == [0]
    assert first.seconds > 0.0
    with jit.Compilation(lambda: told.append(-1)) as second:
        assert jit.kernel(last)(np.ones((2, 2))) == 1.0
    assert told == [0]
    assert second.seconds == 0.0
