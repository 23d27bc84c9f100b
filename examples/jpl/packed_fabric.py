"""Straps and fabric are stowed to 12.7 mm between A and B, with contact of everything, held, and let go.

The model is built in `tapespring/bench/variant_fabric.py`; `tapespring bench variant_fabric` runs the same.
"""

from tapespring.bench.variant_fabric import BLOOM, GRAVITY, HOLD, STOW, held, packed

if __name__ == "__main__":
    for name, gravity in GRAVITY.items():
        results = packed(gravity).simulate()
        print(f"{name} gravity: {results.status.code}, {results.timing['solver_cpu_s']:.0f} s CPU in the solver")
        print(f"  {results.audit.verdict()}")
        print(f"  held by {held('A', 'B')(results):.3f} N in X and {held('C', 'D')(results):.3f} N in Y")
        for contact, facts in results.contacts.items():
            print(f"  {contact}: {facts['touches']} touches, {1e6 * facts['deepest']:.1f} µm within each other at most")
        for time in (0.0, 0.1, 0.2, BLOOM):
            x = results["B.position.x"].at(STOW + HOLD + time)
            print(f"  B {1e3 * time:.0f} ms after it was let go: x = {1e3 * x:.1f} mm")
