"""A reduced body as one .npz file (numpy's archive of arrays; nothing in it is ever executed).

about            text, JSON: format, version, name, held, labels, frames (names in order, whether they turn), picture's
                 kinds of cells, stress (name, about, unit, labels), source
stiffness, damping, frequencies, positions, shapes            as in `Reduced`
inertia/…        mass, first, second, momentum, spin, by_shape, by_two, gyration, modal: as in `Inertia`
frames/position (f, 3), frames/axes (f, 3, 3), frames/translation, frames/rotation (f, 3, n)
picture/points, picture/shapes, picture/cells/<kind>
stress/<name>    (r, n)
second/…         momentum, moment, frames: as in `Second`, with geometric stiffening
"""

from __future__ import annotations

import io
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from ..results.archives import read_arrays
from ..results.safe_file import replacing
from ..schema.problems import ModelError
from .inertia import Inertia
from .reduced import Frame, Picture, Reduced, Second, Stress

FORMAT, VERSION = "tapespring reduced body", 1
PLAIN = ("stiffness", "damping", "frequencies", "positions", "shapes")
OF_FRAMES = ("position", "axes", "translation", "rotation")


def save(body: Reduced, path) -> Path:
    """Write it, whole or not at all. Raises ResultsFileError."""
    memory = io.BytesIO()
    np.savez_compressed(memory, **arrays_of(body))
    with replacing(path) as file:
        file.write(memory.getvalue())
    return Path(path)


def arrays_of(body: Reduced) -> dict[str, Any]:
    about = {
        "format": FORMAT,
        "version": VERSION,
        "name": body.name,
        "held": body.held,
        "labels": list(body.labels),
        "frames": [{"name": f.name, "turns": f.turns} for f in body.frames.values()],
        "stress": [
            {"name": s.name, "about": s.about, "unit": s.unit, "labels": s.labels} for s in body.stress.values()
        ],
        "source": body.source,
    }
    found: dict[str, Any] = {"about": np.array(json.dumps(about))}
    found |= {key: getattr(body, key) for key in PLAIN}
    found |= {f"inertia/{f.name}": getattr(body.inertia, f.name) for f in fields(Inertia)}
    for key in OF_FRAMES:
        found[f"frames/{key}"] = np.array([getattr(frame, key) for frame in body.frames.values()])
    if body.picture is not None:
        found |= {"picture/points": body.picture.points, "picture/shapes": body.picture.shapes}
        found |= {f"picture/cells/{kind}": cells for kind, cells in body.picture.cells.items()}
    if body.second is not None:
        found |= {f"second/{f.name}": getattr(body.second, f.name) for f in fields(Second)}
    return found | {f"stress/{name}": stress.rows for name, stress in body.stress.items()}


def load(path) -> Reduced:
    """Raises ModelError."""
    try:
        arrays = read_arrays(path)
        return body_of(read_about(path, arrays), arrays)
    except FileNotFoundError:
        raise ModelError.at(str(path), 0, 0, "there is no such file") from None
    except (OSError, ValueError, TypeError, AttributeError, IndexError, RecursionError) as reason:
        message = f"this is no reduced body ({reason}); write one with 'tapespring reduce'"
        raise ModelError.at(str(path), 0, 0, message) from None
    except KeyError as missing:
        message = f"{missing} is missing in this reduced body; reduce it anew"
        raise ModelError.at(str(path), 0, 0, message) from None


def read_about(path, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    if "about" not in arrays:
        raise ValueError("no entry 'about'")
    about = json.loads(str(arrays["about"]))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(f"its format is not '{FORMAT}'")
    if about["version"] != VERSION:
        message = f"a reduced body of format version {about['version']}; this program reads {VERSION}; reduce it anew"
        raise ModelError.at(str(path), 0, 0, message)
    return about


def body_of(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> Reduced:
    inertia: dict[str, Any] = {f.name: arrays[f"inertia/{f.name}"] for f in fields(Inertia)}
    inertia["mass"] = float(inertia["mass"])
    frames = {
        f["name"]: Frame(f["name"], turns=f["turns"], **{key: arrays[f"frames/{key}"][k] for key in OF_FRAMES})
        for k, f in enumerate(about["frames"])
    }
    stress = {
        s["name"]: Stress(s["name"], s["about"], s["unit"], tuple(s["labels"]), arrays[f"stress/{s['name']}"])
        for s in about["stress"]
    }
    picture, prefix = None, "picture/cells/"
    if "picture/points" in arrays:
        cells = {key.removeprefix(prefix): value for key, value in arrays.items() if key.startswith(prefix)}
        picture = Picture(arrays["picture/points"], cells, arrays["picture/shapes"])
    second = None
    if "second/moment" in arrays:
        second = Second(**{f.name: arrays[f"second/{f.name}"] for f in fields(Second)})
    return Reduced(
        name=about["name"],
        inertia=Inertia(**inertia),
        frames=frames,
        labels=tuple(about["labels"]),
        held=about["held"],
        picture=picture,
        stress=stress,
        second=second,
        source=about["source"],
        **{key: arrays[key] for key in PLAIN},
    )
