"""Bodies that begin just where they touch, at no speed towards each other: no force yet, no speed to damp by."""

import pytest

import tapespring as ts

G = 9.81
FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}
LAWS = {
    "restitution": {"kind": "linear", "stiffness": 2e5, "restitution": 0.2},
    "dashpot": {"kind": "spring_dashpot", "stiffness": 2e5, "damping": 200.0},
    "nikravesh": {"kind": "lankarani_nikravesh", "stiffness": 2e6, "restitution": 0.3},
}


@pytest.mark.parametrize("law", LAWS)
def test_block_that_slides_to_a_stop(law):
    """v²/(2 μ g), but for what it sinks in and springs back at first."""
    m = ts.Model("block", gravity=(0, 0, -G))
    m.rigid("block", at=(0, 0, 0.05), mass=1.0, shape={"kind": "box", "size": (0.2, 0.1, 0.1)}, velocity=(1.0, 0, 0))
    m.contact("floor", between=[FLOOR, "block"], law=LAWS[law], friction=0.3)
    r = m.simulate("0.6 s", outputs=60)
    assert r.status.complete
    assert r["block.position.x"].final == pytest.approx(1.0 / (2 * 0.3 * G), rel=5e-3)
    assert abs(r["block.velocity.x"].final) < 0.01  # it may tremble a little in its elastic grip
    assert r.audit.relative < 1e-8


@pytest.mark.parametrize("deep", [0.0, 1e-5])
@pytest.mark.parametrize("law", ["restitution", "dashpot"])
def test_ball_that_is_laid_down_comes_to_rest(law, deep):
    m = ts.Model("ball", gravity=(0, 0, -G))
    m.rigid("ball", at=(0, 0, 0.1 - deep), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    m.contact("floor", between=[FLOOR, "ball"], law=LAWS[law])
    r = m.simulate("0.5 s", outputs=50)
    assert r["ball.position.z"].final == pytest.approx(0.1 - G / 2e5, abs=1e-8)
    assert r.audit.relative < 1e-8


def test_fast_hits_are_damped_by_their_own_speed():
    """Restitution comes out as asked for; the speed of rest is far below."""
    m = ts.Model("ball", gravity=(0, 0, -G))
    m.rigid("ball", at=(0, 0, 0.6), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    m.contact("floor", between=[FLOOR, "ball"], law={"kind": "linear", "stiffness": 1e10, "restitution": 0.5})
    r = m.simulate("0.45 s", outputs=90)
    z, v = r["ball.position.z"].final, r["ball.velocity.z"].final
    assert z + v * v / (2 * G) == pytest.approx(0.1 + 0.25 * 0.5, abs=2e-5)
