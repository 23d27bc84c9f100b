"""A model with a body that is reduced on the spot is read, and its mistakes found, without reducing it."""

import pytest

import tapespring as ts
from tapespring.reduction import reduce as reduction

ROD = {"kind": "beam", "path": [[0, 0, 0], [1, 0, 0]], "elements": 4,
       "section": {"kind": "tube", "radius": "10 mm", "wall": "1 mm"},
       "material": {"young": 70e9, "poisson": 0.3, "density": 2700}}  # fmt: skip
BULK = "\n".join((
    "GRID,1,,0.,0.,0.", "GRID,2,,1.,0.,0.", "CBAR,1,1,1,2,0.,1.,0.", "PBAR,1,1,1.-4,4.-8,2.-8,4.-8",
    "MAT1,1,7.+10,,0.33,2700.", "",
))  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_is_reduced(monkeypatch):
    def never(*args, **options):
        raise AssertionError("reading reduced a body")

    monkeypatch.setattr(reduction, "reduce", never)


def hung(of, tip="rod.end", on="boom.tip", folder=".") -> ts.Model:
    return ts.Model.from_plain({
        "name": "hung",
        "bodies": {"boom": {"kind": "modal", "of": of, "interfaces": {"tip": tip}, "modes": 3}},
        "joints": {"pin": {"kind": "spherical", "between": ["ground", on]}},
    }, folder)  # fmt: skip


def test_models_and_bulk_data(tmp_path):
    hung({"bodies": {"rod": ROD}})
    (tmp_path / "boom.bdf").write_text(BULK)
    hung("boom.bdf", tip="2", folder=tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tip": "rod.tip"}, "there is no 'rod.tip' to be an interface"),
        ({"on": "boom.top"}, "top"),
        ({"of": {"bodies": {"rod": ROD | {"elements": -1}}}}, "elements"),
        (
            {"of": {"bodies": {"rod": {"kind": "solid", "mesh": {"kind": "file", "file": "none.msh"}}}}},
            "none.msh|material",
        ),
    ],
)
def test_mistakes_are_found(change, words):
    with pytest.raises(ts.ModelError, match=words) as caught:
        hung(**{"of": {"bodies": {"rod": ROD}}} | change)
    assert "boom" in str(caught.value)


def test_cards_are_told(tmp_path):
    (tmp_path / "boom.bdf").write_text("CBUSH,9,9,1,2\n" + BULK)
    with pytest.raises(ts.ModelError, match=r"boom.bdf:1: CBUSH: this card is not understood"):
        hung("boom.bdf", tip="2", folder=tmp_path)
