"""The report of a study: one HTML file with its answers, figures and links to the runs that were kept."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ..results.report.document import FOOTER, asset, document
from ..results.report.page import script_json
from ..results.safe_file import replacing
from .figures import BAD, GOOD, LOST, Cloud, histogram, tornado
from .outcome import StudyResults
from .words import rare_lines, response_lines

MOST_IN_MATRIX = 8
STYLE = f"""
.within {{ color: {GOOD} }}
.beyond {{ color: {BAD} }}
.failed {{ color: {LOST} }}
svg {{ margin: 4px 10px 4px 0; max-width: 100%; height: auto }}
circle {{ cursor: pointer }}
circle.picked {{ stroke: currentColor; stroke-width: 2; fill-opacity: 1; r: 5px }}
#picked {{ position: sticky; bottom: 8px; box-shadow: 0 2px 12px #0005 }}
#picked th {{ text-align: left; padding-right: 1em }}
"""
LEGEND = (
    "<p>A point is a sample: <b class='within'>within its limit</b>, <b class='beyond'>beyond it</b>, or "
    "<b class='failed'>failed</b>. Click it: one with a rim plays its run; any other tells its numbers, and "
    "how to run it again.</p>"
)
DIGITS = 7
INTERVALS = (
    "Intervals in brackets are those of independent samples at the stated confidence; with Latin hypercubes and "
    "Sobol's sequence they are rather too wide. They tell of the finite number of samples, not of wrong distributions "
    "or a wrong model. A run that failed, or has no value, counts as a violation of its limit."
)


def write_page(results: StudyResults, path: Path) -> Path:
    """Raises ResultsFileError."""
    text = page(results).encode()
    with replacing(path) as file:
        file.write(text)
    return path


def page(results: StudyResults) -> str:
    n, failed = len(results.samples), int(results.samples.failed.sum())
    sampling = results.plan.study.sampling.kind.replace("_", " ")
    whole = "" if results.complete else f" of {results.plan.count}, not complete"
    parts = [
        f"<header><div><h1>{escape(results.name)}</h1><p>{n} samples{whole} · {sampling} · {failed} failed</p></div>",
        "</header><main>",
        card("", f"<p>{escape(results.plan.study.description)}</p>{LEGEND}"),
        failures(results),
    ]
    for variant, responses in results.answers.of.items():
        for name, found in responses.items():
            parts.append(response_card(results, variant, name, found))
    if results.rare is not None:
        parts.append(card("Rare event", paragraphs(rare_lines(results))))
    parts += [matrix(results), kept(results), "<section class='card' id='picked' hidden></section>"]
    parts += [f"<p class='fine'>{INTERVALS}</p>", "</main>", FOOTER]
    parts.append(picking(results, shown_in("\n".join(parts))))
    program = (files(__package__) / "picking.js").read_text(encoding="utf-8")
    return document(results.name, parts, style=asset("page.css") + STYLE, program=program)


def card(title: str, body: str) -> str:
    return f"<section class='card'>{f'<h2>{escape(title)}</h2>' if title else ''}{body}</section>"


def paragraphs(lines: list[str]) -> str:
    return "".join(f"<p>{escape(line.strip())}</p>" for line in lines)


def failures(results: StudyResults) -> str:
    found = results.failures
    if not found:
        return ""
    rows = "".join(f"<tr><th>{escape(r)}</th><td>{c}</td></tr>" for r, c in sorted(found.items(), key=lambda i: -i[1]))
    return card("Runs that failed", f"<div class='scroll'><table><tbody>{rows}</tbody></table></div>")


def response_card(results: StudyResults, variant: str, name: str, found: dict[str, Any]) -> str:
    """Words, histogram, what matters, and the response over every parameter."""
    plan, samples = results.plan, results.samples
    here = plan.variant_of(samples.index) == plan.variants.index(variant)
    y = samples.values[here, plan.responses.index(name)]
    limits = tuple(found["limits"])
    bad = ~((y >= limits[0]) & (y <= limits[1])) if np.isfinite(limits).any() else np.zeros(len(y), bool)
    cloud = Cloud(samples.index[here], samples.failed[here], bad, results.kept)
    title = f"{name} [{found['unit']}]" if found["unit"] not in ("", "1") else name
    drawn = [histogram(title, found["unit"], y, limits), matters(results, found)]
    columns = samples.parameters[here]
    if len(y) and np.isfinite(y).any():
        drawn += [cloud.scatter((_titled(plan, k), title), columns[:, k], y) for k in range(len(plan.names))]
    if (bad.any() or samples.failed[here].any()) and len(plan.names) > 1:
        i, j = first_two(results, found)
        drawn.append(cloud.scatter((_titled(plan, i), _titled(plan, j)), columns[:, i], columns[:, j], "Failure map"))
    words = paragraphs(response_lines(results, name, found))
    return card(f"{variant}: {name}" if variant else name, words + "".join(drawn))


def _titled(plan, k: int) -> str:
    return f"{plan.names[k]} [{plan.units[k]}]" if plan.units[k] else plan.names[k]


def importance(found: dict[str, Any]) -> tuple[str, list[dict[str, float]]] | None:
    """The best there is of what matters."""
    if found.get("sobol"):
        return "total Sobol indices", found["sobol"]["total"]
    if found.get("morris"):
        return "mean size of elementary effects", found["morris"]["size"]
    if found.get("ranks"):
        return "correlation of ranks", found["ranks"]
    return None


def matters(results: StudyResults, found: dict[str, Any]) -> str:
    told = importance(found)
    return tornado(told[0], results.plan.names, told[1]) if told else ""


def first_two(results: StudyResults, found: dict[str, Any]) -> tuple[int, int]:
    """The two parameters that matter most."""
    told = importance(found)
    if told is None:
        return 0, 1
    order = sorted(range(len(results.plan.names)), key=lambda k: -abs(told[1][k]["value"]))
    return order[0], order[1]


def matrix(results: StudyResults) -> str:
    plan, samples = results.plan, results.samples
    names = [*plan.names, *plan.responses][:MOST_IN_MATRIX]
    if len(samples) < 2 or len(names) < 2:
        return ""
    columns = [results[name] for name in names]
    bad = np.zeros(len(samples), bool)
    for k, (low, high) in enumerate(results.asked.limits):
        if np.isfinite([low, high]).any():
            bad |= ~((samples.values[:, k] >= low) & (samples.values[:, k] <= high))
    cloud = Cloud(samples.index, samples.failed, bad, results.kept)
    cloud.picked = cloud.picked[:: max(1, len(cloud.picked) // 300)]
    return card("Everything over everything", cloud.matrix(names, columns))


def kept(results: StudyResults) -> str:
    links = "".join(f"<li><a href='{escape(p)}'>sample {k}</a></li>" for k, p in sorted(results.kept.items()))
    return card("Runs to look at", f"<ul>{links}</ul>") if links else ""


def shown_in(text: str) -> list[int]:
    """Samples that are drawn somewhere."""
    return sorted(map(int, set(re.findall(r"<title>sample (\d+)<", text))))


def picking(results: StudyResults, shown: list[int]) -> str:
    """Numbers of the samples that can be clicked."""
    plan, samples = results.plan, results.samples
    at = np.searchsorted(samples.index, shown)
    rows = np.hstack((samples.parameters[at], samples.values[at]))
    data = {
        "names": [*plan.names, *plan.responses],
        "units": ["" if u == "1" else u for u in (*plan.units, *results.asked.units)],
        "rows": {k: [rounded(v) for v in row] for k, row in zip(shown, rows.tolist(), strict=True)},
        "failed": {k: samples.reasons[r] for k, r in zip(shown, samples.reason[at].tolist(), strict=True) if r},
        "kept": results.kept,
        "command": results.command,
    }  # fmt: skip
    return f"<script type='application/json' id='samples'>{script_json(data)}</script>"


def rounded(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None
