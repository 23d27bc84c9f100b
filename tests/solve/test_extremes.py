"""Extremes between outputs: closed forms, and no dependence on the outputs that were asked for."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

from tapespring import Model
from tapespring.results.trust import judge
from tapespring.studies.file import Response
from tapespring.studies.responses import reader

MASS, STIFFNESS, SPEED = 2.0, 200.0, 3.0
OMEGA = (STIFFNESS / MASS) ** 0.5
AMPLITUDE = SPEED / OMEGA
OUTPUTS = [3, 20, 200, 2000]
# relative, as good as each solver finds the motion over 30 periods
SOLVERS = {
    "ode": ({}, 1e-6),
    "baumgarte": ({}, 1e-6),
    "stiff": ({"tolerance": 1e-9}, 1e-4),
    "implicit": ({"step": 1e-3}, 1e-4),
    "conserving": ({"step": 1e-3}, 1e-4),
    "explicit": ({"step": 1e-3}, 1e-4),
}


def oscillator() -> Model:
    """A mass on a spring; its period is 0.63 s."""
    m = Model("oscillator", gravity=[0, 0, 0])
    m.rigid("mass", mass=MASS, inertia=[0.1, 0.1, 0.1], at=[1, 0, 0], velocity=[SPEED, 0, 0])
    m.prismatic("slide", "ground", "mass", at=[1, 0, 0], axis="x")
    m.spring("spring", "ground", "mass", stiffness=STIFFNESS, free_length=1.0)
    return m


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_oscillator_reaches_its_amplitude_whatever_the_outputs(solver):
    settings, near = SOLVERS[solver]
    for outputs in OUTPUTS:
        r = oscillator().simulate(19.7, solver=solver, outputs=outputs, **settings)
        assert r["mass.position.x"].max() == pytest.approx(1.0 + AMPLITUDE, rel=near)
        assert r["mass.position.x"].min() == pytest.approx(1.0 - AMPLITUDE, rel=near)
        assert r["mass.velocity"].max()[0] == pytest.approx(SPEED, rel=near)
        assert r["mass.acceleration.x"].peak() == pytest.approx(OMEGA * SPEED, rel=near)
        assert r["spring.force"].max() == pytest.approx(STIFFNESS * AMPLITUDE, rel=near)
        phase = (OMEGA * r["mass.position.x"].time_of_max) % (2.0 * np.pi)
        assert phase == pytest.approx(np.pi / 2, abs=0.05)


def door(damping: float = 0.0) -> Model:
    """It turns freely at 2 rad/s until it latches at 1.203 rad."""
    m = Model("door")
    m.rigid("door", at=[0, 0, 0], mass=1.0, inertia=[0.3, 0.3, 0.5])
    m.revolute("hinge", "ground", "door", at=[0, 0, 0], axis="z", initial={"rate": 2.0})
    m.latch("catch", joint="hinge", at=1.203, stiffness=5000.0, damping=damping)
    return m


@pytest.mark.parametrize("damping", [0.0, 8.0, 90.0])
@pytest.mark.parametrize(("solver", "settings", "near"), [("ode", {}, 1e-6), ("implicit", {"step": 1e-4}, 1e-2)])
def test_latch_torque_of_a_blow_that_no_output_sees(solver, settings, near, damping):
    """k x + c x' of x'' = -(k x + c x')/J, x = 0, x' = 2 rad/s at first: at once where damping is strong."""
    inertia, stiffness, rate = 0.5, 5000.0, 2.0
    decay, omega = 0.5 * damping / inertia, (stiffness / inertia - (0.5 * damping / inertia) ** 2) ** 0.5

    def torque(t):
        x = rate / omega * np.exp(-decay * t) * np.sin(omega * t)
        speed = rate * np.exp(-decay * t) * (np.cos(omega * t) - decay / omega * np.sin(omega * t))
        return stiffness * x + damping * speed

    found = minimize_scalar(lambda t: -torque(t), bounds=(0.0, 0.03), method="bounded", options={"xatol": 1e-12})
    largest = max(torque(found.x), torque(0.0))
    for outputs in OUTPUTS:
        r = door(damping).simulate(2.0, solver=solver, outputs=outputs, **settings)
        assert r["catch.torque"].peak() == pytest.approx(largest, rel=near)
        assert -r["catch.torque"].min() == pytest.approx(largest, rel=near)


