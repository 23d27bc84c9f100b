"""The pages of docs: links lead somewhere, none is forgotten, what is generated is as the registry has it."""

import re
import sys
from pathlib import Path

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
import kinds_pages  # noqa: E402


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
        assert DOCS not in page.parents or DOCS in target.resolve().parents, f"{link}: the site has docs alone"


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
    missing = [name for name in registry() if f"| [`{name}`](#{name}) |" not in text or f"\n## {name}\n" not in text]
    assert not missing, f"run `make docs-table`: {missing}"
