"""Section constants against closed forms."""

import numpy as np
import pytest

from tapespring.kinds.sections.material import Material
from tapespring.kinds.sections.polygon import Polygon, moments
from tapespring.kinds.sections.rectangle import Rectangle, rectangle_torsion
from tapespring.kinds.sections.torsion import polygon_torsion
from tapespring.model import Model

STEEL = {"young": 200e9, "poisson": 0.25, "density": 8000}


def constants(section, material=STEEL, **fields):
    body = {"kind": "beam", "path": [[0, 0, 0], [1, 0, 0]], "section": section, **fields}
    if material is not None:
        body["material"] = material
    model = Model.from_plain({"bodies": {"b": body}})
    return model["b"].constants()


def stiffness(section, **fields):
    return np.linalg.inv(constants(section, **fields).compliance)


def test_rectangle_torsion():
    """Timoshenko & Goodier, table of k1: J = k1 a b³."""
    for ratio, k in {1: 0.1406, 1.5: 0.196, 2: 0.229, 3: 0.263, 10: 0.312, 1e4: 1 / 3}.items():
        assert rectangle_torsion(ratio, 1.0) == pytest.approx(k * ratio, rel=3e-3)
    assert rectangle_torsion(1, 1) == pytest.approx(0.14057701495515551, rel=1e-12)
    assert rectangle_torsion(2, 5) == rectangle_torsion(5, 2)


def test_rectangle():
    w, t, E, G, k = 0.02, 0.003, 200e9, 80e9, 10 * 1.25 / (12 + 11 * 0.25)
    K = stiffness({"kind": "rectangle", "width": w, "thickness": t})
    expected = [
        E * w * t,
        k * G * w * t,
        k * G * w * t,
        G * rectangle_torsion(w, t),
        E * w * t**3 / 12,
        E * t * w**3 / 12,
    ]
    np.testing.assert_allclose(K, np.diag(expected), rtol=1e-12, atol=1e-9)
    c = constants({"kind": "rectangle", "width": w, "thickness": t})
    assert c.mass == pytest.approx(8000 * w * t)
    moments = [w * t * (w**2 + t**2) / 12, w * t**3 / 12, t * w**3 / 12]
    np.testing.assert_allclose(c.inertia, 8000 * np.diag(moments), rtol=1e-12)


def test_overrides():
    K = stiffness({"kind": "rectangle", "width": 1, "thickness": 1, "shear_factor": [0.5, 0.25], "torsion_constant": 2})
    np.testing.assert_allclose(np.diag(K)[1:4], [40e9, 20e9, 160e9])


def test_circle_and_tube():
    K = stiffness({"kind": "circle", "radius": 0.1})
    I = np.pi * 0.1**4 / 4
    np.testing.assert_allclose(np.diag(K)[3:], [80e9 * 2 * I, 200e9 * I, 200e9 * I])
    assert K[1, 1] == pytest.approx(80e9 * np.pi * 0.01 * 6 * 1.25 / (7 + 1.5))
    K = stiffness({"kind": "tube", "radius": 0.1, "wall": 0.02})
    I = np.pi * (0.1**4 - 0.08**4) / 4
    np.testing.assert_allclose(np.diag(K)[3:], [80e9 * 2 * I, 200e9 * I, 200e9 * I])
    thin = stiffness({"kind": "tube", "radius": 0.1, "wall": 1e-6})
    assert thin[1, 1] / (80e9 * 2 * np.pi * 0.1 * 1e-6) == pytest.approx(2 * 1.25 / (4 + 3 * 0.25), rel=1e-4)  # Cowper


def test_i_section():
    K = stiffness({"kind": "i", "height": 0.2, "width": 0.1, "flange": 0.01, "web": 0.006})
    area = 2 * 0.1 * 0.01 + 0.18 * 0.006
    second_y = 0.006 * 0.18**3 / 12 + 2 * (0.1 * 0.01**3 / 12 + 0.1 * 0.01 * 0.095**2)
    second_z = 2 * 0.01 * 0.1**3 / 12 + 0.18 * 0.006**3 / 12
    torsion = (2 * 0.1 * 0.01**3 + 0.19 * 0.006**3) / 3
    np.testing.assert_allclose(
        np.diag(K)[[0, 3, 4, 5]], [200e9 * area, 80e9 * torsion, 200e9 * second_y, 200e9 * second_z]
    )


def test_constants():
    K = stiffness({"kind": "constants", "area": 2e-4, "second_moment": [1e-8, 3e-8]})
    np.testing.assert_allclose(np.diag(K), [4e7, 80e9 * 2e-4 * 5 / 6, 80e9 * 2e-4 * 5 / 6, 80e9 * 4e-8, 2e3, 6e3])


