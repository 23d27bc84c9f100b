"""Evaluation of one model at any state, for the contracts."""

import numpy as np

from tapespring.build.builder import build
from tapespring.jit import kernel
from tapespring.mechanics.core import link
from tapespring.mechanics.dynamics import gravity_energy
from tapespring.mechanics.forces import strain_energy
from tapespring.mechanics.grip_balls import TURNED
from tapespring.mechanics.grips import ANCHORED
from tapespring.mechanics.pair_memory import BY_PLACE
from tapespring.mechanics.projection import clear, retract
from tapespring.mechanics.tables import FRAME, FRICTIONLESS, MOVING_TWIST, POINT, new_work
from tapespring.mechanics.tangent import add_tangent, residual
from tapespring.model import Model
from tapespring.solve.kkt import dense_matrix, new_matrix


@kernel
def evaluate(tables, work, t, q, v, a, multiplier, out, weights, kkt, energy):
    """out <- residual, kkt <- tangent with three weights, energy <- (strain, gravity)."""
    residual(tables, t, q, v, a, multiplier, work, out)
    clear(kkt.values)
    add_tangent(tables, t, q, v, multiplier, work, weights[0], weights[1], weights[2], kkt)
    energy[0] = strain_energy(tables, t, work)
    energy[1] = gravity_energy(tables, q)


@kernel
def displace(tables, q, d):
    retract(tables, q, d)


class Evaluation:
    """A model's residual, tangent, rows and energy as plain functions of state."""

    def __init__(self, data, conservative=False, seed=0):
        model = Model.from_plain(data)
        assembler, self.catalogue = build(model, ".", model.settings.duration)
        self.system = assembler.finish()
        tables = self.system.tables
        if conservative:
            tables = tables._replace(loads=tables.loads[:0], pressures=tables.pressures[:0])
            tables.couplings["damping"] = -1
            tables.couplings["active"] = -1
            tables.bushings["damping"] = 0.0
            tables.contacts["damping"], tables.contacts["friction"] = 0.0, FRICTIONLESS
            tables.grips["slip_damping"], tables.grips["static"] = 0.0, 1e9  # joints stick, whatever it takes
        self.tables, self.work = tables, link(tables, new_work(tables))
        self.work.contact_step[0] = BY_PLACE
        self.work.grip_memory[:, ANCHORED] = 1.0
        self.work.grip_memory[:, TURNED:] = np.eye(3).ravel()
        self.kkt = new_matrix(tables)
        self.nv, self.nr = len(self.system.v0), len(tables.rows)
        self.free = np.zeros(self.nv, bool)
        for node in tables.nodes:
            size = {POINT: 3, FRAME: 6}.get(int(node["kind"]), 0)
            self.free[node["v"] : node["v"] + size] = True
        self.integrates_placement = bool(np.any(tables.nodes["kind"] == MOVING_TWIST))
        self.rng = np.random.default_rng(seed)
        self.t = 0.1

    def random_state(self, size=0.3):
        """q away from the drawn placement (and from the constraints), v, a and multipliers of order one."""
        q = self.moved(self.system.q0, size * self.rng.normal(size=self.nv))
        return q, self.vector(), self.vector(), self.rng.normal(size=self.nr)

    def vector(self):
        return self.rng.normal(size=self.nv)

    def moved(self, q, d):
        q = q.copy()
        displace(self.tables, q, d)
        return q

    def at(self, q, v=None, a=None, multiplier=None, weights=(0.0, 0.0, 0.0), t=None):
        """Evaluate there; returns (residual, tangent). self.work then belongs to that state."""
        zero = np.zeros(self.nv)
        v, a = (zero if x is None else x for x in (v, a))
        multiplier = np.zeros(self.nr) if multiplier is None else multiplier
        out, self.energy = np.zeros(self.nv), np.zeros(2)
        t = self.t if t is None else t
        weights = np.array(weights, float)
        evaluate(self.tables, self.work, t, q.copy(), v.copy(), a, multiplier, out, weights, self.kkt, self.energy)
        return out, dense_matrix(self.kkt, held=0.0)[: self.nv, : self.nv]

    def rows(self, q, v=None, t=None):
        """(g, g', part of g'' without accelerations of free nodes, G as a dense matrix)"""
        self.at(q, v, t=t)
        G = np.zeros((self.nr, self.nv))
        for k, (n, r) in enumerate(zip(self.tables.block_node, self.tables.block_row, strict=True)):
            node = self.tables.nodes[n]
            size = 6 if node["kind"] == FRAME else 3
            G[r, node["v"] : node["v"] + size] += self.work.G[k, :size]
        return self.work.g.copy(), self.work.g_rate.copy(), self.work.rhs.copy(), G

    def total_energy(self, q):
        self.at(q)
        return self.energy.sum()

    def differences(self, function, h):
        """Central differences of function(d), d a displacement or velocity of each free degree of freedom in turn."""
        columns = []
        for j in range(self.nv):
            d = np.zeros(self.nv)
            d[j] = h
            columns.append((function(d) - function(-d)) / (2.0 * h) if self.free[j] else 0.0 * function(d))
        return np.array(columns).T

    # -- the model as a whole -----------------------------------------------------------------------------------------
    def rigidly_moved(self, q, R, x):
        """All nodes turned by R about the origin and moved by x."""
        q = q.copy()
        p = quaternion(R)
        for node in self.tables.nodes[1:]:
            if not is_place(node):
                continue
            i = node["q"]
            q[i : i + 3] = R @ q[i : i + 3] + x
            if node["kind"] == FRAME:
                q[i + 3 : i + 7] = product(p, q[i + 3 : i + 7])
        return q

    def wrench(self, generalized):
        """(force, moment about the origin) of generalized forces on all nodes; work belongs to the state."""
        force, moment, size = np.zeros(3), np.zeros(3), 0.0
        for n, node in enumerate(self.tables.nodes):
            if not is_place(node):
                continue
            f = generalized[node["v"] : node["v"] + 3]
            force += f
            moment += np.cross(self.work.x[n], f)
            size = max(size, np.abs(f).max())
            if node["kind"] == FRAME:
                m = self.work.R[n] @ generalized[node["v"] + 3 : node["v"] + 6]
                moment += m
                size = max(size, np.abs(m).max())
        return force, moment, size


def is_place(node):
    """Whether a node is free and somewhere: amplitudes of shapes are points without weight, and nowhere."""
    return node["kind"] in (POINT, FRAME) and node["weight"] > 0.0


def rotation(axis, angle):
    u = np.array(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def quaternion(R):
    from tapespring.build.assembler import quaternion_from_matrix

    return quaternion_from_matrix(R)


def product(p, q):
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.concatenate(([w], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])))
