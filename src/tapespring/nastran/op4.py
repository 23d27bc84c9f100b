"""OUTPUT4 files: named matrices as text or binary, dense or sparse (also BIGMAT). Those of complex
numbers are passed over: mass and stiffness are none."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..schema.problems import ModelError
from ..schema.text_file import read_bytes

WORDS = {1: 1, 2: 2, 3: 2, 4: 4}  # of four bytes per entry, by type: real, real double, complex, complex double
REAL = (1, 2)
VALUES = re.compile(r"\s*[+-]?\d*\.")
Entries = list[tuple[int, int, np.ndarray]]  # column, first row, values


def read_op4(path: str | Path) -> dict[str, object]:
    """Matrices by name, in scipy's CSC form. Raises ModelError."""
    try:
        data = read_bytes(Path(path))
    except OSError as error:
        raise ModelError.at(str(path), 0, 0, f"cannot be read: {error.strerror}") from None
    try:
        found = dict(binary(data) if is_binary(data) else text(data.decode("ascii", "replace").splitlines()))
    except (ValueError, IndexError, struct.error) as reason:
        raise ModelError.at(str(path), 0, 0, f"this is no OUTPUT4 file that is understood ({reason})") from None
    if not found:
        raise ModelError.at(str(path), 0, 0, "there is no matrix in this OUTPUT4 file")
    return found


def is_binary(data: bytes) -> bool:
    return len(data) >= 4 and data[:4] in (struct.pack(e + "i", n) for e in "<>" for n in (24, 48))


def matrix(rows: int, columns: int, entries: Entries):
    from scipy.sparse import csc_array

    if not entries:
        return csc_array((rows, columns))
    i = np.concatenate([first + np.arange(len(values)) for _, first, values in entries])
    j = np.concatenate([np.full(len(values), column) for column, _, values in entries])
    v = np.concatenate([values for _, _, values in entries])
    if i.max(initial=0) >= rows:
        raise ValueError("a row beyond the matrix")
    return csc_array((v[v != 0.0], (i[v != 0.0], j[v != 0.0])), shape=(rows, columns))


# -- text -------------------------------------------------------------------------------------------------------------
def text(lines: list[str]) -> Iterator[tuple[str, object]]:
    """Lines of values have a decimal point, those between them have none: that tells them apart."""
    k = 0
    while k < len(lines):
        if not lines[k].strip():
            k += 1
            continue
        head = lines[k]
        columns, rows, kind = int(head[:8]), abs(int(head[8:16])), int(head[24:32])
        name = head[32:40].strip()
        width = re.search(r"[EDFG](\d+)\.", head[40:].upper())
        k, entries = columns_of(lines, k + 1, columns, int(width[1]) if width else 16)
        if kind in REAL:
            yield name, matrix(rows, columns, entries)


def columns_of(lines: list[str], k: int, columns: int, width: int) -> tuple[int, Entries]:
    entries: Entries = []
    column = row = 0
    while k < len(lines):
        head = [int(word) for word in split_integers(lines[k])]
        if len(head) == 3:
            column, row = head[0] - 1, head[1] - 1  # row -1: strings follow
        elif len(head) == 1:
            row = head[0] & 0xFFFF
            row -= 1
        else:
            row = head[1] - 1
        k += 1
        values: list[float] = []
        while k < len(lines) and VALUES.match(lines[k]):
            values += numbers(lines[k], width)
            k += 1
        if column >= columns:
            break
        if values:
            entries.append((column, row, np.array(values)))
    return k, entries


def split_integers(line: str) -> list[str]:
    """Fields of eight columns may touch."""
    words = line.split()
    return (
        words
        if len(words) > 1 or len(line.rstrip()) <= 16
        else [line[i : i + 8] for i in range(0, len(line.rstrip()), 8)]
    )


def numbers(line: str, width: int) -> list[float]:
    line = line.rstrip()
    words = (line[i : i + width].replace("D", "E").replace("d", "e") for i in range(0, len(line), width))
    return [float(word) for word in words if word.strip()]


# -- binary -----------------------------------------------------------------------------------------------------------
def records(data: bytes) -> Iterator[tuple[str, bytes]]:
    """(byte order, content) of Fortran's records."""
    order = "<" if struct.unpack("<i", data[:4])[0] in (24, 48) else ">"
    at = 0
    while at + 8 <= len(data):
        size = struct.unpack_from(order + "i", data, at)[0]
        yield order, data[at + 4 : at + 4 + size]
        at += size + 8


def binary(data: bytes) -> Iterator[tuple[str, object]]:
    flow = records(data)
    for order, head in flow:
        if len(head) == 24:
            integer, size = "i", 4
        elif len(head) == 48:
            integer, size = "q", 8
        else:
            raise ValueError("a header of another length")
        columns, rows, _, kind = struct.unpack_from(f"{order}4{integer}", head)
        name = head[4 * size :].decode("ascii", "replace").split()[0]
        entries: Entries = []
        for _, part in flow:
            column, row, words = struct.unpack_from(f"{order}3{integer}", part)
            if column > columns:
                break
            body = part[3 * size :]
            place = Words(order, integer, size, kind)
            if row > 0:
                entries.append((column - 1, row - 1, place.values(body, 0, words)))
            else:
                entries += [(column - 1, first, found) for first, found in place.strings(body, words, rows < 0)]
        if kind in REAL:
            yield name, matrix(abs(rows), columns, entries)


class Words:
    """Words of a record: four bytes, or eight where integers are long."""

    def __init__(self, order: str, integer: str, size: int, kind: int):
        self.order, self.integer, self.size = order, integer, size
        self.double = kind == 2 or size == 8
        self.per = 1 if size == 8 else WORDS[kind]

    def values(self, body: bytes, at: int, words: int) -> np.ndarray:
        form = np.dtype(self.order + ("f8" if self.double else "f4"))
        return np.frombuffer(body, form, words // self.per, at * self.size).astype(float)

    def strings(self, body: bytes, words: int, big: bool) -> Iterator[tuple[int, np.ndarray]]:
        at = 0
        while at < words:
            if big:
                length, row = struct.unpack_from(f"{self.order}2{self.integer}", body, at * self.size)
                length, at = length - 1, at + 2
            else:
                packed = struct.unpack_from(self.order + self.integer, body, at * self.size)[0]
                length, row, at = (packed >> 16) - 1, packed & 0xFFFF, at + 1
            yield row - 1, self.values(body, at, length)
            at += length
