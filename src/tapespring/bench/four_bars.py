"""A02: N four-bars in a row, passing through positions where N + 1 degrees of freedom open up.

On the parallelogram branch the assembly is one pendulum, ((N+1)/3 + N) θ'' = ((N+1)/2 + N) g sin θ, θ from the upward
vertical; that is the reference.
"""

from functools import partial

from ..model import Model
from .case import Quantity, at, case, energy_drift

SOURCE = "IFToMM/LIM benchmark A02; one-pendulum reduction, DOP853 at 1e-13"
END = 10.0
ANGLE = {2: 31.7506, 40: 31.5974}
TOP = {2: (0.3284581115, 0.9445185382), 40: (0.1805122267, 0.9835727406)}


def four_bars(windows: int) -> Model:
    """Uniform links of 1 m and 1 kg, started upright with the tops moving at 1 m/s."""
    m = Model(name=f"A02 with {windows} four-bars", gravity=(0, -9.81, 0), duration=END, outputs=100)
    upright = {"mass": 1.0, "inertia": (1 / 12, 1e-3, 1 / 12), "velocity": (0.5, 0, 0), "angular_velocity": (0, 0, -1)}
    level = {"mass": 1.0, "inertia": (1e-3, 1 / 12, 1 / 12), "velocity": (1, 0, 0)}
    for i in range(windows + 1):
        m.rigid(f"v{i}", at=(i, 0.5, 0), markers={"top": (0, 0.5, 0)}, **upright)
        m.revolute(f"foot{i}", "ground", f"v{i}", at=(i, 0, 0), axis=(0, 0, -1))  # θ grows towards +x
    for i in range(windows):
        m.rigid(f"h{i}", at=(i + 0.5, 1, 0), **level)
        m.revolute(f"left{i}", f"v{i}", f"h{i}", at=(i, 1, 0), axis="z")
        m.revolute(f"right{i}", f"h{i}", f"v{i + 1}", at=(i + 1, 1, 0), axis="z")
    return m


def quantities(windows: int):
    yield Quantity("angle at 10 s", "rad", ANGLE[windows], 1e-4, SOURCE, "A", at("foot0.angle", END))
    for letter, value in zip("xy", TOP[windows], strict=True):
        name = f"{letter} of B0 at 10 s"
        yield Quantity(name, "m", value, 1e-5, SOURCE, "A", at(f"v0.top.position.{letter}", END))
    yield energy_drift(1e-6 * windows)


CASES = tuple(
    case(
        f"a02_n{windows}",
        f"{windows} four-bars through singular positions, 10 s",
        partial(four_bars, windows),
        partial(quantities, windows),
    )
    for windows in (2, 40)
)
