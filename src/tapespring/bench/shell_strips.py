"""Strips of shell elements, which bend as beams do: an end shear, an end moment, their own weight; and the same strip
as beam, shell and solid."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..model import Model
from .beam_bending import ELASTICA, TIP_LOAD
from .beam_modes import ROOTS
from .case import Case, Quantity, at, case
from .shell_models import by, isotropic, loaded, shell

CIRCLE = "closed form: a constant moment bends a strip to an arc"


def strip(name: str, length: float, thickness: float, along: int, triangles: bool = False, across: int = 1) -> Model:
    """One wide, clamped at its start; without Poisson's effect it is a beam."""
    mesh = {"kind": "strip", "length": length, "width": 1, "divisions": [along, across], "triangles": triangles}
    m = shell(name, mesh, thickness, 1.2e6, 0)
    m.support("clamp", "shell.start")
    return m


# -- end shear --------------------------------------------------------------------------------------------------------
SHEAR = "Sze, Liu and Lo (2004), table of section 3.1; elliptic integrals agree"
SHEARED = {  # share of the load 4: -u, w
    0.1: (0.103, 1.309), 0.25: (0.563, 3.015), 0.5: (1.604, 4.933), 0.75: (2.541, 6.031), 1.0: (3.286, 6.698),
}  # fmt: skip


def sheared(along: int = 16, triangles: bool = False) -> Model:
    """Length 10, thickness 0.1; P L²/EI = 4 at full load."""
    m = strip("Strip under an end shear", 10, 0.1, along, triangles)
    m.spread_load("shear", "shell.end", force=[0, 0, "4*t"])
    return loaded(m, SHEARED)


def of_sheared() -> Iterator[Quantity]:
    for time, (u, w) in SHEARED.items():
        label = f"at {time:g} of the load"
        yield Quantity(
            f"shortening {label}", "m", u, max(0.01 * u, 1e-3), SHEAR, "A", by("shell.end_left", "x", time, -1)
        )
        yield Quantity(f"lift {label}", "m", w, 0.01 * w, SHEAR, "A", by("shell.end_left", "z", time))


# -- end moment -------------------------------------------------------------------------------------------------------
ROLLED = (0.1, 0.25, 0.5, 0.75, 1.0)


def rolled(along: int = 32, triangles: bool = False) -> Model:
    """Length 12, thickness 0.1; the moment of a full circle."""
    m = strip("Strip rolled up", 12, 0.1, along, triangles)
    m.spread_load("moment", "shell.end", torque=[0, f"{-50 * np.pi / 3!r}*t", 0])
    return loaded(m, ROLLED)


def on_circle(time: float) -> tuple[float, float]:
    """(shortening, lift) of the end of an arc that is a share of a full circle of length 12."""
    a = 2.0 * np.pi * time
    return 12.0 * (1.0 - np.sin(a) / a), 12.0 * (1.0 - np.cos(a)) / a


def of_rolled() -> Iterator[Quantity]:
    for time in ROLLED:
        u, w = on_circle(time)
        label, close = f"at {time:g} of a circle", 0.01 * max(u, w)
        yield Quantity(f"shortening {label}", "m", u, close, CIRCLE, "A", by("shell.end_left", "x", time, -1))
        yield Quantity(f"lift {label}", "m", w, close, CIRCLE, "A", by("shell.end_left", "z", time))


# -- own weight -------------------------------------------------------------------------------------------------------
DRAPED = {  # weight L²/EI: x/L, drop/L of the end
    1: (0.99124640, 0.12347140), 2: (0.96689295, 0.23850658), 5: (0.84665718, 0.49590504),
    10: (0.65635376, 0.70019972), 20: (0.44523205, 0.82988144), 50: (0.24501476, 0.90791712),
    100: (0.15922338, 0.93752394),
}  # fmt: skip


def draped(along: int = 48) -> Model:
    """Length 1, thickness 0.01; its weight L²/EI is a hundred times the time."""
    m = strip("Heavy strip", 1, 0.01, along)
    m.spread_load("weight", "shell", force=[0, 0, f"{-100 * 1.2e6 * 0.01**3 / 12!r}*t"])
    return loaded(m, [weight / 100 for weight in DRAPED])


