"""Full turns, and the disc of quads without collapsed elements: a square core with round sides within rings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FULL_TURN = 2.0 * np.pi * (1.0 + 1e-12)
ROUNDNESS = 0.6  # of the core, 0 a square, 1 a disc: corners where three elements meet then have near 120 degrees
LARGEST_CORE = 0.6  # of the radius, so that a single ring is not crushed at the corners


def is_closed(angle: float) -> bool:
    """Whether an angle is a whole turn, to rounding."""
    return abs(angle - 2.0 * np.pi) < 1e-9


@dataclass(frozen=True)
class RoundDisc:
    """A disc of radius 1."""

    points: np.ndarray  # (n, 2)
    lattices: list[np.ndarray]  # node numbers of the core and of the rings
    rim: np.ndarray  # around, from the x axis
    centre: int


def round_disc(around: int, rings: int) -> RoundDisc:
    """`around` is a multiple of 8; along the x axis elements are equally long while the core is not too large."""
    k = around // 4
    core = min(0.5 * k / (0.5 * k + rings), LARGEST_CORE)
    inner = core_points(k, core)
    core_numbers = np.arange((k + 1) ** 2).reshape(k + 1, k + 1)
    edge = np.roll(edge_around(core_numbers), -(k // 2))  # from the x axis
    turn = 2.0 * np.pi * np.arange(around) / around
    rim = np.column_stack((np.cos(turn), np.sin(turn)))
    part = (np.arange(1, rings + 1) / rings)[:, None, None]
    outer = (1.0 - part) * inner.reshape(-1, 2)[edge] + part * rim
    ring_numbers = np.vstack((edge, (k + 1) ** 2 + np.arange(rings * around).reshape(rings, around)))
    ring_numbers = np.column_stack((ring_numbers, ring_numbers[:, 0]))
    points = np.concatenate((inner.reshape(-1, 2), outer.reshape(-1, 2)))
    centre = int(core_numbers[k // 2, k // 2])
    return RoundDisc(points, [core_numbers, ring_numbers], ring_numbers[-1, :-1], centre)


def edge_around(number: np.ndarray) -> np.ndarray:
    """Boundary of a lattice, once around from its last row, first column."""
    return np.concatenate((number[-1, :-1], number[:0:-1, -1], number[0, :0:-1], number[:-1, 0]))


def core_points(k: int, size: float) -> np.ndarray:
    """(k + 1, k + 1, 2) points between four round sides (Coons)."""
    quarter = 0.5 * np.pi * (np.arange(k + 1) / k - 0.5)
    radius = size * ((1.0 - ROUNDNESS) / np.cos(quarter) + ROUNDNESS)
    across = radius * np.sin(quarter)
    right = np.column_stack((radius * np.cos(quarter), across))  # upwards
    left = right * [-1.0, 1.0]
    top, bottom = right[:, ::-1], right[:, ::-1] * [1.0, -1.0]  # to the right
    u = np.linspace(0.0, 1.0, k + 1)[:, None, None]
    v = np.linspace(0.0, 1.0, k + 1)[None, :, None]
    sides = (1 - u) * left + u * right + (1 - v) * bottom[:, None] + v * top[:, None]
    ends = (1 - u) * ((1 - v) * left[0] + v * left[-1]) + u * ((1 - v) * right[0] + v * right[-1])
    return sides - ends
