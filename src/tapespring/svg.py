"""Small plots as SVG text, without any library: lines and points over one or two axes."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 72, 16, 28, 44
COLOURS = ("#1f5fa8", "#c2410c", "#15803d", "#7e22ce", "#b91c1c", "#0e7490", "#a16207", "#475569")


ONE_VALUE = 1e-12  # of the largest: values that differ by less are one


@dataclass(frozen=True)
class Curve:
    """Points (x, y) with a name; drawn as a line, as points, or both."""

    name: str
    x: np.ndarray
    y: np.ndarray
    line: bool = True
    points: bool = False


@dataclass(frozen=True)
class Axis:
    """From data to the page, linear or logarithmic."""

    low: float
    high: float
    first: float
    last: float
    log: bool

    @classmethod
    def over(cls, values: np.ndarray, first: float, last: float, log: bool) -> Axis:
        good = values[np.isfinite(values) & ((values > 0.0) if log else True)]
        low, high = (float(good.min()), float(good.max())) if len(good) else (0.1, 1.0)
        if log:
            return cls(np.log10(low) - 0.1, np.log10(high) + 0.1, first, last, True)
        size = max(abs(low), abs(high))
        pad = 0.04 * (high - low) if high - low > ONE_VALUE * size else 0.5 * size or 1.0
        return cls(low - pad, high + pad, first, last, False)

    def at(self, values) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.log10(values) if self.log else np.asarray(values, float)
        return self.first + (z - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self) -> list[float]:
        if self.log:
            each = max(1, round((self.high - self.low) / 8.0))
            return [10.0**k for k in range(int(np.ceil(self.low)), int(np.floor(self.high)) + 1, each)]
        raw = (self.high - self.low) / 6.0
        size = 10.0 ** np.floor(np.log10(raw))
        step = size * min((1.0, 2.0, 5.0, 10.0), key=lambda m: abs(m * size - raw))
        return [k * step for k in range(int(np.ceil(self.low / step)), int(np.floor(self.high / step)) + 1)]


def plot(title: str, curves: list[Curve], x_label: str, y_label: str, log_x: bool = False, log_y: bool = False) -> str:
    """A plot as an <svg> element."""
    x = Axis.over(np.concatenate([c.x for c in curves]), LEFT, WIDTH - RIGHT, log_x)
    y = Axis.over(np.concatenate([c.y for c in curves]), HEIGHT - BOTTOM, TOP, log_y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="16" font-size="13">{escape(title)}</text>',
        *_grid(x, y),
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>',
        f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
        f"{escape(y_label)}</text>",
    ]
    for k, curve in enumerate(curves):
        parts += _drawn(curve, x, y, COLOURS[k % len(COLOURS)])
        parts.append(
            f'<text x="{WIDTH - RIGHT - 4}" y="{TOP + 14 + 13 * k}" text-anchor="end" '
            f'fill="{COLOURS[k % len(COLOURS)]}">{escape(curve.name)}</text>'
        )
    return "\n".join([*parts, "</svg>"])


def _grid(x: Axis, y: Axis) -> list[str]:
    parts = []
    for tick in x.ticks():
        p = float(x.at(tick))
        parts.append(f'<line x1="{p:.1f}" x2="{p:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#e2e8f0"/>')
        parts.append(f'<text x="{p:.1f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{tick:.4g}</text>')
    for tick in y.ticks():
        p = float(y.at(tick))
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{p:.1f}" y2="{p:.1f}" stroke="#e2e8f0"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{p + 4:.1f}" text-anchor="end">{tick:.4g}</text>')
    return parts


def _drawn(curve: Curve, x: Axis, y: Axis, colour: str) -> list[str]:
    places = [(a, b) for a, b in zip(x.at(curve.x), y.at(curve.y), strict=True) if np.isfinite(a) and np.isfinite(b)]
    parts = []
    if curve.line:
        path = " ".join(f"{a:.2f},{b:.2f}" for a, b in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
    if curve.points:
        parts += [f'<circle cx="{a:.2f}" cy="{b:.2f}" r="1.8" fill="{colour}"/>' for a, b in places]
    return parts
