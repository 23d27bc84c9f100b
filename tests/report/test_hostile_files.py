"""Results files of strangers: nothing of other files comes in, nothing larger than the file is made, and whatever they
hold is read and shown, or refused in one sentence."""

import copy
import json
import os
import random
import shutil

import h5py
import numpy as np
import pytest
from drawn_runs import everything
from typer.testing import CliRunner

from tapespring.cli import app
from tapespring.results import Results, ResultsFileError, State
from tapespring.results.netcdf_layout import as_characters
from tapespring.results.report.page import report_page

SECRET = "the secret of the reader"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    run = everything(times=9, nodes=5, cells=2)
    run.state = State(2.0, np.arange(7.0), np.arange(6.0), {"hinge": 0.5}, 0, "fingerprint")
    return run.save(tmp_path_factory.mktemp("whole") / "run.nc")


@pytest.fixture
def place(tmp_path, whole):
    shutil.copy(whole, tmp_path / "run.nc")
    (tmp_path / "secret.txt").write_text(SECRET * 100)
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["secret"] = as_characters([json.dumps([SECRET])])[0]
        other["numbers"] = np.zeros((9, 3))
    return tmp_path


def refused(path):
    """The sentence for a file that is not read, by Python and by the command line."""
    with pytest.raises(ResultsFileError) as error:
        Results.load(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    found = CliRunner().invoke(app, ["report", str(path)])
    assert found.exit_code == 2, found.output
    assert SECRET not in found.output + str(error.value)
    assert not path.with_suffix(".html").exists()
    return str(error.value)


def replaced(name, make):
    """Something else in the place of an array."""

    def change(h5, place):
        shape, kind = h5[name].shape, h5[name].dtype
        del h5[name]
        make(h5, place, name, shape, kind)

    return change


def external_storage(h5, place, name, shape, kind):
    size = int(np.prod(shape)) * kind.itemsize
    h5.create_dataset(name, shape, kind, external=[(str(place / "secret.txt"), 0, size)])


def virtual(h5, place, name, shape, kind):
    layout = h5py.VirtualLayout(shape, kind)
    layout[...] = h5py.VirtualSource(str(place / "other.h5"), "numbers", shape=shape)
    h5.create_virtual_dataset(name, layout)


def external_link(h5, place, name, shape, kind):
    h5[name] = h5py.ExternalLink(str(place / "other.h5"), "/secret")


def soft_link(h5, place, name, shape, kind):
    h5["other"] = h5py.ExternalLink(str(place / "other.h5"), "/")
    h5[name] = h5py.SoftLink("/other/secret")


ELSEWHERE = {"storage": external_storage, "virtual": virtual, "external link": external_link, "soft link": soft_link}
READ = ["time", "run_notes", "run_model", "run_scene", "bob.position", "energy.kinetic", "event_about", "state_q"]


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("way", ELSEWHERE)
def test_other_files_do_not_come_in(place, way, name):
    with h5py.File(place / "run.nc", "r+") as h5:
        replaced(name, ELSEWHERE[way])(h5, place)
    assert "another file" in refused(place / "run.nc")
    if name == "state_q":
        with pytest.raises(ResultsFileError, match="another file"):
            State.load(place / "run.nc")


def never_written(h5, place, name, shape, kind):
    h5.create_dataset(name, (10**9, 12), "f8")


def unfolding(h5, place, name, shape, kind):
    h5.create_dataset(name, (10**9, 12), "f8", chunks=(10**6, 12), compression="gzip", fillvalue=1.0)


def written_and_unfolding(h5, place, name, shape, kind):
    made = h5.create_dataset(name, (300_000_000,), "f8", chunks=(1_000_000,), compression="gzip")
    made[:1_000_000] = 0.0


def twice_compressed(h5, place, name, shape, kind):
    made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    made.set_chunk((1000,))
    made.set_deflate(9)
    made.set_filter(h5py.h5z.FILTER_DEFLATE, 0, (9,))
    h5py.h5d.create(h5.id, name.encode(), h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((9000,)), made)


def of_any_length(h5, place, name, shape, kind):
    h5.create_dataset(name, data=["x" * 1000] * 9, dtype=h5py.string_dtype())


def group(h5, place, name, shape, kind):
    h5.create_group(name)


BOMBS = {
    "never written": (never_written, "asks for"),
    "unfolding": (unfolding, "asks for"),
    "partly written": (written_and_unfolding, "asks for"),
    "compressed twice": (twice_compressed, "compressed in a way that is not read"),
    "texts of any length": (of_any_length, "neither numbers nor text"),
    "group": (group, "is a group"),
}


@pytest.mark.parametrize("name", ["bob.position", "run_notes"])
@pytest.mark.parametrize("way", BOMBS)
def test_a_small_file_asks_for_little(place, way, name):
    with h5py.File(place / "run.nc", "r+") as h5:
        replaced(name, BOMBS[way][0])(h5, place)
    assert os.path.getsize(place / "run.nc") < 1e6
    assert BOMBS[way][1] in refused(place / "run.nc")


def test_one_array_by_many_names(place):
    """Of each there is enough in the file, but not of all."""
    with h5py.File(place / "run.nc", "r+") as h5:
        h5["wide.values"] = np.zeros((9, 1000))
        h5["wide.values"].attrs["components"] = " ".join(map(str, range(1000))).encode()
        for k in range(1000):
            h5[f"wide.values{k}"] = h5["wide.values"]
    assert "more than the file holds" in refused(place / "run.nc")


def test_long_attributes_by_many_names(place):
    with h5py.File(place / "run.nc", "r+") as h5:
        h5["bob.position"].attrs["units"] = np.arange(6.0)
    assert "'units' is no text" in refused(place / "run.nc")


def test_files_that_were_compressed_by_others_are_read(place, whole):
    with h5py.File(place / "run.nc", "r+") as h5:
        for name in ("bob.position", "time", "run_scene"):
            values = h5[name][...]
            kept = dict(h5[name].attrs) if name == "bob.position" else {}
            del h5[name]
            made = h5.create_dataset(name, data=values, chunks=True, compression="gzip", shuffle=True, fletcher32=True)
            made.attrs.update({key: kept[key] for key in ("units", "components", "long_name") if key in kept})
    ours, theirs = Results.load(whole), Results.load(place / "run.nc")
    assert np.array_equal(ours["bob.position"].values, theirs["bob.position"].values)
    assert ours.scene == theirs.scene


# -- records ----------------------------------------------------------------------------------------------------------
TEXTS = {
    "run_contacts": ["[1]", "{}[", '{"a": 1}', '{"a": {}}', "null", '{"a": {"touches": "<b>"}}', "[" * 100_000],
    "run_notes": ["{}", "[1]", '"text"', "not JSON", "9" * 5000],
    "run_warnings": [
        "{}",
        '[{"level": "<b>", "title": "", "words": ""}]',
        '[{"level": "bad", "title": "", "words": 1}]',
    ],
    "run_extremes": ['{"bob.position": 1}', '{"bob.position": {"low": []}}'],
    "run_status": ["[]", "{}", '{"complete": 1, "code": "x"}', '{"complete": true, "code": "x", "other": 1}'],
    "run_counters": ['{"steps": "many"}', '{"steps": ' + "9" * 100 + "}"],
    "run_timing": ['{"wall_s": "long"}'],
    "run_violation": ['{"position": [1]}'],
    "run_phases": ["[{}, {}]"],
    "run_errors": ['{"bob.position": {}}'],
    "run_provenance": ["[]", '{"settings": 3}'],
    "run_state": ["[]", '{"time": "now", "angles": {}, "stage": 0, "model": ""}'],
    "run_scene": ["[]", '{"parts": {}}', '{"parts": [{"kind": "line", "name": "strap", "of": "", "nodes": 1e12}]}'],
}


def with_text(path, name, text):
    with h5py.File(path, "r+") as h5:
        del h5[name]
        h5[name] = as_characters([text])[0]


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in TEXTS.items() for text in texts])
def test_wrong_json(place, name, text):
    with_text(place / "run.nc", name, text)
    refused(place / "run.nc")


