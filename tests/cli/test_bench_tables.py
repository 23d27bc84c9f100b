"""Families of cases, and published tables with a column of ours."""

from tapespring import Model
from tapespring.bench import registry
from tapespring.bench.jpl_tables import TABLES, lines
from tapespring.bench.registry import told
from tapespring.cli.benching import named_by


def test_families():
    assert named_by("a01") == ["a01"]
    assert named_by("nothing") == ["nothing"]
    assert set(named_by("jpl")) == {name for name in registry() if name.startswith("jpl_")}
    assert named_by("all") == list(registry())


def test_every_row_is_a_quantity_of_its_case():
    for table in TABLES:
        for row in table.rows:
            assert row.ours in {quantity.name for quantity in registry()[row.case or table.case].quantities()}


def straps_outcome(told="", **more):
    table = next(table for table in TABLES if table.case == "jpl_straps")
    quantity = {"value": 0.024, "reference": 0.025, "unit": "N", "run": "some", **more}
    runs = {"some": {"cpu_s": 1.5, "elements": 156, "solver": "quasi-static", "told": told}}
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


def test_rows_of_cases_that_were_not_run_are_left_out():
    table = next(table for table in TABLES if any(row.case for row in table.rows))
    quantity = {"value": 0.1, "reference": 0.1, "unit": "N", "run": "", "name": ""}
    own = [quantity | {"name": row.ours} for row in table.rows if not row.case]
    text = "\n".join(lines([{"case": table.case, "quantities": own, "runs": {"": {"cpu_s": 1.0}}}]))
    assert all((row.about in text) == (not row.case) for row in table.rows if row.about not in ("in Y", "force in Y"))


def test_what_was_told_by_hand_is_said():
    assert "told" not in "\n".join(lines([straps_outcome()])[:-1])
    assert "  told, some: step 1 ms" in lines([straps_outcome(told="step 1 ms")])


def test_told_is_what_differs_from_the_defaults():
    model = Model.from_text("bodies: {ball: {kind: rigid, mass: 1, inertia: [1, 1, 1]}}")
    assert told(model.set("simulate", {"duration": 1, "solver": "implicit", "outputs": 10})) == ""
    stages = [{"duration": 1, "step": "1 ms"}, {"duration": 1, "step": "1 ms", "dissipation": 0.3}]
    assert told(model.set("simulate", {"stages": stages})) == "step 0.001 s, dissipation 0.3"
