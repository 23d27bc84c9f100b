"""Cords along edges of membranes."""

import numpy as np
import pytest

from tapespring import Model, ModelError

AROUND, INNER, PULL = 32, 0.3, 200.0
FILM = {"young": "3 GPa", "poisson": 0.34, "density": "1420 kg/m^3"}


def sail(pretension: float, stiffness="1 MN", **cord) -> Model:
    """An annulus under equal tension both ways, held at its rim, with a cord around the hole."""
    m = Model(name="sail")
    mesh = {"kind": "disc", "radius": 1.0, "inner_radius": INNER, "divisions": [AROUND, 6]}
    m.membrane("film", mesh=mesh, thickness="50 um", material=FILM, tension=[PULL, PULL], attach={"outer": "ground"})
    m.cord("hem", on="film.inner", axial_stiffness=stiffness, pretension=pretension, **cord)
    return m


def test_the_tension_is_that_of_the_sheet_times_the_radius():
    """T = σ R; of a polygon of n sides, whose corners lie on the circle, times cos(π/n): then nothing moves."""
    tension = PULL * INNER * np.cos(np.pi / AROUND)
    r = sail(tension).simulate("1 s", solver="quasi-static", outputs=[1.0])
    assert r.status.complete
    places = r["film.positions"].values
    assert np.abs(places[-1] - sail(tension).simulate("1 us", outputs=1)["film.positions"].values[0]).max() < 1e-10
    np.testing.assert_allclose(r["hem.tension"].values[-1], tension, rtol=1e-9)


def test_a_stiff_cord_takes_the_tension_by_itself():
    """Drawn slack, it stretches by T/EA until it balances the sheet, whose edge hardly moves."""
    r = sail(0.0, "100 MN").simulate("1 s", solver="quasi-static", outputs=[1.0])
    expected = PULL * INNER * np.cos(np.pi / AROUND)
    np.testing.assert_allclose(r["hem.tension"].values[-1], expected, rtol=2e-3)


def test_its_mass_is_carried_by_the_nodes():
    def mass(**cord):
        from tapespring.simulate import prepare

        return prepare(sail(50.0, **cord))[2].system.tables.nodes["mass"].sum()

    length = 2 * AROUND * INNER * np.sin(np.pi / AROUND)
    assert mass(mass_per_length=0.1) - mass() == pytest.approx(0.1 * length, rel=1e-9)


def test_mistakes_are_told():
    m = Model(name="plate")
    mesh = {"kind": "plate", "length": 1.0, "width": 1.0, "divisions": [2, 2]}
    m.membrane("film", mesh=mesh, thickness="50 um", material=FILM)
    m.cord("hem", on="film", axial_stiffness="1 kN")
    with pytest.raises(ModelError, match=r"write 'sail\.top'"):
        m.check("1 s")
    m = Model(name="plate")
    m.membrane("film", mesh=mesh | {"divisions": [3, 3]}, thickness="50 um", material=FILM)
    m.cord("hem", on="film.tip", axial_stiffness="1 kN")
    with pytest.raises(ModelError, match="tip"):
        m.check("1 s")
