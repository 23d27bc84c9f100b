"""Small vibrations about a state: frequencies, damping and shapes of the linearised, constrained motion.

    M d'' + D d' + K d + G' l = 0,    G d = 0

K contains the stiffness of forces and the geometric stiffness of reactions and stress; d are displacements as
everywhere (world translations, rotations in body axes). Small models are solved whole, over a basis N of the motions G
allows, with N' M N = 1. Of large ones some modes are found, by the inverse of K + shift M with G beside it, which
exists for free bodies too. Motions that nothing resists because a body is free as a whole are taken out before: their
zeros are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..build.assembler import System
from ..mechanics import tables as tb
from ..mechanics.core import link
from .krylov import eigenpairs, orthonormal
from .small_motion import SmallMotion
from .spin import Spin

DEPENDENT = 1e-10  # a row that adds less than this of its length to the others is redundant
SYMMETRIC = 1e-10
UNSTABLE = 1e-7  # of the root of the stiffest entry: growth rates count from there on; zeros have rounding's root
UNSTABLE_SOME = 1e-6  # the same, of the fastest eigenvalue that was found
REAL, REAL_SOME = 1e-10, 1e-7  # of the fastest pace, and of the shift: an imaginary part that is none
SLOW = 1e-7  # of the fastest pace: eigenvalues that may be zeros with rounding's root
CANCELS = 1e-14  # of the stiffnesses that take part in a motion: what is left of them by rounding
LEAST = 1e-16  # of the stiffest: left of it by errors of shapes, squared
ALIKE = 1e-6  # of the largest: what is left of motions by others that they are made of
SMALL = 300  # degrees of freedom that are solved whole
COUNT = 20  # modes of a large model
SPARE = 6  # vectors more than modes wanted, to find their pace
NEARER = 0.1234  # of that pace squared: the shift


@dataclass(frozen=True)
class ModesResult:
    """Modes by rising frequency. A motion that does not oscillate has damping ratio 1 (decaying), -1 (growing) or 0."""

    frequencies_hz: np.ndarray  # (n,) |eigenvalue| / 2 pi: undamped natural frequency
    damping_ratios: np.ndarray  # (n,) - real part / |eigenvalue|
    shapes: np.ndarray  # (nv, n) displacements of unit modal mass; complex if damped
    eigenvalues: np.ndarray  # (n,) of exp(s t) [1/s]
    unstable: np.ndarray  # (n,) whether the motion grows
    freedoms: Freedoms | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()  # what a user should know of them

    def shape_of(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """How the nodes of a body move: (displacements, rotations), both (nodes, 3, modes), world axes; of a rigid
        body at its centre of mass. Raises KeyError."""
        assert self.freedoms is not None
        return self.freedoms.shape_of(body, self.shapes)

    def describe(self, mode: int) -> str:
        """In words: which body moves most in a mode (from 0), its part of the kinetic energy, and how."""
        assert self.freedoms is not None
        return self.freedoms.describe(self.shapes[:, mode])


@dataclass(frozen=True)
class Freedoms:
    """Whose degrees of freedom stand where in a shape."""

    labels: tuple[str, ...]  # of the nodes that can move
    first: np.ndarray  # (nodes,) first entry of v
    turns: np.ndarray  # (nodes,) whether the node can turn
    attitudes: np.ndarray  # (nodes, 3, 3) body to world
    mass: np.ndarray  # (nodes,)
    inertia: np.ndarray  # (nodes, 3) in body axes

    def of(self, body: str) -> np.ndarray:
        """Numbers of the nodes of a body, in order. Raises KeyError."""
        found = [i for i, label in enumerate(self.labels) if owner(label) == body]
        if not found:
            raise KeyError(
                f"no '{body}' among the bodies that move: {', '.join(dict.fromkeys(map(owner, self.labels)))}"
            )
        return np.array(found)

    def shape_of(self, body: str, shapes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n = self.of(body)
        move = shapes[self.first[n][:, None] + np.arange(3)]
        turn = np.zeros_like(move)
        can = self.turns[n]
        own = shapes[self.first[n][can][:, None] + np.arange(3, 6)]
        turn[can] = np.einsum("nij,njk->nik", self.attitudes[n][can], own)
        return move, turn

    def energy_share(self, body: str, shapes: np.ndarray) -> np.ndarray:
        """(modes,) part of the kinetic energy of each shape that is in a body."""
        total, own = np.zeros(shapes.shape[1]), self.of(body)
        found = total.copy()
        for n in range(len(self.labels)):
            move, turn = (np.abs(shapes[self.first[n] + k : self.first[n] + k + 3]) ** 2 for k in (0, 3))
            energy = self.mass[n] * move.sum(axis=0) + (self.inertia[n] @ turn if self.turns[n] else 0.0)
            total += energy
            found += energy if n in own else 0.0
        return found / np.maximum(total, 1e-300)

    def describe(self, shape: np.ndarray, of: str = "energy") -> str:
        """The body that moves most: by kinetic energy, or weighing all nodes alike (of="motion")."""
        moving, turning = np.zeros((len(self.labels), 3)), np.zeros((len(self.labels), 3))
        moving[:] = self.mass[:, None] * np.abs(shape[self.first[:, None] + np.arange(3)]) ** 2
        can = self.turns
        own = np.abs(shape[self.first[can][:, None] + np.arange(3, 6)]) ** 2
        turning[can] = self.inertia[can] * own
        energy = moving.sum(axis=1) + turning.sum(axis=1)
        bodies = list(dict.fromkeys(map(owner, self.labels)))
        of_body = {body: self.of(body) for body in bodies}
        most = max(bodies, key=lambda body: energy[of_body[body]].sum())
        n = of_body[most]
        part = energy[n].sum() / max(energy.sum(), 1e-300)
        if turning[n].sum() > moving[n].sum():
            world = np.zeros(3)
            for i in n[can[n]]:
                turn = self.attitudes[i] @ shape[self.first[i] + 3 : self.first[i] + 6]
                world += self.inertia[i].mean() * np.abs(turn) ** 2
            how = f"turns about {axes_of(world)}"
        else:
            how = f"moves along {axes_of(moving[n].sum(axis=0))}"
        return f"{most} {how}" + (f" ({part:.0%} of the {of})" if len(bodies) > 1 else "")


def owner(label: str) -> str:
    """The body of a node: boom of boom[3]."""
    return label.partition("[")[0]


def axes_of(squares: np.ndarray) -> str:
    """The axes along which most happens: `y` or `x, z`."""
    part = squares / max(squares.sum(), 1e-300)
    order = np.argsort(-part)
    return ", ".join("xyz"[k] for k in order if part[k] >= 0.1) or "xyz"[order[0]]


def freedoms_of(system: System, work: tb.Work) -> Freedoms:
    """At the place where work has the nodes."""
    nodes = system.tables.nodes
    n = np.flatnonzero((nodes["kind"] == tb.POINT) | (nodes["kind"] == tb.FRAME))
    labels = tuple(system.drafts.nodes[i].label for i in n)
    turns = nodes["kind"][n] == tb.FRAME
    return Freedoms(labels, nodes["v"][n], turns, work.R[n].copy(), nodes["mass"][n], nodes["inertia"][n])


# -- small models -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Linearised:
    """Matrices over the motions that the constraints allow; their mass matrix is the unit matrix."""

    basis: np.ndarray  # (nv, n)
    damping: np.ndarray  # (n, n)
    stiffness: np.ndarray  # (n, n)


def allowed_motions(G: np.ndarray, mass: np.ndarray, active: np.ndarray) -> np.ndarray:
    """Basis N of the motions with G N = 0 and N' M N = 1, for a diagonal M; redundant rows do no harm."""
    import scipy.linalg

    half = 1.0 / np.sqrt(mass[active])
    weighted = G[:, active] * half
    length = np.linalg.norm(weighted, axis=1)
    weighted = weighted[length > 0.0] / length[length > 0.0, None]
    free = scipy.linalg.null_space(weighted, rcond=DEPENDENT) if len(weighted) else np.eye(len(half))
    basis = np.zeros((len(mass), free.shape[1]))
    basis[active] = half[:, None] * free
    return basis


