"""Friction of joints against closed forms and an independent integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import tapespring as ts

G = 9.81


def rotor(torque=0.5, stiffness=1e4, solver="ode", **settings):
    """A disc of 2 kg m² on a torsion spring of 10 N m/rad, let go at 1 rad."""
    m = ts.Model("rotor")
    m.rigid("disc", mass=1.0, inertia=(1, 1, 2))
    friction = {"torque": torque, "stiffness": stiffness, "damping": 0.0}
    m.revolute("hinge", "ground", "disc", at=(0, 0, 0), axis="z", initial={"angle": 1.0}, friction=friction)
    m.torsion_spring("wire", joint="hinge", stiffness=10.0)
    return m.simulate(solver=solver, **settings)


def turning_points(count, torque=0.5, stiffness=1e4, spring=10.0, angle=1.0):
    """Each half swing loses torque times its way, but for the elastic slip z: from rest it grows to z, after a stop
    it goes from z to -z."""
    z, found = torque / stiffness, []
    for n in range(count):
        elastic = 0.5 * torque * z if n == 0 else 2.0 * torque * z
        b = torque * angle - elastic - 0.5 * spring * angle**2
        angle = (-torque + np.sqrt(torque**2 - 2.0 * spring * b)) / spring
        found.append(angle)
    return np.array(found)


def test_amplitude_of_a_linear_oscillator_falls_by_twice_the_dead_band():
    stops = [e.time for e in rotor(duration=10.0).events if e.name == "hinge.stick"]
    r = rotor(duration=10.0, outputs=[0.0, *stops])
    wanted = turning_points(len(stops))
    signs = np.where(np.arange(len(stops)) % 2 == 0, -1.0, 1.0)
    assert len(stops) == 7
    assert r["hinge.angle"].values[1:] == pytest.approx(signs * wanted, abs=1e-8)
    assert np.diff(wanted) == pytest.approx(-2 * 0.5 / 10.0, rel=2e-3)  # without elastic slip exactly 2 M/K
    lost = 0.5 * 10.0 * (1.0 - r["hinge.angle"].values[-1] ** 2)
    assert r.audit.friction[-1] == pytest.approx(lost, rel=1e-8)  # at the last stop, just before it holds
    assert r.audit.relative < 1e-9


def test_it_stops_within_the_dead_band_and_does_not_creep():
    m = ts.Model("pendulum", gravity=(0, -G, 0))
    m.rigid("bob", at=(0, -1, 0), mass=2.0, inertia=(0.01, 0.01, 0.01))
    m.revolute("hinge", "ground", "bob", at=(0, 0, 0), axis="z", initial={"angle": 0.2}, friction={"torque": 0.8})
    r = m.simulate(duration=20.0, outputs=200)
    angle = r["hinge.angle"].values
    band = 0.8 / (2 * G)
    assert abs(angle[-1]) < np.arcsin(band)
    assert np.ptp(angle[150:]) < 1e-9
    assert r["hinge.friction"].final == pytest.approx(2 * G * np.sin(angle[-1]), abs=1e-7)
    # each half swing loses 0.8 N m times its way, about twice the dead band; after two it stays, but for elastic slip
    amplitude = 0.2
    for _ in range(2):
        potential = 2 * G * np.cos(amplitude) + 0.8 * amplitude
        amplitude = brentq(lambda x, p=potential: 2 * G * np.cos(x) - 0.8 * x - p, 0.0, amplitude)
    assert amplitude == pytest.approx(0.2 - 4 * band, abs=1e-3)
    assert abs(angle[-1]) == pytest.approx(amplitude, abs=3e-4)
    assert r.audit.relative < 1e-8


def on_a_slope(degrees, solver="ode", friction=0.3, **settings):
    a = np.radians(degrees)
    m = ts.Model("incline", gravity=(G * np.sin(a), 0, -G * np.cos(a)))
    m.rigid("block", mass=2.0, shape={"kind": "box", "size": (0.2, 0.1, 0.1)})
    m.prismatic("rail", "ground", "block", at=(0, 0, 0), axis="x", friction=friction)
    return m.simulate(solver=solver, **settings)


@pytest.mark.parametrize("solver", ["ode", "implicit"])
def test_block_on_an_incline_sticks_below_the_angle_of_friction(solver):
    """tan 14° = 0.83 μ: let go at once, elastic slip swings beyond its balance by 1/e² = 0.135 of it."""
    r = on_a_slope(14.0, solver, duration=0.5)
    x = r["rail.position"].values
    assert np.abs(x).max() < 1e-5  # elastic slip at which it would give way
    assert np.ptp(x[len(x) // 2 :]) < 1e-9
    assert r["rail.friction"].final == pytest.approx(-2 * G * np.sin(np.radians(14.0)), rel=1e-6)
    assert r["rail.pressing"].final == pytest.approx(2 * G * np.cos(np.radians(14.0)), rel=1e-10)


@pytest.mark.parametrize(("solver", "near"), [("ode", 1e-9), ("implicit", 1e-6)])
def test_block_on_an_incline_slides_above_it(solver, near):
    a = np.radians(30.0)
    r = on_a_slope(30.0, solver, duration=0.5, outputs=50)
    v = r["rail.position.rate"].values
    slope = (v[-1] - v[25]) / (r.time[-1] - r.time[25])
    assert slope == pytest.approx(G * (np.sin(a) - 0.3 * np.cos(a)), rel=near)
    assert r.audit.friction[-1] == pytest.approx(0.3 * 2 * G * np.cos(a) * r["rail.position"].final, rel=1e-4)
    assert r.audit.relative < 1e-5


def test_static_friction_holds_more_than_kinetic():
    """A force that grows by 1 N/s begins to move the block at μ_s N; then μ_k N is left."""
    m = ts.Model("pulled", gravity=(0, 0, -G))
    m.rigid("block", mass=1.0, shape={"kind": "box", "size": (0.1, 0.1, 0.1)})
    friction = {"static": 0.4, "kinetic": 0.2, "stiffness": "1e6 N/m", "damping": "500 N s/m"}
    m.prismatic("rail", "ground", "block", at=(0, 0, 0), axis="x", friction=friction)
    m.load("pull", on="block", force=["t", 0, 0])
    r = m.simulate(duration=4.5, outputs=90)
    (slip,) = (e.time for e in r.events if e.name == "rail.slip")
    assert slip == pytest.approx(0.4 * G, rel=1e-6)
    t = r.time[-1] - slip
    assert r["rail.position.rate"].final == pytest.approx(0.2 * G * t + 0.5 * t**2, rel=1e-4)


MU, PIN, MASS, ARM, INERTIA = 0.3, 0.02, 1.5, 0.8, 0.05


def pinned(solver, **settings):
    m = ts.Model("pinned", gravity=(0, -G, 0))
    m.rigid("bar", at=(ARM, 0, 0), mass=MASS, inertia=(0.01, INERTIA, INERTIA))
    friction = {"coefficient": MU, "radius": PIN, "stiffness": 2e4, "damping": 0.0}
    initial = {"angle": 0.0, "rate": 0.5}
    m.revolute("hinge", "ground", "bar", at=(0, 0, 0), axis="z", initial=initial, friction=friction)
    return m.simulate(solver=solver, **settings)


def swing(t, y, way):
    """A pendulum with friction μ r |R| against its way; R from Newton's law, so that it is solved for with θ''."""
    angle, rate = y
    inertia = INERTIA + MASS * ARM**2

    def turning(alpha):
        radial, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        force = MASS * (ARM * alpha * along - ARM * rate**2 * radial) + np.array([0.0, MASS * G])
        return (-MASS * G * ARM * np.cos(angle) - way * MU * PIN * np.linalg.norm(force)) / inertia

    alpha = 0.0
    for _ in range(60):
        alpha = turning(alpha)
    return [rate, alpha]