def ball(**settings):
    """Of 0.1 kg, falls 1 m onto a Hertzian floor; the blow takes less than a millisecond."""
    m = Model("ball", gravity=(0, 0, -9.81))
    m.rigid("ball", at=(0, 0, 1.05), mass=0.1, shape={"kind": "sphere", "radius": 0.05})
    floor = {"kind": "half_space", "on": "ground", "normal": "z"}
    m.contact("floor", between=[floor, "ball"], law={"kind": "hertz", "stiffness": 1e9})
    return m.simulate(duration=0.6, **settings)


def hertz_peak() -> float:
    """From the balance of energy m v²/2 + m g d = (2/5) K d^(5/2), F = K d^(3/2)."""
    stiffness, mass, g = 1e9, 0.1, 9.81
    deep = brentq(lambda d: 0.4 * stiffness * d**2.5 - mass * g * (1.0 + d), 1e-6, 1e-2, xtol=1e-16)
    return stiffness * deep**1.5


@pytest.mark.parametrize(("solver", "settings", "near"), [("ode", {}, 1e-6), ("implicit", {"step": 1e-6}, 1e-3)])
def test_force_of_a_blow_on_a_hertzian_floor(solver, settings, near):
    for outputs in OUTPUTS if solver == "ode" else [20]:
        r = ball(solver=solver, outputs=outputs, **settings)
        assert r["floor.normal"].max() == pytest.approx(hertz_peak(), rel=near)
        assert r["floor.force.z"].max() == pytest.approx(hertz_peak(), rel=near)
        assert r["floor.normal"].max() == pytest.approx(r.contacts["floor"]["strongest"], rel=near)


def test_extremes_survive_the_file(tmp_path):
    r = door(8.0).simulate(2.0, outputs=5)
    again = type(r).load(r.save(tmp_path / "run.nc"))
    for name, extremes in r.extremes.items():
        for one, other in zip(extremes, again[name].extremes, strict=True):
            np.testing.assert_array_equal(one, other)
    assert again["catch.torque"].peak() == r["catch.torque"].peak() > 80.0
    assert np.abs(again["catch.torque"].values).max() < 20.0


def test_rows_before_and_after_an_instant():
    """A strong damper acts at once: torque jumps from nothing to c Ω."""
    r = door(90.0).simulate(2.0, outputs=5)
    time, torque = r["catch.torque"].at_steps()
    [closes] = [e.time for e in r.events]
    at = torque[time == closes]
    assert len(at) == 2
    assert at == pytest.approx([0.0, -180.0], abs=1e-9)
    assert np.all(np.diff(time) >= 0.0)
    assert r["catch.torque"].integral() == pytest.approx(-1.0, rel=1e-3)  # the momentum J Ω of the door


EXAMPLES = Path(__file__).parents[2] / "examples"


def wing() -> Model:
    """The last panel of a wing alone: a motor spring turns it until it latches."""
    m = Model("panel")
    m.rigid("panel", at=[0.5, 0, 0], mass=3.0, shape={"kind": "box", "size": [1.0, 0.02, 0.8]})
    m.revolute("root", "ground", "panel", at=[0, 0, 0], axis="z")
    m.torsion_spring("motor", joint="root", stiffness=0.2, free_angle=2.0, damping=0.05)
    m.latch("latch", joint="root", at=1.5, stiffness=2000.0, damping=20.0)
    m.settings = m.settings.changed(duration=12.0)
    return m


CASES = {
    "pendulum": (lambda: Model.from_file(EXAMPLES / "pendulum.yaml"), {}, 1e-6),
    "double pendulum": (lambda: Model.from_file(EXAMPLES / "double_pendulum.yaml"), {}, 1e-5),
    "slider crank": (lambda: Model.from_file(EXAMPLES / "slider_crank.yaml"), {}, 1e-5),
    "wing": (wing, {}, 1e-6),
    "wing, implicit": (wing, {"solver": "implicit", "step": 1e-3}, 1e-2),
    "oscillator, stiff": (oscillator, {"solver": "stiff", "duration": 5.0, "tolerance": 1e-8}, 1e-5),
    "oscillator, conserving": (oscillator, {"solver": "conserving", "duration": 5.0, "step": 1e-3}, 1e-4),
    "oscillator, explicit": (oscillator, {"solver": "explicit", "duration": 5.0, "step": 1e-4}, 1e-4),
}
TAKES = ["max", "min", "peak", "range", "mean", "rms", "integral", "time_of_max", "final", "first_time", "at"]


