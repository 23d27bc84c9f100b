"""Bad input: told with card and line, node and direction; nothing is dropped silently."""

import numpy as np
import pytest
from bulk_files import STEEL, cantilever, free
from scipy.sparse import csr_array

import tapespring as ts
from tapespring.bench.hermite import hermite_beam
from tapespring.schema.problems import ModelError


def told(tmp_path, text, **options) -> str:
    path = tmp_path / "bad.bdf"
    path.write_text(text)
    with pytest.raises(ModelError) as caught:
        ts.reduce(path, method="normal", modes=1, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (
            "CBUSH,9,9,1,2",
            "CBUSH: this card is not understood; replace it, or leave it out knowingly with --ignore CBUSH",
        ),
        ("RBE3,9,,3,123,1.,123,1,2", "RBE3: this card is not understood"),
        ("MAT8,9,1.,1.,.3", "MAT8: this card is not understood"),
        ("CTETRA,9,9,1,2,3,4", "CTETRA: 4-node tetrahedra are far too stiff"),
        ("CBAR,9,10,1,2,0.,1.,0.\n+,456", "CBAR: PA (field 10) is '456': released ends are not understood"),
        ("CBAR,9,77,1,2,0.,1.,0.", "element 9: there is no property 77"),
        ("CBAR,9,10,1,99,0.,1.,0.", "CBAR: there is no grid 99"),
        ("CBAR,9,10,1,2", "CBAR: has no orientation"),
        ("GRID,77,5,0.,0.,0.", "GRID: there is no coordinate system 5"),
        ("GRID,1,,0.,0.,0.", "GRID: grid 1 is there already"),
        ("GRID,78,,zero,0.,0.", "GRID: coordinates (field 4) is 'zero', but a number is wanted"),
        ("CORD2R,5,5,0.,0.,0.,0.,0.,1.\n+,1.,0.,0.\nGRID,77,5,0.,0.,0.", "coordinate system 5 is defined by itself"),
        ("CORD2R,5,,0.,0.,0.,0.,0.,1.\n+,0.,0.,2.\nGRID,77,5,0.,0.,0.", "its three points lie in a line"),
        ("PBARL,11,1,,HAT\n+,1.,1.,1.,1.", "section 'HAT' is not understood"),
        ("MAT1,9,1.+7", "MAT1: needs two of E, G and NU"),
        ("RBE2,9,3,123,2", "RBE2: CM = 123 ties grid 2 in part only"),
        ("SPC1,1,1237,2", "SPC1: C (field 3) is '1237', but digits from 1 to 6 are wanted"),
        ("SPC1,2,123,2", "case control chooses no SPC set and there are several (1, 2)"),
        ("PSHELL,9,1,.1", "PSHELL: MID2 is not MID1"),
        ("GRID,1,2,3,4,5,6,7,8,9,10,11", "more than nine fields between commas"),
    ],
)
def test_cards(tmp_path, card, words):
    """In line 1, so that the message names it."""
    text = told(tmp_path, f"{card}\n{cantilever(3)}")
    assert words in text
    if "SPC set" not in words and "there already" not in words:
        assert "bad.bdf:1:" in text or "bad.bdf:3:" in text


def test_all_problems_in_one_go(tmp_path):
    text = told(tmp_path, cantilever(3, "CELAS2,1,2\nCGAP,3,4\nMAT9,1\n"))
    assert [word in text for word in ("CELAS2", "CGAP", "MAT9")] == [True] * 3
    assert len(text.splitlines()) == 3


def test_ignored_knowingly(tmp_path):
    path = tmp_path / "a.bdf"
    path.write_text(cantilever(3, "CBUSH,9,9,1,2\n"))
    body = ts.reduce(path, method="normal", modes=1, ignore="CBUSH")
    assert any("CBUSH: left out as asked" in note for note in body.source["report"]["notes"])


def test_no_mass(tmp_path):
    text = told(tmp_path, cantilever(3).replace("7850.", "0."))
    assert "grid 1 of element 1 has no mass; give its material a density (RHO)" in text
    assert "bad.bdf:" in text


def test_include_of_nothing_and_of_itself(tmp_path):
    assert "INCLUDE: there is no file 'nowhere.bdf'" in told(tmp_path, "INCLUDE 'nowhere.bdf'")
    assert "includes itself" in told(tmp_path, "INCLUDE 'bad.bdf'")
    assert "no elements" in told(tmp_path, free("GRID", 1, "", 0.0, 0.0, 0.0) + STEEL)


