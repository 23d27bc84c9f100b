"""Contact stiffness for a rod of beams from a small model of shells.

A piece of the tube the pendulum's rod is made of is pressed at a point. How far that point goes into its section, whose
mean displacement is that of a beam, gives a stiffness; the pendulum then runs with it.
"""

from pathlib import Path

import numpy as np

import tapespring as ts

HERE = Path(__file__).parent


def stiffness_of(piece: ts.Model) -> float:
    """Under a force that is small enough not to change the shape of the tube [N/m]."""
    results = piece.simulate()
    around, along = piece.section("bodies")["tube"].mesh.divisions
    x = results["tube.positions"].values[:, 0::3].reshape(-1, around + 1, along + 1)[:, :, 0]
    moved = x[1] - x[0]
    mean = np.trapezoid(moved) / around
    force = 4.0 * 12.5 * results.time[1]  # of all four quarters
    return force / (mean - moved[0])


if __name__ == "__main__":
    found = stiffness_of(ts.load(HERE / "tube_piece.yaml"))
    print(f"local stiffness of the tube: {found:.4g} N/m")
    pendulum = ts.load(HERE / "pendulum.yaml").set("contacts.bar.law.stiffness", found)
    results = pendulum.simulate()
    peak = results["bar.normal"].moving_average(4e-3).first_peak().value
    x, y, _ = results["tip.position"].values.T
    turned = np.degrees(np.abs(np.unwrap(np.arctan2(y, x)) - np.arctan2(y[0], x[0])).max())
    print(f"pendulum with it: {results.status.code}, largest rotation {turned:.2f} deg, first peak {peak:.1f} N")
