"""Meshes that touch, in loops with steps of their own: the same rest, friction as Coulomb's, sides that are kept."""

import numpy as np
import pytest

from tapespring import Model

FILM = {"young": "1 MPa", "poisson": 0.3, "density": "1000 kg/m^3"}
EDGES = dict.fromkeys(("left", "right", "top", "bottom"), "ground")
REST = {
    "quasi-static": {"duration": 1.0},
    "implicit": {"duration": 1.6, "step": "5 ms", "dissipation": 0.3},
    "explicit": {"duration": 1.6},
}


def plate(side, divisions, height):
    """Around the z axis."""
    mesh = {"kind": "plate", "length": side, "width": side, "divisions": [divisions] * 2, "triangles": True}
    return mesh | {"origin": [-0.5 * side, -0.5 * side, height]}


def held_film(m, **given) -> None:
    about = {"thickness": "1 mm", "material": FILM, "tension": [30, 30], "damping": {"mass": 15.0}}
    m.membrane("film", mesh=plate(0.2, 8, 0.0), attach=EDGES, **(about | given))


def ball_in_film() -> Model:
    """A sphere much larger than the triangles of a film is pressed into it."""
    m = Model(name="ball in a film", gravity=(0, 0, -9.81))
    held_film(m)
    m.moving_frame("press", at=[0, 0, 0.0525], position=[0, 0, "-0.03*(0.5 - 0.5*cos(pi*min(t, 1)))"])
    sphere = {"kind": "sphere", "on": "press", "radius": "50 mm"}
    m.contact("touch", between=[sphere, "film"], law={"kind": "linear", "stiffness": "2e3 N/m"})
    return m


@pytest.mark.parametrize("solver", ["implicit", "explicit"])
def test_at_rest_all_loops_agree(solver):
    still, moved = (ball_in_film().simulate(solver=name, outputs=4, **REST[name]) for name in ("quasi-static", solver))
    assert still["touch.touching"].final >= 4
    assert moved["touch.normal"].final == pytest.approx(still["touch.normal"].final, rel=2e-3)
    assert moved["film.positions"].values[-1] == pytest.approx(still["film.positions"].values[-1], abs=1e-4)


def film_on_film(**settings):
    m = Model(name="films", gravity=(0, 0, -9.81))
    held_film(m)
    m.membrane("up", mesh=plate(0.08, 5, 0.0015), thickness="1 mm", material=FILM, damping={"mass": 15.0})
    hold = {"coefficient": 0.4, "stiffness": 100}
    m.contact("touch", between=["film", "up"], law={"kind": "linear", "stiffness": "500 N/m"}, friction=hold)
    return m.simulate("0.6 s", outputs=3, **settings)


def test_a_film_rests_on_another_with_all_its_weight():
    run = film_on_film(solver="implicit", step="2 ms", dissipation=0.3)
    weight = 0.08**2 * 1e-3 * 1000.0 * 9.81
    assert run.status.complete
    assert run["touch.normal"].final == pytest.approx(weight, rel=0.02)
    up, low = (run[f"{name}.positions"].values[-1].reshape(-1, 3)[:, 2] for name in ("up", "film"))
    assert (up > low.min() + 0.9e-3).all()  # by the thickness above the lowest


def test_fast_films_keep_their_sides_in_implicit_steps():
    """The upper one would be through the lower one within a step."""
    m = Model(name="films", gravity=(0, 0, 0))
    held_film(m, thickness="0.1 mm")
    m.membrane("up", mesh=plate(0.08, 5, 0.004), thickness="0.1 mm", material=FILM, velocity=[0, 0, -2.0])
    m.contact("touch", between=["film", "up"], law={"kind": "linear", "stiffness": "500 N/m"})
    run = m.simulate("60 ms", solver="implicit", step="2 ms", outputs=30)
    assert run.status.complete
    assert run["touch.normal"].max() > 0.0
    height = run["up.positions"].values.reshape(len(run.time), -1, 3)[:, :, 2].mean(axis=1)
    assert height[-1] > height.min() + 1e-3  # thrown back


@pytest.mark.parametrize("friction", [0.1, 0.8])
def test_a_block_on_a_slope_slides_as_coulomb_says(friction):
    slope, g = 0.3, 9.81
    m = Model(name="block", gravity=(g * np.sin(slope), 0, -g * np.cos(slope)))
    box = {"kind": "box", "length": 0.1, "width": 0.1, "height": 0.02, "divisions": [2, 2, 1]}
    rubber = {"young": "1 MPa", "poisson": 0.3, "density": "1000 kg/m^3"}
    m.solid("block", mesh=box | {"origin": [-0.05, -0.05, 1e-5]}, material=rubber, damping={"stiffness": "1 ms"})
    m.contact(
        "touch", between=[{"kind": "mesh", "on": "ground", "mesh": plate(1.0, 7, 0.0)}, "block"],
        law={"kind": "spring_dashpot", "stiffness": "5e3 N/m", "damping": "5 N s/m"},
        friction={"coefficient": friction, "damping": "2 N s/m"},
    )  # fmt: skip
    run = m.simulate("0.3 s", solver="implicit", step="1 ms", dissipation=0.5, outputs=30)
    x = run["block.positions"].values.reshape(len(run.time), -1, 3)[:, :, 0].mean(axis=1)
    wanted = 0.5 * g * max(np.sin(slope) - friction * np.cos(slope), 0.0) * 0.3**2
    assert x[-1] - x[0] == pytest.approx(wanted, rel=0.02, abs=2e-4)
