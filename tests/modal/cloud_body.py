"""Points joined by springs as a body by modes, and the same motion by an independent integration of its points."""

import numpy as np
import scipy.linalg
from scipy.integrate import solve_ivp

from tapespring.modal.floating import floating
from tapespring.modal.inertia import inertia_of
from tapespring.modal.reduced import Frame, Reduced

POINTS, MODES, INTERFACES = 8, 7, (0, 3, 5)
SPRING, LOAD = 30.0, 0.7  # N/m to a point mass [kg] beside interface 0
OFFSET = np.array([0.5, 0.0, 0.0])


class Cloud:
    """Eight points, every two joined by a spring."""

    def __init__(self, seed=3):
        rng = np.random.default_rng(seed)
        self.places, self.masses = rng.normal(size=(POINTS, 3)), rng.uniform(0.5, 2.0, POINTS)
        K = np.zeros((3 * POINTS, 3 * POINTS))
        for i in range(POINTS):
            for j in range(i):
                e = self.places[i] - self.places[j]
                k = rng.uniform(20.0, 60.0) * np.outer(e, e) / (e @ e)
                for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                    K[3 * a : 3 * a + 3, 3 * b : 3 * b + 3] += sign * k
        self.mass_matrix = np.diag(np.repeat(self.masses, 3))
        squares, shapes = scipy.linalg.eigh(K, self.mass_matrix)
        self.squares, self.shapes = squares[6 : 6 + MODES], shapes[:, 6 : 6 + MODES]
        self.freedoms = np.full((POINTS, 6), -1)
        self.freedoms[:, :3] = np.arange(3 * POINTS).reshape(POINTS, 3)

    def reduced(self) -> Reduced:
        """Interfaces are three of its points."""
        nodal = self.shapes.reshape(POINTS, 3, MODES)
        frames = {
            f"p{k}": Frame(f"p{k}", self.places[k], np.eye(3), nodal[k], np.zeros((3, MODES)), False)
            for k in INTERFACES
        }
        return Reduced(
            "cloud", np.diag(self.squares), np.zeros((MODES, MODES)),
            inertia_of(self.mass_matrix, self.places, self.freedoms, self.shapes), np.sqrt(self.squares) / 2 / np.pi,
            frames, self.places, np.concatenate((nodal, 0 * nodal), axis=1),
        )  # fmt: skip

    def flown(self, duration, v, w, ball_velocity):
        """Places of the interfaces and of the point mass after a time, by accelerations of every point alone."""
        body = floating(self.reduced(), fixed=False)
        S, centre = body.shapes_of(self.places, self.shapes.reshape(POINTS, 3, MODES)), body.inertia.centre
        Y = self.places - centre

        def rates(t, y):
            x0, turn, q, v0, w, rate, ball, ball_rate = np.split(y, np.cumsum((3, 4, MODES, 3, 3, MODES, 3)))
            R = matrix(turn)
            u, u_rate = Y + S @ q, S @ rate
            J = np.zeros((POINTS, 3, 6 + MODES))
            J[:, :, :3] = np.eye(3)
            for k in range(3):
                J[:, :, 3 + k] = np.cross(np.eye(3)[k], u) @ R.T
            J[:, :, 6:] = np.einsum("ab,ibk->iak", R, S)
            bias = (2.0 * np.cross(w, u_rate) + np.cross(w, np.cross(w, u))) @ R.T
            pull = SPRING * (ball - x0 - R @ u[0])
            force = -self.masses[:, None] * bias
            force[0] += pull
            M = np.einsum("i,iak,ial->kl", self.masses, J, J)
            f = np.einsum("iak,ia->k", J, force)
            f[6:] -= body.stiffness * q
            return np.concatenate((v0, spun(turn, w), rate, np.linalg.solve(M, f), ball_rate, -pull / LOAD))

        start = (centre, [1, 0, 0, 0], np.zeros(MODES), v + np.cross(w, centre), w, np.zeros(MODES),
                 self.places[0] + OFFSET, ball_velocity)  # fmt: skip
        y = solve_ivp(rates, (0, duration), np.concatenate(start), method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
        places = y[:3] + (Y + S @ y[7 : 7 + MODES]) @ matrix(y[3:7]).T
        return np.vstack((places[list(INTERFACES)], y[-6:-3]))


def matrix(p):
    w, x, y, z = p / np.linalg.norm(p)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def spun(p, w):
    """Rate of a quaternion by the angular velocity in body axes."""
    return 0.5 * np.concatenate(([-(p[1:] @ w)], p[0] * w + np.cross(p[1:], w)))
