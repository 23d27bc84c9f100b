"""A large mechanism with one of everything, for comparing dense systems and systems by blocks."""

import numpy as np

from tapespring import Model

STIFF = [4000.0, 3000.0, 3500.0, 40.0, 30.0, 50.0]


def long_chain(bodies=30, planar=False):
    """Bodies joined by turns by hinges, bushings, balls and sliders, from a shaken frame on (in the plane from ground,
    and without bushings). The end is tied to ground, a coupler and a drive act between hinges, and a spring spans half
    of the chain."""
    rng = np.random.default_rng(3)
    sections = {"bodies": {}, "joints": {}, "forces": {}, "drives": {}}
    shaker = {
        "kind": "moving_frame", "position": [0, "0.01*sin(20*t)", 0],
        "attitude": {"axis": [0, 0, 1], "angle": "0.05*t"},
    }  # fmt: skip
    spots = np.cumsum(np.column_stack((np.full(bodies + 1, 0.1), 0.05 * rng.normal(size=(bodies + 1, 2)))), axis=0)
    if planar:
        spots[:, 2] = 0.0
    before = "ground"
    if not planar:  # a planar model has no prescribed frames
        sections["bodies"]["shaker"], before = shaker, "shaker"
    for k in range(bodies):
        name = f"b{k}"
        inertia = [0.002, 0.003, 0.004] + ([0, 0, 0] if planar else [2e-4, -1e-4, 1e-4])
        at = (0.5 * (spots[k] + spots[k + 1])).tolist()
        sections["bodies"][name] = {"kind": "rigid", "at": at, "mass": 0.3, "inertia": inertia}
        joint = {"between": [before, name], "at": spots[k].tolist()}
        axis = [0, 0, 1] if planar else rng.normal(size=3).tolist()
        if k % 6 in (1, 4) and not planar:
            markers = [{"on": before, "at": spots[k].tolist()}, {"on": name, "at": spots[k].tolist()}]
            sections["forces"][f"mount{k}"] = {
                "kind": "bushing", "between": markers, "stiffness": STIFF, "damping": [0.01 * s for s in STIFF]
            }  # fmt: skip
        elif k % 6 == 3:
            sections["joints"][f"ball{k}"] = {"kind": "spherical", **joint}
        elif k % 6 == 5:
            axis = [1, 0.5, 0] if planar else axis
            sections["joints"][f"slider{k}"] = {"kind": "prismatic", **joint, "axis": axis}
            sections["forces"][f"stop{k}"] = {
                "kind": "joint_torque", "joint": f"slider{k}.position", "value": "-500*x - 2*v"}  # fmt: skip
        else:
            sections["joints"][f"hinge{k}"] = {"kind": "revolute", **joint, "axis": axis}
            sections["forces"][f"wire{k}"] = {
                "kind": "torsion_spring", "joint": f"hinge{k}", "stiffness": 5, "damping": 0.05}  # fmt: skip
        before = name
    sections["joints"]["tie"] = {"kind": "spherical", "between": ["ground", before], "at": spots[bodies].tolist()}
    sections["joints"]["gear"] = {"kind": "coupler", "joints": ["hinge0", "hinge6"], "ratio": -0.5}
    sections["drives"]["motor"] = {"kind": "motion", "joint": "hinge2", "value": "0.02*sin(10*t)"}
    ends = [{"on": "b2", "at": spots[2].tolist()}, {"on": f"b{bodies // 2}", "at": spots[bodies // 2].tolist()}]
    sections["forces"]["span"] = {"kind": "spring", "between": ends, "stiffness": 200, "damping": 1, "free_length": 1}
    gravity = [0, -9.81, 0]
    return Model.from_plain({"name": "long chain", "gravity": gravity, "simulate": {"duration": 0.2}} | sections)
