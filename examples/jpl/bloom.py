"""Straps are stowed slowly between carts, which are then let go: the bloom, with and without gravity."""

from pathlib import Path

import tapespring as ts

STAGES = [
    {"name": "stow", "solver": "quasi-static", "duration": "8 s", "outputs": 8},
    {
        "name": "bloom", "solver": "implicit", "duration": "1 s", "tolerance": 1e-5, "outputs": 200,
        "without": ["left_push", "right_push"],
    },
]  # fmt: skip


def bloom(gravity: float) -> ts.Results:
    model = ts.load(Path(__file__).parent / "straps.yaml")
    return model.set("gravity", [0, 0, -gravity]).set("simulate", {"stages": STAGES}).simulate()


if __name__ == "__main__":
    for gravity in (9.81, 1e-3):
        results = bloom(gravity)
        cart = results["right_cart.position.x"]
        print(f"gravity {gravity:g} m/s²: {results.status.code}, {results.audit.verdict()}")
        for time in (8.0, 8.25, 8.5, 8.75, 9.0):
            print(f"  t = {time - 8.0:.2f} s: right cart at {1e3 * cart.at(time):.1f} mm")
