"""What models look like: every kind there is can be drawn, and what is drawn is where the model is."""

import json

import numpy as np
import pytest

import tapespring as ts
from tapespring.build.builder import build
from tapespring.kinds.registry import kinds
from tapespring.scene import draw_scene

EXAMPLES = {name: kind.example for name, kind in kinds().items() if kind.example}


def drawn(plain):
    model = ts.Model.from_plain(plain)
    assembler, catalogue = build(model, duration=1.0)
    return draw_scene(model, [(catalogue, assembler)]), catalogue


def places_of(part):
    return [
        p
        for p in [*part.get("ends", []), *part.get("places", []), part.get("at"), part.get("second")]
        if isinstance(p, dict)
    ]


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_every_kind_is_drawn_as_plain_data(kind):
    scene, catalogue = drawn(EXAMPLES[kind])
    assert json.loads(json.dumps(scene)) == scene
    bodies = {part["name"]: part for part in scene["parts"] if part["kind"] in ("rigid", "point", "line", "mesh")}
    assert list(bodies) == list(catalogue.bodies)
    for part in scene["parts"]:
        for place in places_of(part):
            owner = bodies[place["body"]]
            assert ("at" in place) == (owner["kind"] in ("rigid", "point"))
            assert "at" in place or 0 <= place["node"] < owner["nodes"]
    for name, contact in catalogue.contacts.items():
        assert {"kind": "contact", "name": name, "between": list(contact.sides)} in scene["parts"]


def part(scene, name, kind=None):
    return next(p for p in scene["parts"] if p["name"] == name and kind in (None, p["kind"]))


def test_shapes_stand_in_the_frame_of_their_body():
    scene, _ = drawn({
        "bodies": {
            "drum": {
                "kind": "rigid", "at": [1, 2, 3], "orientation": {"axis": "z", "angle": "90 deg"}, "com": [0.5, 0, 0],
                "mass": "1 kg", "shape": {"kind": "cylinder", "radius": 0.2, "length": 1.0, "axis": "x"},
            }
        },
        "joints": {"pin": {"kind": "revolute", "between": ["ground", "drum"], "at": [1, 3, 3], "axis": "z"}},
    })  # fmt: skip
    shape = part(scene, "drum")["shapes"][0]
    assert shape["kind"] == "cylinder"
    assert shape["at"] == [0.5, 0.0, 0.0]
    assert shape["axes"][2] == [1.0, 0.0, 0.0]  # round about the body's x
    pin = part(scene, "pin")
    assert pin["at"] == {"body": "ground", "at": [1.0, 3.0, 3.0]}
    assert pin["second"]["at"] == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)  # world y is the body's x


def test_a_shape_that_touches_is_drawn_once_and_floors_belong_to_ground():
    floor, law = {"kind": "half_space", "on": "ground", "at": [0, 0, 0.1]}, {"kind": "linear", "stiffness": "1e5 N/m"}
    ball = {"kind": "sphere", "on": "ball", "radius": 0.2}
    scene, _ = drawn({
        "bodies": {
            "block": {"kind": "rigid", "at": [0, 0, 1], "mass": "1 kg", "shape": {"kind": "box", "size": [1, 1, 1]}},
            "ball": {"kind": "point_mass", "at": [0, 0, 3], "mass": "1 kg"},
        },
        "contacts": {
            "floor": {"kind": "contact", "between": [floor, "block"], "law": law},
            "top": {"kind": "contact", "between": [ball, floor], "law": law},
        },
    })  # fmt: skip
    assert [s["kind"] for s in part(scene, "block")["shapes"]] == ["box"]
    assert part(scene, "ball")["radius"] == 0.2
    planes = part(scene, "ground")["shapes"]
    assert [s["kind"] for s in planes] == ["plane"]
    assert planes[0]["at"] == [0.0, 0.0, 0.1]
    assert planes[0]["axes"][2] == [0.0, 0.0, 1.0]


def test_sections_of_beams_turn_with_them():
    """The direction along which a section's z axis is drawn is that of the end's own axes, also under twist."""
    model = ts.Model.from_plain({
        "gravity": [0, 0, -9.81],
        "bodies": {
            "boom": {
                "kind": "beam", "path": [[0, 0, 0], [1, 0, 0]], "twist": "60 deg", "elements": 4,
                "section": {"kind": "rectangle", "width": "20 mm", "thickness": "2 mm"},
                "material": {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"},
            }
        },
        "joints": {"clamp": {"kind": "fixed", "between": ["ground", "boom.start"]}},
        "simulate": {"duration": "0.1 s", "outputs": 4},
    })  # fmt: skip
    results = model.simulate()
    up = results["boom.section_up"].values.reshape(len(results.time), -1, 3)
    assert up[0, 0] == pytest.approx([0.0, 0.0, 1.0])
    assert up[0, -1] == pytest.approx([0.0, -np.sin(np.pi / 3), np.cos(np.pi / 3)])
    w, x, y, z = results["boom.end.orientation"].values.T
    third = np.stack((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), axis=1)
    assert up[:, -1] == pytest.approx(third)
    outline = np.array(part(results.scene, "boom")["outline"])
    assert np.ptp(outline, axis=0) == pytest.approx([0.02, 0.002])


def test_a_scene_is_saved_with_its_run(tmp_path):
    model = ts.Model.from_plain(EXAMPLES["distance"])
    results = model.simulate("0.1 s")
    again = ts.Results.load(results.save(tmp_path / "run.nc"))
    assert again.scene == results.scene
    assert part(again.scene, "ground")["kind"] == "rigid"
