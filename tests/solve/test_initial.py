"""Consistent beginnings: assembled, projected, or refused by name; redundant joints found."""

import numpy as np
import pytest

import tapespring as ts
from tapespring import ModelError


def hinged_bar(at=(0.5, 0, 0), **bar):
    model = ts.Model(name="bar", gravity=(0, -9.81, 0))
    body = model.rigid("bar", mass=1, inertia=[0.1, 0.1, 0.1], at=at, markers={"end": (-0.5, 0, 0)}, **bar)
    return model, body


def test_an_initial_angle_is_reached():
    model, bar = hinged_bar()
    model.revolute("hinge", model.ground, bar, at=(0, 0, 0), axis="z", initial={"angle": "135 deg", "rate": "2 rad/s"})
    run = model.simulate("1 ms", outputs=1)
    assert run["hinge.angle"].values[0] == pytest.approx(np.radians(135), abs=1e-12)
    assert run["hinge.angle.rate"].values[0] == pytest.approx(2.0, abs=1e-12)
    assert run["bar.position"].values[0] == pytest.approx(
        [0.5 * np.cos(np.radians(135)), 0.5 * np.sin(np.radians(135)), 0]
    )


def test_parts_drawn_apart_are_assembled_and_it_is_said():
    model, bar = hinged_bar(at=(0.52, 0.01, 0))
    model.spherical("ball", model.ground, bar.marker("end"))
    run = model.simulate("1 ms", outputs=1)
    assert any("assembled" in note and "bar" in note for note in run.notes)
    assert run["bar.end.position"].values[0] == pytest.approx([0, 0, 0], abs=1e-12)


def test_velocities_that_do_not_fit_are_projected_and_it_is_said():
    model, bar = hinged_bar(velocity=(1, 1, 0))
    model.revolute("hinge", model.ground, bar, at=(0, 0, 0), axis="z")
    run = model.simulate("1 ms", outputs=1)
    assert any("projected" in note and "bar" in note for note in run.notes)
    assert run["bar.velocity"].values[0, 0] == pytest.approx(0.0, abs=1e-12)


def test_contradictory_joints_are_refused_by_name():
    model = ts.Model(name="impossible")
    bob = model.point_mass("bob", mass=1, at=(1, 0, 0))
    model.distance("short", model.ground.at(0, 0, 0), bob, length=1)
    model.distance("long", model.ground.at(5, 0, 0), bob, length=1)
    with pytest.raises(ModelError, match=r"(short|long).*violated"):
        model.simulate("1 s")


def test_contradictory_speeds_are_refused_by_name():
    model, bar = hinged_bar()
    model.revolute("hinge", model.ground, bar, at=(0, 0, 0), axis="z", initial={"rate": "1 rad/s"})
    model.motion("motor", joint="hinge", value="2*t")
    with pytest.raises(ModelError, match="velocities contradict"):
        model.simulate("1 s")


def test_a_redundant_hinge_is_found_and_harmless():
    """A door on two hinges is over-constrained; it swings as on one."""

    def door(hinges):
        model = ts.Model(name="door", gravity=(0, -9.81, 0))
        leaf = model.rigid("leaf", mass=10, inertia=[1, 2, 1.2], at=(0.5, 0.2, 0.1))
        for k in range(hinges):
            model.revolute(f"hinge{k}", model.ground, leaf, at=(0, 0, 0.3 * k), axis="z")
        return model.simulate("2 s", outputs=20)

    two, one = door(2), door(1)
    assert any("redundant" in note and "hinge" in note for note in two.notes)
    assert not one.notes
    assert two["leaf.position"].values == pytest.approx(one["leaf.position"].values, abs=1e-7)
    assert two.audit.relative < 1e-8
    assert [f.title for f in two.verdict.doubts] == ["Reactions"]  # how they are shared is anybody's guess
    assert one.verdict.level == "good"


def test_nothing_to_move_is_refused():
    with pytest.raises(ModelError, match="no bodies"):
        ts.Model(name="empty").simulate("1 s")
    model = ts.Model(name="carried along")
    model.moving_frame("frame", position=["t", 0, 0])
    with pytest.raises(ModelError, match="nothing can move"):
        model.simulate("1 s")
