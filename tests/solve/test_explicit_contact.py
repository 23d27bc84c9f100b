"""Contacts in explicit steps: energy, momentum, friction, pairs that come near, sheets that stay on their side."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.schema.problems import ModelError

FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}
LINEAR = {"kind": "linear", "stiffness": "1e4 N/m"}
FILM = {"young": "5 MPa", "poisson": 0.3, "density": "1000 kg/m^3"}
R, MASS = 0.01, 0.01


def ball(velocity, contact=None, at=(0.0, 0.0, 0.0101), **given) -> Model:
    m = Model(name="Ball", gravity=(0, 0, 0))
    m.rigid("ball", at=list(at), mass=MASS, shape={"kind": "sphere", "radius": R}, velocity=velocity)
    m.contact("floor", between=[contact or FLOOR, "ball"], **({"law": LINEAR} | given))
    return m


def residual(run) -> float:
    """Of the energy audit, over the kinetic energy at the start."""
    a = run.audit
    total = a.kinetic + a.gravity + a.strain - a.work_loads - a.work_drives
    total = total + a.dissipated + a.numerical + a.impacts + a.friction
    return float(np.abs(total - total[0]).max() / a.kinetic[0])


def end(run, name):
    return np.asarray(run[name])[-1]


@pytest.mark.parametrize(
    "law",
    [
        LINEAR,
        {"kind": "spring_dashpot", "stiffness": "1e4 N/m", "damping": "1 N s/m"},
        {"kind": "hertz", "stiffness": "1e6 N/m^1.5", "restitution": 0.7},
    ],
)
def test_the_audit_closes_with_the_square_of_the_step(law):
    m = ball([0.7, 0, -1.0], law=law, friction=0.3)
    coarse, fine = (residual(m.simulate("6 ms", solver="explicit", step=h, outputs=6)) for h in (2e-5, 2e-6))
    assert fine < 3e-6
    assert fine < 0.05 * coarse + 1e-6


def test_restitution_comes_out():
    law = {"kind": "hertz", "stiffness": "1e6 N/m^1.5", "restitution": 0.7}
    run = ball([0, 0, -1.0], law=law).simulate("6 ms", solver="explicit", step=2e-6, outputs=2)
    assert end(run, "ball.velocity")[2] == pytest.approx(0.7, abs=2e-4)


def test_a_ball_that_slides_all_through_an_impact_gets_the_impulse_of_coulomb():
    law = {"kind": "linear", "stiffness": "1e6 N/m"}
    run = ball([5.0, 0, -1.0], law=law, friction=0.3).simulate("1 ms", solver="explicit", step=5e-7, outputs=2)
    assert end(run, "ball.velocity") == pytest.approx([5.0 - 0.3 * 2.0, 0.0, 1.0], abs=1e-4)
    depth = np.sqrt(MASS / 1e6)  # deepest; forces act half way between the surfaces
    assert end(run, "ball.angular_velocity")[1] == pytest.approx(2.5 * 0.6 / R, rel=depth / R)


def test_friction_holds_a_ball_on_a_slope_and_lets_it_roll():
    m = Model(name="Slope", gravity=(9.81 * np.sin(0.2), 0, -9.81 * np.cos(0.2)))
    m.rigid("ball", at=[0, 0, R], mass=MASS, shape={"kind": "sphere", "radius": R})
    m.contact("floor", between=[FLOOR, "ball"], law=LINEAR, friction={"coefficient": 0.5, "damping": "0.5 N s/m"})
    run = m.simulate("0.2 s", solver="explicit", outputs=2)
    assert end(run, "ball.velocity")[0] == pytest.approx(9.81 * np.sin(0.2) * 0.2 / 1.4, rel=2e-3)


def cluster(count=40, **given) -> Model:
    rng = np.random.default_rng(3)
    m = Model(name="Cluster", gravity=(0, 0, 0))
    names = [f"b{k}" for k in range(count)]
    for k, name in enumerate(names):
        at = np.array([k % 4, k // 4 % 4, k // 16]) * 2.1 * R
        m.rigid(
            name, at=at.tolist(), mass=MASS, shape={"kind": "sphere", "radius": R},
            velocity=(rng.normal(0, 0.3, 3) - 20.0 * at).tolist(), angular_velocity=rng.normal(0, 20, 3).tolist(),
        )  # fmt: skip
    law = {"kind": "spring_dashpot", "stiffness": "1e4 N/m", "damping": "0.5 N s/m"}
    m.contact("all", among=names, **({"law": law, "friction": 0.4} | given))
    return m


def momenta(run, count, row):
    x, v, w = (
        np.array([np.asarray(run[f"b{k}.{name}"])[row] for k in range(count)])
        for name in ("position", "velocity", "angular_velocity")
    )
    q = np.array([np.asarray(run[f"b{k}.orientation"])[row] for k in range(count)])
    u, s = q[:, 1:], q[:, :1]
    turned = w + 2.0 * np.cross(u, np.cross(u, w) + s * w)
    return MASS * v.sum(axis=0), (MASS * np.cross(x, v) + 0.4 * MASS * R**2 * turned).sum(axis=0)


def test_a_cluster_keeps_its_momenta():
    run = cluster().simulate("30 ms", solver="explicit", outputs=3)
    (p0, l0), (p1, l1) = momenta(run, 40, 0), momenta(run, 40, -1)
    assert np.abs(p1 - p0).max() < 1e-14
    assert np.abs(l1 - l0).max() < 1e-14
    assert run.audit.friction[-1] > 0.0
    assert run.audit.impacts[-1] > 0.0


def test_pairs_that_come_near_are_those_there_are():
    """All pairs written down and pairs found give the same motion."""
    m = cluster(20)
    found = m.simulate("5 ms", solver="explicit", step=1e-5, outputs=2)
    written = Model(name="Pairs", gravity=(0, 0, 0))
    written.entities = m.entities | {"contacts": {}}
    given = {"law": {"kind": "spring_dashpot", "stiffness": "1e4 N/m", "damping": "0.5 N s/m"}, "friction": 0.4}
    for i in range(20):
        for j in range(i):
            written.contact(f"c{i}_{j}", between=[f"b{j}", f"b{i}"], **given)
    one_by_one = written.simulate("5 ms", solver="explicit", step=1e-5, outputs=2)
    for k in range(20):
        assert end(found, f"b{k}.position") == pytest.approx(end(one_by_one, f"b{k}.position"), abs=1e-12)


def test_other_loops_get_all_pairs_of_a_list():
    m = Model(name="Two lists", gravity=(0, 0, 0))
    for k in range(3):
        m.rigid(f"b{k}", at=[0.03 * k, 0, R], mass=MASS, shape={"kind": "sphere", "radius": R}, velocity=[-k, 0, 0])
    m.contact("balls", among=["b0", "b1", "b2"], law=LINEAR)
    ode = m.simulate("30 ms", solver="ode", outputs=2)
    explicit = m.simulate("30 ms", solver="explicit", step=2e-6, outputs=2)
    for k in range(3):
        assert end(explicit, f"b{k}.velocity") == pytest.approx(end(ode, f"b{k}.velocity"), abs=1e-3)


def test_a_mesh_is_touched_as_a_plane_would_be():
    plate = {"kind": "plate", "length": "0.1 m", "width": "0.1 m", "divisions": [13, 11], "triangles": True}
    mesh = {"kind": "mesh", "on": "ground", "mesh": plate}
    runs = [
        ball([0.7, 0.1, -1.0], surface, (0.013, 0.021, 0.0101), friction=0.3).simulate(
            "6 ms", solver="explicit", step=1e-5, outputs=2
        )
        for surface in (FLOOR, mesh)
    ]
    assert end(runs[1], "ball.velocity") == pytest.approx(end(runs[0], "ball.velocity"), abs=1e-12)


def test_a_closed_mesh_has_an_outside():
    box = dict.fromkeys(("length", "width", "height"), "40 mm") | {"kind": "box", "divisions": [4, 4, 4]}
    box["origin"] = [-0.02, -0.02, -0.04]
    m = ball([0, 0, -1.0], {"kind": "mesh", "on": "ground", "mesh": box}, (0.003, 0.004, 0.0101))
    run = m.simulate("4 ms", solver="explicit", step=5e-6, outputs=2)
    assert end(run, "ball.velocity") == pytest.approx([0, 0, 1.0], abs=1e-3)


@pytest.mark.parametrize("speed", [1.0, 5.0, 20.0])
def test_a_film_does_not_pass_through_another(speed):
    """Also where its middle has come through: at 20 m/s by some of its thicknesses."""
    m = Model(name="Films", gravity=(0, 0, 0))
    given = {"thickness": "0.1 mm", "material": FILM}
    low = {"kind": "plate", "length": "0.1 m", "width": "0.1 m", "divisions": [14, 14], "triangles": True}
    up = {"kind": "plate", "length": "0.06 m", "width": "0.06 m", "divisions": [9, 9], "triangles": True}
    held = dict.fromkeys(("left", "right", "top", "bottom"), "ground")
    m.membrane("low", mesh=low, attach=held, **given)
    m.membrane("up", mesh=up | {"origin": [0.021, 0.0223, 0.002]}, velocity=[0, 0, -speed], **given)
    m.contact("films", between=["low", "up"], law={"kind": "linear", "stiffness": "2e3 N/m"})
    run = m.simulate("8 ms", solver="explicit", outputs=2)
    assert run.status.complete
    heights = end(run, "up.positions").reshape(-1, 3)[:, 2]
    lowest = end(run, "low.positions").reshape(-1, 3)[:, 2].min()
    assert heights.min() > lowest - 1e-3
    assert end(run, "up.positions").reshape(-1, 3)[:, 2].mean() > 0.0


def tube(**given) -> Model:
    m = Model(name="Tube", gravity=(0, 0, -9.81))
    mesh = {"kind": "tube", "radius": "30 mm", "length": "60 mm", "divisions": [24, 8], "triangles": True}
    mesh |= {"origin": [0, 0, 0.031], "orientation": {"z": "x", "x": "y"}}
    damping = {"stiffness": "1e-6 s", "mass": 1.0}
    m.membrane("tube", mesh=mesh, thickness="0.5 mm", material=FILM, velocity=[0, 0, -5], damping=damping)
    law = {"kind": "spring_dashpot", "stiffness": "2e3 N/m", "damping": "0.02 N s/m"}
    m.contact("floor", between=[FLOOR, "tube"], law=law)
    m.contact("itself", among=["tube"], law=law, **given)
    return m


def test_a_tube_that_collapses_touches_itself_and_the_audit_closes():
    run = tube().simulate("15 ms", solver="explicit", outputs=10)
    assert np.asarray(run["itself.touching"]).max() > 5
    assert np.nanmin(np.asarray(run["itself.gap"])) > -0.5e-3  # of 0.5 mm between the middles of two layers
    assert residual(run) < 0.01


def test_a_rod_touches_itself():
    """Two arms of a hairpin pressed at each other, until they slip off sideways."""
    m = Model(name="Hairpin", gravity=(0, 0, 0))
    points = [[0, 0.02, 0], [0.1, 0.02, 0], [0.11, 0.01, 0], [0.11, -0.01, 0], [0.1, -0.02, 0], [0, -0.02, 0]]
    section = {"kind": "circle", "radius": "2 mm"}
    rubber = {"young": "10 MPa", "poisson": 0.3, "density": "1200 kg/m^3"}
    m.beam("rod", path={"kind": "polyline", "points": points}, elements=30, section=section, material=rubber)
    m.contact("itself", among=["rod"], law={"kind": "linear", "stiffness": "1e4 N/m"})
    m.load("up", on="rod.start", force=[0, "-0.3 N", 0])
    m.load("down", on="rod.end", force=[0, "0.3 N", 0])
    run = m.simulate("30 ms", solver="explicit", outputs=30)
    assert np.asarray(run["itself.touching"]).max() > 0
    y = np.asarray(run["rod.positions"]).reshape(len(run.time), -1, 3)[:, :, 1]
    assert (y[:, 0] - y[:, -1]).min() > 3e-3


def test_what_cannot_be_is_refused():
    with pytest.raises(ModelError, match="has meshes or too many pairs"):
        tube().simulate("1 ms", solver="ode")
    with pytest.raises(ModelError, match="between"):
        Model(name="x").contact("c", law=LINEAR)
    with pytest.raises(ModelError, match="contact 'floor'"):
        ball([0, 0, -1.0]).simulate("1 ms", solver="explicit", step="10 ms")
