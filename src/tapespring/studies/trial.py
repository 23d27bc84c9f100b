"""One sample at a time: numbers go into the model, it runs, responses come out. Every process has one of these."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..build.builder import build
from ..event_rows import add_event_rows
from ..model import Model
from ..reruns import Numbers, Reruns
from ..reruns.batch import Batch, Block
from ..reruns.recipes import NoRecipe
from ..reruns.runs import ending
from ..results import Results
from ..schema.folder import Folder
from ..schema.near_words import advice
from ..schema.problems import ModelError, PathError, RunFailed
from ..schema.source import Source
from ..simulate import results_of
from ..solve import status
from ..stages import REMOVABLE
from .file import Response, SweepFile
from .plan import Plan
from .responses import Reader, needs_steps, of_block, reader

OFTEN = 1e-5  # share of samples on either side of the range that is prepared for
RERUN = ("auto", "ode", "baumgarte", "stiff")  # solvers of rigid models, whose tables are filled again


class TimeLimit(Exception):
    """A run took longer than a study allows."""


@dataclass(frozen=True)
class Recipe:
    """All that another process needs to make a trial; `given` is a model or function from Python."""

    data: dict[str, Any]
    file: str
    folder: Folder
    given: Any = None

    def plan(self) -> Plan:
        return Plan(SweepFile(Source(self.data, file=self.file), self.folder))


@dataclass
class Sample:
    """What one sample gave."""

    values: list[float]
    reason: str = ""  # of a failure
    seconds: float = 0.0
    results: Results | None = None


class Trial:
    """The model of a study, ready to be run with other numbers. Raises ModelError for what the study asks in vain."""

    def __init__(self, plan: Plan, given: Any = None):
        self.plan, self.study, self.file = plan, plan.study, plan.file
        self.source = self._source(given)
        self.paths = [t.path for t in plan.targets]
        self._check_parameters()
        self.made: dict[int, tuple[Model, Numbers, Reruns]] = {}
        self.batches: dict[int, Batch | None] = {}
        self.alone = threading.RLock()  # of everything but batches there is one
        self.readers: list[Reader] = [
            reader(r, self._function(name, r.function)) for name, r in self.study.responses.items()
        ]

    # -- reading ----------------------------------------------------------------------------------------------------
    def _source(self, given: Any) -> Model | Callable[..., Any]:
        if given is not None:
            return given
        path, colon, name = self.study.model.partition(".py:")
        if colon:
            return self._python(path, name, "model")
        file = self.file.named(self.study.model, "model")
        if not file.is_file():
            near = [f.name for f in file.parent.glob("*.yaml")]
            raise self.file.refusal(f"no file '{self.study.model}' here{advice(file.name, near)}", "model")
        return Model.from_file(file, **self.file.folder.allowed)

    def _python(self, path: str, name: str, *place: str) -> Callable[..., Any]:
        from ..schema.functions import PythonFunction

        try:
            found = PythonFunction(python=f"{path}:{name}").resolve(self.file.folder).function
        except (ValueError, ImportError, SyntaxError) as error:
            raise self.file.refusal(str(error), *place) from None
        assert found is not None
        return found

    def _function(self, response: str, written: str | None) -> Callable[[Any], float] | None:
        if written is None:
            return None
        path, colon, name = written.partition(".py:")
        if not colon:
            raise self.file.refusal("write file.py:function", "responses", response, "function")
        return self._python(path, name, "responses", response, "function")

    def _check_parameters(self) -> None:
        names = [self.plan.names[k] for k in self.plan.arguments]
        if isinstance(self.source, Model):
            if names:
                message = "give 'path' or 'sets': only Python functions take parameters by their names"
                raise self.file.refusal(message, "parameters", names[0])
            return
        known = inspect.signature(self.source).parameters
        anything = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in known.values())
        for name in names:
            if name not in known and not anything:
                message = f"the function has no argument '{name}'{advice(name, known, 'it has')}"
                raise self.file.refusal(message, "parameters", name)

    def made_of(self, row: np.ndarray) -> Any:
        """A model, or whatever the function makes of a sample's arguments."""
        if isinstance(self.source, Model):
            return self.source
        return self.source(**{self.plan.names[k]: _plain(row[k]) for k in self.plan.arguments})

    # -- running ----------------------------------------------------------------------------------------------------
    def settings_of(self, model: Model):
        try:
            return model.settings.changed(**self.study.simulate)
        except ModelError as error:
            raise self.file.refusal(why(error), "simulate") from None

    def numbers_of(self, model: Model, variant: int) -> tuple[Model, Numbers, Reruns]:
        """The model of a variant and its numbers at the paths, made once. Raises ModelError."""
        if isinstance(self.source, Model) and variant in self.made:
            return self.made[variant]
        name = self.plan.variants[variant]
        if name:
            model = self._variant(model, name)
        try:
            found = model, Numbers(model, self.paths), Reruns()
        except PathError:
            raise self._misled(model) from None
        self.made[variant] = found
        return found

    def _misled(self, model: Model) -> ModelError:
        """The refusal of a path, at the place of the study that names it."""
        for target in self.plan.targets:
            try:
                Numbers(model, [target.path])
            except PathError as reason:
                name = self.plan.names[target.parameter]
                place = ("path",) if self.study.parameters[name].path is not None else ("sets", target.path)
                return self.file.refusal(str(reason), "parameters", name, *place)
        return self.file.refusal("a path leads nowhere", "parameters")

    def _variant(self, model: Model, name: str) -> Model:
        variant = self.study.variants[name]
        known = [entity for section in REMOVABLE for entity in model.section(section)]
        for k, part in enumerate(variant.without):
            if part not in known:
                message = f"there is no joint, drive, force, contact or event '{part}'{advice(part, known)}"
                raise self.file.refusal(message, "variants", name, "without", k)
        changed = model.replaced(model.entities["bodies"], model.settings)
        changed.entities = {
            s: {n: e for n, e in es.items() if n not in variant.without} for s, es in model.entities.items()
        }
        for path, value in variant.sets.items():
            try:
                changed = Numbers(changed, [path]).changed([value])
            except ModelError as error:
                raise self.file.refusal(why(error), "variants", name, "sets", path) from None
            except (PathError, ValueError) as error:
                raise self.file.refusal(str(error), "variants", name, "sets", path) from None
        return changed

    def run(self, row: np.ndarray, variant: int, *, whole: bool = False) -> Sample:
        """Never raises for what a sample does; `whole` brings the results along."""
        began = time.perf_counter()
        sample = Sample([np.nan] * len(self.readers))
        try:
            seen, sample.reason = self._seen(row, variant, whole, began)
            if isinstance(seen, Results):
                sample.results = seen
            if not sample.reason:
                sample.values = [_valued(read, seen) for read in self.readers]
        except (MemoryError, KeyboardInterrupt):
            raise
        except (RunFailed, ModelError, TimeLimit) as error:
            sample.reason = str(error)
        except Exception as error:  # whatever a sample does, the study goes on
            sample.reason = f"{type(error).__name__}: {error}"
        sample.seconds = time.perf_counter() - began
        return sample

    def run_all(self, rows: np.ndarray, variants: np.ndarray) -> list[Sample]:
        """What `run` gives of each; of small models many at once. Threads may call it."""
        found: dict[int, Sample] = {}
        for variant in np.unique(variants).tolist():
            here = np.flatnonzero(variants == variant)
            found |= {int(here[k]): sample for k, sample in self._run_batch(rows[here], variant).items()}
        with self.alone if len(found) < len(rows) else nullcontext():
            return [found.get(k) or self.run(row, int(variants[k])) for k, row in enumerate(rows)]

    def _run_batch(self, rows: np.ndarray, variant: int) -> dict[int, Sample]:
        """Samples that a batch can run to their end, by their row."""
        batch = self.batch(variant)
        if batch is None:
            return {}
        began = time.perf_counter()
        block = batch.run(np.array([[t.value(row) for t in self.plan.targets] for row in rows]))
        if batch.take is not None:
            values = block.taken.tolist()
        else:
            columns = [_of_block(response, block) for response in self.study.responses.values()]
            values = np.stack(columns, axis=1).tolist()
        seconds = (time.perf_counter() - began) / len(rows)
        return {k: Sample(values[k], seconds=seconds) for k in np.flatnonzero(block.done).tolist()}

    def _seen(self, row, variant: int, whole: bool, began: float) -> tuple[Any, str]:
        """(what responses look at, reason of a failure)"""
        made = self.made_of(row)
        if not isinstance(made, Model):
            return _ended(made) if isinstance(made, Results) else (made, "")
        base, numbers, reruns = self.numbers_of(made, variant)
        values = np.array([t.value(row) for t in self.plan.targets])
        model = numbers.changed(values) if self.paths else base
        settings = self.settings_of(model)
        if not whole and self._can_rerun(settings):
            return self._rerun(model, settings.stage_list()[0], reruns, began)
        model.settings = settings
        return _ended(model.simulate(progress=self._watch(began)))

    def batch(self, variant: int) -> Batch | None:
        """For the numbers of all samples but the rarest, if the model is small enough in kind; made once."""
        with self.alone:
            if variant not in self.batches:
                self.batches[variant] = self._new_batch(variant) if isinstance(self.source, Model) else None
            return self.batches[variant]

    def _new_batch(self, variant: int) -> Batch | None:
        base = self.numbers_of(self.source, variant)[0]  # type: ignore[arg-type]
        settings = self.settings_of(base)
        if not self.paths or self.study.time_limit is not None or not self._can_rerun(settings):
            return None
        low, high = self.plan.ranges(OFTEN)
        names = [str(r.channel) for r in self.study.responses.values() if r.channel is not None]
        try:
            base = self._without_idle_events(base)
            batch = Batch(base, self.paths, settings.stage_list()[0], low, high, names)
            if any(needs_steps(r) for r in self.study.responses.values()):
                batch.take = lambda seen: [_valued(read, seen) for read in self.readers]
            return batch
        except (NoRecipe, ModelError, RunFailed):
            return None

    @property
    def is_small(self) -> bool:
        """Whether batches run all variants."""
        return all(self.batch(variant) is not None for variant in range(len(self.plan.variants)))

    def _without_idle_events(self, model: Model) -> Model:
        """Events that nobody asks for and that stop nothing only take time."""
        asked = {e for r in self.study.responses.values() for e in (r.event, r.to_event)}
        if any(path.startswith("events.") for path in self.paths):
            return model
        events = model.entities["events"]
        kept = {n: e for n, e in events.items() if n in asked or getattr(e, "stop", False)}
        changed = model.replaced(model.entities["bodies"], model.settings)
        changed.entities = model.entities | {"events": kept}
        return changed

    def _can_rerun(self, settings) -> bool:
        return isinstance(self.source, Model) and self._is_rigid and settings.solver in RERUN and not settings.stages

    @cached_property
    def _is_rigid(self) -> bool:
        """And no response looks at whole results."""
        if any(r.function is not None for r in self.study.responses.values()):
            return False
        assembler, _ = build(self.source, duration=1.0)
        return not assembler.is_flexible() and not assembler.crowds

    def _rerun(self, model: Model, stage, reruns: Reruns, began: float) -> tuple[Any, str]:
        part = reruns.run(model, stage, stage.output_times(), self._watch(began))
        if part.run.interrupted:
            raise KeyboardInterrupt
        if part.run.code not in (status.DONE, status.STOPPED_BY_EVENT):
            return None, ending(part.run)
        if part.run.events:
            add_event_rows(part)
        return _ended(results_of([part]))

    def _watch(self, began: float):
        most = self.study.time_limit
        if most is None:
            return None

        def watch(fraction: float, words: str) -> None:
            if time.perf_counter() - began > most:
                raise TimeLimit(f"the run took longer than {most:g} s and was given up after {100 * fraction:.0f} %")

        return watch


def why(error: ModelError) -> str:
    return "; ".join(problem.message for problem in error.problems)


def _ended(results: Results) -> tuple[Results, str]:
    """(results, reason of a failure)"""
    if not results.unless_interrupted().status.complete:
        return results, results.status.message or results.status.code
    return results, "" if results.verdict.trusted else results.verdict.sentence


def _of_block(response: Response, block: Block) -> np.ndarray:
    try:
        return of_block(response, block)
    except ValueError:
        return np.full(len(block.done), np.nan)  # as below


def _valued(read: Reader, seen: Any) -> float:
    try:
        return read(seen)
    except (ValueError, KeyError, IndexError):
        return np.nan  # it has none in this run


def _plain(value: float) -> float | int:
    """Whole numbers as such, for functions that count with them."""
    return int(value) if float(value).is_integer() else float(value)
