"""Stress recovered from the amplitudes of a reduced body against that of its own full model, where it bends little."""

import numpy as np
import pytest

import tapespring as ts

METAL = {"young": 70e9, "poisson": 0.3, "density": 2700}
MOVED = (3e-9, -2e-9, 4e-9)  # m: tension changes bending by less than 1e-5


def beam():
    m = ts.Model(name="beam")
    m.beam("b", path=[[0, 0, 0], [0.4, 0, 0]], section={"kind": "rectangle", "width": "20 mm", "thickness": "10 mm"},
           material=METAL, elements=8)  # fmt: skip
    return m, {"root": "b.start", "tip": "b.end"}, ["b.section_force", "b.section_moment"], "b.section_moment:2+5..6"


def shell():
    m = ts.Model(name="shell")
    mesh = {"kind": "plate", "length": 0.4, "width": 0.1, "divisions": [8, 2]}
    m.shell("s", mesh=mesh, material=METAL, thickness=0.01)
    names = ["s.membrane_force", "s.bending_moment", "s.shear_force"]
    return m, {"root": "s.left", "tip": "s.right"}, names, "s.bending_moment:2+5..6"


def solid():
    m = ts.Model(name="solid")
    mesh = {"kind": "box", "length": 0.4, "width": 0.05, "height": 0.04, "divisions": [8, 2, 2]}
    m.solid("s", mesh=mesh, material=METAL)
    return m, {"root": "s.x0", "tip": "s.x1"}, ["s.stress", "s.nodal_stress"], "s.stress:2+5..6"


@pytest.mark.parametrize("drawn", [beam, shell, solid])
def test_stress_of_the_full_model(drawn):
    """One end held, the other moved so little every way that the full model is linear."""
    m, interfaces, names, some = drawn()
    of = m.to_plain()
    m.support("root", interfaces["root"])
    m.support("tip", interfaces["tip"], move={c: f"{d}*t" for c, d in zip("xyz", MOVED, strict=True)})
    full = m.simulate("1 s", solver="quasi-static", outputs=[1.0])
    body = ts.Model(name="reduced")
    body.modal("r", of=of, interfaces=interfaces, modes=2, stress=names)
    body.fixed("root", between=["ground", "r.root"])
    body.moving_frame("hand", at=[0.4, 0, 0], position=[f"{d}*t" for d in MOVED])
    body.fixed("tip", between=["hand", "r.tip"])
    reduced = body.simulate("1 s", solver="quasi-static", outputs=[1.0])
    for name in names:
        wanted = full[name].values
        np.testing.assert_allclose(reduced[f"r.{name}"].values, wanted, atol=1e-5 * np.abs(wanted).max())
    chosen = ts.reduce(ts.Model.from_plain(of), interfaces, modes=2, stress=some).stress[some.partition(":")[0]]
    assert {label[-1] for label in chosen.labels} == {"2", "5", "6"}


def test_elements_near_a_group(tmp_path):
    m, interfaces, _, _ = solid()
    body = ts.reduce(m, interfaces, modes=0, stress="s.stress:x0,s.stress:31")
    body.save(tmp_path / "a.npz")
    again = ts.Reduced.load(tmp_path / "a.npz").stress["s.stress"]
    assert len(again.labels) == 6 * 5  # four cells at the end, and the last one
    np.testing.assert_array_equal(again.rows, body.stress["s.stress"].rows)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("b.stress", "no elements have 'b.stress'"),
        ("b.strain:8", "there is no element 8; they are numbered 0 to 7"),
        ("b.strain:x9", "'x9' is no number of an element and no range like 10..20"),
    ],
)
def test_what_cannot_be_recovered(wanted, words):
    m, interfaces, _, _ = beam()
    with pytest.raises(ts.ModelError, match=words):
        ts.reduce(m, interfaces, modes=0, stress=wanted)


def test_matrices_know_no_stress():
    from tapespring.bench.hermite import hermite_beam

    with pytest.raises(ts.ModelError, match="matrices do not say what elements carry"):
        ts.reduce(hermite_beam(10.0, 0.3, 1.0, 4, {0.0: "y rz"}), {"tip": "1"}, modes=1, stress="beam.stress")
