"""Reduced beams against closed forms, the full model and each other."""

import numpy as np
import pytest

import tapespring as ts
from tapespring.bench.hermite import hermite_beam
from tapespring.reduction.reduce import reduced_with_report


def boom(elements=30) -> ts.Model:
    m = ts.Model(name="boom")
    m.beam("boom", path=[[0, 0, 0], [1, 0, 0]], section={"kind": "rectangle", "width": "20 mm", "thickness": "10 mm"},
           material={"young": 70e9, "poisson": 0.33, "density": 2700}, elements=elements)  # fmt: skip
    return m


ENDS = ["boom.start", "boom.end"]


def test_free_beam_of_closed_form():
    """cosh β cos β = 1 for a slender beam of cubic elements; of free modes nothing moves as one piece."""
    body = ts.reduce(hermite_beam(10.0, 0.3, 1.0, 40, {}), method="normal", modes=4)
    beta = np.array([4.730040744862704, 7.853204624095838, 10.995607838001671, 14.137165491257464])
    exact = beta**2 * np.sqrt(10.0 / 0.3) / (2 * np.pi)
    np.testing.assert_allclose(body.frequencies, exact, rtol=2e-5)
    assert np.abs(body.inertia.momentum).max() < 1e-10
    assert np.abs(body.inertia.spin).max() < 1e-10
    assert body.inertia.mass == pytest.approx(0.3, rel=1e-12)


def test_own_model_equals_its_modes():
    model = boom()
    full = model.modes(22).frequencies_hz[6:]
    body, report = reduced_with_report(model, ENDS, method="rubin", modes=12)
    np.testing.assert_allclose(body.frequencies[:12], full[:12], rtol=1e-7)
    assert report.free_motions == 6
    assert body.inertia.mass == pytest.approx(0.54, rel=1e-12)
    np.testing.assert_allclose(body.inertia.centre, [0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(body.inertia.modal, np.eye(body.count), atol=1e-12)


def test_craig_bampton_with_residual_modes_below_half_the_cut_off():
    model = boom()
    full = model.modes(46).frequencies_hz[6:]
    body, report = reduced_with_report(model, ENDS, modes=12, residual=2)
    some = int((full < 0.5 * report.normal_hz[-1]).sum())
    assert some >= 6
    np.testing.assert_allclose(body.frequencies[:some], full[:some], rtol=1e-7)
    assert report.frequency_error < 1e-8
    plain = reduced_with_report(model, ENDS, modes=12, residual=0)[1]
    assert 1e-4 < plain.frequency_error < 1e-2  # and the report knows


@pytest.mark.parametrize("modes", [6, 12, 20])
def test_craig_bampton_below_half_the_cut_off(modes):
    """As it is done unless told otherwise, against the full model."""
    model = boom()
    full = model.modes(46).frequencies_hz[6:]
    body, report = reduced_with_report(model, ENDS, modes=modes)
    some = int((full < 0.5 * report.normal_hz[-1]).sum())
    assert some >= 2
    np.testing.assert_allclose(body.frequencies[:some], full[:some], rtol=1e-6)
    assert body.count <= modes + 3 * 12 - 6


def test_craig_bampton_contains_the_held_and_the_free():
    """Holding the interfaces of the reduced body gives its normal modes back."""
    body, report = reduced_with_report(hermite_beam(10.0, 0.3, 1.0, 40, {}), {"a": "0", "b": "1"}, modes=5, residual=0)
    assert body.count == 5 + 4 - 2
    rows = np.array([f for frame in body.frames.values() for f in (frame.translation[1], frame.rotation[2])])
    rigid = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0]])  # of (v, w) at both ends
    G = np.hstack((rows, rigid))
    null = np.linalg.svd(G)[2][4:].T
    H = body.inertia.matrix(np.zeros(body.count))
    pick = [*range(6, 6 + body.count), 1, 5]
    M, K = H[np.ix_(pick, pick)], np.zeros((body.count + 2,) * 2)
    K[: body.count, : body.count] = body.stiffness
    squares = np.linalg.eigvals(np.linalg.solve(null.T @ M @ null, null.T @ K @ null)).real
    held = np.sqrt(np.sort(squares)) / (2 * np.pi)
    np.testing.assert_allclose(held, report.normal_hz, rtol=1e-8)
    clamped = np.array([4.730040744862704, 7.853204624095838, 10.995607838001671])
    np.testing.assert_allclose(held[:3], clamped**2 * np.sqrt(10.0 / 0.3) / (2 * np.pi), rtol=2e-5)


