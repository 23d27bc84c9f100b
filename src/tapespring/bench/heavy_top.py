"""The heavy top of Brüls, Cardona and Arnold: a fast rotation and a slow one on the same body."""

import numpy as np

from ..results import Results
from .case import Quantity, at, case, energy_drift, from_yaml

SOURCE = "Brüls, Cardona, Arnold; independent integration, agrees with kynema-fmb to 1e-6"
MOVES = {
    0.2: (0.605550561, -0.401042318, -0.523983027),
    1.0: (0.173343964, -0.359911408, -0.748490791),
    1.5: (-0.968165716, -0.749693938, -0.001422084),
    2.0: (-0.150416823, -1.724165592, -0.673022270),
}
ATTITUDES = {
    0.2: (-0.708279153, 0.438781088, 0.545728396, 0.089399753),
    2.0: (0.122947135, -0.491079893, 0.350430030, -0.787986888),
}
START = {"x": 0.0, "y": 1.0, "z": 0.0}


def move(letter: str, time: float):
    """Displacement of the centre of mass."""
    position = at(f"top.centre.position.{letter}", time)
    return lambda results: position(results) - START[letter]


def attitude(k: int, time: float, reference: tuple[float, ...]):
    """A component of the quaternion, with the sign that is nearer to the reference."""

    def value(results: Results) -> float:
        q = results["top.orientation"].at(time)
        return float(q[k] * np.sign(q @ np.array(reference)))

    return value


def quantities():
    for time, reference in MOVES.items():
        for letter, value in zip("xyz", reference, strict=True):
            yield Quantity(f"move in {letter} at {time:g} s", "m", value, 1e-5, SOURCE, "A", move(letter, time))
    for time, reference in ATTITUDES.items():
        for k, letter in enumerate("wxyz"):
            name = f"quaternion {letter} at {time:g} s"
            yield Quantity(name, "1", reference[k], 1e-5, SOURCE, "A", attitude(k, time, reference))
    yield energy_drift(1e-3)


CASES = (case("heavy_top", "heavy top, 2 s", from_yaml("heavy_top.yaml"), quantities),)
