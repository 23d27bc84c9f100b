"""Small pieces of Markdown."""


def cell(text: str) -> str:
    """Text that stays within a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str | None) -> str:
    return f"`{cell(text)}`" if text is not None else ""


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
