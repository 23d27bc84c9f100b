"""A04: Bricard's mechanism, a spatial loop that moves although counting constraints says it cannot."""

from .case import Quantity, at, case, energy_drift, from_yaml

SOURCE = "independent integration, energy drift below 2e-11 J; agrees with the plot of IFToMM/LIM A04"
POSITIONS = {
    0.5: (0.77471781, -0.97981505, -0.19990616),
    1.0: (0.27448132, -0.88670794, -0.46233000),
    2.0: (-0.77813537, -0.98035268, -0.19725267),
    9.5: (0.78827278, -0.98191679, -0.18931301),
    10.0: (0.999730987, -0.999999964, -0.000268977),
}


def quantities():
    for time, reference in POSITIONS.items():
        for letter, value in zip("xyz", reference, strict=True):
            name = f"{letter} of P3 at {time:g} s"
            yield Quantity(name, "m", value, 1e-6, SOURCE, "D", at(f"rod2.end.position.{letter}", time))
    yield energy_drift(1e-6)


CASES = (case("a04", "Bricard mechanism, over-constrained, 10 s", from_yaml("a04.yaml"), quantities),)
