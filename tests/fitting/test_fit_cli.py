"""`tapespring fit` and `tapespring compare-solvers` on the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tapespring import fitting

STUDIES = Path(fitting.__file__).parent / "studies"
MODELS = Path(fitting.__file__).parents[1] / "bench" / "models"


def tapespring(*arguments, cwd):
    command = [sys.executable, "-m", "tapespring", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def test_fit_prints_and_saves(tmp_path):
    done = tapespring("fit", STUDIES / "ball.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "k is not identified" in done.stdout
    page = (tmp_path / "out" / "ball.fit.html").read_text()
    assert page.count("<svg") == 2
    assert "cannot be told apart" in page
    data = json.loads((tmp_path / "out" / "ball.fit.json").read_text())
    assert data["derived"]["restitution"]["value"] == pytest.approx(0.7, abs=1e-4)


def test_a_fit_that_is_done_is_not_done_again(tmp_path):
    first = json.loads(tapespring("fit", STUDIES / "ball.yaml", "--json", cwd=tmp_path).stdout)
    second = json.loads(tapespring("fit", STUDIES / "ball.yaml", "--json", cwd=tmp_path).stdout)
    assert second["parameters"]["b"]["value"] == pytest.approx(first["parameters"]["b"]["value"], rel=1e-12)
    assert second["runs"] < first["runs"] / 2
    afresh = json.loads(tapespring("fit", STUDIES / "ball.yaml", "--json", "--afresh", cwd=tmp_path).stdout)
    assert afresh["runs"] == first["runs"]


def test_a_mistake_has_its_line_and_code_2(tmp_path):
    text = (STUDIES / "ball.yaml").read_text().replace("channel: ball.position.z", "channel: ball.height")
    for name in ("ball_model.yaml", "ball.csv"):
        (tmp_path / name).write_text((STUDIES / name).read_text())
    (tmp_path / "ball.yaml").write_text(text)
    done = tapespring("fit", "ball.yaml", cwd=tmp_path)
    assert done.returncode == 2
    line = text.splitlines().index("      - channel: ball.height") + 1
    assert done.stderr.startswith(
        f"ball.yaml:{line}: experiments.drop.measured[0].channel: unknown channel 'ball.height'"
    )


def test_search_on_several_cores_finds_the_same(tmp_path):
    for name in ("seatbelt_model.yaml", "seatbelt.csv"):
        (tmp_path / name).write_text((STUDIES / name).read_text())
    text = (STUDIES / "seatbelt.yaml").read_text() + "search: {starts: 3, spread: 1.5, processes: 2}\n"
    (tmp_path / "study.yaml").write_text(text)
    done = tapespring("fit", "study.yaml", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    starts = json.loads(done.stdout)["starts"]
    assert [s["status"] for s in starts] == ["converged"] * 3
    assert starts[1]["values"] == pytest.approx(starts[0]["values"], rel=1e-3)
    assert starts[2]["values"] == pytest.approx(starts[0]["values"], rel=1e-3)


def test_compare_solvers(tmp_path):
    done = tapespring("compare-solvers", MODELS / "a01.yaml", "--duration", "5 s", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["spans"] == [1.0, 5.0]
    assert found["doubt"] < 1e-10
    for solver in ("ode", "stiff", "baumgarte", "implicit"):
        assert found["chosen"][solver]["error"] <= 1e-6
    errors = [run["error"] for run in found["runs"] if run["solver"] == "ode"]
    assert errors[0] > 1e3 * errors[-1]  # accuracy is bought by tolerance
    assert "<svg" in (tmp_path / "out" / "a01.solvers.svg").read_text()


def test_solvers_that_do_not_know_a_model_say_so(tmp_path):
    done = tapespring("compare-solvers", STUDIES / "ball_model.yaml", "--duration", "0.46 s", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("stiff ")]
    assert "not for this model: " in line
    assert "simulate.solver: stiff knows no contacts" in line
