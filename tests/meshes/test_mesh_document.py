"""What docs/meshes.md shows works, and names every kind, field and group."""

import re
from pathlib import Path
from typing import get_args

import pytest
from mesh_measures import mesh

from tapespring.kinds.meshes.any_mesh import AnyMesh
from tapespring.kinds.meshes.mesh import Mesh
from tapespring.kinds.meshes.points import PointsMesh
from tapespring.schema.source import parse_yaml

TEXT = (Path(__file__).parents[2] / "docs/meshes.md").read_text(encoding="utf-8")
DATA = Path(__file__).parent / "data"
(YAML,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
EXAMPLES = parse_yaml(YAML).data
ROWS = [row for row in re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", TEXT, re.MULTILINE) if row[0] != "kind"]
SCHEMAS = {schema.model_fields["kind"].default: schema for schema in get_args(get_args(AnyMesh)[0])}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name):
    grid = mesh(**EXAMPLES[name]).grid(DATA)
    assert grid.notes == ()


def test_every_kind_has_a_row_and_an_example():
    assert {kind for kind, _, _ in ROWS} == set(SCHEMAS)
    assert {fields["kind"] for fields in EXAMPLES.values()} == set(SCHEMAS)


def test_every_field_is_in_its_row():
    for kind, schema in SCHEMAS.items():
        text = " ".join(fields for row, fields, _ in ROWS if row == kind)
        told = set(re.findall(r"`(\w+)", text))
        assert set(schema.model_fields) - set(Mesh.model_fields) - {"triangles"} <= told
        if schema is PointsMesh:
            assert "triangles" in told


def test_groups_of_the_table_exist():
    for kind in set(SCHEMAS) - {"file", "points"}:
        known = set()
        for fields in EXAMPLES.values():
            if fields["kind"] == kind:
                grid = mesh(**fields).grid(DATA)
                known |= {*grid.groups, *grid.absent}
        told = {name for row, _, groups in ROWS if row == kind for name in re.findall(r"`(\w+)`", groups)}
        told -= {"bottom"} if kind == "sphere" else set()
        assert told <= known, kind


def test_fields_are_described_for_editors():
    from pydantic import TypeAdapter

    schema = TypeAdapter(AnyMesh).json_schema()
    for found in SCHEMAS.values():
        fields = schema["$defs"][found.__name__]["properties"]
        for name, field in fields.items():
            assert (
                name == "kind" or {"description", "examples", "$ref", "enum"} & set(field) or "items" in str(field)
            ), name


def test_python_example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(code, {})
    assert "205" in capsys.readouterr().out
    assert (tmp_path / "strip.inp").exists()
