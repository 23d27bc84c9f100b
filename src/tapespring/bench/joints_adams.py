"""A pendulum on five kinds of joints, against MSC ADAMS.

The test data of Project Chrono give the centre of mass and the reaction on the ground with 6 digits. ADAMS' own error
grows in time (its spherical and universal pendulums, the same motion, are 2e-4 m apart after 2 s), hence the times.
"""

from functools import partial

from ..model import Model
from ..results import Results
from .case import Case, Quantity, at

SOURCE = "MSC ADAMS via Chrono test data"
TILTED = (0, 1, 1)  # z after -45° about x
HINGE = (1, 2, 3)

#: joint: rows of time [s], centre of mass [m], force on the ground [N]
ROWS = {
    "revolute": (
        (0.0, (3, 2, 3), (0, -4.78373, -5.02292)),
        (0.25, (2.98884, 2.14916, 2.85084), (2.12864, -4.624, -5.18246)),
        (0.5, (2.82591, 2.57708, 2.42292), (7.56095, -2.39407, -7.41259)),
        (1.0, (1.0421, 3.4139, 1.5861), (0.427164, 9.56081, -19.3673)),
        (2.0, (-1, 2.00063, 2.99937), (-0.00899056, -4.78385, -5.02305)),
        (3.0, (0.8738, 3.4114, 1.5886), (-1.2781, 9.51078, -19.3171)),
    ),
    "spherical": (
        (0.0, (3, 2, 3), (0, 0, -0.239187)),
        (0.25, (2.97773, 2, 2.70235), (4.22396, 1.78349e-05, -0.874902)),
        (0.5, (2.66081, 2, 1.88568), (13.2797, 3.49458e-06, -9.14925)),
        (1.0, (0.107619, 2, 1.21012), (-11.4613, 1.02227e-05, -23.2273)),
    ),
    "universal": (
        (0.0, (0, 2, 0), (0, 0, -0.239187)),
        (0.25, (0, 1.97773, -0.297651), (0, 4.22407, -0.874903)),
        (0.5, (0, 1.66081, -1.11432), (0, 13.2796, -9.14918)),
        (1.0, (0, -0.892369, -1.78988), (0, -11.4609, -23.227)),
    ),
    "prismatic": (
        (0.0, (3, 2, 3), (0, 4.90332, -4.90332)),
        (0.25, (3, 1.84677, 2.84677), (0, 4.90332, -4.90332)),
        (1.0, (3, -0.451662, 0.548338), (0, 4.90332, -4.90332)),
        (2.0, (3, -7.80665, -6.80665), (0, 4.90332, -4.90332)),
        (5.0, (3, -59.2916, -58.2916), (0, 4.90332, -4.90332)),
    ),
    "cylindrical": (
        (0.0, (3, 2, 3), (0, 0.119593, -0.119593)),
        (0.25, (2.98884, 1.99593, 2.69761), (2.12864, 0.279244, -0.279244)),
        (0.5, (2.82591, 1.96417, 1.81), (7.56095, 2.50924, -2.50924)),
        (1.0, (1.0421, 0.962238, -0.865563), (0.427153, 14.4646, -14.4646)),
        (2.0, (-1, -7.80602, -6.80728), (-0.00939531, 0.119586, -0.119586)),
        (3.0, (0.8738, -18.6536, -20.4764), (-1.27809, 14.4136, -14.4136)),
    ),
}


def pendulum(joint: str) -> Model:
    """1 kg, its centre 2 m from the joint, released at rest."""
    times = [row[0] for row in ROWS[joint]]
    m = Model(name=f"Pendulum on a {joint} joint", gravity=(0, 0, -9.80665), duration=times[-1], outputs=times)
    if joint == "universal":
        m.rigid("bar", mass=1, at=(0, 2, 0), inertia=(0.1, 0.04, 0.1))
        m.universal("joint", "ground", "bar", at=(0, 0, 0), axis="x", axis2="z")
        return m
    m.rigid("bar", mass=1, at=(3, 2, 3), inertia=(0.04, 0.1, 0.1))
    axis = {} if joint == "spherical" else {"axis": TILTED}
    m.add(joint, "joint", "ground", "bar", at=HINGE, **axis)
    return m


def on_ground(letter: str, time: float):
    """What the joint does to the ground: the opposite of its reaction, which acts on the second body."""

    def force(results: Results) -> float:
        return -results[f"joint.force.{letter}"].at(time)

    return force


def quantities():
    for joint, rows in ROWS.items():
        for time, position, force in rows:
            for letter, value in zip("xyz", position, strict=True):
                name, get = f"{joint}: {letter} at {time:g} s", at(f"bar.position.{letter}", time)
                yield Quantity(name, "m", value, 1e-4, SOURCE, "B", get, joint)
            for letter, value in zip("xyz", force, strict=True):
                name, get = f"{joint}: force {letter} at {time:g} s", on_ground(letter, time)
                yield Quantity(name, "N", value, 1e-3, SOURCE, "B", get, joint)


CASES = (
    Case(
        "joints_adams",
        "a pendulum on revolute, spherical, universal, prismatic and cylindrical joints",
        {joint: partial(pendulum, joint) for joint in ROWS},
        quantities,
    ),
)
