"""Drake on the pendulum of ellipsoids: a continuous plant with two ball joints, integrators with error control.

The law of the problem has to be written as a system in Python, which costs most of the time. Its own point contact,
force max(0, k δ (1 + d δ')), is compiled: that runs as a second problem. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
from pydrake.common.value import Value
from pydrake.geometry import AddContactMaterial, Ellipsoid, HalfSpace, ProximityProperties
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix
from pydrake.multibody.math import SpatialForce, SpatialVelocity
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    ContactModel,
    CoulombFriction,
    ExternallyAppliedSpatialForce,
)
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RotationalInertia, SpatialInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder, LeafSystem

sys.path.insert(0, str(Path(__file__).parents[1]))
import pendulum_problem as problem

SCHEME = "runge_kutta3"  # its default; runge_kutta5 ends in NaN here
MOST = 20.0  # seconds for a run


class Law(LeafSystem):
    """The contact of the problem as forces on the bodies."""

    def __init__(self, plant, bodies):
        super().__init__()
        self.bodies = [int(body.index()) for body in bodies]
        self.centres = [body.default_com() for body in bodies]
        self.indices = [body.index() for body in bodies]
        self.places = self.DeclareAbstractInputPort("places", Value[list[RigidTransform]]())
        self.speeds = self.DeclareAbstractInputPort("speeds", Value[list[SpatialVelocity]]())
        self.DeclareAbstractOutputPort("forces", Value[list[ExternallyAppliedSpatialForce]], self.touch)

    def touch(self, context, output) -> None:
        places, speeds = self.places.Eval(context), self.speeds.Eval(context)
        found = []
        for k, body in enumerate(self.bodies):
            axes, spin = places[body].rotation().matrix(), speeds[body].rotational()
            arm = axes @ self.centres[k]
            centre, velocity = places[body].translation() + arm, speeds[body].translational() + np.cross(spin, arm)
            touch = problem.contact(k, centre, axes, velocity, spin)
            if touch is not None:
                one = ExternallyAppliedSpatialForce()
                one.body_index = self.indices[k]
                one.p_BoBq_B = axes.T @ (touch[1] - places[body].translation())
                one.F_Bq_W = SpatialForce(np.zeros(3), touch[0])
                found.append(one)
        output.set_value(found)


def build(own_contact: bool):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=0.0)
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -problem.GRAVITY])
    parent, bodies = plant.world_frame(), []
    for k in (0, 1):
        reach = problem.SIZES[k][2]
        central = RotationalInertia(*problem.inertia(k))
        inertia = SpatialInertia.MakeFromCentralInertia(problem.MASSES[k], [0.0, 0.0, reach], central)
        body = plant.AddRigidBody(f"body{k}", inertia)
        plant.AddJoint(BallRpyJoint(f"ball{k}", parent, body.body_frame()))
        if own_contact:
            add_shape(plant, body, RigidTransform([0.0, 0.0, reach]), Ellipsoid(*problem.SIZES[k]))
        bodies.append(body)
        frame = FixedOffsetFrame(f"end{k}", body.body_frame(), RigidTransform([0.0, 0.0, 2.0 * reach]))
        parent = plant.AddFrame(frame)
    if own_contact:
        floor = HalfSpace.MakePose(problem.NORMAL, -problem.LEVEL * problem.NORMAL)
        add_shape(plant, plant.world_body(), floor, HalfSpace())
        plant.set_contact_model(ContactModel.kPoint)
    plant.Finalize()
    if not own_contact:
        law = builder.AddSystem(Law(plant, bodies))
        builder.Connect(plant.get_body_poses_output_port(), law.places)
        builder.Connect(plant.get_body_spatial_velocities_output_port(), law.speeds)
        builder.Connect(law.get_output_port(), plant.get_applied_spatial_force_input_port())
    return builder.Build(), plant, bodies


def add_shape(plant, body, place, shape) -> None:
    """Two alike sides in series have the stiffness of the problem."""
    about = ProximityProperties()
    AddContactMaterial(
        dissipation=problem.DRAKE_DAMPING, point_stiffness=2.0 * problem.STIFFNESS, friction=CoulombFriction(0.0, 0.0),
        properties=about,
    )  # fmt: skip
    plant.RegisterCollisionGeometry(body, place, shape, f"shape{int(body.index())}", about)


def run(own_contact: bool, accuracy: float) -> dict:
    diagram, plant, bodies = build(own_contact)
    simulator = Simulator(diagram)
    ResetIntegratorFromFlags(simulator, SCHEME, 0.01)
    simulator.get_mutable_integrator().set_target_accuracy(accuracy)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    first, second = (problem.turned(euler) for euler in problem.EULER)
    for k, axes in enumerate((first, first.T @ second)):
        angles = RollPitchYaw(RotationMatrix(axes)).vector()
        plant.GetJointByName(f"ball{k}").set_angles(context, angles)
    simulator.Initialize()
    began = time.process_time()
    simulator.AdvanceTo(problem.DURATION)
    took = time.process_time() - began
    place = plant.EvalBodyPoseInWorld(context, bodies[1])
    end = place.translation() + place.rotation().matrix() @ bodies[1].default_com()
    count = simulator.get_integrator().get_num_derivative_evaluations()
    return {"work": f"accuracy {accuracy:g}", "cpu_s": took, "end": end.tolist(), "evaluations": count}


def scan(own_contact: bool) -> dict:
    """More and more accurate, until it takes too long."""
    law, runs, accuracy = "Drake's" if own_contact else "the same", [], 1e-3
    while accuracy > 1e-10 and (not runs or 1.4 * runs[-1]["cpu_s"] < MOST):
        runs.append(run(own_contact, accuracy))
        print(law, runs[-1], file=sys.stderr)
        accuracy *= 0.1
    return {"name": f"{SCHEME}, {'its own law' if own_contact else 'law in Python'}", "law": law, "runs": runs}


def main() -> None:
    print(json.dumps({"version": version("drake"), "families": [scan(False), scan(True)]}))


if __name__ == "__main__":
    main()
