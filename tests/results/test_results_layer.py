"""This folder imports no other part of tapespring, and nothing heavy when it is imported."""

import ast
from pathlib import Path

import pytest

import tapespring.results

FOLDER = Path(tapespring.results.__file__).parent
LAZY = {"h5py", "pandas", "xarray", "matplotlib", "numba", "scipy", "tapespring"}


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_imports(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            depth = len(path.relative_to(FOLDER).parts)
            assert node.level <= depth, f"{path.name}:{node.lineno} reaches outside its folder"
            assert node.level >= 1 or not (node.module or "").startswith("tapespring")
    at_import = {
        name.partition(".")[0]
        for node in tree.body
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
        )
    }  # fmt: skip
    assert not at_import & LAZY


def test_every_public_name_is_there_and_documented():
    for name in tapespring.results.__all__:
        assert getattr(tapespring.results, name).__doc__, name
