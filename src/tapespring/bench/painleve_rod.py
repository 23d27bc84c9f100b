"""Painlevé's rod: a tip slides on a rough floor, and rigid bodies have no accelerations at all.

With inclination θ the tip's mobility under a normal force and the friction that goes with it is
1 + 3 cos²θ - 3 μ sin θ cos θ (times 1/m): negative about θ = 63.435° if μ > 4/3. There slip is stopped by an impact
without collision, whose impulses follow from the two equations of a tip that stands still.
"""

from math import atan, cos, sin

from ..model import Model
from .case import Case, Quantity
from .momentum_events import audit, count, impulse, nth

SOURCE = "balance of momentum of a rod whose tip is stopped, closed form"
HALF, G, ANGLE = 0.5, 9.81, atan(2.0)


def rod(mu: float) -> Model:
    """A uniform rod of 1 kg and 1 m, leaning to +x over its tip, which slides to -x at 1 m/s."""
    m = Model(name="Painlevé's rod", gravity=(0, 0, -G), duration=0.5, outputs=50)
    m.settings = m.settings.changed(solver="ode")
    middle = (HALF * cos(ANGLE), 0.0, HALF * sin(ANGLE))
    about = {"mass": 1.0, "inertia": (1e-4, HALF**2 / 3.0, HALF**2 / 3.0), "velocity": (-1.0, 0, 0)}
    m.rigid("rod", at=middle, orientation={"axis": "y", "angle": -ANGLE}, **about)
    floor, law = {"kind": "half_space", "on": "ground", "normal": "z"}, {"kind": "momentum", "restitution": 0.0}
    for name, x in (("tip", -HALF), ("head", HALF)):
        end = {"kind": "sphere", "on": "rod", "at": (x, 0, 0), "radius": 0.0}
        m.contact(name, between=[floor, end], law=law, friction=mu)
    return m


MODELS = {"rough": lambda: rod(1.6), "smoother": lambda: rod(1.3)}


def quantities():
    n, t, cross = 1.0 + 3.0 * cos(ANGLE) ** 2, 1.0 + 3.0 * sin(ANGLE) ** 2, -3.0 * sin(ANGLE) * cos(ANGLE)
    normal = -cross / (n * t - cross * cross)
    yield Quantity("stopped at", "s", 0.0, 1e-15, SOURCE, "A", nth(1, "tip.jam"), "rough")
    yield Quantity("normal impulse", "N s", normal, 1e-9, SOURCE, "A", impulse(1, "tip.jam"), "rough")
    yield Quantity("energy audit", "1", 0.0, 1e-8, "every joule lost is booked", "A", audit, "rough")
    yield Quantity("jams below 4/3", "1", 0.0, 0.5, "accelerations exist", "A", count("tip.jam"), "smoother")
    yield Quantity("audit below 4/3", "1", 0.0, 1e-8, "every joule lost is booked", "A", audit, "smoother")


CASES = (Case("painleve_rod", "Painlevé's rod: an impact without collision", MODELS, quantities),)
