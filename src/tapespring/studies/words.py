"""A study in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .outcome import StudyResults

TRUSTED = 0.1  # cross-validated error below which a surrogate's indices are told


def summary(results: StudyResults) -> str:
    n, failed = len(results.samples), int(results.samples.failed.sum())
    whole = "" if results.complete else f" of {results.plan.count}: NOT COMPLETE"
    lines = [f"{results.name}: {n} samples{whole}, {failed} failed ({results.ran} run now, {results.wall_s:.3g} s)"]
    for reason, count in sorted(results.failures.items(), key=lambda item: -item[1])[:5]:
        lines.append(f"  failed {count} times: {reason}")
    for variant, responses in results.answers.of.items():
        if variant:
            lines.append(f"variant {variant}")
        for name, found in responses.items():
            lines += response_lines(results, name, found)
    if results.rare is not None:
        lines += rare_lines(results)
    return "\n".join(lines)


def response_lines(results: StudyResults, name: str, found: dict[str, Any]) -> list[str]:
    unit = "" if found["unit"] in ("", "1") else f" {found['unit']}"
    lines = []
    if "mean" in found:
        m, s = found["mean"], found["std"]
        lines.append(
            f"  {name}: mean {m['value']:.5g} ({m['low']:.5g} … {m['high']:.5g}), std {s['value']:.3g} "
            f"({s['low']:.3g} … {s['high']:.3g}){unit}"
        )
    elif "least" in found:
        lines.append(f"  {name}: between {found['least']:.5g} and {found['most']:.5g}{unit}")
    else:
        lines.append(f"  {name}: {found['valued']} of {found['samples']} samples have a value")
    if "mean" in found:
        shown = [f"{100 * q['probability']:g} %: {q['value']:.5g} ({between(q)})" for q in found["quantiles"]]
        lines.append(f"    quantiles {'; '.join(shown)}{unit}")
    lines += limit_lines(found, unit)
    lines += matter_lines(results, found)
    if found.get("worst"):
        lines.append(f"    look at sample {found['worst']['sample']}: {found['worst']['value']:.5g}{unit}")
    return lines


def between(q: dict[str, Any]) -> str:
    low, high = ("too few samples" if q[end] is None else f"{q[end]:.5g}" for end in ("low", "high"))
    return f"{low} … {high}"


def limit_lines(found: dict[str, Any], unit: str) -> list[str]:
    lines: list[str] = []
    low, high = found["limits"]
    if not np.isfinite([low, high]).any():
        return lines
    limits = " and ".join(
        w
        for w in (f"at least {low:.5g}" if np.isfinite(low) else "", f"at most {high:.5g}" if np.isfinite(high) else "")
        if w
    )
    if "violation" in found:
        v = found["violation"]
        lines.append(
            f"    limit {limits}{unit}: violated by {v['count']} of {v['of']} samples, {probability(v['value'])} "
            f"({probability(v['low'])} … {probability(v['high'])})"
        )
    margin = found.get("margin")
    if margin and "of_mean" not in margin:
        lines.append(f"    limit {limits}{unit}: margin of the worst sample {margin['worst']:.4g}{unit}")
    elif margin:
        by_std = "" if margin["in_std"] is None else f" = {margin['in_std']:.2f} std"
        lines.append(
            f"    margin of the mean {margin['of_mean']:.4g}{unit}{by_std}; of the {100 * margin['quantile']:g} % "
            f"quantile {margin['of_quantile']:.4g}; of the worst sample {margin['worst']:.4g}{unit}"
        )
    return lines


def probability(p: float) -> str:
    return f"{100 * p:.3g} %" if p >= 1e-3 or p == 0.0 else f"{p:.2e}"


def matter_lines(results: StudyResults, found: dict[str, Any]) -> list[str]:
    names = results.plan.names
    lines = []
    if found.get("sobol"):
        parts = [
            f"{n} {t['value']:.3f} ({t['low']:.3f} … {t['high']:.3f})"
            for n, t in zip(names, found["sobol"]["total"], strict=True)
        ]
        lines.append(f"    total Sobol indices: {', '.join(parts)}")
    if found.get("morris"):
        parts = [
            f"{n} {m['value']:.3g} ± {s:.2g}"
            for n, m, s in zip(names, found["morris"]["size"], found["morris"]["spread"], strict=True)
        ]
        lines.append(f"    elementary effects, mean size ± spread: {', '.join(parts)}")
    surrogate = found.get("surrogate")
    if surrogate:
        error = f"error {100 * surrogate['error']:.2g} % of the std at samples left out"
        if surrogate["error"] <= TRUSTED:
            parts = [f"{n} {t:.3f}" for n, t in zip(names, surrogate["total"], strict=True)]
            lines.append(f"    by a polynomial of degree {surrogate['degree']} ({error}), total: {', '.join(parts)}")
        else:
            lines.append(f"    no polynomial takes the place of runs: {error}")
    if found.get("ranks") and not found.get("sobol"):
        parts = [f"{n} {r['value']:+.2f}" for n, r in zip(names, found["ranks"], strict=True)]
        lines.append(f"    correlation of ranks: {', '.join(parts)}")
    return lines


def rare_lines(results: StudyResults) -> list[str]:
    rare, name = results.rare, results.plan.study.sampling.response
    assert rare is not None
    shares = ", ".join(f"{level['share']:.2g}" for level in rare["levels"])
    if not rare["reached"]:
        return [
            f"  {name}: the limit was not reached within {len(rare['levels'])} levels; it is violated more "
            f"seldom than {rare['probability']:.1e}"
        ]
    return [
        f"  {name}: the limit is violated with a probability of {rare['probability']:.3e} ({rare['low']:.2e} … "
        f"{rare['high']:.2e}), {len(rare['levels'])} levels with shares {shares}"
    ]
