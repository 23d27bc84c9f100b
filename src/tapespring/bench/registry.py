"""All cases there are. A module of this folder that holds `CASES` adds some; nothing else has to be told."""

from __future__ import annotations

import importlib
import pkgutil
import time
from functools import cache
from typing import Any

from ..model import Model
from ..refining import error_factor, error_words
from ..schema.near_words import advice
from ..schema.problems import ModelError
from .case import Case, Progress, Quantity

BY_HAND = ("tolerance", "absolute_tolerance", "step", "max_step", "dissipation", "mass_scaling")


class UnknownCaseError(KeyError):
    """No case of that name; the message suggests one."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def registry() -> dict[str, Case]:
    """Every case by its name, in the order of the alphabet."""
    folder = importlib.import_module(__package__)
    found: list[Case] = []
    for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        found.extend(getattr(importlib.import_module(module.name), "CASES", ()))
    named = {case.name: case for case in sorted(found, key=lambda case: case.name)}
    if len(named) != len(found):
        raise RuntimeError("two cases share a name")
    return named


def find_case(name: str) -> Case:
    """A case by its name. Raises UnknownCaseError."""
    if name not in registry():
        raise UnknownCaseError(f"no benchmark case '{name}'{advice(name, registry(), 'there are')}")
    return registry()[name]


def run_case(
    name: str, progress: Progress | None = None, refine: bool = False, kept: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Run a case and compare: `{"case", "ok", "cpu_s", "quantities": […], "runs": {…}}` as plain data.

    `cpu_s` is the CPU time spent in the solver [s]; the first run ever compiles in it. With `refine` all models run
    again finer, and every quantity has its estimated numerical `error`, None where that cannot be found, and how that
    was estimated, `error_by`. `kept` takes what each model of the case gave: Results, or what the case computes
    instead. Raises UnknownCaseError.
    """
    case = find_case(name)
    wanted = list(case.quantities())
    results: dict[str, Any] = {} if kept is None else kept
    runs: dict[str, dict[str, Any]] = {}
    errors: list[dict[str, Any]] = [{} for _ in wanted]
    for k, (run, build) in enumerate(case.models.items()):
        model = build()
        results[run], runs[run] = run_model(case, model, run, _part(progress, k, len(case.models)))
        if refine:
            mine = [i for i, quantity in enumerate(wanted) if quantity.run == run]
            found, runs[run]["refined_cpu_s"] = estimated(case, model, [wanted[i] for i in mine], results[run])
            for i, error in zip(mine, found, strict=True):
                errors[i] = {"error": error, "error_by": error_words(model)}
    quantities = [q.compared(results[q.run]) | error for q, error in zip(wanted, errors, strict=True)]
    ok = all(run["complete"] for run in runs.values()) and all(quantity["ok"] for quantity in quantities)
    cpu = sum(run["cpu_s"] for run in runs.values())
    return {"case": name, "ok": ok, "cpu_s": cpu, "quantities": quantities, "runs": runs}


def run_model(case: Case, model: Model, run: str, progress: Progress | None = None) -> tuple[Any, dict[str, Any]]:
    """(what quantities are taken from, facts of the run)"""
    if case.compute is None:
        from ..simulate import simulate

        results = simulate(model, progress=progress).unless_interrupted()
        return results, {
            "solver": results.provenance["solver"],
            "elements": sum(results.provenance["elements"].values()),
            "steps": results.counters.get("steps"),
            "cpu_s": results.timing["solver_cpu_s"],
            "complete": results.status.complete,
            "told": told(model),
        }
    if progress is not None:
        progress(0.0, run or case.name)
    since = time.process_time()
    found = case.compute(model)
    return found, {"cpu_s": time.process_time() - since, "complete": True}


def told(model: Model) -> str:
    """Steps, tolerances and damping that a model is given by hand; empty if it needs none."""
    words: dict[str, None] = {}
    for stage in model.settings.stage_list():
        written = stage.model_dump(mode="json", exclude_defaults=True)
        words |= {f"{name.replace('_', ' ')} {written[name]}": None for name in BY_HAND if name in written}
    bodies = model.section("bodies").items()
    damped = [name for name, body in bodies if "damping" in body.model_dump(exclude_defaults=True)]
    return ", ".join([*words, *([f"damping of {', '.join(damped)}"] if damped else [])])


def estimated(case: Case, model: Model, wanted: list[Quantity], coarse: Any) -> tuple[list[float | None], float]:
    """(errors of quantities by a finer run of their model, its CPU time)"""
    try:
        fine, facts = run_model(case, case.refined(model), "")
    except (ModelError, ArithmeticError):  # a mesh that comes with its elements; a finer one that does not converge
        return [None] * len(wanted), 0.0
    found: list[float | None] = []
    for quantity in wanted:
        try:
            ours, finer = quantity.of(coarse), quantity.of(fine)
        except (KeyError, IndexError):  # a node that the finer mesh does not have
            finer = None
        if facts["complete"] and ours is not None and finer is not None:
            found.append(error_factor(model) * abs(ours - finer))
        else:
            found.append(None)
    return found, facts["cpu_s"]


def _part(progress: Progress | None, k: int, count: int) -> Progress | None:
    """Progress of one of several runs as progress of the whole."""
    if progress is None:
        return None
    return lambda fraction, text: progress((k + fraction) / count, text)
