"""Bodies: what has mass, and frames whose motion is given."""
