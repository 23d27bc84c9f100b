"""A run as a movie, drawn with matplotlib: .gif with nothing else, .mp4 with ffmpeg."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .extras import need
from .pieces import Piece, pieces_of
from .safe_file import ResultsFileError
from .skins import outside, split

if TYPE_CHECKING:
    from .dataset import Results

RATE = 25  # frames per second
LONGEST = 250  # frames: ten seconds
COLORS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
LIGHT = np.array([0.4, -0.5, 0.77])


def write_movie(results: Results, path: str | os.PathLike[str], speed: float | None = None) -> Path:
    """Write a .gif or .mp4; `speed`: simulated seconds per second of it, else such that it lasts at most ten seconds.
    Raises ResultsFileError, MissingExtraError."""
    path = Path(path)
    animation = need("matplotlib.animation", "plot", "a movie")
    if path.suffix.lower() == ".mp4" and shutil.which("ffmpeg") is None:
        raise ResultsFileError(f"'{path.name}': an .mp4 needs the program ffmpeg; a .gif needs nothing else")
    pieces = pieces_of(results)
    rows = frame_rows(results.time, speed)
    figure, axes = stage(pieces)
    kind = animation.FFMpegWriter if path.suffix.lower() == ".mp4" else animation.PillowWriter
    unfinished = path.with_name(f".{path.stem}.unfinished{path.suffix}")
    shapes = {piece.name: faces_of(results, piece) for piece in pieces}
    try:
        with kind(fps=RATE).saving(figure, os.fspath(unfinished), 100) as writer:
            for row in rows:
                draw(axes, pieces, shapes, row, float(results.time[row]))
                writer.grab_frame()
        unfinished.replace(path)
    except OSError as error:
        raise ResultsFileError(f"cannot write '{path}': {error.strerror or error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return path


def frame_rows(time: NDArray[np.float64], speed: float | None) -> NDArray[np.int64]:
    """Rows nearest to the times of frames."""
    span = float(time[-1] - time[0])
    if len(time) < 2 or not span > 0.0:
        return np.zeros(1, np.int64)
    frames = LONGEST if speed is None else max(2, round(span / speed * RATE))
    frames = min(frames, len(time)) if speed is None else frames
    wanted = np.linspace(time[0], time[-1], frames)
    return np.abs(np.searchsorted(0.5 * (time[1:] + time[:-1]), wanted))


def stage(pieces: list[Piece]) -> tuple[Any, Any]:
    """A figure around all that is ever reached, seen along the direction in which there is least."""
    figure_module = need("matplotlib.figure", "plot", "a movie")
    need("mpl_toolkits.mplot3d", "plot", "a movie")
    points = np.concatenate([piece.points.reshape(-1, 3) for piece in pieces])
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = 0.5 * (low + high), 0.55 * max(float((high - low).max()), 1e-9)
    figure = figure_module.Figure(figsize=(6.4, 4.8), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    across = int(np.argmin((high - low)[:2]))
    axes.view_init(elev=12, azim=-20 if across == 0 else -75)
    for name, at in zip("xyz", middle, strict=True):
        getattr(axes, f"set_{name}lim")(at - half, at + half)
        getattr(axes, f"set_{name}label")(f"{name} [m]")
    axes.set_box_aspect((1, 1, 1))
    return figure, axes


def faces_of(results: Results, piece: Piece) -> NDArray[np.int64]:
    """Triangles that are seen of a piece, by its points."""
    solid = [p for p in results.scene["parts"] if (p["name"], p["kind"], p.get("of")) == (piece.name, "mesh", "solid")]
    if solid:
        faces = outside(solid[0])
    else:
        faces = [np.array(rows) for kind, rows in piece.cells.items() if kind in ("triangle", "quad") and len(rows)]
    return np.concatenate([split(face) for face in faces]) if faces else np.zeros((0, 3), np.int64)


def draw(axes: Any, pieces: list[Piece], faces: dict[str, NDArray[np.int64]], row: int, time: float) -> None:
    """One frame."""
    art = need("mpl_toolkits.mplot3d.art3d", "plot", "a movie")
    for old in [*axes.collections, *axes.lines]:
        old.remove()
    axes.set_title(f"t = {time:.4g} s")
    for k, piece in enumerate(pieces):
        points, color = piece.points[row], COLORS[k % len(COLORS)]
        triangles = points[faces[piece.name]]
        if len(triangles):
            axes.add_collection3d(art.Poly3DCollection(triangles, facecolors=shaded(triangles, color), linewidths=0))
        lines = piece.cells.get("line", [])
        if lines:
            axes.add_collection3d(art.Line3DCollection(points[np.array(lines)], colors=color, linewidths=2))
        for (at,) in piece.cells.get("vertex", []):
            axes.plot(*points[at][:, None], "o", color=color)


def shaded(triangles: NDArray[np.float64], color: str) -> NDArray[np.float64]:
    """Colors by how a triangle lies to the light; both sides alike."""
    rgb = np.array([int(color[k : k + 2], 16) / 255.0 for k in (1, 3, 5)])
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normal, axis=1)
    facing = np.abs(normal @ LIGHT) / np.where(length > 0.0, length, 1.0)
    return np.clip(rgb * (0.55 + 0.45 * facing[:, None]), 0.0, 1.0)
