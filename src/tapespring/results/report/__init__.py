"""The report: one HTML file that plays the motion beside its curves and says how far to trust the numbers.

Python packs the numbers, the page draws them. The program of the page is `page.js` and `page.css`, built from the
folder `report` at the root of the repository (`npm ci && npm run build` there) and kept here: nobody needs Node.
"""

from .page import write_report

__all__ = ["write_report"]
