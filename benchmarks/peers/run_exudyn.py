"""Exudyn on A01, A02 and A03: explicit Runge-Kutta on an open tree, implicit DAE integrators on closed loops."""

from __future__ import annotations

import sys
import time
from functools import partial

sys.exudynFast = True  # the build without range checks
import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402
from problems import OUTPUTS, Mechanism, Problem  # noqa: E402
from scan import Family, main  # noqa: E402

exu.config.suppressWarnings = True
exu.config.printToConsole = False
COORDINATES_AND_RATES = (exu.OutputVariableType.Coordinates, exu.OutputVariableType.Coordinates_t)


class TreeModel:
    """The mechanism in minimal coordinates: one kinematic tree per ground hinge, pins between the trees."""

    def __init__(self, mbs, mechanism: Mechanism):
        self.mbs, self.mechanism = mbs, mechanism
        self.trees = [
            Tree(mbs, mechanism, members_of_tree(mechanism, root))
            for root, link in enumerate(mechanism.links)
            if link.parent < 0
        ]
        self.tree_of = {link: tree for tree in self.trees for link in tree.members}
        connect(mbs, mechanism, self.marker)
        self.sensors = [[node_sensor(mbs, tree.node, kind) for tree in self.trees] for kind in COORDINATES_AND_RATES]

    def marker(self, link: int, at: tuple[float, float]):
        tree = self.tree_of[link]
        return self.mbs.AddMarker(
            items.MarkerKinematicTreeRigid(
                objectNumber=tree.number, linkNumber=tree.members.index(link), localPosition=[*at, 0.0]
            )
        )

    def states(self, record: bool) -> tuple[np.ndarray, np.ndarray]:
        """Hinge angles and rates at the outputs, or of the end only."""
        order = np.argsort([link for tree in self.trees for link in tree.members])
        out = []
        for kind, sensors in zip(COORDINATES_AND_RATES, self.sensors, strict=True):
            if record:
                columns = [self.mbs.GetSensorStoredData(sensor)[:, 1:] for sensor in sensors]
            else:
                columns = [np.atleast_2d(self.mbs.GetNodeOutput(tree.node, kind)) for tree in self.trees]
            out.append(np.hstack(columns)[:, order])
        return tuple(out)


class Tree:
    """One Exudyn kinematic tree made of some of the links."""

    def __init__(self, mbs, mechanism: Mechanism, members: list[int]):
        self.members = members
        self.node = mbs.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=[0.0] * len(members),
                initialCoordinates=list(mechanism.start_angles[members]),
                initialCoordinates_t=list(mechanism.start_rates[members]),
                numberOfODE2Coordinates=len(members),
            )
        )
        self.number = mbs.AddObject(self._kinematic_tree(mechanism))

    def _kinematic_tree(self, mechanism: Mechanism):
        links = [mechanism.links[i] for i in self.members]
        torques = [mechanism.drive_torque if i == 0 else 0.0 for i in self.members]
        return items.ObjectKinematicTree(
            nodeNumber=self.node,
            jointTypes=[exu.JointType.RevoluteZ] * len(links),
            linkParents=[-1 if link.parent < 0 else self.members.index(link.parent) for link in links],
            jointTransformations=exu.Matrix3DList([np.eye(3) for _ in links]),
            jointOffsets=exu.Vector3DList([[*link.hinge, 0.0] for link in links]),
            linkInertiasCOM=exu.Matrix3DList([np.diag([0.0, 0.0, link.inertia]) for link in links]),
            linkCOMs=exu.Vector3DList([[*link.centre, 0.0] for link in links]),
            linkMasses=[link.mass for link in links],
            gravity=[0.0, -mechanism.gravity, 0.0],
            jointForceVector=torques,
        )


def members_of_tree(mechanism: Mechanism, root: int) -> list[int]:
    """The links that hang, directly or not, on `root`."""
    members = [root]
    for i, link in enumerate(mechanism.links):
        if link.parent in members:
            members.append(i)
    return members


