"""Suggestions for a misspelt word."""

from collections.abc import Iterable
from difflib import get_close_matches

LISTED_AT_MOST = 20
ALIKE, SHORT_ALIKE = 0.6, 0.7  # of words; of those of one or two letters, of which one may be all they share
KNOWN_AS = {"rx": "turn_x", "ry": "turn_y", "rz": "turn_z"}  # in other programs


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice most like `word`, upper and lower case counting as equal, or None if nothing is near."""
    choices = list(choices)
    if KNOWN_AS.get(word.casefold()) in choices:
        return KNOWN_AS[word.casefold()]
    cutoff = ALIKE if len(word) > 2 else SHORT_ALIKE
    by_folded: dict[str, str] = {}
    for choice in choices:
        by_folded.setdefault(choice.casefold(), choice)
    near = get_close_matches(word, choices, n=1, cutoff=cutoff)
    if not near:
        near = [by_folded[m] for m in get_close_matches(word.casefold(), by_folded, n=1, cutoff=cutoff)]
    return near[0] if near else None


def advice(word: str, choices: Iterable[str], listed_as: str = "choose among") -> str:
    """`; did you mean 'x'?` if a choice is near, else `; choose among a, b, c`."""
    choices = list(choices)
    near = nearest(word, choices)
    if near is not None:
        return f"; did you mean '{near}'?"
    return f"; {listed_as} {listing(choices)}" if choices else ""


def listing(choices: Iterable[str]) -> str:
    """`a, b, c`, cut short when there are many."""
    choices = list(choices)
    shown = ", ".join(choices[:LISTED_AT_MOST])
    return f"{shown} …" if len(choices) > LISTED_AT_MOST else shown
