"""Mistakes of a user, each with its place, the thing at fault and the remedy; several are told in one go."""

from collections.abc import Iterable
from dataclasses import dataclass

DataPath = tuple[str | int, ...]


@dataclass(frozen=True)
class Place:
    """A place in a file; line and column count from 1, 0 if not known."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}" if self.file else f"line {self.line}"


@dataclass(frozen=True)
class Problem:
    """One mistake: where in a file (None from Python), which entry of the model, and what to do about it."""

    place: Place | None
    path: DataPath
    message: str

    def __str__(self) -> str:
        text = ": ".join(part for part in (str(self.place or ""), path_text(self.path), self.message) if part)
        return text.replace("\n", "\\n")  # of words in quotes: a problem is one line


class ModelError(Exception):
    """What is wrong with a model: `problems`, printed one per line as `strap.yaml:14: straps.left.x: message`."""

    def __init__(self, problems: Problem | Iterable[Problem]):
        self.problems: list[Problem] = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    @classmethod
    def at(cls, file: str, line: int, column: int, message: str) -> "ModelError":
        """One problem at a place in a file; line 0 if it concerns the whole."""
        return cls(Problem(Place(file, line, column) if file or line else None, (), message))


def path_text(path: DataPath) -> str:
    """`('bodies', 'bob', 'at', 1)` → `bodies.bob.at[1]`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def cut_short(text: str, longest: int = 200) -> str:
    """The beginning of what is quoted in a message."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


class PathError(ValueError):
    """No number stands at a path; the message says what is there instead."""


class RunFailed(Exception):
    """A run with other numbers that did not reach its end, with the reason."""
