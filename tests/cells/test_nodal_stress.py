"""Stress of solids at their nodes."""

import numpy as np

from tapespring import Model


def bar(divisions=(4, 2, 2), **solid) -> Model:
    """1 m long, a section of 0.2 m x 0.1 m, held so that it may contract."""
    m = Model(name="bar")
    mesh = {"kind": "box", "length": 1.0, "width": 0.2, "height": 0.1, "divisions": list(divisions)}
    m.solid("b", mesh=mesh, material={"young": "200 GPa", "poisson": 0.3, "density": 7800}, **solid)
    for plane, axis in (("x0", "x"), ("y0", "y"), ("z0", "z")):
        m.support(f"on_{plane}", f"b.{plane}", symmetry=axis)
    return m


def test_uniform_tension_is_exact_at_every_node():
    m = bar()
    m.spread_load("pull", "b.x1", force=["2 kN", 0, 0])
    r = m.simulate("1 s", solver="quasi-static", outputs=[1.0])
    stress = r["b.nodal_stress"].values[-1].reshape(-1, 6)
    np.testing.assert_allclose(stress, np.tile([1e5, 0, 0, 0, 0, 0], (len(stress), 1)), atol=1e-5 * 1e5)
    np.testing.assert_allclose(stress.mean(axis=0), r["b.stress"].values[-1].reshape(-1, 6).mean(axis=0), atol=1.0)


def test_bending_reaches_the_surface():
    """One element across the height: its middle knows nothing of bending, its nodes have M h / 2 I of a beam."""
    m = Model(name="bar")
    mesh = {"kind": "box", "length": 1.0, "width": 0.1, "height": 0.1, "divisions": [10, 1, 1]}
    m.solid("b", mesh=mesh, material={"young": "200 GPa", "poisson": 0.0, "density": 7800})
    m.support("wall", "b.x0")
    m.spread_load("end", "b.x1", force=[0, 0, "-100 N"])
    r = m.simulate("1 s", solver="quasi-static", outputs=[1.0])
    places, stress = r["b.positions"].values[-1].reshape(-1, 3), r["b.nodal_stress"].values[-1].reshape(-1, 6)
    middle = np.abs(places[:, 0] - 0.5) < 1e-3
    expected = 100.0 * 0.5 * 0.05 / (0.1**4 / 12.0)
    upper = places[:, 2] > 0.05
    np.testing.assert_allclose(stress[middle & upper, 0], expected, rtol=1e-3)
    np.testing.assert_allclose(stress[middle & ~upper, 0], -expected, rtol=1e-3)
    assert np.abs(r["b.stress"].values[-1].reshape(-1, 6)[:, 0]).max() < 1e-2 * expected
