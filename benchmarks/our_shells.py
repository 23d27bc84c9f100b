"""tapespring's side of the shell problems: `solve(problem)` gives the CPU seconds of the solver and the error."""

from __future__ import annotations

from panel_reference import PANEL
from shell_problems import PanelProblem, ShellProblem

MESHES = {"slit annulus": [(40, 5), (50, 6), (60, 8), (80, 10)], "hemisphere": [(10, 10), (12, 12), (14, 14), (16, 16)]}
PANELS = {"panel 50 x 50": [(50, 3e-4), (50, 2e-4), (50, 1e-4)], "panel": [(28, 1e-4), (32, 1e-4), (36, 1e-4)]}
"""elements along a side, tolerance"""
REPEATS = 2


def annulus(divisions):
    import tapespring as ts

    m = ts.Model(name="slit annulus")
    mesh = {"kind": "disc", "radius": 10, "inner_radius": 6, "slit": True, "divisions": list(divisions)}
    m.shell("s", mesh=mesh, thickness=0.03, material={"young": 21e6, "poisson": 0, "density": 1})
    m.support("clamp", "s.slit_a")
    m.spread_load("lift", "s.slit_b", force=[0, 0, "3.2*t"])
    return m, (("s.inner_slit_b", "z", 1.0), ("s.outer_slit_b", "z", 1.0))


def hemisphere(divisions):
    import tapespring as ts

    m = ts.Model(name="hemisphere")
    mesh = {"kind": "sphere", "radius": 10, "hole": "18 deg", "angle": "90 deg", "divisions": list(divisions)}
    m.shell("s", mesh=mesh, thickness=0.04, material={"young": 6.825e7, "poisson": 0.3, "density": 1})
    m.support("plane_y", "s.left", symmetry="y")
    m.support("plane_x", "s.right", symmetry="x")
    m.support("height", "s.equator_left", hold=["z"])
    m.load("out", "s.equator_left", force=["200*t", 0, 0])
    m.load("in", "s.equator_right", force=[0, "-200*t", 0])
    return m, (("s.equator_left", "x", 1.0), ("s.equator_right", "y", -1.0))


def panel(n: int, tolerance: float):
    import tapespring as ts

    m = ts.Model(name="panel")
    mesh = {"kind": "plate", "length": PANEL.side, "width": PANEL.side, "divisions": [n, n]}
    material = {"young": PANEL.young, "poisson": PANEL.poisson, "density": PANEL.density}
    m.shell("s", mesh=mesh, thickness=PANEL.thickness, material=material)
    for edge in ("left", "right", "bottom", "top"):
        m.support(edge, f"s.{edge}", hold=["x", "y", "z"])
    m.pressure("pressure", "s", pressure=PANEL.pressure)
    times = {"duration": PANEL.duration, "outputs": PANEL.outputs}
    m.settings = m.settings.changed(solver="implicit", tolerance=tolerance, **times)
    return m


def run_panel(problem: PanelProblem, n: int, tolerance: float) -> tuple[float, float]:
    results = panel(n, tolerance).simulate()
    return results.timing["solver_cpu_s"], problem.error(results["s.centre.position.z"].values)


MODELS = {"slit annulus": annulus, "hemisphere": hemisphere}


def run(problem: ShellProblem, divisions) -> tuple[float, float]:
    model, places = MODELS[problem.name](divisions)
    model.settings = model.settings.changed(solver="quasi-static", duration=1, outputs=20)
    times, error = [], 1.0
    for _ in range(REPEATS):
        results = model.simulate()
        times.append(results.timing["solver_cpu_s"])
        moved = [
            s * float(results[f"{p}.position.{c}"].values[-1] - results[f"{p}.position.{c}"].values[0])
            for p, c, s in places
        ]
        error = problem.error(moved)
    return min(times), error


def solve(problem: ShellProblem) -> tuple[float, float]:
    """Of the coarsest mesh (or largest tolerance) that reaches the error."""
    cpu_s, error = 0.0, 1.0
    for settings in (PANELS if isinstance(problem, PanelProblem) else MESHES)[problem.name]:
        cpu_s, error = run_panel(problem, *settings) if isinstance(problem, PanelProblem) else run(problem, settings)
        if error < problem.error_limit:
            break
    return cpu_s, error
