"""The pages of docs: links lead somewhere, none is forgotten, what is generated is as the registry has it."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from tapespring.bench import registry
from tapespring.kinds.registry import SECTIONS, kinds

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md"), ROOT / "benchmarks" / "README.md"])
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")

sys.path.insert(0, str(DOCS / "tools"))
import bench_table  # noqa: E402
import kinds_pages  # noqa: E402
import repository_links  # noqa: E402


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """Of headings, as forges and the site make them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", head.lower()).strip()) for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links(page):
    for link in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file) if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_links_out_of_docs_are_plain_text_in_the_site():
    page = SimpleNamespace(file=SimpleNamespace(src_uri="howto/strap.md"))
    text = "[strap](../../examples/strap.yaml), [boom](../howto/boom.md#x), [fields](../kinds/bodies.md)"
    told = repository_links.on_page_markdown(text, page, None, None)
    assert told == "strap, [boom](../howto/boom.md#x), [fields](../kinds/bodies.md)"


def test_every_page_has_a_place_in_the_site():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    told = set(re.findall(r"[\w/-]+\.md", text))
    assert told == {str(page.relative_to(DOCS)) for page in PAGES if DOCS in page.parents}, "see nav in mkdocs.yml"
    assert yaml.safe_load(text)["strict"] is True


def test_pages_of_kinds_are_as_the_registry_has_them():
    made = kinds_pages.pages()
    assert {path.name for path in (DOCS / "kinds").glob("*.md")} == set(made)
    for name, text in made.items():
        assert (DOCS / "kinds" / name).read_text(encoding="utf-8") == text, f"{name} is old: run `make reference`"


@pytest.mark.parametrize("section", SECTIONS)
def test_every_kind_has_an_entry_with_fields_and_a_model(section):
    text = kinds_pages.pages()[f"{section}.md"]
    entries = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(entries) == {name for name, where in kinds().sections.items() if where == section}
    for name, entry in entries.items():
        for field in set(kinds()[name].schema.model_fields) - {"kind", "name"}:
            assert f"| `{field}` |" in entry
        assert f"kind: {name}" in entry


def test_units_and_defaults_of_a_kind():
    entry = kinds_pages.kind_entry("beam")
    assert (
        "| `twist` | turn of the section about the tangent, evenly from start to end | rad | `0` | `30 deg` |" in entry
    )
    assert re.search(r"\| `elements` \| .* \|  \| `10` \| `20` \|", entry)
    assert re.search(r"\| `section` \| .* \| required \|", entry)


@pytest.mark.parametrize("name", list(kinds()))
def test_every_kind_is_in_a_theory_page(name):
    assert kinds_pages.theory_of(name), "name it in the line 'Kinds: …' of the page in docs/theory that tells of it"


def test_laws_surfaces_and_sections_have_entries():
    from tapespring.kinds.contact_laws.any_law import AnyLaw
    from tapespring.kinds.sections.any_section import AnySection

    for page, union in (("laws", AnyLaw), ("sections", AnySection)):
        text = kinds_pages.pages()[f"{page}.md"]
        for schema in union.__args__[0].__args__:
            assert f"## `{schema.model_fields['kind'].default}`" in text


def test_the_table_of_published_problems_has_every_case():
    text = (DOCS / "bench.md").read_text(encoding="utf-8")
    missing = [name for name in registry() if f"`{name}`" not in text]
    assert not missing, f"run `make docs-table`: {missing}"
    assert "**out**" not in text


def outcome(case: str, value: float | None) -> dict:
    told = {"name": "x | y", "unit": "m", "reference": 2.0, "tolerance": 0.5, "source": "somewhere", "mark": "A"}
    ok = value is not None and abs(value - 2.0) <= 0.5
    return {
        "case": case,
        "cpu_s": 0.25,
        "quantities": [told | {"value": 2.0, "ok": True}, told | {"value": value, "ok": ok}],
    }


def test_the_table_keeps_what_it_has():
    table = bench_table.Table("")
    table.put(outcome("a01", 2.1), "today")
    table.put(outcome("a03", 2.9), "today")
    again = bench_table.Table(table.text())
    assert again.text() == table.text()
    assert "2 cases, 3 of 4 numbers" in table.text()
    assert "| `a04` | Bricard mechanism, over-constrained, 10 s | | | | | | not yet |" in table.text()
    assert "| 2 | 5 % | 20 % | 0.25 s | today |" in again.rows["a01"]
    assert "| **1 of 2** | 45 % | 1.8e+02 % |" in again.rows["a03"]
    assert "| x \\| y | 2.9 | 2 | 9.0e-01 | 0.5 | m | A **out** |" in again.sections["a03"]
    again.put(outcome("a03", None), "later")
    assert "| not reached | 2 |  | 0.5 |" in again.text()
    assert "| today |" in again.rows["a01"]
    assert again.rows["a03"].endswith("| later |")