def over_allowed_motions(motion: SmallMotion) -> Linearised:
    """The dense matrices of a small model."""
    N = allowed_motions(motion.rows().toarray(), motion.mass, motion.active)
    D, K = (N.T @ (motion.matrix(values) @ N) for values in (motion.D, motion.K))
    return Linearised(N, D, K)


def linearised(system: System, work: tb.Work, q, v, t: float, multiplier=None) -> Linearised:
    """Linearise about a state; reactions balance the forces as well as they can unless given."""
    return over_allowed_motions(SmallMotion(system, work, q, v, t, multiplier))


def all_modes(motion: SmallMotion, rigid: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """(eigenvalues, shapes, rounding of eigenvalues) of all motions but rigid ones, one of each conjugate pair."""
    import scipy.linalg

    small = over_allowed_motions(motion)
    if rigid.shape[1]:
        Q = scipy.linalg.null_space((small.basis.T @ (motion.mass[:, None] * rigid)).T)
        small = Linearised(small.basis @ Q, Q.T @ small.damping @ Q, Q.T @ small.stiffness @ Q)
    D, K = small.damping, small.stiffness
    n = len(K)
    if n == 0:
        return np.zeros(0, complex), small.basis, 0.0
    stiffest = np.abs(K).max()
    undamped = np.abs(D).max() <= SYMMETRIC * np.sqrt(stiffest)
    if undamped and np.abs(K - K.T).max() <= SYMMETRIC * stiffest:
        squares, shapes = np.linalg.eigh(0.5 * (K + K.T))
        return roots_of(squares), small.basis @ shapes, UNSTABLE * np.sqrt(stiffest)
    pace = np.sqrt(stiffest) if stiffest > 0.0 else 1.0  # states y and y'/pace have like sizes
    s, vectors = np.linalg.eig(np.block([[np.zeros((n, n)), pace * np.eye(n)], [-K / pace, -D]]))
    keep = s.imag >= -REAL * pace
    s, shapes = s[keep], vectors[:n, keep]
    return s, small.basis @ (shapes / np.maximum(np.linalg.norm(shapes, axis=0), 1e-300)), UNSTABLE * pace


def roots_of(squares: np.ndarray) -> np.ndarray:
    """s of s² = -squares"""
    return np.where(squares >= 0.0, 1j, 1.0) * np.sqrt(np.abs(squares))


# -- large models -----------------------------------------------------------------------------------------------------
def some_modes(motion: SmallMotion, rigid: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(eigenvalues, shapes) of the slowest modes other than rigid ones, one of each conjugate pair."""
    D, K = motion.matrix(motion.D), motion.matrix(motion.K)
    stiffest = abs(K).max()
    undamped = D.nnz == 0 or abs(D).max() <= SYMMETRIC * np.sqrt(stiffest * motion.mass[motion.active].max())
    elastic = Elastic(motion, rigid)
    shift = pace_of(elastic, 0.5 * (K + K.T), count)
    if undamped and abs(K - K.T).max() <= SYMMETRIC * stiffest:
        return undamped_modes(elastic, K, shift, count)
    return damped_modes(elastic, D, np.sqrt(shift), count)


class Elastic:
    """Motions that take part and are orthogonal to the rigid ones, as vectors (n, k) of the freedoms that take part."""

    def __init__(self, motion: SmallMotion, rigid: np.ndarray):
        self.motion, self.take = motion, motion.active
        self.mass = motion.mass[self.take]
        self.rigid = rigid[self.take]

    def cleaned(self, x: np.ndarray) -> np.ndarray:
        """x without its rigid part."""
        return x - self.rigid @ (self.rigid.T @ (self.mass[:, None] * x))

    def whole(self, x: np.ndarray) -> np.ndarray:
        """With zeros for all other freedoms."""
        out = np.zeros((self.motion.nv, x.shape[1]), x.dtype)
        out[self.take] = x
        return out

    def solve(self, forces: np.ndarray) -> np.ndarray:
        """The displacements under forces, by the last factors."""
        return self.cleaned(self.motion.solve(self.whole(forces))[self.take])


def pace_of(elastic: Elastic, K, count: int) -> float:
    """About the square [1/s²] of the fastest frequency wanted: by inverse iteration with a falling shift.

    A shift well below it would amplify rounding: of s² = 1/inverse - shift, by the square of the ratio.
    """
    motion, mass, take = elastic.motion, elastic.mass, elastic.take
    K = K[take][:, take]
    rng = np.random.default_rng(10)
    X = elastic.cleaned(rng.standard_normal((len(mass), count + SPARE)) / np.sqrt(mass)[:, None])
    shift = float((np.abs(K.diagonal()) / mass).max(initial=0.0))
    if shift == 0.0:
        return 1.0
    least = SLOW**2 * shift
    none = np.zeros((len(mass), 0))
    for _ in range(60):
        motion.factor(motion.K + shift * motion.M)
        for _ in range(2):
            X = orthonormal(elastic.solve(mass[:, None] * X), none, mass)
        squares = np.sort(np.abs(np.linalg.eigvalsh(X.T @ (K @ X))))
        past = float(squares[min(count, len(squares)) - 1])
        if past > 0.3 * shift or past < least:
            break
        shift = past
    return NEARER * shift


def undamped_modes(elastic: Elastic, K, shift: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    motion, mass = elastic.motion, elastic.mass
    motion.factor(motion.K + shift * motion.M)

    def apply(x: np.ndarray) -> np.ndarray:
        return elastic.solve(mass[:, None] * elastic.cleaned(x))

    def wanted(inverse: np.ndarray) -> np.ndarray:
        squares = 1.0 / np.where(inverse == 0.0, 1e-300, inverse) - shift
        return np.argsort(np.abs(squares))[:count]

    _, vectors = eigenpairs(apply, mass, wanted, count, symmetric=True)
    shapes = elastic.whole(vectors)
    squares, y = np.linalg.eigh(shapes.T @ (K @ shapes))  # once more without the shift
    return roots_of(squares), shapes @ y


def damped_modes(elastic: Elastic, D, shift: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """By the states (d, d'): (s² M + s D + K) d = 0 is linear in them."""
    motion, mass, take = elastic.motion, elastic.mass, elastic.take
    motion.factor(motion.K + shift * motion.D + shift**2 * motion.M)
    D, n = D[take][:, take], len(mass)

    def apply(x: np.ndarray) -> np.ndarray:
        """(C - shift)^-1 x, with z' = C z the motion"""
        d, rate = elastic.cleaned(x[:n]), elastic.cleaned(x[n:])
        found = elastic.solve(-(mass[:, None] * (rate + shift * d) + D @ d))
        return np.vstack((found, d + shift * found))

    def wanted(inverse: np.ndarray) -> np.ndarray:
        s = shift + 1.0 / np.where(inverse == 0.0, 1e-300, inverse)
        slow = np.argsort(np.abs(s))
        return slow[s[slow].imag >= -REAL_SOME * shift][:count]

    inverse, vectors = eigenpairs(apply, np.concatenate((shift**2 * mass, mass)), wanted, count, symmetric=False)
    shapes = elastic.whole(vectors[:n])
    size = np.sqrt(motion.mass @ np.abs(shapes) ** 2)
    return shift + 1.0 / inverse, shapes / np.maximum(size, 1e-300)


# -- both -------------------------------------------------------------------------------------------------------------
def find_modes(
    system: System,
    q,
    v=None,
    count: int | None = None,
    t: float = 0.0,
    multiplier=None,
    spin: Spin | None = None,
    work: tb.Work | None = None,
) -> ModesResult:
    """Modes of small motions about (q, v) at time t: the `count` slowest; else all of a small model, 20 of a large one.

    About a placement at rest (v = None) that is an equilibrium this is exact. With v, forces and gyroscopic terms are
    taken at those velocities: exact for steady motions along which the constraints do not turn. With spin, q is a
    place at rest for an observer who turns along, and so are the modes: exact.
    """
    work = link(system.tables, tb.new_work(system.tables)) if work is None else work
    motion = SmallMotion(system, work, q, v, t, multiplier, spin)
    free = motion.rigid_motions()
    freedoms = int(motion.active.sum()) - len(system.tables.rows)
    if motion.nv <= SMALL or (count is not None and count > freedoms // 4):
        s, shapes, rounding = all_modes(motion, free)
        s, shapes, free = free_apart(motion, free, s, shapes)
    else:
        count = COUNT if count is None else count
        s, shapes, free = slowest_modes(motion, free, count)
        rounding = UNSTABLE_SOME * float(np.abs(s).max(initial=0.0))
    s, shapes = np.concatenate((np.zeros(free.shape[1]), s)), np.hstack((free, shapes))
    return sorted_modes(s, shapes, count, rounding, freedoms_of(system, work))


def slowest_modes(motion: SmallMotion, free: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(eigenvalues, shapes, free motions) of the slowest modes; free motions that come to light are taken out too."""
    while True:
        s, shapes = some_modes(motion, free, max(count - free.shape[1], 1))
        s, shapes, more = free_apart(motion, free, s, shapes)
        if more.shape[1] == free.shape[1] or more.shape[1] + len(s) >= count:
            return s, shapes, more
        free = more


def free_apart(
    motion: SmallMotion, known: np.ndarray, s: np.ndarray, shapes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(eigenvalues, shapes, free motions with those known first). A motion that nothing resists, such as the free spin
    of a wheel, has eigenvalue zero twice; rounding makes a slow oscillation or growth of that. Here it is told once."""
    nothing = meet_nothing(motion, s, shapes)
    both = np.hstack((shapes[:, nothing].real, shapes[:, nothing].imag))
    both = both - known @ (known.T @ (motion.mass[:, None] * both))
    left, sizes, _ = np.linalg.svd(np.sqrt(motion.mass)[:, None] * both, full_matrices=False)
    free = left[:, sizes > ALIKE * sizes.max(initial=1e-300)] / np.sqrt(motion.mass)[:, None]
    return s[~nothing], shapes[:, ~nothing], np.hstack((known, free))


def meet_nothing(motion: SmallMotion, s: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """(n,) whether stiffnesses along a slow motion cancel but for rounding."""
    K, size, large = motion.matrix(motion.K), np.sqrt(motion.mass), np.abs(shapes)
    entries = K.tocoo()
    stiffest = np.abs(entries.data / (size[entries.row] * size[entries.col])).max(initial=0.0)
    moved = np.maximum(motion.mass @ large**2, 1e-300)
    resists, taking_part = np.abs((shapes.conj() * (K @ shapes)).sum(axis=0)), (large * (abs(K) @ large)).sum(axis=0)
    return (np.abs(s) <= SLOW * np.sqrt(stiffest)) & (resists <= CANCELS * taking_part + LEAST * stiffest * moved)


def sorted_modes(
    s: np.ndarray, shapes: np.ndarray, count: int | None, rounding: float, freedoms: Freedoms | None
) -> ModesResult:
    """By frequency; growth within rounding is none."""
    size = np.abs(s)
    order = np.argsort(size, kind="stable")[:count]
    s, size, shapes = s[order], size[order], shapes[:, order]
    ratio = np.where(size > rounding, -s.real / np.maximum(size, 1e-300), 0.0)
    return ModesResult(size / (2.0 * np.pi), ratio, shapes, s, s.real > rounding, freedoms)
