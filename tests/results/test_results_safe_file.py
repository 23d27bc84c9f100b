"""Whole files or none: full disks, bad places, failures half-way. Written to hold for root too."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from tapespring.results import Channel, Results, ResultsFileError, Status, check_writable

DONE = Status(True, "complete", time=1.0)


@pytest.fixture
def old(tmp_path):
    """An older file at the place to be written; after a failure it must be as it was, and alone."""
    path = tmp_path / "run.nc"
    path.write_bytes(b"older results")
    yield path
    assert path.read_bytes() == b"older results"
    assert os.listdir(tmp_path) == ["run.nc"]


def no_space(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("call", ["write", "fsync", "ftruncate"])
def test_full_disk(run, old, monkeypatch, call):
    monkeypatch.setattr(os, call, no_space)
    with pytest.raises(ResultsFileError) as caught:
        run.save(old)
    monkeypatch.undo()
    assert caught.value.errno == errno.ENOSPC
    assert f"no space left in the folder '{old.parent}'" in str(caught.value)
    assert "make room" in str(caught.value)


@pytest.mark.parametrize("written", [0, 1, 5, 20, 60])
def test_disk_that_fills_up_on_the_way(run, old, monkeypatch, written):
    real, calls = os.write, []

    def write(descriptor, data):
        calls.append(len(data))
        return real(descriptor, data) if len(calls) <= written else no_space()

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(ResultsFileError, match="no space left"):
        run.save(old)
    monkeypatch.undo()


def test_saving_works_again_after_a_full_disk(run, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", no_space)
        with pytest.raises(ResultsFileError):
            run.save(tmp_path / "run.nc")
    assert Results.load(run.save(tmp_path / "run.nc")).names() == run.names()


def test_writes_cut_short_by_the_system_are_carried_on(run, tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:100]))
    path = run.save(tmp_path / "run.nc")
    assert np.array_equal(Results.load(path)["bob.position"], run["bob.position"])


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs a limit on file sizes")
def test_a_real_limit_leaves_hdf5_in_order_to_the_end_of_the_process(old):
    script = f"""
        import resource, signal
        import numpy as np
        from tapespring.results import Channel, Results, ResultsFileError, Status
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        run = Results(np.arange(50_000.0), [Channel("a.b", "m", np.ones(50_000))], status=Status(True, "complete"))
        try:
            run.save({str(old)!r})
        except ResultsFileError as error:
            print("told:", error)
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("told: cannot write the results file")
    assert done.stderr == ""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_process_killed_at_any_moment_leaves_a_whole_file(tmp_path):
    """Saved over and over and killed meanwhile: what has the name is one of the runs, whole."""
    script = f"""
        import numpy as np
        from tapespring.results import Channel, Results, Status
        for k in range(1_000_000):
            values = np.full(20_000, float(k))
            run = Results(np.arange(20_000.0), [Channel("a.b", "m", values)], status=Status(True, str(k)),
                          scene=lambda: {{"parts": [], "k": k}})
            run.save({str(tmp_path / "run.nc")!r})
    """
    environment, seen = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, []
    for wait in (0.0, 0.013, 0.029):
        (tmp_path / "run.nc").unlink(missing_ok=True)
        writer = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], env=environment)
        try:
            since = time.monotonic()
            while not (tmp_path / "run.nc").exists() and time.monotonic() - since < 60.0:
                time.sleep(0.01)
            time.sleep(0.3 + wait)
        finally:
            writer.kill()
            writer.wait()
        back = Results.load(tmp_path / "run.nc")
        assert np.unique(back["a.b"].values).tolist() == [float(back.status.code)]
        assert not any("changed this results file" in note for note in back.notes)
        seen.append(back.status.code)
    assert len(seen) == 3


@pytest.mark.parametrize("call", ["open", "replace"])
def test_no_permission_found_out_late(run, old, monkeypatch, call):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(ResultsFileError, match=r"Permission denied in the folder .* check the folder"):
        run.save(old)
    monkeypatch.undo()


def test_a_channel_that_cannot_be_computed_leaves_no_half_file(old):
    def fail():
        raise ZeroDivisionError("in a user's function")

    broken = Results([0.0, 1.0], [Channel("a.a", "m", [1.0, 2.0]), Channel("a.b", "m", fail)], status=DONE)
    with pytest.raises(ZeroDivisionError):
        broken.save(old)


def test_ctrl_c_leaves_no_half_file(old):
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Results([0.0], [Channel("a.b", "m", interrupt)], status=DONE).save(old)


def test_an_older_file_is_replaced_and_a_link_stays_a_link(run, tmp_path):
    real, link = tmp_path / "real.nc", tmp_path / "link.nc"
    real.write_bytes(b"older")
    link.symlink_to(real)
    run.save(link)
    assert link.is_symlink()
    assert Results.load(real).names() == run.names()
    assert sorted(os.listdir(tmp_path)) == ["link.nc", "real.nc"]


def test_the_file_has_the_usual_permissions(run, tmp_path):
    (tmp_path / "usual").touch()
    path = run.save(tmp_path / "run.nc")
    assert path.stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_relative_path(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run.save("run.nc")
    assert (tmp_path / "run.nc").is_file()


def test_check_writable_passes_good_places_and_leaves_nothing(tmp_path):
    check_writable(tmp_path / "new.nc")
    check_writable(str(tmp_path / "new.nc"), bytes_needed=1)
    assert os.listdir(tmp_path) == []


def test_check_writable_refuses_a_missing_folder(tmp_path):
    with pytest.raises(ResultsFileError, match=r"the folder '.*/no/such' does not exist; create it"):
        check_writable(tmp_path / "no" / "such" / "run.nc")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("below", ["run.nc", "deeper/run.nc", "deeper/still/run.nc"])
def test_check_writable_refuses_a_place_under_a_file(tmp_path, below):
    (tmp_path / "file").touch()
    with pytest.raises(ResultsFileError, match=r"file' is a file, not a folder"):
        check_writable(tmp_path / "file" / below)


def test_check_writable_refuses_a_name_that_is_a_folder(tmp_path):
    with pytest.raises(ResultsFileError, match=r"that name is a folder; give a file name inside it, .*run.nc"):
        check_writable(tmp_path)


def test_check_writable_refuses_a_device():
    with pytest.raises(ResultsFileError, match="device or pipe"):
        check_writable("/dev/null")


def test_check_writable_refuses_without_permission(tmp_path, monkeypatch):
    (tmp_path / "run.nc").touch()
    monkeypatch.setattr(os, "access", lambda path, mode: os.fspath(path) != str(tmp_path))
    with pytest.raises(ResultsFileError, match="no permission to write in the folder"):
        check_writable(tmp_path / "run.nc")
    monkeypatch.setattr(os, "access", lambda path, mode: os.fspath(path) == str(tmp_path))
    with pytest.raises(ResultsFileError, match="write-protected"):
        check_writable(tmp_path / "run.nc")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permission bits do not hold for root")
def test_check_writable_refuses_a_read_only_folder(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(ResultsFileError, match="no permission"):
            check_writable(tmp_path / "run.nc")
    finally:
        tmp_path.chmod(0o700)


def test_check_writable_refuses_a_disk_too_full(tmp_path):
    room = shutil.disk_usage(tmp_path).free
    with pytest.raises(ResultsFileError, match=r"too full \(.* MB are needed and .* MB are free\); make room"):
        check_writable(tmp_path / "run.nc", bytes_needed=10 * room + 1)


def test_save_refuses_early_too(run, tmp_path):
    with pytest.raises(ResultsFileError, match="does not exist"):
        run.save(tmp_path / "missing" / "run.nc")