def test_pendulum_with_friction_of_its_reaction_against_scipy():
    """From 0.5 rad/s upwards to the first stop, and from there until the next."""

    def stops(t, y, way):
        return y[1]

    stops.terminal = True
    options = {"rtol": 1e-12, "atol": 1e-13, "method": "DOP853"}
    stops.direction = -1
    up = solve_ivp(swing, (0, 2), [0.0, 0.5], args=(1.0,), events=stops, **options)
    stops.direction = 1
    down = solve_ivp(swing, (0, 5), [up.y[0, -1], -1e-12], args=(-1.0,), events=stops, **options)
    r = pinned("ode", duration=1.0)
    stick = [e.time for e in r.events if e.name == "hinge.stick"]
    assert stick[0] == pytest.approx(up.t[-1], abs=1e-9)
    r = pinned("ode", duration=stick[0] + 1.1 * down.t[-1], outputs=[0.0, stick[0], stick[0] + 0.5 * down.t[-1]])
    assert r["hinge.angle"].values[1] == pytest.approx(up.y[0, -1], abs=1e-10)
    stick = [e.time for e in r.events if e.name == "hinge.stick"]
    # at each stop friction turns round over an elastic slip of 2 μ r R/k = 9e-6 rad
    assert stick[1] - stick[0] == pytest.approx(down.t[-1], abs=3e-5)
    assert r.audit.relative < 1e-9


