"""What a search has reached, kept in a folder so that it can be gone on with after an interruption."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from .least_squares import Descent
from .study import FitFile


def fingerprint(file: FitFile) -> str:
    """Of everything a search depends on: study, model and data; a change of any begins anew."""
    digest = hashlib.sha256(json.dumps(file.source.data, sort_keys=True, default=str).encode())
    for name in [file.study.model.partition(":")[0], *(e.data for e in file.study.experiments.values())]:
        path = file.named(name)
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


class Keeper:
    """A file per start of a search; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, mark: str):
        self.folder, self.mark = folder, mark
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def _path(self, k: int) -> Path:
        assert self.folder is not None
        return self.folder / f"start_{k:03d}.json"

    def load(self, k: int) -> Descent | None:
        """Where start k stands, if it belongs to the same study."""
        if self.folder is None or not self._path(k).is_file():
            return None
        try:
            data = json.loads(self._path(k).read_text(encoding="utf-8"))
            return Descent.from_plain(data["descent"]) if data["mark"] == self.mark else None
        except (ValueError, KeyError, TypeError):
            return None  # half written by an old version: begin anew

    def save(self, k: int, descent: Descent) -> None:
        if self.folder is None:
            return
        partial = self._path(k).with_suffix(".part")
        partial.write_text(json.dumps({"mark": self.mark, "descent": descent.plain()}), encoding="utf-8")
        os.replace(partial, self._path(k))
