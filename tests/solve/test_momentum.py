"""Contact by momentum: impacts, closed contacts, stick and slip, opening, where the books must close."""

from itertools import pairwise
from math import cos, radians, sin, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import tapespring as ts
from tapespring.schema.problems import ModelError

G = 9.81
FLOOR = {"kind": "half_space", "on": "ground", "normal": "z"}


def momentum(restitution=0.0, **more):
    return {"kind": "momentum", "restitution": restitution, **more}


def ball_on_floor(law=None, friction=None, at=(0, 0, 1.0), **body):
    model = ts.Model(name="ball", gravity=(0, 0, -G), solver="ode")
    model.rigid("ball", at=at, mass=1.0, shape={"kind": "sphere", "radius": 0.1}, **body)
    rough = {} if friction is None else {"friction": friction}
    model.contact("floor", between=[FLOOR, "ball"], law=law or momentum(0.5), **rough)
    return model


def events(run, *words):
    return [e for e in run.events if e.name.split(".")[-1] in words]


def audit_closes(run, within=1e-9):
    assert run.status.complete, run.status
    assert run.audit.relative < within, run.audit.relative


# -- impacts ----------------------------------------------------------------------------------------------------------
def test_a_ball_keeps_restitution_of_its_speed_and_the_loss_is_booked():
    run = ball_on_floor().simulate("0.6 s", outputs=60)
    first = sqrt(2 * 0.9 / G)
    assert events(run, "hit")[0].time == pytest.approx(first, abs=1e-14)
    assert run.audit.impacts[-1] == pytest.approx((1 - 0.25) * G * 0.9, rel=1e-12)
    assert run["floor.impulse"].final == pytest.approx(1.5 * sqrt(2 * G * 0.9), rel=1e-12)
    assert "impulse 6.3" in events(run, "hit")[0].about
    audit_closes(run)


def test_impacts_pile_up_and_the_ball_comes_to_rest():
    run = ball_on_floor(momentum(0.5)).simulate("3 s", outputs=30)
    hits = events(run, "hit")
    end = sqrt(2 * 0.9 / G) * 3.0
    assert hits[-1].time == pytest.approx(end, abs=1e-5)
    assert run["ball.position.z"].final == pytest.approx(0.1, abs=1e-15)
    assert run["floor.normal"].final == pytest.approx(G, rel=1e-12)
    audit_closes(run)


@pytest.mark.parametrize("law", [momentum(0.4), momentum(0.4, poisson=True)])
def test_two_balls_exchange_momentum(law):
    model = ts.Model(name="balls", gravity=(0, 0, 0), solver="ode")
    for name, x, mass, v in (("a", 0.0, 1.0, 2.0), ("b", 0.5, 3.0, -1.0)):
        shape = {"kind": "sphere", "radius": 0.1}
        model.rigid(name, at=(x, 0, 0), mass=mass, shape=shape, velocity=(v, 0, 0))
    model.contact("touch", between=["a", "b"], law=law)
    run = model.simulate("0.3 s", outputs=10)
    a, b = run["a.velocity.x"].final, run["b.velocity.x"].final
    assert a + 3 * b == pytest.approx(2.0 - 3.0, abs=1e-13)
    assert b - a == pytest.approx(0.4 * 3.0, abs=1e-13)
    assert events(run, "hit")[0].time == pytest.approx(0.1, abs=1e-14)
    audit_closes(run)


def test_a_row_of_balls_by_poisson_passes_the_blow_on_and_keeps_momentum():
    model = ts.Model(name="row", gravity=(0, 0, 0), solver="ode")
    for k, x in enumerate((0.0, 0.3, 0.5)):
        shape = {"kind": "sphere", "radius": 0.1}
        model.rigid(f"b{k}", at=(x, 0, 0), mass=1.0, shape=shape, velocity=(1.0 if k == 0 else 0.0, 0, 0))
    for k in range(2):
        model.contact(f"c{k}", between=[f"b{k}", f"b{k + 1}"], law=momentum(1.0, poisson=True))
    run = model.simulate("0.2 s", outputs=4)
    v = [run[f"b{k}.velocity.x"].final for k in range(3)]
    assert sum(v) == pytest.approx(1.0, abs=1e-13)
    assert v[0] <= v[1] <= v[2]


