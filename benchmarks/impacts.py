"""Time in the solver for contacts that `ode` meets one by one: a dropped ball for 1 s. See also pendulum.py.

.venv/bin/python benchmarks/impacts.py
"""

from tapespring.bench.contact_ball import LAWS, ball

REPEATS = 5


def best_of(model, **settings):
    """The results of the fastest of a few runs; the first one loads or compiles."""
    runs = [model.simulate(**settings) for _ in range(REPEATS)]
    return min(runs, key=lambda run: run.timing["solver_cpu_s"])


def main():
    for name, (law, _) in LAWS.items():
        run = best_of(ball(law, "1 s"), tolerance=1e-8, outputs=100)
        print(f"ball, 1 s, {name:15s} {1e3 * run.timing['solver_cpu_s']:8.3f} ms, {run.counters['steps']} steps")


if __name__ == "__main__":
    main()
