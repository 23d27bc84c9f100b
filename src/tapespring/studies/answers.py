"""What the samples of a study say, per variant and response."""

from __future__ import annotations

from typing import Any

import numpy as np

from .asked import Asked
from .plan import Plan
from .sampling import Morris, Saltelli
from .sensitivity import morris_effects, rank_correlations, sobol_indices
from .statistics import described
from .surrogate import Surrogate, fitted
from .table import Samples

SCATTERED = ("latin_hypercube", "random", "sobol")  # samples that are drawn from the distributions as a whole


class Answers:
    """Everything that is told of a study; `of[variant][response]` is plain data."""

    def __init__(self, plan: Plan, asked: Asked, samples: Samples):
        self.plan, self.asked, self.samples = plan, asked, samples
        self.surrogates: dict[tuple[str, str], Surrogate] = {}
        self.of = {name: self._variant(k, name) for k, name in enumerate(plan.variants)}

    def _variant(self, number: int, name: str) -> dict[str, dict[str, Any]]:
        here = self.plan.variant_of(self.samples.index) == number
        return {response: self._response(here, k, name, response) for k, response in enumerate(self.plan.responses)}

    def _response(self, here: np.ndarray, k: int, variant: str, response: str) -> dict[str, Any]:
        study, kind = self.plan.study, self.plan.study.sampling.kind
        index, y = self.samples.index[here], self.samples.values[here, k]
        rows = self.samples.parameters[here]
        found: dict[str, Any] = {"unit": self.asked.units[k], "limits": self.asked.limits[k]}
        independent = np.ones(len(y), bool)
        if kind == "saltelli":
            independent = (index % self.plan.samples) % (len(self.plan.names) + 2) < 2
        found |= described(y[independent], self.asked.limits[k], study.quantiles, study.confidence)
        if kind not in (*SCATTERED, "saltelli"):
            not_scattered(found)
        found["worst"] = self._worst(index, y, self.asked.limits[k])
        found |= self._sensitivity(index, rows, y, kind)
        if study.surrogate and self.plan.mixing is None and kind in (*SCATTERED, "saltelli"):
            self._surrogate(found, index, y, variant, response)
        return found

    def _worst(self, index: np.ndarray, y: np.ndarray, limits: tuple[float, float]) -> dict[str, Any] | None:
        """The sample to look at: nearest to its limit, or beyond it; without a limit, the largest."""
        if not np.isfinite(y).any():
            return None
        inside = np.minimum(y - limits[0], limits[1] - y)
        k = int(np.nanargmin(inside)) if np.isfinite(limits).any() else int(np.nanargmax(y))
        return {"sample": int(index[k]), "value": float(y[k])}

    def _sensitivity(self, index, rows, y, kind: str) -> dict[str, Any]:
        study, size = self.plan.study, len(self.plan.names)
        design = self.plan.design
        found: dict[str, Any] = {}
        if isinstance(design, Saltelli | Morris):
            whole = np.full(self.plan.samples, np.nan)
            whole[index % self.plan.samples] = y
            if isinstance(design, Saltelli):
                found["sobol"] = sobol_indices(whole, size, study.confidence, study.sampling.seed)
            else:
                found["morris"] = morris_effects(whole, design, study.confidence, study.sampling.seed)
        if kind in (*SCATTERED, "saltelli", "grid", "list"):
            found["ranks"] = rank_correlations(rows, y, study.confidence)
        return found

    def _surrogate(self, found: dict[str, Any], index, y, variant: str, response: str) -> None:
        if any(s.discrete is not None for s in self.plan.scatters):
            return
        use = index % self.plan.samples
        if isinstance(self.plan.design, Saltelli):
            first = use % (len(self.plan.names) + 2) < 2
            use, y = use[first], y[first]
        u = self.plan.design.rows(use)  # type: ignore[union-attr]
        bounded = np.array([s.bounded for s in self.plan.scatters])
        made = fitted(u, y, bounded, self.plan.study.sampling.seed)
        if made is None:
            return
        self.surrogates[variant, response] = made
        first_order, total = made.indices()
        found["surrogate"] = {
            "error": made.error, "degree": made.degree, "terms": len(made.coefficients), "mean": made.mean,
            "std": float(np.sqrt(made.variance)), "first": first_order.tolist(), "total": total.tolist(),
        }  # fmt: skip


def not_scattered(found: dict[str, Any]) -> None:
    """Samples that were not drawn from distributions tell of no probabilities: leave those out."""
    for name in ("mean", "std", "quantiles", "violation"):
        found.pop(name, None)
    if found.get("margin"):
        found["margin"] = {"worst": found["margin"]["worst"]}
