"""Joints: what two bodies may not do to each other."""
