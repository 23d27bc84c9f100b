"""Threads and processes on this machine that run chunks. A process that dies is replaced, its chunk run again."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for_one
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from ..interruption import leave_to_parent
from .chunks import Chunk, Chunks, run_chunk, trial_of
from .store import Piece
from .trial import Recipe, Trial

Finished = Callable[[Piece], None]
READY = "ready"
STILLBORN = 50  # processes in a row that end before they are ready
AHEAD = 2  # chunks a process holds, so that it is not idle while others are written down
GUARD = "call it behind `if __name__ == '__main__':`"


class Here:
    """No other process: chunks are run in this one."""

    workers = 1

    def __init__(self, trial: Trial):
        self.trial = trial

    def run(self, chunks: Chunks, finished: Finished) -> None:
        """Run everything; `finished` is called with each piece."""
        while (chunk := chunks.next()) is not None:
            piece = run_chunk(self.trial, chunk)
            chunks.came_back(piece)
            finished(piece)

    def close(self) -> None:
        pass


class Threads:
    """Threads of this process, for models whose samples are run by one compiled loop, without Python's lock."""

    def __init__(self, trial: Trial, workers: int):
        self.trial, self.workers = trial, workers
        self.crew = ThreadPoolExecutor(workers)

    def run(self, chunks: Chunks, finished: Finished) -> None:
        """Run everything; `finished` is called with each piece, in this thread."""
        running: set[Future[Piece]] = set()
        while True:
            while len(running) < AHEAD * self.workers and (chunk := chunks.next()) is not None:
                running.add(self.crew.submit(run_chunk, self.trial, chunk))
            if not running:
                return
            done, running = wait_for_one(running, return_when=FIRST_COMPLETED)
            for piece in [future.result() for future in done]:
                chunks.came_back(piece)
                finished(piece)

    def close(self) -> None:
        self.crew.shutdown(cancel_futures=True)


@dataclass
class Worker:
    """A process, the line to it, and what it is busy with."""

    process: Any
    line: Connection
    ready: bool = False  # a process that dies before has done nothing to a sample
    chunks: deque[Chunk] = field(default_factory=deque)  # the first is being run


class Pool:
    """Some processes that stay for as long as the study lasts."""

    def __init__(self, recipe: Recipe, name: str, workers: int):
        self.recipe, self.name, self.workers = recipe, name, workers
        self.context = get_context("spawn")
        self.crew: list[Worker] = []
        self.stillborn = 0

    def _hire(self) -> None:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=work, args=(theirs, self.recipe, self.name), daemon=True)
        process.start()
        theirs.close()
        self.crew.append(Worker(process, ours))

    def run(self, chunks: Chunks, finished: Finished) -> None:
        """Run everything; `finished` is called with each piece, in the order they come."""
        while True:
            self._hand_out(chunks, finished)
            awaited = [w for w in self.crew if w.chunks or (chunks.left and not w.ready)]
            if not awaited:
                return
            ready = wait([w.line for w in awaited])
            for worker in awaited:
                if worker.line in ready:
                    self._take(worker, chunks, finished)

    def _hand_out(self, chunks: Chunks, finished: Finished) -> None:
        """Give every process chunks, first those that have none, as long as there are any."""
        while len(self.crew) < min(self.workers, len(self.crew) + chunks.left):
            self._hire()
        for held in range(AHEAD):
            for worker in [w for w in self.crew if w.ready and len(w.chunks) == held]:
                if (chunk := chunks.next()) is None:
                    return
                worker.chunks.append(chunk)
                try:
                    worker.line.send(chunk)
                except OSError:
                    self._buried(worker, chunks, finished)

    def _take(self, worker: Worker, chunks: Chunks, finished: Finished) -> None:
        try:
            answer = worker.line.recv()
        except (EOFError, OSError):
            self._buried(worker, chunks, finished)
            return
        if isinstance(answer, BaseException):
            raise answer
        if answer == READY:
            worker.ready, self.stillborn = True, 0
            return
        worker.chunks.popleft()
        chunks.came_back(answer)
        self._hand_out(chunks, finished)
        finished(answer)

    def _buried(self, worker: Worker, chunks: Chunks, finished: Finished) -> None:
        """A process that died; what it was busy with goes back."""
        self.crew.remove(worker)
        worker.line.close()
        worker.process.join()
        code = worker.process.exitcode
        why = f"killed by {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        if not worker.ready:
            self.stillborn += 1
            if self.stillborn > STILLBORN or (code == 1 and self.stillborn > 1):
                raise RuntimeError(f"processes end as soon as they start ({why}); in a script, {GUARD}")
        if worker.chunks and (piece := chunks.died(worker.chunks.popleft(), why)) is not None:
            finished(piece)
        chunks.back.extend(worker.chunks)  # which it had not begun

    def close(self) -> None:
        """Send everybody home; who is busy is ended."""
        for worker in self.crew:
            worker.line.close()
            if worker.chunks:
                worker.process.kill()
        for worker in self.crew:
            worker.process.join(5.0)
            if worker.process.is_alive():
                worker.process.kill()
        self.crew.clear()


def work(line: Connection, recipe: Recipe, name: str) -> None:
    """What a process does: chunks, until the line is cut, be it by the end of the process at its other end."""
    leave_to_parent()
    try:
        answer: Any = READY
        trial_of(recipe, name)
        while True:
            line.send(answer)
            chunk = line.recv()
            answer = run_chunk(trial_of(recipe, name), chunk)
    except (EOFError, OSError):
        return
    except Exception as error:
        line.send(error)
