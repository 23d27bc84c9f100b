"""Where a run is, in a few words."""

from __future__ import annotations

import numpy as np


def progress_words(time: float, step: float, record, rows: int, audited: bool = True) -> str:
    """Time and step; what touched, and how energy balanced, in the last row written."""
    words = [f"t = {time:.4g} s", f"step {step:.1e} s"]
    if rows and record.contact.shape[1]:
        touching = int(np.maximum(record.contact[rows - 1, :, 8] - 1.0, 0.0).sum())
        words.append(f"{touching} touching")
    if rows > 1 and audited:
        e = record.energy[[0, rows - 1]]
        balance = e[:, :3].sum(axis=1) - e[:, 3:5].sum(axis=1) + e[:, 5:].sum(axis=1)
        scale = float(np.abs(record.energy[:rows]).max())
        words.append(f"energy off by {abs(balance[1] - balance[0]) / (scale or 1.0):.0e}")
    return ", ".join(words)
