"""Fields of a card as numbers: NASTRAN's ways of writing them, and what is wrong with those that are not."""

from __future__ import annotations

import re

from ..schema.problems import Problem
from .cards import Card

SHORT_EXPONENT = re.compile(r"^([+-]?(?:\d+\.?\d*|\.\d+))([+-]\d+)$")
LETTERS = re.compile(r"^([+-]?(?:\d+\.?\d*|\.\d+))[dDeE]([+-]?\d+)$")


class CardError(ValueError):
    """A field that cannot be understood; `problem` names card and line."""

    def __init__(self, problem: Problem):
        super().__init__(str(problem))
        self.problem = problem


def number_of(text: str) -> float:
    """`1.5+3`, `2.D-4`, `7.`: a real. Raises ValueError."""
    text = text.strip()
    for pattern in (SHORT_EXPONENT, LETTERS):
        if found := pattern.match(text):
            return float(f"{found[1]}e{found[2]}")
    return float(text)


class Fields:
    """Of one card, counted from 1 as in the manuals."""

    def __init__(self, card: Card):
        self.card = card

    def text(self, k: int) -> str:
        return self.card.fields[k] if k < len(self.card.fields) else ""

    def fail(self, message: str) -> CardError:
        return CardError(self.card.problem(message))

    def integer(self, k: int, name: str, default: int | None = None) -> int:
        """Raises CardError."""
        text = self.text(k)
        if not text and default is not None:
            return default
        try:
            return int(text)
        except ValueError:
            raise self.fail(f"{name} (field {k + 1}) is '{text}', but a whole number is wanted") from None

    def real(self, k: int, name: str, default: float | None = None) -> float:
        """Raises CardError."""
        text = self.text(k)
        if not text and default is not None:
            return default
        try:
            return number_of(text)
        except ValueError:
            raise self.fail(f"{name} (field {k + 1}) is '{text}', but a number is wanted") from None

    def vector(self, k: int, name: str) -> tuple[float, float, float]:
        """Three fields; empty ones are zero. Raises CardError."""
        return (self.real(k, name, 0.0), self.real(k + 1, name, 0.0), self.real(k + 2, name, 0.0))

    def components(self, k: int, name: str) -> tuple[int, ...]:
        """`1346` as (0, 2, 3, 5). Raises CardError."""
        text = self.text(k)
        if text in ("", "0"):
            return ()
        if not set(text) <= set("123456") or len(set(text)) != len(text):
            raise self.fail(f"{name} (field {k + 1}) is '{text}', but digits from 1 to 6 are wanted, each once")
        return tuple(sorted(int(c) - 1 for c in text))

    def integers(self, k: int, name: str) -> list[int]:
        """All fields from there on, `3 THRU 7` written out. Raises CardError."""
        words = [w for w in self.card.fields[k:] if w]
        found: list[int] = []
        j = 0
        while j < len(words):
            if j + 2 < len(words) and words[j + 1].upper() == "THRU":
                try:
                    first, last = int(words[j]), int(words[j + 2])
                except ValueError:
                    raise self.fail(f"'{words[j]} THRU {words[j + 2]}' is no range of numbers") from None
                found += range(first, last + 1)
                j += 3
                continue
            try:
                found.append(int(words[j]))
            except ValueError:
                raise self.fail(f"'{words[j]}' among {name} is no whole number") from None
            j += 1
        return found

    def refuse_given(self, which: dict[int, str], why: str) -> None:
        """Fields that must be empty or zero because nothing here understands them. Raises CardError."""
        for k, name in which.items():
            text = self.text(k)
            try:
                zero = not text or number_of(text) == 0.0
            except ValueError:
                zero = False
            if not zero:
                raise self.fail(f"{name} (field {k + 1}) is '{text}': {why}")
