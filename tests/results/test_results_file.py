"""Saved runs: exact round trip, netCDF-4 conventions, other readers."""

import re

import h5py
import numpy as np
import pytest

from tapespring.results import Channel, Results, ResultsFileError, Status
from tapespring.results.netcdf import CHANGED

DONE = Status(True, "complete", time=1.0)


def assert_same(a: Results, b: Results) -> None:
    assert a.names() == b.names()
    assert np.array_equal(a.time, b.time)
    for name in a.names():
        x, y = a[name], b[name]
        assert (x.unit, x.components, x.about) == (y.unit, y.components, y.about), name
        assert x.values.tobytes() == y.values.tobytes(), name  # bit for bit, NaN included
    for part in ("status", "events", "violation", "counters", "timing", "provenance", "notes"):
        assert getattr(a, part) == getattr(b, part), part
    assert (a.audit is None) == (b.audit is None)
    if a.audit and b.audit:
        assert a.audit.describe() == b.audit.describe()
        assert a.audit.residual.tobytes() == b.audit.residual.tobytes()


def test_round_trip_is_exact(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    assert path == tmp_path / "run.nc"
    back = Results.load(path)
    assert_same(run, back)
    assert list(back.provenance["settings"]) == ["rtol", "scale"]
    assert_same(back, Results.load(back.save(tmp_path / "again.nc")))


def test_round_trip_of_the_least_there_can_be(tmp_path):
    bare = Results([0.0], status=Status(False, "interrupted"))
    back = Results.load(bare.save(tmp_path / "bare.nc"))
    assert back.time.tolist() == [0.0]
    assert back.status.code == "interrupted"
    assert np.isnan(back.status.time)
    assert (back.names(), back.events, back.audit, back.notes, back.provenance) == ([], [], None, [], {})


def test_round_trip_of_odd_texts_and_labels(tmp_path):
    odd = Results(
        [0.0, 1.0],
        [
            Channel("körper 1.ω", "rad/s", np.ones((2, 2)), ("α", "β")),
            Channel("a.t", "1", np.zeros((2, 4)), ("t", "i", "m", "e")),
            Channel("a.long", "1", np.zeros((2, 40)), tuple(f"label{i}" for i in range(40))),
            Channel("a.one", "1", np.zeros((2, 1)), ("run_status",)),
            Channel("a.ab", "1", np.zeros((2, 2)), ("a", "b")),
            Channel("a.ab_as_one", "1", np.zeros((2, 1)), ("ab",)),
            Channel("a.about", "m", np.zeros(2), about="two\nlines, 'quotes', \"more\" and 100 %"),
        ],
        status=DONE,
        provenance={"model_text": "x: 1\n" * 30_000, "model_name": "größe"},
        notes=["", "tab\t and nul \0 and newline\n"],
    )
    assert_same(odd, Results.load(odd.save(tmp_path / "odd.nc")))


def test_extreme_numbers_survive(tmp_path):
    values = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, np.nextafter(1, 2), 9.969209968386869e36])
    run = Results(np.arange(7.0), [Channel("a.b", "m", values)], status=DONE, timing={"wall_s": 0.1 + 0.2})
    assert_same(run, Results.load(run.save(tmp_path / "extreme.nc")))


@pytest.mark.slow
def test_many_channels_pass_the_limit_of_hdf5_attributes(tmp_path):
    """The time axis lists its users in one attribute, which by default may not pass 64 kB."""
    many = Results([0.0], [Channel(f"n{i}.x", "m", [float(i)]) for i in range(4500)], status=DONE)
    back = Results.load(many.save(tmp_path / "many.nc"))
    assert back.names() == many.names()
    assert back["n4499.x"].final == 4499.0


def test_netcdf4_conventions(run, tmp_path):
    """What netCDF's format specification asks of the HDF5 file."""
    with h5py.File(run.save(tmp_path / "run.nc"), "r") as file:
        assert file.attrs["Conventions"].decode().startswith("CF-")
        assert file.attrs["_NCProperties"].decode().startswith("version=2,tapespring=")
        assert next(iter(file)) == "time"  # links in creation order, not by alphabet
        scales = [item for item in file.values() if item.is_scale]
        assert [int(scale.attrs["_Netcdf4Dimid"]) for scale in scales] == list(range(len(scales)))
        assert file["time"].attrs["units"] == b"s"
        for item in file.values():
            if not item.is_scale:
                attached = [dimension[0] for dimension in item.dims]
                assert tuple(len(scale) for scale in attached) == item.shape
                numbers = [int(scale.attrs["_Netcdf4Dimid"]) for scale in attached]
                assert item.attrs["_Netcdf4Coordinates"].tolist() == numbers
            elif "_Encoding" not in item.attrs and item.name != "/time":
                assert (
                    item.attrs["NAME"].decode()
                    == f"This is a netCDF dimension but not a netCDF variable.{len(item):10d}"
                )
            assert item.dtype in (np.dtype("f8"), np.dtype("S1"), np.dtype(">f4"))
        assert file["bob.position"].dims[1][0].name == "/xyz"
        assert file["xyz"][:].tobytes() == b"xyz"


