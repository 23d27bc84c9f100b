"""Beams of the published problems, as models."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model import Model
from ..results import Results

RIGID = 1e9  # axial stiffness over bending stiffness of members the theory takes as inextensible [1/m²]


def section(EA: float, EI: Any, GJ: float, GA: Any = None, mass: float = 1.0, inertia: Any = (0, 0, 0)) -> dict:
    """A section by its stiffness; without GA it does not shear."""
    shear = {} if GA is None else {"shear_stiffness": GA}
    return {
        "kind": "general", "axial_stiffness": EA, "bending_stiffness": EI, "torsion_stiffness": GJ, **shear,
        "mass_per_length": mass, "rotary_inertia": list(inertia),
    }  # fmt: skip


def cantilever(path: Any, beam_section: dict, elements: int, name: str = "", **beam: Any) -> Model:
    """A beam called `beam` held at its start."""
    m = Model(name=name)
    m.beam("beam", path=path, section=beam_section, elements=elements, **beam)
    m.fixed("clamp", m.ground, "beam.start")
    return m


def moved(place: str, letter: str, time: float, start: float):
    """Displacement of a place."""
    return lambda results: results[f"{place}.position.{letter}"].at(time) - start


def turn_about_z(place: str, time: float):
    """Angle about z of a place that turns about no other axis, between -π and π."""

    def angle(results: Results) -> float:
        w, _, _, z = results[f"{place}.orientation"].at(time)
        return float(2.0 * np.arctan2(z, w))

    return angle
