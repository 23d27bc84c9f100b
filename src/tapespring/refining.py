"""The same model finer, and what the difference of two runs says about the error of the coarser one.

Elements half as long in every direction, steps half as long, a tenth of the tolerance, twice as many outputs, and
functions that are known by samples looked at in three times as many places. Beams,
sheets and solids, implicit and explicit steps are of order 2 at least: the error of the coarse run is then 4/3 of the
difference (Richardson), or up to a fifth less. Without elements a tenth of the tolerance leaves next to nothing of the
error: the difference itself is it. Contact and friction may lower the order; for order 1 the error is twice the
difference. A run that comes to another branch or another order of impacts shows as a large error.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .results import Results
from .results.plain import plain
from .schema.problems import ModelError, Problem

RICHARDSON = 4.0 / 3.0  # 1/(1 - 2^-2)
TIGHTER = 10.0
SAME_TIME = 1e-9  # of the span
BY_ORDER = "4/3 of the difference from a run with half the element sizes and steps (order 2 or better)"
BY_DIFFERENCE = "the difference from a run with half the step or a tenth of the tolerance"


# -- finer models -----------------------------------------------------------------------------------------------------


def refined(model):
    """The model with every element halved and tighter settings. Raises ModelError where a mesh is given as it is."""
    bodies = {name: finer_body(model, body) for name, body in model.section("bodies").items()}
    settings, flexible = model.settings, has_elements(model)
    if settings.stages:
        finer = [stage.model_copy(update=tighter(stage, flexible)) for stage in settings.stage_list()]
        return model.replaced(bodies, settings.model_copy(update={"stages": tuple(finer)}))
    return model.replaced(bodies, settings.model_copy(update=tighter(settings, flexible)))


def has_elements(model) -> bool:
    """Whether it has parts whose accuracy depends on a mesh."""
    return any(is_meshed(body) for body in model.section("bodies").values())


def is_meshed(body: Any) -> bool:
    return (hasattr(body, "elements") or hasattr(body, "mesh")) and not getattr(body, "rigid", False)


def finer_body(model, body: Any) -> Any:
    if not is_meshed(body):
        return body
    if hasattr(body, "elements"):
        return body.model_copy(update={"elements": 2 * body.elements})
    return body.model_copy(update={"mesh": finer_mesh(model, body, body.mesh)})


def finer_mesh(model, body: Any, mesh: Any) -> Any:
    """Twice as many divisions each way."""
    if hasattr(mesh, "divisions"):
        return mesh.model_copy(update={"divisions": tuple(2 * n for n in mesh.divisions)})
    if hasattr(mesh, "layers"):
        return mesh.model_copy(update={"layers": 2 * mesh.layers, "of": finer_mesh(model, body, mesh.of)})
    message = f"a mesh of kind '{mesh.kind}' comes with its elements and cannot be refined; use one with 'divisions'"
    raise ModelError(model.problem(("bodies", body.name, "mesh"), message))


def tighter(settings: Any, flexible: bool) -> dict[str, Any]:
    """Half the steps, a tenth of the tolerances in force, twice the outputs."""
    from .solve.transient import FLEXIBLE

    of_order_2 = settings.solver == "implicit" or (settings.solver == "auto" and flexible)
    loose = FLEXIBLE if of_order_2 and "tolerance" not in settings.model_fields_set else settings.tolerance
    changes: dict[str, Any] = {"tolerance": loose / TIGHTER, "function_samples": 3 * settings.function_samples + 1}
    for field, part in (("step", 2.0), ("max_step", 2.0), ("absolute_tolerance", TIGHTER)):
        if getattr(settings, field) is not None:
            changes[field] = getattr(settings, field) / part
    outputs = settings.outputs or (20 if settings.solver == "quasi-static" else 200)
    if not isinstance(outputs, tuple):
        changes["outputs"] = 2 * outputs if isinstance(outputs, int) else 0.5 * outputs
    return changes


# -- errors -----------------------------------------------------------------------------------------------------------


def error_factor(model) -> float:
    """Error of a run over its difference from the finer one."""
    return RICHARDSON if has_elements(model) else 1.0


def error_words(model) -> str:
    return BY_ORDER if has_elements(model) else BY_DIFFERENCE


def simulate_refined(model, duration=None, *, progress=None, **settings) -> Results:
    """Results of a model with `errors`, estimated by a second run that is finer. Raises ModelError."""
    from .simulate import simulate

    if settings.pop("restart", None) is not None:
        raise ModelError(
            Problem(None, (), "a finer model cannot go on from a coarser one's state; refine the whole run")
        )
    chosen = model.settings.changed(**settings, **({} if duration is None else {"duration": duration}))
    whole = model.replaced(model.section("bodies"), chosen)
    finer = refined(whole)
    results = simulate(whole, progress=part_of(progress, 0.0, 0.25))
    if results.status.code == "interrupted":
        results.notes.append("refine: there is no error estimate: the run was interrupted")
        return results
    try:
        fine = simulate(finer, progress=part_of(progress, 0.25, 1.0))
    except (ModelError, ArithmeticError, MemoryError, np.linalg.LinAlgError) as reason:
        results.notes.append(f"refine: there is no error estimate: the finer run failed: {str(reason) or 'no memory'}")
        return results
    results.errors = errors_between(results, fine, error_factor(model))
    results.timing["refined_cpu_s"] = fine.timing["solver_cpu_s"]
    results.notes.append(f"refine: errors are {error_words(model)}")
    if not fine.status.complete:
        results.notes.append(f"refine: the finer run did not complete: {fine.status.message}")
    return results


def part_of(progress, begin: float, end: float):
    return None if progress is None else lambda fraction, text: progress(begin + (end - begin) * fraction, text)


def errors_between(coarse: Results, fine: Results, part: float) -> dict[str, dict[str, Any]]:
    """By channel: `largest` size, `of_largest` its error; error over time at worst (`error`, at `time`) and as root of
    the mean square (`rms`). Channels that list elements or nodes differ between the two and are left out."""
    rows, same = matching_rows(coarse.time, fine.time)
    found = {}
    for name, channel in coarse.channels.items():
        other = fine.channels.get(name)
        if other is None or tuple(channel.components) != tuple(other.components) or not len(rows):
            continue
        ours, finer = size(channel.values[rows]), size(other.values[same])
        difference = size(channel.values[rows] - other.values[same])
        if np.isfinite(difference).any() and max(np.nanmax(ours), np.nanmax(finer)) > 0.0:
            worst = int(np.nanargmax(difference))
            found[name] = {
                "unit": channel.unit, "largest": np.nanmax(ours),
                "of_largest": part * abs(np.nanmax(ours) - np.nanmax(finer)),
                "rms": part * np.sqrt(np.nanmean(difference**2)),
                "error": part * difference[worst], "time": coarse.time[rows[worst]],
            }  # fmt: skip
    return plain(found)


def size(values: np.ndarray) -> np.ndarray:
    """(times,) of numbers or vectors."""
    return np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)


def matching_rows(coarse: np.ndarray, fine: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of equal times; of a time that stands twice, the first with the first and the last with the last."""
    close = SAME_TIME * max(float(coarse[-1] - coarse[0]), 1e-300)
    pairs = []
    for k, time in enumerate(coarse):
        first, last = np.searchsorted(fine, (time - close, time + close))
        if first < last:
            repeated = k > 0 and time - coarse[k - 1] <= close
            pairs.append((k, last - 1 if repeated else first))
    found = np.array(pairs, int).reshape(-1, 2)
    return found[:, 0], found[:, 1]
