"""A tape spring folded slowly: the torque of a fold does not depend on how far it is folded."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..model import Model
from .case import Case, Quantity

LENGTH, RADIUS, ANGLE, THICKNESS = 0.12, 0.015, np.pi / 2.0, 0.15e-3
YOUNG, POISSON, DENSITY = 131e9, 0.3, 8100.0
STEADY = "Wüst (1954): (1 ± ν) D α, + for a fold of opposite sense"
SENSES = {"opposite": 1.0, "equal": -1.0}
FOLDED = {"opposite": 0.5, "equal": 4.0}
"""[s]; folded the equal way it snaps into its fold one side after the other: faster than this the torque is that of the
shaking which follows (0.5 s: 20 % too much)"""


def folding(sense: str = "opposite", along: int = 24, across: int = 4) -> Model:
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
    for side, turn in (("left", SENSES[sense]), ("right", -SENSES[sense])):
        value = f"{turn * np.pi / 4.0!r}*sin(pi*t/{2.0 * FOLDED[sense]!r})**2"
        m.motion(f"fold_{side}", f"{side}_pin", value=value)
    m.settings = m.settings.changed(solver="implicit", duration=FOLDED[sense], tolerance=1e-5, outputs=100)
    return m


def torque(results) -> float:
    """Mean over the last third of the fold."""
    values = np.abs(results["fold_left.force"].values)
    return float(values[-len(values) // 3 :].mean())


def quantities() -> Iterator[Quantity]:
    D = YOUNG * THICKNESS**3 / (12.0 * (1.0 - POISSON**2))
    for sense, sign in SENSES.items():
        steady = (1.0 + sign * POISSON) * D * ANGLE
        yield Quantity(
            f"torque of the fold, {sense} sense", "N m", steady, 0.05 * steady, STEADY, "B", torque, sense
        )  # fmt: skip


CASES = (Case("tape_spring", "tape spring folded by 90 degrees", {k: partial(folding, k) for k in SENSES}, quantities),)
