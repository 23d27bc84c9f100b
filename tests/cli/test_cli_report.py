"""`tapespring report` and `tapespring export`, and pages beside runs and benchmarks."""

import json

import pytest


def test_a_run_with_its_page(folder, tapespring):
    done = tapespring("run", "pendulum.yaml", "--report", "out.html", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["report"] == "out.html"
    page = (folder / "out.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<h1>Pendulum</h1>" in page


def test_pages_of_saved_runs_beside_them_and_compared(folder, tapespring):
    tapespring("run", "pendulum.yaml", "-q")
    tapespring("run", "pendulum.yaml", "-q", "--out", "heavy.nc", "--set", "gravity=[0, 0, -20]")
    done = tapespring("report", "out/pendulum.nc")
    assert done.exit_code == 0
    assert done.stdout.strip() == "out/pendulum.html"
    assert (folder / "out" / "pendulum.html").stat().st_size < 2_000_000
    done = tapespring("report", "out/pendulum.nc", "heavy.nc", "--out", "both.html")
    assert done.exit_code == 0
    assert "<h1>pendulum · heavy</h1>" in (folder / "both.html").read_text()


@pytest.mark.parametrize(
    "words", [("report", "p.nc"), ("export", "p.nc", "p.csv"), ("run", "pendulum.yaml", "--restart", "p.nc")]
)
@pytest.mark.parametrize("where", [0.01, 0.3, 0.7, 0.999])
def test_a_damaged_file_is_told_in_a_sentence(folder, tapespring, words, where):
    tapespring("run", "pendulum.yaml", "-q", "--out", "p.nc")
    content = bytearray((folder / "p.nc").read_bytes())
    content[int(where * len(content))] ^= 1
    (folder / "p.nc").write_bytes(content)
    done = tapespring(*words)
    assert done.exit_code == 2
    assert "'p.nc' is damaged: its bytes are not those that were written" in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_exports_by_the_ending(folder, tapespring):
    tapespring("run", "pendulum.yaml", "-q", "--out", "p.nc")
    assert tapespring("export", "p.nc", "p.csv", "--channel", "bob.*").exit_code == 0
    assert (folder / "p.csv").read_text().startswith("time [s],bob.position.x [m]")
    assert tapespring("export", "p.nc", "p.pvd").exit_code == 0
    assert (folder / "p" / "p_000000.vtu").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("report", "none.nc"), "no results file at 'none.nc'; there are p.nc"),
        (("report", "pendulum.yaml"), "is a model, not a run: `tapespring run pendulum.yaml --report pendulum.html`"),
        (("export", "p.nc", "p.xls"), "exported as .csv (channels), .png"),
        (("report", "p.nc", "--out", "nowhere/p.html"), "does not exist"),
        (("export", "p.nc", "p.csv", "--channel", "bub.*"), "no channel is like bub.*"),
    ],
)
def test_mistakes_are_told(folder, words, said, tapespring):
    tapespring("run", "pendulum.yaml", "-q", "--out", "p.nc")
    done = tapespring(*words)
    assert done.exit_code in (2, 3)
    assert said in done.stderr.replace("\n", " ")


def test_the_page_of_a_benchmark_has_its_references(folder, tapespring):
    done = tapespring("bench", "a01", "--report", "a01.html")
    assert done.exit_code == 0
    page = (folder / "a01.html").read_text()
    assert "id='references'" in page
    assert "within tolerance" in page
