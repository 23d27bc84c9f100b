"""Names, units and shapes of the channels of beams, cables and bars."""

import numpy as np
import pytest

from tapespring.kinds.registry import kinds
from tapespring.model import Model
from tapespring.solve import probe

ENERGIES = {"strain_energy", "energy_density"}
needs_elements = pytest.mark.skipif(not hasattr(probe, "fill_beam_stress"), reason="element kernels")


def results_of(kind, **changes):
    model = Model.from_plain(kinds()[kind].example)
    for path, value in changes.items():
        model = model.set(path.replace("__", "."), value)
    return model.simulate("1 ms", outputs=2)


@pytest.fixture(scope="module")
def boom():
    return results_of("beam", bodies__boom__markers={"mid": {"at": "50 %", "offset": [0, 0, "5 mm"]}})


@pytest.fixture(scope="module")
def rope():
    return results_of("cable")


def test_beam(boom):
    names = {name for name in boom.channels if name.startswith("boom.")}
    at_markers = {
        f"boom.{marker}.{quantity}"
        for marker in ("start", "mid", "end")
        for quantity in ("position", "velocity", "orientation")
    }
    whole = {"positions", "section_up", "section_force", "section_moment", "strain", "curvature"} | ENERGIES
    assert names == at_markers | {f"boom.{quantity}" for quantity in whole}
    np.testing.assert_allclose(boom["boom.mid.position"][0], [0.5, 0, 0.005], atol=1e-12)
    np.testing.assert_allclose(boom["boom.end.orientation"][0], [1, 0, 0, 0], atol=1e-12)
    positions = boom["boom.positions"]
    assert positions.shape == (3, 15)  # a marker between nodes adds one element
    assert positions.components[:4] == ("x0", "y0", "z0", "x1")
    np.testing.assert_allclose(boom["boom.positions.x4"], 1, atol=1e-6)
    assert boom["boom.curvature"].unit == "1/m"


def test_cable(rope):
    names = {name for name in rope.channels if name.startswith("rope.")}
    at_ends = {f"rope.{end}.{quantity}" for end in ("start", "end") for quantity in ("position", "velocity")}
    assert names == at_ends | {"rope.positions", "rope.tension"} | {f"rope.{name}" for name in ENERGIES}
    assert rope["rope.positions"].shape == (3, 12)


def test_rigid_beam():
    results = results_of("beam", bodies__boom__rigid=True)
    names = {name for name in results.channels if name.startswith("boom.")}
    assert {"boom.position", "boom.orientation", "boom.end.position"} <= names
    assert not any("strain" in name for name in names)


@needs_elements
def test_element_channels(boom, rope):
    assert boom["boom.section_force"].shape == (3, 12)
    assert boom["boom.section_force"].components[:4] == ("N0", "Qy0", "Qz0", "N1")
    assert boom["boom.section_moment"].components[:4] == ("T0", "My0", "Mz0", "T1")
    np.testing.assert_allclose(boom["boom.strain"][0], 0, atol=1e-12)
    assert boom["boom.strain_energy"][-1] > 0
    assert rope["rope.tension"].shape == (3, 3)
    stay = results_of("bar")
    assert stay["stay.tension"][0] == pytest.approx(5)
    assert stay["strut.strain"].unit == "1"
