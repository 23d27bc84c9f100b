"""The motion of a scene at the frames of the animation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..skins import skin
from .fields import fields_of
from .pack import Blobs

if TYPE_CHECKING:
    from ..dataset import Results

MOST_FRAMES, FEWEST_FRAMES = 600, 60
MOST_NUMBERS = 16_000_000  # of all frames together
MOST_LINE_NODES = 1000
FLEXIBLE = ("line", "mesh")
Part = dict[str, Any]
Rows = NDArray[np.int64]


def animation(results: Results, blobs: Blobs) -> Part | None:
    """The scene with its motion packed; None if there is nothing to draw."""
    parts = [part for part in results.scene.get("parts", ()) if has_motion(results, part)]
    if not parts:
        return None
    drawn = {part["name"]: thinned(part) for part in parts if part["kind"] in FLEXIBLE}
    rows = frames(results.time, sum(3 * len(kept) for kept, _ in drawn.values()) + 7 * len(parts))
    packed: list[Part] = []
    for part in parts:
        if part["kind"] in FLEXIBLE:
            packed.append(flexible(results, part, rows, drawn[part["name"]], blobs))
        elif part["kind"] == "contact":
            packed.append(contact(results, part, rows, blobs))
        else:
            packed.append(fixed_to(part, drawn))
    return {
        "time": blobs.floats(results.time[rows], "f8"),
        "rows": len(results.time),
        "gravity": results.scene.get("gravity", [0.0, 0.0, 0.0]),
        "bodies": rigid_motion(results, parts, rows, blobs),
        "parts": packed,
    }


def has_motion(results: Results, part: Part) -> bool:
    """Whether the run recorded where the part is."""
    name = part["name"]
    if part["kind"] in FLEXIBLE:
        return f"{name}.positions" in results.channels
    if part["kind"] == "contact":
        return f"{name}.point" in results.channels
    if part["kind"] in ("rigid", "point"):
        return name == "ground" or f"{name}.position" in results.channels
    return True


def frames(time: NDArray[np.float64], numbers: int) -> Rows:
    """Rows to show, even in time."""
    most = int(np.clip(MOST_NUMBERS // max(numbers, 1), FEWEST_FRAMES, MOST_FRAMES))
    if len(time) <= most:
        return np.arange(len(time))
    even = np.linspace(time[0], time[-1], most)
    return np.unique(np.append(np.searchsorted(time, even[:-1]), len(time) - 1))


def thinned(part: Part) -> tuple[Rows, Part]:
    """(nodes that are drawn, what is drawn between them)"""
    if part["kind"] == "mesh":
        seen, triangles, edges = skin(part)
        return seen, {"triangles": triangles, "edges": edges}
    every = -(-part["nodes"] // MOST_LINE_NODES)
    return np.unique(np.append(np.arange(0, part["nodes"], every), part["nodes"] - 1)), {}


class NodeFrames:
    """Three numbers of each node that is drawn, frame by frame."""

    def __init__(self, values: NDArray[np.float64], rows: Rows, kept: Rows) -> None:
        self.values, self.rows, self.kept = values, rows, kept

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, frame: int, /) -> NDArray[np.float64]:
        return self.values[self.rows[frame]].reshape(-1, 3)[self.kept]


def flexible(results: Results, part: Part, rows: Rows, drawn: tuple[Rows, Part], blobs: Blobs) -> Part:
    """A line or mesh: its nodes, what is between them, and what it is coloured by."""
    kept, between = drawn

    def nodes(channel: str) -> NodeFrames:
        return NodeFrames(results[f"{part['name']}.{channel}"].values, rows, kept)

    packed = {key: value for key, value in part.items() if key not in ("cells", "sides")}
    packed |= {key: blobs.indices(value) for key, value in between.items()}
    packed["positions"] = blobs.motion(nodes("positions"))
    if f"{part['name']}.section_up" in results.channels and "outline" in part:
        packed["up"] = blobs.motion(nodes("section_up"))
    packed["fields"] = [
        {"name": name, "unit": unit, "values": blobs.motion(values[:, kept, None]), "range": spread(values)}
        for name, unit, values in fields_of(results, part, rows)
    ]
    return packed


def spread(values: NDArray[np.float64]) -> list[float]:
    """What nearly all values lie between: a few corners with singular stress shall not dim all others."""
    finite = values[np.isfinite(values)]
    return np.quantile(finite, (0.002, 0.998)).tolist() if len(finite) else [0.0, 1.0]


def contact(results: Results, part: Part, rows: Rows, blobs: Blobs) -> Part:
    """Where and how strongly it acts; in each frame at the strongest instant since the last one, so that short hits
    are seen."""
    force, point = (results[f"{part['name']}.{channel}"].values for channel in ("force", "point"))
    size = np.nan_to_num(np.linalg.norm(force, axis=1))
    before = np.concatenate(([0], rows[:-1] + 1))
    strongest = [int(b + np.argmax(size[b : row + 1])) for b, row in zip(before, rows, strict=True)]
    return part | {"force": blobs.floats(force[strongest]), "point": blobs.floats(point[strongest])}


def fixed_to(part: Part, drawn: dict[str, tuple[Rows, Part]]) -> Part:
    """Its places by numbers of nodes that are drawn."""

    def moved(place: Any) -> Any:
        if not isinstance(place, dict) or "node" not in place or place["body"] not in drawn:
            return place
        return place | {"node": int(np.abs(drawn[place["body"]][0] - place["node"]).argmin())}

    packed = dict(part)
    for key in ("ends", "places"):
        if key in part:
            packed[key] = [moved(place) for place in part[key]]
    return packed | {key: moved(part[key]) for key in ("at", "second") if key in part}


def rigid_motion(results: Results, parts: list[Part], rows: Rows, blobs: Blobs) -> Part:
    """Frames of all rigid bodies and point masses together."""
    names = [part["name"] for part in parts if part["kind"] in ("rigid", "point") and part["name"] != "ground"]
    if not names:
        return {"names": []}
    still = np.broadcast_to(np.array([1.0, 0.0, 0.0, 0.0]), (len(rows), 4))
    turns = [
        results[f"{name}.orientation"].values[rows] if f"{name}.orientation" in results.channels else still
        for name in names
    ]
    places = [results[f"{name}.position"].values[rows] for name in names]
    return {
        "names": names,
        "position": blobs.motion(np.stack(places, axis=1)),
        "orientation": blobs.motion(np.stack(turns, axis=1)),
    }
