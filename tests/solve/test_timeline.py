"""What laws of time do, found before a run: ranges, corners, and how long steps may be."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapespring.kinds.laws.interpolation import spline_between
from tapespring.model import Model
from tapespring.schema.expressions import compile_expression
from tapespring.schema.programs import evaluate
from tapespring.simulate import prepare
from tapespring.solve.steps import AFTER, ANEW, BEFORE, LONGEST
from tapespring.solve.timeline.breaks import breaks_of, of_formula
from tapespring.solve.timeline.corners import corners_of_formula
from tapespring.solve.timeline.ranges import Formula
from tapespring.solve.timeline.resolution import Pieces, joined, windows_of

FORMULAS = [
    "sin(3*t)*exp(-t)", "cos(t)^3", "tan(t/4)", "asin(t/6)", "acos(t/6)", "atan(t-2)", "sinh(t-1)", "cosh(t-1)",
    "tanh(3*(t-2))", "log(t+1)", "sqrt(t+0.1)", "abs(sin(t))", "sign(t-2)", "min(t, 3-t)", "max(t, 3-t, 1)",
    "step(t-1)", "if(t>2, t, -t)", "atan2(sin(t), cos(t)+2)", "(t+1)^t", "t^2.5", "(t-3)^-2", "1/(t+1)", "t/(1+t^2)",
    "(t-2)^3", "(t-2)^2", "2^t", "exp(-((t-2)/0.1)^2)", "if(t<=1, 1, if(t>=3, 5, 2))", "-t^0", "100*t - 99.9*t",
]  # fmt: skip


def formula(text: str, variables=("t",)) -> Formula:
    program = compile_expression(text, variables)
    return Formula(program.codes, program.values)


@pytest.mark.parametrize("text", FORMULAS)
def test_ranges_hold_all_values_and_slopes(text):
    """Against the plain evaluator at places within, and chords between them."""
    program, law = compile_expression(text), formula(text)
    rng = np.random.default_rng(1)
    t = rng.uniform(0, 5, 50)
    reference = np.array([evaluate(program, (a,)) for a in t])
    assert law.values(t) == pytest.approx(reference, rel=1e-12, abs=1e-12, nan_ok=True)
    low = rng.uniform(0, 4, 100)
    high = low + rng.exponential(0.3, 100)
    jet, _ = law.over(low, high)
    z = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, 30)
    f = law.values(z)
    near = 1e-9 * (1 + np.abs(f))
    assert (f >= jet.value.low[:, None] - near).all()
    assert (f <= jet.value.high[:, None] + near).all()
    chord = np.diff(f, axis=1) / np.diff(z, axis=1)
    near = 1e-6 * (1 + np.abs(chord))
    assert (chord >= jet.slope.low[:, None] - near).all()
    assert (chord <= jet.slope.high[:, None] + near).all()


def test_exponents_beyond_all_numbers():
    law = formula("t^(9^9^9^9)")
    assert law.values(np.array([0.5, 2.0])).tolist() == [0.0, np.inf]
    law.slopes(np.array([0.5]), np.array([0.6]))


@pytest.mark.parametrize(
    ("force", "corners"),
    [
        ("if(t < 0.3, 1, 0)", [0.3]),
        ("max(0, 1 - abs(t - 0.5)/0.25)", [0.25, 0.5, 0.75]),
        ("abs(sin(4*pi*t))", [0.25, 0.5, 0.75]),
        ("step((t - 0.2)/0.3)", [0.2, 0.5]),
        ("if(abs(t - 0.61) < 1e-7, 1, 0)", [0.61 - 1e-7, 0.61, 0.61 + 1e-7]),
        ("if(t > 0.5, if(t < 0.5 + 1e-8, 1, 0), 0)", [0.5, 0.5 + 1e-8]),
        ("max(0, max(0, t - 0.5))", [0.5]),
        ("if((t - 0.3)*(t - 0.300001) < 0, 1, 0)", [0.3, 0.300001]),
        ("if((t - 0.3)^2 > 0, 1, 0)", []),
        ({"table": [[0, 0], [0.2, 1], [1, 3]]}, [0.2]),
        ("sin(t)", []),
        ({"table": [[0, 0], [0.5, 1], [1, 2]]}, []),
        (lambda t: 1.0 if t > 0.712345 else 0.0, [0.712345]),
    ],
)
def test_steps_end_at_corners(force, corners):
    m = Model()
    m.load("push", m.point_mass("p", mass=1), force=(force, 0, 0))
    _, _, start = prepare(m, 1.0)
    rows, _ = breaks_of(start.system.tables, 0.0, 1.0)
    anew = rows[rows[:, ANEW] > 0]
    assert 0.5 * (anew[:, BEFORE] + anew[:, AFTER]) == pytest.approx(corners, abs=1e-13)
    assert rows[-1, AFTER] == 1.0
    assert (np.diff(rows[:, BEFORE]) > 0).all()


def test_steps_never_see_both_sides_of_a_jump():
    law = formula("if(t > 7.3, 1, 0)")
    (corner,), whole = corners_of_formula(law, 0.0, 10.0, False)
    assert whole
    assert corner.jumps
    m = Model()
    m.load("push", m.point_mass("p", mass=1), force=("if(t > 7.3, 1, 0)", 0, 0))
    rows, _ = breaks_of(prepare(m, 10.0)[2].system.tables, 0.0, 10.0)
    assert law.values(rows[0, [BEFORE, AFTER]]).tolist() == [0.0, 1.0]
    assert rows[0, AFTER] - rows[0, BEFORE] < 1e-13


@pytest.mark.parametrize("text", ["if(t > 0, 1, 0)", "if(t < 10, 1, 0)", "if(t >= 0, 1, 0)"])
def test_jumps_at_the_ends_of_a_run(text):
    m = Model()
    m.load("push", m.point_mass("p", mass=1), force=(text, 0, 0))
    rows, _ = breaks_of(prepare(m, 10.0)[2].system.tables, 0.0, 10.0)
    inside = formula(text).values(np.array([rows[0, AFTER] if len(rows) > 1 else 1.0, rows[-1, BEFORE]]))
    assert inside.tolist() == [1.0, 1.0]
    assert rows[-1, AFTER] == 10.0


@settings(deadline=None, max_examples=60)
@given(st.floats(0.01, 9.9), st.floats(-5.5, -0.5))
def test_narrow_bumps_bound_steps(place, exponent):
    """Over the width of a Gaussian steps are short enough to see it, elsewhere as long as they like."""
    width = 10.0**exponent
    course = of_formula(*program(f"exp(-((t - {place!r})/{width!r})^2)"), 0.0, 10.0, False)
    assert course.unseen == 0.0
    near = [w for w in course.windows if w.begin < place + width and w.end > place - width]
    assert max(w.longest for w in near) <= width
    assert min(w.longest for w in course.windows) > 1e-3 * width
    if width < 1e-2:
        free = sum(w.end - w.begin for w in course.windows if w.longest > 0.1)
        assert free > 9.0


def program(text):
    law = formula(text)
    return law.codes, law.operands


def test_what_is_smooth_is_left_alone():
    for text in ("3*t", "100*t - 99.9*t", "2", "1/(1+t)"):
        course = of_formula(*program(text), 0.0, 10.0, False)
        assert min(w.longest for w in course.windows) > 0.1


@pytest.mark.parametrize("frequency", [0.5, 20.0, 500.0])
def test_oscillations_are_resolved(frequency):
    course = of_formula(*program(f"sin(2*pi*{frequency}*t)"), 0.0, 10.0, False)
    assert max(w.longest for w in course.windows) * frequency < 0.6
    assert min(w.longest for w in course.windows) * frequency > 0.05


def test_what_cannot_be_followed_is_said():
    course = of_formula(*program("sin(2*pi*1e6*t)"), 0.0, 10.0, False)
    assert course.unseen == pytest.approx(10.0 / 2**16)


def test_a_pulse_in_a_record_of_data_is_resolved():
    """One point of twenty thousand."""
    t = np.linspace(0.0, 10.0, 20001)
    y = np.where(np.arange(20001) == 14600, 1.0, 0.0)
    windows, unseen = windows_of(Pieces.through(t, y), [(0.0, 10.0)])
    assert unseen == 0.0
    near = [w for w in windows if w.begin < t[14600] < w.end or w.end == t[14600]]
    assert max(w.longest for w in near) <= 5e-4
    assert sum(w.end - w.begin for w in windows if w.longest == np.inf) > 9.9


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(-10, 10), min_size=3, max_size=6), st.integers(0, 2**32 - 1))
def test_slopes_of_pieces_lie_within_their_bounds(heights, seed):
    rng = np.random.default_rng(seed)
    knots = np.cumsum(rng.uniform(0.1, 1.0, len(heights)))
    pieces = Pieces(knots, rng.normal(size=(len(heights) - 1, 6)))
    low = rng.uniform(knots[0], knots[-1], 20)
    high = np.minimum(low + rng.exponential(0.3, 20), knots[-1])
    bounds = pieces.slopes(low, high)
    for a, b, least, most in zip(low, high, *bounds, strict=True):
        for k in range(len(knots) - 1):
            z = np.linspace(max(a, knots[k]), min(b, knots[k + 1]), 20)
            if z[0] < z[-1]:
                slope = np.polynomial.Polynomial(pieces.coefficients[k]).deriv()(z - knots[k])
                assert slope.min() >= least - 1e-9
                assert slope.max() <= most + 1e-9


@pytest.mark.parametrize("way", ["monotone", "smooth", "linear"])
def test_tables_are_known_as_a_whole(way):
    """However flat and steep: steps pass over none of their ways, and are not held short where they are straight."""
    x, y = [0.0, 1.0, 1.001, 5.0, 5.1, 10.0], [0.0, 0.0, 0.5, 0.5, 0.0, 0.0]
    table = spline_between(x, y, way)
    windows, unseen = windows_of(Pieces(table.knots, table.coefficients), list(pairwise(x)))
    assert unseen == 0.0
    assert sum((w.end - w.begin) / w.longest for w in windows) < 500.0
    if way != "linear":
        assert all(w.longest < 2e-4 for w in windows if 1.0 <= w.begin < 1.001)
    if way == "monotone":
        assert all(w.longest == np.inf for w in windows if w.begin >= 5.1)


def test_motions_count_their_second_derivative():
    """A drive whose acceleration jumps is begun anew there; a force with the same bend of curvature is not."""
    m = Model()
    m.rigid("arm", mass=1, inertia=(1, 1, 1))
    m.revolute("pin", m.ground, "arm", at=(0, 0, 0), axis="z")
    m.motion("motor", "pin", rate={"table": [[0, 0], [4, 1], [10, 1]], "interpolation": "linear"})
    rows, _ = breaks_of(prepare(m, 10.0)[2].system.tables, 0.0, 10.0)
    at = rows[np.abs(rows[:, BEFORE] - 4.0) < 1e-9]
    assert len(at) == 1
    assert at[0, ANEW] == 1.0
    assert at[0, BEFORE] < 4.0 < at[0, AFTER]
    assert rows[-1, LONGEST] == np.inf


@pytest.mark.parametrize("over", ["(t/3)", "(1 - t/3)"])
def test_a_smooth_step_does_not_hold_steps_short(over):
    """Terms cancel where it comes to rest, so that slopes over wide intervals are known badly there."""
    way = f"sin(0.7*(10*{over}^3 - 15*{over}^4 + 6*{over}^5) + 1.2) - 0.9"
    course = of_formula(*program(way), 0.0, 3.0, True)
    assert course.unseen == 0.0
    assert sum((w.end - w.begin) / w.longest for w in course.windows) < 5000.0  # rounding's cancellations asked for 3e5


def test_windows_that_halve_towards_an_end_are_not_one():
    rows = np.array([[1.0 - 0.5**k, 1.0 - 0.5 ** (k + 1), 0.5 ** (k + 4)] for k in range(20)])
    windows = joined([rows])
    assert windows[0].longest >= 0.25 * rows[0, 2]
    assert sum((w.end - w.begin) / w.longest for w in windows) < 4.0 * 8.0 * 20
