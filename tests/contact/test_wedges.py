"""Wedges: corners on faces, corners that pass each other, and what rounds them."""

from math import cos, hypot, radians, sin

import numpy as np
import pytest

import tapespring as ts

STIFFNESS = 1e5
TIP = {
    "kind": "wedge",
    "on": "tip",
    "faces": [[10e-3 * cos(radians(55)), 10e-3 * sin(radians(55)), 0], [-10e-3, 2e-3, 0]],
}
BUMP = {"kind": "wedge", "on": "bump", "faces": [[-5e-3, -5e-3 * 3**0.5, 0], [10e-3, 0, 0]]}
LAW = {"kind": "linear", "stiffness": STIFFNESS}
START, HIGH, WEIGHT = 0.75e-3, 1e-3, 2.0  # of the crest from the corner [m], of the tip [N]


def drawn(x, y, tip=TIP, bump=BUMP):
    """(gap, force on the bump, energy stored) with the bump's crest at (x, y) from the tip's corner."""
    m = ts.Model("corners", gravity=(0, 0, 0))
    m.rigid("tip", at=(0, 0, 0), mass=1.0, inertia=[1e-3] * 3)
    m.rigid("bump", at=(x, y, 0), mass=1.0, inertia=[1e-3] * 3)
    m.contact("touch", between=[tip, bump], law=LAW, overlap="keep")
    r = m.simulate(duration=1e-9, solver="explicit", outputs=1)
    return r["touch.gap"].values[0], r["touch.force"].values[0], r["energy.strain"].values[0]


FACE = np.array([sin(radians(55)), -cos(radians(55)), 0.0])  # out of the tip's face
TOP = np.array([0.0, -1.0, 0.0])  # of the bump, into it


@pytest.mark.parametrize(
    ("place", "normal", "gap"),
    [
        ((3e-3, 4e-3), FACE, 3e-3 * FACE[0] + 4e-3 * FACE[1]),  # crest before the face
        ((2e-3, 3.5e-3), FACE, 2e-3 * FACE[0] + 3.5e-3 * FACE[1]),  # within it
        ((-3e-3, -1e-3), TOP, 1e-3),  # corner above the top
        ((-3e-3, 1e-3), TOP, -1e-3),
        ((1e-4, -3e-4), None, hypot(1e-4, 3e-4)),  # edges before each other
    ],
)
def test_gap_and_normal(place, normal, gap):
    found, force, energy = drawn(*place)
    assert found == pytest.approx(gap, rel=1e-12)
    depth = max(-gap, 0.0)
    assert energy == pytest.approx(0.5 * STIFFNESS * depth**2, rel=1e-12, abs=1e-20)
    if normal is not None:
        assert force == pytest.approx(STIFFNESS * depth * normal, rel=1e-12, abs=1e-9)


def test_energy_has_no_jump_where_a_corner_passes_another():
    """The crest goes left, 1 mm above the corner: out by the nearer of face and top, as near at one place."""
    high = 1e-3
    turn = -high * (1.0 + FACE[1]) / FACE[0]
    for x in (turn + 1e-9, turn - 1e-9):
        gap, force, energy = drawn(x, high)
        assert gap == pytest.approx(-high, rel=1e-5)
        assert energy == pytest.approx(0.5 * STIFFNESS * high**2, rel=1e-5)
        assert force == pytest.approx(STIFFNESS * high * (FACE if x > turn else TOP), rel=1e-5)


def test_order_of_sides_and_of_faces_does_not_matter():
    swapped = [side | {"faces": side["faces"][::-1]} for side in (TIP, BUMP)]
    for place in ((2e-3, 3.5e-3), (-3e-3, 1e-3), (-1e-3, 1e-3)):
        gap, force, _ = drawn(*place)
        assert drawn(*place, *swapped)[0] == pytest.approx(gap, rel=1e-12)
        other, reaction, _ = drawn(*place, BUMP, TIP)
        assert other == pytest.approx(gap, rel=1e-12)
        assert reaction == pytest.approx(-force, rel=1e-12)


def test_a_sphere_before_a_wedge():
    """Before a face, and round the edge of both radii."""
    ball, edge = 2e-3, 0.5e-3

    def gap(x, y):
        m = ts.Model("ball", gravity=(0, 0, 0))
        m.rigid("tip", at=(0, 0, 0), mass=1.0, inertia=[1e-3] * 3)
        m.rigid("ball", at=(x, y, 0), mass=1.0, shape={"kind": "sphere", "radius": ball})
        m.contact("touch", between=["ball", TIP | {"radius": edge}], law=LAW, overlap="keep")
        return m.simulate(duration=1e-9, solver="explicit", outputs=1)["touch.gap"].values[0]

    assert gap(5e-3, 2e-3) == pytest.approx(5e-3 * FACE[0] + 2e-3 * FACE[1] - ball - edge, rel=1e-12)
    assert gap(1e-3, -3e-3) == pytest.approx(hypot(1e-3, 3e-3) - ball - edge, rel=1e-12)


