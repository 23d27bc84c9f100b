"""CalculiX on the shell problems: `ccx` of the system, shells of eight nodes with reduced integration (S8R), which fare
better than its S4 here. It makes twenty-node bricks (C3D20R) of them; where there are planes of symmetry they are given
as such bricks, for turns held at edges make its shells too stiff. The panel is integrated in steps that meet the
outputs, on coarse meshes without numerical damping (ALPHA=0: its default of -0.05 is less exact there), with which the
fine mesh goes astray. The time is that of the whole process, of which reading the mesh is a small part."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from panel_reference import PANEL
from shell_problems import PanelProblem, ShellProblem, shell_problems

MESHES = {
    "slit annulus": [(16, 2), (20, 3), (24, 3), (30, 4)],
    "hemisphere": [(8, 8), (10, 10), (12, 12), (16, 16), (20, 20)],
}
PANELS = {
    "panel 50 x 50": [(24, 3, -0.05), (24, 4, -0.05)],
    "panel": [(8, 3, 0.0), (10, 3, 0.0), (8, 4, 0.0), (10, 4, 0.0), (12, 4, 0.0)],
}
"""elements along a side, steps per output, ALPHA"""
LIMIT = 1500  # [s] of CPU time for one run: what takes longer is given up
INCREMENTS = "0.05, 1., 1e-6, 0.2"  # first, whole, shortest, longest: its own control decides


class Mesh:
    """A lattice of eight-node elements over two parameters from 0 to 1."""

    def __init__(self, n: int, m: int, place):
        self.n, self.m, self.place = n, m, place
        self.number: dict[tuple[int, int], int] = {}
        self.points: list[tuple] = []
        self.elements = [[self.node(*c) for c in self.corners(2 * a, 2 * b)] for a in range(n) for b in range(m)]

    def corners(self, i: int, j: int):
        middles = [(i, j + 1), (i + 1, j + 2), (i + 2, j + 1), (i + 1, j)]
        return [(i, j), (i, j + 2), (i + 2, j + 2), (i + 2, j), *middles]

    def node(self, i: int, j: int) -> int:
        if (i, j) not in self.number:
            self.number[i, j] = len(self.points) + 1
            self.points.append(self.place(i / (2 * self.n), j / (2 * self.m)))
        return self.number[i, j]

    def along_first(self, j: int) -> list[int]:
        return [self.node(i, j) for i in range(2 * self.n + 1) if (i, j) in self.number]

    def along_second(self, i: int) -> list[int]:
        return [self.node(i, j) for j in range(2 * self.m + 1) if (i, j) in self.number]


def growing(loads) -> list[str]:
    """Loads that grow slowly from nothing."""
    return ["*STATIC", INCREMENTS, "*CLOAD", *(f"{node}, {freedom}, {value:.12g}" for node, freedom, value in loads)]


def text(points, kind, elements, section, young, poisson, held, stepping, printed, frequency=1000) -> str:
    lines = ["*NODE, NSET=ALL"]
    lines += [f"{k}, {x:.12g}, {y:.12g}, {z:.12g}" for k, (x, y, z) in enumerate(points, 1)]
    lines += [f"*ELEMENT, TYPE={kind}, ELSET=E"]
    for k, nodes in enumerate(elements, 1):
        numbers = [str(k), *map(str, nodes)]
        lines += [", ".join(numbers[:11]) + ("," if len(numbers) > 11 else "")]
        lines += [", ".join(numbers[11:])] if len(numbers) > 11 else []
    lines += ["*NSET, NSET=P", *(f"{node}," for node in printed)]
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", f"{young:.12g}, {poisson:.12g}", *section, "*BOUNDARY"]
    lines += [f"{node}, {freedom}, {freedom}" for node, freedoms in held for freedom in freedoms]
    lines += ["*STEP, NLGEOM, INC=1000", *stepping]
    lines += [f"*NODE PRINT, NSET=P, FREQUENCY={frequency}", "U", "*END STEP", ""]
    return "\n".join(lines)


def annulus(n: int, m: int):
    def place(s, t):
        r, a = 6.0 + 4.0 * t, 2.0 * np.pi * s
        return r * np.cos(a), r * np.sin(a), 0.0

    mesh = Mesh(n, m, place)
    tip, part = mesh.along_second(2 * n), np.zeros(2 * m + 1)
    for b in range(m):
        part[2 * b : 2 * b + 3] += np.array([1.0, 4.0, 1.0]) / 6.0 * 3.2 / m
    held = [(node, range(1, 7)) for node in mesh.along_second(0)]
    loads = [(node, 3, p) for node, p in zip(tip, part, strict=True)]
    wanted = [(tip[0], 2, 1.0), (tip[-1], 2, 1.0)]
    section = ["*SHELL SECTION, ELSET=E, MATERIAL=M", "0.03"]
    printed = [tip[0], tip[-1]]
    return text(mesh.points, "S8R", mesh.elements, section, 21e6, 0.0, held, growing(loads), printed), wanted


def hemisphere(n: int, m: int):
    """One layer of twenty-node bricks."""
    number: dict[tuple[int, int, int], int] = {}
    points: list[tuple] = []

    def node(i, j, k):
        if (i, j, k) not in number:
            number[i, j, k] = len(points) + 1
            a, b, r = 0.25 * np.pi * i / n, np.radians(36.0) * j / m, 10.0 + 0.02 * (k - 1)
            points.append((r * np.cos(a) * np.cos(b), r * np.sin(a) * np.cos(b), r * np.sin(b)))
        return number[i, j, k]

    around = ((0, 0), (2, 0), (2, 2), (0, 2))
    middles = ((1, 0), (2, 1), (1, 2), (0, 1))
    order = [(*c, k) for k in (0, 2) for c in around] + [(*c, k) for k in (0, 2) for c in middles]
    order += [(*c, 1) for c in around]
    elements = [[node(2 * a + i, 2 * b + j, k) for i, j, k in order] for a in range(n) for b in range(m)]
    held = [(number[c], (2,)) for c in number if c[0] == 0] + [(number[c], (1,)) for c in number if c[0] == 2 * n]
    pulled, pushed = number[0, 0, 1], number[2 * n, 0, 1]
    held += [(pulled, (3,))]
    loads = [(pulled, 1, 200.0), (pushed, 2, -200.0)]
    section = ["*SOLID SECTION, ELSET=E, MATERIAL=M"]
    written = text(points, "C3D20R", elements, section, 6.825e7, 0.3, held, growing(loads), [pulled, pushed])
    return written, [(pulled, 0, 1.0), (pushed, 1, -1.0)]


def panel(n: int, steps: int, alpha: float):
    """S8R, n even: with a node at the centre."""
    mesh = Mesh(n, n, lambda s, t: (PANEL.side * s, PANEL.side * t, 0.0))
    edges = {node for i in (0, 2 * n) for node in (*mesh.along_first(i), *mesh.along_second(i))}
    centre, step = mesh.number[n, n], PANEL.duration / PANEL.outputs / steps
    section = ["*DENSITY", f"{PANEL.density:.12g}", "*SHELL SECTION, ELSET=E, MATERIAL=M", f"{PANEL.thickness:.12g}"]
    section += ["*AMPLITUDE, NAME=SUDDEN", f"0., 1., {PANEL.duration:.12g}, 1."]
    stepping = [f"*DYNAMIC, ALPHA={alpha}, DIRECT", f"{step:.12g}, {PANEL.duration:.12g}"]
    stepping += ["*DLOAD, AMPLITUDE=SUDDEN", f"E, P, {-PANEL.pressure:.12g}"]  # it counts pressure into the surface
    held = [(node, (1, 2, 3)) for node in sorted(edges)]
    elastic = PANEL.young, PANEL.poisson
    return text(mesh.points, "S8R", mesh.elements, section, *elastic, held, stepping, [centre], frequency=steps)


MODELS = {"slit annulus": annulus, "hemisphere": hemisphere}


def computed(written: str) -> tuple[float, list[list[str]]]:
    """(CPU seconds, rows of numbers it printed: node and displacements)"""
    Path("job.inp").write_text(written)
    Path("job.dat").unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        ["ccx", "job"],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rows = [line.split() for line in Path("job.dat").read_text().splitlines()] if Path("job.dat").exists() else []
    return cpu_s, [row for row in rows if len(row) == 4 and row[0].isdigit()]


def run(problem: ShellProblem, settings) -> tuple[float, float]:
    """(CPU seconds, error); the error is infinite if it does not finish."""
    if isinstance(problem, PanelProblem):
        cpu_s, rows = computed(panel(*settings))
        history = [0.0, *(float(row[3]) for row in rows)]
        return cpu_s, problem.error(history) if len(history) == PANEL.outputs + 1 else float("inf")
    written, wanted = MODELS[problem.name](*settings)
    cpu_s, rows = computed(written)
    found = {int(row[0]): [float(x) for x in row[1:]] for row in rows}
    if any(node not in found for node, _, _ in wanted):
        return cpu_s, float("inf")
    return cpu_s, problem.error([sign * found[node][axis] for node, axis, sign in wanted])


def version() -> str:
    done = subprocess.run(["ccx", "-v"], capture_output=True, text=True, check=False)
    words = done.stdout.split()
    return words[-1] if words else ""


def main() -> None:
    problem = shell_problems()[sys.argv[1]]
    if not shutil.which("ccx"):
        raise SystemExit("ccx is not installed (Debian: calculix-ccx)")
    families, tried = [], []
    for settings in (PANELS if isinstance(problem, PanelProblem) else MESHES)[problem.name]:
        print(f"{problem.name}, {settings} …", file=sys.stderr, flush=True)
        cpu_s, error = run(problem, settings)
        words = f"{settings[0]} x {settings[0]} S8R, {settings[1]} steps per output"
        words = words if isinstance(problem, PanelProblem) else f"{settings[0]} x {settings[1]}"
        families.append(f"{words}: {cpu_s:.2f} s, error {error:.1e}")
        print(families[-1], file=sys.stderr)
        tried.append({"cpu_s": cpu_s, "error": error, "settings": words})
        if error < problem.error_limit:
            break
    best = tried[-1]
    print(
        json.dumps({**best, "version": version(), "passed": best["error"] < problem.error_limit, "families": families})
    )


if __name__ == "__main__":
    main()
