"""Bulk data as cards: small fields of 8 columns, large ones of 16, free ones between commas; continuations, INCLUDE.

The executive and case control sections are passed over, but for the choice of SPC and MPC sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..schema.folder import Folder, NotAllowedError
from ..schema.problems import ModelError, Place, Problem
from ..schema.text_file import read_text

CHOICE = re.compile(r"^\s*(SPC|MPC)\s*=\s*(\d+)\s*$", re.IGNORECASE)


@dataclass
class Card:
    """Name and fields after it, from 1 as in the manuals (fields[0] is the name); empty text where nothing stands."""

    name: str
    fields: list[str]
    file: str
    line: int

    def problem(self, message: str) -> Problem:
        return Problem(Place(self.file, self.line), (), f"{self.name}: {message}")


@dataclass
class Deck:
    """All cards of the bulk data, and the sets that case control chooses."""

    cards: list[Card] = field(default_factory=list)
    chosen: dict[str, int] = field(default_factory=dict)


def read_deck(path: str | Path, folder: Folder) -> Deck:
    """With files of the folder that it includes. Raises ModelError."""
    lines = list(lines_of(Path(path), folder, ()))
    return deck_of(lines, str(path))


def deck_of_text(text: str) -> Deck:
    """Of bulk data that stands elsewhere. Raises ModelError."""
    return deck_of([("", k, line) for k, line in enumerate(text.splitlines(), start=1)], "")


def lines_of(path: Path, folder: Folder, within: tuple[Path, ...]) -> Iterator[tuple[str, int, str]]:
    """(file, line number, text) with included files in place. Raises ModelError."""
    if path.resolve() in within:
        raise ModelError.at(str(path), 0, 0, "the file includes itself; remove that INCLUDE")
    try:
        lines = read_text(path, errors="replace").splitlines()
    except OSError as error:
        raise ModelError.at(str(path), 0, 0, f"cannot be read: {error.strerror}") from None
    for number, text in enumerate(lines, start=1):
        if text.strip().upper().startswith("INCLUDE"):
            name = text.split("$")[0].strip()[7:].strip().strip("'\"")
            try:
                other = folder.file(path.absolute().parent / name)
            except NotAllowedError as error:
                raise ModelError.at(str(path), number, 0, f"INCLUDE: {error}") from None
            if not name or not other.is_file():
                message = f"INCLUDE: there is no file '{name}' beside this one; a name goes in one line"
                raise ModelError.at(str(path), number, 0, message)
            yield from lines_of(other, folder, (*within, path.resolve()))
        else:
            yield str(path), number, text


def deck_of(lines: list[tuple[str, int, str]], file: str) -> Deck:
    """Raises ModelError."""
    deck = Deck()
    begins = [k for k, (_, _, text) in enumerate(lines) if re.match(r"\s*BEGIN\s+BULK", text.upper())]
    for _, _, text in lines[: begins[0]] if begins else ():
        if found := CHOICE.match(text.split("$")[0]):
            deck.chosen[found[1].upper()] = int(found[2])
    for where, number, text in lines[begins[0] + 1 if begins else 0 :]:
        plain = text.split("$")[0].rstrip().expandtabs(8)
        if not plain.strip():
            continue
        if plain.strip().upper().startswith("ENDDATA"):
            break
        take_line(deck, plain, where, number)
    if not deck.cards:
        raise ModelError.at(file, 0, 0, "no bulk data were found; cards stand between BEGIN BULK and ENDDATA")
    return deck


def take_line(deck: Deck, text: str, file: str, number: int) -> None:
    """A card, or more fields of the last one. Raises ModelError."""
    first, fields, left = split(text)
    if any(left):
        message = f"more than nine fields between commas; continue after the ninth in the next line: '{text[:40]} …'"
        raise ModelError.at(file, number, 0, message)
    if first and first[0] not in "+*":
        name = first.rstrip("*").upper()
        deck.cards.append(Card(name, [name, *fields], file, number))
        return
    if not deck.cards:
        raise ModelError.at(file, number, 0, "a continuation with no card before it")
    deck.cards[-1].fields += fields


def split(text: str) -> tuple[str, list[str], list[str]]:
    """(first field, the others without the mark of a continuation, those that are too many)."""
    if "," in text:
        first, *words = [word.strip() for word in text.split(",")]
        count = 4 if "*" in first else 8
        return first, words[:count] + [""] * (count - len(words)), words[count + 1 :]
    first = text[:8].strip()
    width, count = (16, 4) if "*" in first else (8, 8)
    return first, [text[8 + k * width : 8 + (k + 1) * width].strip() for k in range(count)], []