def lifted(**settings):
    """A tip that only its weight holds down, and a bump that comes along."""
    m = ts.Model("over a crest", gravity=(0, -20, 0))
    m.rigid("tip", at=(0, 0, 0), mass=0.1, inertia=[1e-3] * 3)
    m.prismatic("guide", "ground", "tip", axis="y")
    m.moving_frame("bump", at=(START, HIGH, 0), position=["-0.01*t", 0, 0])
    m.settings = m.settings.changed(duration=0.1, outputs=1000, **settings)
    return m


def sliding(radius=0.0, friction=None, **settings):
    """It is lifted by the bump, snaps off its crest and rests on its top."""
    m = lifted(**settings)
    tip, bump = (side | {"radius": radius} for side in (TIP, BUMP))
    rub = {} if friction is None else {"friction": friction}
    m.contact("touch", between=[tip, bump], law=LAW, overlap="keep", **rub)
    ball = {"kind": "sphere", "on": "tip", "radius": 1e-3, "at": [-20e-3, 1e-3 - WEIGHT / STIFFNESS, 0]}
    m.contact("rest", between=[{"kind": "half_space", "on": "ground", "normal": "y"}, ball], law=LAW, overlap="keep")
    return m.simulate()


@pytest.mark.parametrize("friction", [None, 0.2], ids=["smooth", "rough"])
@pytest.mark.parametrize(
    ("solver", "settings", "close"),
    [("implicit", {"step": 1e-5}, 1e-5), ("explicit", {}, 1e-4), ("ode", {}, 1e-6)],
    ids=["implicit", "explicit", "ode"],
)
def test_energy_of_a_tip_that_is_lifted_over_a_crest(solver, settings, close, friction):
    """Up the face, past the corner and onto the top: the drive's work is in height and speed, and friction."""
    r = sliding(friction=friction, solver=solver, **settings)
    across = np.abs(r["touch.force"].values)
    assert (across[:, 0] > across[:, 1]).any()  # on the face
    assert (across[-100:, 0] <= 0.2001 * across[-100:, 1]).all()  # on the top, where it bounces on
    assert across[-100:, 1].max() > WEIGHT
    assert r["tip.position.y"].final == pytest.approx(HIGH, rel=0.1)
    assert r.audit.relative < close


def test_rounded_corners_pass_each_other_under_error_control():
    """Where edges have radii larger than the depth nothing jumps, and steps are as long as the tolerance lets them."""
    r = sliding(radius=0.1e-3, solver="implicit", tolerance=1e-5)
    assert r.status.complete
    assert r.audit.relative < 1e-4


def test_the_audit_sees_energy_that_appears():
    """Two contacts instead, a crest on a wall and a corner on another: one ends at a depth and the other begins."""
    m = lifted(solver="implicit", step=1e-5)
    m.point_to_segment("face", "tip", "bump", start=(0, 0, 0), end=TIP["faces"][0], law=LAW)
    top = {"start": (START, HIGH, 0), "end": (START + 10e-3, HIGH, 0), "normal": "y"}
    m.point_to_segment("top", "bump", "tip", **top, law=LAW)
    assert m.simulate().audit.relative > 1e-3


def test_wedges_that_are_refused():
    def tip(**changes):
        m = ts.Model("tip", gravity=(0, 0, 0))
        m.rigid("tip", at=(0, 0, 0), mass=1.0, inertia=[1e-3] * 3)
        m.rigid("bump", at=(0.1, 0, 0), mass=1.0, shape={"kind": "sphere", "radius": 1e-2})
        m.contact("touch", law=LAW, **changes)
        m.simulate(duration=1e-6)

    with pytest.raises(ts.ModelError, match="along one line"):
        tip(between=[TIP | {"faces": [[1e-3, 0, 0], [2e-3, 0, 0]]}, "bump"])
    with pytest.raises(ts.ModelError, match="write a contact for each pair"):
        tip(between=[TIP, ["bump", {"kind": "sphere", "on": "bump", "at": [0.1, 0, 0], "radius": 1e-3}]])
    with pytest.raises(ts.ModelError, match="not available"):
        tip(between=[TIP, {"kind": "box", "on": "bump", "size": [1e-3, 1e-3, 1e-3]}])


def test_a_wedge_wants_two_faces():
    m = ts.Model(name="half a wedge")
    m.point_mass("ball", mass=1, at=[0, 0, 1])
    sides = [{"kind": "wedge", "on": "ground", "faces": [[1, 0, 0]]}, {"kind": "sphere", "on": "ball", "radius": 0.1}]
    with pytest.raises(ts.ModelError, match="faces: entry 2 of the list is missing"):
        m.contact("touch", between=sides)
