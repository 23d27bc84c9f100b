"""Cross sections of beams, one file per shape."""
