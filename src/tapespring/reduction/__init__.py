"""From finite elements to a body of a few coordinates: sources of matrices, interfaces, modes, inertia, one file."""