def test_implicit_agrees_with_ode_on_friction_of_reactions():
    times = np.linspace(0, 1.5, 16)
    fine, coarse = (pinned("implicit", duration=1.5, step=h, outputs=list(times)) for h in (5e-4, 1e-3))
    exact = pinned("ode", duration=1.5, outputs=list(times))["hinge.angle"].values
    errors = [np.abs(r["hinge.angle"].values - exact).max() for r in (fine, coarse)]
    assert errors[0] < 1e-5
    assert errors[1] / errors[0] > 1.8
    assert fine.audit.relative < 1e-5


def test_shaft_rubs_against_the_way_its_surface_slips():
    """Turning at r ω much faster than it slides, a shaft hardly resists being pushed: the helix of drilling."""
    m = ts.Model("shaft")
    shape = {"kind": "cylinder", "radius": 0.01, "length": 0.2}
    m.rigid("shaft", mass=1.0, shape=shape, velocity=(0, 0, 4), angular_velocity=(0, 0, 300))
    friction = {"force": 2.0, "radius": 0.01}
    m.cylindrical("bush", "ground", "shaft", at=(0, 0, 0), axis="z", friction=friction)
    r = m.simulate(duration=0.1, outputs=20)
    inertia = 0.5 * 1.0 * 0.01**2

    def rates(t, y):
        speed = np.hypot(y[0], 0.01 * y[1])
        return [-2.0 * y[0] / speed, -2.0 * 0.01 * (0.01 * y[1]) / speed / inertia]

    exact = solve_ivp(rates, (0, 0.1), [4.0, 300.0], rtol=1e-12, atol=1e-12, method="DOP853")
    assert r["bush.position.rate"].final == pytest.approx(exact.y[0, -1], rel=1e-9)
    assert r["bush.angle.rate"].final == pytest.approx(exact.y[1, -1], rel=1e-9)
    assert r.audit.relative < 1e-9


@pytest.mark.parametrize("solver", ["ode", "implicit"])
def test_moment_presses_at_the_ends_of_a_guide(solver):
    """A push F at a height above a guide of length l presses its ends by F h/l each way: friction is 2 μ F h/l, and a
    push higher than l/2μ moves nothing, however strong."""

    def pushed(height, force=50.0):
        m = ts.Model("guide")
        m.rigid("carriage", mass=1.0, inertia=(0.1, 0.1, 0.1))
        friction = {"coefficient": 0.25, "length": 0.1, "stiffness": 1e6, "damping": 1e3}
        m.prismatic("guide", "ground", "carriage", at=(0, 0, 0), axis="x", friction=friction)
        m.load("push", on={"on": "carriage", "at": (0, 0, height)}, force=[force, 0, 0])
        return m.simulate(duration=0.2, outputs=20, solver=solver)

    low, high = pushed(0.12), pushed(0.3)
    assert low["guide.pressing"].final == pytest.approx(2 * 50.0 * 0.12 / 0.1, rel=1e-9)
    v = low["guide.position.rate"].values
    slope = (v[-1] - v[10]) / (low.time[-1] - low.time[10])
    assert slope == pytest.approx(50.0 * (1 - 2 * 0.25 * 0.12 / 0.1), rel=1e-6)
    assert np.abs(high["guide.position"].values).max() < 7.5e-5  # elastic slip at which it would give way


