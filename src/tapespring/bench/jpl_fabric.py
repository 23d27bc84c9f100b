"""Straps and fabric: fourth problem of deployable structures, stowed to 75 mm between A and B without contact.

One piece of fabric in two triangles is tied to five straps at the corners and at every eighth of their lengths;
fixtures at the corners slide on rails without turning. A catenary cord may run along the outer edges of the fabric.
Everything moves slowly, with some damping. It is stowed, held and let go; or stowed in two steps, with a rest at
150 mm, and back there.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Model
from ..results import Results
from .case import Case, Quantity
from .fabric_models import APART, CORD, CORNERS, HEMS, STRAPS, fixtures, sheet

DAMPING = {"mass": "20 1/s"}
DISTANCE, HALFWAY = 75e-3, 150e-3  # m
STOW, HOLD, BLOOM = 2.0, 0.3, 0.5  # s
REST, MOVES = 0.4, (1.5, 0.7, 0.7)  # s
TOLD = {"solver": "implicit", "step": "1 ms", "dissipation": 0.3}
PUBLISHED = {"X": ("A", 0.356), "Y": ("C", 0.299)}
SOURCE = "one of three codes; end distance, supports and how it was stowed are not told: the order of magnitude counts"
ORDER = 0.7  # of the published forces
REPEATS = "loads at rest repeat"
KEPT = "conservation of energy"


def fabric(gravity: float = 9.81, cord: bool = False) -> Model:
    """Stowed, held, and let go."""
    bodies, joints, drives = fixtures(DISTANCE, STOW)
    for a, b in map(tuple, STRAPS):
        bodies[a + b] = {
            "kind": "beam", "path": [[*CORNERS[a], 0], [*CORNERS[b], 0]], "up": "z", "elements": 40, "damping": DAMPING,
            "section": {"kind": "rectangle", "width": "9.525 mm", "thickness": "0.18 mm"},
            "material": {"young": "41.8 GPa", "shear": "16.1 GPa", "density": "2657.271 kg/m^3"},
        }  # fmt: skip
        joints[f"{a}_{a}{b}"] = {"kind": "fixed", "between": [a, f"{a}{b}.start"]}
        joints[f"{b}_{a}{b}"] = {"kind": "fixed", "between": [b, f"{a}{b}.end"]}
    mesh, attached = sheet()
    bodies["fabric"] = {
        "kind": "membrane", "mesh": mesh, "attach": attached, "thickness": "0.0254 mm", "damping": DAMPING,
        "material": {"young": "344.7 MPa", "poisson": 0.3, "density": "553.6 kg/m^3"},
    }  # fmt: skip
    if cord:
        bodies |= {hem: {**CORD, "on": f"fabric.{hem}"} for hem in HEMS}
    stages = [
        {"name": "stow", "duration": STOW, "outputs": 40, **TOLD},
        {"name": "hold", "duration": HOLD, "outputs": 10, **TOLD},
        {"name": "bloom", "duration": BLOOM, "outputs": 50, "without": list(drives), **TOLD},
    ]
    return Model.from_plain({
        "name": "Straps and fabric", "gravity": [0, 0, -gravity], "bodies": bodies, "joints": joints, "drives": drives,
        "simulate": {"stages": stages},
    })  # fmt: skip


def rests() -> tuple[float, ...]:
    """Ends of the rests [s]: at 150 mm, at 75 mm, at 150 mm again."""
    return tuple(sum(MOVES[: k + 1]) + (k + 1) * REST for k in range(len(MOVES)))


def in_steps(gravity: float = 9.81) -> Model:
    """To 150 mm, to 75 mm and back to 150 mm, with a rest at each."""
    model, begins = fabric(gravity), (0.0, *rests())
    ways = (APART - HALFWAY, HALFWAY - DISTANCE, DISTANCE - HALFWAY)  # nearer
    for name, (x, y) in CORNERS.items():
        moves = [
            f"{-way * (x + y) / APART!r}*(0.5 - 0.5*cos(pi*min(max((t - {begin!r})/{lasts!r}, 0), 1)))"
            for way, begin, lasts in zip(ways, begins, MOVES, strict=False)
        ]
        model = model.set(f"drives.push_{name}.value", " + ".join(moves))
    return model.set("simulate", {**TOLD, "duration": begins[-1], "outputs": "50 ms"})


def finer(model: Model) -> Model:
    """Half the step, and twice as many elements along the straps; the mesh of the fabric is given as it is."""
    for strap in STRAPS:
        model = model.set(f"bodies.{strap}.elements", 80)
    stages = [stage.model_dump(exclude_defaults=True) | {"step": "0.5 ms"} for stage in model.settings.stages]
    return model.set("simulate.stages", stages) if stages else model.set("simulate.step", "0.5 ms")


def held(corner: str, time: float):
    return lambda results: abs(float(results[f"push_{corner}.force"].at(time)))


def difference(results: Results) -> float:
    """Of loads at 150 mm on the way in and back, over the load there [%]."""
    come, _, back = rests()
    loads = [(held(corner, come)(results), held(corner, back)(results)) for corner in CORNERS]
    return 100.0 * max(abs(a - b) for a, b in loads) / max(a for a, _ in loads)


def unaccounted(results: Results) -> float:
    return results.audit.relative if results.audit else float("nan")


def quantities() -> Iterator[Quantity]:
    for run, when in (("at once", STOW + 0.9 * HOLD), ("in steps", rests()[1])):
        for axis, (corner, force) in PUBLISHED.items():
            name = f"{run}: force in {axis} at 75 mm"
            yield Quantity(name, "N", force, ORDER * force, SOURCE, "P", held(corner, when), run)
        yield Quantity(f"{run}: energy unaccounted for / exchanged", "1", 0.0, 1e-3, KEPT, "A", unaccounted, run)
    yield Quantity("in steps: stowing less deploying at 150 mm", "%", 0.0, 1.0, REPEATS, "A", difference, "in steps")


CASES = (
    Case(
        "jpl_fabric", "straps and fabric, stowed to 75 mm, held and let go, or brought back",
        {"at once": fabric, "in steps": in_steps}, quantities, refined=finer,
    ),
)  # fmt: skip
