"""The page as a file: what stands in it and in which order, how it is packed, and that its program is up to date."""

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path

import numpy as np
import pytest
from drawn_runs import everything

from tapespring.results import Event
from tapespring.results.report.curves import thinned
from tapespring.results.report.document import asset
from tapespring.results.report.motion import frames
from tapespring.results.report.pack import STEPS, Blobs
from tapespring.results.report.page import report_page
from tapespring.results.skins import skin

SOURCES = Path(__file__).parents[2] / "report"


def unpacked(blobs, entry):
    """Bytes of like weight back to their numbers."""
    planes = np.frombuffer(zlib.decompress(base64.b64decode(blobs.texts[entry["blob"]])), np.uint8)
    width = {"f4": 4, "f8": 8, "u4": 4, "motion": 2}[entry["dtype"]]
    return planes.reshape(width, -1).T.copy().view({2: "<u2"}.get(width, f"<{entry['dtype']}")).reshape(entry["shape"])


def test_motion_is_exact_to_a_step_and_floats_to_their_digits():
    blobs = Blobs()
    values = np.random.default_rng(1).normal(size=(50, 7, 3)) * [1.0, 1e-6, 0.0] + [5.0, 1e3, -2.0]
    entry = blobs.motion(values)
    zigzag = unpacked(blobs, entry)
    change = ((zigzag >> 1) ^ -(zigzag & 1).astype(np.int16).view(np.uint16)).astype(np.uint16)
    whole = np.cumsum(change, axis=0, dtype=np.uint16)
    back = np.array(entry["low"]) + np.array(entry["step"]) * whole
    gone = values - values[0]
    assert np.all(np.abs(back - gone) <= np.ptp(gone, axis=(0, 1)) / STEPS * 0.51 + 1e-12)
    assert unpacked(blobs, entry["start"]).view("<f4").ravel() == pytest.approx(values[0].ravel(), rel=1e-7)
    floats = np.random.default_rng(2).normal(size=(3, 9))
    assert np.array_equal(unpacked(blobs, blobs.floats(floats, "f8")), floats)
    assert np.array_equal(unpacked(blobs, blobs.floats(floats)), floats.astype("f4"))


def test_numbers_that_are_none_keep_their_last_value():
    blobs = Blobs()
    entry = blobs.motion(np.array([1.0, 2.0, np.nan, np.inf]).reshape(4, 1, 1))
    assert entry["low"] == [0.0]
    assert entry["step"][0] * STEPS == pytest.approx(1.0)


def test_thinned_curves_keep_every_peak():
    time = np.linspace(0.0, 1.0, 100_001)
    table = np.zeros((2, len(time)))
    table[0, 31_234], table[1, 77_777] = 5.0, -7.0
    table[1, 10] = np.nan
    short, times = thinned(table, time, 1000)
    assert short.shape == (2, len(times)) == (2, 1000)
    assert short[0].max() == 5.0
    assert short[1].min() == -7.0
    assert times[short[0].argmax()] == pytest.approx(time[31_234], abs=2e-3)
    assert np.all(np.diff(times) >= 0.0)
    assert (times[0], times[-1]) == (0.0, 1.0)


def test_frames_are_even_in_time_and_few():
    time = np.concatenate((np.linspace(0.0, 0.1, 5000), np.linspace(0.1, 1.0, 5000)))
    rows = frames(time, 100)
    assert len(rows) <= 600
    assert rows[0] == 0
    assert rows[-1] == len(time) - 1
    assert np.diff(time[rows]).max() < 3e-3
    assert len(frames(time, 10**9)) <= 60
    assert np.array_equal(frames(time[:50], 100), np.arange(50))


