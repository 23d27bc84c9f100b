"""Frames and arches through their limit points: along the path of equilibria, where the load falls and rises again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Model
from ..results import Results
from .beam_models import moved, section
from .case import Quantity, case

# -- Lee's frame ------------------------------------------------------------------------------------------------------
LEE = "digitised from a published curve, reading error 1 to 2 %"
LEE_LOAD = 40e3  # at one second


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


# -- loads that follow the tip ----------------------------------------------------------------------------------------
FOLLOWED = "integration from the tip, where all is known, at tolerance 1e-11"


def bent_by_follower(
    force: float, length: float, corners: tuple[float, ...], EA: float, EI: float
) -> tuple[float, float]:
    """Displacement (x, z) of the tip of legs of equal length, clamped along x, under a force across the last section.

    The force is constant in the world, and at the tip the section's place and attitude may be called zero: with the
    tangent at angle a in the plane x z, r' = (1 + N/EA) t, a' = M/EI, M' = -r' × P, integrated towards the clamp.
    """
    from scipy.integrate import solve_ivp

    P = np.array([0.0, force])

    def slope(_, y):
        t = np.array([np.cos(y[2]), np.sin(y[2])])
        r = (1.0 + P @ t / EA) * t
        return [-r[0], -r[1], -y[3] / EI, r[0] * P[1] - r[1] * P[0]]

    y = np.zeros(4)
    drawn, heading = np.zeros(2), sum(corners)
    for turn in (*reversed(corners), 0.0):
        y = solve_ivp(slope, (0.0, length), y, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
        drawn += length * np.array([np.cos(heading), np.sin(heading)])
        heading -= turn
        y[2] -= turn
    c, s = np.cos(y[2]), np.sin(y[2])
    tip = -np.array([[c, s], [-s, c]]) @ y[:2]
    return float(tip[0] - drawn[0]), float(tip[1] - drawn[1])


def follower_cantilever() -> Model:
    """Length 100, E = 4.2e8, unit square; force up to 130 000 across the tip section."""
    m = Model(name="Cantilever under a force that follows its tip")
    m.beam("beam", path=[[0, 0, 0], [100, 0, 0]], elements=80, section=section(4.2e8, 3.5e7, 3.5e7))
    m.fixed("clamp", m.ground, "beam.start")
    m.load("tip", "beam.end", force=(0, 0, "130e3*t"), axes="body")
    m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=20)
    return m


def right_angle_frame() -> Model:
    """Two legs of 0.24 m, E = 71.24 GPa, A = 18 mm², I = 1350 mm⁴; force up to 5 kN across the tip section."""
    m = Model(name="Right-angle frame under a force that follows its tip")
    E = 7.124e10
    m.beam(
        "frame", path=[[0, 0, 0], [0.24, 0, 0], [0.24, 0, -0.24]], elements=120, up="z",
        section=section(E * 0.18e-4, [E * 0.135e-8, E * 1e-7], E * 1e-7),
    )  # fmt: skip
    m.fixed("clamp", m.ground, "frame.start")
    m.load("tip", "frame.end", force=(0, 0, "-5000*t"), axes="body")
    m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=20)
    return m


def follower_quantities() -> Iterator[Quantity]:
    for time in (0.1, 0.25, 0.5, 0.75, 1.0):
        reference = bent_by_follower(130e3 * time, 100.0, (), 4.2e8, 3.5e7)
        for letter, value, start in zip("xz", reference, (100.0, 0.0), strict=True):
            name, get = f"{letter} at {130 * time:g} kN", moved("beam.end", letter, time, start)
            yield Quantity(name, "m", value, 1e-4, FOLLOWED, "R", get)


def frame_quantities() -> Iterator[Quantity]:
    E = 7.124e10
    for time in (0.2, 0.4, 0.6, 0.8, 1.0):
        reference = bent_by_follower(-5e3 * time, 0.24, (-np.pi / 2,), E * 0.18e-4, E * 0.135e-8)
        for letter, value, start in zip("xz", reference, (0.24, -0.24), strict=True):
            name, get = f"{letter} at {5 * time:g} kN", moved("frame.end", letter, time, start)
            yield Quantity(name, "m", value, 2.4e-7, FOLLOWED, "R", get)


CASES = (
    case("follower_cantilever", "cantilever under a follower force", follower_cantilever, follower_quantities),
    case("right_angle_frame", "right-angle frame under a follower force", right_angle_frame, frame_quantities),
    case("lee_frame", "Lee's frame through two limit points", lee_frame, lee_quantities),
    case("deep_arch", "deep arch, pinned and clamped, through its limit point", arch, arch_quantities),
)
