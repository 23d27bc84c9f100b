"""Reduced bodies: what they hold, their inertia, their file."""

from .inertia import Inertia
from .reduced import Frame, Picture, Reduced, Second, Stress

__all__ = ["Frame", "Inertia", "Picture", "Reduced", "Second", "Stress"]
