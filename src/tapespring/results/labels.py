"""Labels of components that are numbered: x0, y0, z0, x1 … A mesh has too many of them to write them all down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


class Numbered(Sequence[str]):
    """Words, each with the numbers 0 to count - 1."""

    def __init__(self, words: Sequence[str], count: int) -> None:
        self.words, self.many = tuple(words), count

    def __len__(self) -> int:
        return len(self.words) * self.many

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        number, word = divmod(index % len(self), len(self.words))
        return f"{self.words[word]}{number}"

    def __iter__(self) -> Iterator[str]:
        return (f"{word}{number}" for number in range(self.many) for word in self.words)

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and self._place(label) is not None

    def index(self, label: str, *limits: int) -> int:
        place = self._place(label)
        if place is None:
            raise ValueError(f"{label!r} is not among the labels")
        return place

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Numbered):
            return (self.words, self.many) == (other.words, other.many)
        return isinstance(other, tuple) and len(other) == len(self) and other == tuple(self)

    def __hash__(self) -> int:
        return hash((self.words, self.many))

    def _place(self, label: str) -> int | None:
        for k, word in enumerate(self.words):
            number = label.removeprefix(word)
            if label.startswith(word) and number.isdecimal() and str(int(number)) == number and int(number) < self.many:
                return int(number) * len(self.words) + k
        return None
