"""Finished samples on disk: pieces that are written whole or not at all, each sample under its index.

A sample counts as finished once its piece has its name. Pieces are only ever added, so whoever is killed whenever loses
at most what was not yet written, and a sample that was run twice is taken once.
"""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..results import ResultsFileError
from ..results.archives import read_arrays
from ..results.safe_file import replacing
from ..schema.text_file import read_entries

ABOUT, PIECES = "study.json", "pieces"


@dataclass
class Piece:
    """Some finished samples."""

    index: np.ndarray  # (n,)
    parameters: np.ndarray  # (n, parameters)
    values: np.ndarray  # (n, responses); not a number where a run failed or a response has no value
    reasons: list[str]  # of failures, else empty
    seconds: np.ndarray  # (n,)

    def __len__(self) -> int:
        return len(self.index)

    @property
    def failed(self) -> np.ndarray:
        return np.array([bool(reason) for reason in self.reasons], bool)

    def part(self, which: np.ndarray) -> Piece:
        reasons = [r for r, wanted in zip(self.reasons, which, strict=True) if wanted]
        return Piece(self.index[which], self.parameters[which], self.values[which], reasons, self.seconds[which])


class Store:
    """A folder of pieces that belong to one study."""

    def __init__(self, folder: Path, mark: str, about: dict[str, Any]):
        """Raises ResultsFileError if the folder holds another study, or cannot be written."""
        self.folder = folder
        try:
            (folder / PIECES).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ResultsFileError(f"cannot make the folder '{folder}': {error.strerror}; give --out") from None
        self._check(mark)
        if not (folder / ABOUT).exists():
            with replacing(folder / ABOUT) as file:
                file.write(json.dumps({"mark": mark} | about, indent=2, ensure_ascii=False).encode())
        for partial in folder.glob("**/.tapespring-*.part"):
            partial.unlink(missing_ok=True)  # of a process that was killed
        self.next = 1 + max((int(p.stem.removeprefix("piece-")) for p in self.pieces()), default=-1)

    def _check(self, mark: str) -> None:
        about = self.folder / ABOUT
        if not about.exists():
            return
        try:
            known = read_entries(about).get("mark")
        except (OSError, ValueError):
            known = None
        if known != mark:
            raise ResultsFileError(
                f"'{self.folder}' holds samples of another study, or of this one before it, its model, a file named "
                "there or the version of tapespring changed; give --afresh to begin anew, or --out for another folder"
            )

    def pieces(self) -> list[Path]:
        return sorted((self.folder / PIECES).glob("piece-*.npz"))

    def add(self, piece: Piece) -> None:
        """Write down finished samples. Raises ResultsFileError, also for a full disk."""
        memory = io.BytesIO()
        reasons = np.frombuffer(json.dumps(piece.reasons).encode(), np.uint8)
        np.savez(memory, index=piece.index, parameters=piece.parameters, values=piece.values, reasons=reasons,
                 seconds=piece.seconds)  # fmt: skip
        with replacing(self.folder / PIECES / f"piece-{self.next:08d}.npz") as file:
            file.write(memory.getvalue())
        self.next += 1

    def read(self) -> Iterator[Piece]:
        """All pieces, each sample once. Raises ResultsFileError."""
        seen = np.zeros(0, bool)
        for path in self.pieces():
            piece = read_piece(path)
            most = int(piece.index.max(initial=-1)) + 1
            if most > len(seen):
                seen = np.concatenate((seen, np.zeros(max(most - len(seen), len(seen)), bool)))
            new = ~seen[piece.index]
            seen[piece.index] = True
            yield piece if new.all() else piece.part(new)

    def done(self, count: int) -> np.ndarray:
        """(count,) True for samples that are finished. Raises ResultsFileError."""
        found = np.zeros(count, bool)
        for path in self.pieces():
            index = read_piece(path).index
            found[index[index < count]] = True
        return found


def read_piece(path: Path) -> Piece:
    """Raises ResultsFileError: the archive has a checksum of each of its arrays."""
    try:
        data = read_arrays(path)
        reasons = json.loads(data["reasons"].tobytes())
        piece = Piece(data["index"], data["parameters"], data["values"], reasons, data["seconds"])
        if {len(part) for part in (piece.parameters, piece.values, reasons, piece.seconds)} != {len(piece)}:
            raise ValueError("its columns differ in length")
        return piece
    except (OSError, ValueError, KeyError, TypeError, RecursionError, zlib.error) as error:
        raise ResultsFileError(
            f"'{path}' is damaged ({error}); delete it, and the same command runs its samples again"
        ) from None


def clear(folder: Path) -> None:
    """Forget the samples of a folder and their runs, and nothing else in it."""
    for pattern in (f"{PIECES}/piece-*.npz", ABOUT, "runs/*.nc", "runs/*.html"):
        for path in folder.glob(pattern):
            path.unlink(missing_ok=True)
