"""A panel under sudden pressure by sine series: a reference that shares nothing with elements.

Thin plate with Green's strain of the middle surface and linear curvature, its displacements sums of sines that vanish
at the edges, forces by Gauss's rule over a quarter, leapfrog in time. Twice the terms, points and steps change the
history by 5e-4 of its largest value (`python benchmarks/panel_reference.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Panel:
    """Square, its edges held in place but free to turn; the pressure comes suddenly and stays. SI units."""

    side: float = 1.0
    thickness: float = 5e-3
    young: float = 70e9
    poisson: float = 0.3
    density: float = 2700.0
    pressure: float = 5e3
    duration: float = 0.05  # three periods of the motion, which goes to more than twice the thickness
    outputs: int = 50


PANEL = Panel()


def sines(points: np.ndarray, numbers: np.ndarray, side: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(points, numbers): sin(kπx/side), first and second derivatives."""
    k = np.pi * numbers / side
    return np.sin(points[:, None] * k), k * np.cos(points[:, None] * k), -k * k * np.sin(points[:, None] * k)


def history(panel: Panel = PANEL, terms: int = 6, points: int = 16, steps_per_output: int = 200) -> np.ndarray:
    """Deflection of the centre at the outputs, from time 0 on."""
    side, h = panel.side, panel.thickness
    x, weight = np.polynomial.legendre.leggauss(points)
    x, weight = 0.25 * side * (x + 1.0), 0.5 * side * weight  # over half a side, counted twice
    odd, even = 2.0 * np.arange(terms) + 1.0, 2.0 * np.arange(terms) + 2.0
    S, S1, S2 = sines(x, odd, side)
    E, E1, _ = sines(x, even, side)
    A = np.outer(weight, weight)
    stretch = panel.young * h / (1.0 - panel.poisson**2)
    bend, nu = stretch * h * h / 12.0, panel.poisson
    mass = panel.density * h * side * side / 4.0
    at_centre = np.outer(np.sin(odd * np.pi / 2.0), np.sin(odd * np.pi / 2.0))

    def forces(u: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Minus the derivatives of the energy; u along x, along y its transpose."""
        ux, uy = E1 @ u @ S.T, E @ u @ S1.T
        vx, vy = uy.T, ux.T
        wx, wy = S1 @ w @ S.T, S @ w @ S1.T
        xx = ux + 0.5 * (ux * ux + vx * vx + wx * wx)
        xy = 0.5 * (uy + vx + ux * uy + vx * vy + wx * wy)
        N11, N12 = A * stretch * (xx + nu * xx.T), A * stretch * (1.0 - nu) * xy
        N22 = N11.T
        on_u = E1.T @ (N11 * (1.0 + ux) + N12 * uy) @ S + E.T @ (N12 * (1.0 + ux) + N22 * uy) @ S1
        kxx, kyy, kxy = S2 @ w @ S.T, S @ w @ S2.T, S1 @ w @ S1.T
        bending = S2.T @ (A * (kxx + nu * kyy)) @ S + S.T @ (A * (kyy + nu * kxx)) @ S2
        bending += 2.0 * (1.0 - nu) * S1.T @ (A * kxy) @ S1
        on_w = S1.T @ (N11 * wx + N12 * wy) @ S + S.T @ (N12 * wx + N22 * wy) @ S1 + bend * bending
        return -on_u, panel.pressure * (S.T @ A @ S) - on_w

    dt = panel.duration / panel.outputs / steps_per_output
    u, w = np.zeros((terms, terms)), np.zeros((terms, terms))
    du, dw = u.copy(), w.copy()
    out = [0.0]
    fu, fw = forces(u, w)
    for _ in range(panel.outputs):
        for _ in range(steps_per_output):
            du += 0.5 * dt / mass * fu
            dw += 0.5 * dt / mass * fw
            u += dt * du
            w += dt * dw
            fu, fw = forces(u, w)
            du += 0.5 * dt / mass * fu
            dw += 0.5 * dt / mass * fw
        out.append(float((at_centre * w).sum()))
    return np.array(out)


def main() -> None:
    coarse, fine = history(), history(terms=12, points=32, steps_per_output=400)
    print(f"largest {fine.max():.6g} m, changed by {np.abs(fine - coarse).max() / fine.max():.1e} of it")


if __name__ == "__main__":
    main()