def test_friction_turns_a_ball_that_hits_the_floor():
    """An oblique hit that sticks: slip ends, J ω = -R Λ_t."""
    run = ball_on_floor(momentum(0.5), friction=1.0, velocity=(1.0, 0, 0)).simulate("0.5 s", outputs=50)
    assert run["ball.velocity.x"].final == pytest.approx(5 / 7, abs=1e-12)
    assert run["ball.angular_velocity.y"].final == pytest.approx(50 / 7, abs=1e-10)
    lost = 0.75 * G * 0.9 + 0.5 - 0.7 * (5 / 7) ** 2
    assert run.audit.impacts[-1] == pytest.approx(lost, abs=1e-12)
    assert run.audit.friction[-1] == 0.0
    audit_closes(run)


def test_friction_that_cannot_stop_slip_takes_its_share():
    run = ball_on_floor(momentum(0.0), friction=0.1, velocity=(3.0, 0, 0)).simulate("0.43 s", outputs=50)
    down = sqrt(2 * G * 0.9)
    hit = sqrt(2 * 0.9 / G)
    after = 3.0 - 0.1 * down - 0.1 * G * (0.43 - hit)
    assert run["ball.velocity.x"].final == pytest.approx(after, abs=1e-10)
    audit_closes(run)


def test_tangential_restitution_turns_slip_around():
    run = ball_on_floor(momentum(0.5, tangential_restitution=1.0), friction=5.0, velocity=(1.0, 0, 0)).simulate("0.5 s")
    slip = run["ball.velocity.x"].final - 0.1 * run["ball.angular_velocity.y"].final
    assert slip == pytest.approx(-1.0, abs=1e-10)
    audit_closes(run)


def test_joints_take_part_in_an_impact():
    """A door against a stop: it keeps e of its rate, and the hinge carries the rest."""
    model = ts.Model(name="door", gravity=(0, 0, 0), solver="ode")
    model.rigid("door", at=(0.5, 0, 0), mass=2.0, inertia=(0.1, 0.2, 1 / 6))
    model.revolute("hinge", "ground", "door", at=(0, 0, 0), axis="z", initial={"rate": 1.0})
    edge = {"kind": "sphere", "on": "door", "at": (0.5, 0, 0), "radius": 0.0}
    stop = {"kind": "half_space", "on": "ground", "at": (0, 0.5, 0), "normal": "-y"}
    model.contact("stop", between=[stop, edge], law=momentum(0.6))
    run = model.simulate("1 s", outputs=50)
    assert events(run, "hit")[0].time == pytest.approx(radians(30), abs=1e-10)
    assert run["hinge.angle.rate"].final == pytest.approx(-0.6, abs=1e-10)
    audit_closes(run)
    assert run.violation["position"] < 1e-8


