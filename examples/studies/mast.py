"""Scissor mast with clearance in all pins, and how far its tip is from where ideal pins would bring it."""

from math import cos, radians

import numpy as np

import tapespring as ts
from tapespring.bench.mast import END, START, mast


def loose_mast(bays: int, gap: float) -> ts.Model:
    """Deployed all the way, half a second per bay."""
    data = mast(bays, 0.5 * bays).to_plain()
    for pin in data["contacts"].values():
        pin["clearance"] = gap
    data["simulate"] |= {"tolerance": 1e-7, "outputs": 100}
    return ts.Model.from_plain(data)


def shape_error(results: ts.Results) -> float:
    """Largest distance of the tip from that of an ideal mast, along it [m]."""
    bays = sum(name.startswith("A") and name.endswith(".right.position") for name in results)
    s = results.time / results.time[-1]
    angle = radians(END - START) * (10 * s**3 - 15 * s**4 + 6 * s**5) + radians(START)
    tip = 0.5 * sum(results[f"{letter}{bays}.right.position.x"].values for letter in "AB")
    return float(np.abs(tip - bays * np.cos(angle)).max())


def deployed_error(results: ts.Results) -> float:
    """The same at the end [m]."""
    bays = sum(name.startswith("A") and name.endswith(".right.position") for name in results)
    tip = 0.5 * sum(results[f"{letter}{bays}.right.position.x"].final for letter in "AB")
    return float(abs(tip - bays * cos(radians(END))))