def test_quasi_static_turning_sticks_and_slips():
    """A spring turns a hinge with 2 N m of friction to and fro: the hinge follows when the spring is stretched by
    more than 2/k, and stays where it was on the way back until it is by as much the other way."""
    m = ts.Model("stiff hinge")
    m.rigid("arm", mass=1.0, inertia=(1, 1, 1))
    m.moving_frame("hand", attitude={"axis": "z", "angle": "sin(pi*t)"})
    m.revolute("hinge", "ground", "arm", at=(0, 0, 0), axis="z", friction={"torque": 2.0, "stiffness": 1e6})
    m.torsion_spring("wire", between=["arm", "hand"], axis="z", stiffness=10.0)
    r = m.simulate(duration=2.0, outputs=400, solver="quasi-static")
    hand, arm = np.sin(np.pi * r.time), r["hinge.angle"].values
    z, k = 2.0 / 1e6, 10.0
    assert arm[100] == pytest.approx(1.0 - 2.0 / k, abs=1e-6)
    held = (r.time > 0.51) & (hand > 0.62) & (r.time < 1.0)
    assert np.ptp(arm[held]) < 3 * z
    assert arm[300] == pytest.approx(-(1.0 - 2.0 / k), abs=1e-6)
    assert np.abs(r["hinge.friction"].values).max() == pytest.approx(2.0, rel=1e-9)


def test_quasi_static_arm_is_held_by_friction_alone():
    """Elastic slip is counted from the start as drawn: the arm sinks by its torque over the stiffness."""
    m = ts.Model("held", gravity=(0, -G, 0))
    m.rigid("arm", at=(0.5, 0, 0), mass=1.0, inertia=(1, 1, 1))
    m.revolute("hinge", "ground", "arm", at=(0, 0, 0), axis="z", friction={"torque": 6.0, "stiffness": 1e4})
    r = m.simulate(duration=1.0, outputs=2, solver="quasi-static")
    sunk = -0.5 * G / 1e4
    assert r["hinge.angle"].values == pytest.approx(sunk * np.cos(sunk), rel=1e-9)


def test_a_hinge_and_a_contact_change_in_one_run():
    """A hinged arm falls on a stop, bounces and comes to rest there; its hinge slips and sticks between hits."""
    m = ts.Model("arm on a stop", gravity=(0, 0, -G))
    m.rigid("arm", at=(0.5, 0, 0), mass=1.0, inertia=(0.01, 0.1, 0.1))
    friction = {"torque": 1.0, "stiffness": 1e5, "damping": 0.0}
    m.revolute("hinge", "ground", "arm", at=(0, 0, 0), axis="y", friction=friction)
    tip = {"kind": "sphere", "on": "arm", "at": (0.5, 0, 0), "radius": 0.02}
    floor = {"kind": "half_space", "on": "ground", "at": (0, 0, -0.3), "normal": "z"}
    m.contact("stop", between=[floor, tip], law={"kind": "linear", "stiffness": 1e5, "restitution": 0.4})
    r = m.simulate(duration=2.0, outputs=200)
    names = [e.name for e in r.events]
    assert names.count("stop.hit") >= 2
    assert names.count("hinge.stick") >= 2
    first = next(e.time for e in r.events if e.name == "stop.hit")
    angle = np.arcsin(0.28)  # where the tip, 1 m from the hinge, is its radius above the floor
    inertia = 0.1 + 0.5**2

    def fall(t, y):
        return [y[1], (G * 0.5 * np.cos(y[0]) - min(1e5 * y[0], 1.0)) / inertia]  # elastic at first

    def down(t, y):
        return y[0] - angle

    down.terminal = True
    exact = solve_ivp(fall, (0, 1), [0.0, 0.0], events=down, rtol=1e-11, atol=1e-13, max_step=2e-4)
    assert first == pytest.approx(exact.t[-1], abs=1e-7)
    assert np.abs(r["hinge.angle.rate"].values[-20:]).max() < 0.02
    assert r.audit.relative < 1e-8


def test_smoothed_friction_creeps_at_the_speed_it_must():
    """-M u/√(u² + u₀²) balances a steady torque of M/2 at u = u₀/√3."""
    m = ts.Model("creep")
    m.rigid("disc", mass=1.0, inertia=(1, 1, 0.1))
    m.revolute("hinge", "ground", "disc", at=(0, 0, 0), axis="z", friction={"torque": 1.0, "slip_speed": 0.01})
    m.joint_torque("motor", joint="hinge", value=0.5)
    r = m.simulate(duration=0.2, solver="ode")
    assert r["hinge.angle.rate"].final == pytest.approx(0.01 / np.sqrt(3), rel=1e-8)


