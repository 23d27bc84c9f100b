"""Models are evaluated as in the contracts."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "contracts"))