class BodiesModel:
    """The mechanism as planar rigid bodies with three coordinates each, all hinges as planar revolute joints."""

    def __init__(self, mbs, mechanism: Mechanism):
        self.mbs, self.mechanism = mbs, mechanism
        self.nodes, self.bodies = [], []
        ground = mbs.AddObject(items.ObjectGround())
        absolute, spin, origin, velocity = {-1: 0.0}, {-1: 0.0}, {-1: 0.0j}, {-1: 0.0j}
        for i, link in enumerate(mechanism.links):
            p = link.parent
            arm = complex(*link.hinge) * np.exp(1j * absolute[p])
            absolute[i] = absolute[p] + mechanism.start_angles[i]
            spin[i] = spin[p] + mechanism.start_rates[i]
            origin[i], velocity[i] = origin[p] + arm, velocity[p] + 1j * spin[p] * arm
            to_centre = complex(*link.centre) * np.exp(1j * absolute[i])
            self._add_body(link, origin[i] + to_centre, absolute[i], velocity[i] + 1j * spin[i] * to_centre, spin[i])
        for i, link in enumerate(mechanism.links):
            if link.parent < 0:
                base = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=ground, localPosition=[*link.hinge, 0.0]))
            else:
                base = self.marker(link.parent, link.hinge)
            mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[base, self.marker(i, (0.0, 0.0))]))
        connect(mbs, mechanism, self.marker)
        if mechanism.drive_torque:
            crank = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=self.nodes[0], coordinate=2))
            mbs.AddLoad(items.LoadCoordinate(markerNumber=crank, load=mechanism.drive_torque))
        self.sensors = [[node_sensor(mbs, node, kind) for node in self.nodes] for kind in COORDINATES_AND_RATES]

    def _add_body(self, link, centre: complex, angle: float, velocity: complex, spin: float) -> None:
        node = self.mbs.AddNode(
            items.NodeRigidBody2D(
                referenceCoordinates=[centre.real, centre.imag, angle],
                initialVelocities=[velocity.real, velocity.imag, spin],
            )
        )
        body = self.mbs.AddObject(
            items.ObjectRigidBody2D(physicsMass=link.mass, physicsInertia=link.inertia, nodeNumber=node)
        )
        weight = self.mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        if self.mechanism.gravity:
            load = [0.0, -self.mechanism.gravity, 0.0]
            self.mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=load))
        self.nodes.append(node)
        self.bodies.append(body)

    def marker(self, link: int, at: tuple[float, float]):
        centre = self.mechanism.links[link].centre
        local = [at[0] - centre[0], at[1] - centre[1], 0.0]
        return self.mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=self.bodies[link], localPosition=local))

    def states(self, record: bool) -> tuple[np.ndarray, np.ndarray]:
        """Hinge angles and rates at the outputs, or of the end only, from the absolute angles of the bodies."""
        out = []
        for kind, sensors in zip(COORDINATES_AND_RATES, self.sensors, strict=True):
            if record:
                absolute = np.column_stack([self.mbs.GetSensorStoredData(sensor)[:, 3] for sensor in sensors])
            else:
                absolute = np.array([[self.mbs.GetNodeOutput(node, kind)[2] for node in self.nodes]])
            if kind == exu.OutputVariableType.Coordinates:  # coordinates do not contain the reference angle
                reference = [self.mbs.GetNodeParameter(node, "referenceCoordinates")[2] for node in self.nodes]
                absolute = absolute + np.array(reference)
            parents = [link.parent for link in self.mechanism.links]
            out.append(absolute - np.where(np.array(parents) < 0, 0.0, absolute[:, parents]))
        return tuple(out)


def node_sensor(mbs, node, kind):
    return mbs.AddSensor(
        items.SensorNode(nodeNumber=node, outputVariableType=kind, storeInternal=True, writeToFile=False)
    )


def connect(mbs, mechanism: Mechanism, marker) -> None:
    """Adds the loop pins and the spring between points given by `marker(link, at)`."""
    for pin in mechanism.pins:
        ends = [marker(pin.link, pin.at), marker(pin.other, pin.other_at)]
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=ends))
    if spring := mechanism.spring:
        ground = mbs.AddObject(items.ObjectGround())
        fixed = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=[*spring.ground, 0.0]))
        mbs.AddObject(
            items.ObjectConnectorSpringDamper(
                markerNumbers=[fixed, marker(spring.link, spring.at)],
                stiffness=spring.stiffness,
                referenceLength=spring.free_length,
            )
        )


