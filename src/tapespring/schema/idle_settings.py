"""Settings that a solver does not look at: what was written for nothing is said, what nobody wrote is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .settings import Settings, StageSettings

STEPPING = ("ode", "baumgarte", "implicit", "conserving", "explicit")  # with a fixed step, if one is given
TAKEN_BY = {
    "tolerance": ("ode", "baumgarte", "stiff", "implicit", "quasi-static"),
    "absolute_tolerance": ("ode", "baumgarte", "stiff", "implicit"),
    "step": STEPPING,
    "max_step": ("ode", "baumgarte", "stiff", "implicit", "quasi-static"),
    "dissipation": ("implicit",),
    "baumgarte": ("baumgarte",),
    "control": ("quasi-static",),
    "snaps": ("quasi-static",),
    "snap_steps": ("quasi-static",),
    "linear_solver": ("quasi-static",),
    "mass_scaling": ("explicit",),
    "threads": ("explicit",),
}
CHOOSE_STEPS = {  # what only counts while no fixed step is given
    "tolerance": ("ode", "baumgarte"),
    "absolute_tolerance": ("ode", "baumgarte", "implicit"),
    "max_step": ("ode", "baumgarte", "implicit"),
}
AUTO = ("ode", "stiff", "implicit")  # what 'auto' may choose


def idle_notes(settings: Settings, used: Sequence[Iterable[str]] | None = None) -> list[str]:
    """A note for each setting that was written and has no effect; `used`: the solvers that ran each stage, if known.

    What is said for all stages is for those it suits: it is idle if no stage takes it.
    """
    stages = settings.stages or (settings,)
    ran = [tuple(names) for names in used] if used is not None else [solvers_of(settings, stage) for stage in stages]
    common = {
        f for f in written(settings) if all(why_idle(settings, s, f, r) for s, r in zip(stages, ran, strict=False))
    }
    notes = [told(field, why_idle(settings, stages[0], field, ran[0])) for field in ordered(common)]
    for stage, names in zip(settings.stages, ran, strict=False):
        where = f"stage '{stage.name}': " if stage.name else f"stage {settings.stages.index(stage) + 1}: "
        for field in ordered(written(stage)):
            why = why_idle(settings, stage, field, names)
            notes += [where + told(field, why)] if why else []
    return notes


def told(field: str, why: str) -> str:
    return f"'{field}' has no effect: {why}"


def ordered(fields: Iterable[str]) -> list[str]:
    """As in the file of settings."""
    return [field for field in StageSettings.model_fields if field in fields]


def written(stage: StageSettings) -> set[str]:
    return stage.model_fields_set & {"outputs", *TAKEN_BY}


def value_of(settings: Settings, stage: StageSettings, field: str):
    """Of a stage, or of all if it says nothing."""
    return getattr(stage if field in stage.model_fields_set else settings, field)


def solvers_of(settings: Settings, stage: StageSettings) -> tuple[str, ...]:
    solver = value_of(settings, stage, "solver")
    return AUTO if solver == "auto" else (solver,)


def why_idle(settings: Settings, stage: StageSettings, field: str, solvers: Sequence[str]) -> str:
    """Why none of the solvers looks at a field; empty if one does."""
    along_path = solvers == ("quasi-static",) and value_of(settings, stage, "control") == "path"
    if field == "outputs":
        remedy = "along a path a row is written for every increment; 'max_step' makes them shorter"
        return remedy if along_path else ""
    taking = TAKEN_BY[field]
    if not set(taking) & set(solvers):
        return f"it is for {listed(taking)}, and {listed(solvers)} runs the model"
    if field == "snap_steps" and value_of(settings, stage, "snaps") != "follow":
        return "snaps are not followed; give 'snaps: follow'"
    fixed = value_of(settings, stage, "step") is not None
    if fixed and set(solvers) <= set(CHOOSE_STEPS.get(field, ())):
        return "a fixed 'step' is given, so that no steps are chosen"
    return ""


def listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
