"""Scissor mast of any number of bays: ideal or loose pins, rigid bars, beams or bodies by modes.

python examples/mast/mast.py --bays 4                      deployment, phase plane, orbit of a pin, deviation of the tip
python examples/mast/mast.py --bays 2 --bars beam          the same with bars that bend (or --bars modal)
python examples/mast/mast.py --bays 4 --film 0 --seeds 12  without film the motion is chaotic: spread of the tip
python examples/mast/mast.py --growth 2 4 8 16             deviation and looseness by the number of bays

Plots go to mast_*.svg in the present folder. Bars of 1 m and 0.36 kg are 2 N; A rises from below, B falls from above;
the lower left bearing is fixed, the upper one moves down, which takes the angle of the bars from 70° to 30°.
"""

from __future__ import annotations

import argparse
from math import cos, radians, sin
from pathlib import Path

import numpy as np

from tapespring import Model
from tapespring.svg import Curve, plot

START, END, LENGTH = 70.0, 30.0, 1.0
LAW = {"kind": "nonlinear", "stiffness": "1e9 N/m^1.5", "damping": "1e9 N s/m^2.5"}
TUBE = {
    "kind": "general", "axial_stiffness": "9.3 MN", "shear_stiffness": "1.7 MN", "bending_stiffness": "957 N m^2",
    "torsion_stiffness": "720 N m^2", "mass_per_length": "0.36 kg/m", "rotary_inertia": [1e-4, 5e-5, 5e-5],
}  # fmt: skip
ENDS = {"left": "start", "right": "end", "middle": "middle"}  # names of the places of a beam


def angle_of(t, bays: int):
    """Of the bars [rad], a step of fifth order that takes half a second per bay."""
    s = np.clip(np.asarray(t) / (0.5 * bays), 0.0, 1.0)
    return np.radians(START + (END - START) * (10 * s**3 - 15 * s**4 + 6 * s**5))


def swing(bays: int) -> str:
    """The same as a formula."""
    way = f"(10*(t/{0.5 * bays})^3 - 15*(t/{0.5 * bays})^4 + 6*(t/{0.5 * bays})^5)"
    return f"({radians(END - START)!r}*{way} + {radians(START)!r})"


def bar(i: int, rises: bool, kind: str, mass: float) -> dict:
    """Bar A_i or B_i with the places left, middle and right."""
    a = radians(START) if rises else -radians(START)
    middle = np.array([(i - 0.5) * cos(a), 0.5 * sin(abs(a)), 0.0])
    half = 0.5 * LENGTH * np.array([cos(a), sin(a), 0.0])
    beam = {
        "kind": "beam", "path": [(middle - half).tolist(), (middle + half).tolist()], "elements": 4,
        "section": TUBE, "up": [0, 0, 1], "markers": {"middle": "50 %"}, "damping": {"stiffness": "2e-5 s"},
    }  # fmt: skip
    if kind == "beam":
        return beam
    if kind == "modal":
        places = {name: f"tube.{place}" for name, place in ENDS.items()}
        return {"kind": "modal", "of": {"bodies": {"tube": beam}}, "interfaces": places, "modes": 4, "damping": 0.01}
    return {
        "kind": "rigid", "at": middle.tolist(), "orientation": {"axis": "z", "angle": a}, "mass": mass,
        "inertia": [1e-4, 0.03, 0.03], "markers": {"left": [-0.5, 0, 0], "middle": [0, 0, 0], "right": [0.5, 0, 0]},
    }  # fmt: skip


def place(name: str, where: str, kind: str) -> str:
    return f"{name}.{ENDS[where] if kind == 'beam' else where}"


def mast(bays=4, bars="rigid", clearance=2e-4, film=20.0, seed=0, outputs=400, **simulate) -> Model:
    """With clearance 0 the pins are ideal; a seed changes masses by a millionth, which tells what is chance."""
    a, chance = radians(START), np.random.default_rng(seed)
    bodies: dict = {
        "top": {"kind": "moving_frame", "at": [0, sin(a), 0], "position": [0, f"sin{swing(bays)} - {sin(a)!r}", 0]}
    }
    joints: dict = {}
    contacts: dict = {}

    def pin(name, first, second, point):
        if clearance:
            contacts[name] = {
                "kind": "clearance_revolute", "between": [first, second], "at": point, "axis": "z",
                "clearance": clearance, "film": film, "law": LAW,
            }  # fmt: skip
        else:
            joints[name] = {"kind": "revolute", "between": [first, second], "at": point, "axis": "z"}

    for i in range(1, bays + 1):
        for name, rises in ((f"A{i}", True), (f"B{i}", False)):
            bodies[name] = bar(i, rises, bars, 0.36 * (1.0 + (1e-6 * chance.standard_normal() if seed else 0.0)))
            if clearance:  # loose pins do not hold across the plane
                held = {"kind": "planar", "between": ["ground", place(name, "middle", bars)], "axis": "z"}
                joints[f"flat_{name}"] = held
        middle = [(i - 0.5) * cos(a), 0.5 * sin(a), 0.0]
        pin(f"M{i}", place(f"A{i}", "middle", bars), place(f"B{i}", "middle", bars), middle)
        low, high = ("ground", "top")
        if i > 1:
            low, high = place(f"B{i - 1}", "right", bars), place(f"A{i - 1}", "right", bars)
        pin(f"L{i}", low, place(f"A{i}", "left", bars), [(i - 1) * cos(a), 0.0, 0.0])
        pin(f"U{i}", high, place(f"B{i}", "left", bars), [(i - 1) * cos(a), sin(a), 0.0])
    settings = {"duration": 0.5 * bays, "outputs": outputs} | simulate
    if bars == "rigid":
        settings = {"solver": "ode", "tolerance": 1e-5} | settings
    else:
        settings = {"solver": "implicit", "tolerance": 1e-6} | settings
    sections = {"bodies": bodies, "joints": joints, "contacts": contacts}
    return Model.from_plain({
        "name": f"scissor mast of {bays} bays, {bars} bars, {'loose' if clearance else 'ideal'} pins",
        **{name: section for name, section in sections.items() if section}, "simulate": settings,
    })  # fmt: skip


