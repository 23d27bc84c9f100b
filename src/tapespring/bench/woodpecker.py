"""The woodpecker toy (Glocker): a bird on a wire that pecks its way down a pole, held by friction in between.

The published model is linear in its two angles, with gaps and slips that are linear too. So is this one: masses on
sliders and wheels on shafts stand for its coordinates, couplers for its kinematics, and three points of next to no mass
touch the pole. The published start lies 0.9 µm within the pole; here the sleeve starts on it.
"""

from ..model import Model
from .case import Quantity, case
from .momentum_events import audit

SOURCE = "siconos-tutorials Woodpecker.ref, Moreau's time stepping with 20 µs"
M_SLEEVE, J_SLEEVE, M_BIRD, J_BIRD, WIRE, G = 0.0003, 5e-9, 0.0045, 7e-7, 0.0056, 9.81
R_POLE, R_SLEEVE, H_SLEEVE, L_SLEEVE, L_BIRD, H_BEAK, L_BEAK = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201
FRICTION, LIGHT = 0.3, 1e-8
STEP, END = 2e-5, 0.29998


def woodpecker() -> Model:
    m = Model(name="Woodpecker toy", gravity=(0, -G, 0), duration=END)
    times = tuple(k * STEP for k in range(round(END / STEP) + 1))  # of the published values, and no others
    m.settings = m.settings.changed(solver="ode", tolerance=1e-8, outputs=times)
    masses = {
        "sleeve_mass": (M_SLEEVE, 1e-9),
        "bird_mass": (M_BIRD, 1e-9),
        "sleeve": (1e-3, J_SLEEVE),
        "bird": (1e-3, J_BIRD),
    }
    for name, (mass, inertia) in masses.items():
        m.rigid(name, mass=mass, inertia=(inertia,) * 3)
    start = -(R_SLEEVE - R_POLE) / H_SLEEVE
    m.prismatic("y", "ground", "sleeve_mass", axis="y", initial={"position": 0.0, "rate": -0.3411})
    m.prismatic("y_bird", "ground", "bird_mass", axis="y")
    m.revolute("phi_sleeve", "ground", "sleeve", axis="z", initial={"angle": start, "rate": 0.0})
    m.revolute("phi_bird", "ground", "bird", axis="z", initial={"angle": -0.2788, "rate": -7.4583})
    m.coupler("centre", terms={"y_bird": 1, "y": -1, "phi_sleeve": -L_SLEEVE, "phi_bird": -L_BIRD})
    m.torsion_spring("wire", between=("sleeve", "bird"), axis="z", stiffness=WIRE)
    beak = {"phi_sleeve": L_SLEEVE, "phi_bird": L_BIRD - L_BEAK}
    touching(m, "beak", beak, "phi_bird", -H_BEAK, L_SLEEVE + L_BIRD - L_BEAK - R_POLE, 0.5)
    touching(m, "lower", {"phi_sleeve": R_SLEEVE}, "phi_sleeve", H_SLEEVE, R_SLEEVE - R_POLE, 0.0)
    touching(m, "upper", {"phi_sleeve": R_SLEEVE}, "phi_sleeve", -H_SLEEVE, R_SLEEVE - R_POLE, 0.0)
    return m


def touching(m: Model, name: str, along: dict, angle: str, arm: float, gap: float, restitution: float) -> None:
    """A point that moves along the pole by y and `along`, and across it by arm times an angle."""
    for part in (f"{name}_up", name):
        m.rigid(part, mass=LIGHT, inertia=(1e-14,) * 3)
    m.prismatic(f"{name}_y", "ground", f"{name}_up", axis="y")
    m.prismatic(f"{name}_x", f"{name}_up", name, axis="x")
    m.coupler(f"{name}_along", terms={f"{name}_y": 1, "y": -1} | {angle: -arm for angle, arm in along.items()})
    m.coupler(f"{name}_across", terms={f"{name}_x": 1, angle: -arm})
    pole = {"kind": "half_space", "on": "ground", "at": (-gap, 0, 0), "normal": "x"}
    point = {"kind": "sphere", "on": name, "radius": 0.0}
    law = {"kind": "momentum", "restitution": restitution}
    m.contact(f"{name}_pole", between=[pole, point], law=law, friction=FRICTION)


def tops(results) -> list[int]:
    """Rows at which the bird leans most to the pole."""
    a = results["phi_bird.angle"].values
    return [k for k in range(1, len(a) - 1) if a[k - 1] < a[k] >= a[k + 1] and a[k] > 0.0]


def between_tops(channel):
    """How far time or a channel goes from the first top to the second."""

    def value(results) -> float:
        rows = tops(results)
        values = results.time if channel is None else results[channel].values
        return float(values[rows[1]] - values[rows[0]]) if len(rows) > 1 else float("nan")

    return value


def quantities():
    """Published values are of first order in a step of 20 µs and of another start: 1 and 2 %."""
    yield Quantity("period", "s", 0.1461, 0.0015, SOURCE, "B", between_tops(None))
    yield Quantity("drop per cycle", "m", -0.01948, 0.0004, SOURCE, "B", between_tops("y.position"))
    yield Quantity("y at 0.3 s", "m", -0.04134819, 4e-4, SOURCE, "B", lambda r: r["y.position"].final)
    yield Quantity("bird at 0.3 s", "rad", -0.34093398, 0.0034, SOURCE, "B", lambda r: r["phi_bird.angle"].final)
    yield Quantity("energy audit", "1", 0.0, 1e-6, "every joule lost is booked", "A", audit)


CASES = (case("woodpecker", "woodpecker toy by momentum", woodpecker, quantities),)
