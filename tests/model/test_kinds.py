"""Contracts every kind keeps: it builds from its example, is written and read back equal, and is described."""

import pytest

from tapespring.build.builder import build
from tapespring.kinds.registry import SECTIONS, kinds
from tapespring.model import Model, model_schema

EVERY = list(kinds().values())


@pytest.fixture(params=EVERY, ids=lambda kind: kind.name)
def kind(request):
    return request.param


def test_example_shows_the_kind(kind):
    entries = kind.example[kind.section].values()
    assert any(entry["kind"] == kind.name for entry in entries)
    assert kind.example["name"]
    assert kind.section in SECTIONS
    assert kind.about


def test_example_builds_and_finishes(kind):
    model = Model.from_plain(kind.example)
    assembler, catalogue = build(model, ".", model.settings.duration)
    system = assembler.finish()
    assert len(system.q0) > 0
    named = set()
    for entries in (catalogue.bodies, catalogue.joints, catalogue.couplers, catalogue.drives, catalogue.couplings):
        named |= set(entries)
    named |= {*catalogue.loads, *catalogue.distributed, *catalogue.bars, *catalogue.bushings, *catalogue.events}
    named |= {
        *catalogue.supports,
        *catalogue.pressures,
        *catalogue.contacts,
        *catalogue.tilts,
        *catalogue.grips,
        *catalogue.drags,
    }
    assert {name for section in SECTIONS for name in model.section(section)} <= named
    assert catalogue.notes == []


def test_example_is_written_and_read_back_equal(kind, tmp_path):
    model = Model.from_plain(kind.example)
    model.save(tmp_path / "model.yaml")
    again = Model.load(tmp_path / "model.yaml")
    assert again.to_plain() == model.to_plain()
    assert again == model
    assert again.hash() == model.hash()
    assert again.to_yaml() == model.to_yaml()


def test_api_gives_the_same_plain_form(kind):
    read = Model.from_plain(kind.example)
    data = kind.example
    made = Model(name=data["name"], gravity=data.get("gravity", (0, 0, 0)), **data["simulate"])
    for section in ("bodies", "joints", "drives", "forces", "contacts", "events"):
        for name, entry in data.get(section, {}).items():
            fields = {key: value for key, value in entry.items() if key not in ("kind", "between")}
            getattr(made, entry["kind"])(name, *entry.get("between", ()), **fields)
    assert made.to_plain() == read.to_plain()


def test_fields_are_described_in_the_schema(kind):
    schema = model_schema()["$defs"][kind.schema.__name__]
    assert "kind" in schema["properties"]
    assert "name" not in schema["properties"]


def test_schema_names_every_section():
    assert set(model_schema()["properties"]) >= {"name", "gravity", "bodies", "joints", "drives", "forces", "simulate"}
