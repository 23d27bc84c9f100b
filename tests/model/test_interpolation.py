"""Tables: through their points, never beyond neighbours, with derivatives of one another, and said where they do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

import tapespring as ts
from tapespring.kinds.laws.interpolation import overshoot, spline_between
from tapespring.schema.functions import INTERPOLATIONS, ForceHistory, Table

FORCES = TypeAdapter(ForceHistory)
WAYS = ["linear", "monotone", "smooth"]
STEPS = st.floats(1e-3, 10.0)
VALUES = st.one_of(st.floats(-1e3, 1e3), st.integers(-3, 3).map(float))


@st.composite
def points(draw):
    """Uneven points, with flat stretches and turns."""
    count = draw(st.integers(2, 12))
    x = draw(st.floats(-5.0, 5.0)) + np.cumsum(draw(st.lists(STEPS, min_size=count, max_size=count)))
    return x, np.array(draw(st.lists(VALUES, min_size=count, max_size=count)))


def derivative(form, z: np.ndarray, order: int = 0) -> np.ndarray:
    """Of the pieces, by NumPy's polynomials: independent of the engine."""
    piece = np.clip(np.searchsorted(form.knots, z, side="right") - 1, 0, len(form.coefficients) - 1)
    found = []
    for p, at in zip(piece, z, strict=True):
        polynomial = np.polynomial.Polynomial(form.coefficients[p]).deriv(order) if order else None
        polynomial = polynomial or np.polynomial.Polynomial(form.coefficients[p])
        found.append(polynomial(at - form.knots[p]))
    return np.array(found)


@settings(deadline=None, max_examples=150)
@given(points(), st.sampled_from(["linear", "monotone"]))
def test_never_beyond_neighbouring_points(table, way):
    x, y = table
    form = spline_between(x, y, way)
    small = 1e-12 * max(1.0, np.abs(y).max())
    for k in range(len(x) - 1):
        inside = derivative(form, np.linspace(x[k], x[k + 1], 200)[:-1])
        assert inside.min() >= min(y[k], y[k + 1]) - small
        assert inside.max() <= max(y[k], y[k + 1]) + small
        assert (np.diff(inside) * np.sign(y[k + 1] - y[k]) >= -small).all()
    assert overshoot(form) <= small


@settings(deadline=None, max_examples=100)
@given(points(), st.sampled_from(WAYS))
def test_through_its_points(table, way):
    x, y = table
    form = spline_between(x, y, way)
    ends = [form.at(float(a)) for a in x]
    assert ends == pytest.approx(y, abs=1e-7 * max(1.0, np.abs(y).max()))


@settings(deadline=None, max_examples=100)
@given(points())
def test_monotone_has_continuous_slope_and_curvature(table):
    """Exact derivatives of each other within pieces, and equal where these meet."""
    x, y = table
    form = spline_between(x, y, "monotone")
    h, size = np.diff(x), max(1.0, np.abs(y).max())
    for k in range(1, len(x) - 1):
        left = np.polynomial.Polynomial(form.coefficients[k - 1])
        right = np.polynomial.Polynomial(form.coefficients[k])
        for order in range(3):
            scale = size / min(h[k - 1], h[k]) ** order
            before = left.deriv(order)(h[k - 1]) if order else left(h[k - 1])
            after = right.deriv(order)(0.0) if order else right(0.0)
            assert before == pytest.approx(after, abs=1e-9 * scale)


def test_monotone_is_as_good_as_smooth_where_nothing_turns():
    x = np.linspace(0.0, 0.7, 29)
    form = spline_between(x, np.sin(2 * x), "monotone")
    z = np.linspace(0.0, 0.7, 400)
    assert derivative(form, z) == pytest.approx(np.sin(2 * z), abs=1e-9)
    assert derivative(form, z, 2) == pytest.approx(-4 * np.sin(2 * z), abs=1e-4)


@settings(deadline=None, max_examples=60)
@given(points(), st.sampled_from([None, *WAYS]))
def test_round_trip(table, way):
    written = {"table": {"x": table[0].tolist(), "y": table[1].tolist()}}
    written |= {"interpolation": way} if way else {}
    function = FORCES.validate_python(written)
    assert isinstance(function, Table)
    plain = FORCES.dump_python(function, mode="json")
    assert plain == written
    assert FORCES.validate_python(plain) == function


def test_every_way_is_tried_here():
    assert list(INTERPOLATIONS) == WAYS


# -- in the engine ----------------------------------------------------------------------------------------------------

TRAPEZE = [[0, 0], [1, 0], [2, 10], [3, 10], [4, 0], [10, 0]]


def pushed(force, **given):
    model = ts.Model()
    model.load("f", model.point_mass("m", mass=1), force=(force, 0, 0))
    return model.simulate("10 s", **given)


def test_load_stays_within_its_table():
    """20 N s by the area of the trapeze; the quintic spline gave 176."""
    results = pushed({"table": TRAPEZE})
    assert results["m.velocity.x"].values[-1] == pytest.approx(20.0, abs=1e-9)
    assert not any("interpolation" in note for note in results.notes)


def test_csv_is_read_like_a_table(tmp_path):
    (tmp_path / "f.csv").write_text("t,f\n" + "\n".join(f"{t},{f}" for t, f in TRAPEZE))
    model = ts.Model(folder=tmp_path)
    model.load("f", model.point_mass("m", mass=1), force=({"csv": "f.csv", "time": "t", "column": "f"}, 0, 0))
    assert model.simulate("10 s")["m.velocity.x"].values[-1] == pytest.approx(20.0, abs=1e-9)


