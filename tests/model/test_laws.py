"""Functions as users write them, as laws of the engine."""

import ctypes

import numpy as np
import pytest

from tapespring import ModelError
from tapespring.build.builder import build
from tapespring.kinds.laws.forms import PolynomialForm, SplineForm
from tapespring.kinds.laws.sampling import sampled
from tapespring.mechanics import tables as tb
from tapespring.model import Model
from tapespring.schema.programs import Program, evaluate

CALL = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_double)


def law_value(assembler, law, z=0.0, t=0.0, x=0.0, v=0.0):
    """The value of a law as the engine reads it, in plain Python."""
    kind, first, count, degree, address = assembler.laws[law]
    numbers = assembler.numbers
    if kind == tb.TIMED:
        kind, z = tb.PIECEWISE, t
    if kind == tb.CONSTANT:
        return numbers[first]
    if kind == tb.POLYNOMIAL:
        return np.polynomial.polynomial.polyval(z, numbers[first : first + count])
    if kind == tb.PIECEWISE:
        knots = numbers[first : first + count + 1]
        blocks = np.array(numbers[first + count + 1 : first + count + 1 + count * (degree + 2)]).reshape(
            count, degree + 2
        )
        return SplineForm(np.array(knots), blocks[:, :-1]).at(z)
    if kind == tb.EXPRESSION:
        codes = tuple(assembler.codes[first : first + count])
        return evaluate(Program(codes, tuple(numbers[address : address + count])), (t, x, v))
    return CALL(address)(t, x, v)


def pushed(force, duration=1.0, folder="."):
    model = Model(folder=folder)
    body = model.point_mass("b", mass=1)
    model.load("f", body, force=[force, 0, 0])
    assembler, _ = build(model, folder, duration)
    return assembler, assembler.loads[0].laws[0]


def sprung(**fields):
    model = Model()
    body = model.point_mass("b", mass=1, at=(2, 0, 0))
    model.spring("s", model.ground, body, **fields)
    assembler, catalogue = build(model, ".", 1.0)
    return assembler, [assembler.couplings[c][:6] for c in catalogue.couplings["s"].couplings], catalogue


def test_zero_is_no_law():
    assembler, _ = pushed("5 N")
    assert assembler.loads[0].laws == [0, -1, -1, -1, -1, -1]


@pytest.mark.parametrize("force", ["5 N", {"polynomial": [1, 2, 3]}, "3*sin(2*t)", {"expression": "exp(-t)"}])
def test_laws_of_time(force):
    expected = {"5 N": lambda t: 5.0, "3*sin(2*t)": lambda t: 3 * np.sin(2 * t)}.get(str(force))
    expected = expected or ((lambda t: 1 + 2 * t + 3 * t * t) if "polynomial" in force else (lambda t: np.exp(-t)))
    assembler, law = pushed(force)
    for t in (0.0, 0.3, 0.9):
        assert law_value(assembler, law, z=t, t=t) == pytest.approx(expected(t))


def test_smooth_time_table_becomes_a_quintic_spline(tmp_path):
    t = np.linspace(0, 1, 41)
    np.savetxt(tmp_path / "push.csv", np.column_stack((t, np.sin(3 * t))), delimiter=",", header="time,f", comments="")
    assembler, law = pushed({"csv": "push.csv", "column": "f", "interpolation": "smooth"}, folder=tmp_path)
    assert assembler.laws[law][3] == 5
    for z in (0.0, 0.123, 0.77, 1.0):
        assert law_value(assembler, law, z=z) == pytest.approx(np.sin(3 * z), abs=1e-8)


@pytest.mark.parametrize(("points", "degree"), [(2, 1), (3, 1), (4, 3), (5, 3), (6, 5)])
def test_short_tables_have_lower_odd_degree(points, degree):
    t = np.linspace(0, 1, points)
    assembler, law = pushed({"table": [[a, 2 * a + 1] for a in t.tolist()], "interpolation": "smooth"})
    assert assembler.laws[law][3] == degree
    assert law_value(assembler, law, z=0.35) == pytest.approx(1.7)


