"""Pages of runs, studies and fits whose every text is markup: it is shown, and is never an element of the page."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from drawn_runs import poisoned

import tapespring as ts
from tapespring.fitting.outcome import FitResults
from tapespring.fitting.page import page as fit_page
from tapespring.fitting.records import Record
from tapespring.results.report.document import document
from tapespring.results.report.page import report_page
from tapespring.studies.page import page as study_page

POISON = "\"'><img src=x onerror=window.hacked=1><script>window.hacked=1</script>&lt;b&gt;"
SAFE = re.findall(
    r"\w+",
    """html head meta title style body header main section footer noscript script div span p b small h1 h2 h3 a ul ol
    li dl dt dd table thead tbody tr th td details summary pre button svg rect line text polyline circle""",
)
DATA = ("application/json", "text/plain")


class Page(HTMLParser):
    """Elements, programs and data of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.programs, self.data, self.words, self.inside = [], [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.inside = self.data if dict(attrs).get("type") in DATA else self.programs

    def handle_endtag(self, tag):
        self.inside = None if tag == "script" else self.inside

    def handle_data(self, text):
        (self.words if self.inside is None else self.inside).append(text)


def check(text, programs):
    page = Page(text)
    assert {tag for tag, _ in page.elements} <= {*SAFE}
    for _, attributes in page.elements:
        assert not any(name.startswith("on") or name in ("src", "style", "srcdoc") for name in attributes)
        assert re.match(r"#|runs/|$", attributes.get("href", ""))
    assert len(page.programs) == programs
    assert "unsafe" not in text[: text.index("<title>")]
    assert any(POISON in words for words in page.words)
    return page


def test_a_run():
    for runs in ([("a", poisoned(POISON))], [(POISON, poisoned(POISON)), ("b", poisoned(POISON))]):
        page = check(report_page(runs), 1)
        assert json.loads(page.data[0])["runs"]


def test_references_alone():
    quantity = {"name": POISON, "value": 1.5, "unit": POISON, "reference": 1.0, "source": POISON, "mark": POISON,
                "tolerance": 0.1, "ok": False}  # fmt: skip
    check(report_page([], title=POISON, references=[quantity]), 0)


def test_a_study():
    uniform = {"distribution": {"kind": "uniform", "low": 0, "high": 1}}
    study = {"name": POISON, "description": POISON, "parameters": {"a": uniform},
             "responses": {POISON: {"value": "y", "unit": POISON, "limit": {"max": 0.5}}},
             "sampling": {"kind": "random", "samples": 8}, "variants": {POISON: {}}}  # fmt: skip

    def made(a):
        if a > 0.8:
            raise RuntimeError(POISON)
        return {"y": a}

    try:
        found = ts.study(study, made, workers=1)
    except ts.ModelError:  # of a unit or a name that is none
        study["responses"][POISON]["unit"] = ""
        found = ts.study(study, made, workers=1)
    check(study_page(found), 1)


def test_a_fit():
    record = Record(POISON, POISON, POISON, np.array([0.0, 1.0]), np.ones(2), np.ones(2), None, None, ())
    found = FitResults(
        name=POISON, parameters=[POISON], units=[POISON], scales=["log"], values=np.ones(1), std=np.ones(1),
        relative_std=np.ones(1), intervals=[(0.5, 1.5)], correlation=np.eye(1), cost=1.0, integrals=[1.0], noise=[1.0],
        status=POISON, solutions=1, runs=1, starts=[], statements=[POISON], warnings=[POISON],
        derived={POISON: (1.0, 0.1)}, records=[record], predicted=[np.ones(2)], profiles=[],
    )  # fmt: skip
    check(fit_page(found), 0)


@pytest.mark.parametrize("program", ["", "let a = '<'; // ä"])
def test_only_what_is_hashed_may_run(program):
    """The hashes are those of a browser's own text of the two elements."""
    import base64
    import hashlib

    text = document(POISON, ["<p>"], style="p { color: red }\n", program=program)
    page = Page(text)
    policy = next(a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for name, inside in (("script-src", program), ("style-src", "p { color: red }\n")):
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert rules[name] == (f"'sha256-{digest}'" if inside else "'none'")
    assert "".join(page.programs) == program
