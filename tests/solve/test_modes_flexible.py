"""Vibrations of flexible, prestressed and spinning models: closed forms, and large models against whole solutions."""

import numpy as np
import pytest

import tapespring.solve.modes as solver
from tapespring import Model
from tapespring.schema.problems import ModelError

SECTION = {
    "kind": "general", "axial_stiffness": 1e5, "bending_stiffness": [1.0, 3.0], "torsion_stiffness": 1.0,
    "mass_per_length": 1.0, "rotary_inertia": [1e-3, 1e-4, 1e-4],
}  # fmt: skip


def boom(elements=20, clamped=True, **options):
    m = Model(options.pop("name", "boom"), gravity=options.pop("gravity", (0, 0, 0)))
    section = SECTION | options.pop("section", {})
    m.beam("boom", path=[[0, 0, 0], [1, 0, 0]], elements=elements, section=section, **options)
    if clamped:
        m.fixed("clamp", m.ground, "boom.start")
    return m


def omega(found):
    return 2 * np.pi * found.frequencies_hz


# -- large models -----------------------------------------------------------------------------------------------------
DAMPED = {"damping": {"stiffness": 1e-4, "mass": 0.3}}


@pytest.mark.parametrize("clamped", [True, False])
@pytest.mark.parametrize("options", [{}, DAMPED], ids=["undamped", "damped"])
@pytest.mark.parametrize("spin", [None, ("z", 3.0)], ids=["still", "spinning"])
def test_some_modes_are_those_of_the_whole(monkeypatch, clamped, options, spin):
    if not clamped and spin:
        spin = ("x", 2.0)  # about a principal axis through the centre
    model = boom(60, clamped, **options)
    some = model.modes(14, spin=spin)
    monkeypatch.setattr(solver, "SMALL", 10**6)
    whole = model.modes(14, spin=spin)
    assert some.frequencies_hz[-1] > 3.0
    # a free body seen by an observer who turns has a double frequency with one shape: right to the root of rounding
    close = (1e-6 if clamped or not spin else 1e-5) * np.abs(whole.eigenvalues[-1])
    np.testing.assert_allclose(np.abs(some.eigenvalues), np.abs(whole.eigenvalues), atol=close)
    np.testing.assert_allclose(some.eigenvalues.real, whole.eigenvalues.real, atol=close)


def test_a_large_model_has_20_modes_unless_asked_for_others():
    model = boom(60)
    assert len(model.modes().frequencies_hz) == 20
    assert len(model.modes(5).frequencies_hz) == 5


@pytest.mark.parametrize("elements", [10, 150])
def test_free_beam_has_exactly_six_zeros(elements):
    found = boom(elements, clamped=False, up=(0.3, 1, 2)).modes(10)
    assert np.all(found.frequencies_hz[:6] == 0.0)
    assert omega(found)[6] == pytest.approx(22.37, rel=5e-2)


def test_free_coil_has_six_zeros():
    m = Model("coil")
    path = {"kind": "helix", "start": [0.3, 0, 0], "pitch": 0.1, "turns": 2}
    m.beam("coil", path=path, elements=80, section=SECTION)
    found = m.modes(9)
    assert np.all(found.frequencies_hz[:6] < 1e-4 * found.frequencies_hz[6])
    assert found.frequencies_hz[6] > 0.01


def test_equal_straps_have_equal_frequencies():
    """Ten times the same: more than a block of vectors."""
    m = Model("comb")
    for k in range(10):
        m.beam(f"strap{k}", path=[[0, k, 0], [1, k, 0]], elements=8, section=SECTION)
        m.fixed(f"clamp{k}", m.ground, f"strap{k}.start")
    found = omega(m.modes(20))
    assert found[:10] == pytest.approx(np.full(10, found[0]), rel=1e-8)
    assert found[10:] == pytest.approx(np.full(10, found[10]), rel=1e-8)
    assert found[10] / found[0] == pytest.approx(np.sqrt(3), rel=1e-3)


def test_shapes_have_unit_mass_and_names():
    model = boom(60)
    found = model.modes(6)
    move, turn = found.shape_of("boom")
    assert move.shape == turn.shape == (61, 3, 6)
    assert np.abs(move[0]).max() < 1e-12
    mass = np.full(61, 1 / 60)
    mass[[0, -1]] /= 2
    energy = mass @ (move**2).sum(axis=1) + mass @ ((turn**2) * [[[1e-3], [1e-4], [1e-4]]]).sum(axis=1)
    assert energy == pytest.approx(np.ones(6), rel=1e-6)
    assert found.describe(0) == "boom moves along z"
    assert found.describe(1) == "boom moves along y"
    with pytest.raises(KeyError, match="boom"):
        found.shape_of("mast")


