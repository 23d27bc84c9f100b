"""Drives: coordinates of joints that follow a given history."""
