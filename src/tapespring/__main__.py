"""`python -m tapespring`, the same as the `tapespring` command."""

from .cli import main

main()