def test_damping_in_proportion_to_stiffness():
    """ζ = β ω/2, however fast and damped the fastest modes are."""
    model = boom(12, damping={"stiffness": 2e-3}, section={"axial_stiffness": 1e7, "rotary_inertia": [1e-7, 0, 0]})
    free = boom(12, section={"axial_stiffness": 1e7, "rotary_inertia": [1e-7, 0, 0]}).modes(3)
    found = model.modes(3)
    assert found.frequencies_hz == pytest.approx(free.frequencies_hz, rel=1e-5)
    assert found.damping_ratios == pytest.approx(1e-3 * omega(free), rel=1e-4)


# -- prestress --------------------------------------------------------------------------------------------------------
def pinned(load):
    m = Model("string")
    m.beam("boom", path=[[0, 0, 0], [1, 0, 0]], elements=40, section=SECTION | {"axial_stiffness": 1e7})
    m.revolute("first", m.ground, "boom.start", at=(0, 0, 0), axis="y")
    m.point_on_line("second", m.ground.at(1, 0, 0), "boom.end", axis="x")
    m.load("pull", "boom.end", force=[load, 0, 0])
    return m


def string(tension):
    """With rotary inertia."""
    return np.sqrt((np.pi**4 + np.pi**2 * tension) / (1 + 1e-4 * np.pi**2))


def test_tension_at_rest_at_a_time_at_the_end_and_of_a_state(tmp_path):
    assert omega(pinned(50).modes(1, at="rest"))[0] == pytest.approx(string(50), rel=1e-4)
    assert omega(pinned(50).modes(1, at_equilibrium=True))[0] == pytest.approx(string(50), rel=1e-4)
    growing = pinned("25*t")
    assert omega(growing.modes(1))[0] == pytest.approx(string(0), rel=1e-4)
    assert omega(growing.modes(1, at="2 s"))[0] == pytest.approx(string(50), rel=1e-4)
    growing.settings = growing.settings.changed(duration="4 s", solver="quasi-static", outputs=2)
    assert omega(growing.modes(1, at="end"))[0] == pytest.approx(string(100), rel=1e-4)
    results = growing.simulate("1 s")
    assert omega(growing.modes(1, state=results))[0] == pytest.approx(string(25), rel=1e-4)
    results.save(tmp_path / "string.nc")
    assert omega(growing.modes(1, state=tmp_path / "string.nc"))[0] == pytest.approx(string(25), rel=1e-4)


def test_the_stage_of_the_end_counts():
    """The load of the first stage is taken away in the second."""
    m = pinned(50)
    stages = [{"duration": 1, "solver": "quasi-static"}, {"duration": 1, "solver": "quasi-static", "without": ["pull"]}]
    m.settings = m.settings.changed(stages=stages)
    assert omega(m.modes(1, at="end"))[0] == pytest.approx(string(0), rel=1e-4)


def test_a_boom_that_hangs_in_its_weight():
    """Bent far: modes about rest are those of the bent boom, and stable."""
    found = boom(30, gravity=(0, 0, -30)).modes(4, at="rest")
    assert not found.unstable.any()
    assert found.frequencies_hz[0] > 0.1


@pytest.mark.parametrize(("load", "flutters"), [(19.0, False), (21.0, True)])
def test_a_follower_load_makes_a_column_flutter(load, flutters):
    """Beck's column: 20.05 EI/L²."""
    m = boom(40, section={"axial_stiffness": 1e7, "rotary_inertia": [1e-3, 1e-6, 1e-6]})
    m.load("thrust", "boom.end", force=["-t", 0, 0], axes="body")
    assert m.modes(6, at=load).unstable.any() == flutters


# -- rotation ---------------------------------------------------------------------------------------------------------
def test_spinning_rigid_body():
    """Nutation seen from the body: Ω √((C-A)(C-B)/AB); about the middle axis it is unstable."""
    m = Model("top")
    m.rigid("top", mass=2.0, inertia=[0.2, 0.3, 0.4])
    found = m.modes(spin=("z", 5.0))
    assert omega(found) == pytest.approx([0, 0, 5 * np.sqrt(0.2 * 0.1 / 0.06), 5, 5, 5], abs=1e-6)
    assert not found.unstable.any()
    found = m.modes(spin=((0, 2, 0), "5 rad/s"))
    assert found.eigenvalues[found.unstable] == pytest.approx([5 * np.sqrt(0.1 * 0.1 / 0.08)])


