"""How a kind says no: what is wrong, and at which of its fields."""


class Refusal(ValueError):
    """A mistake found while building; `field` leads from the entity to the value at fault: `("between", 1)`."""

    def __init__(self, message: str, *field: str | int):
        super().__init__(message)
        self.field = field


class AlreadyRefused(Exception):
    """An entity leans on another one that was refused: nothing more needs to be said."""
