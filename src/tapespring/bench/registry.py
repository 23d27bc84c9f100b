"""All cases there are. A module of this folder that holds `CASES` adds some; nothing else has to be told."""

from __future__ import annotations

import importlib
import pkgutil
import time
from functools import cache
from typing import Any

from ..schema.near_words import advice
from .case import Case, Progress


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


def run_case(name: str, progress: Progress | None = None, kept: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run a case and compare: `{"case", "ok", "cpu_s", "quantities": […]}` as plain data.

    `cpu_s` is the CPU time spent in the solver [s]; the first run ever compiles in it. `kept` takes what each model of
    the case gave: Results, or what the case computes instead. Raises UnknownCaseError.
    """
    from ..simulate import simulate

    case = find_case(name)
    results: dict[str, Any] = {} if kept is None else kept
    cpu, complete = 0.0, True
    for k, (run, build) in enumerate(case.models.items()):
        part = _part(progress, k, len(case.models))
        if case.compute is None:
            results[run] = simulate(build(), progress=part)
            cpu += results[run].timing["solver_cpu_s"]
            complete = complete and results[run].status.complete
            continue
        if part is not None:
            part(0.0, run or name)
        model, since = build(), time.process_time()
        results[run] = case.compute(model)
        cpu += time.process_time() - since
    quantities = [quantity.compared(results[quantity.run]) for quantity in case.quantities()]
    ok = complete and all(quantity["ok"] for quantity in quantities)
    return {"case": name, "ok": ok, "cpu_s": cpu, "quantities": quantities}


def _part(progress: Progress | None, k: int, count: int) -> Progress | None:
    """Progress of one of several runs as progress of the whole."""
    if progress is None:
        return None
    return lambda fraction, text: progress((k + fraction) / count, text)
