"""What may go wrong when straps bloom: a strap snags on a pin, a cart sticks on its rail, a cart is let go late.

Every fault is a few lines added to `straps.yaml`; with nothing to snag on, no friction and no delay the bloom is the
nominal one. How a floating spacecraft is turned by a cart that is late stands in `free_base.yaml`.
"""

from pathlib import Path

import tapespring as ts

STOW, BLOOM, WRITE = 8.0, 1.6, 0.01  # s
HELD = "-0.4193*(0.5 - 0.5*cos(pi*min(t/8, 1)))"  # m: the right cart on its rail, stowed and then kept there
PIN = (12.7e-3, -0.10)  # m, x and z: within the fold of the right strap


def bloom(model: ts.Model, late: float = 0.0, absent: tuple[str, ...] = ()) -> ts.Model:
    """Stowed slowly, then let go; the right cart later than the left one [s]."""
    steps = {"solver": "implicit", "tolerance": 1e-6, "outputs": WRITE}
    stages = [{"name": "stow", "solver": "quasi-static", "duration": STOW, "outputs": 8, "without": list(absent)}]
    if late:
        stages.append({"name": "left alone", "duration": late, **steps, "without": ["left_push"]})
    stages.append({"name": "bloom", "duration": BLOOM - late, **steps, "without": ["left_push", "right_push"]})
    return model.set("simulate", {"stages": stages})


def nominal(model: ts.Model) -> ts.Model:
    return bloom(model)


def strap_snags(model: ts.Model, at: tuple[float, float] = PIN) -> ts.Model:
    """A pin of 3 mm stands across, within the fold of the stowed strap, which is drawn up against it."""
    x, z = at
    pin = {"kind": "capsule", "on": "ground", "at": [x, -0.02, z], "to": [x, 0.02, z], "radius": "3 mm"}
    strap = {"kind": "rod", "on": "right_strap", "radius": "0.09 mm"}
    law = {"kind": "spring_dashpot", "stiffness": "20 N/mm", "damping": "1 N s/m"}
    snag = {"kind": "contact", "between": [pin, strap], "law": law}
    return bloom(model.set("contacts.snag", snag), absent=("snag",))


def cart_sticks(model: ts.Model, friction: float = 0.03) -> ts.Model:
    """Coulomb friction [N] on the right rail; the stowed straps push with 0.0247 N."""
    return bloom(model.set("joints.right_rail.friction", {"force": friction}) if friction else model)


def released_late(model: ts.Model, late: float = 0.2) -> ts.Model:
    """The right cart is held for a while [s] after the left one was let go."""
    return bloom(model.set("drives.right_push.value", HELD), late)


FAULTS = {
    "nominal": nominal, "strap snags": strap_snags, "cart sticks": cart_sticks, "released late": released_late,
}  # fmt: skip


if __name__ == "__main__":
    straps = ts.load(Path(__file__).parent / "straps.yaml")
    for name, fault in FAULTS.items():
        results = fault(straps).simulate()
        right, left = results["right_cart.position.x"], results["left_cart.position.x"]
        print(f"{name}: {results.status.code}, {results.verdict.sentence}")
        for time in (0.4, 0.8, 1.2, 1.6):
            places = (1e3 * cart.at(STOW + time) for cart in (left, right))
            print(f"  t = {time:.1f} s: carts at {next(places):.1f} and {next(places):.1f} mm")
