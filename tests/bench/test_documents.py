"""What the documents and examples show works."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import tapespring as ts

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_python_of_the_readme(tmp_path):
    (code,) = blocks("README.md", "python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert "Simple pendulum: complete at t = 10 s" in done.stdout
    x, _, z = (float(number) for number in re.search(r"\[([^\]]*)\]", done.stdout).group(1).split())
    assert (x, z) == pytest.approx((0.275087462576, -0.961419205099), abs=1e-6)  # elliptic functions


def test_python_of_the_report_page(tmp_path):
    (code,) = blocks("docs/report.md", "python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert "<h1>Pendulum</h1>" in (tmp_path / "pendulum.html").read_text(encoding="utf-8")
    assert "<h1>on Earth · elsewhere</h1>" in (tmp_path / "both.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", ["README.md", "docs/model-file.md", "docs/flexible-sheets.md", "docs/contact.md"])
def test_models_of_the_documents(document):
    for text in blocks(document, "yaml"):
        model = ts.Model.from_text(text)
        results = model.simulate()
        assert results.status.complete
        if model.settings.solver != "quasi-static":  # which has no energy to audit
            assert results.audit.grade == "excellent"


def test_the_mistake_of_the_readme():
    text, *_ = blocks("README.md", "yaml")
    with pytest.raises(ts.ModelError, match=r"bodies.bob.mas: unknown field; did you mean 'mass'\?"):
        ts.Model.from_text(text.replace("mass: 1 kg", "mas: 1 kg"))


GRADES = {"tape_spring_hinge": "good"}  # a snap, followed at the default tolerance: 3e-6 of the energy


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_example_files(path):
    results = ts.load(path).simulate()
    assert results.status.complete
    assert results.audit.grade == GRADES.get(path.stem, "excellent")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example_programs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert "complete" in capsys.readouterr().out


def test_four_bar_reaches_the_angles_of_its_geometry(capsys):
    """Extremes of the rocker: crank and coupler in one line, stretched or folded (law of cosines)."""
    from math import acos, degrees

    names = runpy.run_path(str(EXAMPLES / "four_bar.py"))
    swing = names["four_bar"]().simulate()["D.angle"]
    a, b, c, d = (names[name] for name in ("CRANK", "COUPLER", "ROCKER", "BASE"))

    def angle_at_d(reach):
        return acos((c * c + d * d - reach * reach) / (2 * c * d))

    expected = degrees(angle_at_d(b + a) - angle_at_d(b - a))
    assert degrees(swing.max() - swing.min()) == pytest.approx(expected, abs=0.02)  # outputs every 5 ms


def test_links_of_the_readme():
    for link in re.findall(r"\]\(((?!http)[^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert (ROOT / link).exists(), link
