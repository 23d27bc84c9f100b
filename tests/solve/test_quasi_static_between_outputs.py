"""Quasi-static runs between their outputs: loads are followed whatever outputs are asked for."""

import numpy as np
import pytest

from tapespring import Model

STIFFNESS = 1000.0  # N/m


def pulled(force):
    """A slider on a spring: its place is force over stiffness, at any time."""
    m = Model("Pulled")
    m.rigid("block", mass=1.0, inertia=(0.1, 0.1, 0.1), at=(1, 0, 0))
    m.prismatic("guide", "ground", "block", at=(1, 0, 0), axis="x")
    m.spring("spring", "ground", "block", stiffness=STIFFNESS, free_length=1.0)
    m.load("pull", "block", force=[force, 0, 0])
    m.settings = m.settings.changed(solver="quasi-static", duration=1.0)
    return m


LOADS = {
    "corner": ({"table": [[0, 0], [0.237, 10], [1, 0]]}, 10.0, 0.237, 1e-12),
    "pulse": ("if(t>0.41, if(t<0.42, 20, 0), 0)", 20.0, 0.41, 1e-12),
    "bump": ("5*exp(-((t-0.6173)/0.001)^2)", 5.0, 0.6173, 0.2),
    "many periods": ("7*sin(200*t)", 7.0, None, 0.2),
}


@pytest.mark.parametrize("outputs", [3, 10, 40])
@pytest.mark.parametrize("name", LOADS)
def test_no_load_is_stepped_over(name, outputs):
    """Corners and jumps are ends of increments; what is smooth is met within a part of its largest value."""
    load, most, when, near = LOADS[name]
    r = pulled(load).simulate(outputs=outputs)
    assert r["spring.force"].max() == pytest.approx(most, rel=near)
    assert r["block.position.x"].max() == pytest.approx(1.0 + r["spring.force"].max() / STIFFNESS, rel=1e-9)
    if when is not None:
        assert r["spring.force"].time_of_max == pytest.approx(when, abs=1e-2)
    assert len(r.time) == outputs + 1
    assert not r.events
    assert r.verdict.level == "good", r.summary()


def test_an_extreme_that_hangs_on_the_increments_is_said_to():
    """Half a period in the whole run, which nothing but outputs resolves."""
    few, many = (pulled("7*sin(3*t)").simulate(outputs=n).summary() for n in (3, 30))
    assert "The largest values of block.position" in few
    assert "hang on the step" in few
    assert "hang on the step" not in many


def test_a_load_that_jumps_far_is_followed():
    """By 0.3 m, in no time: there is nothing between."""
    r = pulled("if(t>0.5, 300, 0)").simulate(outputs=4)
    assert r["block.position.x"].values == pytest.approx([1, 1, 1, 1.3, 1.3], abs=1e-9)
    assert r.status.complete


def test_what_the_file_says_is_what_the_run_said(tmp_path):
    r = pulled(LOADS["corner"][0]).simulate(outputs=3)
    again = type(r).load(r.save(tmp_path / "run.nc"))
    assert again["spring.force"].max() == r["spring.force"].max() > 9.99
    assert np.abs(again["spring.force"].values).max() < 9.0