def test_effective_mass_of_a_cantilever():
    """61.3 % and 18.8 % in the first two modes (Blevins), of a beam held at one end."""
    _, report = reduced_with_report(hermite_beam(10.0, 0.3, 1.0, 40, {0.0: "y rz"}), method="normal", modes=40)
    assert report.effective is not None
    np.testing.assert_allclose(report.effective[:3, 1], [0.6131, 0.1883, 0.0647], atol=2e-4)
    assert report.effective[:, 1].sum() == pytest.approx(1.0, abs=0.03)


def test_static_error_by_normal_modes_alone():
    structure = hermite_beam(10.0, 0.3, 1.0, 40, {0.0: "y rz"})
    errors = [reduced_with_report(structure, {"tip": "1"}, method=m, modes=4)[1].static_error["tip"]
              for m in ("normal", "rubin", "craig-bampton")]  # fmt: skip
    assert errors[0] > 0.1
    assert max(errors[1:]) < 1e-4


def test_errors_of_a_free_rod_at_rest_and_accelerated():
    """Without modes along it the rod stretches evenly: L/4EA of the L/3EA by which a pulled end gets ahead. At rest it
    does stretch evenly."""
    m = ts.Model(name="rod")
    m.beam("rod", path=[[0, 0, 0], [2, 0, 0]], elements=40, section={"kind": "tube", "radius": "10 mm", "wall": "1 mm"},
           material={"young": "70 GPa", "poisson": 0.3, "density": 2700})  # fmt: skip
    ends = ["rod.start", "rod.end"]
    plain, better = (reduced_with_report(m, ends, modes=4, residual=orders)[1] for orders in (0, 1))
    assert list(plain.static_error) == list(plain.accelerated_error) == ends
    assert max(*plain.static_error.values(), *better.static_error.values()) < 1e-5
    assert plain.accelerated_error["rod.end"] == pytest.approx(0.5, abs=1e-3)
    assert max(better.accelerated_error.values()) < 1e-5


def test_a_free_body_with_one_interface_cannot_be_loaded_at_rest():
    m = ts.Model(name="rod")
    m.beam("rod", path=[[0, 0, 0], [2, 0, 0]], elements=4, section={"kind": "circle", "radius": "10 mm"},
           material={"young": "70 GPa", "poisson": 0.3, "density": 2700})  # fmt: skip
    report = reduced_with_report(m, ["rod.end"], modes=4)[1]
    assert report.static_error == {}
    assert list(report.accelerated_error) == ["rod.end"]


def test_modes_below_a_frequency_and_damping():
    structure = hermite_beam(10.0, 0.3, 1.0, 40, {0.0: "y rz"})
    body = ts.reduce(structure, method="normal", below="60 Hz", damping=0.02)
    exact = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613]) ** 2 * np.sqrt(10 / 0.3) / (2 * np.pi)
    np.testing.assert_allclose(body.frequencies, exact, rtol=1e-5)
    np.testing.assert_allclose(np.diag(body.damping), 2 * 0.02 * 2 * np.pi * exact, rtol=1e-5)


def test_saved_and_loaded(tmp_path):
    body = ts.reduce(boom(6), {"root": "boom.start", "tip": "boom.end"}, modes=2)
    body.save(tmp_path / "boom.npz")
    again = ts.Reduced.load(tmp_path / "boom.npz")
    for key in ("stiffness", "damping", "frequencies", "positions", "shapes"):
        np.testing.assert_array_equal(getattr(again, key), getattr(body, key))
    q = np.linspace(-1, 1, body.count)
    np.testing.assert_array_equal(again.inertia.matrix(q), body.inertia.matrix(q))
    assert list(again.frames) == ["root", "tip"]
    np.testing.assert_array_equal(again.frame("tip").translation, body.frame("tip").translation)
    assert again.picture is not None
    np.testing.assert_array_equal(again.picture.cells["line"], body.picture.cells["line"])
    assert again.source["options"]["method"] == "craig-bampton"
    assert again.source["made"]["model_name"] == "boom"


def test_dropped_directions_are_counted():
    """The same end twice, once by a coincident node, adds nothing."""
    structure = hermite_beam(10.0, 0.3, 1.0, 10, {0.0: "y rz"})
    _, report = reduced_with_report(structure, {"tip": "1"}, method="rubin", modes=20, drop=1e-8)
    assert report.dropped == 2


def test_several_places_as_one(tmp_path):
    """Three nodes of a truss as one rigid interface, by names and by a range."""
    from bulk_files import cantilever

    (tmp_path / "a.bdf").write_text(cantilever(6))
    one = ts.reduce(tmp_path / "a.bdf", {"end": "5+6+7"}, modes=2)
    other = ts.reduce(tmp_path / "a.bdf", {"end": "5..7"}, modes=2)
    np.testing.assert_allclose(one.frequencies, other.frequencies, rtol=1e-12)
    np.testing.assert_allclose(one.frame("end").position, [5 / 6, 0, 0], atol=1e-6)
