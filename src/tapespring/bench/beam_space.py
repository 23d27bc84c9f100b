"""Bending in space: the 45° bend, a composite beam whose bending twists it, and the Princeton beam."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..model import Model
from .beam_models import cantilever, moved, section
from .case import Case, Quantity, case

# -- 45° bend ---------------------------------------------------------------------------------------------------------
BEND = "Bathe and Bolourchi's bend; boundary value problem of the exact arc, tolerance 1e-11"
R = 100.0
TORSION = {  # torsion constant of the unit square: {load: displacement along the tangent, to the centre, normal}
    "1/6": (1 / 6, {
        300: (-11.931555629, -7.044540936, 40.191891670),
        450: (-18.472120108, -10.781142956, 48.502927344),
        600: (-23.560239545, -13.604521347, 53.474858792),
    }),
    "0.1406": (0.1406, {600: (-23.818489270, -13.731397478, 53.607232386)}),
}  # fmt: skip


def bend(torsion: str, elements: int = 96) -> Callable[[], Model]:
    """Arc in the plane x y from the origin along x, centre at (0, R); E = 1e7, G = 5e6, unit square; force in z."""

    def model() -> Model:
        J, loads = TORSION[torsion]
        arc = {
            "kind": "arc", "start": [0, 0, 0], "tangent": [1, 0, 0], "normal": [0, 0, 1], "radius": R,
            "angle": "45 deg",
        }  # fmt: skip
        unit = section(1e7, 1e7 / 12, 5e6 * J, 5e6)
        m = cantilever(arc, unit, elements, f"45 degree bend, torsion constant {torsion}")
        m.load("tip", "beam.end", force=(0, 0, "600*t"))
        m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=[p / 600 for p in loads])
        return m

    return model


def bend_quantities() -> Iterator[Quantity]:
    start = {"x": R * np.sin(np.pi / 4), "y": R * (1 - np.cos(np.pi / 4)), "z": 0.0}
    for torsion, (_, loads) in TORSION.items():
        for load, reference in loads.items():
            for letter, value in zip("xyz", reference, strict=True):
                name = f"{letter} at {load} N, J = {torsion}"
                get = moved("beam.end", letter, load / 600, start[letter])
                # 1e-6 of the largest displacement
                yield Quantity(name, "m", value, 5e-5, BEND, "A", get, run=torsion)


# -- composite --------------------------------------------------------------------------------------------------------
COMPOSITE = "kynema and BeamDyn agree to 12 digits, a boundary value solver to 10"
TIP = {"x": -0.0902726627566, "y": -0.0647488486259, "z": 1.22973648292371}


def composite() -> Model:
    """Length 10 m along x, force 150 N in z."""
    K = np.diag([1368.17e3, 88.56e3, 38.78e3, 0, 0, 0])
    K[3:, 3:] = 1e3 * np.array([[16.96, 17.61, -0.351], [17.61, 59.12, -0.370], [-0.351, -0.370, 141.47]])
    general = {"kind": "general", "stiffness": K.tolist(), "mass_per_length": 1.0}
    m = cantilever([[0, 0, 0], [10, 0, 0]], general, 96, "Composite cantilever")
    m.load("tip", "beam.end", force=(0, 0, "150*t"))
    m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=4)
    return m


def composite_quantities() -> Iterator[Quantity]:
    for letter, value in TIP.items():
        get = moved("beam.end", letter, 1.0, 10.0 if letter == "x" else 0.0)
        yield Quantity(f"tip displacement in {letter}", "m", value, 1e-6, COMPOSITE, "A", get)


# -- Princeton beam ---------------------------------------------------------------------------------------------------
PRINCETON = "boundary value problem with the same section constants"
ANSYS = "ANSYS beams; Obrezkov et al. 2022"
HEIGHT, WIDTH, LENGTH = 12.3777e-3, 3.2024e-3, 0.508
E, G = 71.7e9, 71.7e9 / 2 / 1.31
SOFT = {  # load: {angle: deflection across the soft axis}, by the boundary value problem
    8.896: {15: 0.0421924, 45: 0.1091131, 90: 0.1462524},
    13.345: {15: 0.0647342, 45: 0.1567746, 90: 0.2006840},
}
STIFF = {13.345: {15: 0.0165777, 45: 0.0156211}}
SOFT_ANSYS = {
    8.896: {15: 0.04208232124, 30: 0.07939482948, 45: 0.108987937, 60: 0.129887616, 75: 0.142194370, 90: 0.146245978},
    13.345: {15: 0.06435812858, 30: 0.117735994, 45: 0.156467239, 60: 0.181861627, 75: 0.196097131, 90: 0.200677707},
}


def princeton(angle: int) -> Callable[[], Model]:
    """Stiff direction along z, soft along y; the load turns from stiff (0°) to soft (90°)."""

    def model() -> Model:
        A, I_stiff, I_soft = HEIGHT * WIDTH, WIDTH * HEIGHT**3 / 12, HEIGHT * WIDTH**3 / 12
        shear = G * A * 10 * 1.31 / (12 + 11 * 0.31)
        unit = section(E * A, [E * I_stiff, E * I_soft], 0.198 * G * (I_stiff + I_soft), shear, 2700 * A)
        m = cantilever([[0, 0, 0], [LENGTH, 0, 0]], unit, 48, f"Princeton beam, load at {angle} degrees")
        soft, stiff = (float(13.345 * f(np.radians(angle))) for f in (np.sin, np.cos))
        m.load("tip", "beam.end", force=(0, f"{soft!r}*t", f"{stiff!r}*t"))
        m.settings = m.settings.changed(solver="quasi-static", duration=1, outputs=[8.896 / 13.345, 1])
        return m

    return model


def princeton_quantities() -> Iterator[Quantity]:
    for letter, table, word in (("y", SOFT, "soft"), ("z", STIFF, "stiff")):
        for load, rows in table.items():
            for angle, value in rows.items():
                get = moved("beam.end", letter, load / 13.345, 0.0)
                name = f"{word} deflection, {load:g} N at {angle}°"
                # the reference does not tell its shear factor, which moves the tip by about 1e-6 m
                yield Quantity(name, "m", value, 2e-6, PRINCETON, "D", get, run=str(angle))
    for load, rows in SOFT_ANSYS.items():
        for angle, value in rows.items():
            get = moved("beam.end", "y", load / 13.345, 0.0)
            name = f"soft deflection, {load:g} N at {angle}°, as ANSYS"
            yield Quantity(name, "m", value, 0.01 * value, ANSYS, "B", get, run=str(angle))


CASES = (
    Case("bend_45", "45° bend, both torsion constants", {J: bend(J) for J in TORSION}, bend_quantities),
    case("composite_beam", "composite cantilever, bending coupled with twist", composite, composite_quantities),
    Case(
        "princeton_beam",
        "Princeton beam, load at 15° to 90°",
        {str(a): princeton(a) for a in SOFT_ANSYS[8.896]},
        princeton_quantities,
    ),
)
