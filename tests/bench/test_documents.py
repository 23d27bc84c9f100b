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


def run_python(document: str, folder: Path) -> str:
    (code,) = blocks(document, "python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_python_of_the_readme(tmp_path):
    told = run_python("README.md", tmp_path)
    assert "Simple pendulum: complete at t = 10 s" in told
    x, _, z = (float(number) for number in re.search(r"\[([^\]]*)\]", told).group(1).split())
    assert (x, z) == pytest.approx((0.275087462576, -0.961419205099), abs=1e-6)  # elliptic functions


def test_python_of_the_report_page(tmp_path):
    run_python("docs/report.md", tmp_path)
    assert "<h1>Pendulum</h1>" in (tmp_path / "pendulum.html").read_text(encoding="utf-8")
    assert "<h1>on Earth · elsewhere</h1>" in (tmp_path / "both.html").read_text(encoding="utf-8")


def documents_with_models() -> list[str]:
    """Those that show whole models; pages of kinds show the registry's, which are built elsewhere."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    names = [str(page.relative_to(ROOT)) for page in pages if page.parent.name != "kinds"]
    return [name for name in names if whole_models(name)]


def whole_models(document: str) -> list[str]:
    return [text for text in blocks(document, "yaml") if "bodies:" in text and "simulate:" in text]


@pytest.mark.parametrize("document", documents_with_models())
def test_models_of_the_documents(document):
    coarse = document.startswith("docs/howto") or "first" in document  # tolerances of everyday use
    for text in whole_models(document):
        model = ts.Model.from_text(text)
        results = model.simulate()
        assert results.status.complete
        assert not [note for note in results.notes if note.startswith("contact '")]  # nothing to complain about
        if model.settings.solver != "quasi-static":  # which has no energy to audit
            assert results.audit.grade in (("excellent", "good") if coarse else ("excellent",))


def test_python_of_the_first_ten_minutes(tmp_path):
    document = "docs/first-ten-minutes.md"
    (tmp_path / "mine.yaml").write_text(blocks(document, "yaml")[0], encoding="utf-8")
    on_earth, on_moon = (float(number) for number in run_python(document, tmp_path).splitlines()[-1].split())
    assert on_earth == pytest.approx(on_moon * (9.81 / 1.62) ** 0.5, rel=1e-2)  # as sampled
    assert "<h1>Earth · Moon</h1>" in (tmp_path / "both.html").read_text(encoding="utf-8")


def test_python_of_the_page_on_trust(tmp_path):
    told = run_python("docs/is-my-result-right.md", tmp_path)
    assert "10 ms | fair | Numerical damping" in told
    assert "took out 0.52 J, 5.2 %" in told
    assert "1 ms | good | Numerical damping" in told
    assert "0.091 %" in told


def test_python_of_the_page_on_fits(tmp_path):
    told = run_python("docs/howto/fit.md", tmp_path)
    assert re.search(r"depth +-0\.28 ", told)  # what the record was made with
    assert re.search(r"damping +0\.03 ", told)


@pytest.mark.slow
def test_python_of_the_page_on_sweeps(tmp_path):
    told = run_python("docs/howto/sweep.md", tmp_path)
    assert "swing" in told
    assert "64" in told


@pytest.mark.slow
def test_python_of_the_symbolic_page(tmp_path):
    assert run_python("docs/symbolic.md", tmp_path).startswith("complete")


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
