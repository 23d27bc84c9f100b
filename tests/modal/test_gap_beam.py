"""A beam by modes strikes stops: imported matrices, all their modes, against an independent integration.

Pinned at both ends, 20 linear Hermite elements with consistent mass; 20 N for half a sine of 5 ms at 0.3 m; stops
0.2 mm above and below the middle, 1e9 N/m^1.5; damping 1e-5 s times stiffness.
"""

from dataclasses import replace

import numpy as np
import pytest

import tapespring as ts

ELEMENTS, EI, MU, GAP, RADIUS = 20, 70e9 * 0.02 * 0.005**3 / 12.0, 0.27, 2e-4, 0.01
# middle and load point at some times [s]: reference solution of the same equations (SciPy), to 1e-12 m
WANTED = {
    0.01: (0.00020393273347, 0.00127140291225),
    0.02: (-5.04588002196e-05, -0.000868104730453),
    0.03: (-0.000204007011652, 0.00085676209855),
    0.04: (0.00013911416641, -0.00106221640214),
    0.05: (1.70324315009e-05, 0.00116840851296),
}


def hermite_matrices():
    h, count = 1.0 / ELEMENTS, 2 * (ELEMENTS + 1)
    k = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                  [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]) * EI / h**3  # fmt: skip
    m = np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                  [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]]) * MU * h / 420  # fmt: skip
    K, M = np.zeros((count, count)), np.zeros((count, count))
    for e in range(ELEMENTS):
        some = slice(2 * e, 2 * e + 4)
        K[some, some] += k
        M[some, some] += m
    return K, M


def stop(side: float) -> dict:
    wall = {"kind": "half_space", "on": "ground", "at": [0.5, side * (GAP + RADIUS), 0], "normal": [0, -side, 0]}
    law = {"kind": "nonlinear", "stiffness": "1e9 N/m^1.5", "n": 1.5}
    return {"kind": "contact", "between": [wall, {"kind": "sphere", "on": "beam.middle", "radius": RADIUS}], "law": law}


@pytest.fixture(scope="module")
def struck(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gap")
    K, M = hermite_matrices()
    positions = np.zeros((ELEMENTS + 1, 3))
    positions[:, 0] = np.linspace(0.0, 1.0, ELEMENTS + 1)
    ends = np.array([0, 2 * ELEMENTS])
    np.savez(folder / "matrices.npz", mass=M, stiffness=K, positions=positions, components=["y", "rz"], held=ends)
    places = {"load": "6", "middle": "10"}
    body = ts.reduce(folder / "matrices.npz", places, method="normal", modes=len(K) - 2)
    replace(body, damping=1e-5 * body.stiffness).save(folder / "beam.npz")
    push = {"kind": "load", "on": "beam.load", "force": [0, "if(t < 0.005, 20*sin(pi*t/0.005), 0)", 0]}
    return ts.Model.from_plain({
        "name": "beam between stops", "bodies": {"beam": {"kind": "modal", "file": "beam.npz"}},
        "forces": {"push": push}, "contacts": {"above": stop(1.0), "below": stop(-1.0)},
    }, folder=folder).simulate("50 ms", outputs=10, solver="ode", tolerance=1e-9)  # fmt: skip


def test_beam_strikes_its_stops_as_the_reference_does(struck):
    found = np.array([[struck[f"beam.{place}.position.y"].at(t) for place in ("middle", "load")] for t in WANTED])
    assert found == pytest.approx(np.array(list(WANTED.values())), abs=1e-11)


def test_energy_of_impacts_is_accounted_for(struck):
    assert struck.audit.relative < 1e-8
    assert sum("hit" in event.name for event in struck.events) > 10
