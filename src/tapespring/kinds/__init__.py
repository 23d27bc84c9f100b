"""The kinds a model is made of: one file each, found by the registry."""
