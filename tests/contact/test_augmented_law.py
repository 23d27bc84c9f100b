"""The augmented Lagrangian: loads of rigid surfaces and next to no depth, whatever the penalty."""

import pytest

import tapespring as ts

G = 9.81
FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}
PENALTIES = [1e3, 1e5, 1e7]


def block(stiffness, depth=1e-8, **settings):
    m = ts.Model("block", gravity=(0, 0, -G))
    m.rigid("block", at=(0, 0, 0.05), mass=2.0, shape={"kind": "box", "size": (0.2, 0.15, 0.1)})
    law = {"kind": "augmented_lagrangian", "stiffness": stiffness, "depth": depth}
    m.contact("floor", between=[FLOOR, "block"], law=law, friction=0.3)
    return m.simulate(outputs=5, **settings)


@pytest.mark.parametrize("stiffness", PENALTIES)
def test_block_bears_its_weight_at_no_depth(stiffness):
    r = block(stiffness, solver="quasi-static", duration=1.0)
    assert r["floor.normal"].final == pytest.approx(2 * G, rel=1e-9)
    assert abs(r["floor.gap"].final) <= 1e-8


@pytest.mark.parametrize("step", [1e-3, 2.5e-3])
@pytest.mark.parametrize("stiffness", PENALTIES)
def test_block_at_rest_in_time(stiffness, step):
    r = block(stiffness, solver="implicit", duration=0.5, step=step)
    assert r["floor.normal"].final == pytest.approx(2 * G, rel=1e-3)
    assert abs(r["floor.gap"].final) <= 1e-8
    assert r["block.position.z"].values == pytest.approx(0.05, abs=1e-6)


def pressed_beam(stiffness, **law):
    """A cantilever whose tip is pressed on a floor by 18 mm."""
    rod = {
        "kind": "beam", "path": [[0, 0, 0.02], [0.5, 0, 0.02]], "elements": 10, "up": "z",
        "section": {"kind": "rectangle", "width": 0.02, "thickness": 0.004},
        "material": {"young": 70e9, "poisson": 0.3, "density": 2700},
    }  # fmt: skip
    press = {"kind": "moving_frame", "at": [0, 0, 0.02], "position": [0, 0, "-0.003*t"]}
    tip = {"kind": "sphere", "on": "rod.end", "radius": 0.019}
    contact = {"kind": "contact", "between": [FLOOR, tip], "law": {"stiffness": stiffness, **law}}
    return ts.Model.from_plain({
        "name": "pressed", "bodies": {"rod": rod, "press": press},
        "joints": {"held": {"kind": "fixed", "between": ["press", "rod.start"]}}, "contacts": {"floor": contact},
        "simulate": {"solver": "quasi-static", "duration": 1.0, "outputs": 4},
    }).simulate()  # fmt: skip


@pytest.mark.parametrize("stiffness", PENALTIES)
def test_pressed_beam(stiffness):
    """F = 3 E I w/l³ at the deflection w of a rigid floor, 2 mm; by the same beam's shear and large rotations 0.1 %."""
    r = pressed_beam(stiffness, kind="augmented_lagrangian", depth=1e-9)
    wanted = 3.0 * 70e9 * 0.02 * 0.004**3 / 12.0 * 2e-3 / 0.5**3
    assert r["floor.normal"].final == pytest.approx(wanted, rel=1e-3)
    assert abs(r["floor.gap"].final) <= 1e-9


@pytest.mark.parametrize("settings", [{"solver": "ode"}, {"solver": "explicit"}, {"solver": "implicit"}, {}])
def test_it_is_refused_where_nothing_finds_its_loads(settings):
    with pytest.raises(ts.ModelError, match="use solver implicit with a fixed step, or quasi-static, or another law"):
        block(1e5, duration=0.1, **settings)


def test_auto_takes_implicit_steps():
    r = block(1e5, duration=0.1, step=1e-3)
    assert any("'implicit' runs the model" in note for note in r.notes)
