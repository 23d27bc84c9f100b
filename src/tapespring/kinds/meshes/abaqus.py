"""Abaqus input files: nodes, elements and their sets.

Read here and not by meshio, which mixes up ELSETs of several ELEMENT blocks, keeps the last NODE block only and knows
no membranes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...schema.folder import Folder
from ...schema.text_file import read_text
from ..refusal import Refusal
from .given import once
from .raw import Block, RawMesh

#: Element families by the beginning of their name: meshio's type and the number of nodes.
FAMILIES = (
    (r"C3D8|SC8", "hexahedron", 8),
    (r"C3D10", "tetra10", 10),
    (r"C3D4", "tetra", 4),
    (r"C3D20", "hexahedron20", 20),
    (r"C3D27", "hexahedron27", 27),
    (r"C3D6|SC6", "wedge", 6),
    (r"C3D15", "wedge15", 15),
    (r"STRI65|(M3D|CPS|CPE|SFM3D)6", "triangle6", 6),
    (r"(S|M3D|CPS|CPE|CAX|SFM3D)8", "quad8", 8),
    (r"(S|M3D|SFM3D)9", "quad9", 9),
    (r"(S|M3D|R3D|CPS|CPE|CAX|SFM3D)4", "quad", 4),
    (r"STRI3|(S|M3D|R3D|CPS|CPE|CAX|SFM3D)3", "triangle", 3),
    (r"B[23]1|T[23]D2|R[23]D2", "line", 2),
    (r"B[23]2|T[23]D3", "line3", 3),
)
FLAT = (
    "write a flat input file, with one list of nodes (in Abaqus/CAE: 'Do not use parts and assemblies in input files')"
)
GENERATING = {"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM", "TRANSLATE"}


@dataclass
class Card:
    """A keyword line with its parameters, and the data under it."""

    keyword: str
    options: dict[str, str]
    line: int
    data: list[tuple[int, list[str]]]


def cards(path: Path, folder: Folder, within: tuple[Path, ...] = ()) -> Iterator[Card]:
    """Keywords of a file with their data; other files that it includes are read in place. Raises Refusal and
    NotAllowedError."""
    if path.resolve() in within:
        raise Refusal(f"{path.name} includes itself")
    within = (*within, path.resolve())
    card = None
    try:
        lines = read_text(path, errors="replace").splitlines()
    except OSError as error:
        raise Refusal(f"{path.name} cannot be read: {error.strerror}") from None
    waiting = ""
    for number, text in enumerate(lines, start=1):
        if text.startswith("**") or not text.strip():
            continue
        if waiting or text.startswith("*"):
            waiting += text.strip()
            if waiting.endswith(","):
                continue  # parameters go on in the next line
            if card is not None:
                yield card
            card = read_card(waiting, number)
            waiting = ""
            if card.keyword == "INCLUDE":
                yield from cards(folder.file(path.absolute().parent / card.options.get("INPUT", "")), folder, within)
                card = None
        elif card is not None:
            card.data.append((number, [word.strip() for word in text.rstrip().rstrip(",").split(",")]))
    if card is not None:
        yield card


def read_card(text: str, line: int) -> Card:
    """`*NSET, NSET=left, GENERATE`."""
    keyword, *words = [word.strip() for word in text.lstrip("*").split(",")]
    options = {}
    for word in words:
        key, _, value = word.partition("=")
        options[key.strip().upper()] = value.strip().strip('"')
    return Card(keyword.upper(), options, line, [])


def read_inp(path: Path, folder: Folder) -> RawMesh:
    """Nodes, elements and sets of a file. Raises Refusal and NotAllowedError."""
    reader = InpReader()
    for card in cards(path, folder):
        try:
            reader.take(card)
        except (ValueError, IndexError, KeyError) as error:
            if isinstance(error, Refusal):
                raise
            raise Refusal(f"row {card.line}: *{card.keyword} cannot be read: {error}") from None
    return reader.mesh()


class InpReader:
    """Collects what the cards say, by the numbers of the file."""

    def __init__(self) -> None:
        self.places: dict[int, list[float]] = {}
        self.blocks: list[tuple[str, list[int], list[list[int]]]] = []  # type, element numbers, node numbers
        self.where: dict[int, tuple[int, int]] = {}  # element number: block and place in it
        self.nsets: dict[str, list[int]] = {}
        self.elsets: dict[str, list[int]] = {}
        self.left_out: dict[str, int] = {}

    def take(self, card: Card) -> None:
        """Read one card, or pass over it. Raises Refusal, ValueError."""
        if card.keyword in GENERATING:
            raise Refusal(f"row {card.line}: *{card.keyword} is not read; {FLAT}")
        if card.keyword == "NODE":
            self.take_nodes(card)
        elif card.keyword == "ELEMENT":
            self.take_elements(card)
        elif card.keyword == "NSET":
            self.take_set(card, self.nsets, card.options["NSET"])
            if "ELSET" in card.options:
                elements = self.elsets[self.known(card.options["ELSET"], self.elsets, card.line)]
                self.nsets[card.options["NSET"]] += [n for e in elements for n in self.nodes_of(e)]
        elif card.keyword == "ELSET":
            self.take_set(card, self.elsets, card.options["ELSET"])
        elif card.keyword == "INSTANCE" and card.data:
            raise Refusal(f"row {card.line}: an instance is moved; {FLAT}")

    def take_nodes(self, card: Card) -> None:
        """Coordinates that are left out are zero."""
        for line, words in card.data:
            number = int(words[0])
            place = ([float(word or 0.0) for word in words[1:4]] + [0.0] * 3)[:3]
            if self.places.get(number, place) != place:
                raise Refusal(f"row {line}: node {number} is given twice, at different places; {FLAT}")
            self.places[number] = place
            if "NSET" in card.options:
                self.nsets.setdefault(card.options["NSET"], []).append(number)

    def take_elements(self, card: Card) -> None:
        """An element's nodes may go on in the next row."""
        kind = card.options["TYPE"].upper()
        found = next(((name, count) for family, name, count in FAMILIES if re.match(family, kind)), None)
        if found is None:  # masses, springs, connectors
            self.left_out[kind] = self.left_out.get(kind, 0) + len(card.data)
            if "ELSET" in card.options:
                self.elsets.setdefault(card.options["ELSET"], [])
            return
        name, count = found
        words = [word for _, row in card.data for word in row]
        if len(words) % (count + 1):
            raise ValueError(f"elements of type {kind} have a number and {count} nodes each")
        rows = np.array(words, int).reshape(-1, count + 1)
        for k, number in enumerate(rows[:, 0].tolist()):
            if number in self.where:
                raise Refusal(f"row {card.line}: element {number} is given twice; {FLAT}")
            self.where[number] = (len(self.blocks), k)
        self.blocks.append((name, rows[:, 0].tolist(), rows[:, 1:].tolist()))
        if "ELSET" in card.options:
            self.elsets.setdefault(card.options["ELSET"], []).extend(rows[:, 0].tolist())

    def take_set(self, card: Card, sets: dict[str, list[int]], name: str) -> None:
        """Numbers, ranges or names of other sets; a set may be continued later."""
        members = sets.setdefault(name, [])
        for line, words in card.data:
            if "GENERATE" in card.options:
                first, last, step = ([int(word) for word in words] + [1])[:3]
                members.extend(range(first, last + 1, step))
                continue
            for word in words:
                if re.fullmatch(r"\d+", word):
                    members.append(int(word))
                elif word:
                    members.extend(sets[self.known(word.strip('"'), sets, line)])

    def known(self, name: str, sets: dict[str, list[int]], line: int) -> str:
        """A set by its name, in which case does not count. Raises Refusal."""
        for other in sets:
            if other.upper() == name.upper():
                return other
        raise Refusal(f"row {line}: there is no set '{name}' before this row")

    def nodes_of(self, element: int) -> list[int]:
        """Node numbers of an element; none of one that was left out."""
        if element not in self.where:
            return []
        block, k = self.where[element]
        return self.blocks[block][2][k]

    def mesh(self) -> RawMesh:
        """Everything by numbers from 0. Raises Refusal."""
        numbers = np.array(list(self.places), int)
        index = {number: k for k, number in enumerate(self.places)}
        blocks = [
            Block(name, self.places_in(numbers, np.array(rows), ids), np.array(ids)) for name, ids, rows in self.blocks
        ]
        raw = RawMesh(np.array(list(self.places.values()), float).reshape(-1, 3), numbers, blocks)
        for name, nodes in self.nsets.items():
            raw.node_sets[name] = once(np.array([index[n] for n in nodes if n in index], int))
        for name, elements in self.elsets.items():
            members: dict[int, list[int]] = {}
            for block, k in (self.where[e] for e in elements if e in self.where):
                members.setdefault(block, []).append(k)
            raw.cell_sets[name] = {block: np.unique(cells) for block, cells in members.items()}
        raw.notes += [f"{count} elements of type {kind} were left out" for kind, count in self.left_out.items()]
        return raw

    def places_in(self, numbers: np.ndarray, rows: np.ndarray, elements: list[int]) -> np.ndarray:
        """Nodes of elements by their place in the list. Raises Refusal."""
        order = np.argsort(numbers)
        found = order[np.searchsorted(numbers, rows, sorter=order).clip(max=len(numbers) - 1)] if len(numbers) else rows
        lost = np.argwhere(numbers[found] != rows) if len(numbers) else np.zeros((1, 2), int)
        if len(lost):
            element, k = lost[0]
            raise Refusal(f"element {elements[element]} names node {rows[element, k]}, which is not in the file")
        return found
