"""Geometric stiffening of bodies by modes: spin, tension and compression, against published and closed forms."""

import numpy as np
import pytest

import tapespring as ts
from tapespring.reduction.bending import pulls
from tapespring.reduction.coordinates import coordinates_of
from tapespring.reduction.interfaces import attach, read_interfaces
from tapespring.reduction.methods import Span, shapes_of
from tapespring.reduction.sources import structure_from

E, RHO, WIDTH, THIN = 70e9, 2700.0, 0.02, 0.005
METAL = {"young": E, "poisson": 0.3, "density": RHO}
RATE = np.sqrt(E * THIN**2 / (12 * RHO))  # of a blade 1 m long: √(EI/ρAL⁴) across its flat side


def blade(elements=40) -> dict:
    m = ts.Model(name="blade")
    m.beam("b", path=[[0, 0, 0], [1, 0, 0]], section={"kind": "rectangle", "width": WIDTH, "thickness": THIN},
           material=METAL, elements=elements)  # fmt: skip
    return m.to_plain()


def clamped(stiffening: bool, **more) -> ts.Model:
    m = ts.Model(name="clamped")
    m.modal("r", of=blade(), interfaces={"root": "b.start", "tip": "b.end"}, modes=6, stiffening=stiffening, **more)
    m.fixed("hub", between=["ground", "r.root"])
    return m


def frequencies(model, count, **where) -> np.ndarray:
    return 2 * np.pi * np.array(model.modes(count, **where).frequencies_hz) / RATE


# Wright, Smith, Thresher, Wang, J. Appl. Mech. 49 (1982) 197-202: out of the plane of rotation, no hub
FLAPPING = {2.0: (4.1373, 22.615), 5.0: (6.4495, 25.446), 10.0: (11.2023, 33.640)}


@pytest.mark.parametrize("eta", FLAPPING)
def test_spinning_cantilever(eta):
    """Across its flat side along the axis of spin; the other way round squares are less by that of the spin."""
    flat = frequencies(clamped(True), 6, spin=("z", eta * RATE))
    for wanted in FLAPPING[eta]:
        assert np.abs(flat / wanted - 1).min() < 3e-3
    upright = frequencies(clamped(True), 6, spin=("y", eta * RATE))
    wanted = np.sqrt(FLAPPING[eta][0] ** 2 - eta**2)
    assert np.abs(upright / wanted - 1).min() < 5e-3


def test_straight_shapes_soften():
    """In the plane of rotation, without the option: first frequencies fall where they should rise."""
    eta = 5.0
    rest, spun = (frequencies(clamped(False), 2, **where)[0] for where in ({}, {"spin": ("y", eta * RATE)}))
    assert rest == pytest.approx(3.516, rel=2e-3)
    assert spun < 0.9 * rest
    assert frequencies(clamped(True), 2, spin=("y", eta * RATE))[0] > 1.1 * rest


@pytest.mark.parametrize("part", [-0.5, 1.0])
def test_tension_and_compression(part):
    """By a load on the tip as part of Euler's: against the full model, held as one and pulled alike."""
    force = part * np.pi**2 / 4 * E * WIDTH * THIN**3 / 12

    def pulled(model, tip):
        model.load("pull", tip, force=[float(force), 0, 0])
        return frequencies(model, 4, at="rest")

    full = ts.Model.from_plain(blade())
    full.fixed("hub", between=["ground", "b.start"])
    wanted, found = pulled(full, "b.end"), pulled(clamped(True), "r.tip")
    np.testing.assert_allclose(found[:3], wanted[:3], rtol=2e-3)
    still = pulled(clamped(False), "r.tip")
    assert abs(still[0] / wanted[0] - 1) > 0.02  # what mean axes know of it by themselves is not all


