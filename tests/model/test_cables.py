"""Cables, bars and distributed loads: what they become."""

import numpy as np
import pytest

from tapespring.build.builder import build
from tapespring.mechanics import tables as tb
from tapespring.model import Model

ROPE = {"kind": "cable", "path": [[0, 0, 0], [3, 4, 0]], "axial_stiffness": 100, "mass_per_length": 0.2, "elements": 5}
BOOM = {
    "kind": "beam",
    "path": [[0, 0, 0], [1, 0, 0], [1, 1, 0]],
    "section": {"kind": "circle", "radius": 0.01},
    "material": {"young": 1e9, "poisson": 0.3, "density": 1000},
    "elements": 4,
}


def built(bodies, **sections):
    return build(Model.from_plain({"bodies": bodies, **sections}), ".", 1.0)


def rope(**fields):
    assembler, catalogue = built({"rope": ROPE | fields})
    return assembler, catalogue.bodies["rope"]


def test_cable_is_points_and_cords():
    assembler, entry = rope(markers={"mid": "50 %"})
    assert {n.kind for n in assembler.nodes[1:]} == {tb.POINT}
    assert sum(n.mass for n in assembler.nodes) == pytest.approx(1.0)
    assert len(assembler.bars) == len(entry.line.elements) == 6
    for bar in assembler.bars:
        assert bar.slack
        assert bar.stiffness == 100
        assert bar.length == pytest.approx(np.linalg.norm(bar.pb - bar.pa))
    np.testing.assert_allclose(assembler.nodes[entry.markers["mid"].node].x, [1.5, 2, 0])
    assert assembler.finish().plane == 2


def test_bars_out_of_plane_keep_a_model_in_space():
    bodies = {"rope": ROPE}
    stay = {"kind": "bar", "between": [{"on": "ground", "at": [0, 0, 1]}, "rope.end"], "axial_stiffness": 1}
    assembler, _ = built(bodies, forces={"stay": stay})
    assert assembler.finish().plane is None


def test_cable_of_a_section():
    wire = {
        "kind": "cable",
        "path": ROPE["path"],
        "section": {"kind": "circle", "radius": 0.001},
        "material": {"young": "200 GPa", "poisson": 0.3, "density": 7850},
        "compression": True,
        "damping": {"stiffness": "1 ms", "mass": 2, "viscous": 3},
    }
    assembler, _ = built({"rope": wire})
    area = np.pi * 1e-6
    assert assembler.bars[0].stiffness == pytest.approx(200e9 * area)
    assert sum(n.mass for n in assembler.nodes) == pytest.approx(7850 * area * 5)
    assert not assembler.bars[0].slack
    assert assembler.bars[0].damping == 0.001
    assert sum(drag.linear for drag in assembler.drags) == pytest.approx(2 * 7850 * area * 5 + 3 * 5)


def test_tension_as_drawn():
    assembler, _ = rope(pretension="20 N")
    for bar in assembler.bars:
        drawn = np.linalg.norm(bar.pb - bar.pa)
        assert bar.stiffness * (drawn - bar.length) / bar.length == pytest.approx(20)
    assembler, _ = rope(unstretched_length=6)
    assert sum(bar.length for bar in assembler.bars) == pytest.approx(6)
    assert sum(n.mass for n in assembler.nodes) == pytest.approx(0.2 * 6)


def test_cable_hangs_between_bodies():
    bodies = {"rope": ROPE, "block": {"kind": "rigid", "mass": 1, "inertia": [1, 1, 1], "at": [3, 4, 0]}}
    joints = {
        "top": {"kind": "spherical", "between": ["ground", "rope.start"]},
        "hook": {"kind": "spherical", "between": ["block", "rope.end"]},
        "ring": {"kind": "point_on_line", "between": ["ground", {"on": "rope", "at": "40 %"}], "axis": [3, 4, 0]},
    }
    _, catalogue = built(bodies, joints=joints)
    assert catalogue.notes == []
    assert len(catalogue.joints["hook"].rows) == 3


def test_bar_between_bodies():
    bodies = {"boom": BOOM, "mass": {"kind": "point_mass", "mass": 1, "at": [1, 1, 2]}}
    forces = {
        "stay": {"kind": "bar", "between": [{"on": "boom", "at": "25 %", "offset": [0, 0, 0.1]}, "mass"],
                 "axial_stiffness": 50, "pretension": 5, "tension_only": True, "damping": 0.1},
        "strut": {"kind": "bar", "between": ["ground", "mass"], "axial_stiffness": 50, "free_length": 2},
    }  # fmt: skip
    assembler, catalogue = built(bodies, forces=forces)
    stay, strut = (assembler.bars[catalogue.bars[name].bar] for name in ("stay", "strut"))
    np.testing.assert_allclose(stay.pa, [0.5, 0, 0.1])
    drawn = np.linalg.norm(stay.pb - stay.pa)
    assert 50 * (drawn - stay.length) / stay.length == pytest.approx(5)
    assert (stay.slack, strut.slack, strut.length, stay.damping) == (True, False, 2, 0.1)
    assert catalogue.bars["stay"].sides == ("boom at 25 %", "mass")


def loaded(body=BOOM, **fields):
    load = {"kind": "distributed_load", "on": "boom", "force": ["2*t", 0, "-5 N/m"], **fields}
    assembler, catalogue = built({"boom": body}, forces={"wind": load})
    return [assembler.loads[k] for k in catalogue.distributed["wind"].loads], assembler


def test_distributed_load_is_shared_out():
    loads, assembler = loaded()
    assert sum(load.share for load in loads) == pytest.approx(2)
    assert [load.share for load in loads] == pytest.approx([0.25, 0.5, 0.5, 0.5, 0.25])
    assert len({tuple(load.laws) for load in loads}) == 1
    assert loads[0].laws[1] == loads[0].laws[3] == -1
    for load in loads:
        np.testing.assert_allclose(load.point, assembler.nodes[load.node].x)
        assert not load.follows


def test_span_ends_are_nodes():
    loads, _ = loaded(span=["0.3 m", "80 %"])
    assert sum(load.share for load in loads) == pytest.approx(1.3)
    np.testing.assert_allclose(loads[0].point, [0.3, 0, 0])
    np.testing.assert_allclose(loads[-1].point, [1, 0.6, 0])
    centre = sum(load.share * load.point for load in loads) / 1.3
    np.testing.assert_allclose(centre, (0.7 * np.array([0.65, 0, 0]) + 0.6 * np.array([1, 0.3, 0])) / 1.3)


def test_follower_has_both_frames_of_a_corner():
    loads, _ = loaded(axes="body", moment=[0, 1, 0])
    corner = [load for load in loads if np.allclose(load.point, [1, 0, 0])]
    assert len(corner) == 2
    np.testing.assert_allclose(corner[0].axes[0], [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(corner[1].axes[0], [0, 1, 0], atol=1e-15)
    assert all(load.follows for load in loads)
    assert loads[0].laws[4] >= 0


def test_load_on_a_beam_declared_rigid():
    loads, assembler = loaded(BOOM | {"rigid": True}, span=[0, 0.3])
    assert {load.node for load in loads} == {1}
    centre = sum(load.share * load.point for load in loads) / 0.3
    np.testing.assert_allclose(centre, [0.15, 0, 0])
    assert len(assembler.nodes) == 2


def test_load_on_a_cable():
    load = {"kind": "distributed_load", "on": "rope", "force": [0, 0, 1]}
    assembler, _ = built({"rope": ROPE}, forces={"wind": load})
    assert sum(part.share for part in assembler.loads) == pytest.approx(5)
