"""Links from pages to files of the repository, which a forge follows and the site does not have, become plain text."""

import posixpath
import re

LINK = re.compile(r"\[([^\]]*)\]\((\.\.?/[^)\s#]*)\)")


def on_page_markdown(markdown: str, page, config, files) -> str:
    """Called by MkDocs with every page."""
    folder = posixpath.dirname(page.file.src_uri)

    def plain(link: re.Match) -> str:
        outside = posixpath.normpath(posixpath.join(folder, link[2])).startswith("..")
        return link[1] if outside else link[0]

    return LINK.sub(plain, markdown)
