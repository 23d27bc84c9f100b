"""Every way of writing an orientation, judged by what it does to vectors."""

import math

import pytest
from pydantic import TypeAdapter, ValidationError

from tapespring.schema.orientation import Orientation

ADAPTER = TypeAdapter(Orientation)


def read(value):
    return ADAPTER.validate_python(value)


def rotation_matrix(q):
    w, x, y, z = q
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


def column(q, i):
    return tuple(row[i] for row in rotation_matrix(q))


def elementary(letter, angle):
    c, s = math.cos(angle), math.sin(angle)
    return {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }[letter]


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def test_axis_and_angle_turn_x_to_y():
    q = read({"axis": "z", "angle": "90 deg"})
    assert column(q, 0) == pytest.approx((0, 1, 0), abs=1e-15)
    assert q == pytest.approx((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))


def test_quaternions_are_normalised_with_positive_w():
    assert read([2, 0, 0, 0]) == (1.0, 0.0, 0.0, 0.0)
    assert read([-1, 0, 0, -1]) == pytest.approx((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
    assert read([0, 0, -3, 0]) == (0.0, 0.0, 1.0, 0.0)
    assert read({"axis": "z", "angle": "350 deg"})[0] > 0


ORDERS = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b and b != c]


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_are_intrinsic(order):
    angles = (0.3, -1.1, 2.2)
    expected = times(
        times(elementary(order[0], angles[0]), elementary(order[1], angles[1])), elementary(order[2], angles[2])
    )
    turned = rotation_matrix(read({"euler": list(angles), "order": order}))
    for got, wanted in zip(turned, expected, strict=True):
        assert got == pytest.approx(wanted, abs=1e-14)


def test_matrices_give_back_their_quaternion():
    for i in range(300):
        q = read([math.sin(1.3 * i), math.cos(2.7 * i), math.sin(0.7 * i + 1), math.cos(i * i)])
        assert read({"matrix": rotation_matrix(q)}) == pytest.approx(q, abs=1e-12)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_half_turns_as_matrices(axis):
    q = read({"matrix": elementary(axis, math.pi)})
    assert q == pytest.approx(tuple(float(letter == axis) for letter in "wxyz"), abs=1e-15)


def test_two_axes_keep_the_first_and_bend_the_second():
    q = read({"z": [0, 0, 2], "x": [1, 1, 0.5]})
    assert column(q, 2) == pytest.approx((0, 0, 1), abs=1e-15)
    assert column(q, 0) == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0), abs=1e-15)
    first = read({"x": [1, 1, 0.5], "z": "z"})
    assert column(first, 0) == pytest.approx((2 / 3, 2 / 3, 1 / 3), abs=1e-15)
    assert column(first, 2) == pytest.approx((-0.2357022603955, -0.2357022603955, 0.9428090415821))


@pytest.mark.parametrize("pair", ["xy", "yx", "yz", "zy", "zx", "xz"])
def test_two_axes_make_a_right_handed_frame(pair):
    q = read({pair[0]: [1, 2, 3], pair[1]: [-2, 1, 0]})
    assert column(q, "xyz".index(pair[0])) == pytest.approx([c / math.sqrt(14) for c in (1, 2, 3)])
    assert column(q, "xyz".index(pair[1])) == pytest.approx([c / math.sqrt(5) for c in (-2, 1, 0)])


@pytest.mark.parametrize("letter", ["x", "y", "z"])
@pytest.mark.parametrize("direction", [(1, 2, 3), (-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1)])
def test_one_axis_takes_the_shortest_turn(letter, direction):
    q = read({letter: list(direction)})
    length = math.hypot(*direction)
    i = "xyz".index(letter)
    assert column(q, i) == pytest.approx([c / length for c in direction], abs=1e-14)
    assert 2 * math.acos(min(1, q[0])) == pytest.approx(math.acos(direction[i] / length), abs=1e-7)


def test_reading_again_changes_nothing():
    for i in range(200):
        q = read([math.sin(1.3 * i), math.cos(2.7 * i), math.sin(0.7 * i + 1), math.cos(i * i)])
        written = ADAPTER.dump_python(q, mode="json")
        assert isinstance(written, list)
        assert read(written) == q


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ([0, 0, 0, 0], r"quaternion is zero; \[1, 0, 0, 0\] is no rotation"),
        ([1, 0, 0], "is not an orientation; write one of"),
        ("z", "'z' is not an orientation"),
        ({"axis": [0, 0, 0], "angle": 1}, "axis has zero length"),
        ({"axis": "z"}, "orientation needs 'angle' too"),
        ({"axis": "z", "angel": 1}, "'angel' does not belong in this orientation; did you mean 'angle'"),
        ({"axis": "z", "angle": "3 mm"}, r"'3 mm' is a length \(m\), but an angle is wanted"),
        ({"euler": [1, 2, 3]}, "orientation needs 'order' too"),
        ({"euler": [1, 2, 3], "order": "xxz"}, "order 'xxz' is not a sequence of three axes"),
        ({"euler": [1, 2, 3], "order": "xy"}, "order 'xy'"),
        ({"euler": [1, 2, 3], "order": "abc"}, "order 'abc'"),
        ({"matrix": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}, r"mirrors \(determinant -1\)"),
        ({"matrix": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]}, r"not orthonormal \(off by 0.1\)"),
        ({"x": "z", "z": [0, 0, -2]}, "axes x and z are parallel; give two different directions"),
        ({"x": "x", "y": "y", "z": "z"}, "one or two of x, y and z"),
        ({}, "one or two of x, y and z"),
        ({"roll": 3}, "'roll' does not belong in this orientation"),
    ],
)
def test_what_is_not_an_orientation(written, message):
    with pytest.raises(ValidationError, match=message):
        read(written)
