"""kill -9 of a driver or a worker, at random moments: nothing finished is lost, nothing is counted twice."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes in /proc")
STUDY = """\
model: slow_forms.py:slow
parameters:
  a: {distribution: {kind: uniform, low: 0, high: 1}}
sampling: {kind: sobol, samples: SAMPLES, seed: 1}
responses: {y: {value: y}}
"""


@pytest.fixture
def study(tmp_path):
    (tmp_path / "slow_forms.py").write_text((HERE / "slow_forms.py").read_text())
    return tmp_path


def sweep(folder):
    command = [sys.executable, "-m", "tapespring", "sweep", "study.yaml", "--workers", "2", "--allow-python", "--json"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(folder) -> dict[int, float]:
    """What is on disk, sample by sample; a piece that is there can be read."""
    found: dict[int, float] = {}
    for path in sorted((folder / "out" / "study.sweep" / "pieces").glob("piece-*.npz")):
        with np.load(path) as data:
            for index, value in zip(data["index"].tolist(), data["values"][:, 0].tolist(), strict=True):
                found.setdefault(index, value)
    return found


def children(process: int) -> list[int]:
    """Workers of a driver, without the helpers of multiprocessing."""
    crew = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(pid) for pid in crew if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def check(folder, samples):
    """One more time, undisturbed: everything is there once, and right."""
    done = sweep(folder)
    output, errors = done.communicate(timeout=120)
    assert done.returncode == 0, errors
    found = json.loads(output)
    assert found["samples"] == samples
    assert found["failed"] == 0
    rows = (folder / "out" / "study.sweep" / "samples.csv").read_text().splitlines()[1:]
    assert [int(row.split(",")[0]) for row in rows] == list(range(samples))
    for row in rows:
        _, _, a, y, *_ = row.split(",")
        assert float(y) == 3.0 * float(a)
    return found


def kill_drivers(folder, samples, times):
    (folder / "study.yaml").write_text(STUDY.replace("SAMPLES", str(samples)))
    rng, before, kills = np.random.default_rng(0), {}, 0
    for _ in range(times):
        driver = sweep(folder)
        known, since = len(before), time.monotonic()
        while len(finished(folder)) <= known and driver.poll() is None and time.monotonic() - since < 60.0:
            time.sleep(0.02)
        time.sleep(rng.uniform(0.0, 0.8))
        driver.send_signal(signal.SIGKILL)
        kills += driver.wait() == -signal.SIGKILL
        after = finished(folder)
        assert before.items() <= after.items()  # what was finished stays, with its value
        before = after
    found = check(folder, samples)
    assert found["ran"] == samples - len(before)
    return kills


def kill_workers(folder, samples, times):
    (folder / "study.yaml").write_text(STUDY.replace("SAMPLES", str(samples)))
    rng, kills = np.random.default_rng(1), 0
    driver = sweep(folder)
    while kills < times and driver.poll() is None:
        time.sleep(rng.uniform(0.05, 0.6))
        crew = children(driver.pid)
        if crew:
            os.kill(int(rng.choice(crew)), signal.SIGKILL)
            kills += 1
    output, errors = driver.communicate(timeout=300)
    assert driver.returncode == 0, errors
    found = json.loads(output)
    assert found["ran"] == found["samples"] == samples
    assert found["failed"] == 0
    assert sorted(finished(folder)) == list(range(samples))
    return kills


def test_a_killed_driver(study):
    assert kill_drivers(study, 1000, 1) == 1


def test_a_killed_worker(study):
    assert kill_workers(study, 1000, 1) == 1


@pytest.mark.slow
def test_twenty_killed_drivers(study):
    assert kill_drivers(study, 15000, 20) == 20


@pytest.mark.slow
def test_twenty_killed_workers(study):
    assert kill_workers(study, 6000, 20) == 20
