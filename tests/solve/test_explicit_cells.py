"""Central differences of shells, membranes and solids: agreement, works, momenta, and the stable step."""

import numpy as np
import pytest

from tapespring import Model
from tapespring.mechanics.core import link
from tapespring.mechanics.tables import N_POWERS, new_work
from tapespring.schema.problems import ModelError
from tapespring.simulate import prepare
from tapespring.solve import explicit, steps
from tapespring.solve.mass_scaling import ease_turning
from tapespring.solve.modes import find_modes
from tapespring.solve.stable_step import bound
from tapespring.solve.status import DONE, PAUSED, UNSTABLE

ALUMINIUM = {"young": "70 GPa", "poisson": 0.3, "density": "2700 kg/m^3"}
CLOTH = {"young": "50 MPa", "poisson": 0.3, "density": "1000 kg/m^3"}
RUBBER = {"young": "2 MPa", "poisson": 0.45, "density": "1100 kg/m^3"}


def strip(divisions=(8, 2), triangles=False, gravity=-9.81, **fields):
    m = Model(name="strip", gravity=(0, 0, gravity))
    mesh = {"kind": "strip", "length": "0.2 m", "width": "50 mm", "divisions": divisions}
    if triangles:
        mesh["triangles"] = True
    given = {"mesh": mesh, "thickness": "1 mm", "material": ALUMINIUM, "attach": {"start": "ground"}} | fields
    m.shell("panel", **given)
    return m


def cloth(triangles=False, **fields):
    m = Model(name="cloth", gravity=(0, 0, "-9.81 m/s^2"))
    mesh = {"kind": "plate", "length": "0.3 m", "width": "0.2 m", "divisions": [6, 4]}
    if triangles:
        mesh["triangles"] = True
    edges = dict.fromkeys(("left", "right", "bottom", "top"), "ground")
    given = {"tension": ["100 N/m", "100 N/m"], "attach": edges} | fields
    m.membrane("cloth", mesh=mesh, thickness="0.5 mm", material=CLOTH, **given)
    return m


def block(**fields):
    m = Model(name="block", gravity=(0, 0, "-9.81 m/s^2"))
    mesh = {"kind": "box", "length": "0.1 m", "width": "50 mm", "height": "50 mm", "divisions": [4, 2, 2]}
    m.solid("block", mesh=mesh, material=RUBBER, attach={"x0": "ground"}, **fields)
    return m


MODELS = {
    "shell": (strip, "panel.end_left.position", 0.02),
    "membrane": (cloth, "cloth.centre.position", 0.04),
    "solid": (block, "block.positions", 0.03),
}


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_implicit(name, damped):
    make, channel, duration = MODELS[name]
    m = make(**({"damping": {"stiffness": "2e-6 s", "mass": 5}} if damped else {}))
    fast = m.simulate(duration, solver="explicit", outputs=20)
    exact = m.simulate(duration, solver="implicit", outputs=20, tolerance=1e-8)
    assert fast.status.complete
    a, b = fast[channel].values, exact[channel].values
    np.testing.assert_allclose(a, b, atol=(1e-2 if name == "shell" else 1e-3) * np.ptp(b, axis=0).max())
    assert fast.audit.relative < 1e-6, fast.audit.describe()