def test_the_skin_of_a_solid_is_its_outside():
    hexahedra = [[0, 1, 3, 2, 4, 5, 7, 6], [4, 5, 7, 6, 8, 9, 11, 10]]  # one on top of the other
    faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    part = {"of": "solid", "cells": {"hexahedron": hexahedra}, "sides": {"hexahedron": faces}}
    seen, triangles, edges = skin(part)
    assert len(seen) == 12
    assert len(triangles) == 2 * 10  # twelve faces less the two between them
    assert len(edges) == 20
    points = np.array([(x, y, z) for z in range(3) for y in range(2) for x in range(2)], float)
    a, b, c = (points[seen][triangles[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 == pytest.approx(2.0)  # volume: outside is in front


def test_bad_news_come_first_and_are_red():
    good, bad = report_page([("a", everything())]), report_page([("a", everything(bad=True))])
    assert good.index("id='stage'") < good.index("id='trust'")
    assert bad.index("id='trust'") < bad.index("id='stage'")
    assert "class='card trust bad'" in bad
    assert "Do not trust these numbers" in bad
    assert "class='card trust good'" in good
    both = report_page([("a", everything()), ("b", everything(bad=True))])
    assert both.index("id='trust'") < both.index("id='stage'")


def test_one_file_that_loads_nothing():
    run = everything(name="</script><script>alert(1)</script>")
    run.events.append(Event("<img src=x onerror=alert(1)>", 1.0, "</script>"))
    page = report_page([(run.provenance["model_name"], run)])
    own = page.replace(asset("page.js"), "").replace(asset("page.css"), "")
    assert "<img" not in own
    assert "alert(1)</script>" not in own
    assert not re.search(r"(src|href)=['\"]?(https?:)?//", own)
    assert "default-src 'none'" in page
    assert len(asset("page.js")) + len(asset("page.css")) < 2_000_000
    data = json.loads(re.search(r"id='data'>(.*?)</script>", page)[1])
    assert data["runs"][0]["label"] == run.provenance["model_name"]
    for licence in ("three", "uplot"):
        assert re.search(rf"\n{licence} [\d.]+\n\n.*?MIT", asset("page.js"), re.S | re.I)


def test_references_stand_in_a_table():
    quantity = {"name": "x at 1 s", "value": 1.5, "unit": "m", "reference": 1.0, "source": "a paper", "mark": "P",
                "tolerance": 0.1, "ok": False}  # fmt: skip
    page = report_page([("a", everything())], references=[quantity, quantity | {"value": None}])
    assert "0 of 2 within tolerance" in page
    assert "not reached" in page
    assert "a paper" in page


def test_the_built_program_belongs_to_its_sources():
    """If this fails: `npm ci && npm run build` in the folder `report`, and commit what it wrote."""
    files = sorted(path for path in (SOURCES / "src").rglob("*") if path.is_file())
    names = sorted(path.relative_to(SOURCES).as_posix() for path in files)
    found = hashlib.sha256()
    for name in [*names, "package-lock.json", "build.mjs"]:
        found.update(name.encode() + b"\0" + (SOURCES / name).read_bytes() + b"\0")
    assert asset("page.sha256").strip() == found.hexdigest()
    assert "resolved" not in (SOURCES / "package-lock.json").read_text()


def test_of_several_runs_the_worst_is_told_first():
    runs = [("fine", everything()), ("poor", everything(bad=True))]
    page = report_page(runs)
    assert page.index("Do not trust these numbers") < page.index("Nothing was found")
    assert "<span class='run-name run-1'>poor</span>" in page


def test_a_problem_without_motion_has_a_page_of_its_numbers():
    quantity = {"name": "critical load", "value": 9.87, "reference": 9.8696, "tolerance": 0.001, "unit": "N",
                "mark": "A", "source": "Euler", "ok": True}  # fmt: skip
    page = report_page([], title="column", references=[quantity])
    assert "<h1>column</h1>" in page
    assert "1 of 1 within tolerance" in page
    assert "out of tolerance" in report_page([], title="column", references=[quantity | {"ok": False}])
    assert "<script" not in page
    with pytest.raises(ValueError, match="at least one run"):
        report_page([])