def test_ends_draw_together():
    """By half the integral of the squared slope."""
    body = ts.reduce(ts.Model.from_plain(blade()), {"root": "b.start", "tip": "b.end"}, modes=2, stiffening=True)
    assert body.second is not None
    x, w = body.positions[:, 0], body.shapes[:, 1:3, 0]
    slope = np.diff(w, axis=0) / np.diff(x)[:, None]
    shortened = ((slope**2).sum(axis=1) * np.diff(x)).sum()
    ends = body.second.frames[:, 0, 0, 0]
    assert ends[0] - ends[1] == pytest.approx(shortened, rel=1e-3)


def third_order(model: ts.Model, interfaces) -> np.ndarray:
    structure = structure_from(model)
    attached = attach(structure, read_interfaces(interfaces))
    z = coordinates_of(structure, attached)
    shapes = shapes_of(structure, z, "craig-bampton", 3, None, "auto")
    span = Span(np.hstack((shapes.static, shapes.normal)), z)
    kept = span.V @ span.solved(np.arange(span.V.shape[1]), 1e-8)[1]
    return np.einsum("za,zij->aij", kept, pulls(structure, z, attached, kept)[0])


def test_energy_of_third_order_is_symmetric():
    """Forces of pairs of shapes along a third: the same whichever is the third, with rotations and with rigid ends."""
    shell, solid = ts.Model(name="shell"), ts.Model(name="solid")
    shell.shell("s", mesh={"kind": "plate", "length": 0.4, "width": 0.1, "divisions": [6, 2]}, material=METAL,
                thickness=0.01)  # fmt: skip
    mesh = {"kind": "box", "length": 0.4, "width": 0.05, "height": 0.04, "divisions": [6, 2, 2]}
    solid.solid("s", mesh=mesh, material=METAL)
    for model, ends in (
        (ts.Model.from_plain(blade(8)), ["b.start", "b.end"]),
        (shell, ["s.left", "s.right"]),
        (solid, ["s.x0", "s.x1"]),
    ):
        K = third_order(model, ends)
        assert np.abs(K - K.transpose(1, 2, 0)).max() < 1e-7 * np.abs(K).max()


def test_thrown_blade_keeps_momentum_and_energy():
    m = ts.Model(name="thrown")
    m.modal("r", of=blade(12), interfaces={"root": "b.start", "tip": "b.end"}, modes=2, stiffening=True,
            velocity=[0.3, 0.1, 0.0], angular_velocity=[1.0, 2.0, 6.0])  # fmt: skip
    m.load("pluck", "r.tip", force=[0, 0, "2*max(0, 1 - t/0.05)"])
    results = m.simulate("0.3 s", outputs=30, tolerance=1e-9)
    assert results.audit.relative < 1e-7
    late = results.time > 0.06
    for name in ("system.momentum", "system.angular_momentum"):
        values = results[name].values[late]
        assert np.ptp(values, axis=0).max() < 1e-6 * np.abs(values).max()


def test_saved_and_loaded(tmp_path):
    body = ts.reduce(ts.Model.from_plain(blade(6)), {"root": "b.start"}, modes=2, stiffening=True)
    body.save(tmp_path / "b.npz")
    again = ts.Reduced.load(tmp_path / "b.npz").second
    for name in ("momentum", "moment", "frames"):
        np.testing.assert_array_equal(getattr(again, name), getattr(body.second, name))


def test_what_cannot_stiffen():
    from tapespring.bench.hermite import hermite_beam

    with pytest.raises(ts.ModelError, match="elements have to say how they stiffen"):
        ts.reduce(hermite_beam(10.0, 0.3, 1.0, 4, {0.0: "y rz"}), {"tip": "1"}, modes=1, stiffening=True)
    with pytest.raises(ts.ModelError, match="needs a frame that moves"):
        clamped(True, fixed=True).check("1 s")


def test_fixed_frames_do_not_turn():
    with pytest.raises(ts.ModelError, match="cannot turn along"):
        clamped(False, fixed=True).modes(2, spin=("z", "10 rpm"))
