"""Our part of contacts.py: balls in a box, candidates of a crumpled sheet."""

from __future__ import annotations

import time

import contact_problems as problem
import numpy as np

from tapespring import Model
from tapespring.mechanics.mesh_candidates import MeshCandidates
from tapespring.simulate import prepare
from tapespring.solve import explicit
from tapespring.solve.crowd import make_room
from tapespring.solve.steps import new_loop, new_record


def ball_model() -> Model:
    m = Model(name="Balls in a box", gravity=(0, 0, -problem.GRAVITY))
    names = [f"ball{k}" for k in range(problem.BALLS)]
    shape = {"kind": "sphere", "radius": problem.RADIUS}
    for name, at, velocity in zip(names, *problem.balls(), strict=True):
        m.rigid(name, at=at.tolist(), mass=problem.MASS, shape=shape, velocity=velocity.tolist())
    sides = (((0, 0, 1), 0.0), ((1, 0, 0), 0.0), ((-1, 0, 0), 1.0), ((0, 1, 0), 0.0), ((0, -1, 0), 1.0))
    walls = [
        {"kind": "half_space", "on": "ground", "normal": n, "at": [-problem.EDGE * far * x for x in n]}
        for n, far in sides
    ]
    given = {
        "law": {"kind": "spring_dashpot", "stiffness": problem.STIFFNESS, "damping": problem.DAMPING},
        "friction": problem.FRICTION,
    }
    m.contact("box", between=[walls, names], **given)
    m.contact("balls", among=names, **given)
    return m


def balls(repeats: int = 5) -> tuple[float, float]:
    """(steps per second of the fastest run, height of the centre of mass at its end)"""
    best, height = 0.0, 0.0
    for _ in range(repeats):
        _, _, start = prepare(ball_model(), problem.DURATION, solver="explicit")
        t, size = start.system.tables, len(start.q) + len(start.v) + 5
        make_room(start)
        loop = new_loop(t, start.q, start.v, 0.0, problem.DURATION, np.ones(size), (1e-9, 1e-11))
        record, scheme = new_record(t, [], 0), explicit.new_scheme(t, start.q, problem.DURATION / problem.STEPS)
        explicit.run(t, start.work, loop, scheme, record, 0)
        began, code = time.perf_counter(), explicit.TOO_CROWDED
        while code == explicit.TOO_CROWDED:
            code = explicit.run(t, start.work, loop, scheme, record, problem.STEPS)
            if code == explicit.TOO_CROWDED:
                make_room(start)
        best = max(best, problem.STEPS / (time.perf_counter() - began))
        height = float(loop.q.reshape(-1, 7)[:, 2].mean())
    return best, height


def candidates(distance: float, repeats: int = 20) -> tuple[float, int, int]:
    """(milliseconds of the fastest search, vertices near triangles, edges near edges)"""
    points, edges, triangles = problem.crumpled_sheet()
    search = MeshCandidates(len(points), edges, triangles)
    best = np.inf
    for _ in range(repeats + 1):  # the first makes room
        began = time.perf_counter()
        faces, lines = search.find(points, distance)
        best = min(best, time.perf_counter() - began)
    return 1e3 * best, len(faces), len(lines)
