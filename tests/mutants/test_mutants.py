"""Hundreds of models with a mistake each: no traceback, no hang, no refusal without file, line and remedy."""

import random
import zlib

import pytest
from campaign import answer, faults
from mutating import mutant, sound_models

from tapespring.schema.source import yaml_text

MODELS = sound_models()
BOUNDS = ("--duration", "1 ms", "--quiet")


def mutants(seed, count):
    """(model, number, text) of mutants, of each model as many."""
    names = sorted(MODELS)
    chances = {name: random.Random(seed + zlib.crc32(name.encode())) for name in names}
    for k in range(count):
        name = names[k % len(names)]
        yield name, k, mutant(MODELS[name], chances[name])


def faulty(found, limit=20):
    return "\n\n".join(f"{name} {number}: {fault}\n{text[:1500]}" for name, number, text, fault in found[:limit])


def campaign(seed, count, folder):
    """Put mutants through `check`; returns those that are not answered as they should."""
    return [
        (name, number, text, fault)
        for name, number, text in mutants(seed, count)
        for fault in faults(answer(text, folder, "check"), folder)
    ]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Sound models pass; after that nothing has to be compiled, so that what takes long is a fault."""
    folder = tmp_path_factory.mktemp("sound")
    for name, data in MODELS.items():
        checked = answer(yaml_text(data), folder, "check", seconds=0)
        assert checked.exit_code == 0, f"{name}: {checked.output}"


@pytest.mark.usefixtures("compiled")
def test_mutants_are_answered(tmp_path):
    found = campaign(21, 600, tmp_path)
    assert not found, faulty(found)


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_many_mutants_are_answered(tmp_path):
    found = campaign(22, 5000, tmp_path)
    assert not found, faulty(found)


@pytest.mark.usefixtures("compiled")
def test_mutants_run_or_are_refused_as_a_check_refuses_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = []
    for name, number, text in runnable(23, 60):
        run = answer(text, tmp_path, "run", *BOUNDS, seconds=0)
        found += [(name, number, text, fault) for fault in faults(run, tmp_path)]
        checked = answer(text, tmp_path, "check", "--duration", "1 ms")
        if 2 in (run.exit_code, checked.exit_code) and run.output != checked.output:
            found.append((name, number, text, f"run says {run.output!r}, check {checked.output!r}"))
    assert not found, faulty(found)


def runnable(seed, count):
    """Mutants of the kinds' own examples, half of which pass a check: they are not all refused when read."""
    kinds = [name for name in sorted(MODELS) if name.startswith("kind ")]
    chance = random.Random(seed)
    for k in range(count):
        name = kinds[k % len(kinds)]
        yield name, k, mutant(MODELS[name], chance)
