"""Dask: the same to the last bit, and workers may die."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tapespring as ts

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster, set_as_default=False) as made,
    ):
        yield made


def test_two_workers_give_what_one_process_gives_bit_for_bit(folder, client):
    alone = ts.study("study.yaml", workers=1)
    there = ts.study("study.yaml", cluster=client)
    assert np.array_equal(alone.samples.values, there.samples.values)
    assert np.array_equal(alone.samples.parameters, there.samples.parameters)


def test_an_address_on_the_command_line(folder, client):
    command = [
        sys.executable,
        "-m",
        "tapespring",
        "sweep",
        "study.yaml",
        "--json",
        "--cluster",
        client.scheduler.address,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["samples"] == 40


def test_a_worker_that_is_killed_costs_no_sample(tmp_path, monkeypatch, client):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slow_forms.py").write_text((Path(__file__).parent / "slow_forms.py").read_text())
    uniform = {"distribution": {"kind": "uniform", "low": 0, "high": 1}}
    study = {"model": "slow_forms.py:slow", "parameters": {"a": uniform},
             "sampling": {"kind": "sobol", "samples": 1200}, "responses": {"y": {"value": "y"}}}  # fmt: skip
    killed = []

    def progress(fraction, _):
        if fraction > 0.2 and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)
            time.sleep(0.2)

    found = ts.study(study, cluster=client, progress=progress, allow_python=True)
    assert killed
    assert len(found.samples) == 1200
    assert np.array_equal(found["y"], 3.0 * found["a"])


def test_no_scheduler(folder):
    with pytest.raises(ts.ModelError, match="no Dask scheduler answers at tcp://"):
        ts.study("study.yaml", cluster="tcp://127.0.0.1:9")