def test_netcdf4_reads_it(run, tmp_path):
    netcdf4 = pytest.importorskip("netCDF4")
    with netcdf4.Dataset(run.save(tmp_path / "run.nc")) as data:
        position = data["bob.position"]
        assert position.dimensions == ("time", "xyz")
        assert (position.units, position.long_name) == ("m", "centre of the bob, Ø 3 mm")
        assert np.array_equal(position[:], run["bob.position"].values)
        assert data["time"].units == "s"
        assert data["xyz"][:].tolist() == ["x", "y", "z"]
        assert data["first_second"][:].tolist() == ["first", "second"]
        assert data["event_name"][:].tolist() == ["impact", "limit"]
        assert str(data["run_model"][:]) == run.provenance["model_text"]
        assert data.title == "Simple pendulum"
        assert not data.groups
        assert all(not dimension.isunlimited() for dimension in data.dimensions.values())


def test_netcdf4_can_append_to_it(run, tmp_path):
    netcdf4 = pytest.importorskip("netCDF4")
    path = run.save(tmp_path / "run.nc")
    with netcdf4.Dataset(path, "a") as data:
        data.createVariable("post.speed", "f8", ("time",))[:] = run.time
        data["post.speed"].units = "m/s"
    assert Results.load(path)["post.speed"].final == 1.0


def test_what_other_programs_add_is_read_and_told(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    with h5py.File(path, "a") as h5:
        h5.create_dataset("post.speed", data=run.time).attrs["units"] = b"m/s"
    back = Results.load(path)
    assert back["post.speed"].final == 1.0
    assert back.notes == [*run.notes, CHANGED]
    assert Results.load(back.save(tmp_path / "again.nc")).notes == [*run.notes, CHANGED]


def test_files_from_before_there_were_checksums_are_read(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    with h5py.File(path, "a") as h5:
        del h5.attrs["checksum"]
    assert_same(run, Results.load(path))


@pytest.mark.parametrize("engine", ["netcdf4", "h5netcdf"])
def test_xarray_reads_it(run, tmp_path, engine):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip({"netcdf4": "netCDF4"}.get(engine, engine))
    with xarray.open_dataset(run.save(tmp_path / "run.nc"), engine=engine) as data:
        assert np.array_equal(data["bob.position"].sel(xyz="y"), run["bob.position.y"].values)
        assert data["bob.position"].attrs["units"] == "m"
        assert str(data["run_model"].values) == run.provenance["model_text"]
        assert data["event_about"].values[0] == run.events[0].about
        in_memory = run.to_xarray()
        for name in run.names():
            assert data[name].dims == in_memory[name].dims
            assert np.array_equal(data[name], in_memory[name], equal_nan=True)


def test_load_refuses_what_is_not_there_or_not_ours(run, tmp_path):
    with pytest.raises(ResultsFileError, match="no results file at"):
        Results.load(tmp_path / "nothing.nc")
    (tmp_path / "text.nc").write_text("hello")
    with pytest.raises(ResultsFileError, match="not a tapespring results file"):
        Results.load(tmp_path / "text.nc")
    with h5py.File(tmp_path / "other.nc", "w") as file:
        file["time"] = [0.0]
    with pytest.raises(ResultsFileError, match="not written by tapespring"):
        Results.load(tmp_path / "other.nc")


def test_load_refuses_damaged_and_newer_files(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    (tmp_path / "half.nc").write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ResultsFileError, match="damaged"):
        Results.load(tmp_path / "half.nc")
    with h5py.File(path, "a") as file:
        del file["run_status"]
    with pytest.raises(ResultsFileError, match="damaged"):
        Results.load(path)
    with h5py.File(path, "a") as file:
        newer = re.sub(rb"tapespring-\d+", b"tapespring-99", file.attrs["Conventions"])
        file.attrs["Conventions"] = np.bytes_(newer)
    with pytest.raises(ResultsFileError, match="newer tapespring; upgrade"):
        Results.load(path)
