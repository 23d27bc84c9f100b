"""A reduced body: what a multibody model needs of a structure with thousands of nodes.

Everything stands in the axes of the body's own frame, which lies where the source's coordinates have their origin. The
body deforms by Σ q_i times shape i; μ q'' + damping q' + stiffness q = forces, with inertia as in `inertia`. Shapes do
not contain motions as one piece: those are the frame's. They are orthogonal to them (mean axes) if the structure is
free; a structure that is held is held in its frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .inertia import Inertia


@dataclass(frozen=True, eq=False)
class Frame:
    """A place of the body to which joints, forces and contacts attach; it moves and turns with the amplitudes."""

    name: str
    position: np.ndarray  # (3,) undeformed [m]
    axes: np.ndarray  # (3, 3) undeformed, in columns
    translation: np.ndarray  # (3, n) of the place by unit amplitudes
    rotation: np.ndarray  # (3, n) small turn in the body's axes by unit amplitudes [rad]; zero if it cannot be known
    turns: bool = True  # whether rotation is known: not of one node without attitude


@dataclass(frozen=True, eq=False)
class Picture:
    """What is drawn: points, elements between them, and how they move."""

    points: np.ndarray  # (p, 3)
    cells: dict[str, np.ndarray]  # numbers of points; names and order as in meshes
    shapes: np.ndarray  # (p, 3, n)


@dataclass(frozen=True, eq=False)
class Stress:
    """Recovery of stress: values = rows @ q."""

    name: str
    about: str  # which elements, which components
    unit: str
    labels: tuple[str, ...]  # (r,)
    rows: np.ndarray  # (r, n)


@dataclass(frozen=True, eq=False)
class Second:
    """What pairs of shapes add to second order, so that loads stiffen or soften; see `second_order`."""

    momentum: np.ndarray  # (3, n, n)
    moment: np.ndarray  # (3, 3, n, n)
    frames: np.ndarray  # (frames, 6, n, n) translation and rotation of each interface, in their order


@dataclass(frozen=True, eq=False)
class Reduced:
    """A body of n modes. Amplitudes have no unit of their own: shapes carry it."""

    name: str
    stiffness: np.ndarray  # (n, n) diagonal after orthonormalisation: squares of angular frequencies
    damping: np.ndarray  # (n, n)
    inertia: Inertia  # with the modal mass, unit matrix after orthonormalisation
    frequencies: np.ndarray  # (n,) of the modes as they are kept [Hz]
    frames: dict[str, Frame]  # interfaces by name
    positions: np.ndarray  # (nodes, 3) of the source's nodes
    shapes: np.ndarray  # (nodes, 6, n) their translations and rotations; zero where a node does not turn
    labels: tuple[str, ...] = ()  # of the nodes, if known
    held: bool = False  # whether shapes vanish where the source is held, instead of being orthogonal to rigid motions
    picture: Picture | None = None
    stress: dict[str, Stress] = field(default_factory=dict)
    second: Second | None = None  # with geometric stiffening
    source: dict[str, Any] = field(default_factory=dict)  # where it comes from and how it was made: plain data

    @property
    def count(self) -> int:
        """Number of modes."""
        return len(self.stiffness)

    def frame(self, name: str) -> Frame:
        """An interface by its name. Raises KeyError."""
        if name not in self.frames:
            raise KeyError(f"no interface '{name}'; there are {', '.join(self.frames) or 'none'}")
        return self.frames[name]

    def save(self, path):
        """Write one .npz file, whole or not at all; see `modal.file`."""
        from .file import save

        return save(self, path)

    @classmethod
    def load(cls, path) -> Reduced:
        """Read a file of `save`. Raises ModelError."""
        from .file import load

        return load(path)
