"""A01, the simple pendulum of the IFToMM/LIM benchmark library, over 10 s and over the 2000 s of its sheet."""

from .case import Quantity, at, case, energy_drift, from_yaml

SHEET = "IFToMM/LIM benchmark A01; elliptic functions"
POSITIONS = {
    1.0: (-0.986291751132, -0.165010853126),
    5.0: (0.942305435044, -0.334754338414),
    10.0: (0.275087462576, -0.961419205099),
}


def position(time: float, reference: tuple[float, float], tolerance: float, mark: str):
    """x and y of the mass at a time."""
    for letter, value in zip("xy", reference, strict=True):
        name = f"{letter} at {time:g} s"
        yield Quantity(name, "m", value, tolerance, SHEET, mark, at(f"bob.position.{letter}", time))


def ten_seconds():
    for time, reference in POSITIONS.items():
        yield from position(time, reference, 1e-6, "A")
    yield energy_drift(1e-6)


def two_thousand_seconds():
    yield from position(2000.0, (-0.8146030686, -0.5800188278), 1e-3, "R")
    yield energy_drift(1e-3)


CASES = (
    case("a01", "simple pendulum, 10 s", from_yaml("a01.yaml"), ten_seconds),
    case(
        "a01_2000s",
        "simple pendulum, 2000 s: the phase after 845 periods",
        from_yaml("a01.yaml", duration="2000 s", outputs=4000),
        two_thousand_seconds,
    ),
)
