"""What a run gives back: named channels with units, events, an energy audit, and where it all came from.

This folder imports no other part of tapespring, and nothing heavier than numpy until it is asked to: h5py is loaded by
`save` and `load`, matplotlib by `plot`, pandas and xarray by `to_pandas` and `to_xarray`.
"""

from .audit import EnergyAudit
from .channels import Channel
from .dataset import Results
from .extras import MissingExtraError
from .lookup import UnknownChannelError
from .outcome import Event, Status
from .provenance import make_provenance
from .safe_file import ResultsFileError, check_writable
from .state import State

__all__ = [
    "Channel",
    "EnergyAudit",
    "Event",
    "MissingExtraError",
    "Results",
    "ResultsFileError",
    "State",
    "Status",
    "UnknownChannelError",
    "check_writable",
    "make_provenance",
]
