"""Two elastic bars that meet end to end: waves of Saint-Venant carry the momentum of one into the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import pi, sqrt

import numpy as np

from ..model import Model
from ..results import Results
from .case import Case, Quantity

SOURCE = "waves in one dimension (Saint-Venant)"
AREA, YOUNG, DENSITY, SPEED, GAP = 4e-4, 2e11, 7800.0, 1.0, 1e-5
WAVE = sqrt(YOUNG / DENSITY)
PER_METRE = 200  # elements; what is left of the error halves as they are doubled


@dataclass(frozen=True)
class Bars:
    """Length of the flying bar, area of the one at rest (1 m), and what waves make of them."""

    length: float = 1.0
    area: float = AREA
    clamped: bool = False
    lasts: float = 2.0  # contact, in times that a wave takes for 1 m
    after: tuple[float, float] = (0.0, 1.0)  # mean velocities, in those of the impact

    @property
    def force(self) -> float:
        """Of two impedances ρ c A in series [N]."""
        return DENSITY * WAVE * SPEED / (1.0 / AREA + 1.0 / self.area)


PAIRS = {
    "equal": Bars(),
    "short on long": Bars(length=0.5, lasts=1.0, after=(0.0, 0.5)),
    "thin on thick": Bars(area=4.0 * AREA, after=(-0.6, 0.4)),
    "on a clamped one": Bars(clamped=True, lasts=4.0, after=(-1.0, 0.0)),
}


def model_of(bars: Bars, per_metre: int = PER_METRE) -> Model:
    """The contact is as stiff as an element, so that it adds one to them."""
    m = Model(name="bars in line", duration=GAP / SPEED + (bars.lasts + 1.0) / WAVE, solver="implicit", outputs=400)
    m.settings = m.settings.changed(step=1.0 / per_metre / WAVE, dissipation=0.8)
    material = {"young": YOUNG, "poisson": 0.3, "density": DENSITY}
    ends = {"flying": (-bars.length, 0.0), "struck": (GAP, GAP + 1.0)}
    for (name, (start, end)), area, speed in zip(ends.items(), (AREA, bars.area), (SPEED, 0.0), strict=True):
        m.beam(
            name, path=[[start, 0, 0], [end, 0, 0]], elements=round(per_metre * (end - start)), material=material,
            section={"kind": "circle", "radius": sqrt(area / pi)}, velocity=(speed, 0, 0),
        )  # fmt: skip
    if bars.clamped:
        m.fixed("wall", m.ground, "struck.end")
    face = {"kind": "half_space", "on": "struck.start", "normal": "-x"}
    tip = {"kind": "sphere", "on": "flying.end", "radius": 0}
    m.contact("touch", between=[face, tip], law={"kind": "linear", "stiffness": YOUNG * AREA * per_metre})
    return m


def contact_time(results: Results) -> float:
    """Over which the force is more than half of its median [s]."""
    force = results["touch.normal"].values
    pressed = results.time[force > 0.5 * np.median(force[force > 0.0])]
    return float(np.ptp(pressed))


def plateau(lasts: float, results: Results) -> float:
    """Mean force from a tenth to nine tenths of the contact [N]."""
    since = (results.time - GAP / SPEED) * WAVE / lasts
    return float(results["touch.normal"].values[(since > 0.1) & (since < 0.9)].mean())


def impulse(results: Results) -> float:
    return float(np.trapezoid(results["touch.normal"].values, results.time))


def mean_velocity(bar: str, results: Results) -> float:
    """Of the centre of mass over the last tenth of the run [m/s]; nodes are equally far from each other."""
    places = results[f"{bar}.positions"].values
    along = places.reshape(len(places), -1, 3)[:, :, 0]
    centre = (along.sum(axis=1) - 0.5 * (along[:, 0] + along[:, -1])) / (along.shape[1] - 1)
    late = results.time > 0.9 * results.time[-1]
    return float(np.polyfit(results.time[late], centre[late], 1)[0])


def quantities() -> Iterator[Quantity]:
    for run, bars in PAIRS.items():
        lasts = bars.lasts / WAVE
        name = f"time of contact, {run}"
        yield Quantity(name, "s", lasts, 1e-2 * lasts, SOURCE, "A", contact_time, run)
        force = partial(plateau, bars.lasts)
        yield Quantity(f"force, {run}", "N", bars.force, 5e-3 * bars.force, SOURCE, "A", force, run)
        momentum = bars.force * lasts
        yield Quantity(f"impulse, {run}", "N s", momentum, 1e-2 * momentum, SOURCE, "A", impulse, run)
        for bar, velocity in zip(("flying", "struck"), bars.after, strict=True):
            value = partial(mean_velocity, bar)
            yield Quantity(f"{bar} bar after, {run}", "m/s", velocity * SPEED, 1e-2 * SPEED, SOURCE, "A", value, run)


MODELS = {run: partial(model_of, bars) for run, bars in PAIRS.items()}
CASES = (Case("bars_in_line", "longitudinal impact of two elastic bars", MODELS, quantities),)
