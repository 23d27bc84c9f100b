"""Large solids by multigrid: the same answers as by elimination, chosen where it pays, given up where it fails."""

import sys

import numpy as np
import pytest

from tapespring import Model, ModelError
from tapespring.simulate import prepare
from tapespring.solve.multigrid import SLOW, obstacle, pays

STEEL = {"young": "200 GPa", "poisson": 0.3, "density": "7800 kg/m^3"}


def block(divisions, size=(1.0, 1.0, 1.0), attach=None, material=STEEL) -> Model:
    m = Model(name="block")
    mesh = {"kind": "box", "length": size[0], "width": size[1], "height": size[2], "divisions": list(divisions)}
    if attach:
        m.rigid("hub", mass=1.0, inertia=[0.1, 0.1, 0.1], at=[1.2, 0.5, 0.5])
    m.solid("b", mesh=mesh, material=material, **({"attach": {"x1": "hub"}} if attach else {}))
    return m


def run(m: Model, linear_solver: str, outputs=(1.0,)):
    r = m.simulate("1 s", solver="quasi-static", outputs=list(outputs), linear_solver=linear_solver)
    assert r.status.complete, r.status
    return r


def same(m: Model, channels, outputs=(1.0,)):
    direct, iterated = run(m, "direct", outputs), run(m, "multigrid", outputs)
    for name in channels:
        a, b = np.asarray(direct[name].values), np.asarray(iterated[name].values)
        assert np.abs(a - b).max() <= 1e-8 * np.abs(a).max(), name
    return iterated


def clamped() -> Model:
    m = block((6, 6, 6))
    m.support("base", "b.x0")
    m.spread_load("pull", "b.x1", force=["2e9*t", 0, "2e9*t"])  # 2 %
    return m


def on_planes() -> Model:
    """Each support holds one direction; the nodes on edges and the corner belong to several."""
    m = block((5, 5, 5))
    for plane, axis in (("x0", "x"), ("y0", "y"), ("z0", "z")):
        m.support(f"on_{plane}", f"b.{plane}", symmetry=axis)
    m.spread_load("press", "b.x1", force=["-2e9*t", 0, 0])
    return m


def with_hub() -> Model:
    """A frame that carries one side, turns about a pin, and is pulled beside the solid."""
    m = block((5, 5, 5), attach=True)
    m.support("base", "b.x0")
    m.revolute("pin", "ground", "hub", at=[1.2, 0.5, 0.5], axis="z")
    m.load("twist", "hub", torque=[0, 0, "1e8*t"])
    return m


@pytest.mark.parametrize("model", [clamped, on_planes, with_hub])
def test_the_answer_is_that_of_elimination(model):
    m = model()
    support = next(name for name in m.section("joints") if name != "pin")
    r = same(m, ["b.positions", "b.stress", f"{support}.force"], (0.5, 1.0))
    assert not any("gave up" in note for note in r.notes)


def test_reactions_balance_the_load():
    r = run(clamped(), "multigrid")
    assert r["base.force"].values[-1] == pytest.approx([-2e9, 0.0, -2e9], abs=2e9 * 1e-7)


def test_it_gives_up_where_the_balance_is_unstable():
    """A column beyond its critical load: the run goes on by elimination along the stable branch."""
    m = block((24, 2, 2), (1.0, 0.05, 0.04))
    critical = np.pi**2 * 200e9 * 0.05 * 0.04**3 / 12 / 4.0
    m.support("base", "b.x0")
    m.spread_load("press", "b.x1", force=[f"-{1.1 * critical}*t", 0, 0])
    r = same(m, ["base.force"])
    assert any("multigrid gave up" in note and "not stable" in note for note in r.notes)
    assert any("buckles" in note for note in r.notes)


def test_it_is_chosen_for_thick_solids_only():
    def tables(*model):
        m = block(*model)
        m.support("base", "b.x0")
        return prepare(m, 1.0, planar=False)[2].system.tables

    assert pays(tables((10, 10, 10)))
    assert not pays(tables((6, 6, 6)))
    assert not pays(tables((200, 3, 3), (20.0, 1.0, 1.0)))
    assert obstacle(tables((6, 6, 6))) == ""


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyamg", None)
    with pytest.raises(ModelError, match=r"pip install tapespring\[multigrid\]"):
        run(clamped(), "multigrid")
    m = block((10, 10, 10))
    m.support("base", "b.x0")
    m.spread_load("pull", "b.x1", force=["2e9*t", 0, 0])
    assert any(SLOW in note for note in run(m, "auto").notes)
