"""From functions as users write them to the laws of the engine."""
