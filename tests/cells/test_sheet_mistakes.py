"""Mistakes in membranes, shells, solids and what holds on to them: place, thing and remedy."""

import pytest

from tapespring import ModelError
from tapespring.model import Model

STRIP = {"kind": "strip", "length": 1, "width": 0.2, "divisions": [2, 1]}
BOX = {"kind": "box", "length": 1, "width": 1, "height": 1, "divisions": [1, 1, 1]}
STEEL = {"young": "200 GPa", "poisson": 0.3, "density": 7800}
PLY = {"young": "100 GPa", "young_across": "10 GPa", "poisson": 0.3, "shear": "5 GPa", "density": 1600}
SHELL = {"kind": "shell", "mesh": STRIP, "thickness": "1 mm", "material": STEEL}
MEMBRANE = SHELL | {"kind": "membrane"}
SOLID = {"kind": "solid", "mesh": BOX, "material": STEEL}


def complaint(body, **sections):
    data = {
        "name": "mistaken",
        "bodies": {"part": body} | sections.pop("bodies", {}),
        "simulate": {"duration": 1},
    } | sections
    with pytest.raises(ModelError) as caught:
        Model.from_plain(data).check()
    return str(caught.value)


def without(body, *fields):
    return {key: value for key, value in body.items() if key not in fields}


BODIES = {
    "shell without thickness": (without(SHELL, "thickness"), "needs 'thickness' (for example 0.2 mm) and 'material'"),
    "shell without material": (without(SHELL, "material"), "needs 'thickness' (for example 0.2 mm) and 'material'"),
    "layers and thickness": (SHELL | {"layers": [{"thickness": 1, "material": STEEL}]}, "remove 'thickness' and"),
    "thickness below zero": (SHELL | {"thickness": "-1 mm"}, "thickness: '-1 mm' is out of range"),
    "membrane without thickness": (without(MEMBRANE, "thickness"), "needs 'thickness'"),
    "no mesh": (without(SHELL, "mesh"), "needs 'mesh'"),
    "solid mesh for a shell": (SHELL | {"mesh": BOX}, "mesh"),
    "surface for a solid": (SOLID | {"mesh": STRIP}, "the mesh is not a solid"),
    "poisson and shear": (SHELL | {"material": STEEL | {"shear": "80 GPa"}}, "give either 'poisson'"),
    "poisson of more than a half": (SHELL | {"material": STEEL | {"poisson": 0.6}}, "between -1 and 0.5"),
    "incompressible solid": (SOLID | {"material": STEEL | {"poisson": 0.5}}, "poisson"),
    "half orthotropic": (SHELL | {"material": without(PLY, "shear")}, "an orthotropic material needs"),
    "impossible ply": (SHELL | {"material": PLY | {"poisson": 4.0}}, "poisson 4 is impossible"),
    "along the normal": (SHELL | {"along": [0, 0, 1]}, "'along' is across the surface near"),
    "unknown law": (SOLID | {"material": STEEL | {"law": "hookean"}}, "law"),
    "attach a missing group": (SHELL | {"attach": {"strat": "ground"}}, "did you mean 'start'?"),
    "attach to nobody": (SHELL | {"attach": {"start": "hub"}}, "unknown body 'hub'"),
    "rigid and attached": (SHELL | {"rigid": True, "attach": {"start": "ground"}}, "remove 'attach' or 'rigid'"),
    "unknown field": (SHELL | {"thicknes": 1}, "did you mean 'thickness'?"),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_bodies(name):
    body, message = BODIES[name]
    found = complaint(body)
    assert message in found
    assert found.startswith("bodies.part")


HUB = {"hub": {"kind": "rigid", "mass": 1, "inertia": [1, 1, 1]}}
HELD = {
    "missing group": (SHELL, {"joints": {"s": {"kind": "support", "on": "part.stat"}}}, "did you mean 'start'?"),
    "unknown body": (SHELL, {"joints": {"s": {"kind": "support", "on": "prat.start"}}}, "unknown body 'prat'"),
    "held and symmetric": (
        SHELL, {"joints": {"s": {"kind": "support", "on": "part.start", "hold": ["x"], "symmetry": "x"}}}, "keep one"),
    "moved and not held": (
        SHELL, {"joints": {"s": {"kind": "support", "on": "part.end", "hold": ["x"], "move": {"y": "t"}}}},
        "'move' displaces y, which is not held"),
    "ground held": (SHELL | {"attach": {"start": "ground"}}, {"joints": {"s": {"kind": "support", "on": "part.start"}}},
                    "there is nothing to hold"),
    "torque on a solid": (
        SOLID, {"forces": {"f": {"kind": "spread_load", "on": "part.x1", "torque": [1, 0, 0]}}}, "cannot be turned"),
    "torque on a membrane": (
        MEMBRANE, {"forces": {"f": {"kind": "spread_load", "on": "part.end", "torque": [1, 0, 0]}}},
        "give forces only"),
    "load that follows points": (
        SOLID, {"forces": {"f": {"kind": "spread_load", "on": "part.x1", "force": [1, 0, 0], "axes": "body"}}},
        "have no axes"),
    "load of nothing": (SHELL, {"forces": {"f": {"kind": "spread_load", "on": "part.end"}}}, "needs 'force'"),
    "load on many nodes": (SHELL, {"forces": {"f": {"kind": "load", "on": "part.end", "force": [1, 0, 0]}}},
                           "has 2 nodes, but one place is wanted here"),
    "joint with a whole shell": (
        SHELL, {"bodies": HUB, "joints": {"j": {"kind": "fixed", "between": ["hub", "part"]}}},
        "say where on it: 'part.start_right'"),
    "no node there": (
        SHELL, {"forces": {"f": {"kind": "load", "on": {"on": "part", "at": [0.1, 0, 0]}, "force": [1, 0, 0]}}},
        "has no node there; the nearest is at"),
    "joint with a node of a solid": (
        SOLID, {"bodies": HUB, "joints": {"j": {"kind": "fixed", "between": ["hub", "part.x1y1z1"]}}}, "part.x1y1z1"),
    "a node of two bodies": (
        SHELL | {"attach": {"start": "ground", "left": "hub"}}, {"bodies": HUB}, "belongs to two of the groups"),
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
def test_what_holds_on_to_them(name):
    body, sections, message = HELD[name]
    assert message in complaint(body, **sections)


def test_attached_after_its_carrier_wherever_it_stands():
    """A shell may be attached to a body written below it."""
    data = {
        "name": "order", "bodies": {"part": SHELL | {"attach": {"end": "hub"}}} | HUB,
        "joints": {"s": {"kind": "support", "on": "part.start"}}, "simulate": {"duration": 1},
    }  # fmt: skip
    Model.from_plain(data).check()


@pytest.mark.parametrize("body", [SHELL, MEMBRANE, SOLID], ids=["shell", "membrane", "solid"])
def test_conserving_knows_no_elements(body):
    model = Model.from_plain(
        {"name": "m", "bodies": {"part": body}, "simulate": {"duration": 1, "solver": "conserving"}}
    )
    with pytest.raises(ModelError, match="use 'implicit'"):
        model.simulate()
