"""The page of a study: whatever the samples were, it is whole, loads nothing and has no number that is none."""

import re
from xml.etree import ElementTree

import closed_forms
import numpy as np
import pytest

import tapespring as ts
from tapespring.studies import figures

UNIFORM = {"distribution": {"kind": "uniform", "low": 0, "high": 1}}
NORMAL = {"distribution": {"kind": "normal", "mean": 0, "std": 1}}
LIMITED = {"y": {"value": "y", "limit": {"max": 0.8}}}
STUDIES = {
    "scatter": ({"a": UNIFORM, "b": NORMAL}, {"kind": "sobol", "samples": 64}, closed_forms.linear),
    "some fail": ({"a": UNIFORM}, {"kind": "sobol", "samples": 64}, closed_forms.fragile),
    "all fail": ({"a": UNIFORM}, {"kind": "list", "rows": [[0.95], [0.96]]}, closed_forms.fragile),
    "one": ({"a": {"values": [0.5]}}, {"kind": "grid"}, closed_forms.fragile),
    "no value": ({"a": UNIFORM}, {"kind": "list", "rows": [[0.01], [0.02]]}, closed_forms.fragile),
    "constant": ({"a": {"values": [0.5, 0.5]}}, {"kind": "grid"}, closed_forms.fragile),
    "saltelli": ({"a": UNIFORM, "b": NORMAL}, {"kind": "saltelli", "samples": 16}, closed_forms.linear),
    "morris": ({"a": UNIFORM, "b": NORMAL}, {"kind": "morris", "samples": 8}, closed_forms.linear),
    "subset": ({"a": NORMAL, "b": NORMAL}, {"kind": "subset", "samples": 100, "response": "y"}, closed_forms.tail),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_page_of_anything(name, tmp_path, recwarn):
    parameters, sampling, function = STUDIES[name]
    study = {"name": f"{name} <&>", "parameters": parameters, "sampling": sampling, "responses": LIMITED}
    found = ts.study(study, function, workers=1)
    assert found.summary()
    page = found.report(tmp_path / "page.html").read_text()
    assert "<h1>" in page
    assert f"{name} &lt;&amp;&gt;" in page
    drawn = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert drawn
    for figure in drawn:
        ElementTree.fromstring(figure)
        assert "nan" not in figure
        assert "inf" not in figure
    assert not re.search(r"(src|href)=.(https?:|//)", page)
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


def test_red_points_are_those_beyond_the_limit(tmp_path):
    study = {"parameters": {"a": UNIFORM}, "sampling": {"kind": "sobol", "samples": 64}, "responses": LIMITED}
    found = ts.study(study, closed_forms.fragile, workers=1)
    page = found.report(tmp_path / "page.html").read_text()
    cloud = next(f for f in re.findall(r"<svg.*?</svg>", page, re.DOTALL) if "<circle" in f)
    red = {int(k) for k in re.findall(r'fill="#c8102e"[^>]*><title>sample (\d+)<', cloud)}
    y = found["y"]
    assert red == set(np.flatnonzero(np.isfinite(y) & (y > 0.8)).tolist())


@pytest.mark.parametrize("values", [[1.2, 1.2, 1.2, np.nextafter(1.2, 2.0)], [0.0, 0.0, 0.0], [1e-300, 2e-300, 3e-300]])
def test_samples_alike_but_for_rounding_are_drawn(values):
    picture = figures.histogram("load", "N", np.array(values), (-np.inf, np.inf))
    assert picture.count("<rect") >= 1
    figures.bars(np.array(values), 0.0, 0.0, 10.0)
