"""Axes of beams and cables: lines, arcs, helices, splines; one file each."""
