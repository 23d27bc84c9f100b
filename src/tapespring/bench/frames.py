"""Frames and arches through their limit points: along the path of equilibria, where the load falls and rises again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Model
from ..results import Results
from .beam_models import section
from .case import Quantity, case

# -- Lee's frame ------------------------------------------------------------------------------------------------------
LEE = "digitised curve of Lee's frame, reading error 1 to 2 %; limit loads as often published"
LEE_LOAD = 40e3  # at one second
LEE_CURVE = {  # displacement down under the load: load, on the way up, past the first limit and past the second
}


def lee_frame() -> Model:
    """A column and a beam of 120 in, pinned at both ends, load on the beam 24 in from the corner; E = 7.2e6, A = 6,
    I = 2. Numbers are taken as SI."""
    m = Model(name="Lee's frame")
    m.beam(
        "frame", path=[[0, 0, 0], [0, 0, 120], [120, 0, 120]], elements=40, markers={"load": 144},
        section=section(7.2e6 * 6, [7.2e6 * 2, 7.2e6 * 20], 7.2e6 * 20), up=[-1, 0, 0],
    )  # fmt: skip
    m.revolute("foot", m.ground, "frame.start", at=(0, 0, 0), axis="y")
    m.revolute("head", m.ground, "frame.end", at=(120, 0, 120), axis="y")
    m.load("press", "frame.load", force=(0, 0, f"{-LEE_LOAD!r}*t"))
    m.settings = m.settings.changed(solver="quasi-static", control="path", duration=1)
    return m


def turning_loads(results: Results, full: float) -> list[float]:
    """Loads at which the path turns, by parabolas through the three nearest places."""
    load, way = full * results["path.time"].values, results.time
    found = []
    for k in range(1, len(load) - 1):
        if (load[k] - load[k - 1]) * (load[k + 1] - load[k]) < 0.0:
            c = np.polyfit(way[k - 1 : k + 2] - way[k], load[k - 1 : k + 2], 2)
            found.append(float(c[2] - c[1] ** 2 / (4 * c[0])))
    return found


def lee_quantities() -> Iterator[Quantity]:
    for k, (word, value) in enumerate((("first", 18.7e3), ("second", -9.47e3))):
        get = lambda r, k=k: (turning_loads(r, LEE_LOAD) + [np.nan] * 2)[k]  # noqa: E731
        yield Quantity(f"{word} limit load", "N", value, 0.03 * abs(value), LEE, "B", get)


# -- arch -------------------------------------------------------------------------------------------------------------
ARCH = "DaDeppo and Schmidt 1975: λ = P R²/EI = 8.97"


def arch() -> Model:
    """Arc of 215°, R = 100, EI = 1e6 (A = 2, E = 1.5e6), left end pinned, right end clamped, load at the top."""
    m = Model(name="Deep arch, pinned and clamped")
    half = np.radians(107.5)
    s, c = 100 * float(np.sin(half)), 100 * float(np.cos(half))
    arc = {"kind": "arc", "centre": [0, 0, 0], "start": [-s, 0, c], "normal": [0, 1, 0], "angle": "215 deg"}
    m.beam("arch", path=arc, elements=80, markers={"top": "50 %"}, section=section(3e6, [1e6, 1e7], 1e7), up=[-s, 0, c])
    m.revolute("pin", m.ground, "arch.start", at=(-s, 0, c), axis="y")
    m.fixed("clamp", m.ground, "arch.end")
    m.load("press", "arch.top", force=(0, 0, "-1000*t"))
    m.settings = m.settings.changed(solver="quasi-static", control="path", duration=1)
    return m


def arch_quantities() -> Iterator[Quantity]:
    get = lambda r: [*turning_loads(r, 10.0), np.nan][0]  # noqa: E731
    yield Quantity("first limit load P R²/EI", "1", 8.97, 0.03, ARCH, "B", get)


CASES = (
    case("lee_frame", "Lee's frame through two limit points", lee_frame, lee_quantities),
    case("deep_arch", "deep arch, pinned and clamped, through its limit point", arch, arch_quantities),
)
