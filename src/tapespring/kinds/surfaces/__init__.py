"""Surfaces that can touch, one file per shape."""
