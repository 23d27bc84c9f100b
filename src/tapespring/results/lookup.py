"""Names that are not there: the error that says what was probably meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

MOST_NAMES_SHOWN = 12


class UnknownChannelError(KeyError):
    """No channel or component of that name; the message holds suggestions."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show the message in quotes, as if it were the key


def unknown_channel(wanted: str, names: Sequence[str]) -> UnknownChannelError:
    """The error for a channel name not among `names`, with the nearest names and the entity's own channels."""
    parts = [f"no channel '{wanted}'"]
    close = get_close_matches(wanted, names, n=3, cutoff=0.6)
    if close:
        parts.append("did you mean " + " or ".join(f"'{name}'" for name in close) + "?")
    entity = wanted.partition(".")[0]
    own = [name for name in names if name.startswith(entity + ".")]
    if own:
        parts.append(f"'{entity}' has {_some(own)}")
    elif not close:
        parts.append(f"there are {_some(names)}" if names else "this run has no channels")
    return UnknownChannelError("; ".join(parts))


def unknown_component(channel: str, wanted: str, components: Sequence[str]) -> UnknownChannelError:
    """The error for a component label that a channel does not have."""
    if not components:
        return UnknownChannelError(f"channel '{channel}' is a single number per time: it has no component '{wanted}'")
    return UnknownChannelError(f"channel '{channel}' has no component '{wanted}'; it has {', '.join(components)}")


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMES_SHOWN])
    more = len(names) - MOST_NAMES_SHOWN
    return f"{shown} and {more} more (names() lists them all)" if more > 0 else shown
