"""Bodies drawn so that they just touch begin to move, whatever roundings make of their gaps and rates."""

import numpy as np
import pytest

import tapespring as ts

G = 9.81


def drawn(spin, velocity, at=(0.0, 0.0, 0.05)) -> ts.Model:
    """A box that stands on a floor by its four corners, with no weight on them yet."""
    model = ts.Model(gravity=(0, 0, -G))
    box = {"kind": "box", "size": [0.2, 0.1, 0.1]}
    model.rigid("box", mass=1, at=at, shape=box, velocity=velocity, angular_velocity=spin)
    floor = {"kind": "half_space", "on": "ground", "at": (0, 0, at[2] - 0.05), "normal": "z"}
    law = {"kind": "linear", "stiffness": 1e5, "restitution": 0.3}
    model.contact("floor", floor, "box", law=law, friction={"static": 0.5, "kinetic": 0.4})
    return model


@pytest.mark.parametrize("at", [(0.0, 0.0, 0.05), (1.0, 2.0, 3.05)], ids=["home", "away"])
@pytest.mark.parametrize("size", [1e-16, 1e-13, 1e-10, 1e-7, 1e-4])
@pytest.mark.parametrize("seed", range(3))
def test_a_box_whose_corners_hardly_move(seed, size, at):
    """Some corners rise and are back within less time than their gaps can show: one alone begins to touch, then the
    other, and neither takes that back from the other."""
    spin, velocity = size * np.random.default_rng(seed).uniform(-1.0, 1.0, (2, 3))
    results = drawn(tuple(spin), tuple(velocity), at).simulate(0.05, solver="ode", outputs=5)
    assert results.status.complete
    early = [event for event in results.events if event.time < 1e-6]
    assert len(early) <= 8
    assert results["box.position"].final == pytest.approx(at, abs=2e-4)
