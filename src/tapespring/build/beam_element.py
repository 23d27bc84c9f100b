"""Constants of a beam element: its strain as drawn, and its stiffness.

The strain of an element of length L is log(A⁻¹B)/L for the placements A, B of its end sections in SE(3): exact where
the strain is constant along the element. With no load between the ends the strain varies in first order, and
Magnus' expansion shows what that adds to log(A⁻¹B). Energy minimised over this variation, the section's compliance C
grows to

    C + L²/12 ad C ad',    ad = [[κ×, Γ×], [0, κ×]] of the strain (Γ, κ) as drawn.

For a straight beam this adds L²/(12 EI) to the shear compliance, which makes the element exact for small
displacements, and of fourth order in L for plane bending of any size. Sections without shear compliance are allowed.

The shear strain γ that this adds is the S of the bent axis, 12 γ/L its curvature's change, and its arc is longer than
the chord by (1/2) (6/5) γ² (Magnus' next term, [[Γ, κ₁], κ₁]/240): the `bow` of an element, with γ the bending's share
of the shear strain. It gives the familiar 6N/(5L) of a beam under tension N. Put as a length λ it holds for large γ:
an element cannot become longer than its chord by turning its sections aside.
"""

from __future__ import annotations

import numpy as np


def skew(a) -> np.ndarray:
    """a× as a matrix."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def rotation_vector(R) -> np.ndarray:
    """log R, angle below π."""
    axial = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = np.linalg.norm(axial), 0.5 * (np.trace(R) - 1.0)
    return axial if sine < 1e-8 and cosine > 0.0 else np.arctan2(sine, cosine) / sine * axial


def screw(R, p) -> np.ndarray:
    """log of the placement (R, p) in SE(3): (translation part, rotation vector)."""
    phi = rotation_vector(R)
    angle2 = phi @ phi
    if angle2 < 1e-4:
        c = 1.0 / 12.0 + angle2 / 720.0 + angle2**2 / 30240.0
    else:
        half = 0.5 * np.sqrt(angle2)
        c = (1.0 - half / np.tan(half)) / angle2
    P = skew(phi)
    return np.concatenate(((np.eye(3) - 0.5 * P + c * P @ P) @ p, phi))


def drawn_strain(beam) -> np.ndarray:
    """Strain (Γ, κ) of an element draft as drawn; Γ is (1, 0, 0) where the drawn axis has the element's length."""
    R, p = beam.frame_a.T @ beam.frame_b, beam.frame_a.T @ (beam.pb - beam.pa)
    return screw(R, p) / beam.length


def element_stiffness(compliance, strain, length: float) -> np.ndarray:
    """Stress (force, moment) by strain, constant over the element; see the head of this file."""
    ad = np.block([[skew(strain[3:]), skew(strain[:3])], [np.zeros((3, 3)), skew(strain[3:])]])
    stiffness = np.linalg.inv(compliance + length**2 / 12.0 * ad @ compliance @ ad.T)
    return 0.5 * (stiffness + stiffness.T)


def bow(compliance, stiffness) -> np.ndarray:
    """(c, by, bz): see mechanics.beams. c by, c bz are the second derivatives of the stretch by the shear strains."""
    section, element = np.diag(compliance)[1:3], np.diag(np.linalg.inv(stiffness))[1:3]
    share = (1.0 - section / element) ** 2
    c = float(share.max())
    return np.array([c, *(1.2 * share / c)]) if c > 0.0 else np.zeros(3)
