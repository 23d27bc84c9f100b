"""A ball that bounces to rest: infinitely many impacts in finite time, all of them in closed form."""

from math import sqrt

from ..model import Model
from .case import Quantity, case
from .momentum_events import audit, nth

SOURCE = "closed form of falls and rebounds, speed after each impact e times that before"
GAP, G, E, REST = 0.9, 9.81, 0.9, 1e-5


def impact_times() -> list[float]:
    """Up to the first impact slower than the rest speed, after which the ball stays."""
    t, speed = sqrt(2.0 * GAP / G), sqrt(2.0 * G * GAP)
    times = [t]
    while speed > REST:
        speed *= E
        times.append(times[-1] + 2.0 * speed / G)
    return times


def ball() -> Model:
    """A sphere of 0.1 m whose lowest point starts 0.9 m over the floor."""
    m = Model(name="Bouncing ball by momentum", gravity=(0, 0, -G), duration=9.0, outputs=90)
    m.settings = m.settings.changed(solver="ode")
    m.rigid("ball", at=(0, 0, 1), mass=1.0, shape={"kind": "sphere", "radius": 0.1})
    floor = {"kind": "half_space", "on": "ground", "normal": "z"}
    m.contact("floor", between=[floor, "ball"], law={"kind": "momentum", "restitution": E, "rest_speed": REST})
    return m


def quantities():
    times = impact_times()
    for k in range(1, 6):
        yield Quantity(f"impact {k}", "s", times[k - 1], 1e-12, SOURCE, "A", nth(k, "floor.hit"))
    yield Quantity("last impact", "s", times[-1], 1e-9, SOURCE, "A", nth(-1, "floor.hit"))
    end = sqrt(2.0 * GAP / G) * (1.0 + E) / (1.0 - E)
    about = "limit of the sum of all impacts; what is slower than the rest speed is left out"
    yield Quantity("rest", "s", end, 2.1 * REST / G / (1.0 - E), about, "A", nth(-1, "floor.hit"))
    yield Quantity("energy audit", "1", 0.0, 1e-12, "every joule lost is booked", "A", audit)


CASES = (case("bouncing_ball", "bouncing ball by momentum, to rest", ball, quantities),)
