"""The checksum at the end of a results file: SHA-256 of all bytes before it, so that a changed byte is noticed.

It follows what HDF5 knows of the file, where every reader passes over it. A program that changes the file through HDF5
cuts it off there; then nothing vouches for the numbers any more, and whoever reads them is told so. Anything else that
stands there is damage.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import BinaryIO

from .safe_file import RememberingFile, ResultsFileError

ABOUT = "SHA-256 of all bytes before the last line"  # the attribute `checksum` of a file that was written with one
LINE = re.compile(rb"\ntapespring sha256 ([0-9a-f]{64})\n")
LENGTH = len("\ntapespring sha256 \n") + 64
PIECE = 1 << 20


def add_seal(file: RememberingFile) -> None:
    """Write the checksum behind all that was written."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    digest = _digest(file, size)
    file.seek(size)
    file.write(f"\ntapespring sha256 {digest}\n".encode())


def check_seal(path: str | os.PathLike[str]) -> None:
    """Raises ResultsFileError if what follows a file's contents is anything but their checksum."""
    with open(path, "rb") as file:
        size, told = _read_seal(file)
        file.seek(0)
        if told != _digest(file, size) if told else size > _end_of_contents(file):
            raise ResultsFileError(
                f"'{path}' is damaged: its bytes are not those that were written (their checksum differs); use a copy "
                "of it, or run the model again"
            )


def has_seal(path: str | os.PathLike[str]) -> bool:
    """Whether a file ends with a checksum."""
    with open(path, "rb") as file:
        return bool(_read_seal(file)[1])


def copy_unsealed(path: str | os.PathLike[str], to: RememberingFile) -> None:
    """All bytes of a file but its checksum."""
    with open(path, "rb") as file:
        left, _ = _read_seal(file)
        file.seek(0)
        while left > 0 and (piece := file.read(min(PIECE, left))):
            to.write(piece)
            left -= len(piece)


def _read_seal(file: BinaryIO) -> tuple[int, str]:
    """(bytes before the checksum, the checksum); all of them and nothing if there is none."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - LENGTH))
    found = LINE.fullmatch(file.read(LENGTH))
    return (size - LENGTH, found[1].decode()) if found else (size, "")


def _end_of_contents(file: BinaryIO) -> float:
    """Where HDF5 has written down that its file ends; infinite for what is no such file."""
    head = file.read(64)
    if len(head) < 64 or not head.startswith(b"\x89HDF\r\n\x1a\n"):
        return float("inf")
    first = {0: 40, 1: 44}.get(head[8], 28)  # by the version of the superblock
    return int.from_bytes(head[first : first + 8], "little")


def _digest(file: BinaryIO | RememberingFile, size: int) -> str:
    """Of the next bytes of a file."""
    digest = hashlib.sha256()
    while size > 0 and (piece := file.read(min(PIECE, size))):
        digest.update(piece)
        size -= len(piece)
    return digest.hexdigest()
