"""What a search has reached, kept in a folder so that it can be gone on with after an interruption."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from ..results.provenance import VERSION
from ..results.safe_file import ResultsFileError, replacing
from ..schema.named_files import contents
from ..schema.text_file import read_entries
from .least_squares import Descent

if TYPE_CHECKING:
    from .matching import Matching


def fingerprint(matching: Matching) -> str:
    """Of everything a search depends on: study, model, data, all files they name, and the version of the program; a
    change of any begins anew."""
    data = matching.file.source.data
    text = "\n".join([VERSION, matching.model.hash(), json.dumps(data, sort_keys=True, default=str)])
    return hashlib.sha256(text.encode() + contents(data, matching.file.folder)).hexdigest()


class Keeper:
    """A file per start of a search; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, mark: str):
        self.folder, self.mark = folder, mark
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ResultsFileError(f"cannot make the folder '{folder}': {error.strerror}; give --out") from None

    def _path(self, k: int) -> Path:
        assert self.folder is not None
        return self.folder / f"start_{k:03d}.json"

    def load(self, k: int) -> Descent | None:
        """Where start k stands, if it belongs to the same study."""
        if self.folder is None or not self._path(k).is_file():
            return None
        try:
            data = read_entries(self._path(k))
            return Descent.from_plain(data["descent"]) if data["mark"] == self.mark else None
        except (OSError, ValueError, KeyError, TypeError):
            return None  # damaged: begin anew

    def save(self, k: int, descent: Descent) -> None:
        if self.folder is None:
            return
        with replacing(self._path(k)) as file:
            file.write(json.dumps({"mark": self.mark, "descent": descent.plain()}).encode())
