"""Equations of motion as something to simulate and to fit."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..results import Channel, Results, Status, make_provenance
from ..results.extras import need
from ..schema.near_words import advice
from ..schema.problems import ModelError, PathError, Problem, RunFailed
from ..schema.settings import Settings
from .code import compiled, rates_of, written
from .derived import derived, with_inputs

METHODS = {"auto": "DOP853", "ode": "DOP853", "stiff": "Radau"}


class Equations:
    """Equations of KanesMethod or LagrangesMethod with numbers for their symbols.

    parameters: symbol → number [SI]. inputs: dynamic symbol → expression of time. start: coordinate or speed → number,
    else zero. outputs: channel name → expression, or (expression, unit); all coordinates and speeds are channels too.
    Raises ModelError for what cannot be used, MissingExtraError without SymPy.
    """

    def __init__(
        self,
        method: Any,
        *,
        parameters: Mapping[Any, float],
        inputs: Mapping[Any, Any] | None = None,
        start: Mapping[Any, float] | None = None,
        outputs: Mapping[str, Any] | None = None,
        name: str = "equations",
    ):
        need("sympy", "symbolic", "tapespring.symbolic")
        from sympy.physics.mechanics import dynamicsymbols

        self.name, self.time = name, dynamicsymbols._t
        try:
            self.derived = derived(method)
        except ValueError as error:
            raise self._refusal(str(error)) from None
        self.parameters = {str(symbol): float(value) for symbol, value in parameters.items()}
        self._symbols = list(parameters)
        self._inputs = dict(inputs or {})
        self.states = [str(s).removesuffix(f"({self.time})") for s in self.derived.states]
        self.start = self._starting(start or {})
        self._outputs = {
            key: given if isinstance(given, tuple) else (given, "1") for key, given in (outputs or {}).items()
        }

    def hash(self) -> str:
        """A fingerprint of equations and numbers."""
        told = (self.derived, self.parameters, self._inputs, self.start, self._outputs)
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def _refusal(self, message: str) -> ModelError:
        return ModelError([Problem(None, (self.name,), message)])

    def _starting(self, start: Mapping[Any, float]) -> np.ndarray:
        values = np.zeros(len(self.states))
        for symbol, value in start.items():
            if symbol not in self.derived.states:
                known = [str(s) for s in self.derived.states]
                raise self._refusal(f"'{symbol}' is no coordinate or speed{advice(str(symbol), known, 'there are')}")
            values[self.derived.states.index(symbol)] = float(value)
        return values

    # -- compiled ---------------------------------------------------------------------------------------------------
    def _source(self, name: str, targets: dict[str, list]) -> str:
        given = {key: [self._filled(e) for e in entries] for key, entries in targets.items()}
        try:
            return written(name, self.derived.states, self._symbols, self.time, given)
        except ValueError as error:
            raise self._refusal(str(error)) from None

    def _filled(self, expression: Any) -> Any:
        """With inputs, and with speeds for the rates of coordinates where they are one and the same."""
        return with_inputs(expression, self._inputs) if hasattr(expression, "xreplace") else expression

    @cached_property
    def rates(self):
        """(t, y, p) → y', in machine code."""
        d = self.derived
        rows = d.M.shape[0]
        source = self._source("equations", {"M": list(d.M), "f": list(d.f)})
        return rates_of(compiled(source, "equations"), d.size, rows)

    @cached_property
    def _observed(self):
        if not self._outputs:
            return None
        return compiled(self._source("observed", {"out": [e for e, _ in self._outputs.values()]}), "observed")

    # -- running ----------------------------------------------------------------------------------------------------
    def states_at(self, times, numbers: np.ndarray, settings: Settings) -> tuple[np.ndarray, dict[str, Any]]:
        """((times, states), counters) with these numbers for the parameters. Raises RunFailed."""
        from scipy.integrate import solve_ivp

        if settings.solver not in METHODS:
            raise self._refusal(f"solver '{settings.solver}' is not for equations; use auto, ode or stiff")
        rates, end = self.rates, float(times[-1])
        rates(0.0, self.start, numbers)  # compiles, which is not the solver's time
        began = time.process_time()
        found = solve_ivp(
            lambda t, y: rates(t, y, numbers), (0.0, end), self.start, method=METHODS[settings.solver], t_eval=times,
            rtol=max(settings.tolerance, 3e-14), atol=settings.atol, max_step=settings.max_step or np.inf,
        )  # fmt: skip
        if not found.success or not np.all(np.isfinite(found.y)):
            raise RunFailed(found.message)
        return found.y.T, {"evaluations": int(found.nfev), "cpu_s": time.process_time() - began}

    def channel_values(self, times: np.ndarray, states: np.ndarray, numbers: np.ndarray) -> dict[str, np.ndarray]:
        """Coordinates, speeds and outputs over time."""
        values = {name: states[:, k] for k, name in enumerate(self.states)}
        if self._observed is not None:
            out = np.empty((len(times), len(self._outputs)))
            for row, t, y in zip(out, times, states, strict=True):
                self._observed(t, y, numbers, row)
            values |= {name: out[:, k] for k, name in enumerate(self._outputs)}
        return values

    def simulate(self, duration: Any, **settings: Any) -> Results:
        """Run the equations; settings as in a model's `simulate`: tolerance, outputs, solver (auto, ode, stiff)."""
        since = time.perf_counter()
        chosen = Settings.model_validate({}).changed(duration=duration, **settings)
        times = np.array(chosen.output_times())
        numbers = np.array(list(self.parameters.values()))
        try:
            states, counters = self.states_at(times, numbers, chosen)
        except RunFailed as error:
            status = Status(False, "failed", f"the equations could not be integrated: {error}", 0.0)
            return Results(times[:0], [], status=status)
        units = {name: unit for name, (_, unit) in self._outputs.items()}
        values = self.channel_values(times, states, numbers)
        cpu = counters.pop("cpu_s")
        text = "\n".join(f"{name}: {value!r}" for name, value in self.parameters.items())
        return Results(
            times,
            [Channel(f"{self.name}.{name}", units.get(name, "1"), v) for name, v in values.items()],
            status=Status(True, "complete", "", float(times[-1])),
            counters=counters,
            timing={"wall_s": time.perf_counter() - since, "solver_cpu_s": cpu},
            provenance=make_provenance(self.name, text, METHODS[chosen.solver], chosen.model_dump(mode="json")),
        )

    # -- fitting ----------------------------------------------------------------------------------------------------
    def runner(self, settings: dict[str, Any], paths: list[str]) -> EquationsRunner:
        """What a fit asks for; paths are names of parameters. Raises PathError."""
        return EquationsRunner(self, settings, paths)