def of_draped() -> Iterator[Quantity]:
    source = "boundary value problem of the heavy elastica, tolerance 1e-10"
    for weight, (x, drop) in DRAPED.items():
        label, time = f"at a weight of {weight}", weight / 100
        yield Quantity(f"x {label}", "m", x, 2e-3, source, "A", at("shell.end_left.position.x", time))
        yield Quantity(f"drop {label}", "m", drop, 2e-3, source, "A", by("shell.end_left", "z", time, -1))


# -- the same strip three times ---------------------------------------------------------------------------------------
LENGTH, WIDTH, THICK, YOUNG = 1.0, 0.1, 0.01, 1.2e9
EI = YOUNG * WIDTH * THICK**3 / 12
LOADS = (1.0, 4.0, 10.0)  # P L²/EI
AS = {"beam": 20, "shell": 20, "solid": 20, "tetrahedra": 16}  # elements along it


def as_body(kind: str) -> Model:
    """A cantilever along x of steel-like density, thin in z, under a tip load that grows to 10 EI/L²."""
    m = Model(name=f"Strip as {kind}")
    material, n = isotropic(YOUNG, 0.0, 1000.0), AS[kind]
    block = {"kind": "box", "length": LENGTH, "width": WIDTH, "height": THICK, "divisions": [n, 1, 1]}
    if kind == "beam":
        section = {"kind": "rectangle", "width": WIDTH, "thickness": THICK}
        m.beam("strip", path=[[0, 0, 0], [LENGTH, 0, 0]], elements=n, section=section, material=material)
        m.fixed("clamp", m.ground, "strip.start")
        m.load("tip", "strip.end", force=[0, 0, f"{10 * EI!r}*t"])
    elif kind == "shell":
        mesh = {"kind": "strip", "length": LENGTH, "width": WIDTH, "divisions": [n, 2]}
        m.shell("strip", mesh=mesh, thickness=THICK, material=material)
        m.support("clamp", "strip.start")
        m.spread_load("tip", "strip.end", force=[0, 0, f"{10 * EI!r}*t"])
    else:
        m.solid("strip", mesh=block | ({"elements": "tetra10"} if kind == "tetrahedra" else {}), material=material)
        m.support("clamp", "strip.x0")
        m.spread_load("tip", "strip.x1", force=[0, 0, f"{10 * EI!r}*t"])
    return loaded(m, [load / 10 for load in LOADS])


def bent_and_struck(model: Model) -> dict[str, list[float]]:
    """Rise and shortening of the end at every load, and the first two frequencies of bending [Hz]."""
    results = model.simulate().unless_interrupted()
    channel = "strip.end.position" if model.name.endswith("beam") else "strip.positions"
    places = results[channel].values.reshape(len(LOADS) + 1, -1, 3)
    end = np.abs(places[0, :, 0] - LENGTH) < 1e-9
    moved = places[1:, end].mean(axis=1) - places[0, end].mean(axis=0)
    modes = model.modes(6)
    bends = [k for k in range(6) if modes.describe(k).endswith("along z")]
    return {"w": moved[:, 2].tolist(), "u": moved[:, 0].tolist(), "f": modes.frequencies_hz[bends][:2].tolist()}


def found(what: str, k: int):
    return lambda answers: answers[what][k]


def of_bodies() -> Iterator[Quantity]:
    for kind in AS:
        for k, load in enumerate(LOADS):
            w, u, _ = TIP_LOAD[load]
            label = f"at PL²/EI = {load:g}, {kind}"
            yield Quantity(f"w {label}", "m", w, 0.01 * w, ELASTICA, "A", found("w", k), kind)
            yield Quantity(f"u {label}", "m", -u, 0.01 * u, ELASTICA, "A", found("u", k), kind)
        for k in range(2):
            value = ROOTS["cf"][k] ** 2 / (2 * np.pi) * np.sqrt(EI / (1000.0 * WIDTH * THICK)) / LENGTH**2
            name = f"frequency {k + 1}, {kind}"
            yield Quantity(name, "Hz", value, 0.01 * value, "Euler's beam", "A", found("f", k), kind)


CASES = (
    case("shell_strip_shear", "strip of shell elements under an end shear", sheared, of_sheared),
    case("shell_strip_moment", "strip of shell elements rolled up to a circle", rolled, of_rolled),
    case("heavy_strip", "strip of shell elements that hangs by its weight", draped, of_draped),
    Case(
        "strip_four_ways",
        "a strip as beam, shell and solid: elastica and frequencies",
        {kind: partial(as_body, kind) for kind in AS},
        of_bodies,
        bent_and_struck,
    ),
)
