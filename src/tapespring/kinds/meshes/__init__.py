"""Meshes of membranes, shells and solids: generators, one file each, and files of other programs."""
