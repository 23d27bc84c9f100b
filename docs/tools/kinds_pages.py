"""Pages of every kind in the registry, and of the parts kinds are made of: `make reference` writes docs/kinds.

Theory pages say on a line `Kinds: …` what they are about; that is where kinds get their links from.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

from markdown_text import cell, code, sentence
from pydantic import BaseModel

from tapespring.kinds.describing import all_parts, described, fields_of
from tapespring.kinds.registry import SECTIONS, kinds, kinds_of
from tapespring.schema.source import yaml_text

DOCS = Path(__file__).parents[1]
MADE = "<!-- Made by `make reference` from the registry of kinds. -->\n"
PARTS = {  # page, its title, modules whose schemas stand on it
    "laws": ("Normal laws of contacts", ["kinds.contact_laws"]),
    "friction": ("Friction", ["kinds.friction"]),
    "surfaces": ("Surfaces of contacts", ["kinds.surfaces"]),
    "sections": ("Sections and materials", ["kinds.sections", "kinds.sheets"]),
    "paths": ("Paths of beams and cables", ["kinds.paths"]),
    "meshes": ("Meshes", ["kinds.meshes"]),
    "simulate": ("simulate", ["schema.settings"]),
    "small": ("Shapes, damping, initial values, functions", ["kinds", "schema"]),  # what is left
}
TITLES = {section: section.capitalize() for section in SECTIONS}


def pages() -> dict[str, str]:
    """Every page by its file name in docs/kinds."""
    made = {"index.md": index()}
    for section in SECTIONS:
        entries = "\n".join(kind_entry(name) for name in kinds_of(section))
        made[f"{section}.md"] = f"# {TITLES[section]}\n\n{MADE}\nUnder `{section}:` in a model file.\n\n{entries}"
    for page, schemas in parts_by_page().items():
        entries = "\n".join(part_entry(schema) for schema in schemas)
        made[f"{page}.md"] = f"# {PARTS[page][0]}\n\n{MADE}\n{entries}"
    return made


def index() -> str:
    """What there is, in a line each."""
    lines = ["# Every kind\n", MADE, "`tapespring kinds NAME` shows the same in a terminal.\n"]
    for section in SECTIONS:
        lines += [f"## {TITLES[section]}\n", "| kind | |", "|---|---|"]
        lines += [
            f"| [`{name}`]({section}.md#{name}) | {cell(kind.about)} |" for name, kind in kinds_of(section).items()
        ]
        lines.append("")
    lines += ["## Parts of kinds\n"]
    lines += [f"- [{PARTS[page][0]}]({page}.md)" for page in parts_by_page()]
    return "\n".join(lines) + "\n"


def kind_entry(name: str) -> str:
    """A kind: what it is, its fields, a model, its theory."""
    found = described(kinds()[name])
    links = [f"[{title}](../theory/{page})" for page, title in theory_of(name)]
    theory = f"Theory: {', '.join(links)}.\n\n" if links else ""
    text = f"## `{name}`\n\n{sentence(found['about'])}\n\n{found['doc']}\n\n{table(found['fields'])}\n"
    return f"{text}\n{theory}```yaml\n{yaml_text(found['example']).strip()}\n```\n"


def part_entry(schema: type[BaseModel]) -> str:
    """A part that stands in a field of kinds."""
    kind, words = schema.model_fields.get("kind"), spaced(schema.__name__)
    title = words if kind is None else f"`{kind.default}`"
    title += f": {words.lower()}" if kind is not None and kind.default == "coulomb" else ""
    return f"## {title}\n\n{inspect.cleandoc(schema.__doc__ or '')}\n\n{table(fields_of(schema))}\n"


def table(fields: dict[str, dict[str, Any]]) -> str:
    """Fields with unit, default and example."""
    lines = ["| field | what it is | SI unit | default | for example |", "|---|---|---|---|---|"]
    for name, about in fields.items():
        default = "required" if about["required"] else code(about["default"])
        cells = [f"`{name}`", cell(about["about"]), cell(about["unit"]), default, code(about["example"])]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def parts_by_page() -> dict[str, list[type[BaseModel]]]:
    """Everything kinds and settings are made of, each on the first page whose modules it is from."""
    own = {kind.schema for kind in kinds().values()}
    sorted_out: dict[str, list[type[BaseModel]]] = {page: [] for page in PARTS}
    for schema in (part for part in all_parts() if part not in own and fields_of(part)):
        module = schema.__module__.removeprefix("tapespring.")
        page = next(page for page, (_, modules) in PARTS.items() if any(module.startswith(m) for m in modules))
        sorted_out[page].append(schema)
    return sorted_out


def theory_of(name: str) -> list[tuple[str, str]]:
    """(file, title) of the theory pages that say they are about a kind."""
    found = []
    for path in sorted((DOCS / "theory").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        named = re.search(r"^Kinds: (.*?)\n\n", text, re.MULTILINE | re.DOTALL)
        if named and f"`{name}`" in named[1]:
            found.append((path.name, text.splitlines()[0].removeprefix("# ").lower()))
    return found


def spaced(name: str) -> str:
    """`StartOfHinge` → `Start of hinge`"""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()


def main() -> None:
    folder = DOCS / "kinds"
    made = pages()
    for path in folder.glob("*.md"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(made)} pages to {folder}")


if __name__ == "__main__":
    sys.exit(main())
