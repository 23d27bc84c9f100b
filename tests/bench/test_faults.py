"""Straps that bloom with something wrong: without the fault all is as it should be, with it as mechanics has it."""

import runpy
from math import hypot
from pathlib import Path

import numpy as np
import pytest

import tapespring as ts
from tapespring.bench.jpl_free_base import free_base, turned

JPL = Path(__file__).parents[2] / "examples" / "jpl"
FAULTS = runpy.run_path(str(JPL / "faults.py"))
STOW = FAULTS["STOW"]


def straps(gravity: float = 9.81, contact: bool = True) -> ts.Model:
    """With half the elements."""
    model = ts.load(JPL / "straps.yaml").set("gravity", [0, 0, -gravity])
    for strap, elements in (("left_strap", 40), ("right_strap", 38)):
        model = model.set(f"bodies.{strap}.elements", elements)
    return model if contact else model.set("contacts", {})


def lasting(model: ts.Model, bloom: float) -> ts.Model:
    return model.set(f"simulate.stages.{len(model.settings.stages) - 1}.duration", bloom)


def places(results, cart: str) -> np.ndarray:
    return results[f"{cart}.position.x"].values[results.time >= STOW]


@pytest.fixture(scope="module")
def nominal():
    return lasting(FAULTS["nominal"](straps()), 0.2).simulate()


@pytest.mark.parametrize(
    ("fault", "removed"), [("strap_snags", (0.0127, -1.0)), ("cart_sticks", 0.0), ("cart_sticks", 1e-7)]
)
def test_without_the_fault_the_bloom_is_the_nominal_one(nominal, fault, removed):
    results = lasting(FAULTS[fault](straps(), removed), 0.2).simulate()
    assert results.status.complete
    assert places(results, "right_cart") == pytest.approx(places(nominal, "right_cart"), abs=2e-6)


@pytest.mark.slow
def test_snagged_strap_stops_its_cart():
    """No farther than a straight strap over the pin allows, but nearly so; the other cart goes on."""
    results = lasting(FAULTS["strap_snags"](straps()), 1.35).simulate()
    pivot, radius, (x, z) = 6.35e-3, 3e-3, FAULTS["PIN"]
    left_over = 0.432 - (hypot(x - pivot, z) - radius)
    farthest = x + (left_over**2 - (abs(z) - radius) ** 2) ** 0.5 + pivot
    reached = places(results, "right_cart").max()
    assert 0.9 * farthest < reached < farthest
    assert -places(results, "left_cart").min() > 1.15 * reached
    assert np.nanmax(results["snag.normal"].values) > 0.1
    assert results.audit.relative < 1e-4


def test_cart_sticks_while_friction_is_more_than_the_straps_push():
    """0.0247 N of push; friction of 0.03 N holds it, half of that does not and takes its part of the energy."""
    stuck = lasting(FAULTS["cart_sticks"](straps(), 0.03), 0.2).simulate()
    assert np.ptp(places(stuck, "right_cart")) < 2e-5  # friction gives way elastically
    slow = lasting(FAULTS["cart_sticks"](straps(), 0.015), 0.2).simulate()
    way = np.ptp(places(slow, "right_cart"))
    lost = slow["energy.friction"].values
    assert way > 1e-4
    assert lost[-1] - lost[slow.time >= STOW][0] == pytest.approx(0.015 * way, rel=0.02)
    assert slow.audit.relative < 1e-5


def test_late_cart_does_later_what_the_other_did():
    """Straps that do not touch know nothing of each other: the right cart mirrors the left one, later."""
    late = 0.1
    model = straps(contact=False).set("bodies.right_strap.elements", 40)
    results = lasting(FAULTS["released_late"](model, late), 0.2).simulate()
    left, right = (results[f"{cart}.position.x"] for cart in ("left_cart", "right_cart"))
    for time in (0.05, 0.1, 0.15, 0.2):
        assert right.at(STOW + late + time) == pytest.approx(-left.at(STOW + time), abs=2e-6)
    assert places(results, "right_cart")[:10] == pytest.approx(0.0254, abs=1e-9)


def test_spacecraft_is_turned_by_a_late_cart_and_momentum_is_kept():
    results = free_base(0.2).simulate()
    assert np.abs(turned(results)).max() > 0.4
    after = results.time >= 1.0
    assert np.abs(results["system.momentum"].values[after]).max() < 1e-14
    assert np.abs(results["system.angular_momentum"].values[after]).max() < 1e-11
    centre = results["system.centre_of_mass"].values[after]
    assert np.abs(centre - centre[0]).max() < 1e-12


def test_heavy_spacecraft_is_as_good_as_fixed():
    model = free_base(0.2)
    heavy = model.set("bodies.spacecraft.mass", 1e7).set("bodies.spacecraft.inertia", [1e7, 1e7, 1e7]).simulate()
    stages = [stage.model_copy(update={"without": tuple(n for n in stage.without if n != "hold")})
              for stage in model.settings.stages]  # fmt: skip
    model.settings = model.settings.model_copy(update={"stages": tuple(stages)})
    fixed = model.simulate()
    assert np.abs(turned(heavy)).max() < 1e-6
    assert heavy["left_rail.position"].values == pytest.approx(fixed["left_rail.position"].values, abs=1e-6)


def test_momentum_of_a_thrown_body():
    """P = m v, L = x × m v + J w."""
    m = ts.Model(duration=1, outputs=2)
    m.rigid("plate", mass=2, inertia=(1, 2, 3), at=(1, 0, 0), velocity=(0, 3, 0), angular_velocity=(0, 0, 5))
    r = m.simulate()
    assert r["system.momentum"].final == pytest.approx([0, 6, 0], abs=1e-12)
    assert r["system.angular_momentum"].final == pytest.approx([0, 0, 6 + 15], abs=1e-9)
    assert r["system.centre_of_mass"].final == pytest.approx([1, 3, 0], abs=1e-12)
