"""A folder with a model and studies of it, and of functions in closed form."""

from pathlib import Path

import pytest
from spring_study import MODEL, STUDY


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The present one, with model.yaml, study.yaml and closed_forms.py."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.yaml").write_text(MODEL)
    (tmp_path / "study.yaml").write_text(STUDY)
    (tmp_path / "closed_forms.py").write_text((Path(__file__).parent / "closed_forms.py").read_text())
    return tmp_path
