"""Straps and fabric: a fabric in two triangles of straps is stowed to 75 mm between A and B, held, and let go.

The model is `fabric` in `tapespring/bench/jpl_fabric.py`; `tapespring bench jpl_fabric` runs the first.
Contact is left out, for nothing has to touch before 75 mm; `packed_fabric.py` goes on with it.
"""

from tapespring.bench.jpl_fabric import BLOOM, HOLD, STOW, fabric

if __name__ == "__main__":
    for gravity, cord in ((9.81, False), (9.81, True), (0.01, False), (0.01, True)):
        results = fabric(gravity, cord).simulate()
        held = STOW + 0.9 * HOLD
        force = {name: abs(results[f"push_{name}.force"].at(held)) for name in ("A", "C")}
        print(f"gravity {gravity:g} m/s², {'with' if cord else 'without'} catenary cord: {results.status.code}")
        print(f"  {results.timing['solver_cpu_s']:.1f} s CPU in the solver; {results.verdict.sentence}")
        print(f"  held at 75 mm by {force['A']:.3f} N in X and {force['C']:.3f} N in Y")
        print(f"  B {1e3 * BLOOM:.0f} ms after it was let go: x = {1e3 * results['B.position.x'].final:.1f} mm")
