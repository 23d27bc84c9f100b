"""Straps and fabric: a fabric in two triangles of straps is stowed to 75 mm between A and B, held, and let go.

The fabric, one piece, is a membrane tied to the straps at the corners and at every eighth of their lengths; fixtures at
the corners slide on rails without turning. A catenary cord may run along the outer edges of the fabric. While it is
stowed everything moves slowly, with some damping. Runs are with and without gravity. Contact is left out, for nothing
has to touch before 75 mm; `packed_fabric.py` goes on with it.
"""

import tapespring as ts
from tapespring.bench.fabric_models import CORD, CORNERS, HEMS, STRAPS, fixtures, sheet

DISTANCE = 75e-3  # m
STOW, HOLD, BLOOM = 2.0, 0.3, 0.5  # s
DAMPING = {"mass": "20 1/s"}


def fabric(gravity: float = 9.81, cord: bool = False) -> ts.Model:
    bodies, joints, drives = fixtures(DISTANCE, STOW)
    for a, b in STRAPS:
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
    steps = {"solver": "implicit", "step": "1 ms", "dissipation": 0.3}
    stages = [
        {"name": "stow", "duration": STOW, "outputs": 40, **steps},
        {"name": "hold", "duration": HOLD, "outputs": 10, **steps},
        {"name": "bloom", "duration": BLOOM, "outputs": 50, "without": list(drives), **steps},
    ]
    return ts.Model.from_plain({
        "name": "Straps and fabric", "gravity": [0, 0, -gravity], "bodies": bodies, "joints": joints, "drives": drives,
        "simulate": {"stages": stages},
    })  # fmt: skip


if __name__ == "__main__":
    for gravity, cord in ((9.81, False), (9.81, True), (0.01, False), (0.01, True)):
        results = fabric(gravity, cord).simulate()
        held = STOW + 0.9 * HOLD
        force = {name: abs(results[f"push_{name}.force"].at(held)) for name in ("A", "C")}
        print(f"gravity {gravity:g} m/s², {'with' if cord else 'without'} catenary cord: {results.status.code}")
        print(f"  {results.timing['solver_cpu_s']:.1f} s CPU in the solver; {results.audit.verdict()}")
        print(f"  held at 75 mm by {force['A']:.3f} N in X and {force['C']:.3f} N in Y")
        print(f"  B {1e3 * BLOOM:.0f} ms after it was let go: x = {1e3 * results['B.position.x'].final:.1f} mm")
