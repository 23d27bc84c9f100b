"""Vibrations of beams with closed forms: ends, shear, tension, rotation, and a right-angle frame.

Nodes carry the mass of the beam, so that frequencies converge with the square of element length; values are
extrapolated from meshes of which each is twice as fine, and the order is a quantity of its own.
"""

from functools import partial
from math import log2, pi, sqrt

import numpy as np

from ..model import Model
from .case import Case, Quantity, case

MESHES = (20, 40, 80)
STIFF = 1e8  # EA over EI/L²
CLOSED_FORM = "closed form"


def beam(ends: str, **section) -> Model:
    """A beam of unit length, mass and bending stiffness (about y) along x: c clamped, p pinned, f free."""
    given = {
        "kind": "general", "axial_stiffness": STIFF, "bending_stiffness": [1.0, 30.0], "torsion_stiffness": 1.0,
        "mass_per_length": 1.0, "rotary_inertia": [1e-7, 0.0, 0.0],
    }  # fmt: skip
    m = Model(f"Beam {ends}")
    m.beam("boom", path=[[0, 0, 0], [1, 0, 0]], elements=MESHES[0], section=given | section)
    if ends[0] == "c":
        m.fixed("first", m.ground, "boom.start")
    if ends[0] == "p":
        m.revolute("first", m.ground, "boom.start", at=(0, 0, 0), axis="y")
    if ends[1] == "c":
        m.prismatic("second", m.ground, "boom.end", at=(1, 0, 0), axis="x")
    if ends[1] == "p":
        m.point_on_line("second", m.ground.at(1, 0, 0), "boom.end", axis="x")
    return m


def along_z(found) -> np.ndarray:
    """Angular frequencies [1/s] of the modes that move along z and are not rigid."""
    w = 2.0 * pi * found.frequencies_hz
    return np.array([w[k] for k in range(len(w)) if w[k] > 1e-3 and found.describe(k).endswith("along z")])


def refined(**question):
    """What to compute: the first frequencies along z on every mesh, (meshes, 3)."""

    def compute(model: Model) -> np.ndarray:
        meshes = (model.set("bodies.boom.elements", n) for n in MESHES)
        return np.array([along_z(m.modes(24, **question))[:3] for m in meshes])

    return compute


def limit(w: np.ndarray, k: int) -> float:
    """Without the errors of second and fourth order."""
    coarse, middle, fine = w[:, k]
    once = (4.0 * middle - coarse) / 3.0, (4.0 * fine - middle) / 3.0
    return float((16.0 * once[1] - once[0]) / 15.0)


def order(w: np.ndarray) -> float:
    return log2(abs((w[1, 0] - w[0, 0]) / (w[2, 0] - w[1, 0])))


ROOTS = {
    "cf": (1.87510406871, 4.69409113297, 7.85475743824),
    "ff": (4.73004074486, 7.85320462410, 10.9956078380),
    "cc": (4.73004074486, 7.85320462410, 10.9956078380),
    "pp": (pi, 2.0 * pi, 3.0 * pi),
}
ENDS = {"cf": "cantilever", "ff": "free", "cc": "clamped at both ends", "pp": "pinned at both ends"}


def root(k: int):
    return lambda w: sqrt(limit(w, k))


def of_ends():
    for ends, roots in ROOTS.items():
        for k, value in enumerate(roots):
            name = f"βL of mode {k + 1}, {ENDS[ends]}"
            yield Quantity(name, "1", value, 1e-6 * value, f"Euler–Bernoulli, {CLOSED_FORM}", "A", root(k), ends)
    source = "order of nodes with lumped mass"
    yield Quantity("order of convergence, cantilever", "1", 2.0, 0.05, source, "A", order, "cf")


SHEAR, ROTARY = 200.0, 2e-3


def timoshenko(n: int) -> float:
    """Lower root ω of both equations of a pinned beam with shear stiffness and rotary inertia."""
    k = n * pi
    a, b = ROTARY, -(SHEAR * k**2 * ROTARY + k**2 + SHEAR)
    return sqrt((-b - sqrt(b * b - 4.0 * a * SHEAR * k**4)) / (2.0 * a))


def frequency(k: int):
    return lambda w: limit(w, k)


def of_timoshenko():
    for k in range(3):
        value = timoshenko(k + 1)
        source = f"Timoshenko beam, {CLOSED_FORM}"
        yield Quantity(f"ω of mode {k + 1}", "1/s", value, 1e-6 * value, source, "A", frequency(k))


TENSION = 50.0


def tensioned() -> Model:
    m = beam("pp")
    m.load("tension", "boom.end", force=[TENSION, 0, 0])
    return m


def of_tension():
    for k in range(3):
        n = (k + 1) * pi
        value = sqrt(n**4 + n**2 * TENSION)
        yield Quantity(f"ω of mode {k + 1}", "1/s", value, 2e-6 * value, CLOSED_FORM, "A", frequency(k))


RATES = {0: (3.5160, 22.0345), 1: (3.6816, 22.1810), 2: (4.1373, 22.6149), 3: (4.7973, 23.3203), 4: (5.5850, 24.2733),
         5: (6.4495, 25.4461), 6: (7.3604, 26.8091), 10: (11.2023,)}  # fmt: skip


def spun(model: Model) -> dict[int, np.ndarray]:
    return {rate: refined(spin=("z", rate))(model) for rate in RATES}


def of_spin():
    source = "Wright et al. 1982; Hodges and Rutkowski 1981"
    for rate, values in RATES.items():
        for k, value in enumerate(values):
            name = f"flapwise mode {k + 1} at rate {rate}"
            yield Quantity(name, "1", value, 1e-4, source, "P", at_rate(rate, k))


def at_rate(rate: int, k: int):
    return lambda found: limit(found[rate], k)


def right_angle() -> Model:
    m = Model("Right-angle frame")
    m.beam(
        "frame", path=[[0, 0, 0], ["240 mm", 0, 0], ["240 mm", "240 mm", 0]], elements=64, up=[0, 0, 1],
        section={"kind": "rectangle", "width": "30 mm", "thickness": "3 mm"},
        material={"young": "71.24 GPa", "poisson": 0.31, "density": "5000 kg/m^3"},
    )  # fmt: skip
    m.fixed("clamp", m.ground, "frame.start")
    return m


def of_right_angle():
    for k, value in enumerate((11.2732, 30.5269)):
        source = "FinEtoolsFlexStructures, modes of a right-angle frame"
        yield Quantity(f"frequency {k + 1}", "Hz", value, 0.01 * value, source, "B", found_at(k))


def found_at(k: int):
    return lambda frequencies: frequencies[k]


def slowest(model: Model) -> np.ndarray:
    return model.modes(4).frequencies_hz


CASES = (
    Case("beam_modes", "beams with four kinds of ends", {e: partial(beam, e) for e in ROOTS}, of_ends, refined()),
    case(
        "beam_timoshenko", "pinned beam with shear and rotary inertia",
        lambda: beam("pp", shear_stiffness=SHEAR, rotary_inertia=[1e-7, ROTARY, ROTARY]), of_timoshenko, refined(),
    ),
    case("beam_tension", "pinned beam under tension", tensioned, of_tension, refined(at="rest")),
    case("beam_spin", "cantilever turning about an axis through its root", lambda: beam("cf"), of_spin, spun),
    case("frame_modes", "right-angle frame", right_angle, of_right_angle, slowest),
)  # fmt: skip
