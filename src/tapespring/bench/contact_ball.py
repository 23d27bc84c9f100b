"""A ball dropped from 1 m under the three contact laws and parameters of a published double-pendulum study.

Its table holds a penetration of 90 % of the radius and a contact without rebound: good laws, poor parameters.
"""

from functools import partial

from ..model import Model
from .case import Quantity, case

SOURCE = "Double pendulum contact problem (Appl. Comp. Mech. 8, 2014), table 2; integrated independently"
HITS = 0.4283529368781193
# law, then restitution, time of contact, peak force, penetration and height of the first bounce
LAWS = {
    "hertz": (
        {"kind": "hertz", "stiffness": "1e4 N/m^1.5"},
        (1.0, 0.06172512147475283, 269.85988445562725, 0.089968860518686, 1.0),
    ),
    "spring_dashpot": (
        {"kind": "spring_dashpot", "stiffness": "3.303e7 N/m", "damping": "2.157e4 N s/m"},
        (0.05294904713088017, 0.00027373572372472543, 90640.20964340273, 0.0001684175418046182, 0.1023779398060869),
    ),
    "nonlinear": (
        {"kind": "nonlinear", "stiffness": "3.009e7 N/m^1.5", "damping": "3e4 N s/m^2.5"},
        (0.9972013657169402, 0.0024658811569809266, 6280.186027151923, 0.0035185585114126806, 0.9949695074089574),
    ),
}


def ball(law: dict, duration: str) -> Model:
    """Radius 0.1 m, 1 kg, its centre 1 m above the floor."""
    return Model.from_plain({
        "name": "dropped ball",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {
            "ball": {
                "kind": "rigid", "at": [0, 0, "1 m"], "mass": "1 kg", "shape": {"kind": "sphere", "radius": "0.1 m"}
            }
        },
        "contacts": {
            "floor": {
                "kind": "contact", "law": law,
                "between": [{"kind": "half_space", "on": "ground", "normal": "z"}, "ball"],
            }
        },
        "simulate": {"duration": duration, "solver": "ode", "tolerance": 1e-11, "outputs": 2001},
    })  # fmt: skip


def times_of(results, change: str) -> list[float]:
    return [event.time for event in results.events if event.name == f"floor.{change}"]


def rebound(results) -> float:
    """Speed after the first contact over that before it, from the heights: both are free flight."""
    g, touch = 9.81, times_of(results, "hit")[0]
    left = min(times_of(results, "release") + times_of(results, "separation"))
    flight = next(t for t in results.time if t > left + 1e-9)
    row = list(results.time).index(flight)
    speed = results["ball.velocity.z"].values[row] + g * (flight - left)
    return float(speed / (g * touch))


def contact_time(results) -> float:
    left = min(times_of(results, "release") + times_of(results, "separation"))
    return left - times_of(results, "hit")[0]


def apex(results) -> float:
    """Of the first bounce, from a row in flight."""
    left = min(times_of(results, "separation"))
    row = next(i for i, t in enumerate(results.time) if t > left)
    z, v = results["ball.position.z"].values[row], results["ball.velocity.z"].values[row]
    return float(z + v * v / (2.0 * 9.81))


def quantities(law: str):
    restitution, duration, force, depth, height = LAWS[law][1]
    yield Quantity("first touch", "s", HITS, 1e-6 * HITS, SOURCE, "R", lambda r: times_of(r, "hit")[0])
    yield Quantity("restitution", "1", restitution, 1e-6 * restitution, SOURCE, "R", rebound)
    yield Quantity("time of contact", "s", duration, 1e-6 * duration, SOURCE, "R", contact_time)
    peak = ("peak force", "N", force, 1e-6 * force, SOURCE, "R")
    yield Quantity(*peak, lambda r: r.contacts["floor"]["strongest"])
    deepest = ("penetration", "m", depth, 1e-6 * depth, SOURCE, "R")
    yield Quantity(*deepest, lambda r: r.contacts["floor"]["deepest"])
    yield Quantity("height of the first bounce", "m", height, 1e-6 * height, SOURCE, "R", apex)


CASES = tuple(
    case(
        f"ball_{name}",
        f"dropped ball, {name.replace('_', ' ')} law",
        partial(ball, law, "0.6 s" if name == "hertz" else "0.46 s"),
        partial(quantities, name),
    )
    for name, (law, _) in LAWS.items()
)
