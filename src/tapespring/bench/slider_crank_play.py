"""A slider-crank whose slider has play between two walls: 50 impacts, some of them piling up into closed phases.

The slider is a point at the end of the rod; walls stand at y = ±1 mm; restitution 0.4, none below 1e-5 m/s; no friction
anywhere.
"""

from ..model import Model
from .case import Quantity, case, final
from .momentum_events import audit, count, nth

SOURCE = (
    "parameters of Flores, Leine and Glocker 2010 as in siconos SliderCrank, without friction; independent integration "
    "of the two angles, whose final state depends on its tolerance by 5e-10"
)
CRANK, ROD, PLAY, G = 0.153, 0.306, 1e-3, 9.81
RATES = (150.0, -75.0)
HITS = ("top.hit", "bottom.hit")
IMPACTS = (
    0.002692502752021088, 0.005607797868070455, 0.007465635169560274, 0.00840925274907049, 0.00883164216054696,
    0.009009132575399889, 0.009081604612347433, 0.009110837466121527, 0.009122570184104605,
    0.009127269638082414, 0.00912915044105855, 0.00912990292658162, 0.009130203947036232, 0.025868167676247524,
    0.028633275737304058, 0.029600210790209875, 0.029979725294420823, 0.03013137499872717, 0.03019208184365501,
    0.03021637699698049, 0.030226097367466908, 0.030229985905865456, 0.03023154138477854, 0.03023216358624053,
    0.03023241246896608, 0.030232512028237513, 0.03023255186072081, 0.03975570145030425, 0.04382638105234174,
    0.0465498316064657, 0.04830146054502609, 0.049397470031577684, 0.0500983358078043, 0.05063941647797931,
    0.06200965450267653, 0.06481904127766414, 0.06563071167407517, 0.06592378447408805, 0.06603707458013794,
    0.06608183543674734, 0.06609965593657839, 0.06610677104671492, 0.0661096150171453, 0.06611075227478631,
    0.06611120712540589, 0.06611138905271602, 0.06611146182818109, 0.06611149095150605, 0.07187839650080091,
    0.07898308778731504,
)  # fmt: skip
RELEASES = {"top": (0.015020309096561608,), "bottom": (0.034298095115590906, 0.06817939387712375)}
ANGLE = 7.344899662216915  # of the crank at 0.08 s


def slider_crank() -> Model:
    """Bodies by their joints; the slider a point mass."""
    m = Model(name="Slider-crank with play", gravity=(0, -G, 0), duration=0.08, outputs=160)
    m.settings = m.settings.changed(solver="ode", tolerance=1e-13)
    w1, w2 = RATES
    tip = CRANK * w1
    m.rigid("crank", at=(CRANK / 2, 0, 0), mass=0.038, inertia=(1e-5, 7.4e-5, 7.4e-5),
            velocity=(0, tip / 2, 0), angular_velocity=(0, 0, w1))  # fmt: skip
    m.rigid("rod", at=(CRANK + ROD / 2, 0, 0), mass=0.038, inertia=(1e-5, 5.9e-4, 5.9e-4),
            velocity=(0, tip + ROD / 2 * w2, 0), angular_velocity=(0, 0, w2))  # fmt: skip
    m.point_mass("slider", at=(CRANK + ROD, 0, 0), mass=0.076, velocity=(0, tip + ROD * w2, 0))
    m.revolute("main", "ground", "crank", at=(0, 0, 0), axis="z")
    m.revolute("pin", "crank", "rod", at=(CRANK, 0, 0), axis="z")
    m.spherical("wrist", "rod", "slider", at=(CRANK + ROD, 0, 0))
    for name, side in (("top", 1), ("bottom", -1)):
        wall = {"kind": "half_space", "on": "ground", "at": (0, side * PLAY, 0), "normal": (0, -side, 0)}
        m.contact(name, between=[wall, "slider"], law={"kind": "momentum", "restitution": 0.4, "rest_speed": 1e-5})
    return m


def quantities():
    yield Quantity("impacts", "1", 50, 0.5, SOURCE, "D", count(*HITS))
    for k, time in enumerate(IMPACTS, 1):
        yield Quantity(f"impact {k}", "s", time, 1e-11 if k <= 8 else 1e-10, SOURCE, "D", nth(k, *HITS))
    for wall, times in RELEASES.items():
        for k, time in enumerate(times, 1):
            yield Quantity(f"{wall} released {k}", "s", time, 1e-11, SOURCE, "D", nth(k, f"{wall}.separation"))
    yield Quantity("crank at 0.08 s", "rad", ANGLE, 1e-9, SOURCE, "D", final("main.angle"))
    yield Quantity("energy audit", "1", 0.0, 1e-10, "every joule lost is booked", "A", audit)


CASES = (case("slider_crank_play", "slider-crank with play, impacts by momentum", slider_crank, quantities),)