def test_polygon_equals_rectangle_wherever_it_is_drawn():
    corners = [[3, 5], [3, 5.3], [1, 5.3], [1, 5]]  # clockwise or not, away from the origin
    for order in (corners, corners[::-1]):
        K = stiffness({"kind": "polygon", "points": order, "shear_factor": 0.85})
        L = stiffness({"kind": "rectangle", "width": 2, "thickness": 0.3, "shear_factor": 0.85})
        np.testing.assert_allclose(K, L, rtol=1e-3, atol=1e-6 * 200e9)


def test_product_of_inertia_turns_with_the_section():
    """A rectangle turned by 30°: bending stiffness is R diag R'."""
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    R = np.array([[c, -s], [s, c]])
    corners = np.array([[-1, -0.2], [1, -0.2], [1, 0.2], [-1, 0.2]]) @ R.T
    K = stiffness({"kind": "polygon", "points": corners.tolist(), "torsion_constant": 1})
    # about axes y, z of the turned section: the moment vector turns as the corners do
    principal = 200e9 * np.diag([2 * 0.4**3 / 12, 0.4 * 2**3 / 12])
    np.testing.assert_allclose(K[4:, 4:], R @ principal @ R.T, rtol=1e-12)
    inertia = constants({"kind": "polygon", "points": corners.tolist(), "torsion_constant": 1}).inertia
    np.testing.assert_allclose(inertia[1:, 1:], 8000 / 200e9 * K[4:, 4:], rtol=1e-12)


def test_moments_of_a_triangle():
    area, centre, second_y, second_z, product = moments(np.array([[0, 0], [3, 0], [0, 2.0]]))
    assert (area, *centre) == pytest.approx((3, 1, 2 / 3))
    assert (second_y, second_z, product) == pytest.approx((3 * 8 / 36, 2 * 27 / 36, -36 / 72))


POLYGONS = {
    "square": ([[0, 0], [1, 0], [1, 1], [0, 1]], 0.1405770149551555),
    "equilateral triangle": ([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]], np.sqrt(3) / 80),
    "strip": ([[0, 0], [0.05, 0], [0.05, 0.001], [0, 0.001]], rectangle_torsion(0.05, 0.001)),
    "three squares": ([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], 0.8563032),  # 4 × 0.2140758 (L-shaped domain)
    "hexagon": ([[np.cos(a), np.sin(a)] for a in np.pi / 3 * np.arange(6)], 1.03546),
}


@pytest.mark.parametrize("name", POLYGONS)
def test_polygon_torsion(name):
    corners, expected = POLYGONS[name]
    assert polygon_torsion(tuple((float(y), float(z)) for y, z in corners)) == pytest.approx(expected, rel=5e-4)


def test_polygon_of_many_corners_tends_to_the_circle():
    angle = 2 * np.pi * np.arange(48) / 48
    corners = tuple((float(np.cos(a)), float(np.sin(a))) for a in angle)
    area = moments(np.array(corners))[0]
    assert polygon_torsion(corners) == pytest.approx(area**2 / (2 * np.pi), rel=1e-3)


def test_general_matrix_and_words():
    words = {
        "kind": "general",
        "axial_stiffness": "10 kN",
        "shear_stiffness": ["5 kN", "4 kN"],
        "bending_stiffness": [3, 7],
        "torsion_stiffness": 2,
        "mass_per_length": "0.1 kg/m",
        "rotary_inertia": [3e-6, 1e-6, 2e-6],
    }
    K = np.diag([1e4, 5e3, 4e3, 2, 3, 7])
    matrix = {"kind": "general", "stiffness": K.tolist(), "mass_per_length": 0.1, "rotary_inertia": [3e-6, 1e-6, 2e-6]}
    for section in (words, matrix):
        c = constants(section, material=None)
        np.testing.assert_allclose(c.compliance, np.linalg.inv(K), rtol=1e-14)
        assert c.mass == 0.1
        np.testing.assert_array_equal(c.inertia, np.diag([3e-6, 1e-6, 2e-6]))


def test_without_shear():
    c = constants({"kind": "circle", "radius": 0.1}, shear=False)
    assert not c.compliance[1:3].any()
    assert not c.compliance[:, 1:3].any()
    assert c.compliance[0, 0] > 0
    del_shear = {"kind": "general", "axial_stiffness": 1, "bending_stiffness": 1, "torsion_stiffness": 1,
                 "mass_per_length": 1}  # fmt: skip
    assert not constants(del_shear, material=None).compliance[1:3].any()


def test_material():
    m = Material(young="70 GPa", poisson=0.33, density=2700)
    assert m.shear_modulus() == pytest.approx(70e9 / 2.66)
    assert Material(young="70 GPa", shear="35 GPa", density=2700).poisson_ratio() == pytest.approx(0)
    assert Rectangle(width=1, thickness=1).geometry(0.0).shear == pytest.approx((5 / 6, 5 / 6))
    assert Polygon(points=[[0, 0], [1, 0], [0, 1]]).geometry(0.0).area == 0.5
