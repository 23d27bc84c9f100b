"""The report of a fit: one HTML file with tables and plots, readable without a network."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np

from ..results.report.document import document
from ..results.safe_file import replacing
from ..svg import Curve, plot
from .outcome import FitResults

STYLE = """body{font:15px sans-serif;max-width:60em;margin:2em auto;color:#1e293b}table{border-collapse:collapse}
td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #e2e8f0}th:first-child,td:first-child{text-align:left}
.warning{color:#9a3412}"""


def write_page(results: FitResults, path: Path) -> Path:
    """Raises ResultsFileError."""
    text = page(results).encode()
    with replacing(path) as file:
        file.write(text)
    return path


def page(results: FitResults) -> str:
    parts = [
        f"<h1>{escape(results.name)}</h1>",
        f"<p>{escape(results.summary().splitlines()[0])}</p>",
        parameter_table(results),
        *items("Warnings", results.warnings, "warning"),
        *items("What the data fix", results.statements),
        "<h2>Correlation</h2>", correlation_table(results),
        "<h2>Predicted and measured</h2>", *figures(results),
    ]  # fmt: skip
    return document(results.name, parts, style=STYLE)


def items(title: str, lines: list[str], kind: str = "") -> list[str]:
    if not lines:
        return []
    return [f"<h2>{title}</h2><ul class='{kind}'>", *(f"<li>{escape(line)}</li>" for line in lines), "</ul>"]


def parameter_table(results: FitResults) -> str:
    rows = ["<tr><th>parameter</th><th>value</th><th>std</th><th>95 % from</th><th>to</th><th>unit</th></tr>"]
    for k, name in enumerate(results.parameters):
        low, high = results.intervals[k]
        cells = (f"{results.values[k]:.7g}", f"{100 * results.relative_std[k]:.2g} %", f"{low:.6g}", f"{high:.6g}")
        numbers = "".join(f"<td>{cell}</td>" for cell in (*cells, escape(results.units[k])))
        rows.append(f"<tr><td>{escape(name)}</td>{numbers}</tr>")
    for name, (value, std) in results.derived.items():
        rows.append(
            f"<tr><td>{escape(name)}</td><td>{value:.7g}</td><td>{std:.2g}</td><td></td><td></td><td></td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def correlation_table(results: FitResults) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *results.parameters))
    rows = [f"<tr>{head}</tr>"]
    for name, row in zip(results.parameters, results.correlation, strict=True):
        rows.append(f"<tr><td>{escape(name)}</td>{''.join(f'<td>{c:.4f}</td>' for c in row)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def figures(results: FitResults) -> list[str]:
    """Per record: curves over time, residuals over time; profiles."""
    drawn = []
    for record, model in zip(results.records, results.predicted, strict=True):
        t, label = record.time, f"{record.channel} [{record.unit}]" if record.unit else record.channel
        measured = Curve("measured", t, record.values, line=False, points=True)
        title = f"{record.channel}, {record.experiment}"
        drawn.append(plot(title, [measured, Curve("predicted", t, model)], "time [s]", label))
        left = Curve("predicted - measured", t, model - record.values, line=False, points=True)
        zero = Curve("", t[[0, -1]], np.zeros(2))
        drawn.append(plot(f"residuals of {title}", [left, zero], "time [s]", label))
    for p in results.profiles:
        level = Curve("95 %", p.values[[0, -1]], np.full(2, 3.84))
        curve = Curve(p.name, p.values, p.growth, points=True)
        drawn.append(plot(f"profile of {p.name}", [curve, level], p.name, "growth of chi²", log_x=p.values.min() > 0.0))
    return drawn
