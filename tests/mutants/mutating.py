"""Models with one mistake each, made at random from sound ones; the same seed gives the same mutants."""

import copy
import math
import random
from pathlib import Path
from typing import Any

from tapespring.kinds.registry import kinds
from tapespring.schema.source import read_yaml, yaml_text

EXAMPLES = Path(__file__).parents[2] / "examples"

JUNK: list[Any] = [
    *[None, True, False, 0, -1, 1, 0.5, -2.5, 3, 10**9, 10**400, 1e300, -1e300, 1e-300, 1e40, math.nan, math.inf],
    *["", "banana", "5 kg", "-3 mm", "30 deg", "30 %", "3 Hz", "1e30 GPa", "1 ns", "1e9 s", "x", "-z", "5 N + 3 kg"],
    *["2*t", "sin(", "t/0", "1/t", "ground", "ground.nonsense", "nobody", "a.b.c", "ground\n", "µm", "ÿ\u200b"],
    *["nan", "x" * 5000],
    *[[], {}, [[]], [0, 0, 0], [1, 2], ["1 m", 0, 0], [None], {"kind": "rigid"}, {"kind": ["rigid"]}, {"x": 1}, {1: 2}],
    *[{"table": [[0, 0], [0, 1]]}, {"csv": "nobody.csv"}, {"expression": "banana(t)"}],
]


def sound_models() -> dict[str, dict[str, Any]]:
    """The models of the registry and the examples, by name, as plain data."""
    found = {f"kind {kind.name}": kind.example for kind in kinds().values()}
    for path in sorted(EXAMPLES.rglob("*.yaml")):
        data = read_yaml(path).data
        if "bodies" in data:
            found[str(path.relative_to(EXAMPLES))] = data
    return {name: copy.deepcopy(data) for name, data in found.items() if data}


def mutant(data: dict[str, Any], chance: random.Random) -> str:
    """The text of a model file with one mistake in it."""
    data = copy.deepcopy(data)
    change = chance.choice([replaced, replaced, replaced, removed, renamed, scaled, exchanged, wrapped, None])
    if change is not None:
        change(data, chance)
    text = yaml_text(data)
    return text if change is not None else torn(text, chance)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of plain data."""
    found = []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found.append((data, key))
        found += places(value)
    return found


def replaced(data, chance):
    holder, key = chance.choice(places(data))
    holder[key] = copy.deepcopy(chance.choice(JUNK))


def removed(data, chance):
    holder, key = chance.choice(places(data))
    del holder[key]


def renamed(data, chance):
    holder, key = chance.choice([(h, k) for h, k in places(data) if isinstance(h, dict)])
    holder[chance.choice(["x", "kind", f"{key}s", str(key)[:-1], "nobody", ""])] = holder.pop(key)


def scaled(data, chance):
    numbers = [(h, k) for h, k in places(data) if isinstance(h[k], (int, float)) and not isinstance(h[k], bool)]
    texts = [(h, k) for h, k in places(data) if isinstance(h[k], str) and h[k][:1].isdigit() and " " in h[k]]
    if not numbers and not texts:
        return replaced(data, chance)
    holder, key = chance.choice(numbers + texts)
    factor = chance.choice([0, -1, 1e-12, 1e-3, 1e3, 1e12, 1e60])
    if isinstance(holder[key], str):
        number, _, unit = holder[key].partition(" ")
        plain = number.replace(".", "", 1).isdigit()
        holder[key] = f"{float(number) * factor if plain else factor!r} {unit}"
    else:
        holder[key] *= factor
    return None


def exchanged(data, chance):
    (a, i), (b, k) = chance.choice(places(data)), chance.choice(places(data))
    a[i], b[k] = copy.deepcopy(b[k]), copy.deepcopy(a[i])


def wrapped(data, chance):
    holder, key = chance.choice(places(data))
    holder[key] = chance.choice([[holder[key]], {"value": holder[key]}, str(holder[key]), [holder[key]] * 3])


def torn(text, chance):
    """One character lost, added or changed, or the end of the file lost."""
    at = chance.randrange(len(text))
    return chance.choice([
        text[:at], text[:at] + text[at + 1 :], text[:at] + chance.choice("\t:{}[]#&*!|>'\"%@-,\n0eµ\0") + text[at:],
        text[:at] + chance.choice("x9 .") + text[at + 1 :],
    ])  # fmt: skip
