"""A four-bar linkage built in Python: a short crank swings a long rocker; prints the range of the rocker."""

import math

import tapespring as ts

CRANK, COUPLER, ROCKER, BASE = 0.1, 0.3, 0.25, 0.3  # m


def corner() -> tuple[float, float]:
    """Where coupler and rocker meet while the crank points along x."""
    span = BASE - CRANK
    along = (COUPLER**2 - ROCKER**2 + span**2) / (2 * span)
    return CRANK + along, math.sqrt(COUPLER**2 - along**2)


def bar(model: ts.Model, name: str, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A slender steel bar between two points of the plane."""
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    model.rigid(
        name,
        at=((x0 + x1) / 2, (y0 + y1) / 2, 0),
        orientation={"axis": "z", "angle": math.atan2(y1 - y0, x1 - x0)},
        shape={"kind": "box", "size": (length, 0.02, 0.005)},
        density="7850 kg/m^3",
    )


def four_bar() -> ts.Model:
    """The linkage, driven at 60 rpm."""
    m = ts.Model(name="Four-bar linkage", gravity=(0, "-9.81 m/s^2", 0), duration="2 s", outputs="5 ms")
    top = corner()
    points = {"A": (0.0, 0.0), "B": (CRANK, 0.0), "C": top, "D": (BASE, 0.0)}
    bar(m, "crank", points["A"], points["B"])
    bar(m, "coupler", points["B"], points["C"])
    bar(m, "rocker", points["D"], points["C"])
    for name, first, second in (
        ("A", "ground", "crank"),
        ("B", "crank", "coupler"),
        ("C", "coupler", "rocker"),
        ("D", "ground", "rocker"),
    ):
        m.revolute(name, first, second, at=(*points[name], 0), axis="z")
    m.motion("motor", "A", rate="60 rpm")
    return m


if __name__ == "__main__":
    results = four_bar().simulate()
    swing = results["D.angle"]
    print(results.summary())
    print(f"the rocker swings from {math.degrees(swing.min()):.3f} to {math.degrees(swing.max()):.3f} degrees")
