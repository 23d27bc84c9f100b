"""Straps and fabric are stowed to 12.7 mm between A and B, with contact of everything, held, and let go.

Everything is as in `tapespring/bench/fabric_models.py`; `tapespring bench variant_fabric` judges it, and
docs/deployables.md tells what came out.
"""

from tapespring.bench.fabric_models import BLOOM, HOLD, STOW, packed

if __name__ == "__main__":
    for gravity, cord in ((9.81, False), (9.81, True), (0.01, False), (0.01, True)):
        results = packed(gravity, cord).simulate()
        print(f"gravity {gravity:g} m/s², {'with' if cord else 'without'} catenary cord: {results.status.code}")
        print(f"  {results.timing['solver_cpu_s']:.0f} s CPU in the solver; {results.verdict.sentence}")
        for contact, facts in results.contacts.items():
            room = -1e6 * facts["deepest"]
            print(f"  {contact}: {facts['touches']} touches, {room:.1f} µm between surfaces at least")
        for name in "ABCD" if results.status.complete else "":
            print(f"  {name} held by {results[f'push_{name}.force'].at(STOW + 0.9 * HOLD):.3f} N")
        print(f"  B at the end, {BLOOM:g} s after it was let go: x = {1e3 * results['B.position.x'].final:.1f} mm")
