"""The spatial slider-crank of the IFToMM library, with the axis the sheet leaves open along z in the slider."""

from .case import Quantity, at, case, energy_drift, from_yaml

SOURCE = "independent integration of the IFToMM spatial slider-crank (slider-fixed cross axis z)"
#: time: (slider x [m], crank angle [rad], crank speed [rad/s])
STATES = {
    0.5: (0.1850412, 5.6398867, 13.9098562),
    1.0: (0.2078958, 10.9944977, 10.4989944),
    5.0: (0.2202527, 54.7250511, 10.5189289),
}


def quantities():
    for time, (x, angle, speed) in STATES.items():
        yield Quantity(f"slider x at {time:g} s", "m", x, 1e-6, SOURCE, "D", at("slider.position.x", time))
        yield Quantity(f"crank angle at {time:g} s", "rad", angle, 1e-5, SOURCE, "D", at("A.angle", time))
        yield Quantity(f"crank speed at {time:g} s", "rad/s", speed, 1e-5, SOURCE, "D", at("A.angle.rate", time))
    yield energy_drift(1e-7)


CASES = (case("slider_crank_3d", "spatial slider-crank, 5 s", from_yaml("slider_crank_3d.yaml"), quantities),)