def test_whirl_of_a_disc_on_a_shaft():
    """Seen from the shaft the whirl of a disc that does not tilt is faster and slower by the rate of the shaft; beyond
    its critical speed an elastic shaft without damping is stable."""
    m = Model("shaft")
    light = {"axial_stiffness": 1e7, "bending_stiffness": 100.0, "torsion_stiffness": 100.0, "mass_per_length": 1e-3}
    m.beam("shaft", path=[[0, 0, 0], [1, 0, 0]], elements=8, section={"kind": "general", **light})
    disc = m.rigid("disc", mass=1.0, inertia=[0.02, 0.01, 0.01], at=(0.5, 0, 0))
    m.fixed("hub", {"on": "shaft", "at": "50 %"}, disc)
    m.spherical("left", m.ground, "shaft.start")
    m.point_on_line("right", m.ground.at(1, 0, 0), "shaft.end", axis="x")
    rest = omega(m.modes(6))
    w = rest[1]
    assert w == pytest.approx(np.sqrt(48 * 100), rel=1e-3)
    for rate in (20.0, 200.0):
        found = m.modes(spin=("x", rate))
        assert not found.unstable.any()
        for expected in (abs(w - rate), w + rate):
            assert np.abs(omega(found) / expected - 1).min() < 1e-5


@pytest.mark.parametrize(("rate", "flap"), [(1, 3.6816), (6, 7.3604)])
def test_spinning_cantilever(rate, flap):
    """Wright et al. 1982; lagging is slower by as much as the rotation softens it: ω² = flap² - Ω²."""
    slender = {"axial_stiffness": 1e8, "rotary_inertia": [1e-7, 0, 0], "bending_stiffness": [1.0, 1.0]}
    found = boom(40, section=slender).modes(6, spin=("z", rate))
    w = {found.describe(k)[-1]: omega(found)[k] for k in (1, 0)}
    assert w["z"] == pytest.approx(flap, rel=3e-4)
    assert w["y"] == pytest.approx(np.sqrt(w["z"] ** 2 - rate**2), rel=2e-5)


def test_the_axis_may_lie_anywhere():
    """A beam on a hub: the same as one that is drawn away from the axis."""
    near = boom(20).modes(4, spin=("z", 4.0, (-0.5, 0, 0)))
    m = Model("far")
    m.beam("boom", path=[[0.5, 0, 0], [1.5, 0, 0]], elements=20, section=SECTION)
    m.fixed("clamp", m.ground.at(0.5, 0, 0), "boom.start")
    far = m.modes(4, spin=((0, 0, 1), "4 rad/s"))
    assert near.frequencies_hz == pytest.approx(far.frequencies_hz, rel=1e-9)
    assert near.frequencies_hz[0] > boom(20).modes(1, spin=("z", 4.0)).frequencies_hz[0]


def test_rotation_agrees_with_motion_in_time():
    """A boom on a frame that turns: a push along z swings with the frequency of the mode."""
    rate = 6.0
    m = Model("rotor")
    m.moving_frame("hub", attitude={"axis": "z", "angle": f"{rate}*t"})
    m.beam("boom", path=[[0, 0, 0], [1, 0, 0]], elements=6, section=SECTION, angular_velocity=[0, 0, rate])
    m.fixed("clamp", "hub", "boom.start")
    m.load("push", "boom.end", force=[0, 0, 1e-3])
    found = boom(6).modes(4, spin=("z", rate))
    w = next(omega(found)[k] for k in range(4) if found.describe(k).endswith("along z"))
    r = m.simulate(f"{6 * np.pi / w} s", solver="implicit", tolerance=1e-7, outputs=600)
    z = r["boom.end.position.z"].values
    spectrum = np.abs(np.array([np.exp(-1j * f * r.time) @ ((z - z.mean()) * np.hanning(len(z))) for f in w * TRIAL]))
    assert TRIAL[np.argmax(spectrum)] == pytest.approx(1.0, abs=0.03)


TRIAL = np.linspace(0.6, 1.4, 81)


# -- mistakes ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ({"at": "noon"}, "'rest'"),
        ({"spin": ("w", 3)}, "300 rpm"),
        ({"spin": "z"}, "300 rpm"),
        ({"spin": ("z", "3 m")}, "angular rate"),
    ],
)
def test_mistakes_are_told(question, words):
    with pytest.raises(ModelError, match=words):
        boom().modes(**question)


def test_gravity_across_the_axis_is_refused():
    with pytest.raises(ModelError, match="gravity across"):
        boom(gravity=(0, 0, -9.81)).modes(spin=("x", 3.0))
    assert len(boom(gravity=(0, 0, -9.81)).modes(2, spin=("z", 3.0)).frequencies_hz) == 2
