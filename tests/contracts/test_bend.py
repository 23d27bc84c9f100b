"""The 45° bend of Bathe and Bolourchi (Int. J. Num. Meth. Eng. 14, 1979): a curved cantilever loaded across its plane.

Radius 100, square section of side 1, E = 1e7, no Poisson's effect, tip force 600. They found the tip at
(15.9, 47.2, 53.4) with eight straight elements; what others found since spreads by about 0.4.
"""

import numpy as np
import pytest
from element_models import Elements

from tapespring.build.assembler import WORLD, Assembler, BeamDraft, NodeDraft
from tapespring.mechanics.tables import FRAME

RADIUS, ANGLE, FORCE = 100.0, np.pi / 4, 600.0


def section_at(s):
    """(point, frame) at an angle s of the bend."""
    tangent, normal = np.array([np.sin(s), np.cos(s), 0.0]), np.array([0.0, 0.0, 1.0])
    point = RADIUS * np.array([1.0 - np.cos(s), np.sin(s), 0.0])
    return point, np.column_stack((tangent, np.cross(normal, tangent), normal))


def bend(count) -> Elements:
    E, G = 1e7, 0.5e7
    compliance = np.diag([1 / E, 1.2 / G, 1.2 / G, 1 / (0.1406 * G), 12 / E, 12 / E])
    assembler, before = Assembler((0, 0, 0)), WORLD
    for k in range(count):
        (pa, frame_a), (pb, frame_b) = section_at(ANGLE * k / count), section_at(ANGLE * (k + 1) / count)
        node = assembler.node(NodeDraft(FRAME, f"{k}", pb, np.eye(3), 1.0, np.eye(3)))
        length = RADIUS * ANGLE / count
        assembler.beams.append(BeamDraft(before, node, pa, pb, frame_a, frame_b, length, compliance))
        before = node
    return Elements(assembler)


def settled(model, steps=40):
    """(q, sizes of the last load step's corrections): Newton's method with the element's own tangent."""
    q, sizes = model.system.q0.copy(), []
    for force in FORCE * np.arange(1, steps + 1) / steps:
        sizes = []
        while len(sizes) < 30 and (not sizes or sizes[-1] > 1e-9):
            r, K = model.at(q, weights=(0, 1))
            r[-4] -= force
            d = np.linalg.solve(K, r)
            q = model.moved(q, -d)
            sizes.append(np.abs(d).max())
    return q, sizes


@pytest.mark.parametrize("count", [4, 8])
def test_tip_of_the_bend(count):
    q, sizes = settled(bend(count))
    assert len(sizes) < 10
    assert q[-7:-4] == pytest.approx([15.9, 47.2, 53.4], abs=0.4)
    # by 32 elements; in space the error falls with the square of the length
    assert q[-7:-4] == pytest.approx([15.5579, 46.8919, 53.6079], abs=0.012 if count == 4 else 0.002)