def test_time_table_must_cover_the_simulation(tmp_path):
    (tmp_path / "shaker.csv").write_text("t,a\n0,0\n1,1\n")
    with pytest.raises(
        ModelError, match=r"forces.f.force\[0\]: shaker.csv goes from 0 s to 1 s but 2 s are simulated; ext"
    ):
        pushed({"csv": "shaker.csv", "column": "a"}, 2.0, tmp_path)
    with pytest.raises(ModelError, match="starts at 0; add a row"):
        pushed({"table": [[0.5, 0], [2, 1]]})


def test_python_function_of_time_is_sampled_to_ten_digits():
    def wobble(t):
        return np.sin(20 * t) * np.exp(-3 * t)

    assembler, law = pushed(wobble)
    for t in np.linspace(0, 1, 57):
        assert law_value(assembler, law, z=t) == pytest.approx(wobble(t), abs=2e-10)


def test_python_function_with_a_kink_is_followed():
    spline = sampled(lambda t: max(0.0, t - 0.3), 1.0, "kink")
    assert len(spline.knots) < 5000
    for t in (0.1, 0.29, 0.31, 0.8):
        assert spline.at(t) == pytest.approx(max(0.0, t - 0.3), abs=1e-9)


def test_python_function_that_is_not_finite_names_the_time():
    with pytest.raises(ModelError, match=r"is inf at t = 0\.50\d* s"):
        pushed(lambda t: np.inf if t >= 0.5 else 1.0)
    with pytest.raises(ModelError, match="ZeroDivisionError"):
        pushed(lambda t: 1 / t)


def driven(initial=None, **fields):
    model = Model()
    bar = model.rigid("bar", mass=1, inertia=[1, 1, 1])
    hinge = model.revolute("hinge", model.ground, bar, axis="z", initial=initial)
    model.motion("motor", hinge, **fields)
    assembler, catalogue = build(model, ".", 1.0)
    row = assembler.rows[catalogue.drives["motor"].row]
    return assembler, row, catalogue


def test_drive_is_one_row_on_the_coordinate():
    assembler, row, catalogue = driven(value="0.5*t")
    assert row.terms == [(catalogue.coordinates["hinge.angle"].measure, 1.0)]
    assert (row.owner, row.about) == ("motor", "hinge.angle")
    assert law_value(assembler, row.law, t=2.0) == 1.0


def test_rates_are_integrated_exactly_from_the_start():
    assembler, row, _ = driven(rate="60 rpm", initial={"angle": 0.25})
    assert law_value(assembler, row.law, z=1.0) == pytest.approx(0.25 + 2 * np.pi)
    assembler, row, _ = driven(rate={"polynomial": [1, 2]})
    assert law_value(assembler, row.law, z=2.0) == pytest.approx(6.0)
    assembler, row, _ = driven(rate={"table": [[-1, -1], [0, 0], [1, 1], [2, 2], [3, 3]]}, initial={"angle": 1})
    assert law_value(assembler, row.law, z=2.0) == pytest.approx(3.0)


def test_spring_by_numbers():
    assembler, [(_, elastic, free, damping, active, _)], catalogue = sprung(
        stiffness="5 N/m", damping=2, free_length=1.5
    )
    assert (free, active) == (1.5, -1)
    assert law_value(assembler, elastic, z=0.1) == pytest.approx(0.5)
    assert law_value(assembler, damping, z=3.0) == pytest.approx(6.0)
    assert catalogue.coordinates["s.length"].unit == "m"
    assert catalogue.couplings["s"].force_unit == "N"


def test_spring_free_length_is_as_drawn_by_default():
    _, [(_, _, free, _, _, sign)], _ = sprung(stiffness=1)
    assert (free, sign) == (2.0, -1.0)


def test_force_table_keeps_its_shape():
    points = [[-1, -1], [0, 0], [0.1, 0], [0.2, 10], [1, 10]]
    assembler, [(_, elastic, *_)], _ = sprung(stiffness={"table": points})
    values = [law_value(assembler, elastic, z=z) for z in np.linspace(-1, 1, 101)]
    assert min(values) >= -1.0
    assert max(values) <= 10.0


