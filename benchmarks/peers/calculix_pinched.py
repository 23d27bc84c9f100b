"""The pinched cylinder of Sze, Liu and Lo (section 3.6) by CalculiX: the reference of the case `pinched_cylinder`.

    python benchmarks/peers/calculix_pinched.py 36        # share of the load, inwards, aside; about ten minutes

An eighth of it, one layer of twenty-node bricks. The end is held at its middle surface; the deflection under the load
is prescribed, for the load hardly grows while the dimple forms.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

RADIUS, LENGTH, THICKNESS, YOUNG, POISSON, LOAD, DEFLECTION = 100.0, 100.0, 1.0, 30e3, 0.3, 3000.0, 84.5
AROUND, MIDDLES = ((0, 0), (2, 0), (2, 2), (0, 2)), ((1, 0), (2, 1), (1, 2), (0, 1))
ORDER = [(*c, k) for places in (AROUND, MIDDLES) for k in (0, 2) for c in places] + [(*c, 1) for c in AROUND]
SHARES = (0.05, 0.075, 0.1, 0.125, 0.175, 0.2, 0.25, 0.3, 0.5, 0.75, 1.0)


def written(n: int) -> str:
    number: dict[tuple[int, int, int], int] = {}

    def node(i: int, j: int, k: int) -> int:
        return number.setdefault((i, j, k), len(number) + 1)

    elements = [[node(2 * a + i, 2 * b + j, k) for i, j, k in ORDER] for a in range(n) for b in range(n)]
    lines = ["*NODE, NSET=ALL"]
    for (i, j, k), name in number.items():
        a, r = 0.25 * np.pi * i / n, RADIUS + 0.5 * THICKNESS * (k - 1)
        lines += [f"{name}, {r * np.cos(a):.12g}, {r * np.sin(a):.12g}, {LENGTH * j / (2 * n):.12g}"]
    lines += ["*ELEMENT, TYPE=C3D20R, ELSET=E"]
    for k, nodes in enumerate(elements, 1):
        lines += [f"{k}, " + ", ".join(map(str, nodes[:10])) + ",", ", ".join(map(str, nodes[10:]))]
    held = [(name, freedom) for c, name in number.items() for freedom in planes(c, n)]
    for i in range(2 * n + 1):
        for freedom in {1, 2} - set(planes((i, 2 * n, 0), n)):
            if i % 2 == 0:
                held += [(number[i, 2 * n, 1], freedom)]
            else:  # no node in the middle of the thickness: the mean of those outside and inside
                pair = f"{number[i, 2 * n, 2]}, {freedom}, 1., {number[i, 2 * n, 0]}, {freedom}, 1."
                lines += ["*EQUATION", "2", pair]
    under, beside = number[0, 0, 1], number[2 * n, 0, 1]
    lines += ["*NSET, NSET=P", f"{under},", f"{beside},", "*MATERIAL, NAME=M", "*ELASTIC", f"{YOUNG}, {POISSON}"]
    lines += ["*SOLID SECTION, ELSET=E, MATERIAL=M", "*BOUNDARY", *(f"{name}, {f}, {f}" for name, f in held)]
    lines += ["*STEP, NLGEOM, INC=2000", "*STATIC", "0.025, 1., 1e-7, 0.05", "*BOUNDARY"]
    lines += [f"{under}, 1, 1, {-DEFLECTION}", "*NODE PRINT, NSET=P", "U, RF", "*END STEP", ""]
    return "\n".join(lines)


def planes(c: tuple[int, int, int], n: int) -> list[int]:
    """Freedoms that planes of symmetry hold."""
    return [freedom for freedom, on in ((2, c[0] == 0), (1, c[0] == 2 * n), (3, c[1] == 0)) if on]


def path(text: str) -> np.ndarray:
    """(share of the load, inwards, aside) of all increments; nodes are printed in the order of their numbers."""
    found: dict[str, list[list[float]]] = {"displacements": [], "forces": []}
    rows: list[list[float]] = []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] in found:
            rows = found[words[0]]
        elif words:
            rows.append([float(x) for x in words[1:]])
    moved, force = (np.array(found[name]).reshape(-1, 2, 3) for name in ("displacements", "forces"))
    return np.column_stack((-force[:, 0, 0] / LOAD, -moved[:, 0, 0], moved[:, 1, 1]))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job"
        job.with_suffix(".inp").write_text(written(int(sys.argv[1])))
        subprocess.run(["ccx", job], env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, check=True)
        share, inwards, aside = path(job.with_suffix(".dat").read_text()).T
    from scipy.interpolate import CubicSpline

    fine = np.linspace(0.0, inwards[-1], 200001)
    start = np.zeros((1, 3))
    share, inwards, aside = np.concatenate((start, np.column_stack((share, inwards, aside)))).T
    shares, asides = CubicSpline(inwards, np.column_stack((share, aside)))(fine).T
    for wanted in SHARES:
        k = int(np.argmax(shares >= wanted))
        print(f"{wanted:6g} {fine[k]:9.3f} {asides[k]:9.3f}")


if __name__ == "__main__":
    main()
