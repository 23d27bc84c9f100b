"""A tape spring folded slowly: the torque of a fold does not depend on how far it is folded."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Model
from .case import Quantity, case

LENGTH, RADIUS, ANGLE, THICKNESS = 0.12, 0.015, np.pi / 2.0, 0.15e-3
YOUNG, POISSON, DENSITY = 131e9, 0.3, 8100.0
STEADY = "Wüst (1954): (1 + ν) D α for a fold of opposite sense"
FOLDED = 0.5  # s


def folding(along: int = 24, across: int = 4) -> Model:
    """Between two end pieces that turn by 45° each; one of them slides, so that there is no pull."""
    m = Model(name="Tape spring folded")
    end = {"mass": 0.05, "inertia": [2e-5, 2e-5, 2e-5]}
    m.rigid("left", **end)
    m.rigid("carriage", at=(LENGTH, 0, 0), mass=0.01, inertia=[1e-6, 1e-6, 1e-6])
    m.rigid("right", at=(LENGTH, 0, 0), **end)
    mesh = {"kind": "tape_spring", "length": LENGTH, "radius": RADIUS, "angle": ANGLE, "divisions": [along, across]}
    m.shell(
        "tape", mesh=mesh, thickness=THICKNESS, material={"young": YOUNG, "poisson": POISSON, "density": DENSITY},
        attach={"start": "left", "end": "right"}, damping={"stiffness": 1e-4, "mass": 40},
    )  # fmt: skip
    m.revolute("left_pin", m.ground, "left", at=(0, 0, 0), axis="y")
    m.prismatic("rail", m.ground, "carriage", axis="x")
    m.revolute("right_pin", "carriage", "right", at=(LENGTH, 0, 0), axis="y")
    for side, turn in (("left", 1.0), ("right", -1.0)):
        m.motion(f"fold_{side}", f"{side}_pin", value=f"{turn * np.pi / 4.0!r}*sin(pi*t)**2")
    m.settings = m.settings.changed(solver="implicit", duration=FOLDED, tolerance=1e-5, outputs=50)
    return m


def torque(results) -> float:
    """Mean over the last third of the fold."""
    values = np.abs(results["fold_left.force"].values)
    return float(values[-len(values) // 3 :].mean())


def quantities() -> Iterator[Quantity]:
    D = YOUNG * THICKNESS**3 / (12.0 * (1.0 - POISSON**2))
    steady = (1.0 + POISSON) * D * ANGLE
    yield Quantity("torque of the fold", "N m", steady, 0.05 * steady, STEADY, "B", torque)


CASES = (case("tape_spring", "tape spring folded by 90 degrees, opposite sense", folding, quantities),)
