"""tapespring: mechanisms with flexible parts, contact and loose joints."""

__version__ = "0.1.0"