def simulation_settings(problem: Problem, work: float, tuning: dict, record: bool):
    """Fixed steps (work = number of steps) or automatic steps (work = 1 / tolerance)."""
    settings = exu.SimulationSettings()
    integration, newton = settings.timeIntegration, settings.timeIntegration.newton
    integration.endTime = problem.end_time
    integration.verboseMode = 0
    integration.automaticStepSize = tuning.get("automatic", False)
    if integration.automaticStepSize:
        integration.numberOfSteps = 1
        integration.initialStepSize = problem.end_time / 1000
        integration.absoluteTolerance = integration.relativeTolerance = 1.0 / work
    else:
        integration.numberOfSteps = round(work)
        integration.minimumStepSize = problem.end_time / round(work) / 100  # give up soon when Newton fails
    integration.explicit.computeEndOfStepAccelerations = False
    integration.generalizedAlpha.spectralRadius = 0.9
    newton.useModifiedNewton = True
    newton.modifiedNewtonJacUpdatePerStep = tuning.get("jacobian_each_step", False)
    newton.relativeTolerance = tuning.get("newton_tolerance", 1e-8)
    settings.linearSolver.solverType = getattr(exu.LinearSolverType, tuning.get("linear_solver", "EXUdense"))
    settings.solution.file.write = False
    settings.solution.sensors.active = record
    settings.solution.sensors.writePeriod = problem.end_time / OUTPUTS
    return settings


def simulate(model_class, integrator: str, tuning: dict, problem: Problem, work: float, record: bool):
    """CPU seconds of the solver alone, and the states."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    model = model_class(mbs, problem.mechanism)
    mbs.Assemble()
    settings = simulation_settings(problem, work, tuning, record)
    solver = getattr(exu.DynamicSolverType, integrator)
    start = time.process_time()
    done = mbs.SolveDynamic(settings, solverType=solver)
    cpu_s = time.process_time() - start
    if not done:
        raise RuntimeError("Exudyn's solver did not finish")
    return cpu_s, *model.states(record)


def explicit_families() -> list[Family]:
    """Open trees are ordinary differential equations."""
    automatic = [
        Family(
            f"kinematic tree, {name} automatic step",
            partial(simulate, TreeModel, name, {"automatic": True}),
            "tolerance",
            1e4,
            1e12,
            growth=10.0,
        )
        for name in ("DOPRI5", "ODE23")
    ]
    fixed = [
        Family(f"kinematic tree, {name}", partial(simulate, TreeModel, name, {}), "steps", 25, 1e5)
        for name in ("RK44", "RK67")
    ]
    return automatic + fixed


def implicit_family(model_class, integrator: str, least: float, most: float, **tuning) -> Family:
    form = "kinematic trees + loop joints" if model_class is TreeModel else "planar bodies + joints"
    details = ", ".join([form, integrator, *(f"{key} {value}" for key, value in tuning.items())])
    return Family(details, partial(simulate, model_class, integrator, tuning), "steps", least, most)


def four_bar_families() -> list[Family]:
    """TrapezoidalIndex2 gives up at the singular positions; bodies need four times the steps of trees (7.8 s)."""
    sparse = {"linear_solver": "EigenSparse", "jacobian_each_step": True, "newton_tolerance": 1e-4}
    return [
        implicit_family(TreeModel, "GeneralizedAlpha", 1600, 6400, **sparse),
        implicit_family(TreeModel, "TrapezoidalIndex2", 1600, 1600, **sparse),
        implicit_family(BodiesModel, "GeneralizedAlpha", 1600, 1600, **sparse),
    ]


def squeezer_families() -> list[Family]:
    """Newton must converge tightly with bodies; a looser tolerance spoils the angle."""
    return [
        implicit_family(BodiesModel, "TrapezoidalIndex2", 1000, 16000),
        implicit_family(BodiesModel, "GeneralizedAlpha", 1000, 16000),
        implicit_family(TreeModel, "TrapezoidalIndex2", 1000, 16000),
        implicit_family(TreeModel, "TrapezoidalIndex2", 1000, 16000, newton_tolerance=1e-6),
        implicit_family(TreeModel, "TrapezoidalIndex2", 1000, 16000, jacobian_each_step=True),
        implicit_family(TreeModel, "TrapezoidalIndex2", 1000, 16000, jacobian_each_step=True, newton_tolerance=1e-6),
    ]


def families(problem: Problem) -> list[Family]:
    """The formulations worth trying for each problem."""
    return {"A01": explicit_families, "A02": four_bar_families, "A03": squeezer_families}[problem.name]()


if __name__ == "__main__":
    main(exu.__version__, families)
