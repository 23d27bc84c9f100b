"""What asks a run to end: Ctrl-C, batch queues and closing terminals, whatever the run is doing at that moment."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import tapespring as ts
from tapespring import interruption
from tapespring.cli import screen
from tapespring.results import extremes
from tapespring.solve import transient

ENDING = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
LAW = """
numbers = {"calls": 0}  # which Numba does not know


def pull(x, v):
    numbers["calls"] += 1
    return 1.0 - 3.0 * x
"""
HINGE = """
bodies: {bob: {kind: rigid, mass: 1 kg, at: [1 m, 0, 0], inertia: [1, 1, 1]}}
joints: {hinge: {kind: revolute, between: [ground, bob], at: [0, 0, 0], axis: y}}
forces: {motor: {kind: joint_torque, joint: hinge, value: {python: 'pulling:pull'}}}
simulate: {duration: 1 s}
"""
MODELS = {"pendulum.yaml": "compiled", "hinge.yaml": "a law in Python"}
LONG = {"pendulum.yaml": "1e7 s", "hinge.yaml": "1e5 s"}


@pytest.fixture(autouse=True)
def listening():
    """Signals as a process from a terminal has them, even if the tests themselves run under nohup."""
    before = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in before.items():
        if handler is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def models(folder):
    (folder / "pulling.py").write_text(LAW)
    (folder / "hinge.yaml").write_text(HINGE)
    yield folder
    sys.modules.pop("pulling", None)


@contextmanager
def sent(number: int, once=lambda: True, after: float = 0.3):
    """Send this process a signal while the block runs, some time after a condition came true."""
    over = threading.Event()

    def wait_and_send():
        while not over.wait(0.05):
            if once():
                if not over.wait(after):
                    os.kill(os.getpid(), number)
                return

    thread = threading.Thread(target=wait_and_send)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.fixture
def begun(monkeypatch):
    """Whether a run from the command line goes on: a signal before that ends it with nothing to keep."""
    steps, told = threading.Event(), screen.Bar.__call__

    def tell(self, fraction, text):
        steps.set()
        told(self, fraction, text)

    monkeypatch.setattr(screen.Bar, "__call__", tell)
    return steps


@contextmanager
def interrupted_within(monkeypatch, number):
    """Every run meets a signal after some of its steps, whatever the machine is busy with."""
    advance = transient.advance

    def interrupted(run, step, progress, patience, keep=None, chunk=transient.FIRST_CHUNK):
        advance(run, step, progress, patience, lambda _: signal.raise_signal(number), chunk)

    with monkeypatch.context() as patch:
        patch.setattr(transient, "advance", interrupted)
        patch.setattr(transient, "FIRST_CHUNK", 1)
        yield


def more_calls(numbers, than=500):
    """Whether a law is called much more often than it is tried before a run."""
    begin = numbers["calls"]
    return lambda: numbers["calls"] > begin + than


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("file", MODELS)
def test_a_signal_ends_the_run_and_keeps_what_was_reached(models, tapespring, begun, file, number):
    assert tapespring("run", file, "--allow-python").exit_code == 0  # whatever has to be compiled is
    before = signal.getsignal(number)
    begun.clear()
    once = more_calls(sys.modules["pulling"].numbers) if file == "hinge.yaml" else begun.is_set
    with sent(number, once, after=0.0):
        done = tapespring("run", file, "--allow-python", "--duration", LONG[file])
    assert done.exit_code == 128 + number
    assert "NOT COMPLETE (interrupted)" in done.output
    assert "interrupted; what was reached is in out" in done.output
    saved = ts.Results.load(Path("out", file).with_suffix(".nc"))
    assert saved.status.code == "interrupted"
    assert saved.status.time > 0.0
    assert signal.getsignal(number) is before


def test_signals_that_were_ignored_stay_so(models, tapespring):
    """As under nohup."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with sent(signal.SIGTERM):
            assert tapespring("run", "hinge.yaml", "--allow-python", "--duration", "30 s").exit_code == 0
    finally:
        signal.signal(signal.SIGTERM, before)


def test_asking_twice_does_not_keep_a_run_from_saving(tmp_path):
    """Batch queues send SIGTERM more than once; only Ctrl-C interrupts what follows the first."""
    with interruption.interruptible(ENDING):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        assert interruption.exit_code() == 128 + signal.SIGTERM
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def hinge(law, **settings):
    model = ts.Model(name="Hinge")
    bar = model.rigid("bar", at=(0.5, 0, 0), mass=1, inertia=(0.001, 0.083, 0.083))
    model.revolute("hinge", model.ground, bar, at=(0, 0, 0), axis="y")
    model.joint_torque("motor", "hinge", value=law)
    return model


NUMBERS = {"calls": 0}


def pull(x, v):
    NUMBERS["calls"] += 1
    return 1.0 - 3.0 * x - 0.01 * v


@pytest.mark.parametrize("solver", ["ode", "stiff", "implicit", "conserving", "explicit", "quasi-static"])
def test_ctrl_c_while_a_law_is_called_back(solver):
    """Every solver; what was reached is a motion, without a value that an interrupted call left behind."""
    model = hinge(pull)
    settings = {"step": 1e-3} if solver in ("implicit", "conserving") else {}
    model.simulate(0.01, solver=solver, **settings)
    with sent(signal.SIGINT, more_calls(NUMBERS)):
        run = model.simulate(1e5, solver=solver, outputs=100_000, **settings)
    assert run.status.code == "interrupted"
    assert all(c.values[0].size and (c.values == c.values).all() for c in run.channels.values())


