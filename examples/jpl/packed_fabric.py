"""Straps and fabric are stowed to 12.7 mm between A and B, with contact of everything, held, and let go.

Everything is as in `tapespring/bench/fabric_models.py`. docs/deployables.md tells how far this has been run.
"""

from tapespring.bench.fabric_models import BLOOM, HOLD, STOW, packed

if __name__ == "__main__":
    for gravity in (9.81, 0.01):
        results = packed(gravity).simulate()
        print(
            f"gravity {gravity:g} m/s²: {results.status.code}, {results.timing['solver_cpu_s']:.0f} s CPU in the solver"
        )
        print(f"  {results.audit.verdict()}")
        for contact, facts in results.contacts.items():
            print(f"  {contact}: {facts['touches']} touches, {1e6 * facts['deepest']:.1f} µm within each other at most")
        for name in "ABCD" if results.status.complete else "":
            print(f"  {name} held by {results[f'push_{name}.force'].at(STOW + 0.9 * HOLD):.3f} N")
        print(f"  B at the end, {BLOOM:g} s after it was let go: x = {1e3 * results['B.position.x'].final:.1f} mm")