def test_overshoot_of_a_smooth_table_is_told_in_its_unit():
    results = pushed({"table": TRAPEZE, "interpolation": "smooth"})
    notes = [note for note in results.notes if "beyond neighbouring points" in note]
    assert len(notes) == 1
    assert "load 'f': the table with 'interpolation: smooth' goes up to 76.4 N beyond" in notes[0]


def driven(value, **given):
    model = ts.Model()
    model.rigid("arm", mass=1, inertia=(1, 1, 1))
    model.revolute("pin", model.ground, "arm", at=(0, 0, 0), axis="z")
    model.motion("motor", "pin", value=value)
    return model.simulate("10 s", outputs=1000, **given)


def test_drive_stays_within_its_table_and_moves_smoothly():
    """Within 0 … 0.5 rad; rates and accelerations are those of the angle."""
    table = [[0, 0], [1, 0], [1.1, 0.5], [1.2, 0.5], [9, 0.1], [10, 0]]
    results = driven({"table": table})
    t, angle, rate = results.time, results["pin.angle"].values, results["pin.angle.rate"].values
    assert angle.min() >= -1e-12
    assert angle.max() <= 0.5 + 1e-12
    assert np.interp([1.1, 9.0], t, angle) == pytest.approx([0.5, 0.1], abs=1e-9)
    assert np.trapezoid(rate, t) == pytest.approx(angle[-1] - angle[0], abs=1e-3)
    assert not any("velocity jumps" in note for note in results.notes)


@pytest.mark.parametrize("solver", ["ode", "baumgarte", "stiff", "implicit", "conserving", "explicit"])
def test_drive_that_halts_at_its_points(solver):
    """No slope anywhere but between them: neither a jump, nor a course too rough to be followed, nor a turn gained."""
    table = [[0, 0], [1, 0], [1.1, 0.5], [5, 0.5], [5.1, 0], [10, 0]]
    results = driven({"table": table}, solver=solver)
    angle = results["pin.angle"].values
    assert angle.min() >= -1e-9
    assert angle.max() <= 0.5 + 1e-9
    assert not results.warnings
    assert not any("may be missed" in note for note in results.notes)


def test_drive_with_corners_is_told():
    results = driven({"table": [[0, 0], [5, 1], [10, 1]], "interpolation": "linear"})
    assert any("motion 'motor'" in note and "velocity jumps at its points" in note for note in results.notes)


@pytest.mark.parametrize("way", WAYS)
def test_spring_by_a_table_keeps_its_energy(way):
    """The energy of a table is its exact integral: a particle on it conserves the sum."""
    table = {"table": [[-2, -300], [-1, -80], [0, 0], [0.5, 20], [2, 300]], "interpolation": way}
    model = ts.Model()
    ball = model.point_mass("ball", mass=1, at=(2.2, 0, 0))
    model.spring("coil", model.ground, ball, stiffness=table, free_length=1.0)
    results = model.simulate("2 s", tolerance=1e-12)
    assert results.audit.relative < 1e-8
    if way == "linear":  # by hand: 0 … 0.5 with 40 N/m, then 560/3 N/m; all of it is kinetic where the spring is free
        stored = 0.5 * 20 * 0.5 + 0.5 * (20 + 20 + 0.7 * 560 / 3) * 0.7
        assert results["energy.kinetic"].values.max() <= stored * (1 + 1e-9)
        assert results["energy.strain"].values[0] == pytest.approx(stored, rel=1e-12)


def test_table_of_time_in_a_spring_is_a_function_of_time():
    model = ts.Model()
    ball = model.point_mass("ball", mass=1, at=(1, 0, 0))
    model.spring("pull", model.ground, ball, force={"table": [[0, 0], [0.5, -4], [1, 0]]}, free_length=0)
    assert model.simulate("1 s")["ball.velocity.x"].values[-1] == pytest.approx(2.0, abs=1e-9)


def test_what_lies_beyond_a_table_is_told():
    """A spring and damper known to ±0.1 m and ±0.2 m/s, swinging by 0.3 m at 3 rad/s; the ends go straight on."""
    model = ts.Model()
    ball = model.point_mass("ball", mass=1, at=(1.3, 0, 0))
    spring, damper = {"table": [[-0.1, -0.9], [0.1, 0.9]]}, {"table": [[-0.2, 0], [0.2, 0]]}
    model.spring("coil", model.ground, ball, stiffness=spring, damping=damper, free_length=1.0)
    results = model.simulate("2 s")
    assert results["ball.position.x"].values == pytest.approx(1.0 + 0.3 * np.cos(3 * results.time), abs=1e-7)
    said = [note for note in results.notes if "beyond its table" in note]
    assert [note.split(" m")[0] for note in said[:2]] == [
        "spring 'coil': the length went to -0.3",
        "spring 'coil': the length went to 0.3",
    ]
    assert "the rate of length went to" in said[2]
    assert len(said) == 4
    kept = ts.Model()
    kept.spring("coil", kept.ground, kept.point_mass("ball", mass=1, at=(1.05, 0, 0)), stiffness=spring, free_length=1)
    assert not any("beyond its table" in note for note in kept.simulate("2 s").notes)
