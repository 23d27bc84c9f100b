"""From a model to results: build, make consistent, integrate, name."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import asdict

from .schema.problems import ModelError, Problem

NO_CONTACTS = ("stiff", "conserving")
FAR_APART = 1e7  # ratio of masses, beyond which half of all digits of forces between them are lost
FINDS_PAIRS = ("explicit", "implicit", "quasi-static")
KEEP_SECONDS = 60.0  # between checkpoints
OTHER_MODEL = (
    "restart: the state comes from a run of another model, or of this one before it was changed; what differs acts "
    "from t = {:.4g} s on"
)


def prepare(model, duration=None, planar=True, state=None, at_rest=False, solver="", rigid=(), samples=10_000):
    """(assembler, catalogue, consistent start) of a model; planar=False keeps motions out of the plane possible.

    With a state of an earlier run the start is there instead of where the model is drawn; bodies named in `rigid` keep
    the shape they have there. Some solvers find pairs of contacts among many as they come near.
    """
    from .build.builder import build
    from .build.restart import bodies_of, why_not
    from .solve.initial import Memory, consistent_start, resumed_start

    assembler, catalogue = build(model, duration=duration, samples=samples)
    assembler.bodies = bodies_of(catalogue)
    assembler.may_be_planar = planar
    check_built(model, assembler, catalogue, solver)
    if state is not None and (reason := why_not(state, assembler)):
        raise ModelError([Problem(None, (), reason)])
    frozen = frozen_bodies(model, assembler, catalogue, rigid, state) if rigid else None
    if state is None:
        return assembler, catalogue, consistent_start(assembler, catalogue)
    q, v = frozen.state() if frozen else (state.q, state.v)
    v, mark = (0.0 * v, "") if at_rest else (v, state.system)
    start = resumed_start(assembler, q, v, state.angles, state.time, mark)
    start.reached = [i for i, name in enumerate(catalogue.events) if name in state.reached]
    if state.contacts is not None and state.joints is not None:
        start.recalled, start.scheme = Memory(state.contacts, state.joints), state.scheme or {}
    elif len(start.system.tables.contacts) + len(start.system.tables.grips):
        from .solve.memory import FORGOTTEN

        start.notes.append(FORGOTTEN)
    return assembler, catalogue, start


def check_built(model, assembler, catalogue, solver: str) -> None:
    """Refuse a model with nothing to move, or with parts that the solver, if there is one, does not know.

    Raises ModelError.
    """
    assembler.pairs_come_near = solver in FINDS_PAIRS or (solver == "auto" and assembler.is_flexible())
    check_crowds(model, assembler, catalogue, solver)
    kinds = assembler.nodes.table["kind"]
    if not ((kinds == 1) | (kinds == 2)).any():
        raise ModelError([Problem(None, ("bodies",), "nothing can move: add a rigid body or a point mass")])
    if solver:
        check_solver(solver, assembler)


def check_rigid(model, catalogue, names) -> None:
    """Refuse to make rigid what is no body. Raises ModelError."""
    from .schema.near_words import advice

    for name in names:
        if name not in catalogue.bodies:
            message = f"there is no body '{name}' to make rigid{advice(name, catalogue.bodies)}"
            raise ModelError(model.problem(("simulate", "stages"), message))


def frozen_bodies(model, assembler, catalogue, names, state):
    """Bodies made rigid where the state has them. Raises ModelError."""
    from .build.freezing import CannotFreezeError, freeze

    check_rigid(model, catalogue, names)
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
    chosen, stages = chosen_stages(model, duration, settings)
    from .interruption import interruptible
    from .jit import Compilation
    from .results import check_writable, make_provenance
    from .schema.idle_settings import idle_notes

    if checkpoint is not None:
        check_writable(checkpoint)
    with interruptible(), Compilation() as compilation, located(model):
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
        state=last_state(parts, stages, model.hash(settings=False)),
    )


def solvers_used(stages, parts) -> list[tuple[str, ...]]:
    """By stage; those not run are taken at their word."""
    used = [(stage.solver,) for stage in stages]
    for part in parts:
        used[stages.index(part.stage)] += tuple(leg.solver for leg in part.run.legs)
    return [tuple(dict.fromkeys(names[1:] or names)) for names in used]


def last_state(parts, stages, mark: str):
    """Where the run ended; None if it never began."""
    states = (part.state(stages.index(part.stage), mark) for part in reversed(parts))
    return next((state for state in states if state), None)


def doubts(audit, part) -> list[str]:
    """What may be behind an energy balance that does not close."""
    said = mass_ratio(part) if audit is not None else ""
    return [said] if said and audit.grade in ("fair", "poor") else []


def check(model, duration=None, **settings) -> list[str]:
    """Do all that `simulate` does before its first step, and return the notes so far. Raises ModelError.

    A model that passes is not refused by `simulate`: both take the same path.
    """
    from .schema.idle_settings import idle_notes

    chosen, stages = chosen_stages(model, duration, settings)
    first = stages[0]
    with located(model):
        check_stages(model, stages)
        catalogue, start = begin_stage(model, first, first.duration, None)
        begun = beginner_of(first.solver)(start, first, first.output_times())
    return list(dict.fromkeys([*catalogue.notes, *start.notes, *begun.run.notes, *idle_notes(chosen)]))


def chosen_stages(model, duration, settings):
    """(settings in force, stages): those given go before those of the model. Raises ModelError."""
    with located(model):
        chosen = model.settings.changed(**settings, **({} if duration is None else {"duration": duration}))
        return chosen, chosen.stage_list()


@contextmanager
def located(model):
    """Refusals inside get the line of what they are about, if the model came from a file."""
    try:
        yield
    except ModelError as error:
        raise ModelError([model.located(problem) for problem in error.problems]) from None


def results_of(parts, notes=(), **more):
    """Results of what stages left behind, joined, with further notes; `more` says where they came from."""
    from .beyond_tables import notes_beyond_tables
    from .results import Results
    from .stages import join

    joined = join(parts)
    contacts, complaints = contact_reports(parts)
    said = [note for p in parts for note in (*p.catalogue.notes, *p.start.notes, *p.run.notes)]
    said += [note for p in parts for note in (*notes_beyond_tables(p), *failed_laws(p), *p.said_of_extremes())]
    return Results(
        joined.time,
        joined.channels,
        status=final_status(parts[-1]),
        events=joined.events,
        audit=joined.audit,
        violation=worst_of([part.run.violation() | {"size": part.start.length} for part in parts]),
        counters=sum_of([part.run.counters() for part in parts]),
        contacts=contacts,
        phases=[phase for part in parts for phase in part.phases()],
        notes=dict.fromkeys([*notes, *said, *complaints, *doubts(joined.audit, parts[-1])]),
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
    from .long_steps import step_warnings

    found = [finding for part in parts for finding in (*part.first_place(), *part.branches(), *part.slack_cables())]
    found += [finding for part in parts for finding in step_warnings(part)]
    ends = {id(part.start): part for part in parts}  # parts of a stage share its start
    found += [finding for part in ends.values() for finding in (*drive_warnings(part), *part.undetermined())]
    return dict.fromkeys(found)


def beginner_of(solver: str):
    """What begins the run of a stage, for `go_on` to go on with; only that is imported."""
    if solver == "quasi-static":
        from .solve.quasi_static import begin_quasi_static

        return begin_quasi_static
    from .solve.transient import begin_transient

    return begin_transient


def run_stages(model, stages, state, progress, checkpoint=None):
    """(what each stage left behind, seconds spent preparing); ends with the first stage that does not complete."""
    from .event_rows import add_event_rows
    from .solve import status
    from .stages import StageRun

    check_stages(model, stages)
    parts: list[StageRun] = []
    begin, prepared = 0.0, 0.0
    ends = [sum(stage.duration for stage in stages[: k + 1]) for k in range(len(stages))]
    for stage, end in zip(stages, ends, strict=True):
        begin = end - stage.duration
        if state is not None and state.time >= end - 1e-12 * end:
            continue  # done before
        since = time.perf_counter()
        here = parts[-1].state(0, "") if parts else state
        stops = stage.at_rest and (here is None or here.time <= begin + 1e-12 * end)
        try:
            catalogue, start = begin_stage(model, stage, end, here, stops)
            prepared += time.perf_counter() - since
            left = stage.model_copy(update={"duration": end - start.t})
            times = [t for t in (begin + t for t in stage.output_times()) if t >= start.t - 1e-12 * end]
            begun = beginner_of(stage.solver)(start, left, times)
        except ModelError as error:
            if not parts:
                raise
            problems = "; ".join(str(model.located(problem)) for problem in error.problems)
            parts[-1].next_refused = f"stage '{stage.name}' cannot begin: {problems}"
            break  # what ran before is kept
        if not parts and state is not None and state.model not in ("", model.hash(settings=False)):
            start.notes.append(OTHER_MODEL.format(start.t))
        keep = keeper(checkpoint, stage, start, catalogue, stages.index(stage), model) if checkpoint else None
        run = begun.go_on(progress, keep)
        if stage.solver == "quasi-static" and run.at is None:
            run.time = start.t  # it never began
        runs = [*run.earlier, run] if stage.solver == "quasi-static" else [run]
        parts += [StageRun(stage, start, catalogue, part, begin) for part in runs]
        if run.events:
            add_event_rows(parts[-1])
        if stage.solver == "quasi-static" and run.state() is None and not run.interrupted and len(parts) == 1:
            raise ModelError([Problem(None, ("simulate",), f"quasi-static: no balanced start: {run.trouble}")])
        if run.interrupted or run.code != status.DONE:
            break
    if not parts:
        raise ModelError([Problem(None, (), "the restart state lies at the end of the simulation: nothing is left")])
    return parts, prepared


def begin_stage(model, stage, end, state, stops=False):
    """(catalogue, consistent start) of a stage that ends at `end` [s], from a state or as drawn; stops: with velocities
    zero. Raises ModelError."""
    from .stages import stage_model

    staged, planar = stage_model(model, stage), stage.planar != "off"
    _, catalogue, start = prepare(staged, end, planar, state, stops, stage.solver, stage.rigid, stage.function_samples)
    if state is None and catalogue.contacts:
        from .contact_report import check_contacts

        check_contacts(start, catalogue, model)
    return catalogue, start


def check_stages(model, stages) -> None:
    """Refuse what can be refused of every stage before the first one runs. Raises ModelError."""
    from .build.builder import build
    from .stages import stage_model

    end = 0.0
    for k, stage in enumerate(stages):
        staged, end = stage_model(model, stage), end + stage.duration
        stage.output_times()
        check_laws(staged, stage)
        if k:  # the first one is built when it begins, at once
            assembler, catalogue = build(staged, duration=end)
            check_built(staged, assembler, catalogue, stage.solver)
            check_rigid(model, catalogue, stage.rigid)


def check_laws(model, stage) -> None:
    """Refuse laws of contacts that the solver of a stage does not know. Raises ModelError."""
    if stage.solver not in ("auto", "ode"):
        refuse_momentum(model, f"solver {stage.solver}")
    if stage.solver not in ("auto", "implicit", "quasi-static"):
        refuse_augmented(model, f"solver {stage.solver}")
    elif stage.solver != "quasi-static" and not stage.step:
        refuse_augmented(model, "error control")
    if stage.solver == "quasi-static" and stage.snaps == "follow":
        why = "is augmented, which following snaps does not know; use another law, or leave 'snaps' out"
        refuse_law(model, "augmented_lagrangian", why)


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


def check_solver(solver: str, assembler) -> None:
    """Refuse a loop that does not know all parts of the model. Raises ModelError."""
    from .mechanics.tables import LATCH, MOMENTUM

    if assembler.contacts and solver in NO_CONTACTS:
        message = f"{solver} knows no contacts; use 'ode', or 'implicit' for flexible bodies"
        raise ModelError([Problem(None, ("simulate", "solver"), message)])
    if assembler.grips and solver in (*NO_CONTACTS, "explicit"):
        what = "latches" if all(grip.law["friction"] == LATCH for grip in assembler.grips) else "friction of joints"
        message = f"{solver} knows no {what}; use 'ode', 'implicit' or 'quasi-static'"
        raise ModelError([Problem(None, ("simulate", "solver"), message)])
    by_momentum = any(contact["law"] == MOMENTUM for contact in assembler.contacts)
    if by_momentum and any(grip.rows for grip in assembler.grips):
        message = (
            "friction by a joint's reactions and contact by momentum do not go together; give it as torque or force"
        )
        raise ModelError([Problem(None, ("joints",), message)])
    if assembler.modal and solver in ("conserving", "explicit"):
        message = f"{solver} knows no bodies by modes; use 'ode' or 'implicit'"
        raise ModelError([Problem(None, ("simulate", "solver"), message)])
    if solver == "conserving" and (assembler.is_flexible() or assembler.drags):
        message = "conserving knows neither beams, cables, membranes, shells and solids nor drag; use 'implicit'"
        raise ModelError([Problem(None, ("simulate", "solver"), message)])


def keeper(path, stage, start, catalogue, number, model):
    """A function that writes the state of a run to a file, not more often than once in KEEP_SECONDS."""
    from .results import ResultsFileError
    from .stages import StageRun

    last, fingerprint = [time.perf_counter()], model.hash(settings=False)
    failures: list[str] = []

    def keep(run):
        if time.perf_counter() - last[0] < KEEP_SECONDS:
            return
        state = StageRun(stage, start, catalogue, run, 0.0).state(number, fingerprint)
        try:
            if state is not None:
                state.save(path)
        except ResultsFileError as error:  # a disk that is full for a while is no reason to lose the run
            if not failures:
                start.notes.append(f"a checkpoint was not written at t = {state.time:.6g} s: {error}")
            failures.append(str(error))
        last[0] = time.perf_counter()

    return keep


def state_of(restart):
    """The state to go on from: of Results, or of a file. Raises ModelError, for it is input like the model."""
    from .results import Results, ResultsFileError, State

    if restart is None or isinstance(restart, State):
        return restart
    try:
        state = restart.state if isinstance(restart, Results) else State.load(restart)
    except ResultsFileError as error:
        raise ModelError([Problem(None, (), f"restart: {error}")]) from None
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
    if part.next_refused:
        return Status(False, "stage refused", f"t = {t:.6g} s: {part.next_refused}; everything up to there is kept", t)
    if run.interrupted:
        return Status(False, "interrupted", f"interrupted at {where}t = {t:.6g} s; everything up to there is kept", t)
    if run.code in (status.DONE, status.STOPPED_BY_EVENT) and (changed := changed_laws(part)):
        return Status(False, "law with memory", f"{changed[0]}; the motion up to t = {t:.6g} s is not to be trusted", t)
    if run.code == status.DONE:
        return Status(True, "complete", "", t)
    if run.code == status.STOPPED_BY_EVENT:
        stopping = part.start.system.tables.watches["stop"]
        at, which, _ = max(event for event in run.events if event[1] >= 0 and stopping[event[1]])
        name = list(part.catalogue.events)[which]
        return Status(True, "stopped by event", f"event '{name}' stopped the run at t = {at:.6g} s", t)
    words = status.WORDS[run.code]
    if part.is_static:
        kept = "the last balanced state" if run.at is not None else "what ran before"
        return Status(False, words, f"{where}t = {t:.6g} s: {run.trouble}; {kept} is kept", t)
    if laws := failed_laws(part):
        return Status(False, words, f"{where}t = {t:.6g} s: {words}: {laws[0]}", t)
    body = busiest_body(run, part.start)
    said = [f"{where}t = {t:.6g} s: {words} near body '{body}':", status.ADVICE.get(run.code, "")]
    another, how = status.ANOTHER.get(run.code, ("", ""))
    if another and takes(another, part.start.system):
        said.append(f"Or use {how}.")
    said.append(mass_ratio(part))
    return Status(False, words, " ".join(word for word in said if word), t)


def takes(solver: str, system) -> bool:
    """Whether a solver knows all laws of a model, with a fixed step where it needs one."""
    from .mechanics.tables import has_momentum, is_augmented

    tables = system.tables
    if (solver != "ode" and has_momentum(tables)) or (solver == "ode" and len(tables.members)):
        return False
    if is_augmented(tables) and solver not in ("implicit", "quasi-static"):
        return False
    try:
        check_solver(solver, system.drafts)
    except ModelError:
        return False
    return True


def mass_ratio(part) -> str:
    """A sentence about rigid bodies whose masses are too far apart for the digits there are, or nothing."""
    masses = part.start.system.tables.nodes["mass"]
    bodies = [
        (float(masses[body.node]), body.name)
        for body in part.catalogue.bodies.values()
        if body.line is None and body.mesh is None and masses[body.node] > 0.0
    ]
    (light, lighter), (heavy, heavier) = min(bodies, default=(1.0, "")), max(bodies, default=(1.0, ""))
    if heavy < FAR_APART * light:
        return ""
    return (
        f"The mass of '{heavier}' ({heavy:.3g} kg) is {heavy / light:.1g} times that of '{lighter}' ({light:.3g} kg): "
        "what one does to the other is lost in rounding. Fix the heavy one, leave the light one out, or check units."
    )


def laws_called_back(part) -> list:
    """Laws that compiled code calls in Python."""
    kept = part.start.system.drafts.kept_alive
    if not kept:
        return []
    from .kinds.laws.callbacks import Guarded

    return [law for law in kept if isinstance(law, Guarded)]


def failed_laws(part) -> list[str]:
    """What laws written in Python raised while they were called from compiled code."""
    return [said for law in laws_called_back(part) if (said := law.trouble())]


def changed_laws(part) -> list[str]:
    """Laws written in Python that give other values than before the run."""
    return [said for law in laws_called_back(part) if (said := law.repeating.changed())]


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
