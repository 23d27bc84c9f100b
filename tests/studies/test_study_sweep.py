"""Sweeps: on disk as they go, on with what is missing, the same on any number of processes."""

import json

import h5py
import numpy as np
import pytest
from typer.testing import CliRunner

import tapespring as ts
from tapespring.cli import app
from tapespring.results import safe_file
from tapespring.studies import pool, sweep
from tapespring.studies.chunks import Chunk, Chunks, run_chunk
from tapespring.studies.file import SweepFile
from tapespring.studies.plan import Plan
from tapespring.studies.store import Store
from tapespring.studies.trial import Trial


def command(*words):
    return CliRunner().invoke(app, ["sweep", *map(str, words)], catch_exceptions=False)


def test_the_command_runs_and_answers(folder):
    done = command("study.yaml", "--workers", 1)
    assert done.exit_code == 0, done.output
    assert "40 samples, 0 failed (40 run now" in done.output
    out = folder / "out" / "study.sweep"
    page = (out / "report.html").read_text()
    assert page.count("<svg") >= 8
    answers = json.loads((out / "answers.json").read_text())["answers"][""]
    worst = answers["turned"]["worst"]["sample"]
    assert f"href='runs/{worst}.html'" in page
    assert (out / "runs" / f"{worst}.html").stat().st_size > 1e5
    again = command("study.yaml", "--workers", 1, "--json")
    assert json.loads(again.output)["ran"] == 0


def test_responses_are_those_of_a_run(folder):
    """The period of a mass on a spring, and what `simulate` says of one sample."""
    found = ts.study("study.yaml", workers=1)
    k, mass, turned = found["k"], found["mass"], found["turned"]
    assert turned == pytest.approx(np.pi * np.sqrt(mass / k), rel=1e-6)
    one = ts.load("model.yaml").set("forces.coil.stiffness", float(k[7])).set("bodies.block.mass", float(mass[7]))
    assert found["most"][7] == pytest.approx(one.simulate()["block.position.x"].max(), rel=1e-12)


def test_the_table_opens_elsewhere(folder):
    found = ts.study("study.yaml", workers=1, keep="kept")
    with h5py.File("kept/samples.nc") as h5:
        assert np.array_equal(h5["k"][:], found["k"])
        assert np.array_equal(h5["turned"][:], found["turned"])
        assert h5["k"].attrs["units"] == b"N/m"
    lines = (folder / "kept" / "samples.csv").read_text().splitlines()
    assert lines[0] == "sample,variant,k [N/m],mass [kg],most [m],turned [s],failed,reason,seconds"
    assert float(lines[5].split(",")[5]) == found["turned"][4]


@pytest.mark.parametrize(("solver", "how"), [("ode", pool.Threads), ("baumgarte", pool.Pool)])
def test_two_give_what_one_gives_bit_for_bit(folder, solver, how):
    """Small models by threads, others by processes."""
    text = (folder / "study.yaml").read_text()
    (folder / "study.yaml").write_text(f"{text}simulate: {{solver: {solver}}}\n")
    alone, two = (ts.study("study.yaml", workers=n) for n in (1, 2))
    assert isinstance(sweep._backend(alone.plan, Trial(alone.plan), None, 2, None), how)
    assert np.array_equal(alone.samples.values, two.samples.values)
    assert np.array_equal(alone.samples.parameters, two.samples.parameters)


def test_a_study_goes_on_where_it_was(folder):
    plan = Plan(SweepFile.read("study.yaml"))
    run = Trial(plan)
    first = ts.study("study.yaml", workers=1)
    store = Store(folder / "kept", plan.mark(), {})
    index = np.array([3, 11, 12])
    store.add(run_chunk(run, Chunk(index, plan.rows(index), plan.variant_of(index))))
    store.add(run_chunk(run, Chunk(index[:2], plan.rows(index[:2]), plan.variant_of(index[:2]))))  # twice
    found = ts.study("study.yaml", workers=1, keep="kept")
    assert found.ran == 37
    assert found.samples.index.tolist() == list(range(40))
    assert np.array_equal(found.samples.values, first.samples.values)


