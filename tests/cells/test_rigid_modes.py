"""Elements resist every deformation and no rigid motion, wherever they are. A membrane gives way across itself."""

import numpy as np
import pytest
from contract_evaluation import Evaluation, rotation

KITE = [[0, 0, 0], [1.1, 0.1, 0.05], [1.2, 0.9, -0.1], [-0.1, 1.0, 0.1]]
FLAT = [[x, y, 0] for x, y, _ in KITE]
TETRA = np.array([[0, 0, 0], [1, 0.1, 0], [0.1, 1, 0.1], [0, 0.2, 1.1]])
MIDDLES = [0.5 * (TETRA[i] + TETRA[j]) for i, j in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))]
CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)
BENT = CUBE + 0.15 * np.random.default_rng(5).uniform(-1, 1, CUBE.shape)
SHEET = {"thickness": 0.1, "material": {"young": 1000, "poisson": 0.3, "density": 10}}
PLY = {"young": 1000, "young_across": 100, "poisson": 0.3, "shear": 80, "density": 10}
LAYERS = {"layers": [{"thickness": 0.1, "material": PLY, "angle": a} for a in ("30 deg", "-50 deg")]}
SOLID = {"material": SHEET["material"]}
ONE = {  # body, its motions without strain: six, or for a flat membrane three in the plane and one per node across
    "quad shell": ({"kind": "shell", "nodes": KITE, "quads": [[0, 1, 2, 3]]} | SHEET, 6),
    "triangle shell": ({"kind": "shell", "nodes": KITE[:3], "triangles": [[0, 1, 2]]} | SHEET, 6),
    "layered quad": ({"kind": "shell", "nodes": KITE, "quads": [[0, 1, 2, 3]]} | LAYERS, 6),
    "layered triangle": ({"kind": "shell", "nodes": KITE[:3], "triangles": [[0, 1, 2]]} | LAYERS, 6),
    "quad membrane": ({"kind": "membrane", "nodes": FLAT, "quads": [[0, 1, 2, 3]]} | SHEET, 7),
    "triangle membrane": ({"kind": "membrane", "nodes": KITE[:3], "triangles": [[0, 1, 2]]} | SHEET, 6),
    "hexahedron": ({"kind": "solid", "nodes": BENT.tolist(), "hexahedra": [list(range(8))]} | SOLID, 6),
    "tetrahedron": ({"kind": "solid", "nodes": [*TETRA.tolist(), *np.array(MIDDLES).tolist()],
                     "tetra10": [list(range(10))]} | SOLID, 6),
}  # fmt: skip


def free(name) -> Evaluation:
    body = dict(ONE[name][0])
    mesh = {"kind": "points"} | {
        k: body.pop(k) for k in ("nodes", "quads", "triangles", "hexahedra", "tetra10") if k in body
    }
    return Evaluation({"name": name, "bodies": {"one": body | {"mesh": mesh}}, "simulate": {"duration": 1}})


def stiffness(model, q) -> np.ndarray:
    return model.at(q, weights=(0, 0, 1))[1]


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("turned", [False, True])
def test_rigid_motions_only(name, turned):
    model = free(name)
    q = model.system.q0
    if turned:
        q = model.rigidly_moved(q, rotation([1, -2, 3], 2.1), np.array([0.7, -1.3, 2.2]))
    K = stiffness(model, q)
    sizes = np.abs(np.linalg.eigvalsh(0.5 * (K + K.T)))
    assert np.abs(K - K.T).max() < 1e-9 * sizes.max()
    assert (sizes < 1e-10 * sizes.max()).sum() == ONE[name][1]
    force, _ = model.at(q)
    assert np.abs(force).max() < 1e-11 * sizes.max()
    assert abs(model.energy[0]) < 1e-20 * sizes.max()


def test_small_thickness_leaves_six_too():
    """A thousandth as thick as wide: bending is 1e-6 of stretching, and still far above what is rigid."""
    ONE["thin"] = ({"kind": "shell", "nodes": KITE, "quads": [[0, 1, 2, 3]]} | SHEET | {"thickness": 1e-3}, 6)
    model = free("thin")
    sizes = np.abs(np.linalg.eigvalsh(stiffness(model, model.system.q0)))
    assert (sizes < 1e-11 * sizes.max()).sum() == 6
