"""Membranes: a clamped disc blown up, and a film in shear that wrinkles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..model import Model
from ..results import Results
from .case import Case, Quantity
from .shell_models import by, isotropic, loaded

FOPPL = "Hencky's problem: w = C a (qa/Eh)^(1/3), C by an independent boundary-value solver"
HENCKY = {0.3: 0.65344334, 0.45: 0.61117056}  # Poisson's ratio: C
RADIUS, THICKNESS, YOUNG = 0.07, 3e-4, 3.05e6
SMALL = 0.05  # Pa: slopes of a few hundredths, where shallow theory holds to some 1e-4


def blown(poisson: float, around: int = 64, rings: int = 16) -> Model:
    """A disc clamped at its rim. A hint of tension, a millionth of what the pressure brings, keeps the flat film in
    place before there is any."""
    m = Model(name="Hencky's membrane")
    m.membrane(
        "disc", mesh={"kind": "disc", "radius": RADIUS, "divisions": [around, rings]}, thickness=THICKNESS,
        material=isotropic(YOUNG, poisson, 1000.0), tension=[1e-7, 1e-7], attach={"rim": "ground"},
    )  # fmt: skip
    m.pressure("air", "disc", pressure=f"{SMALL}*t")
    return loaded(m)


def of_blown() -> Iterator[Quantity]:
    for poisson, C in HENCKY.items():
        w = C * RADIUS * (SMALL * RADIUS / (YOUNG * THICKNESS)) ** (1.0 / 3.0)
        name = f"rise of the middle, Poisson's ratio {poisson:g}"
        yield Quantity(name, "m", w, 3e-3 * w, FOPPL, "A", by("disc.centre", "z", 1.0), f"{poisson:g}")


# -- shear ------------------------------------------------------------------------------------------------------------
LONG, HIGH, STIFF = 20.0, 1.0, 1e5  # E h [N/m]
SHIFT = 0.01


def sheared(wrinkles: bool = True) -> Model:
    """A long film between two rails, one of which is shifted along."""
    m = Model(name="Film in shear")
    m.membrane(
        "film", mesh={"kind": "plate", "length": LONG, "width": HIGH, "divisions": [60, 4]}, thickness=1e-3,
        material=isotropic(1e3 * STIFF, 0.3, 1000.0), wrinkles=wrinkles, tension=[1.0, 0.0],
    )  # fmt: skip
    m.support("floor", "film.bottom")
    m.support("rail", "film.top", move={"x": f"{SHIFT}*t"})
    return loaded(m)


def compression(results: Results) -> float:
    """Largest compression anywhere, as a part of the largest tension."""
    n11, n22, n12 = np.moveaxis(results["film.membrane_force"].values[-1].reshape(-1, 3), 1, 0)
    mean, half = 0.5 * (n11 + n22), np.hypot(0.5 * (n11 - n22), n12)
    return float(max(0.0, -(mean - half).min()) / (mean + half).max())


def of_sheared() -> Iterator[Quantity]:
    """In the middle E11 = 0, 2 E12 = γ and, to second order, E22 = γ²/2: tension along the larger principal strain."""
    g = SHIFT / HIGH
    half = np.hypot(0.25 * g * g, 0.5 * g)
    strain, angle = 0.25 * g * g + half, 0.5 * np.arctan2(g, -0.5 * g * g)
    shear = STIFF * strain * np.sin(angle) * np.cos(angle)
    yield Quantity("compression over tension", "1", 0.0, 1e-4, "a tension field carries none", "A", compression)
    closed = "closed form of the tension field far from the ends"
    yield Quantity("shear force per length in the middle", "N/m", shear, 0.01 * shear, closed, "A", middle_shear)


def middle_shear(results: Results) -> float:
    n12 = results["film.membrane_force"].values[-1].reshape(-1, 3)[:, 2]
    return float(np.sort(n12)[len(n12) // 2])


CASES = (
    Case(
        "hencky",
        "clamped disc of membrane under a small pressure",
        {f"{poisson:g}": partial(blown, poisson) for poisson in HENCKY},
        of_blown,
    ),
    Case("wrinkled_shear", "long film in shear that wrinkles", {"": sheared}, of_sheared),
)
