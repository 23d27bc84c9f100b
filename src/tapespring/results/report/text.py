"""What the page says in words and tables; it stands in the file as it is, for readers without a screen or script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ..trust import Finding, is_of_contact

if TYPE_CHECKING:
    from ..dataset import Results

MOST_EVENTS = 200
WORST_FIRST = ("bad", "fair", "good")
SIGNS = {"good": "✓", "fair": "!", "bad": "✕", "open": "?"}
SPOKEN = {"good": "good", "fair": "with care", "bad": "do not trust", "open": "not checked"}
CONTACT_COLUMNS = (
    ("touches", "touches", ""),
    ("deepest", "deepest", "m"),
    ("depth_by_feature", "of smallest size", "%"),
    ("strongest", "strongest", "N"),
    ("fastest", "fastest", "m/s"),
    ("restitution", "restitution", ""),
    ("steps_per_touch", "steps per touch", ""),
)
Run = tuple[str, "Results"]


def worst_level(runs: Sequence[Run]) -> str:
    levels = [results.verdict.level for _, results in runs]
    return next(level for level in WORST_FIRST if level in levels)


def trust(runs: Sequence[Run]) -> str:
    """How far to trust the numbers; of each run if there are several, the worst first."""
    told = [(k, label, results, results.verdict) for k, (label, results) in enumerate(runs)]
    told.sort(key=lambda run: WORST_FIRST.index(run[3].level))
    parts = [f"<section id='trust' class='card trust {worst_level(runs)}' aria-label='How far to trust these numbers'>"]
    for k, label, results, verdict in told:
        name = f"<span class='run-name run-{k}'>{escape(label)}</span> " if len(runs) > 1 else ""
        parts.append(f"<h2 class='{verdict.level}'>{mark(verdict.level)} {name}{escape(verdict.sentence)}</h2>")
        parts.append("<ul class='findings'>" + "".join(map(finding, verdict.findings)) + "</ul>")
        others = [note for note in results.notes if not is_of_contact(note)]
        if others:
            parts.append("<h3>What the program said</h3><ul class='notes'>")
            parts += [f"<li>{escape(note)}</li>" for note in others]
            parts.append("</ul>")
    return "".join([*parts, "</section>"])


def mark(level: str) -> str:
    return f"<span class='mark {level}' role='img' aria-label='{SPOKEN[level]}'>{SIGNS[level]}</span>"


def finding(found: Finding) -> str:
    return (
        f"<li class='{found.level}'>{mark(found.level)}<div><b>{escape(found.title)}</b> "
        f"<span>{escape(found.words)}</span></div></li>"
    )


def references(quantities: Sequence[dict[str, Any]]) -> str:
    """A benchmark's numbers beside published or independent ones."""
    if not quantities:
        return ""
    inside = sum(bool(q["ok"]) for q in quantities)
    columns = ("quantity", "here", "reference", "difference", "tolerance", "unit", "")
    head = "<tr>" + "".join(f"<th>{column}</th>" for column in columns) + "</tr>"
    rows = "".join(map(reference_row, quantities))
    sources = dict.fromkeys((q["mark"], q["source"]) for q in quantities)
    said = "".join(f"<li><b>[{escape(m)}]</b> {escape(source)}</li>" for m, source in sources)
    return (
        f"<section id='references' class='card'><h2>Against references</h2><p>{inside} of {len(quantities)} within "
        f"tolerance.</p><div class='scroll'><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>"
        f"<ul class='notes'>{said}</ul></section>"
    )


def reference_row(q: dict[str, Any]) -> str:
    value = q["value"]
    shown = "not reached" if value is None else f"{value:.9g}"
    difference = "" if value is None else f"{value - q['reference']:.2g}"
    level = "good" if q["ok"] else "bad"
    cells = (shown, f"{q['reference']:.9g}", difference, f"{q['tolerance']:.2g}")
    name = f"{escape(q['name'])} <small>[{escape(q['mark'])}]</small>"
    numbers = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr class='{level}'><th>{name}</th>{numbers}<td>{escape(q['unit'])}</td><td>{mark(level)}</td></tr>"


def events(runs: Sequence[Run]) -> str:
    """What happened when; a click goes there."""
    parts = []
    for label, results in runs:
        if not results.events:
            continue
        title = f"<h3>{escape(label)}</h3>" if len(runs) > 1 else ""
        rows = "".join(
            f"<li><button type='button' data-time='{event.time!r}'>{event.time:.6g} s</button> "
            f"<b>{escape(event.name)}</b> {escape(event.about)}</li>"
            for event in results.events[:MOST_EVENTS]
        )
        more = len(results.events) - MOST_EVENTS
        rest = f"<p>… and {more} more, in the results file.</p>" if more > 0 else ""
        parts.append(f"{title}<ol class='events'>{rows}</ol>{rest}")
    if not parts:
        return ""
    return f"<section id='events' class='card'><h2>Events</h2>{''.join(parts)}</section>"


def contacts(runs: Sequence[Run]) -> str:
    """What every contact did."""
    rows = []
    for label, results in runs:
        for name, facts in results.contacts.items():
            shown = f"{escape(label)}: {escape(name)}" if len(runs) > 1 else escape(name)
            cells = "".join(f"<td>{contact_number(facts.get(key), unit)}</td>" for key, _, unit in CONTACT_COLUMNS)
            rows.append(f"<tr><th>{shown}</th>{cells}</tr>")
    if not rows:
        return ""
    heads = "".join(f"<th>{name}{f' [{unit}]' if unit else ''}</th>" for _, name, unit in CONTACT_COLUMNS)
    return (
        "<section id='contacts' class='card'><h2>Contacts</h2><div class='scroll'><table><thead><tr><th></th>"
        f"{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></section>"
    )


def contact_number(value: Any, unit: str) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "–"
    return f"{100.0 * value if unit == '%' else value:.3g}" if isinstance(value, float) else escape(str(value))


def about(runs: Sequence[Run]) -> str:
    """The model and how it was run."""
    parts = ["<section id='about' class='card'><h2>Model and settings</h2>"]
    for label, results in runs:
        if len(runs) > 1:
            parts.append(f"<h3>{escape(label)}</h3>")
        parts.append(f"<dl class='facts'>{''.join(map(fact, facts_of(results)))}</dl>")
        text = results.provenance.get("model_text")
        if text:
            parts.append(f"<details><summary>The model as a file</summary><pre>{escape(str(text))}</pre></details>")
    return "".join([*parts, "</section>"])


def fact(item: tuple[str, str]) -> str:
    return f"<div><dt>{escape(item[0])}</dt><dd>{escape(item[1])}</dd></div>"


def facts_of(results: Results) -> list[tuple[str, str]]:
    origin, timing = results.provenance, results.timing
    found = [("solver", str(origin.get("solver", ""))), ("date", str(origin.get("date", "")))]
    found += [("tapespring", str(origin.get("tapespring", "")))]
    words = {"wall_s": "wall time", "cpu_s": "CPU time", "solver_cpu_s": "CPU time in the solver"}
    found += [(word, f"{timing[key]:.3g} s") for key, word in words.items() if timing.get(key) is not None]
    found += [(name.replace("_", " "), f"{count:,}".replace(",", " ")) for name, count in results.counters.items()]
    settings = origin.get("settings") or {}
    found += [(name.replace("_", " "), setting(value)) for name, value in settings.items() if is_said(value)]
    return [(name, words) for name, words in found if words]


def is_said(value: Any) -> bool:
    return value is not None and value not in ("", [], {}, ())


def setting(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}…"
