"""Modes at rest and under loads of models in which something moves without any force: zeros, and no refusal."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.schema.problems import ModelError

MATERIAL = {"young": 70e9, "density": 2700, "poisson": 0.3}
SECTION = {"kind": "rectangle", "width": 0.02, "thickness": 0.02}
LENGTH = 1.0
TORSION = 1e-3  # N m/rad


def beam(gravity=0.0, elements=8):
    m = Model("Beam", gravity=(0, 0, -gravity))
    m.beam("boom", path=[[0, 0, 0], [LENGTH, 0, 0]], elements=elements, material=MATERIAL, section=SECTION)
    return m


def with_wheel(held=False):
    """On the tip of a cantilever that sags; held: by a spring next to nothing."""
    m = beam(9.81)
    m.fixed("clamp", m.ground, "boom.start")
    m.rigid("wheel", at=(LENGTH, 0, 0), mass=5.0, inertia=(0.1, 0.2, 0.1))
    m.revolute("axle", "boom.end", "wheel", at=(LENGTH, 0, 0), axis="y")
    m.load("pull", "boom.end", force=("500*t", 0, 0))
    if held:
        m.torsion_spring("wire", joint="axle", stiffness=TORSION)
    return m


@pytest.mark.parametrize("at", ["rest", "2 s"])
def test_a_wheel_that_turns_freely_on_a_loaded_beam(at):
    """All other modes as if it were held by next to nothing, which makes k/J of the zero."""
    free, held = with_wheel().modes(at=at), with_wheel(held=True).modes(at=at)
    assert free.frequencies_hz[0] == 0.0
    assert held.frequencies_hz[0] == pytest.approx(np.sqrt(TORSION / 0.2) / (2.0 * np.pi), rel=1e-3)
    assert free.frequencies_hz[1:] == pytest.approx(held.frequencies_hz[1:], rel=1e-5)
    assert free.frequencies_hz[1] > 1.0
    if at != "rest":
        assert free.frequencies_hz[1] > 1.01 * with_wheel().modes(at="rest").frequencies_hz[1]  # pulled


@pytest.mark.parametrize("at", ["rest", "1 s"])
def test_a_free_beam(at):
    """Six rigid motions, then (4.73)² √(EI/μ) / (2 π L²), less 0.7 % by shear, rotary inertia and 24 elements."""
    found = beam(elements=24).modes(8, at=at)
    bending = 4.73004074**2 * np.sqrt(70e9 * 0.02**4 / 12.0 / (2700 * 0.02**2)) / (2.0 * np.pi)
    assert found.frequencies_hz[:6] == pytest.approx(np.zeros(6), abs=1e-12)
    assert found.frequencies_hz[6:] == pytest.approx([bending, bending], rel=1e-2)
    assert found.frequencies_hz[6:] == pytest.approx(beam(elements=24).modes(8).frequencies_hz[6:], rel=1e-9)
    assert not found.unstable.any()


def test_pulled_apart_a_free_beam_is_stiffer():
    """By loads at both ends that balance each other: there is a place at rest, if not one alone."""
    m = beam()
    m.load("right", "boom.end", force=("1000*t", 0, 0))
    m.load("left", "boom.start", force=("-1000*t", 0, 0))
    loose, taut = m.modes(8, at="rest"), m.modes(8, at="5 s")
    assert taut.frequencies_hz[6] > 1.05 * loose.frequencies_hz[6]


def test_what_falls_is_nowhere_at_rest():
    with pytest.raises(ModelError, match="nothing resists"):
        beam(9.81).modes(at="rest")


def test_a_rigid_wheel_at_a_time():
    m = Model("Wheel")
    m.rigid("wheel", mass=1.0, inertia=(0.1, 0.1, 0.2))
    m.revolute("axle", "ground", "wheel", at=(0, 0, 0), axis="z")
    assert m.modes(at="1 s").frequencies_hz.tolist() == [0.0]
