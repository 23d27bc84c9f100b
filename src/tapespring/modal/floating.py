"""A reduced body as the engine takes it: a frame, amplitudes of one modal mass, interfaces with masses of their own.

Interfaces become nodes that rows hold to the frame and the shapes, and nodes need mass. Each gets a small share of the
body's, which is taken from the rest exactly: the motion of all together has the inertia it had. The frame then floats
in the middle of what the rest does (mean axes): with P and Q of `inertia`, shape i becomes

    φ_i - a_i - b_i × (X - c),    a_i = P_i / m,    b_i = J⁻¹ (Q_i - c × P_i)

which changes who is said to move, not what can move. Last, shapes are made orthogonal in stiffness and mass.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .inertia import Inertia, cross_matrix
from .reduced import Frame, Reduced, Second
from .second_order import MeanAxes, as_cosines, less_interface, mixed_pairs, with_bending

SHARE = 0.1  # of the inertia felt at an interface that becomes its own, over all interfaces


@dataclass(frozen=True, eq=False)
class Interface:
    """A place that becomes a node."""

    frame: Frame  # shapes are those of the body it belongs to
    mass: float
    rotary: float  # the same about all axes [kg m²]
    bent: np.ndarray | None = None  # (6, n, n) what pairs of shapes add to its place and to the cosines of its attitude


@dataclass(frozen=True, eq=False)
class Floating:
    """A body of n shapes; see the head of this file. Vectors are in the axes of the source, places from its origin."""

    inertia: Inertia  # without that of interfaces; shapes have no momentum and no spin, their mass is the body's
    stiffness: np.ndarray  # (n,)
    damping: np.ndarray  # (n,)
    interfaces: list[Interface]
    mixing: np.ndarray  # (n, n) amplitudes of the reduced body = mixing @ amplitudes
    moved: np.ndarray  # (6, n) motion as one piece, about the centre, taken out of the shapes of `mixing`

    @property
    def count(self) -> int:
        """Number of shapes."""
        return len(self.stiffness)

    def shapes_of(self, points: np.ndarray, shapes: np.ndarray) -> np.ndarray:
        """(p, 3, n) translations of points of the body by unit amplitudes, given those of the reduced body."""
        arms = points - self.inertia.centre
        rigid = self.moved[None, :3] + np.cross(self.moved[3:].T[None], arms[:, None]).transpose(0, 2, 1)
        return shapes @ self.mixing - rigid


def floating(body: Reduced, fixed: bool) -> Floating:
    """`fixed`: the frame stays where it is, so that shapes keep their momentum."""
    interfaces = [with_share(body, frame, fixed) for frame in body.frames.values()]
    rest = body.inertia
    for interface in interfaces:
        rest = without(rest, interface)
    frames, moved, bent = [i.frame for i in interfaces], np.zeros((6, body.count)), None
    if not fixed:
        whole = rest
        rest, moved = centred(rest)
        frames = [moved_frame(f, rest.centre, moved) for f in frames]
        if body.second is not None:
            rest, bent = bent_by(body.second, whole, rest, moved, interfaces, frames)
    mixing, stiffness = eigenshapes(body.stiffness, rest.modal, rest.mass)
    damping = np.einsum("ki,kl,li->i", mixing, body.damping, mixing)
    return Floating(
        inertia=mixed(rest, mixing), stiffness=stiffness, damping=damping,
        interfaces=[
            Interface(
                replace(f, translation=f.translation @ mixing, rotation=f.rotation @ mixing), i.mass, i.rotary,
                None if bent is None else mixed_pairs(bent[k], mixing),
            )
            for k, (f, i) in enumerate(zip(frames, interfaces, strict=True))
        ],
        mixing=mixing, moved=moved @ mixing,
    )  # fmt: skip


# -- shares of interfaces ---------------------------------------------------------------------------------------------
def with_share(body: Reduced, frame: Frame, fixed: bool) -> Interface:
    """Masses so small that the rest keeps most of what the interface feels, whichever way it is moved."""
    H = body.inertia.modal if fixed else body.inertia.matrix(np.zeros(body.count))
    rigid = np.zeros((3, 0)) if fixed else np.hstack((np.eye(3), -cross_matrix(frame.position)))
    turn = np.zeros((3, 0)) if fixed else np.hstack((np.zeros((3, 3)), np.eye(3)))
    part = SHARE / (2.0 * max(len(body.frames), 1))
    found: list[float] = []
    for moves in (np.hstack((rigid, frame.translation)), np.hstack((turn, frame.rotation))):
        mobility = float(np.linalg.eigvalsh(moves @ np.linalg.solve(H, moves.T)).max())
        found.append(part / mobility if mobility > 0.0 else part * body.inertia.mass)
    return Interface(frame, found[0], found[1])


def without(inertia: Inertia, interface: Interface) -> Inertia:
    """What is left when an interface has its own mass."""
    m, rotary, X = interface.mass, interface.rotary, interface.frame.position
    T, turn = interface.frame.translation, interface.frame.rotation
    if not interface.frame.turns:
        rotary = 0.0
    lever, across = cross_matrix(X), np.array([cross_matrix(t) for t in T.T]).reshape(-1, 3, 3)
    return Inertia(
        mass=inertia.mass - m,
        first=inertia.first - m * X,
        second=inertia.second + m * lever @ lever - rotary * np.eye(3),
        momentum=inertia.momentum - m * T,
        spin=inertia.spin - m * lever @ T - rotary * turn,
        by_shape=inertia.by_shape + m * lever @ across,
        by_two=inertia.by_two + m * np.einsum("iab,jbc->ijac", across, across),
        gyration=inertia.gyration - m * np.einsum("iab,bj->iaj", across, T),
        modal=inertia.modal - m * T.T @ T - rotary * turn.T @ turn,
    )


# -- mean axes --------------------------------------------------------------------------------------------------------
def moment_of(N: np.ndarray) -> np.ndarray:
    """∫ b a' dm from -∫ [a]×[b]× dm = ∫ (a.b) 1 - b a' dm."""
    half = 0.5 * np.trace(N, axis1=-2, axis2=-1)
    return half[..., None, None] * np.eye(3) - N


def centred(inertia: Inertia) -> tuple[Inertia, np.ndarray]:
    """Mean axes, and the motion (6, n) as one piece, about the centre of mass, that was taken out of the shapes."""
    m, c, P = inertia.mass, inertia.centre, inertia.momentum
    arm, across = cross_matrix(c), np.array([cross_matrix(p) for p in P.T]).reshape(-1, 3, 3)
    J = inertia.second + m * arm @ arm
    Q, L = inertia.spin - arm @ P, inertia.by_shape + arm @ across
    a, b = P / m, np.linalg.solve(J, Q)
    E, V = moment_of(J), moment_of(L)  # ∫ r r' dm, ∫ φ_i r' dm with r = X - c
    B = np.array([cross_matrix(x) for x in b.T]).reshape(-1, 3, 3)
    change = (
        -np.einsum("aj,bi->ijab", P, a) - np.einsum("aj,bi->ijab", a, P) + m * np.einsum("aj,bi->ijab", a, a)
        - np.einsum("jac,ibc->ijab", V, B) - np.einsum("jac,ibc->ijab", B, V)
        + np.einsum("jac,cd,ibd->ijab", B, E, B)
    )  # fmt: skip  # of ∫ φ_j φ_i' dm
    two = np.trace(change, axis1=2, axis2=3)
    axial = np.stack(
        [change[..., (k + 2) % 3, (k + 1) % 3] - change[..., (k + 1) % 3, (k + 2) % 3] for k in range(3)], 1
    )
    return Inertia(
        mass=m,
        first=inertia.first,
        second=J,
        momentum=np.zeros_like(P),
        spin=np.zeros_like(P),
        by_shape=L + B @ E,
        by_two=inertia.by_two + two[..., None, None] * np.eye(3) - change,
        gyration=inertia.gyration + axial,
        modal=inertia.modal - P.T @ a - Q.T @ b,
    ), np.vstack((a, b))


def moved_frame(frame: Frame, centre: np.ndarray, moved: np.ndarray) -> Frame:
    a, b = moved[:3], moved[3:]
    T = frame.translation - a + cross_matrix(frame.position - centre) @ b
    return replace(frame, translation=T, rotation=frame.rotation - b if frame.turns else frame.rotation)


def bent_by(second: Second, whole: Inertia, rest: Inertia, moved: np.ndarray, interfaces, frames):
    """(inertia that knows what pairs of shapes do, (6, n, n) of every interface): `whole` before mean axes."""
    for interface, bent in zip(interfaces, second.frames, strict=True):
        second = less_interface(second, interface.mass, interface.frame.position, bent)
    c, P = whole.centre, whole.momentum
    across = np.array([cross_matrix(p) for p in P.T]).reshape(-1, 3, 3)
    V = moment_of(whole.by_shape + cross_matrix(c) @ across)
    axes = MeanAxes(whole.mass, c, rest.second, moment_of(rest.second), V, moved[:3], moved[3:])
    moment, mean = axes.taken(second)
    found = []
    for before, now, bent in zip(interfaces, frames, second.frames, strict=True):
        found.append(as_cosines(axes.bent_frame(before.frame, bent, mean), now))
    return with_bending(rest, moment), found


# -- modes ------------------------------------------------------------------------------------------------------------
def eigenshapes(stiffness: np.ndarray, modal: np.ndarray, mass: float) -> tuple[np.ndarray, np.ndarray]:
    """(mixing, stiffness of each): orthogonal shapes with the modal mass of the whole body."""
    root = np.linalg.cholesky(0.5 * (modal + modal.T))
    inner = np.linalg.solve(root, np.linalg.solve(root, 0.5 * (stiffness + stiffness.T)).T)
    values, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
    return np.sqrt(mass) * np.linalg.solve(root.T, vectors), mass * np.maximum(values, 0.0)


def mixed(inertia: Inertia, U: np.ndarray) -> Inertia:
    """For other shapes: the columns of U say how much of each."""
    return replace(
        inertia,
        momentum=inertia.momentum @ U,
        spin=inertia.spin @ U,
        by_shape=np.einsum("iab,ik->kab", inertia.by_shape, U),
        by_two=np.einsum("ijab,ik,jl->klab", inertia.by_two, U, U, optimize=True),
        gyration=np.einsum("iaj,ik,jl->kal", inertia.gyration, U, U, optimize=True),
        modal=U.T @ inertia.modal @ U,
    )
