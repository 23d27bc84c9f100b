"""From a model to results: build, make consistent, integrate, name."""

from __future__ import annotations

import time
from dataclasses import asdict

from .schema.problems import ModelError, Problem

NO_CONTACTS = ("stiff", "conserving")
FINDS_PAIRS = ("explicit", "implicit", "quasi-static")
KEEP_SECONDS = 60.0  # between checkpoints


def prepare(model, duration=None, planar=True, state=None, at_rest=False, solver="", rigid=()):
    """(assembler, catalogue, consistent start) of a model; planar=False keeps motions out of the plane possible.

    With a state of an earlier run the start is there instead of where the model is drawn; bodies named in `rigid` keep
    the shape they have there. Some solvers find pairs of contacts among many as they come near.
    """
    from .build.builder import build
    from .solve.initial import consistent_start, resumed_start

    assembler, catalogue = build(model, duration=duration)
    assembler.may_be_planar = planar
    assembler.pairs_come_near = solver in FINDS_PAIRS or (solver == "auto" and assembler.is_flexible())
    check_crowds(model, assembler, catalogue, solver)
    kinds = assembler.nodes.table["kind"]
    if not ((kinds == 1) | (kinds == 2)).any():
        raise ModelError([Problem(None, ("bodies",), "nothing can move: add a rigid body or a point mass")])
    if state is not None and len(state.q) != 3 * (kinds == 1).sum() + 7 * (kinds > 1).sum():
        message = "the restart state belongs to a model with other bodies or another mesh; restart with its own model"
        raise ModelError([Problem(None, (), message)])
    frozen = frozen_bodies(model, assembler, catalogue, rigid, state) if rigid else None
    if state is None:
        return assembler, catalogue, consistent_start(assembler, catalogue)
    q, v = frozen.state() if frozen else (state.q, state.v)
    return assembler, catalogue, resumed_start(assembler, q, 0.0 * v if at_rest else v, state.angles, state.time)


def frozen_bodies(model, assembler, catalogue, names, state):
    """Bodies made rigid where the state has them. Raises ModelError."""
    from .build.freezing import CannotFreezeError, freeze
    from .schema.near_words import advice

    for name in names:
        if name not in catalogue.bodies:
            message = f"there is no body '{name}' to make rigid{advice(name, catalogue.bodies)}"
            raise ModelError(model.problem(("simulate", "stages"), message))
    try:
        frozen = freeze(assembler, catalogue, names, None if state is None else (state.q, state.v))
    except CannotFreezeError as reason:
        raise ModelError(model.problem(("simulate", "stages"), f"rigid: {reason}")) from None
    assembler.may_be_planar, assembler.frozen = False, frozen
    if frozen.lost > 0.0:
        catalogue.notes.append(f"{', '.join(names)} became rigid: {frozen.lost:.3g} J of motion within were lost")
    return frozen


