"""MuJoCo on the pendulum of ellipsoids: two ball joints, RK4, the contact law of the problem as a passive force.

The law is written in Python, and in C where there is a compiler. Prints one line of JSON.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mujoco
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import pendulum_problem as problem  # noqa: E402

STAGES = 4  # evaluations of the forces in a step of RK4
MOST = 15.0  # seconds for a run


def build(step: float):
    spec = mujoco.MjSpec()
    spec.compiler.boundmass = spec.compiler.boundinertia = 0.0
    spec.option.timestep, spec.option.gravity = step, [0.0, 0.0, -problem.GRAVITY]
    parent, joint = spec.worldbody, 0.0
    for k in (0, 1):
        reach = problem.SIZES[k][2]
        body = parent.add_body(name=f"body{k}", pos=[0.0, 0.0, joint])
        body.explicitinertial = True
        body.mass, body.ipos, body.inertia = problem.MASSES[k], [0.0, 0.0, reach], problem.inertia(k)
        body.add_joint(name=f"ball{k}", type=mujoco.mjtJoint.mjJNT_BALL)
        parent, joint = body, 2.0 * reach
    model = spec.compile()
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    off = mujoco.mjtDisableBit
    model.opt.disableflags = int(
        off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT | off.mjDSBL_SENSOR | off.mjDSBL_AUTORESET | off.mjDSBL_ISLAND
    )
    return model


def start(model):
    data = mujoco.MjData(model)
    first, second = (problem.turned(euler) for euler in problem.EULER)
    for k, axes in enumerate((first, first.T @ second)):
        mujoco.mju_mat2Quat(data.qpos[4 * k : 4 * k + 4], axes.ravel())
    return data


def touch(model, data) -> None:
    """The law in Python."""
    for k in (0, 1):
        velocity = np.zeros(6)
        body = k + 1
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, velocity, 0)
        found = problem.contact(k, data.xipos[body], data.ximat[body].reshape(3, 3), velocity[3:], velocity[:3])
        if found is not None:
            force, point = found
            mujoco.mj_applyFT(model, data, force, np.zeros(3), point, body, data.qfrc_passive)


def compiled(folder: str):
    """A function that gives MuJoCo the law in C, or None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    home, target = Path(mujoco.__file__).parent, Path(folder) / "law.so"
    library = next(home.glob("libmujoco.so*"))
    command = [compiler, "-O2", "-shared", "-fPIC", f"-I{home / 'include'}", HERE / "mujoco_pendulum.c", "-o", target]
    subprocess.run([*map(str, command), str(library)], check=True)
    law = ctypes.CDLL(str(target)).touch
    slot = ctypes.c_void_p.in_dll(ctypes.CDLL(str(library)), "mjcb_passive")

    def use() -> None:
        slot.value = ctypes.cast(law, ctypes.c_void_p).value

    return use


def run(steps: int, use_law) -> dict:
    mujoco.set_mjcb_passive(None)  # compiling a model calls it too
    model = build(problem.DURATION / steps)
    data = start(model)
    use_law()
    began = time.process_time()
    mujoco.mj_step(model, data, nstep=steps)
    took = time.process_time() - began
    mujoco.mj_forward(model, data)
    end = data.xipos[2].tolist()
    return {"work": f"{steps} steps", "cpu_s": took, "end": end, "evaluations": STAGES * steps}


def scan(name: str, use_law) -> dict:
    """More and more steps, until twice in turn the least error is reached, or it takes too long."""
    runs, steps, reached = [], 5000, 0
    while reached < 2 and (not runs or 2.0 * runs[-1]["cpu_s"] < MOST):
        runs.append(run(steps, use_law))
        print(name, runs[-1], file=sys.stderr)
        reached = reached + 1 if problem.error(runs[-1]["end"]) < min(problem.ERRORS) else 0
        steps *= 2
    return {"name": name, "law": "the same", "runs": runs}


def main() -> None:
    found = [scan("RK4, law in Python", lambda: mujoco.set_mjcb_passive(touch))]
    with tempfile.TemporaryDirectory() as folder:
        use_law = compiled(folder)
        if use_law is not None:
            found.append(scan("RK4, law in C", use_law))
    print(json.dumps({"version": mujoco.__version__, "families": found}))


if __name__ == "__main__":
    main()
