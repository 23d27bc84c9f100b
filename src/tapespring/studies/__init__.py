"""Many runs of one model: sweeps, scatter and margins, what matters, how often it fails."""

from .outcome import StudyResults
from .sweep import study

__all__ = ["StudyResults", "study"]
