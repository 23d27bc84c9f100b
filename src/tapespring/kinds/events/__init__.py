"""Events: crossings of a level that are located in time."""