def test_raised_inertia_vanishes_with_the_mesh():
    """A cantilever let go under its weight: what turning adds to the motion falls with the square of the mesh."""
    errors = []
    for n in (8, 16):
        m = strip((n, n // 4))
        runs = [m.simulate("10 ms", solver=s, outputs=20, tolerance=1e-8) for s in ("explicit", "implicit")]
        assert any("rotary inertia" in note for note in runs[0].notes)
        tips = [run["panel.end_left.position"].values[:, 2] for run in runs]
        errors.append(np.abs(tips[0] - tips[1]).max() / np.ptp(tips[1]))
    assert errors[0] < 0.03
    assert errors[1] < 0.4 * errors[0]


def test_momenta_of_a_free_panel_are_kept():
    m = strip((6, 3), attach={}, gravity=0.0, velocity=["1 m/s", "0.5 m/s", 0], angular_velocity=[3, -2, 40])
    system, _, record = stepped(m, 1.0, 400)
    momenta = np.array([momentum(system, q, v) for q, v in zip(record.q, record.v, strict=True)])
    scale = np.abs(momenta).max(axis=0) + 1e-3 * np.abs(momenta).max()
    assert (np.abs(momenta - momenta[0]) / scale).max() < 1e-11


def momentum(system, q, v):
    linear, angular = np.zeros(3), np.zeros(3)
    for node in system.tables.nodes[1:]:
        i, j = node["q"], node["v"]
        linear += node["mass"] * v[j : j + 3]
        angular += np.cross(q[i : i + 3], node["mass"] * v[j : j + 3])
        w, x, y, z = q[i + 3 : i + 7]
        R = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        angular += R @ (node["inertia"] * v[j + 3 : j + 6])
    return np.concatenate((linear, angular))


# -- the fast pass ----------------------------------------------------------------------------------------------------

SANDWICH = tuple(
    {"thickness": t, "material": of} for t, of in (("0.2 mm", ALUMINIUM), ("1 mm", RUBBER), ("0.2 mm", ALUMINIUM))
)

SHAKEN = {
    "free shell": lambda **f: strip(attach={}, **f),
    "shell": strip,
    "layered shell": lambda **f: strip(thickness=None, material=None, layers=SANDWICH, **f),
    "quadrilaterals": cloth,
    "triangles": lambda **f: cloth(triangles=True, **f),
}


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("name", SHAKEN)
def test_pass_moves_as_one_by_one(name, damped):
    m = SHAKEN[name](**({"damping": {"stiffness": "1e-6 s", "mass": 5}} if damped else {}))
    fast, slow = (stepped(m, 0.5, 200, fast=fast, shaken=1e-2)[2] for fast in (True, False))
    np.testing.assert_allclose(fast.q, slow.q, atol=1e-12)
    np.testing.assert_allclose(fast.energy, slow.energy, atol=1e-8 * np.abs(slow.energy).max())


@pytest.mark.parametrize(("kind", "field"), [("shell", "shells"), ("membrane", "quads")])
def test_cells_of_the_kinds_take_the_pass(kind, field):
    """Else its tests would compare the one-by-one evaluation with itself."""
    from tapespring.build.builder import build
    from tapespring.model import Model
    from tapespring.solve.patch_layout import new_patches

    m = Model(name="panel")
    mesh = {"kind": "plate", "length": 1, "width": 1, "divisions": [4, 4]}
    getattr(m, kind)("panel", mesh=mesh, thickness=0.01, material={"young": 1e9, "poisson": 0.3, "density": 1e3})
    assert len(new_patches(build(m)[0].finish().tables)[field]) == 4


def test_loads_on_nodes_of_the_pass_are_paid_for():
    m = strip()
    m.load("push", on="panel.end_left", force=[0, 0, "0.2 * sin(300*t)"])
    run = m.simulate("10 ms", solver="explicit", outputs=20)
    assert run.audit.relative < 1e-6, run.audit.describe()


# -- the stable step --------------------------------------------------------------------------------------------------


def stepped(m, part, count, fast=True, shaken=0.0):
    """`count` steps of a part of the stable step, from a state shaken at random: (system, code, record)."""
    _, _, start = prepare(m, planar=False)
    ease_turning(start, np.inf)
    system = start.system
    t, h = system.tables, part * bound(start, start.q, start.v, 0.0).longest(start, start.q, 0.0)
    v = start.v + shaken * np.random.default_rng(1).normal(size=len(start.v))
    work = link(t, new_work(t))
    loop = steps.new_loop(t, start.q, v, 0.0, count * h, np.ones(len(start.q) + len(v) + N_POWERS), (1e-9, 1e-11))
    record = steps.new_record(t, np.linspace(0.0, count * h, 5), len(system.drafts.rows))
    scheme, code = explicit.new_scheme(t, start.q, h, fast=fast), PAUSED
    while code == PAUSED:
        code = explicit.run(t, work, loop, scheme, record, 1000)
    return system, code, record


@pytest.mark.parametrize("name", MODELS)
def test_bound_is_neither_unsafe_nor_timid(name):
    make = MODELS[name][0]
    assert stepped(make(), 0.9, 4000, shaken=1e-3)[1] == DONE
    assert stepped(make(), 1.2, 4000, shaken=1e-3)[1] == UNSTABLE


@pytest.mark.parametrize("name", MODELS)
def test_bound_is_close_to_the_shortest_period(name):
    _, _, start = prepare(MODELS[name][0](), planar=False)
    ease_turning(start, np.inf)
    limit = 2.0 / (2.0 * np.pi * find_modes(start.system, start.q, count=10**6).frequencies_hz.max())
    found = bound(start, start.q, start.v, 0.0)
    assert 0.6 * limit < found.shortest <= limit * (1.0 + 1e-9)
    assert 0.95 * limit < found.longest(start, start.q, 0.0) <= limit


def test_alike_cells_share_their_bound():
    """A mesh large enough for classes gives what every cell by itself gives."""
    from tapespring.solve import parts

    _, _, start = prepare(strip((40, 16)), planar=False)
    together = bound(start, start.q, start.v, 0.0)
    chosen, _ = together.parts[-1].representatives([together.share[-1]])
    assert len(chosen) < 100
    before, parts.CHUNK = parts.CHUNK, 10**6
    try:
        alone = bound(start, start.q, start.v, 0.0)
    finally:
        parts.CHUNK = before
    np.testing.assert_allclose(together.step[-1], alone.step[-1], rtol=1e-5)


def test_too_long_a_step_names_the_cell():
    with pytest.raises(ModelError, match=r"limited by the quad shell of 'panel' near \("):
        strip().simulate("1 ms", solver="explicit", step="1 ms")


@pytest.mark.parametrize("name", MODELS)
def test_mass_scaling_reaches_the_step(name):
    m = MODELS[name][0]()
    plain = m.simulate("20 ms", solver="explicit", outputs=2)
    usual = 20e-3 / plain.counters["steps"]
    scaled = m.simulate("20 ms", solver="explicit", outputs=2, mass_scaling=3 * usual)
    assert scaled.status.complete
    assert scaled.counters["steps"] == pytest.approx(plain.counters["steps"] / 3, rel=0.1, abs=1)
    assert "kg (" in next(n for n in scaled.notes if n.startswith("mass scaling"))
