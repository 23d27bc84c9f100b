"""Two spheres that meet by Hertz's law, and two that are pressed together: depth, force and time in closed form."""

from math import gamma, pi, sqrt

from ..model import Model
from .case import Case, Quantity, final
from .momentum_events import audit, nth

SOURCE = "Hertz (1882); Johnson, Contact Mechanics, eq. 11.23 to 11.25"
PRESSED = "Hertz's force for the spheres of problem SSNV104 of code_aster"
STEEL, GLASS = {"young": 210e9, "poisson": 0.3}, {"young": 70e9, "poisson": 0.22}
RADII, MASSES, SPEED, GAP = (0.02, 0.03), (0.25, 0.28), 0.5, 1e-4
FULL = 4.0 * sqrt(pi) * gamma(0.4) / (5.0 * gamma(0.9))  # 2 ∫ dx/√(1 - x^5/2) from 0 to 1: 2.943


def stiffness() -> float:
    """4/3 E* √R [N/m^1.5]"""
    compliance = sum((1.0 - m["poisson"] ** 2) / m["young"] for m in (STEEL, GLASS))
    return 4.0 / 3.0 * sqrt(1.0 / sum(1.0 / r for r in RADII)) / compliance


def meeting() -> Model:
    """A sphere of steel that flies against one of glass at rest."""
    m = Model(name="Spheres that meet", duration=4e-4, outputs=200)
    m.settings = m.settings.changed(solver="ode", tolerance=1e-11)
    shapes = [{"kind": "sphere", "radius": radius} for radius in RADII]
    m.rigid("steel", at=(-RADII[0] - GAP, 0, 0), mass=MASSES[0], shape=shapes[0], velocity=(SPEED, 0, 0))
    m.rigid("glass", at=(RADII[1], 0, 0), mass=MASSES[1], shape=shapes[1])
    m.contact("touch", between=["steel", "glass"], law={"kind": "hertz", "materials": [STEEL, GLASS]})
    return m


def pressed() -> Model:
    """Spheres of 50 mm, their centres brought 4 mm nearer."""
    m = Model(name="Spheres pressed together", duration=1.0, outputs=4)
    m.settings = m.settings.changed(solver="quasi-static")
    m.rigid("fixed", at=(0, 0, -0.05), mass=1.0, shape={"kind": "sphere", "radius": 0.05})
    m.fixed("base", m.ground, "fixed")
    m.moving_frame("press", at=(0, 0, 0.05), position=(0, 0, "-0.004*t"))
    m.rigid("moved", at=(0, 0, 0.05), mass=1.0, shape={"kind": "sphere", "radius": 0.05})
    m.fixed("grip", "press", "moved")
    law = {"kind": "hertz", "materials": {"young": 20e9, "poisson": 0.3}}
    m.contact("touch", between=["fixed", "moved"], law=law)
    return m


def contact_time(results) -> float:
    return nth(1, "touch.separation")(results) - nth(1, "touch.hit")(results)


def depth(results) -> float:
    return results.contacts["touch"]["deepest"]


def peak(results) -> float:
    return results.contacts["touch"]["strongest"]


def quantities():
    together = MASSES[0] * MASSES[1] / sum(MASSES)
    deep = (1.25 * together * SPEED**2 / stiffness()) ** 0.4
    force, lasts = stiffness() * deep**1.5, FULL * deep / SPEED
    yield Quantity("time of contact", "s", lasts, 1e-9 * lasts, SOURCE, "A", contact_time, "meeting")
    yield Quantity("depth", "m", deep, 1e-9 * deep, SOURCE, "A", depth, "meeting")
    yield Quantity("peak force", "N", force, 1e-9 * force, SOURCE, "A", peak, "meeting")
    after, speed = 2.0 * MASSES[0] / sum(MASSES) * SPEED, final("glass.velocity.x")
    yield Quantity("speed of the struck one", "m/s", after, 1e-10, "elastic impact", "A", speed, "meeting")
    yield Quantity("energy audit", "1", 0.0, 1e-9, "conservation of energy", "A", audit, "meeting")
    yield Quantity("force, pressed", "N", 5.8608e5, 5.0, PRESSED, "A", final("touch.normal"), "pressed")


MODELS = {"meeting": meeting, "pressed": pressed}
CASES = (Case("hertz_spheres", "spheres that meet and are pressed, by Hertz's law", MODELS, quantities),)
