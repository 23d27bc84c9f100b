"""A falling human arm with passive joint moments, in its plane and as a spatial model of the same bodies."""

from .case import Case, Quantity, from_yaml
from .histories import largest_difference

SOURCE = (
    "double pendulum contact problem (Appl. Comp. Mech. 8, 2014): its arm; parameters ours, integrated independently"
)
SHOULDER = {"phi1": "shoulder.angle", "dphi1": "shoulder.angle.rate"}
HEIGHTS = {"elbow_z": "fore.elbow.position.z", "wrist_z": "fore.wrist.position.z"}
PATHS = HEIGHTS | {"elbow_x": "fore.elbow.position.x", "wrist_x": "fore.wrist.position.x"}


def compared(what: str, unit: str, channels: dict[str, str], run: str) -> Quantity:
    difference = largest_difference("arm.csv", channels)
    return Quantity(f"{what}, {run}", unit, 0.0, 1e-8, SOURCE, "R", difference, run)


def quantities():
    for run in ("in the plane", "in space"):
        yield compared("shoulder", "rad", SHOULDER, run)
        yield compared("heights of elbow and wrist", "m", HEIGHTS, run)
    yield compared("paths of elbow and wrist", "m", PATHS, "in the plane")


CASES = (
    Case(
        "arm",
        "arm falling against passive joint moments",
        {"in the plane": from_yaml("arm.yaml"), "in space": from_yaml("arm_in_space.yaml")},
        quantities,
    ),
)
