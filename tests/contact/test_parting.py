"""Where a force ends as surfaces part they part, and nothing else is told: which comes first would be rounding."""

import numpy as np
import pytest

from tapespring.model import Model


def pin(offset):
    """That bounces in a slot, by a law whose force ends with its depth."""
    x, y, z = offset
    return Model.from_plain(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"pin": {"kind": "point_mass", "mass": 0.1, "at": [x + 0.05, y, z], "velocity": [0.5, 0, 0]}},
            "contacts": {
                "slot": {
                    "kind": "point_to_segment",
                    "between": ["ground", "pin"],
                    "start": [x, y, z],
                    "end": [x + 0.2, y, z],
                    "normal": "y",
                    "width": "12 mm",
                    "radius": "5 mm",
                    "law": {"kind": "linear", "stiffness": 1e6, "restitution": 0.8},
                }
            },
        }
    )


@pytest.mark.parametrize("offset", [(0, 0, 0), (1, 2, 3), *np.random.default_rng(5).uniform(-10, 10, (4, 3)).tolist()])
def test_events_of_bounces_are_hits_and_separations(offset):
    names = [event.name for event in pin(offset).simulate("0.1 s", solver="ode").events]
    assert len(names) >= 10
    assert names == (["slot.hit", "slot.separation"] * len(names))[: len(names)]


def test_a_force_that_ends_before_surfaces_part_is_told():
    """With a damper the law would pull while they are still within each other."""
    model = pin((0, 0, 0)).to_plain()
    model["contacts"]["slot"]["law"] = {"kind": "nonlinear", "stiffness": 1e6, "n": 1.0, "damping": 200.0, "p": 0.0}
    names = [event.name for event in Model.from_plain(model).simulate("0.1 s", solver="ode").events]
    assert names[:3] == ["slot.hit", "slot.release", "slot.separation"]