def test_what_is_refused():
    def made(friction, kind="revolute", **settings):
        m = ts.Model("m", gravity=(0, -G, 0))
        m.rigid("bar", at=(1, 0, 0), mass=1.0, inertia=(1, 1, 1))
        getattr(m, kind)("joint", "ground", "bar", at=(0, 0, 0), axis="z", friction=friction)
        return m.simulate(duration=0.1, **settings)

    for friction, words in (
        ({"coefficient": 0.2}, "radius"),
        ({"torque": 1.0, "coefficient": 0.2, "radius": 0.1}, "give 'torque', or 'coefficient'"),
        ({"torque": 1.0, "static_torque": 0.5}, "must not be below"),
        ({"static": 0.2, "kinetic": 0.3, "radius": 0.1}, "must not be below"),
    ):
        with pytest.raises(ts.ModelError, match=words):
            made(friction)
    for solver in ("stiff", "conserving", "explicit"):
        with pytest.raises(ts.ModelError, match="knows no friction of joints"):
            made({"torque": 1.0}, solver=solver, step=1e-3)


def test_friction_of_reactions_that_nothing_determines_is_refused():
    """A door on two hinges: how they share its weight is anyone's guess."""
    m = ts.Model("door", gravity=(0, 0, -G))
    m.rigid("door", at=(0.5, 0, 0), mass=10.0, shape={"kind": "box", "size": (1, 0.02, 2)})
    friction = {"coefficient": 0.2, "radius": 0.01}
    m.revolute("upper", "ground", "door", at=(0, 0, 0.9), axis="z", friction=friction)
    m.revolute("lower", "ground", "door", at=(0, 0, -0.9), axis="z")
    with pytest.raises(ts.ModelError, match="over-constrained, so that this joint's reaction"):
        m.simulate(duration=0.1)