OTHERS = [None, True, -1, 10**12, 0.5, float("nan"), "<b>text</b>", [], {}, [[]], [1, 2, 3], {"kind": "box"}, "ground"]


def mutated(data, chance):
    """Plain data with one thing in it that is something else, missing, or there twice."""
    if isinstance(data, dict | list) and data and chance.random() < 0.9:
        changed = copy.copy(data)
        key = chance.choice(list(changed)) if isinstance(data, dict) else chance.randrange(len(data))
        what = chance.random()
        if what < 0.1:
            del changed[key]
        elif what < 0.15 and isinstance(data, list):
            changed.append(changed[key])
        else:
            changed[key] = mutated(changed[key], chance)
        return changed
    return chance.choice(OTHERS)


def shown(run, folder):
    """All that is made of a run."""
    report_page([("a", run)])
    run.summary()
    run._repr_html_()
    run.to_vtk(folder / "run.pvd")


@pytest.mark.parametrize("name", TEXTS)
def test_mutants_of_records_are_shown_or_refused(place, name, whole):
    chance = random.Random(f"mutants of {name}")
    with h5py.File(whole) as h5:
        data = json.loads(h5[name][...].tobytes())
    told = {"shown": 0, "refused": 0}
    for _ in range(60 if name == "run_scene" else 15):
        shutil.copy(whole, place / "run.nc")
        with_text(place / "run.nc", name, json.dumps(mutated(data, chance)))
        try:
            run = Results.load(place / "run.nc")
        except ResultsFileError:
            told["refused"] += 1
            continue
        shown(run, place)
        told["shown"] += 1
    assert told["refused"] > 0


def test_channels_that_do_not_fit_the_scene(place):
    for name in ("strap.positions", "bob.position", "crank.orientation", "sheet.membrane_force", "floor.force"):
        with h5py.File(place / "run.nc", "r+") as h5:
            values, parts = h5[name][...], h5[name].attrs["components"].decode().split()
            del h5[name]
            h5[name] = values[:, :-1]
            h5[name].attrs["components"] = " ".join(parts[:-1]).encode()
        assert "as the scene wants it" in refused(place / "run.nc")
