"""Friction of closed contacts in closed form: a block on an incline sticks or slides, a sphere begins to roll."""

from math import cos, hypot, radians, sin

from ..model import Model
from .case import Case, Quantity, final
from .momentum_events import audit, nth

SOURCE = "Coulomb's law, closed form"
G, SLOPE = 9.81, radians(20.0)
HOLDS, YIELDS = 0.4, 0.3  # tan 20° = 0.364 lies between
ROLLS, SPEED = 0.2, 2.0


def block(mu: float, duration: float) -> Model:
    """Four corners on a plane that is level, under gravity that is not."""
    gravity = (G * sin(SLOPE), 0, -G * cos(SLOPE))
    m = Model(name="Block on an incline", gravity=gravity, duration=duration, outputs=20)
    m.settings = m.settings.changed(solver="ode")
    m.rigid("block", at=(0, 0, 0.05), mass=2.0, shape={"kind": "box", "size": (0.4, 0.2, 0.1)})
    floor = {"kind": "half_space", "on": "ground", "normal": "z"}
    m.contact("floor", between=[floor, "block"], law={"kind": "momentum", "restitution": 0.3}, friction=mu)
    return m


def sphere(spin: float) -> Model:
    """Thrown without the spin of rolling; `spin` about the way it goes makes it turn aside."""
    m = Model(name="Sphere that begins to roll", gravity=(0, 0, -G), duration=1.0, outputs=40)
    m.settings = m.settings.changed(solver="ode")
    motion = {"velocity": (SPEED, 0, 0), "angular_velocity": (spin, 0, 0)}
    m.rigid("ball", at=(0, 0, 0.1), mass=1.0, shape={"kind": "sphere", "radius": 0.1}, **motion)
    floor = {"kind": "half_space", "on": "ground", "normal": "z"}
    m.contact("floor", between=[floor, "ball"], law={"kind": "momentum", "restitution": 0.0}, friction=ROLLS)
    return m


MODELS = {
    "sticks": lambda: block(HOLDS, 10.0),
    "slides": lambda: block(YIELDS, 1.0),
    "rolls": lambda: sphere(0.0),
    "turns": lambda: sphere(30.0),
}


def quantities():
    about = "at rest for 10 s"
    yield Quantity("creep", "m", 0.0, 1e-11, about, "A", final("block.position.x"), "sticks")
    yield Quantity("normal force", "N", 2.0 * G * cos(SLOPE), 1e-9, SOURCE, "A", final("floor.normal"), "sticks")
    way = 0.5 * G * (sin(SLOPE) - YIELDS * cos(SLOPE))
    yield Quantity("way after 1 s", "m", way, 1e-12, SOURCE, "A", final("block.position.x"), "slides")
    yield Quantity("audit of the slide", "1", 0.0, 1e-10, SOURCE, "A", audit, "slides")
    time = 2.0 * SPEED / (7.0 * ROLLS * G)
    yield Quantity("begins to roll", "s", time, 1e-10, SOURCE, "A", nth(1, "floor.stick"), "rolls")
    speed = 5.0 * SPEED / 7.0
    yield Quantity("speed of rolling", "m/s", speed, 1e-10, SOURCE, "A", final("ball.velocity.x"), "rolls")
    slip = hypot(SPEED, 3.0)
    time = 2.0 * slip / (7.0 * ROLLS * G)
    yield Quantity("begins to roll, turned", "s", time, 1e-8, SOURCE, "A", nth(1, "floor.stick"), "turns")
    aside = -2.0 / 7.0 * 3.0
    yield Quantity("speed aside", "m/s", aside, 1e-8, SOURCE, "A", final("ball.velocity.y"), "turns")
    yield Quantity("audit of the rolls", "1", 0.0, 1e-9, SOURCE, "A", audit, "turns")


CASES = (Case("coulomb", "friction of closed contacts in closed form", MODELS, quantities),)
