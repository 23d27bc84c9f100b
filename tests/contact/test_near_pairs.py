"""Pairs found as they come near, in loops that solve systems: the same motion as with all pairs written down."""

import pytest

import tapespring as ts
from tapespring.bench.case import MODELS


def ball_on_strap(**contact):
    """A ball falls onto a strap held at both ends."""
    return {
        "name": "ball on a strap", "gravity": [0, 0, -9.81],
        "bodies": {
            "strap": {
                "kind": "beam", "path": [[-0.2, 0, 0], [0.2, 0, 0]], "elements": 20, "up": "z",
                "section": {"kind": "rectangle", "width": 0.02, "thickness": 0.001},
                "material": {"young": 70e9, "poisson": 0.3, "density": 2700},
            },
            "ball": {
                "kind": "rigid", "at": [0.03, 0, 0.03], "mass": 0.05, "shape": {"kind": "sphere", "radius": 0.02},
            },
        },
        "joints": {
            "left": {"kind": "fixed", "between": ["ground", "strap.start"]},
            "right": {"kind": "fixed", "between": ["ground", "strap.end"]},
        },
        "contacts": {"touch": {"kind": "contact", "law": {"kind": "linear", "stiffness": 1e5}, **contact}},
        "simulate": {"duration": 0.12, "solver": "implicit", "step": 1e-4, "outputs": 60},
    }  # fmt: skip


def test_implicit_with_found_pairs_as_with_all_of_them():
    few = ts.Model.from_plain(ball_on_strap(between=["strap", "ball"])).simulate()
    many = ts.Model.from_plain(ball_on_strap(among=["strap", "ball"])).simulate()
    assert few["touch.normal"].max() > 1.0  # it does touch
    assert many["ball.position"].values == pytest.approx(few["ball.position"].values, abs=1e-9)
    assert many.contacts["touch"]["touches"] == few.contacts["touch"]["touches"]


def straps(outputs):
    """Two cantilevers that overlap in the middle: the base of the upper one goes down past the lower one."""
    bodies = {
        name: {
            "kind": "beam", "path": [[-0.1, 0, z], [0.1, 0, z]], "elements": n, "up": "z", "markers": {"mid": "50 %"},
            "section": {"kind": "rectangle", "width": 0.01, "thickness": 2e-4},
            "material": {"young": 40e9, "poisson": 0.3, "density": 2600},
        }
        for name, z, n in (("lower", 0.0, 20), ("upper", 0.005, 18))
    }  # fmt: skip
    bodies["press"] = {"kind": "moving_frame", "at": [0.1, 0, 0.005], "position": [0, 0, "-0.03*t"]}
    joints = {
        "held": {"kind": "fixed", "between": ["ground", "lower.start"]},
        "pressed": {"kind": "fixed", "between": ["press", "upper.end"]},
    }
    law = {"kind": "linear", "stiffness": 1e4}
    return ts.Model.from_plain({
        "name": "pressed straps", "bodies": bodies, "joints": joints,
        "contacts": {"touch": {"kind": "contact", "between": ["lower", "upper"], "law": law}},
        "simulate": {"duration": 1.0, "solver": "quasi-static", "outputs": outputs},
    })  # fmt: skip


def test_straps_do_not_pass_through_each_other_however_few_the_outputs():
    once, often = straps(1).simulate(), straps(60).simulate()
    assert once.status.complete
    assert often.status.complete
    above, below = (once[f"{name}.mid.position.z"].final for name in ("upper", "lower"))
    assert above == pytest.approx(below, abs=2e-3)  # they lie on each other, the middle of each bent half way
    assert below < -0.005
    assert once["touch.normal"].final > 0.0
    assert once["touch.normal"].final == pytest.approx(often["touch.normal"].final, rel=1e-6)


def test_node_on_node_is_not_called_unstable():
    """Nodes that face nodes are edges of the discretisation, not of the straps."""
    text = (MODELS / "jpl" / "straps.yaml").read_text().replace("elements: 76", "elements: 80")
    settings = {"solver": "quasi-static", "duration": 6.5, "outputs": 1}
    r = ts.Model.from_text(text).set("simulate", settings).simulate()
    assert r["straps.normal"].final > 0.0
    assert not any(doubt.title == "Stability" for doubt in r.verdict.doubts)


def test_meshes_are_refused_where_they_are_not_known():
    sheet = {"kind": "plate", "length": 0.4, "width": 0.2, "divisions": [2, 2]}
    model = ball_on_strap(between=["cloth", "ball"])
    model["bodies"]["cloth"] = {
        "kind": "membrane", "mesh": sheet, "thickness": 1e-3, "attach": {"left": "ground"},
        "material": {"young": 5e6, "poisson": 0.3, "density": 1000},
    }  # fmt: skip
    with pytest.raises(
        ts.ModelError, match=r"contacts.touch: 'touch' has meshes .* use 'solver: explicit', 'implicit'"
    ):
        ts.Model.from_plain(model).simulate(solver="ode")