def simulate(model, duration=None, *, progress=None, restart=None, checkpoint=None, **settings):
    """Run a model and return its Results.

    Settings given here go before those of the model file: solver, tolerance, outputs, step, stages … `progress` is
    called with (fraction done, words). `restart` goes on from the state of earlier Results, or of a file of
    results or a checkpoint. `checkpoint` names a file that is renewed about once a minute while the run goes on.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    chosen = model.settings.changed(**settings, **({} if duration is None else {"duration": duration}))
    stages = chosen.stage_list()
    from .jit import Compilation
    from .results import make_provenance
    from .schema.idle_settings import idle_notes

    with Compilation() as compilation:
        parts, prepared = run_stages(model, stages, state_of(restart), progress, checkpoint)
    return results_of(
        parts,
        idle_notes(chosen, solvers_used(stages, parts)),
        timing={
            "wall_s": time.perf_counter() - wall,
            "cpu_s": time.process_time() - cpu,
            "solver_cpu_s": sum(part.run.cpu_s for part in parts),
            "prepare_s": prepared,
            **({"compile_s": compilation.seconds} if compilation.seconds else {}),
        },
        provenance=make_provenance(
            model.name,
            provenance_text(model),
            ", then ".join(dict.fromkeys(part.run.solver for part in parts)),
            chosen.model_dump(mode="json"),
            elements_of(parts[-1].start.system.tables),
        ),
        scene=scene_of(model, parts),
        state=next((s for s in (p.state(stages.index(p.stage), model.hash()) for p in reversed(parts)) if s), None),
    )


def solvers_used(stages, parts) -> list[tuple[str, ...]]:
    """By stage; those not run are taken at their word."""
    used = [(stage.solver,) for stage in stages]
    for part in parts:
        used[stages.index(part.stage)] += tuple(leg.solver for leg in part.run.legs)
    return [tuple(dict.fromkeys(names[1:] or names)) for names in used]


def results_of(parts, notes=(), **more):
    """Results of what stages left behind, joined, with further notes; `more` says where they came from."""
    from .results import Results
    from .stages import join

    joined = join(parts)
    contacts, complaints = contact_reports(parts)
    said = [note for p in parts for note in (*p.catalogue.notes, *p.start.notes, *p.run.notes)]
    return Results(
        joined.time,
        joined.channels,
        status=final_status(parts[-1]),
        events=joined.events,
        audit=joined.audit,
        violation=worst_of([part.run.violation() for part in parts]),
        counters=sum_of([part.run.counters() for part in parts]),
        contacts=contacts,
        phases=[phase for part in parts for phase in part.phases()],
        notes=dict.fromkeys([*notes, *said, *complaints]),
        warnings=[asdict(finding) for finding in warnings_of(parts)],
        **more,
    )


def scene_of(model, parts):
    """A function that draws what the model looks like, if it is ever asked for; see scene."""
    stages = [(part.catalogue, part.start.system.drafts) for part in parts]

    def draw():
        from .scene import draw_scene

        return draw_scene(model, stages)

    return draw


def elements_of(tables) -> dict[str, int]:
    """How many there are, by what they are."""
    counts = {"beams": len(tables.beams), "bars": len(tables.bars), "cells": len(tables.cells)}
    return {name: count for name, count in counts.items() if count}


def contact_reports(parts):
    """(what contacts did in all stages, by name, the latest stage first; warnings)"""
    from .contact_report import contact_report, facts_together

    facts, warnings = {}, []
    stages = {id(part.start): part for part in parts}  # parts of a stage share its start, which knows what contacts did
    for part in reversed(stages.values()):
        if part.catalogue.contacts:
            found, said = contact_report(part.start, part.catalogue, part.run.solver)
            both = {name: facts_together(found[name], facts[name]) for name in found if name in facts}
            facts, warnings = found | facts | both, said + warnings
    return facts, warnings


def warnings_of(parts):
    """What speaks against the numbers and shows in none of them."""
    from .drive_jumps import drive_warnings

    found = [finding for part in parts for finding in (*part.first_place(), *part.branches(), *part.slack_cables())]
    ends = {id(part.start): part for part in parts}  # parts of a stage share its start
    found += [finding for part in ends.values() for finding in drive_warnings(part)]
    return dict.fromkeys(found)


def runner_of(solver: str):
    """What runs a stage; only that is imported."""
    if solver == "quasi-static":
        from .solve.quasi_static import run_quasi_static

        return run_quasi_static
    from .solve.transient import run_transient

    return run_transient


def run_stages(model, stages, state, progress, checkpoint=None):
    """(what each stage left behind, seconds spent preparing); ends with the first stage that does not complete."""
    from .solve import status
    from .stages import StageRun, stage_model

    parts: list[StageRun] = []
    begin, prepared = 0.0, 0.0
    ends = [sum(stage.duration for stage in stages[: k + 1]) for k in range(len(stages))]
    for stage, end in zip(stages, ends, strict=True):
        begin = end - stage.duration
        if state is not None and state.time >= end - 1e-12 * end:
            continue  # done before
        if stage.solver not in ("auto", "ode"):
            refuse_momentum(stage_model(model, stage), f"solver {stage.solver}")
        if stage.solver not in ("auto", "implicit", "quasi-static"):
            refuse_augmented(stage_model(model, stage), f"solver {stage.solver}")
        elif stage.solver != "quasi-static" and not stage.step:
            refuse_augmented(stage_model(model, stage), "error control")
        if stage.solver == "quasi-static" and stage.snaps == "follow":
            why = "is augmented, which following snaps does not know; use another law, or leave 'snaps' out"
            refuse_law(stage_model(model, stage), "augmented_lagrangian", why)
        since = time.perf_counter()
        here = parts[-1].state(0, "") if parts else state
        staged, planar = stage_model(model, stage), stage.planar != "off"
        _, catalogue, start = prepare(staged, end, planar, here, stage.at_rest, stage.solver, stage.rigid)
        if not parts and state is None and catalogue.contacts:
            from .contact_report import check_overlaps

            check_overlaps(start, catalogue, model)
        prepared += time.perf_counter() - since
        check_solver(stage.solver, start.system.tables)
        left = stage.model_copy(update={"duration": end - start.t})
        times = [begin + t for t in stage.output_times()]
        times = [t for t in times if t >= start.t - 1e-12 * end]
        runner = runner_of(stage.solver)
        keep = keeper(checkpoint, stage, start, stages.index(stage), model) if checkpoint else None
        run = runner(start, left, times, progress, keep)
        runs = [*run.earlier, run] if stage.solver == "quasi-static" else [run]
        parts += [StageRun(stage, start, catalogue, part, begin) for part in runs]
        if stage.solver == "quasi-static" and run.state() is None and not run.interrupted and len(parts) == 1:
            raise ModelError([Problem(None, ("simulate",), f"quasi-static: no balanced start: {run.trouble}")])
        if run.interrupted or run.code != status.DONE:
            break
    if not parts:
        raise ModelError([Problem(None, (), "the restart state lies at the end of the simulation: nothing is left")])
    return parts, prepared


def refuse_momentum(model, what: str) -> None:
    """Refuse contacts by momentum where velocities cannot jump. Raises ModelError."""
    refuse_law(model, "momentum", f"is by momentum, which {what} does not know; use solver ode, or another law")


def refuse_augmented(model, what: str) -> None:
    """Refuse contacts whose loads have to be found where nothing looks for them. Raises ModelError."""
    advice = "use solver implicit with a fixed step, or quasi-static, or another law"
    refuse_law(model, "augmented_lagrangian", f"is augmented, which {what} does not know; {advice}")


def refuse_law(model, kind: str, why: str) -> None:
    for name, contact in model.section("contacts").items():
        if getattr(getattr(contact, "law", None), "kind", "") == kind:
            raise ModelError(model.problem(("contacts", name, "law"), f"contact '{name}' {why}"))


def check_crowds(model, assembler, catalogue, solver: str) -> None:
    """Refuse contacts whose pairs are too many to be written down, or have meshes. Raises ModelError."""
    for crowd in assembler.crowds:
        if crowd.pairs is None and not assembler.pairs_come_near:
            name = list(catalogue.contacts)[crowd.contact]
            message = (
                f"'{name}' has meshes or too many pairs for this solver; use 'solver: explicit', 'implicit' or "
                "'quasi-static'"
            )
            raise ModelError(model.problem(("contacts", name), message))


def check_solver(solver: str, tables) -> None:
    """Refuse a loop that does not know all forces of the model. Raises ModelError."""
    from .mechanics.tables import LATCH, has_momentum
    from .solve.transient import is_flexible

    if len(tables.pairs) and solver in NO_CONTACTS:
        message = f"{solver} knows no contacts; use 'ode', or 'implicit' for flexible bodies"
        raise ModelError([Problem(None, ("simulate", "solver"), message)])
    if len(tables.grips) and solver in (*NO_CONTACTS, "explicit"):
        what = "latches" if (tables.grips["friction"] == LATCH).all() else "friction of joints"
        message = f"{solver} knows no {what}; use 'ode', 'implicit' or 'quasi-static'"
        raise ModelError([Problem(None, ("simulate", "solver"), message)])
    if has_momentum(tables) and (tables.grips["first"] < tables.grips["last"]).any():
        message = (
            "friction by a joint's reactions and contact by momentum do not go together; give it as torque or force"
        )
        raise ModelError([Problem(None, ("joints",), message)])
    if len(tables.modal) and solver in ("conserving", "explicit"):
        message = f"{solver} knows no bodies by modes; use 'ode' or 'implicit'"
        raise ModelError([Problem(None, ("simulate", "solver"), message)])
    if solver == "conserving" and (is_flexible(tables) or len(tables.drags)):
        message = "conserving knows neither beams, cables, membranes, shells and solids nor drag; use 'implicit'"
        raise ModelError([Problem(None, ("simulate", "solver"), message)])


def keeper(path, stage, start, number, model):
    """A function that writes the state of a run to a file, not more often than once in KEEP_SECONDS."""
    from .stages import StageRun

    last, fingerprint = [time.perf_counter()], model.hash()

    def keep(run):
        if time.perf_counter() - last[0] < KEEP_SECONDS:
            return
        state = StageRun(stage, start, None, run, 0.0).state(number, fingerprint)
        if state is not None:
            state.save(path)
        last[0] = time.perf_counter()

    return keep


def state_of(restart):
    """The state to go on from: of Results, or of a file."""
    from .results import Results, State

    if restart is None or isinstance(restart, State):
        return restart
    state = restart.state if isinstance(restart, Results) else State.load(restart)
    if state is None:
        raise ModelError([Problem(None, (), "these results hold no state to restart from: the run never began")])
    return state


def sum_of(dicts):
    return {name: sum(d.get(name, 0) for d in dicts) for name in dict.fromkeys(n for d in dicts for n in d)}


def worst_of(dicts):
    """Largest violations, with the times at which they stood."""
    worst = {}
    for d in dicts:
        for name, value in d.items():
            if not name.endswith("_time") and not value <= worst.get(name, -1.0):
                worst[name] = value
                if f"{name}_time" in d:
                    worst[f"{name}_time"] = d[f"{name}_time"]
    return worst


def provenance_text(model) -> str:
    """The model as YAML; a model that holds a Python function cannot be written and says so."""
    try:
        return model.to_yaml()
    except (ModelError, ValueError) as reason:
        return f"# cannot be written as a file: {reason}"


def final_status(part):
    """How the run ended, in words that tell what to do."""
    from .results import Status
    from .solve import status

    run, t = part.run, part.run.time
    where = f"stage '{part.stage.name}', " if part.stage.name and not part.stage.name.startswith("stage 1") else ""
    if run.interrupted:
        return Status(False, "interrupted", f"interrupted at {where}t = {t:.6g} s; everything up to there is kept", t)
    if run.code == status.DONE:
        return Status(True, "complete", "", t)
    if run.code == status.STOPPED_BY_EVENT:
        stopping = part.start.system.tables.watches["stop"]
        at, which, _ = max(event for event in run.events if event[1] >= 0 and stopping[event[1]])
        name = list(part.catalogue.events)[which]
        return Status(True, "stopped by event", f"event '{name}' stopped the run at t = {at:.6g} s", t)
    words = status.WORDS[run.code]
    if part.is_static:
        return Status(False, words, f"{where}t = {t:.6g} s: {run.trouble}; the last balanced state is kept", t)
    body = busiest_body(run, part.start)
    return Status(
        False, words, f"{where}t = {t:.6g} s: {words} near body '{body}': {status.ADVICE.get(run.code, '')}", t
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

    refuse_momentum(model, "equilibrium")
    refuse_augmented(model, "equilibrium")
    _, _, start = prepare(model)
    return find_equilibrium(start.system, start.q)