def changed(**parts):
    from dataclasses import replace

    return replace(hermite_beam(10.0, 0.3, 1.0, 6, {0.0: "y rz"}), **parts)


def refused(structure, words, *interfaces, **options):
    with pytest.raises(ModelError, match=words):
        ts.reduce(structure, interfaces, **({"modes": 2} | options))


def test_mass_matrices():
    good = hermite_beam(10.0, 0.3, 1.0, 6, {0.0: "y rz"}).mass.toarray()
    M = good.copy()
    M[5, :] = M[:, 5] = 0.0
    refused(changed(mass=csr_array(M)), "rank-deficient: 1 freedoms have no mass, first node 2 along turn z")
    body = ts.reduce(changed(mass=csr_array(M)), modes=2, method="normal", massless="follow")
    assert np.isfinite(body.frequencies).all()
    M = good.copy()
    M[4, 4] = -1.0
    refused(changed(mass=csr_array(M)), r"indefinite \(its diagonal entry is -1\), most of all node 2 along y")
    M = good.copy()
    M[4, 6] = M[6, 4] = 2.0 * M[4, 4]
    refused(changed(mass=csr_array(M)), "indefinite .its smallest eigenvalue is -")
    M = good.copy()
    M[4, :], M[:, 4] = M[6, :], M[:, 6]
    M[4, 4] = M[4, 6] = M[6, 4] = M[6, 6]
    refused(changed(mass=csr_array(M)), "rank-deficient: a motion of")
    M = good.copy()
    M[4, 6] *= 2.0
    refused(changed(mass=csr_array(M)), "not symmetric")
    refused(changed(mass=csr_array(np.zeros_like(good))), "the mass matrix is zero")
    refused(changed(mass=csr_array(np.eye(3))), "is 3 × 3, but there are 14 freedoms")


def test_interfaces():
    beam = hermite_beam(10.0, 0.3, 1.0, 6, {0.0: "y rz"})
    refused(beam, "interface '0' is inside what is held .node 0 ….: it cannot move", "0")
    refused(beam, "there is no 'tip' to be an interface", "tip")
    refused(beam, "share node 6", "a=1", "b=1")
    refused(beam, "two interfaces have this name", "a=1", "a=0.5")
    refused(beam, "'loose' is no tie", "a=1:loose")


def test_interface_tied_by_a_joint():
    m = ts.Model()
    for name, x in (("a", 0.0), ("b", 1.0)):
        m.beam(name, path=[[x, 0, 0], [x + 1, 0, 0]], section={"kind": "circle", "radius": 0.01}, elements=3,
               material={"young": 70e9, "poisson": 0.33, "density": 2700})  # fmt: skip
    m.fixed("weld", "a.end", "b.start")
    refused(m, "inside a constrained set: a.3. is tied to others along x", "a.end")
    both = ts.reduce(m, method="normal", modes=3).frequencies
    one = ts.Model()
    one.beam("a", path=[[0, 0, 0], [2, 0, 0]], section={"kind": "circle", "radius": 0.01}, elements=6,
             material={"young": 70e9, "poisson": 0.33, "density": 2700})  # fmt: skip
    np.testing.assert_allclose(both, ts.reduce(one, method="normal", modes=3).frequencies, rtol=1e-6)


def test_words():
    beam = hermite_beam(10.0, 0.3, 1.0, 6, {0.0: "y rz"})
    refused(beam, "unknown 'craig'", method="craig")
    refused(beam, "below", below="5 kg")
    refused(beam, "is no number of orders from 0 to 3", residual=5)
    refused(beam, "a damping ratio is not negative", method="normal", damping=-0.1)
    refused("thing.op2", "modes have no masses; name the bulk data they belong to")
    refused("thing.xyz", "is no kind of file that is known here")


def test_loose_parts():
    m = ts.Model()
    for name, x in (("a", 0.0), ("b", 3.0)):
        m.beam(name, path=[[x, 0, 0], [x + 1, 0, 0]], section={"kind": "circle", "radius": 0.01}, elements=3,
               material={"young": 70e9, "poisson": 0.33, "density": 2700})  # fmt: skip
    refused(m, "a part moves without resistance", method="normal")
    refused(m, "moves without resistance though all interfaces are held", "a.start")