def test_formula_of_elongation_is_an_active_law():
    assembler, couplings, _ = sprung(stiffness="100*x^3", damping="2*v", force="t")
    (_, elastic, _, damping, active, _), (_, _, _, _, second, sign) = couplings
    assert (elastic, sign) == (-1, -1.0)
    assert law_value(assembler, second, x=0.5) == 12.5
    assert law_value(assembler, damping, v=3.0) == 6.0
    assert law_value(assembler, active, t=0.7) == 0.7


def test_active_polynomials_and_tables_are_functions_of_time():
    assembler, [(*_, active, _)], _ = sprung(force={"polynomial": [1, 2, 3]})
    assert law_value(assembler, active, t=2.0, x=9.0) == 17.0
    assembler, [(*_, active, _)], _ = sprung(force={"table": [[0, 0], [0.5, 1], [1, 0]]})
    assert law_value(assembler, active, t=0.25, x=9.0) == pytest.approx(0.5)
    assert law_value(assembler, active, t=0.75) == pytest.approx(0.5)


def cubic(x):
    return 4.0 * x**3


def of_all(t, x, v):
    return t + 10 * x + 100 * v


def stubborn(x, v):
    return float(str(x)) + v if isinstance(x, float) else {}.get(v)


def test_python_laws_are_compiled():
    assembler, couplings, catalogue = sprung(stiffness=cubic)
    assert law_value(assembler, couplings[0][4], x=0.5) == 0.5
    assert catalogue.notes == []
    assembler, [(*_, active, _)], _ = sprung(force=of_all)
    assert law_value(assembler, active, t=1, x=2, v=3) == 321.0


def test_python_laws_that_do_not_compile_are_called_back():
    assembler, [(*_, active, _)], catalogue = sprung(force=stubborn)
    assert law_value(assembler, active, x=2.0, v=3.0) == 5.0
    assert "called back in Python" in catalogue.notes[0]


def test_python_laws_are_tried_before_they_run():
    with pytest.raises(ModelError, match=r"forces.s.stiffness: .*failed at x = 0: ZeroDivisionError"):
        sprung(stiffness=lambda x: 1 / x)
    with pytest.raises(ModelError, match=r"must be among t \(time\), x"):
        sprung(force=lambda speed, time: 1.0)


def test_torsion_spring_and_joint_torque_act_on_the_joints_angle():
    model = Model()
    bar = model.rigid("bar", mass=1, inertia=[1, 1, 1])
    hinge = model.revolute("hinge", model.ground, bar, axis="z")
    model.torsion_spring("wire", hinge, stiffness="2 N m/rad", free_angle="10 deg")
    model.joint_torque("motor", hinge.coordinate("angle"), value="2 N m")
    assembler, catalogue = build(model, ".")
    measure = catalogue.coordinates["hinge.angle"].measure
    spring, motor = assembler.couplings
    assert (spring[0], motor[0]) == (measure, measure)
    assert spring[2] == pytest.approx(np.pi / 18)
    assert motor[5] == 1.0
    assert law_value(assembler, motor[4]) == 2.0
    assert catalogue.couplings["motor"].force_unit == "N m"


def test_load_in_body_axes_follows():
    model = Model()
    turn = {"axis": "z", "angle": "90 deg"}
    bar = model.rigid("bar", mass=1, inertia=[1, 1, 1], orientation=turn)
    model.load("thrust", bar.at(0, 1, 0), force=["1 N", 0, 0], axes="body")
    assembler, _ = build(model, ".")
    load = assembler.loads[0]
    assert load.follows
    np.testing.assert_allclose(load.axes[0], [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(load.point, [-1, 0, 0], atol=1e-15)


def test_formula_too_deep_for_the_engine_is_refused():
    deep = "t"
    for _ in range(50):
        deep = f"where(t, 1, {deep})"
    with pytest.raises(ModelError, match="split it"):
        pushed(deep)


def test_integral_of_a_spline_is_exact():
    form = SplineForm(np.array([0.0, 1.0, 3.0]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert form.integral(2.0).at(1.0) == pytest.approx(2.5)
    assert form.integral(2.0).at(3.0) == pytest.approx(4.5)
    assert PolynomialForm((1.0, 2.0)).integral(0.5).at(2.0) == 6.5
