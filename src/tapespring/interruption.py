"""Ctrl-C, and the signals with which batch queues and closing terminals ask a process to end.

Python calls the handler of a signal between two of its own instructions. While compiled code runs, that is when it
returns; or inside a Python function it has called (a law Numba cannot compile), and an exception raised there would be
lost, for compiled code cannot pass it on. There the handler only takes note, and whoever called the compiled code
raises KeyboardInterrupt once that has returned, with its last step whole.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

CTRL_C = (signal.SIGINT,)
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

called_back: set[CodeType] = set()  # Python functions that compiled code calls
waiting: list[int] = []  # signals noted there
received: list[int] = []  # all signals since `interruptible` began
earlier: dict[int, Any] = {}  # handlers of others


def calls_back(function: Callable[..., Any]) -> Any:
    """Mark a Python function as one that compiled code calls."""
    called_back.add(function.__code__)
    return function


def raise_waiting() -> None:
    """After compiled code has returned: raise what was noted while it ran, unless compiled code is behind this too."""
    if not _is_called_back(sys._getframe()):
        waiting.clear()
        raise KeyboardInterrupt


def put_off() -> bool:
    """Inside a function called back, of an interruption that was raised there all the same: leave it to whoever called
    the compiled code. False if one waits already: then the function itself does not end."""
    first = not waiting
    waiting.append(signal.SIGINT)
    return first


@contextmanager
def interruptible(signals: tuple[int, ...] = CTRL_C) -> Iterator[None]:
    """Within it the signals raise KeyboardInterrupt, as soon as compiled code has returned. Handlers of others (of an
    event loop) are called first; signals that are ignored (nohup) stay so. Only the main thread has signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    present = {number: signal.getsignal(number) for number in signals}
    ours = {n: old for n, old in present.items() if old not in (_handle, signal.SIG_IGN, None)}
    if ours and _handle not in present.values():
        waiting.clear()
        received.clear()
    for number, old in ours.items():
        earlier[number] = old
        signal.signal(number, _handle)
    try:
        yield
    finally:
        for number, old in ours.items():
            signal.signal(number, old)


def leave_to_parent() -> None:
    """In a process that works for another: the signals of a whole group are that one's affair."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def was_interrupted() -> bool:
    """Whether a signal has come since `interruptible` began."""
    return bool(received)


def exit_code() -> int:
    """Of a process that was interrupted: 128 and the number of the signal."""
    return 128 + int(received[-1] if received else signal.SIGINT)


def _handle(number: int, frame: FrameType | None) -> None:
    if received and number != signal.SIGINT:
        return  # asked once, a process is on its way to its end; asking again must not keep it from saving
    received.append(number)
    inside = _is_called_back(frame) and not waiting
    if inside:
        waiting.append(number)
    if callable(earlier[number]) and earlier[number] is not signal.default_int_handler:
        earlier[number](number, frame)
    if not inside:
        raise KeyboardInterrupt


def _is_called_back(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code in called_back:
            return True
        frame = frame.f_back
    return False
