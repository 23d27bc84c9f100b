"""Five spheres piled up in a box, 22 places that touch, some of which bear nothing: at rest for 10 s without creep."""

from math import sqrt

from ..model import Model
from .case import Case, Quantity
from .momentum_events import audit

RADIUS, G = 0.1, 9.81
UP = RADIUS * (1.0 + sqrt(3.0))
PLACES = {"a": (0.1, RADIUS), "b": (0.3, RADIUS), "c": (0.5, RADIUS), "d": (0.2, UP), "e": (0.4, UP)}


def pile(friction: float, drop: float = 0.0, duration: float = 10.0) -> Model:
    """Three below, two above, between walls on all sides; let fall from a height if wanted."""
    m = Model(name="Spheres at rest", gravity=(0, 0, -G), duration=duration, outputs=20)
    m.settings = m.settings.changed(solver="ode")
    law = {"kind": "momentum", "restitution": 0.2}
    for name, (x, z) in PLACES.items():
        height = z + drop * (2.0 if z > RADIUS else 1.0)
        m.rigid(name, at=(x, 0, height), mass=1.0, shape={"kind": "sphere", "radius": RADIUS})

    def touch(name: str, surface, body: str) -> None:
        m.contact(name, between=[surface, body], law=law, **({"friction": friction} if friction else {}))

    def wall(normal: str, at=(0, 0, 0)) -> dict:
        return {"kind": "half_space", "on": "ground", "normal": normal, "at": at}

    for name in "abc":
        touch(f"floor_{name}", wall("z"), name)
    touch("left", wall("x"), "a")
    touch("right", wall("-x", (0.6, 0, 0)), "c")
    for name in PLACES:
        touch(f"front_{name}", wall("y", (0, -RADIUS, 0)), name)
        touch(f"back_{name}", wall("-y", (0, RADIUS, 0)), name)
    for first, second in ("ab", "bc", "de", "ad", "bd", "be", "ce"):
        touch(f"pair_{first}{second}", first, second)
    return m


MODELS = {"rough": lambda: pile(0.3), "smooth": lambda: pile(0.0), "dropped": lambda: pile(0.3, 0.05, 2.0)}


def creep(results) -> float:
    """Largest coordinate by which a sphere has moved."""
    ends = {name: results[f"{name}.position"].values[-1] for name in PLACES}
    return max(
        abs(end - place).max() for name, end in ends.items() for place in [[PLACES[name][0], 0, PLACES[name][1]]]
    )


def weight(results) -> float:
    return sum(results[f"floor_{name}.normal"].final for name in "abc")


def quantities():
    for run in MODELS:
        yield Quantity(f"creep, {run}", "m", 0.0, 1e-12, "at rest, or where they came to rest", "A", creep, run)
    yield Quantity("weight, smooth", "N", 5.0 * G, 1e-9, "balance of forces", "A", weight, "smooth")
    yield Quantity("audit, dropped", "1", 0.0, 1e-8, "every joule lost is booked", "A", audit, "dropped")


CASES = (Case("spheres_at_rest", "spheres piled up, at rest by momentum", MODELS, quantities),)
