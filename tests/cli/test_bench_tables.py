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
    for table in TABLES:
        names = {quantity.name for quantity in registry()[table.case].quantities()}
        assert {row.ours for row in table.rows} <= names


def straps_outcome(**more):
    table = next(table for table in TABLES if table.case == "jpl_straps")
    quantity = {"value": 0.024, "reference": 0.025, "unit": "N", "run": "some", **more}
    runs = {"some": {"cpu_s": 1.5, "elements": 156, "solver": "quasi-static"}}
    return {"case": "jpl_straps", "quantities": [{"name": row.ours, **quantity} for row in table.rows], "runs": runs}


def test_lines_of_what_was_run():
    text = "\n".join(lines([straps_outcome()]))
    assert "3. Straps between carts" in text
    for shown in ("0.024 ", "-4.00 %", "1.50 s", "156", "quasi-static", "[R]", "0.026"):
        assert shown in text
    assert "Pendulum" not in text
    assert "error" not in text
    assert lines([]) == []


def test_errors_are_shown_where_they_were_estimated():
    assert "±3e-05" in "\n".join(lines([straps_outcome(error=3e-5)]))
    assert "unknown" in "\n".join(lines([straps_outcome(error=None)]))
