"""Figures of a study as SVG: histograms, bars of what matters, clouds of samples that lead to their runs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from ..svg import COLOURS, ONE_VALUE, Axis

GOOD, BAD, LOST = "#2f6fec", "#c8102e", "#a35a00"
MOST_POINTS = 1500


def frame(width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="11" fill="currentColor">' + "".join(parts) + "</svg>"
    )


def label(x: float, y: float, text: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(text)}</text>'


def ticks(axis: Axis, other: float, across: bool) -> list[str]:
    """Numbers along an axis; `other` is where it lies."""
    parts, wanted = [], axis.ticks()
    if across and len(wanted) > 1:
        room = abs(float(axis.at(wanted[1])) - float(axis.at(wanted[0])))
        longest = max(len(f"{tick:.4g}") for tick in wanted)
        wanted = wanted[:: 1 + int(6.5 * longest / room)]
    for tick in wanted:
        p = float(axis.at(tick))
        parts.append(
            label(p, other + 14, f"{tick:.4g}", "middle") if across else label(other - 5, p + 4, f"{tick:.4g}", "end")
        )
    return parts


def room_for_ticks(values: np.ndarray) -> float:
    """Width of the numbers beside an axis."""
    return 10.0 + 6.4 * max((len(f"{tick:.4g}") for tick in Axis.over(values, 1.0, 0.0, False).ticks()), default=1)


def range_of(values: np.ndarray) -> tuple[float, float]:
    """Of a histogram: from the smallest to the largest, or around them where they are one value."""
    if np.ptp(values) > ONE_VALUE * np.abs(values).max():
        return float(values.min()), float(values.max())
    axis = Axis.over(values, 0.0, 1.0, False)
    return axis.low, axis.high


def histogram(title: str, unit: str, values: np.ndarray, limits: tuple[float, float], width=420, height=220) -> str:
    """How often a response has which value, with its limits."""
    good = values[np.isfinite(values)]
    ends = [v for v in limits if np.isfinite(v)]
    if len(good) < 2:
        return frame(width, 40, [label(8, 20, f"{title}: too few values")])
    x = Axis.over(np.array([good.min(), good.max(), *ends]), 46, width - 26, False)
    counts, edges = np.histogram(good, min(40, max(8, int(np.sqrt(len(good))))), range_of(good))
    y = Axis(0.0, float(counts.max()) * 1.05, height - 34, 26, False)
    parts = [label(46, 16, title, more='font-size="13"'), *ticks(x, height - 34, True), *ticks(y, 46, False)]
    for count, a, b in zip(counts, edges[:-1], edges[1:], strict=True):
        left, right = float(x.at(a)), float(x.at(b))
        out = not (limits[0] <= 0.5 * (a + b) <= limits[1])
        top = float(y.at(count))
        parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(right - left - 0.6, 0.4):.1f}" '
            f'height="{height - 34 - top:.1f}" fill="{BAD if out else GOOD}" fill-opacity="0.75"/>'
        )
    for end in ends:
        p = float(x.at(end))
        parts.append(
            f'<line x1="{p:.1f}" x2="{p:.1f}" y1="22" y2="{height - 34}" stroke="{BAD}" stroke-dasharray="4 3"/>'
        )
        beside = "end" if p > 0.5 * width else "start"
        parts.append(label(p + (-4 if beside == "end" else 4), 32, "limit", beside, f'fill="{BAD}"'))
    parts.append(label(width / 2, height - 4, unit and f"[{unit}]", "middle"))
    return frame(width, height, parts)


def tornado(title: str, names: list[str], bars: list[dict[str, float]], width=420) -> str:
    """Bars with their intervals, the longest first."""
    order = sorted(range(len(names)), key=lambda k: -abs(bars[k]["value"]))
    height = 34 + 22 * len(names) + 20
    ends = [0.0, *(b[key] for b in bars for key in ("value", "low", "high") if np.isfinite(b[key]))]
    left = 16 + 6.2 * max(map(len, names))
    x = Axis.over(np.array(ends), left, width - 12, False)
    zero = float(x.at(0.0))
    parts = [label(8, 16, title, more='font-size="13"'), *ticks(x, height - 20, True)]
    for row, k in enumerate(order):
        top, end = 28 + 22 * row, float(x.at(bars[k]["value"]))
        parts.append(label(left - 8, top + 12, names[k], "end"))
        parts.append(
            f'<rect x="{min(zero, end):.1f}" y="{top}" width="{abs(end - zero):.1f}" height="15" '
            f'fill="{COLOURS[0]}" fill-opacity="0.75"/>'
        )
        a, b = float(x.at(bars[k]["low"])), float(x.at(bars[k]["high"]))
        if np.isfinite([a, b]).all():
            parts.append(f'<line x1="{a:.1f}" x2="{b:.1f}" y1="{top + 7.5}" y2="{top + 7.5}" stroke="currentColor"/>')
    parts.append(f'<line x1="{zero:.1f}" x2="{zero:.1f}" y1="24" y2="{height - 22}" stroke="currentColor"/>')
    return frame(width, height, parts)


class Cloud:
    """Samples as points that tell their number and, where a run was kept, lead to it."""

    def __init__(self, index: np.ndarray, failed: np.ndarray, bad: np.ndarray, kept: dict[int, str]):
        picked = np.arange(len(index))
        if len(picked) > MOST_POINTS:  # evenly, and all that matter
            special = np.isin(index, list(kept)) | failed
            picked = np.union1d(picked[:: -(-len(picked) // MOST_POINTS)], np.flatnonzero(special)[:MOST_POINTS])
        self.picked = picked
        self.index, self.failed, self.bad, self.kept = index, failed, bad, kept

    def points(self, x: np.ndarray, y: np.ndarray, size: float = 2.2) -> list[str]:
        parts = []
        for k in self.picked:
            if not np.isfinite(x[k]) or not np.isfinite(y[k]):
                continue
            colour = LOST if self.failed[k] else BAD if self.bad[k] else GOOD
            number = int(self.index[k])
            page = self.kept.get(number)
            more = f' stroke="currentColor" r="{size + 1.5}"' if page else f' r="{size}"'
            circle = (
                f'<circle cx="{x[k]:.1f}" cy="{y[k]:.1f}" fill="{colour}" fill-opacity="0.7"{more}>'
                f"<title>sample {number}</title></circle>"
            )
            parts.append(f'<a href="{escape(page)}">{circle}</a>' if page else circle)
        return parts

    def scatter(self, titles: tuple[str, str], x: np.ndarray, y: np.ndarray, title="", width=310, height=240) -> str:
        """One number over another."""
        left, right = 16.0 + room_for_ticks(y), width - 18.0
        across, up = Axis.over(x, left, right, False), Axis.over(y, height - 36, 20, False)
        parts = [*ticks(across, height - 36, True), *ticks(up, left, False), label(left, 14, title)]
        parts.append(
            f'<rect x="{left:.1f}" y="20" width="{right - left:.1f}" height="{height - 56}" fill="none" '
            'stroke="#94a1b3"/>'
        )
        parts.append(label((left + right) / 2, height - 4, titles[0], "middle"))
        parts.append(
            f'<text transform="translate(11 {height / 2 - 8}) rotate(-90)" text-anchor="middle">'
            f"{escape(titles[1])}</text>"
        )
        return frame(width, height, [*parts, *self.points(across.at(x), up.at(y))])

    def matrix(self, names: list[str], columns: list[np.ndarray], cell: int = 92) -> str:
        """Every number over every other, and on the diagonal how often it has which value."""
        n, parts, room = len(names), [], 14.0 + 6.4 * max(map(len, names))
        for i in range(n):
            parts.append(label(room + cell * (i + 0.5), cell * n + 16, names[i], "middle"))
            parts.append(label(room - 6, cell * (i + 0.5), names[i], "end"))
            parts += bars(columns[i], room + cell * i + 4, cell * (i + 1) - 4, cell - 8)
            for j in range(n):
                left, top = room + cell * j, cell * i
                parts.append(
                    f'<rect x="{left + 2}" y="{top + 2}" width="{cell - 4}" height="{cell - 4}" fill="none" '
                    'stroke="#94a1b3" stroke-opacity="0.5"/>'
                )
                if i != j:
                    x = Axis.over(columns[j], left + 4, left + cell - 4, False).at(columns[j])
                    y = Axis.over(columns[i], top + cell - 4, top + 4, False).at(columns[i])
                    parts += self.points(x, y, 1.1)
        return frame(int(room + cell * n + 6), cell * n + 24, parts)


def bars(values: np.ndarray, left: float, bottom: float, size: float) -> list[str]:
    """A small histogram without numbers."""
    good = values[np.isfinite(values)]
    if len(good) < 2 or np.ptp(good) == 0.0:
        return []
    counts, _ = np.histogram(good, 12, range_of(good))
    heights, wide = counts * (0.92 * size / counts.max()), size / len(counts)
    return [
        f'<rect x="{left + k * wide:.1f}" y="{bottom - h:.1f}" width="{wide - 0.5:.1f}" height="{h:.1f}" '
        f'fill="#94a1b3" fill-opacity="0.6"/>'
        for k, h in enumerate(heights.tolist())
    ]
