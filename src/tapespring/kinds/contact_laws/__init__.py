"""Normal laws of contacts, one file per law."""
