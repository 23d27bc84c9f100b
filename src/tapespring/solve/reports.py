"""Changes of contacts on record, among the events."""

from ..jit import device
from .steps import EVENTS

KINDS = 8  # per pair, see mechanics.touching


@device
def report(loop, record, t, i, kind, value):
    """Pair i changed; value: the impulse of a hit."""
    k = loop.count[EVENTS]
    if k < len(record.event_time):
        record.event_time[k] = t
        record.event_watch[k] = -1 - (KINDS * i + kind)
        record.event_value[k] = value
        loop.count[EVENTS] += 1