class EquationsRunner:
    """Runs equations with other numbers for some parameters."""

    masses: tuple[str, ...] = ()

    def __init__(self, equations: Equations, settings: dict[str, Any], paths: list[str]):
        self.equations, self.runs = equations, 0
        self.settings = Settings.model_validate({}).changed(**({"tolerance": 1e-8} | settings))
        names = list(equations.parameters)
        for path in paths:
            if path not in names:
                raise PathError(f"the equations have no parameter '{path}'{advice(path, names, 'there are')}")
        self.places = [names.index(path) for path in paths]
        self.base = np.array([equations.parameters[path] for path in paths])

    def channels(self, numbers, times: np.ndarray, names: list[str]) -> list[np.ndarray]:
        """Channels at increasing times [s]. Raises RunFailed, and KeyError for a channel that is not there."""
        self.runs += 1
        every = np.array(list(self.equations.parameters.values()))
        every[self.places] = numbers
        states, _ = self.equations.states_at(times, every, self.settings)
        values = self.equations.channel_values(times, states, every)
        own = {f"{self.equations.name}.{name}": v for name, v in values.items()}
        return [own[name] for name in names]

    def known(self) -> list[str]:
        """Channels by name."""
        return [f"{self.equations.name}.{name}" for name in (*self.equations.states, *self.equations._outputs)]