@pytest.mark.parametrize("case", list(CASES))
def test_halved_and_doubled_outputs_change_nothing_that_is_reported(case):
    make, settings, near = CASES[case]
    coarse, usual, fine = (make().simulate(outputs=n, **settings) for n in (40, 80, 160))
    for other in (coarse, fine):
        assert [e.name for e in other.events] == [e.name for e in usual.events]
        assert [e.time for e in other.events] == pytest.approx([e.time for e in usual.events], rel=1e-6)
        assert judge(other).sentence == judge(usual).sentence
        largest = {c.unit: max(x.sizes.max() for n, x in usual.extremes.items() if usual[n].unit == c.unit)
                   for c in usual.channels.values() if c.name in usual.extremes}  # fmt: skip
        for name, known in usual.extremes.items():
            size = near * largest[usual[name].unit]
            np.testing.assert_allclose(other.extremes[name].high, known.high, atol=size, err_msg=name)
            np.testing.assert_allclose(other.extremes[name].low, known.low, atol=size, err_msg=name)


@pytest.mark.parametrize("solver", list(SOLVERS))
def test_the_audit_does_not_hang_on_the_outputs(solver):
    """Outputs a period apart see a swing at one height only: nothing is exchanged there but errors."""
    settings, period = SOLVERS[solver][0], 2.0 * np.pi / OMEGA
    few, many = (oscillator().simulate(4.0 * period, solver=solver, outputs=n, **settings) for n in (4, 80))
    if solver == "explicit":  # its steps end at outputs
        assert few.audit.exchanged == pytest.approx(many.audit.exchanged, rel=1e-3)
        assert few.verdict.level == many.verdict.level == "good"
    else:
        assert few.audit.balance == many.audit.balance
        assert few.verdict.to_plain() == many.verdict.to_plain()
    assert np.ptp(few["energy.kinetic"].values) < 1e-3 * few.audit.exchanged
    assert few["energy.kinetic"].max() == pytest.approx(many["energy.kinetic"].max(), rel=1e-5)


@pytest.mark.parametrize("take", TAKES)
def test_responses_do_not_depend_on_outputs(take):
    asked = Response(
        channel="latch.torque", take=take, **{"first_time": {"level": -1.0}, "at": {"at": 9.0}}.get(take, {})
    )
    few, many = (reader(asked)(wing().simulate(outputs=n)) for n in (7, 300))
    assert few == pytest.approx(many, rel=1e-7, abs=1e-9)
    assert np.isfinite(few)


def test_parts_and_means_of_a_run_do_not_depend_on_outputs():
    for part in ({"since": 3.0, "until": 9.0}, {"smooth": 0.05}):
        asked = Response(channel="latch.torque", take="peak", **part)
        few, many = (reader(asked)(wing().simulate(outputs=n)) for n in (7, 300))
        assert few == pytest.approx(many, rel=1e-7)


def test_a_peak_that_hangs_on_the_step_is_said_to():
    rough = door().simulate(2.0, solver="implicit", step=1.5e-2, outputs=5)
    fine = door().simulate(2.0, solver="implicit", step=1e-4, outputs=5)
    assert "catch.torque" in rough.summary()
    assert "hang on the step" in rough.summary()
    assert "Peaks" in [doubt.title for doubt in rough.verdict.doubts]  # no green page for a load that may be another
    assert "hang on the step" not in fine.summary()
    assert "hang on the step" not in door().simulate(2.0, outputs=5).summary()


def test_peaks_of_nothing_but_rounding_are_not_told():
    """The rod's length is held, a bob that swings in a plane has no force across it: these change by rounding."""
    for solver in ("implicit", "conserving"):
        m = Model("pendulum", gravity=(0, 0, -9.81))
        m.rigid("bob", mass=1.0, inertia=[0.1, 0.1, 0.1], at=(1, 0, 0))
        m.revolute("hinge", m.ground, "bob", at=(0, 0, 0), axis="y")
        m.point_mass("end", mass=0.1, at=(2, 0, 0))
        m.distance("rod", "bob", "end")
        results = m.simulate(1.0, solver=solver, step=2e-3, planar="off")
        assert "hang on the step" not in results.summary()


def test_explicit_leaves_every_step_where_that_costs_little():
    """It looked at every 37th: 1176 N of a blow of 4441 N."""
    m = Model("ball", gravity=(0, 0, -9.81))
    m.rigid("ball", at=(0, 0, 1.1), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    floor = {"kind": "half_space", "on": "ground", "normal": "z"}
    m.contact("floor", between=[floor, "ball"], law={"kind": "linear", "stiffness": 1e6})
    for outputs in (8, 80):
        r = m.simulate(0.8, solver="explicit", step=1e-4, outputs=outputs)
        assert r["floor.normal"].max() == pytest.approx(r.contacts["floor"]["strongest"], rel=1e-3)
        assert not any("look at every" in note for note in r.notes)