def test_another_study_is_not_mixed_in(folder):
    ts.study("study.yaml", workers=1, keep="kept")
    text = (folder / "study.yaml").read_text()
    (folder / "study.yaml").write_text(text.replace("seed: 3", "seed: 4"))
    done = command("study.yaml", "--out", "kept", "--workers", 1)
    assert done.exit_code == 3
    assert "holds samples of another study" in done.output
    assert command("study.yaml", "--out", "kept", "--workers", 1, "--afresh").exit_code == 0


def test_limits_may_change_without_running_again(folder):
    ts.study("study.yaml", workers=1, keep="kept")
    text = (folder / "study.yaml").read_text()
    (folder / "study.yaml").write_text(text.replace("max: 0.34 s", "max: 0.31 s"))
    found = ts.study("study.yaml", workers=1, keep="kept")
    assert found.ran == 0
    assert found.answers.of[""]["turned"]["violation"]["count"] > 10


def test_a_full_disk_says_so_and_the_study_goes_on(folder, monkeypatch):
    """The second piece finds no room."""
    written, real = [], safe_file.os.write

    def full(descriptor, data):
        written.append(1)
        if len(written) > 2:
            raise OSError(safe_file.errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr(safe_file.os, "write", full)
    done = command("study.yaml", "--workers", 1)
    assert done.exit_code == 3
    assert "no space left" in done.output
    assert "samples are kept, and the same command goes on from there" in done.output
    monkeypatch.setattr(safe_file.os, "write", real)
    kept = int(Store(folder / "out/study.sweep", Plan(SweepFile.read("study.yaml")).mark(), {}).done(40).sum())
    assert 0 < kept < 40
    found = json.loads(command("study.yaml", "--workers", 1, "--json").output)
    assert found["ran"] == 40 - kept
    assert found["samples"] == 40


def test_runs_that_fail_are_told_with_their_reason():
    import closed_forms

    study = {"parameters": {"a": {"values": [0.05, 0.5, 0.95]}}, "sampling": {"kind": "grid"},
             "responses": {"y": {"value": "y", "limit": {"max": 1}}}}  # fmt: skip
    found = ts.study(study, closed_forms.fragile, workers=1)
    assert found.samples.failed.tolist() == [False, False, True]
    assert found.failures == {"ArithmeticError: too much": 1}
    assert np.isnan(found["y"]).tolist() == [True, False, True]


def test_numbers_a_model_refuses_are_failures(folder):
    text = (folder / "study.yaml").read_text()
    text = text.replace("std: 20 g", "std: 900 g").replace("samples: 40", "samples: 30")
    (folder / "study.yaml").write_text(text)
    found = ts.study("study.yaml", workers=1)
    assert np.array_equal(found.samples.failed, found["mass"] <= 0.0)
    assert found.samples.failed.any()
    assert "the mass must be positive" in next(iter(found.failures))


def test_a_run_that_takes_too_long_is_given_up(folder):
    text = (folder / "study.yaml").read_text().replace("samples: 40", "samples: 2")
    (folder / "study.yaml").write_text(text + "time_limit: 1 ns\n")
    found = ts.study("study.yaml", workers=1)
    assert found.samples.failed.all()
    assert "the run took longer than 1e-09 s and was given up" in next(iter(found.failures))


def test_models_made_in_python_go_to_other_processes(folder):
    model = ts.load("model.yaml")
    study = {"parameters": {"k": {"path": "forces.coil.stiffness", "values": [90, 100, 110]}},
             "simulate": {"solver": "baumgarte"}, "sampling": {"kind": "grid"},
             "responses": {"most": {"channel": "block.position.x"}}}  # fmt: skip
    alone, two = (ts.study(study, model, workers=n) for n in (1, 2))
    assert np.array_equal(alone["most"], two["most"])
    assert isinstance(sweep._backend(alone.plan, Trial(alone.plan, model), model, 2, None), pool.Pool)


@pytest.mark.slow
def test_a_sample_that_ends_its_process(folder):
    study = {"model": "closed_forms.py:deadly", "parameters": {"a": {"values": [k / 20 for k in range(20)]}},
             "sampling": {"kind": "grid"}, "responses": {"y": {"value": "y"}}}  # fmt: skip
    found = ts.study(study, folder=folder, workers=2, allow_python=True)
    assert np.array_equal(found.samples.failed, found["a"] > 0.9)
    assert found.failures == {"its process ended 5 times: killed by SIGKILL": 1}


def test_variants_run_the_same_samples(folder):
    text = (folder / "study.yaml").read_text()
    branches = "variants:\n  nominal: {}\n  soft: {sets: {forces.coil.free_length: 1.05 m}}\n  cut: {without: [coil]}\n"
    (folder / "study.yaml").write_text(text.replace("samples: 40", "samples: 10") + branches)
    with pytest.raises(ts.ModelError, match="forces"):
        ts.study("study.yaml", workers=1)  # the stiffness of a spring that is not there
    text = (folder / "study.yaml").read_text().replace("  cut: {without: [coil]}\n", "")
    (folder / "study.yaml").write_text(text)
    found = ts.study("study.yaml", workers=1)
    assert len(found.samples) == 20
    assert np.array_equal(found["k"][:10], found["k"][10:])
    assert found["most"][:10] == pytest.approx(np.full(10, 1.2), abs=1e-3)
    assert found["most"][10:] == pytest.approx(np.full(10, 1.1), abs=1e-3)
    assert "variant soft" in found.summary()


def test_a_sample_is_played(folder):
    done = command("study.yaml", "--play", 5, "--out", "kept")
    assert done.exit_code == 0, done.output
    played = ts.Results.load("kept/runs/5.nc")
    assert played["block.position.x"].max() == pytest.approx(ts.study("study.yaml", workers=1)["most"][5], rel=1e-12)
    assert "there is no sample 40" in command("study.yaml", "--play", 40).output


def test_a_played_sample_is_that_of_the_study(folder):
    """Whose page then leads to it; the one that says how is the command that was typed."""
    (folder / "study.yaml").write_text((folder / "study.yaml").read_text() + "simulate: {solver: baumgarte}\n")
    command("study.yaml", "--out", "kept", "--workers", 1)
    page = (folder / "kept" / "report.html").read_text()
    assert '"command":"tapespring sweep study.yaml --out kept"' in page
    assert 'href="runs/5.html"' not in page
    played = command("study.yaml", "--out", "kept", "--play", 5)
    assert "responses are those of the study to the last bit" in played.output
    command("study.yaml", "--out", "kept", "--workers", 1)
    assert 'href="runs/5.html"' in (folder / "kept" / "report.html").read_text()


def test_a_sample_is_played_in_python(folder):
    found = ts.study("study.yaml", workers=1)
    assert found.play(5)["block.position.x"].max() == pytest.approx(found["most"][5], rel=1e-12)
    with pytest.raises(KeyError, match="there is no sample 40"):
        found.play(40)


def test_chunks_grow_with_the_pace(folder):
    plan = Plan(SweepFile.read("study.yaml"))
    chunks = Chunks(plan, np.arange(40), workers=2)
    first = chunks.next()
    assert len(first.index) == 1
    assert chunks.next() is None  # what the first one compiles is there for all others
    chunks.pace = 1e-3
    sizes = []
    while (chunk := chunks.next()) is not None:
        sizes.append(len(chunk.index))
    assert sum(sizes) == 39
    assert max(sizes) == sizes[0] == 5


def test_a_sample_that_kills_its_process_is_a_failure(folder):
    plan = Plan(SweepFile.read("study.yaml"))
    chunks = Chunks(plan, np.arange(40), workers=2, pace=1e-3)
    chunk = chunks.next()
    assert chunks.died(chunk, "killed by SIGSEGV") is None
    alone = [chunks.next() for _ in chunk.index]
    assert [len(c.index) for c in alone] == [1] * len(chunk.index)
    bad, piece = alone[0], None
    for _ in range(5):
        assert piece is None
        piece = chunks.died(bad, "killed by SIGSEGV")
        bad = chunks.next() if piece is None else bad
    assert piece.reasons == ["its process ended 5 times: killed by SIGSEGV"]
    assert np.isnan(piece.values).all()
