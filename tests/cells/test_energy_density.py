"""Strain energy of each element over its size, beside closed forms."""

import numpy as np
import pytest

from tapespring.kinds.registry import kinds
from tapespring.model import Model

YOUNG, FORCE, LENGTH, WIDTH, HEIGHT = 2e9, 5.0, 0.1, 0.05, 0.02
MATERIAL = {"young": YOUNG, "poisson": 0.0, "density": 1000.0}
PER_LENGTH = FORCE**2 / (2.0 * YOUNG * WIDTH * HEIGHT)
LINE = {
    "path": [[0, 0, 0], [0.4 * LENGTH, 0, 0], [LENGTH, 0, 0]], "elements": 3, "material": MATERIAL,
    "section": {"kind": "rectangle", "width": WIDTH, "thickness": HEIGHT},
}  # fmt: skip
SHEET = {"kind": "strip", "length": LENGTH, "width": WIDTH, "divisions": [3, 2]}
BLOCK = {"kind": "box", "length": LENGTH, "width": WIDTH, "height": HEIGHT, "divisions": [3, 2, 1]}
PULLED = {
    "beam": (LINE, "J/m", PER_LENGTH),
    "cable": (LINE, "J/m", PER_LENGTH),
    "shell": ({"mesh": SHEET, "thickness": HEIGHT, "material": MATERIAL}, "J/m^2", PER_LENGTH / WIDTH),
    "solid": ({"mesh": BLOCK, "material": MATERIAL}, "J/m^3", PER_LENGTH / (WIDTH * HEIGHT)),
}


def pulled(kind: str, body: dict):
    """Held at one end, pulled at the other, slowly."""
    lines = kind in ("beam", "cable")
    held = {"kind": "fixed" if kind == "beam" else "spherical", "between": ["ground", "part.start"], "at": [0, 0, 0]}
    ends = {"shell": ("start", "end"), "solid": ("x0", "x1")}.get(kind, ("start", "end"))
    pull = {"kind": "load" if lines else "spread_load", "on": f"part.{ends[1]}", "force": [FORCE, 0, 0]}
    return Model.from_plain({
        "name": "Pulled", "bodies": {"part": {"kind": kind} | body},
        "joints": {"held": held if lines else {"kind": "support", "on": f"part.{ends[0]}"}},
        "forces": {"pull": pull},
        "simulate": {"solver": "quasi-static", "duration": 1, "outputs": 1, "tolerance": 1e-12},
    }).simulate()  # fmt: skip


@pytest.mark.parametrize("kind", PULLED)
def test_a_pulled_bar_holds_the_same_everywhere(kind):
    body, unit, expected = PULLED[kind]
    results = pulled(kind, body)
    density = results["part.energy_density"]
    assert density.unit == unit
    assert density.final == pytest.approx(np.full(density.shape[1], expected), rel=1e-4)
    assert results["part.strain_energy"].final == pytest.approx(PER_LENGTH * LENGTH, rel=1e-4)


def test_a_stretched_film_holds_its_prestress():
    results = Model.from_plain(kinds()["membrane"].example).simulate("1 ms", outputs=1)
    tension, young, poisson, thickness = 100.0, 50e6, 0.3, 0.5e-3
    density = results["cloth.energy_density"]
    expected = tension**2 * (1.0 - poisson) / (young * thickness)
    assert density.values[0] == pytest.approx(np.full(4, expected), rel=1e-9)
    assert results["cloth.strain_energy"].values[0] == pytest.approx(expected, rel=1e-9)  # of a square metre
