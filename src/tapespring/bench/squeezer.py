"""A03: Andrews' squeezing mechanism, seven bodies in three loops turned by a motor; all angles after 0.03 s."""

from cmath import exp

from ..model import Model
from ..results import Results
from .case import Quantity, case

SOURCE = "IVP test set (Bari), PSIDE at 1e-14"
END = 0.03
BETA, THETA, GAMMA, PHI = -0.0617138900142764, 0.0, 0.455279819163070, 0.222668390165886
DELTA, OMEGA, EPSILON = 0.487364979543843, -0.222668390165886, 1.23054744454982
A, B, C = -0.06934 - 0.00227j, -0.03635 + 0.03273j, 0.014 + 0.072j

#: angle: (hinge, start, value at the end) [rad]
ANGLES = {
    "beta": ("O", BETA, 15.81077119629904),
    "Theta": ("K1_K2", THETA, -15.75637105984298),
    "gamma": ("B", GAMMA, 0.04082224013073101),
    "Phi": ("K5_K4", PHI, -0.5347301163226948),
    "delta": ("A_K5", DELTA, 0.5244099658805304),
    "Omega": ("K7_K6", OMEGA, 0.5347301163226948),
    "epsilon": ("A_K7", EPSILON, 1.048080741042263),
}
TO_CENTRE = 0.00092  # of K1, from the motor's axis [m]


def xyz(z: complex) -> tuple[float, float, float]:
    """A point of the plane."""
    return (z.real, z.imag, 0.0)


def squeezer() -> Model:
    """Drawn where it starts, at rest; in the plane z = 0, no gravity."""
    m = Model(name="A03 Andrews' squeezing mechanism", duration=END, outputs=100)

    def body(name: str, mass: float, inertia: float, hinge: complex, centre: complex, angle: float) -> None:
        """With its origin at the centre of mass; `centre` from the hinge in the body's axes."""
        turned = hinge + centre * exp(1j * angle)
        m.rigid(name, mass=mass, inertia=(inertia,) * 3, at=xyz(turned), orientation={"axis": "z", "angle": angle})

    def pin(name: str, first: str, second: str, where: complex) -> None:
        m.revolute(name, first, second, at=xyz(where), axis="z")

    end_of_crank = 0.007 * exp(1j * BETA)
    on_k5, on_k7 = A + 0.04 * exp(1j * DELTA), A - 0.04j * exp(1j * EPSILON)
    squeezed = end_of_crank - 0.028 * exp(1j * (BETA + THETA))
    body("K1", 0.04325, 2.194e-6, 0j, TO_CENTRE + 0j, BETA)
    body("K2", 0.00365, 4.410e-7, end_of_crank, -0.0115 + 0j, BETA + THETA)
    body("K3", 0.02373, 5.255e-6, B, 0.01043 - 0.01874j, GAMMA)
    body("K4", 0.00706, 5.667e-7, on_k5, (0.01421 - 0.02) * 1j, DELTA + PHI)
    body("K5", 0.07050, 1.169e-5, A, 0.02308 + 0.00916j, DELTA)
    body("K6", 0.00706, 5.667e-7, on_k7, 0.02 - 0.01421 + 0j, EPSILON + OMEGA)
    body("K7", 0.05498, 1.912e-5, A, -0.00449 - 0.01228j, EPSILON)
    pin("O", "ground", "K1", 0j)
    pin("B", "ground", "K3", B)
    pin("A_K5", "ground", "K5", A)
    pin("A_K7", "ground", "K7", A)
    pin("K1_K2", "K1", "K2", end_of_crank)
    pin("K5_K4", "K5", "K4", on_k5)
    pin("K7_K6", "K7", "K6", on_k7)
    for other in ("K3", "K4", "K6"):
        pin(f"K2_{other}", "K2", other, squeezed)
    end_of_spring = 0.02 - 0.018j - (0.01043 - 0.01874j)  # from the centre of K3
    m.spring(
        "coil", {"on": "ground", "at": xyz(C)}, {"on": "K3", "at": xyz(end_of_spring)}, stiffness=4530.0,
        free_length=0.07785,
    )  # fmt: skip
    m.joint_torque("motor", "O.angle", value=0.033)
    return m


def crank_acceleration(results: Results) -> float:
    """β'' at the start, from the acceleration of the crank's centre: at rest it is TO_CENTRE β'' across the crank."""
    ax, ay, _ = results["K1.acceleration"].at(0.0)
    across = 1j * exp(1j * BETA)
    return (ax * across.real + ay * across.imag) / TO_CENTRE


def quantities():
    for angle, (hinge, start, reference) in ANGLES.items():

        def value(results: Results, hinge=hinge, start=start) -> float:
            return start + results[f"{hinge}.angle"].final

        yield Quantity(f"{angle} at 0.03 s", "rad", reference, 1e-6 * abs(reference), SOURCE, "A", value)
    yield Quantity("beta'' at the start", "rad/s^2", 14222.4439199541, 0.01, SOURCE, "A", crank_acceleration)


CASES = (case("a03", "Andrews' squeezing mechanism, 0.03 s", squeezer, quantities),)