def tip(results, bays: int, bars: str) -> np.ndarray:
    """(times, 2) mean of the free ends of the last two bars."""
    ends = [results[f"{place(f'{name}{bays}', 'right', bars)}.position"].values[:, :2] for name in "AB"]
    return 0.5 * (ends[0] + ends[1])


def ideal_tip(t, bays: int) -> np.ndarray:
    """With rigid bars and ideal pins; its height is that of the middle of the mast."""
    angle = angle_of(t, bays)
    return np.column_stack((bays * np.cos(angle), 0.5 * np.sin(angle)))


def deviation(results, bays: int, bars: str) -> np.ndarray:
    return tip(results, bays, bars) - ideal_tip(results.time, bays)


def save(name: str, *arguments, **options) -> None:
    Path(f"mast_{name}.svg").write_text(plot(*arguments, **options), encoding="utf-8")


def show(bays: int, bars: str, clearance: float, film: float) -> None:
    """One deployment and its pictures."""
    results = mast(bays, bars, clearance, film).simulate()
    off = 1e3 * deviation(results, bays, bars)
    t = results.time
    save("tip", "deviation of the tip", [Curve("x", t, off[:, 0]), Curve("y", t, off[:, 1])], "t [s]", "mm")
    last = place(f"A{bays}", "right", bars)
    height, rise = (results[f"{last}.{what}.y"].values for what in ("position", "velocity"))
    save("phase", f"phase plane of {last}", [Curve("", height, rise)], "y [m]", "y' [m/s]")
    if clearance:
        ends = [results[f"{place(f'{name}1', 'middle', bars)}.position"].values for name in "BA"]
        orbit = 1e3 * (ends[0] - ends[1])
        around = np.linspace(0.0, 2.0 * np.pi, 100)
        circle = Curve("clearance", 1e3 * clearance * np.cos(around), 1e3 * clearance * np.sin(around))
        drawn = [Curve("journal M1", orbit[:, 0], orbit[:, 1]), circle]
        save("orbit", "orbit of the first middle pin", drawn, "x [mm]", "y [mm]")
    cpu = results.timing["solver_cpu_s"]
    print(f"{bays} bays, {bars} bars: {results.status.code}, {cpu:.2f} s CPU, {results.verdict.sentence}")
    print(f"tip off by {np.abs(off).max():.3f} mm at most, {np.sqrt((off**2).sum(axis=1).mean()):.3f} mm on average")


def chance(bays: int, clearance: float, film: float, seeds: int) -> None:
    """The same deployment with masses that differ by a millionth."""
    ends = np.array([tip(mast(bays, "rigid", clearance, film, k + 1).simulate(), bays, "rigid") for k in range(seeds)])
    t = np.linspace(0.0, 0.5 * bays, ends.shape[1])
    spread = 1e3 * ends.std(axis=0, ddof=1)
    save("spread", f"spread of the tip over {seeds} seeds", [
        Curve("x", t[1:], spread[1:, 0]), Curve("y", t[1:], spread[1:, 1])
    ], "t [s]", "standard deviation [mm]", log_y=True)  # fmt: skip
    middle, wide = ends[:, -1].mean(axis=0), spread[-1]
    print(f"complete: {seeds} seeds; tip at the end {middle[0]:.5f} ± {1e-3 * wide[0]:.5f} m along, "
          f"{middle[1]:.5f} ± {1e-3 * wide[1]:.5f} m across")  # fmt: skip


def growth(counts: list[int], clearance: float, film: float) -> None:
    """Error of shape and looseness by the number of bays."""
    print("bays   tip off, mean [mm]   largest [mm]   axis off its line, largest [mm]   CPU [s]")
    rows = []
    for bays in counts:
        results = mast(bays, "rigid", clearance, film).simulate()
        off = 1e3 * deviation(results, bays, "rigid")
        middles = [0.5 * sum(results[f"{b}{i}.position.y"].values for b in "AB") for i in range(1, bays + 1)]
        bend = 1e3 * np.abs(np.array(middles) - 0.5 * np.sin(angle_of(results.time, bays))).max()
        rows.append((bays, np.sqrt((off**2).sum(axis=1).mean()), np.abs(off).max(), bend))
        print(f"{bays:4d} {rows[-1][1]:16.3f} {rows[-1][2]:16.3f} {bend:24.3f} {results.timing['solver_cpu_s']:18.2f}")
    x, mean, most, _ = np.array(rows).T
    drawn = [Curve("mean", x, mean, points=True), Curve("largest", x, most, points=True)]
    save("growth", "deviation of the tip by the number of bays", drawn, "bays", "mm", log_x=True, log_y=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bays", type=int, default=4)
    parser.add_argument("--bars", choices=("rigid", "beam", "modal"), default="rigid")
    parser.add_argument("--clearance", type=float, default=2e-4, help="of all pins [m]; 0: ideal")
    parser.add_argument("--film", type=float, default=20.0, help="[N s/m]")
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--growth", type=int, nargs="*")
    given = parser.parse_args()
    if given.growth:
        growth(given.growth, given.clearance, given.film)
    elif given.seeds:
        chance(given.bays, given.clearance, given.film, given.seeds)
    else:
        show(given.bays, given.bars, given.clearance, given.film)


if __name__ == "__main__":
    main()
