"""One HTML document that loads nothing and runs nothing but its own program.

What stands in a page comes from files, and files may come from strangers. Texts are escaped where they are written; and
should one slip through, the browser still runs no script and takes no style but the two whose hashes are given here.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from importlib.resources import files

FOOTER = "<footer>Written by tapespring. Everything is in this file; it loads nothing.</footer>"


def document(title: str, body: Sequence[str], *, style: str, program: str = "") -> str:
    """The text of a page; `body` is HTML, `program` runs at its end."""
    head = (
        "<meta charset='utf-8'><meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<meta http-equiv='Content-Security-Policy' content=\"{policy(style, program)}\">"
        f"<title>{escape(title)}</title><style>{style}</style>"
    )
    script = [f"<script>{program}</script>"] if program else []
    return "\n".join([f"<!doctype html><html lang='en'><head>{head}</head><body>", *body, *script, "</body></html>"])


def policy(style: str, program: str) -> str:
    """What a browser may do for a page: nothing from anywhere, and only this style and this program."""
    runs = hashed(program) if program else "'none'"
    return (
        f"default-src 'none'; script-src {runs}; style-src {hashed(style)}; img-src data: blob:; base-uri 'none'; "
        "form-action 'none'"
    )


def hashed(text: str) -> str:
    """As browsers compare it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def asset(name: str) -> str:
    """A file that was built from the folder `report` at the root of the repository."""
    return (files(__package__) / name).read_text(encoding="utf-8")