def test_a_second_ctrl_c_ends_a_law_that_never_returns():
    stuck = []

    def law(x):
        NUMBERS["calls"] += 1
        while stuck and NUMBERS["calls"] > stuck[0]:
            time.sleep(0.01)
        return -x

    model = hinge(law)
    stuck.append(NUMBERS["calls"] + 300)
    called = more_calls(NUMBERS, 290)
    with sent(signal.SIGINT, called, 0.3), sent(signal.SIGINT, called, 0.6):
        run = model.simulate(1e5)
    assert run.status.code == "interrupted"


def test_ctrl_c_in_an_event_loop():
    """Where notebooks run cells: asyncio has a handler of its own, which would wait for the cell to end."""
    runs = []

    async def cell():
        with sent(signal.SIGINT, more_calls(NUMBERS)):
            runs.append(hinge(pull).simulate(1e5))

    with pytest.raises(KeyboardInterrupt):  # asyncio's own, once the cell has ended
        asyncio.run(cell())
    assert runs[0].status.code == "interrupted"


def test_a_thread_of_its_own_runs_too():
    """Signals belong to the main thread; elsewhere nothing is asked of them."""
    found = []
    thread = threading.Thread(target=lambda: found.append(hinge(pull).simulate(0.1)))
    thread.start()
    thread.join()
    assert found[0].status.complete


def test_an_interrupted_run_is_not_refined(models, tapespring):
    tapespring("run", "hinge.yaml", "--allow-python", "--refine")
    with sent(signal.SIGTERM, more_calls(sys.modules["pulling"].numbers)):
        done = tapespring("run", "hinge.yaml", "--allow-python", "--refine", "--duration", "1e5 s")
    assert done.exit_code == 128 + signal.SIGTERM
    assert "no error estimate: the run was interrupted" in done.output


@pytest.mark.parametrize("number", ENDING)
def test_whatever_runs_models_ends_with_its_first_interrupted_run(models, tapespring, monkeypatch, number):
    """Not with the next model, and not with a verdict on half a run."""
    for words in (("bench", "a01", "a03", "--report", "pages"), ("compare-solvers", "pendulum.yaml")):
        with interrupted_within(monkeypatch, number):
            done = tapespring(*words)
        assert done.exit_code == 128 + number
        assert done.output == "interrupted; nothing was saved\n"
        assert not Path("pages").exists()


def test_an_interrupted_run_is_on_disk_before_more_is_found_in_it(models, tapespring, monkeypatch):
    """What happened between outputs takes as long to find as it took to compute."""
    tapespring("run", "pendulum.yaml")
    before = Path("out", "pendulum.nc").read_bytes()
    seen = []

    def found(self):
        seen.append(Path("out", "pendulum.nc").read_bytes() != before)
        raise KeyboardInterrupt

    monkeypatch.setattr(extremes.Extremes, "plain", found)
    with interrupted_within(monkeypatch, signal.SIGTERM):
        done = tapespring("run", "pendulum.yaml", "--duration", "1e7 s")
    assert seen == [True]
    assert done.exit_code == 128 + signal.SIGTERM
    assert "interrupted; what was reached is in out" in done.output
    assert ts.Results.load("out/pendulum.nc").status.code == "interrupted"


def test_a_run_that_is_interrupted_while_it_is_saved_is_kept(models, tapespring, monkeypatch):
    monkeypatch.setattr(extremes.Extremes, "plain", lambda _: signal.raise_signal(signal.SIGINT))
    done = tapespring("run", "pendulum.yaml")
    assert done.exit_code == 128 + signal.SIGINT
    assert "interrupted; the results are in out" in done.output
    saved = ts.Results.load("out/pendulum.nc")
    assert saved.status.complete
    assert any("finding more was interrupted" in note for note in saved.notes)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_process_from_a_terminal_or_a_batch_queue(models, number):
    """The signal to the process itself; a queue would kill it seconds later."""
    words = ["run", "hinge.yaml", "--allow-python", "--duration", "1e5 s", "--out", "part.nc"]
    signs = "from pathlib import Path\n" + LAW.replace(
        "    return", "    if numbers['calls'] > 1000:\n        Path('running').touch()\n    return"
    )
    (models / "pulling.py").write_text(signs)
    run = subprocess.Popen(
        [sys.executable, "-m", "tapespring", *words],
        cwd=models,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(1200):
            if (models / "running").exists() or run.poll() is not None:
                break
            time.sleep(0.1)
        run.send_signal(number)
        out, err = run.communicate(timeout=120)
    finally:
        run.kill()
    assert run.returncode == 128 + number, err
    assert "NOT COMPLETE (interrupted)" in out
    assert "interrupted; what was reached is in part.nc" in err
    assert "Traceback" not in err
    assert "ignored" not in err
    assert ts.Results.load(models / "part.nc").status.time > 0.0


def test_lines_of_progress_without_a_terminal(models, tapespring, monkeypatch):
    monkeypatch.setattr(screen, "BETWEEN_LINES", 0.0)
    done = tapespring("run", "hinge.yaml", "--allow-python", "--duration", "20 s")
    lines = [line for line in done.stderr.splitlines() if line.startswith("hinge: ")]
    assert lines
    assert "% after " in lines[0]
    assert "t = " in lines[0]
    assert tapespring("run", "hinge.yaml", "--allow-python", "--duration", "20 s", "--quiet").output == ""


def test_lines_of_progress_come_now_and_then(monkeypatch, capsys):
    clock = iter(range(10_000))  # s, one at each look
    monkeypatch.setattr(screen.time, "monotonic", lambda: next(clock))
    bar = screen.Bar("Long run")
    for k in range(301):
        bar(k / 300, "going on")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[0] == "Long run: 9.7% after 30 s, going on"
