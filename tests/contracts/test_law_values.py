"""Laws: values, slopes, curvatures and potentials of the compiled evaluator against the plain reference and numpy."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

from tapespring.build.assembler import Assembler, NodeDraft
from tapespring.jit import kernel
from tapespring.mechanics.laws import evaluate_law, potential
from tapespring.mechanics.tables import OF_RATE, OF_TIME, OF_VALUE, POINT
from tapespring.schema.expressions import compile_expression
from tapespring.schema.programs import evaluate

FORMULAS = [
    "t + 2*x - v/3", "sin(x)*cos(t) + tan(0.3*v)", "asin(0.4*x) + acos(0.3*x) + atan(x)", "atan2(x, 1 + v^2)",
    "sinh(0.5*x) + cosh(x) - tanh(x*v)", "exp(-x^2) + log(2 + x) + sqrt(1 + x^2)", "abs(x - 3) * sign(v - 9)",
    "min(x, x^2) + max(v, 2*x)", "step(0.5 + 0.2*x) + if(x > v, x^3, v^2)", "(1 + x^2)^(0.5*x) - x^-2", "-x^3 + 2^x",
]  # fmt: skip
H = 1e-4


@kernel
def law_jet(tables, i, main, t, x, v, stack, out):
    """out <- (f, d1, d2, d11)"""
    out[0], out[1], out[2], out[3] = evaluate_law(tables, i, main, t, x, v, stack)


@kernel
def law_potential(tables, i, z):
    return potential(tables, i, z)


def tables_with(add):
    assembler = Assembler((0, 0, 0))
    assembler.node(NodeDraft(POINT, "p", np.zeros(3), np.eye(3), 1.0))
    law = add(assembler)
    return assembler.finish().tables, law


def jet(tables, law, main, t, x, v):
    out = np.zeros(4)
    law_jet(tables, law, main, t, x, v, np.zeros((64, 4)), out)
    return out


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("main", [OF_TIME, OF_VALUE, OF_RATE])
def test_expression(text, main):
    program = compile_expression(text, ("t", "x", "v"))
    tables, law = tables_with(lambda a: a.law_expression(program.codes, program.values))
    at = np.array([0.7, 1.3, 0.4])

    def f(step, which):
        z = at.copy()
        z[which] += step
        return evaluate(program, z)

    value, d1, d2, d11 = jet(tables, law, main, *at)
    assert value == pytest.approx(f(0, 0), rel=1e-15)
    # differences of fourth order: 1e-16 / H of rounding in the slope, / H² in the curvature
    slope = (8 * (f(H, main) - f(-H, main)) - (f(2 * H, main) - f(-2 * H, main))) / (12 * H)
    assert d1 == pytest.approx(slope, rel=1e-9, abs=1e-10)
    curvature = (f(H, main) - 2 * f(0, main) + f(-H, main)) / H**2
    assert d11 == pytest.approx(curvature, rel=1e-5, abs=1e-6)
    if main != OF_RATE:
        slope = (8 * (f(H, 2) - f(-H, 2)) - (f(2 * H, 2) - f(-2 * H, 2))) / (12 * H)
        assert d2 == pytest.approx(slope, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("x", [-1.7, 0.0, 0.3, 2.5])
def test_polynomial(x):
    p = np.polynomial.Polynomial([1.0, -2.0, 0.5, 3.0])
    tables, law = tables_with(lambda a: a.law_polynomial(list(p.coef)))
    expected = [p(x), p.deriv()(x), 0.0, p.deriv(2)(x)]
    assert jet(tables, law, OF_VALUE, 9.0, x, 9.0) == pytest.approx(expected, rel=1e-15, abs=1e-15)
    assert law_potential(tables, law, x) == pytest.approx(p.integ()(x), rel=1e-15, abs=1e-15)


@pytest.mark.parametrize("x", [-2.0, -1.0, -0.4, 0.5, 1.7, 3.0, 4.5])
def test_table(x):
    knots = np.array([-1.0, 0.0, 0.5, 2.0, 3.0])
    spline = CubicSpline(knots, [2.0, -1.0, 0.5, 4.0, 1.0])
    tables, law = tables_with(lambda a: a.law_spline(knots, spline.c[::-1].T))

    def f(z):
        edge = np.clip(z, -1.0, 3.0)
        return float(spline(edge) + spline(edge, 1) * (z - edge))

    inside = -1.0 <= x <= 3.0
    slope, curvature = float(spline(np.clip(x, -1.0, 3.0), 1)), float(spline(x, 2)) if inside else 0.0
    expected = [f(x), slope, 0.0, curvature]
    assert jet(tables, law, OF_VALUE, 9.0, x, 9.0) == pytest.approx(expected, rel=1e-13, abs=1e-13)
    breaks = [k for k in knots if min(0.0, x) < k < max(0.0, x)]
    area = quad(f, 0.0, x, points=breaks or None, epsabs=1e-12, epsrel=1e-12)[0]
    assert law_potential(tables, law, x) == pytest.approx(area, rel=1e-11, abs=1e-12)


def test_constant():
    tables, law = tables_with(lambda a: a.law_constant(4.0))
    assert list(jet(tables, law, OF_VALUE, 1.0, 2.0, 3.0)) == [4.0, 0.0, 0.0, 0.0]
    assert law_potential(tables, law, -1.5) == -6.0
