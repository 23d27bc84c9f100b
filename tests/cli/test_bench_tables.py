"""Families of cases, and published tables with a column of ours."""

from tapespring.bench import registry
from tapespring.bench.jpl_tables import TABLES, lines
from tapespring.cli.benching import named_by


def test_families():
    assert named_by("a01") == ["a01"]
    assert named_by("nothing") == ["nothing"]
    assert set(named_by("jpl")) == {name for name in registry() if name.startswith("jpl_")}
    assert named_by("all") == list(registry())


def test_every_row_is_a_quantity_of_its_case():
    for rows in TABLES.values():
        for row in rows:
            assert row.ours in {quantity.name for quantity in registry()[row.case].quantities()}


def test_lines_of_what_was_run():
    quantity = {"value": 0.024, "reference": 0.025}
    names = [row.ours for row in TABLES["3. Straps between carts"]]
    outcome = {"case": "jpl_straps", "cpu_s": 1.5, "quantities": [{"name": name, **quantity} for name in names]}
    text = "\n".join(lines([outcome]))
    assert "3. Straps between carts" in text
    assert "0.024" in text
    assert "-4.00 %" in text
    assert "Pendulum" not in text
    assert lines([]) == []