@pytest.mark.parametrize("off", [0.0, 0.01])
def test_a_loop_that_is_planar_but_for_one_joint_says_so(off):
    """A four-bar with friction: in one plane its reactions are determined; drawn 10 mm off it they are not."""
    m = ts.Model("four-bar", gravity=(0, -G, 0))
    m.rigid("crank", at=(0, 0.5, 0), mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.rigid("coupler", at=(0.5, 1, 0), mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.rigid("rocker", at=(1, 0.5, 0), mass=1.0, inertia=(0.1, 0.1, 0.1))
    friction = {"coefficient": 0.2, "radius": 0.01}
    m.revolute("A", "ground", "crank", at=(0, 0, 0), axis="z", friction=friction)
    m.revolute("B", "crank", "coupler", at=(0, 1, 0), axis="z")
    m.revolute("C", "coupler", "rocker", at=(1, 1, 0), axis="z")
    m.revolute("D", "rocker", "ground", at=(1, 0, off), axis="z")
    if not off:
        assert m.simulate(duration=0.01).status.complete
        return
    with pytest.raises(ts.ModelError, match=r"'D' lies 0\.01 m off the plane of the others, which alone makes"):
        m.simulate(duration=0.01)


def test_latches_alone_are_not_called_friction():
    m = ts.Model("panel")
    m.rigid("panel", at=(0.5, 0, 0), mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.revolute("hinge", "ground", "panel", at=(0, 0, 0), axis="z", initial={"rate": 1.0})
    m.latch("latch", joint="hinge", at="0.05 rad", stiffness="5 kN m/rad")
    notes = m.simulate(duration=0.1).notes
    assert "auto: the model has latches, so 'ode' runs it, which finds when they close" in notes
    assert not any("friction" in note for note in notes)
    with pytest.raises(ts.ModelError, match="conserving knows no latches; use"):
        m.simulate(duration=0.1, solver="conserving", step=1e-3)


def test_long_hinge_under_weight_and_moment():
    """A balanced wheel pulled aside above its hinge: both ends press by half of all forces and by the moment."""
    m = ts.Model("wheel", gravity=(0, 0, -G))
    m.rigid("wheel", mass=10.0, inertia=(1, 1, 2.0))
    friction = {"coefficient": 0.2, "radius": 0.05, "length": 0.4}
    m.revolute("hinge", "ground", "wheel", at=(0, 0, 0), axis="z", initial={"rate": 1.0}, friction=friction)
    m.load("pull", on={"on": "wheel", "at": (0, 0, 0.3)}, force=[40.0, 0, 0])
    r = m.simulate(duration=0.5, outputs=5)
    # 40 N at 0.3 m above: 12 N m across l = 0.4 m, besides 20 N and half the weight at each end
    up, weight = 12.0 / 0.4, 10.0 * G
    wanted = np.hypot(20.0 + up, 0.5 * weight) + np.hypot(20.0 - up, 0.5 * weight)
    assert r["hinge.pressing"].values == pytest.approx(wanted, rel=1e-12)
    assert r["hinge.angle.rate"].final == pytest.approx(1.0 - 0.5 * 0.2 * 0.05 * wanted / 2.0, rel=1e-9)


def test_a_joint_that_jams_says_so():
    """A carriage that slides down while a moment on a short guide presses with 2 M/l > F/μ in proportion to friction
    itself: friction acts a long way off the centre of mass, and makes the moment that makes it."""
    m = ts.Model("jam", gravity=(0, 0, -G))
    m.rigid("carriage", at=(0, 0, 0.5), mass=1.0, inertia=(0.01, 0.01, 0.01))
    friction = {"coefficient": 0.5, "length": 0.02}
    m.prismatic("guide", "ground", "carriage", at=(0, 0, 0), axis="x", initial={"rate": 1.0}, friction=friction)
    r = m.simulate(duration=0.1, solver="ode")
    assert r.status.code == "joint jams"
    assert "length" in r.status.message


@pytest.mark.parametrize("solver", ["ode", "implicit"])
def test_a_drive_has_to_overcome_friction(solver):
    """Turned to and fro, a drive on a balanced disc gives I θ'' and the friction against its way."""
    m = ts.Model("driven")
    m.rigid("disc", mass=1.0, inertia=(1, 1, 2))
    friction = {"torque": 3.0, "stiffness": 1e6, "damping": 0.0}
    m.revolute("hinge", "ground", "disc", at=(0, 0, 0), axis="z", friction=friction)
    m.motion("drive", joint="hinge", value="0.5*sin(2*t)")
    r = m.simulate(duration=3.0, outputs=300, solver=solver, **({} if solver == "ode" else {"step": 1e-3}))
    t = r.time
    slipping = (t > 0.01) & (np.abs(np.cos(2 * t)) > 0.05)
    wanted = -4.0 * np.sin(2 * t) + 3.0 * np.sign(np.cos(2 * t))
    assert r["drive.force"].values[slipping] == pytest.approx(wanted[slipping], abs=2e-3)
    assert r.audit.relative < 1e-5


@pytest.mark.parametrize("solver", ["ode", "implicit"])
def test_a_turntable_takes_a_disc_along(solver):
    """A disc on a turntable at 4 rad/s is spun up by M/I until it sticks at I ω/M = 2 s; half the work is lost."""
    m = ts.Model("turntable")
    m.moving_frame("table", angular_velocity=(0, 0, 4.0))
    m.rigid("disc", mass=1.0, inertia=(1, 1, 0.5))
    friction = {"torque": 1.0, "stiffness": 1e4, "damping": 20.0}
    m.revolute("pin", "table", "disc", at=(0, 0, 0), axis="z", friction=friction)
    settings = {} if solver == "ode" else {"step": 1e-3}
    r = m.simulate(duration=2.5, outputs=250, solver=solver, **settings)
    spin = r["disc.angular_velocity.z"].values
    assert spin[100] == pytest.approx(2.0, rel=1e-3)
    assert spin[-1] == pytest.approx(4.0, rel=1e-5)
    assert r.audit.friction[-1] == pytest.approx(0.5 * 0.5 * 16.0, rel=1e-3)
    assert r.audit.relative < 1e-5


def spinning_ball(friction, solver, spin, **settings):
    """A round body hung in a ball joint at its centre, on a marker far from any axis of its own."""
    m = ts.Model("ball", gravity=(0, 0, -G))
    m.rigid("body", at=(0.3, 0.2, 0.1), mass=2.0, inertia=(0.4, 0.4, 0.4), angular_velocity=tuple(spin))
    m.spherical("ball", "ground", "body", at=(0.3, 0.2, 0.1), friction=friction)
    return m.simulate(solver=solver, **settings)


@pytest.mark.parametrize(("solver", "near"), [("ode", 1e-9), ("implicit", 1e-4)])
@pytest.mark.parametrize("friction", [{"torque": 0.8}, {"coefficient": 0.4, "radius": 1.0 / G}])
def test_ball_in_a_socket_slows_down_about_any_axis(solver, near, friction):
    """I ω' = -M along ω, given as 0.8 N m or as μ r m g of the same size; it stands after I ω/M = 1.5 s."""
    spin = 3.0 * np.array([1.0, -2.0, 2.0]) / 3.0
    settings = {} if solver == "ode" else {"step": 1e-3}
    friction = friction | {"stiffness": 1e6}  # elastic slip holds less than 1e-6 of all energy
    r = spinning_ball(friction, solver, spin, duration=2.0, outputs=[0.0, 0.5, 1.0, 2.0], **settings)
    w = r["body.angular_velocity"].values
    assert w[1] == pytest.approx(2 / 3 * spin, abs=3 * near)
    assert w[2] == pytest.approx(1 / 3 * spin, abs=3 * near)
    assert r["ball.friction"].values[1] == pytest.approx(-0.8 * spin / 3.0, rel=1e-6)
    assert np.abs(w[3]).max() < 1e-6
    assert r.audit.friction[-1] == pytest.approx(0.5 * 0.4 * 9.0, rel=1e-3)
    assert r.audit.relative < 1e-5
    if solver == "ode":
        (stick,) = (e.time for e in r.events if e.name == "ball.stick")
        assert stick == pytest.approx(1.5, rel=1e-9)


@pytest.mark.parametrize("solver", ["ode", "implicit", "quasi-static"])
def test_ball_in_a_socket_holds_an_arm(solver):
    """Torque m g l about y turns it by that over the stiffness, and no further."""
    m = ts.Model("held", gravity=(0, 0, -G))
    m.rigid("arm", at=(0.5, 0, 0), mass=1.0, inertia=(0.1, 0.1, 0.1))
    friction = {"torque": 12.0, "stiffness": 1e4, "damping": 60.0}
    m.spherical("ball", "ground", "arm", at=(0, 0, 0), friction=friction)
    settings = {"implicit": {"step": 1e-3}}.get(solver, {})
    r = m.simulate(solver=solver, duration=1.0, outputs=10, **settings)
    turn = 0.5 * G / 1e4
    assert 2 * r["arm.orientation"].values[-1, 1:] == pytest.approx([0, turn, 0], abs=1e-8)
    assert r["ball.friction"].values[-1] == pytest.approx([0, -0.5 * G, 0], abs=1e-4)


@pytest.mark.parametrize("arm", [1, 2])
@pytest.mark.parametrize("solver", ["ode", "implicit"])
def test_each_arm_of_a_cross_rubs(arm, solver):
    """A flywheel turns about one arm: it slows down by M/J, its middle being the joint; the other arm holds."""
    m = ts.Model("cross")
    m.rigid("wheel", mass=1.0, inertia=(2, 2, 2))
    start, friction = {f"rate{arm}": 3.0}, {"torque": 0.8}
    m.universal("cross", "ground", "wheel", at=(0, 0, 0), axis="x", axis2="y", initial=start, friction=friction)
    r = m.simulate(duration=2.0, outputs=20, solver=solver, **({"step": 1e-3} if solver == "implicit" else {}))
    assert r[f"cross.angle{arm}.rate"].final == pytest.approx(3.0 - 0.8 / 2.0 * 2.0, rel=1e-6)
    assert np.abs(r[f"cross.angle{3 - arm}"].values).max() < 1e-9
    assert abs(r[f"cross.friction.angle{arm}"].final) == pytest.approx(0.8)
    assert r.audit.friction[-1] == pytest.approx(0.5 * 2.0 * (9.0 - r[f"cross.angle{arm}.rate"].final ** 2), rel=1e-6)


def test_cross_under_load_rubs_by_its_reaction():
    """μ r |R| at each pin, with R the weight and a moment T between shafts that presses at the ends of the pins:
    2 T/l besides a weight at right angles to it."""
    mu, radius, length, torque, mass = 0.2, 0.01, 0.05, 3.0, 2.0
    m = ts.Model("cross", gravity=(0, 0, -G))
    m.rigid("wheel", mass=mass, inertia=(2, 2, 2))
    friction = {"coefficient": mu, "radius": radius, "length": length}
    m.universal(
        "cross", "ground", "wheel", at=(0, 0, 0), axis="x", axis2="y", initial={"rate2": 0.5}, friction=friction
    )
    m.load("twist", on="wheel", torque=(0, 0, torque))
    r = m.simulate(duration=1e-3, outputs=2)
    ends = 2.0 * np.hypot(0.5 * mass * G, torque / length)
    assert r["cross.pressing.angle2"].values[1] == pytest.approx(ends, rel=1e-4)
    assert abs(r["cross.friction.angle2"].values[1]) == pytest.approx(mu * radius * ends, rel=1e-4)
