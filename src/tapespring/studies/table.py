"""All samples as one table: netCDF and CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..results.netcdf_layout import writing
from ..results.safe_file import replacing
from .plan import Plan
from .store import Store

OWN = ("sample", "variant", "failed", "seconds", "reason")  # columns that every table has
LONGEST = 300  # characters of a reason


@dataclass
class Samples:
    """Columns over finished samples, in the order of their indices."""

    index: np.ndarray
    parameters: np.ndarray  # (n, parameters), SI
    values: np.ndarray  # (n, responses), SI
    reason: np.ndarray  # (n,) place in `reasons`; 0 is no failure
    reasons: list[str]
    seconds: np.ndarray

    @property
    def failed(self) -> np.ndarray:
        return self.reason > 0

    def __len__(self) -> int:
        return len(self.index)

    @classmethod
    def of(cls, store: Store, plan: Plan) -> Samples:
        """Everything that is finished."""
        pieces = list(store.read())
        reasons: dict[str, int] = {"": 0}
        codes = [[reasons.setdefault(r[:LONGEST], len(reasons)) for r in piece.reasons] for piece in pieces]
        index = np.concatenate([p.index for p in pieces]) if pieces else np.zeros(0, np.int64)
        order = np.argsort(index)
        order = order[index[order] < plan.count]

        def joined(parts, shape):
            return (np.concatenate(parts) if parts else np.zeros(shape))[order]

        return cls(
            index[order],
            joined([p.parameters for p in pieces], (0, len(plan.names))),
            joined([p.values for p in pieces], (0, len(plan.responses))),
            joined([np.array(c, np.int64) for c in codes], 0).astype(np.int64),
            list(reasons),
            joined([p.seconds for p in pieces], 0),
        )


def write_table(samples: Samples, plan: Plan, units: list[str], stem: Path) -> list[Path]:
    """`stem`.nc, .csv and perhaps .parquet. Raises ResultsFileError."""
    columns: dict[str, tuple[np.ndarray, str, str]] = {
        "variant": (plan.variant_of(samples.index), "1", "number of the variant: " + ", ".join(plan.variants)),
        "failed": (samples.failed.astype(np.int64), "1", "1 where the run did not reach its end"),
        "seconds": (samples.seconds, "s", "wall time of the run"),
        "reason": (samples.reason, "1", "why it failed, a place in failure_reasons"),
    }
    for k, name in enumerate(plan.names):
        columns[name] = samples.parameters[:, k], plan.units[k] or "1", "parameter"
    for k, name in enumerate(plan.responses):
        columns[name] = samples.values[:, k], units[k] or "1", "response"
    written = [
        _netcdf(samples, columns, plan, stem.with_suffix(".nc")),
        _csv(samples, plan, units, stem.with_suffix(".csv")),
    ]
    parquet = _parquet(samples, columns, stem.with_suffix(".parquet"))
    return [*written, *([parquet] if parquet else [])]


def _netcdf(samples: Samples, columns, plan: Plan, path: Path) -> Path:
    with writing(path, "study") as writer:
        writer.attributes(Conventions="CF-1.11", title=plan.study.name or "study")
        writer.coordinate("sample", samples.index, units="1", long_name="index of the sample")
        for name, (values, unit, about) in columns.items():
            writer.variable(name, values, ("sample",), units=unit, long_name=about)
        writer.dimension("failure", len(samples.reasons))
        writer.texts("failure_reasons", samples.reasons, "failure")
    return path


def _csv(samples: Samples, plan: Plan, units: list[str], path: Path) -> Path:
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    named = [
        f"{n} [{u}]" if u else n for n, u in zip([*plan.names, *plan.responses], [*plan.units, *units], strict=True)
    ]
    rows.writerow(["sample", "variant", *named, "failed", "reason", "seconds"])
    variants = plan.variant_of(samples.index)
    with replacing(path) as file:
        for k in range(len(samples)):
            numbers = [*samples.parameters[k].tolist(), *samples.values[k].tolist()]
            shown = ["" if v != v else repr(v) for v in numbers]
            reason = samples.reasons[samples.reason[k]]
            seconds = f"{samples.seconds[k]:.4g}"
            rows.writerow([samples.index[k], plan.variants[variants[k]], *shown, int(bool(reason)), reason, seconds])
            if text.tell() > 1 << 16:
                file.write(text.getvalue().encode())
                text.seek(0)
                text.truncate()
        file.write(text.getvalue().encode())
    return path


def _parquet(samples: Samples, columns, path: Path) -> Path | None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return None
    data = {"sample": samples.index} | {name: values for name, (values, _, _) in columns.items() if name != "reason"}
    data["reason"] = np.array(samples.reasons, object)[samples.reason]
    memory = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(data), memory)
    with replacing(path) as file:
        file.write(memory.getvalue())
    return path
