"""From a model to results: build, make consistent, integrate, name."""

from __future__ import annotations

import time

from .schema.problems import ModelError, Problem
from .schema.settings import Settings

FIRST_TIME = "compiling kernels: this happens once and takes about 20 s"


def prepare(model, duration=None, planar=True):
    """(assembler, catalogue, consistent start) of a model; planar=False keeps motions out of the plane possible."""
    from .build.builder import build
    from .solve.initial import consistent_start

    assembler, catalogue = build(model, duration=duration)
    assembler.may_be_planar = planar
    for coupling in assembler.couplings:
        assembler.track(coupling[0])
    if not any(n.kind in (1, 2) for n in assembler.nodes):
        raise ModelError([Problem(None, ("bodies",), "nothing can move: add a rigid body or a point mass")])
    return assembler, catalogue, consistent_start(assembler, catalogue)


def simulate(model, duration=None, *, progress=None, **settings):
    """Run a model and return its Results.

    Settings given here go before those of the model file: solver, tolerance, outputs, step … `progress` is called with
    (fraction done, words).
    """
    wall, cpu = time.perf_counter(), time.process_time()
    chosen = final_settings(model, duration, settings)
    say_if_first_time(progress)
    from .channels import History, make_channels
    from .results import EnergyAudit, Event, Results, make_provenance
    from .solve.transient import run_transient

    _, catalogue, start = prepare(model, chosen.duration, planar=chosen.planar != "off")
    prepared = time.perf_counter() - wall
    run = run_transient(start, chosen, chosen.output_times(), progress)
    n, record = run.rows, run.record
    history = History(start, catalogue, record, n)
    names = list(catalogue.events.values())
    e = record.energy[:n].T.copy()
    e[3:] -= e[3:, :1]  # works since the first output
    return Results(
        record.time[:n],
        make_channels(history),
        status=final_status(run, start, catalogue),
        events=[
            Event(names[i].name, t, f"{names[i].watched} crosses {names[i].level:g}") for t, i in sorted(run.events)
        ],
        audit=EnergyAudit(record.time[:n], *e) if n else None,
        violation=run.violation(),
        counters=run.counters(),
        timing={
            "wall_s": time.perf_counter() - wall,
            "cpu_s": time.process_time() - cpu,
            "solver_cpu_s": run.cpu_s,
            "prepare_s": prepared,
        },
        provenance=make_provenance(model.name, provenance_text(model), run.solver, chosen.model_dump(mode="json")),
        notes=[*catalogue.notes, *start.notes, *run.notes],
    )


def provenance_text(model) -> str:
    """The model as YAML; a model that holds a Python function cannot be written and says so."""
    try:
        return model.to_yaml()
    except (ModelError, ValueError) as reason:
        return f"# cannot be written as a file: {reason}"


def final_settings(model, duration, settings) -> Settings:
    chosen = model.settings
    changes = dict(settings) if duration is None else {"duration": duration, **settings}
    if changes:
        chosen = chosen.changed(**changes)
    if chosen.duration is None:
        raise ModelError([Problem(None, ("simulate", "duration"), "how long? give a duration such as '10 s'")])
    return chosen


def say_if_first_time(progress) -> None:
    """Compiling takes long enough to deserve a word."""
    from .jit import is_compiled

    if progress is not None and not is_compiled("accelerations_core"):
        progress(0.0, FIRST_TIME)


def final_status(run, start, catalogue):
    """How the run ended, in words that tell what to do."""
    from .results import Status
    from .solve import status
    from .solve.steps import TIME

    t = float(run.loop.clock[TIME])
    if run.interrupted:
        return Status(False, "interrupted", f"interrupted at t = {t:.6g} s; everything up to there is kept", t)
    if run.code == status.DONE:
        return Status(True, "complete", "", t)
    if run.code == status.STOPPED_BY_EVENT:
        at, which = max(run.events)
        name = list(catalogue.events)[which]
        return Status(True, "stopped by event", f"event '{name}' stopped the run at t = {at:.6g} s", t)
    body = busiest_body(run, start)
    advice = status.ADVICE.get(run.code, "")
    return Status(
        False, status.WORDS[run.code], f"t = {t:.6g} s: {status.WORDS[run.code]} near body '{body}': {advice}", t
    )


def busiest_body(run, start) -> str:
    """The body whose state is not finite, or moves fastest."""
    import numpy as np

    worst, label = -1.0, "?"
    for draft, node in zip(start.system.drafts.nodes, start.system.tables.nodes, strict=True):
        if node["kind"] in (1, 2):
            j = int(node["v"])
            speed = np.abs(run.loop.v[j : j + 3]).max()
            if not np.isfinite(speed):
                return draft.label
            if speed > worst:
                worst, label = speed, draft.label
    return label


def modes(model, count=None, *, at_equilibrium=False):
    """Natural frequencies, damping and shapes about the initial position, or about rest."""
    from .solve.equilibrium import find_equilibrium
    from .solve.modes import find_modes

    _, _, start = prepare(model, planar=False)
    q = find_equilibrium(start.system, start.q).q if at_equilibrium else start.q
    return find_modes(start.system, q, count=count)


def is_at_rest(model) -> bool:
    """Whether the bodies would stay where the model starts."""
    import numpy as np

    from .solve.initial import evaluate

    _, _, start = prepare(model, planar=False)
    a = np.zeros(len(start.v))
    evaluate(start.system.tables, start.work, 0.0, start.q.copy(), np.zeros(len(start.v)), a)
    return bool(np.abs(a).max() <= 1e-6 * start.speed**2 / start.length)


def equilibrium(model):
    """Position at rest under gravity, loads and springs."""
    from .solve.equilibrium import find_equilibrium

    _, _, start = prepare(model)
    return find_equilibrium(start.system, start.q)
