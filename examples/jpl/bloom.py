"""Straps are stowed slowly between carts, which are then let go: the bloom, with and without gravity, with the middle
cart held or free."""

from pathlib import Path

import tapespring as ts

NOTHING = 1e-3  # m/s²: so that both straps bow downwards


def bloom(gravity: float, free: bool, duration: float = 1.0) -> ts.Results:
    model = ts.load(Path(__file__).parent / "bloom.yaml").set("gravity", [0, 0, -gravity])
    stow, release = (stage.model_dump(exclude_defaults=True) for stage in model.settings.stages)
    gone = ["left_push", "right_push", *(["hold"] if free else [])]
    release |= {"duration": duration, "outputs": 200, "without": gone}
    return model.set("simulate", {"stages": [stow, release]}).simulate()


if __name__ == "__main__":
    for gravity, free in ((9.81, False), (9.81, True), (NOTHING, False), (NOTHING, True)):
        results = bloom(gravity, free)
        cart, middle = results["right_cart.position.x"], results["middle_cart.position.x"]
        print(f"gravity {gravity:g} m/s², middle cart {'free' if free else 'held'}: {results.status.code}")
        print(f"  {results.verdict.sentence}")
        for time in (8.0, 8.25, 8.5, 8.75, 9.0):
            print(
                f"  {time - 8.0:.2f} s: right cart at {1e3 * cart.at(time):.1f} mm, middle {1e3 * middle.at(time):.3f}"
            )
