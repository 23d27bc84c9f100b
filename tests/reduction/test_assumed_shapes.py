"""Shapes by formulas: Ritz's frequencies, and what cannot be a shape."""

import numpy as np
import pytest

import tapespring as ts

POWERS = [["-2*x*z", 0, "x^2"], ["-3*x^2*z", 0, "x^3"]]


def boom(held=True) -> ts.Model:
    m = ts.Model(name="boom")
    m.beam("b", path=[[0, 0, 0], [1, 0, 0]], section={"kind": "rectangle", "width": 0.02, "thickness": 0.005},
           material={"young": 70e9, "poisson": 0.3, "density": 2700}, elements=80, shear=False)  # fmt: skip
    if held:
        m.fixed("clamp", between=["ground", "b.start"])
    return m


def test_frequencies_of_ritz():
    """Two powers: ω² of K = [[4, 6], [6, 12]], M = [[1/5, 1/6], [1/6, 1/7]]."""
    from scipy.linalg import eigh

    wanted = np.sqrt(eigh([[4, 6], [6, 12]], [[1 / 5, 1 / 6], [1 / 6, 1 / 7]], eigvals_only=True))
    rate = np.sqrt(70e9 * 0.005**2 / (12 * 2700))
    for shapes in (POWERS, "-2*x*z, 0, x^2; -3*x^2*z, 0, x^3"):
        body = ts.reduce(boom(), {"tip": "b.end"}, method="assumed", shapes=shapes)
        np.testing.assert_allclose(2 * np.pi * body.frequencies / rate, wanted, rtol=2e-3)
    w, turn = body.shapes[:, 2, 0], body.shapes[:, 4, 0]
    np.testing.assert_allclose(80 * np.diff(w), -0.5 * (turn[1:] + turn[:-1]), atol=3e-4)


def test_in_a_model():
    m = ts.Model(name="swung")
    m.modal("r", of=boom(held=False).to_plain(), interfaces={"root": "b.start"}, method="assumed",
            shapes=[*POWERS, ["-4*x^3*z", 0, "x^4"]])  # fmt: skip
    m.fixed("hub", between=["ground", "r.root"])
    rate = np.sqrt(70e9 * 0.005**2 / (12 * 2700))
    assert 2 * np.pi * m.modes(1).frequencies_hz[0] / rate == pytest.approx(3.516, rel=5e-3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "assumed"}, "method 'assumed' needs shapes"),
        ({"method": "normal", "shapes": POWERS}, "method 'normal' finds its shapes"),
        ({"method": "assumed", "shapes": [["x^2", 0]]}, "a shape has three formulas"),
        ({"method": "assumed", "shapes": [["x^2", 0, "w"]]}, "w"),
        ({"method": "assumed", "shapes": [[0, 0, "1 + x"]]}, r"shape 1 moves .* though it is held or tied"),
    ],
)
def test_what_is_no_shape(options, words):
    with pytest.raises(ts.ModelError, match=words):
        ts.reduce(boom(), {"tip": "b.end"}, **options)
