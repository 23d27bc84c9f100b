"""A block that rocks from corner to corner (Housner): at each impact it keeps 1 - 3/2 sin²α of its rate, tan α = b/h.

Times are those of the nonlinear pendulum about a corner, by quadrature; Housner's own are linearised.
"""

from math import atan2, cos, hypot, sin, sqrt

from ..model import Model
from .case import Quantity, case
from .momentum_events import audit, nth

SOURCE = "Housner's impact; times by quadrature of the pendulum about a corner"
B, H, G, TILT = 0.1, 0.5, 9.81, 0.1
ALPHA, R = atan2(B, H), hypot(B, H)
KEPT = 1.0 - 1.5 * sin(ALPHA) ** 2
HITS = ("left0.hit", "right0.hit")


def rise_time(tilt: float) -> float:
    """From level to this tilt: ∫ dθ/ω with ω² = 2 (V(tilt) - V(θ))/I, θ = tilt - s²."""
    from scipy.integrate import quad

    inertia = 4.0 / 3.0 * R * R

    def slowness(s: float) -> float:
        # V(tilt) - V(tilt - s²) as a product, which does not cancel
        drop = 2.0 * G * R * sin(0.5 * s * s) * sin(ALPHA - tilt + 0.5 * s * s)
        return (
            2.0 * s / sqrt(2.0 * drop / inertia) if s > 0.0 else 2.0 / sqrt(2.0 * G * R * sin(ALPHA - tilt) / inertia)
        )

    return quad(slowness, 0.0, sqrt(tilt), epsabs=1e-13, epsrel=1e-12)[0]


def impact_times(count: int) -> list[float]:
    from scipy.optimize import brentq

    times, tilt = [rise_time(TILT)], TILT
    energy = cos(ALPHA - TILT) - cos(ALPHA)
    for _ in range(count - 1):
        energy *= KEPT**2
        tilt = brentq(lambda a, e=energy: cos(ALPHA - a) - cos(ALPHA) - e, 0.0, ALPHA, xtol=1e-15)
        times.append(times[-1] + 2.0 * rise_time(tilt))
    return times


def block() -> Model:
    """Released from a tilt about its right corners; friction that never slips."""
    m = Model(name="Rocking block", gravity=(0, 0, -G), duration=2.5, outputs=100)
    m.settings = m.settings.changed(solver="ode", tolerance=1e-12)
    c, s = cos(TILT), sin(TILT)
    inertia = ((H * H + 0.01) / 3.0, (B * B + H * H) / 3.0, (B * B + 0.01) / 3.0)
    at = (B - B * c + H * s, 0.0, B * s + H * c)
    m.rigid("block", at=at, mass=1.0, inertia=inertia, orientation={"axis": "y", "angle": TILT})
    floor, law = {"kind": "half_space", "on": "ground", "normal": "z"}, {"kind": "momentum", "restitution": 0.0}
    for name, x in (("right", B), ("left", -B)):
        for k, y in enumerate((0.1, -0.1)):
            corner = {"kind": "sphere", "on": "block", "at": (x, y, -H), "radius": 0.0}
            m.contact(f"{name}{k}", between=[floor, corner], law=law, friction=5.0)
    return m


def ratio(results) -> float:
    """Of rates after and before the first impact, from the energy of rocking booked as lost there."""
    before = cos(ALPHA - TILT) - cos(ALPHA)
    time = nth(1, *HITS)(results)
    row = int((results.time > time).argmax())
    lost = results.audit.impacts[row] + results.audit.friction[row]
    return sqrt(1.0 - lost / (G * R * before))


def quantities():
    yield Quantity("ratio of rates", "1", KEPT, 1e-9, "Housner 1963: 1 - 3/2 sin²α", "A", ratio)
    for k, time in enumerate(impact_times(4), 1):
        yield Quantity(
            f"impact {k}",
            "s",
            time,
            1e-9,
            SOURCE,
            "A",
            nth(2 * k - 1, "left0.hit", "left1.hit", "right0.hit", "right1.hit"),
        )
    yield Quantity("energy audit", "1", 0.0, 1e-10, "every joule lost is booked", "A", audit)


CASES = (case("rocking_block", "rocking block by momentum", block, quantities),)