def test_a_moving_floor_does_work_in_an_impact():
    model = ts.Model(name="lift", gravity=(0, 0, 0), solver="ode")
    model.moving_frame("lift", position=[0, 0, "0.5*t"])
    model.rigid("ball", at=(0, 0, 0.3), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    plate = {"kind": "half_space", "on": "lift", "normal": "z"}
    model.contact("plate", between=[plate, "ball"], law=momentum(0.5))
    run = model.simulate("1 s", outputs=20)
    assert run["ball.velocity.z"].final == pytest.approx(0.75, abs=1e-12)
    assert run.audit.work_drives[-1] == pytest.approx(0.5 * 0.75, abs=1e-10)
    audit_closes(run)


def test_a_box_that_falls_flat_stays_flat():
    model = ts.Model(name="box", gravity=(0, 0, -G), solver="ode")
    model.rigid("box", at=(0, 0, 0.5), mass=1.0, shape={"kind": "box", "size": (0.4, 0.3, 0.2)})
    model.contact("floor", between=[FLOOR, "box"], law=momentum(0.3), friction=0.4)
    run = model.simulate("2 s", outputs=40)
    assert run["box.position.z"].final == pytest.approx(0.1, abs=1e-12)
    assert np.abs(run["box.orientation"].values[-1] - [1, 0, 0, 0]).max() < 1e-10
    assert run["floor.normal"].final == pytest.approx(G, rel=1e-9)
    audit_closes(run)


def test_a_tumbling_box_comes_to_rest_with_books_that_close():
    model = ts.Model(name="box", gravity=(0, 0, -G), solver="ode")
    about = {"velocity": (1.0, 0.5, 0), "angular_velocity": (2.0, -3.0, 1.0)}
    model.rigid("box", at=(0, 0, 0.6), mass=1.0, shape={"kind": "box", "size": (0.4, 0.3, 0.2)}, **about)
    model.contact("floor", between=[FLOOR, "box"], law=momentum(0.2), friction=0.5)
    run = model.simulate("4 s", outputs=80)
    audit_closes(run, 1e-7)
    assert np.linalg.norm(run["box.velocity"].values[-1]) < 1e-8
    lost = run.audit.impacts[-1] + run.audit.friction[-1]
    assert lost == pytest.approx(run.audit.stored[0] - run.audit.stored[-1], rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_rocking_and_sliding_boxes_end_their_impacts(seed):
    """Boxes that rock from edge to edge hit without end even without restitution, unless rest means rest."""
    rng = np.random.default_rng(seed)
    model = ts.Model(name="box", gravity=(0, 0, -G), solver="ode")
    turned = {"axis": tuple(rng.normal(size=3)), "angle": float(rng.uniform(0, 3))}
    about = {"velocity": tuple(rng.uniform(-1, 1, 3)), "angular_velocity": tuple(rng.uniform(-3, 3, 3))}
    shape = {"kind": "box", "size": (0.4, 0.3, 0.2)}
    model.rigid("box", at=(0, 0, 0.6), mass=1.0, shape=shape, orientation=turned, **about)
    model.contact("floor", between=[FLOOR, "box"], law=momentum(0.2), friction=0.9)
    run = model.simulate("2.5 s", outputs=50)
    audit_closes(run, 1e-7)
    assert np.diff(run.audit.friction).min() > -1e-9
    assert np.linalg.norm(run["box.velocity"].values[-1]) < 1e-6


# -- what parts -------------------------------------------------------------------------------------------------------
MASS, RADIUS, ACROSS, ALONG, ROLL = 2.0, 0.3, 0.0603, 0.12, 0.05


def thin_wheel(thickness, friction=0.8, speed=4.0, **law):
    """Upright on a road, rolling and beginning to tilt: one edge of the tread leaves, the other meets the road."""
    model = ts.Model(name="wheel", gravity=(0, 0, -G), solver="ode")
    about = {"velocity": (speed, -ROLL * RADIUS, 0), "angular_velocity": (ROLL, speed / RADIUS, 0)}
    model.rigid("wheel", at=(0, 0, RADIUS), mass=MASS, inertia=(ACROSS, ALONG, ACROSS), **about)
    tread = {"kind": "cylinder", "on": "wheel", "radius": RADIUS, "length": thickness, "axis": "y"}
    rough = {"friction": friction} if friction else {}
    model.contact("road", between=[FLOOR, tread], law=momentum(0.0, **law), **rough)
    return model


@pytest.mark.parametrize("friction", [0.8, 0.0])
@pytest.mark.parametrize("rest_speed", [1e-8, 1e-5, 1e-3])
@pytest.mark.parametrize("thickness", [1e-6, 1e-4, 2e-4, 1e-3])
def test_an_edge_that_leaves_slowly_leaves(thickness, rest_speed, friction):
    """Impact on one edge: the spin about it is kept (rough), or momentum along the road (smooth)."""
    run = thin_wheel(thickness, friction, rest_speed=rest_speed).simulate("1 ms", outputs=2)
    arm = MASS * (thickness / 2) ** 2
    about_edge = ACROSS + MASS * RADIUS**2
    expected = ROLL * about_edge / (about_edge + arm) if friction else ROLL * ACROSS / (ACROSS + arm)
    assert run["wheel.angular_velocity.x"].values[0] == pytest.approx(expected, rel=1e-9)
    given = 0.5 * (MASS * (4.0**2 + (ROLL * RADIUS) ** 2) + ACROSS * ROLL**2 + ALONG * (4.0 / RADIUS) ** 2)
    assert run["energy.impacts"].values[0] == pytest.approx(given - run["energy.kinetic"].values[0], abs=1e-12)
    audit_closes(run)


def rolling_disk(duration, speed=4.0):
    """Axis and angular velocity of a disk without thickness that rolls without slip, by Newton and Euler about its
    point of contact."""
    up = np.array([0, 0, 1.0])

    def rates(_, y):
        axis, w = y[:3], y[3:]
        turned = np.cross(w, axis)
        across = up - (up @ axis) * axis
        across_rate = -(up @ turned) * axis - (up @ axis) * turned
        size = np.linalg.norm(across)
        down = -RADIUS * across / size
        down_rate = -RADIUS * (across_rate / size - across * (across @ across_rate) / size**3)
        inertia = ACROSS * np.eye(3) + (ALONG - ACROSS) * np.outer(axis, axis)
        about = inertia + MASS * (down @ down * np.eye(3) - np.outer(down, down))
        free = np.cross(w, down_rate) - G * up  # the point of contact is at rest: v = -w x down
        moment = -MASS * np.cross(down, free) - np.cross(w, inertia @ w)
        return np.concatenate((turned, np.linalg.solve(about, moment)))

    begin = np.array([0, 1.0, 0, ROLL, speed / RADIUS, 0])
    return solve_ivp(rates, (0, duration), begin, rtol=1e-11, atol=1e-12).y[:, -1]


def test_a_thin_wheel_rolls_as_a_disk_without_thickness():
    run = thin_wheel(1e-7).simulate("1 s", outputs=10)
    axis, w = np.split(rolling_disk(1.0), 2)
    turned = Rotation.from_quat(run["wheel.orientation"].values[-1], scalar_first=True)
    assert np.allclose(turned.apply([0, 1, 0]), axis, rtol=0, atol=1e-6)
    assert np.allclose(turned.apply(run["wheel.angular_velocity"].values[-1]), w, rtol=0, atol=1e-5)
    assert abs(axis[2]) > 1e-3  # it does tilt
    audit_closes(run)


def test_what_meets_in_the_first_instant_is_booked():
    run = ball_on_floor(momentum(0.5), at=(0, 0, 0.1), velocity=(0, 0, -1.0)).simulate("50 ms", outputs=5)
    assert run["energy.impacts"].values == pytest.approx(np.full(6, 0.5 * (1 - 0.25)), rel=1e-12)
    assert run["energy.kinetic"].values[0] == pytest.approx(0.125, rel=1e-12)
    audit_closes(run)


# -- changes at one instant -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("friction", [None, 0.3])
@pytest.mark.parametrize("lean", [0.0, 0.07])
def test_all_corners_lift_off_at_once_where_the_floor_falls_faster(lean, friction):
    """z = a sin ωt with a ω² = 2 g: forces of all corners, even or not, end at sin ωt = 1/2."""
    omega = 20.0
    a = 2.0 * G / omega**2
    model = ts.Model(name="shaker", gravity=(0, 0, -G), solver="ode")
    model.moving_frame("floor", position=[0, 0, f"{a!r}*sin({omega}*t)"])
    model.rigid("crate", at=(0, 0, 0.1), mass=1.0, inertia=(0.01, 0.02, 0.02), velocity=(0, 0, a * omega))
    plate = {"kind": "half_space", "on": "floor", "normal": "z"}
    base = {"kind": "box", "on": "crate", "size": (0.4, 0.3, 0.2), "at": (lean, 0.3 * lean, 0)}
    model.contact("plate", between=[plate, base], law=momentum(0.0), **({"friction": friction} if friction else {}))
    run = model.simulate("0.1 s", outputs=20)
    parts = events(run, "separation")
    assert [e.time for e in parts] == pytest.approx([radians(30) / omega] * 4, abs=1e-9)
    free = 0.1 - radians(30) / omega
    z = 0.1 + a / 2 + a * omega * cos(radians(30)) * free - G * free**2 / 2
    assert run["crate.position.z"].final == pytest.approx(z, abs=1e-9)
    assert np.linalg.norm(run["crate.angular_velocity"].values[-1]) < 1e-9
    audit_closes(run)


SLOT = """
gravity: [0, -9.81 m/s^2, 0]
bodies:
  crank: {kind: rigid, at: [76.5 mm, 0, 0], mass: 0.038 kg, inertia: [7.4e-5, 7.4e-5, 7.4e-5]}
  rod: {kind: rigid, at: [306 mm, 0, 0], mass: 0.038 kg, inertia: [5.9e-4, 5.9e-4, 5.9e-4]}
  slider: {kind: rigid, at: [459 mm, 0, 0], mass: 0.076 kg, inertia: [2.7e-6, 2.7e-6, 2.7e-6]}
joints:
  A: {kind: revolute, between: [ground, crank], at: [0, 0, 0], axis: z, initial: {rate: 150 rad/s}}
  B: {kind: revolute, between: [crank, rod], at: [153 mm, 0, 0], axis: z, initial: {rate: -225 rad/s}}
  C: {kind: revolute, between: [rod, slider], at: [459 mm, 0, 0], axis: z, initial: {rate: 75 rad/s}}
"""


def slider_in_a_slot(tolerance):
    """Flores, Leine, Glocker (2010): corners of the slider meet the slot, one by one and together."""
    model = ts.Model.from_text(SLOT)
    for k, (x, side) in enumerate((x, side) for side in (-1, 1) for x in (-0.05, 0.05)):
        wall = {"kind": "half_space", "on": "ground", "at": (0, 0.026 * side, 0), "normal": (0, -side, 0)}
        corner = {"kind": "sphere", "on": "slider", "at": (x, 0.025 * side, 0), "radius": 0.0}
        model.contact(f"c{k}", between=[wall, corner], law=momentum(0.4), friction=0.01)
    return model.simulate("0.11 s", outputs=110, tolerance=tolerance, solver="ode")


def test_a_slider_in_a_slot_runs_through_alike_at_every_tolerance():
    fine = slider_in_a_slot(1e-11)
    for tolerance in (1e-6, 1e-7, 1e-9, 1e-10):
        run = slider_in_a_slot(tolerance)
        audit_closes(run, 1e3 * tolerance)
        # the angle is not sensitive to rounding: chatter ends in lasting contact each time the slider meets a wall
        assert run["A.angle"].values == pytest.approx(fine["A.angle"].values, abs=1e3 * tolerance)
        assert len(run.events) < 300


# -- closed -----------------------------------------------------------------------------------------------------------
def test_a_crate_on_a_shaking_floor_lifts_off_where_the_floor_falls_faster_than_it():
    """z = a sin ωt with a ω² = 2 g: it lifts off at sin ωt = 1/2."""
    omega = 20.0
    a = 2.0 * G / omega**2
    model = ts.Model(name="shaker", gravity=(0, 0, -G), solver="ode")
    model.moving_frame("floor", position=[0, 0, f"{a!r}*sin({omega}*t)"])
    model.rigid("ball", at=(0, 0, 0.1), mass=1.0, velocity=(0, 0, a * omega), shape={"kind": "sphere", "radius": 0.1})
    plate = {"kind": "half_space", "on": "floor", "normal": "z"}
    model.contact("plate", between=[plate, "ball"], law=momentum(0.0))
    run = model.simulate("0.2 s", outputs=100)
    assert events(run, "separation")[0].time == pytest.approx(radians(30) / omega, abs=1e-9)
    audit_closes(run)


def test_slip_begins_where_the_load_exceeds_static_friction():
    model = ts.Model(name="pull", gravity=(0, 0, -G), solver="ode")
    model.rigid("block", at=(0, 0, 0.05), mass=1.0, shape={"kind": "box", "size": (0.4, 0.2, 0.1)})
    model.contact("floor", between=[FLOOR, "block"], law=momentum(0.0), friction={"static": 0.4, "kinetic": 0.3})
    model.load("pull", "block", force=("8*t", 0, 0))
    run = model.simulate("1 s", outputs=50)
    begin = 0.4 * G / 8
    assert events(run, "slip")[0].time == pytest.approx(begin, abs=1e-6)
    speed = 4 * (1 - begin**2) - 0.3 * G * (1 - begin)
    assert run["block.velocity.x"].final == pytest.approx(speed, abs=1e-6)
    audit_closes(run, 1e-7)


def test_friction_stops_a_block_on_the_level():
    model = ts.Model(name="stop", gravity=(0, 0, -G), solver="ode")
    about = {"velocity": (1.0, 0.5, 0)}
    model.rigid("block", at=(0, 0, 0.05), mass=1.0, shape={"kind": "box", "size": (0.4, 0.2, 0.1)}, **about)
    model.contact("floor", between=[FLOOR, "block"], law=momentum(0.0), friction=0.3)
    run = model.simulate("1 s", outputs=50)
    speed = sqrt(1.25)
    way = speed**2 / (2 * 0.3 * G)
    assert np.linalg.norm(run["block.position"].values[-1][:2]) == pytest.approx(way, abs=1e-9)
    assert events(run, "stick")[0].time == pytest.approx(speed / (0.3 * G), abs=1e-9)
    audit_closes(run)


def test_a_ball_rolls_down_without_slip():
    slope = radians(20)
    model = ts.Model(name="roll", gravity=(G * sin(slope), 0, -G * cos(slope)), solver="ode")
    model.rigid("ball", at=(0, 0, 0.1), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    model.contact("floor", between=[FLOOR, "ball"], law=momentum(0.0), friction=0.3)
    run = model.simulate("1 s", outputs=10)
    assert run["ball.position.x"].final == pytest.approx(0.5 * 5 / 7 * G * sin(slope), abs=1e-12)
    assert not run.events
    assert run.audit.friction[-1] == pytest.approx(0.0, abs=1e-12)


def test_a_marble_runs_through_a_bowl_and_stays_in_it():
    """Inside a hollow sphere, without friction: a pendulum of length R - r."""
    model = ts.Model(name="bowl", gravity=(0, 0, -G), solver="ode", tolerance=1e-11)
    model.rigid("marble", at=(0.9, 0, 0), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    bowl = {"kind": "socket", "on": "ground", "radius": 1.0}
    model.contact("bowl", between=[bowl, "marble"], law=momentum(0.0))
    run = model.simulate("2 s", outputs=50)
    reach = np.linalg.norm(run["marble.position"].values, axis=1)
    assert np.abs(reach - 0.9).max() < 1e-9
    lowest = run["marble.position.z"].values.min()
    assert lowest > -0.9 - 1e-9
    audit_closes(run, 1e-9)


def test_random_rods_on_a_rough_floor_never_fail():
    """Painlevé's rod from anywhere: impacts without collision among the rest, and books that close."""
    rng = np.random.default_rng(3)
    jams = 0
    for _ in range(40):
        angle, v, w, mu = rng.uniform((0.2, -3, -6, 1.2), (2.9, 3, 6, 3.0))
        model = ts.Model(name="rod", gravity=(0, 0, -G), solver="ode")
        arm, spin = np.array([0.5 * cos(angle), 0, 0.5 * sin(angle)]), np.array([0, -w, 0.0])
        about = {"velocity": tuple(np.array([v, 0, 0]) + np.cross(spin, arm)), "angular_velocity": (0, -w, 0)}
        turned = {"axis": "y", "angle": -angle}
        model.rigid("rod", at=tuple(arm), mass=1.0, inertia=(1e-4, 1 / 12, 1 / 12), orientation=turned, **about)
        for name, x in (("tip", -0.5), ("head", 0.5)):
            end = {"kind": "sphere", "on": "rod", "at": (x, 0, 0), "radius": 0.0}
            model.contact(name, between=[FLOOR, end], law=momentum(0.0), friction=mu)
        run = model.simulate("0.6 s", outputs=30)
        audit_closes(run, 1e-4)
        jams += len(events(run, "jam"))
    assert jams > 0


# -- with the rest of the program -------------------------------------------------------------------------------------
def test_momentum_and_penalty_in_one_model():
    model = ball_on_floor(momentum(0.5))
    model.rigid("other", at=(1, 0, 0.5), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    model.contact(
        "soft", between=[FLOOR, "other"], law={"kind": "linear", "stiffness": 1e4, "restitution": 0.5}, friction=0.2
    )
    run = model.simulate("1 s", outputs=50)
    audit_closes(run, 1e-8)
    assert {e.name.split(".")[0] for e in run.events} == {"floor", "soft"}


def test_a_run_goes_on_from_where_another_ended():
    whole = ball_on_floor(momentum(0.5), friction=0.2, velocity=(1, 0, 0)).simulate("2 s", outputs=20)
    first = ball_on_floor(momentum(0.5), friction=0.2, velocity=(1, 0, 0)).simulate("1.3 s", outputs=13)
    rest = ball_on_floor(momentum(0.5), friction=0.2, velocity=(1, 0, 0)).simulate("2 s", outputs=20, restart=first)
    assert rest["ball.position"].values[-1] == pytest.approx(whole["ball.position"].values[-1], abs=1e-8)


def test_outputs_and_pauses_do_not_change_the_motion():
    few, many = (ball_on_floor(momentum(0.9)).simulate("5 s", outputs=n) for n in (2, 1000))
    for one, other in pairwise((few.events, many.events)):
        assert [e.time for e in one] == pytest.approx([e.time for e in other], abs=1e-12)


def test_auto_takes_ode():
    run = ball_on_floor().simulate("0.6 s", solver="auto")
    assert run.status.complete
    assert len(events(run, "hit")) == 1


@pytest.mark.parametrize("solver", ["stiff", "implicit", "conserving", "explicit", "baumgarte", "quasi-static"])
def test_other_solvers_refuse_by_the_contact(solver):
    with pytest.raises(ModelError, match=r"contact 'floor' is by momentum.*use solver ode"):
        ball_on_floor().simulate("0.1 s", solver=solver)


def test_questions_about_rest_refuse_too():
    from tapespring.questions import buckling, modes
    from tapespring.simulate import equilibrium

    for ask in (modes, buckling, equilibrium):
        with pytest.raises(ModelError, match="contact 'floor' is by momentum"):
            ask(ball_on_floor())


def test_contradictions_are_refused():
    with pytest.raises(ModelError, match="tangential_restitution"):
        ball_on_floor(momentum(0.5, poisson=True, tangential_restitution=0.5), friction=0.1)
    with pytest.raises(ModelError, match="sticks without giving way"):
        ball_on_floor(momentum(0.5), friction={"coefficient": 0.2, "slip_speed": "1 mm/s"}).simulate("0.1 s")
