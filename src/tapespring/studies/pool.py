"""Processes on this machine that run chunks. One that dies is replaced and its chunk is run again."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from .chunks import Chunk, Chunks, run_chunk, run_elsewhere
from .store import Piece
from .trial import Recipe, Trial

Finished = Callable[[Piece], None]


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


@dataclass
class Worker:
    """A process, the line to it, and what it is busy with."""

    process: Any
    line: Connection
    chunk: Chunk | None = None


class Pool:
    """Some processes that stay for as long as the study lasts."""

    def __init__(self, recipe: Recipe, name: str, workers: int):
        self.recipe, self.name, self.workers = recipe, name, workers
        self.context = get_context("spawn")
        self.crew: list[Worker] = []

    def _hire(self) -> Worker:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=work, args=(theirs, self.recipe, self.name), daemon=True)
        process.start()
        theirs.close()
        worker = Worker(process, ours)
        self.crew.append(worker)
        return worker

    def run(self, chunks: Chunks, finished: Finished) -> None:
        """Run everything; `finished` is called with each piece, in the order they come."""
        while True:
            self._hand_out(chunks, finished)
            busy = [w for w in self.crew if w.chunk is not None]
            if not busy:
                return
            ready = wait([w.line for w in busy])
            for worker in busy:
                if worker.line in ready:
                    self._take(worker, chunks, finished)

    def _hand_out(self, chunks: Chunks, finished: Finished) -> None:
        """Give every idle process a chunk, as long as there are any."""
        idle = [w for w in self.crew if w.chunk is None]
        while idle or len(self.crew) < self.workers:
            chunk = chunks.next()
            if chunk is None:
                return
            worker = idle.pop() if idle else self._hire()
            worker.chunk = chunk
            try:
                worker.line.send(chunk)
            except (BrokenPipeError, ConnectionError, OSError):
                self._buried(worker, chunks, finished)

    def _take(self, worker: Worker, chunks: Chunks, finished: Finished) -> None:
        try:
            answer = worker.line.recv()
        except (EOFError, ConnectionError, OSError):
            self._buried(worker, chunks, finished)
            return
        if isinstance(answer, BaseException):
            raise answer
        worker.chunk = None
        chunks.came_back(answer)
        finished(answer)

    def _buried(self, worker: Worker, chunks: Chunks, finished: Finished) -> None:
        """A process that died; what it was busy with goes back."""
        self.crew.remove(worker)
        worker.line.close()
        worker.process.join()
        code = worker.process.exitcode
        why = f"killed by {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        if worker.chunk is not None and (piece := chunks.died(worker.chunk, why)) is not None:
            finished(piece)

    def close(self) -> None:
        """Send everybody home; who is busy is ended."""
        for worker in self.crew:
            worker.line.close()
            if worker.chunk is not None:
                worker.process.terminate()
        for worker in self.crew:
            worker.process.join(5.0)
            if worker.process.is_alive():
                worker.process.kill()
        self.crew.clear()


def work(line: Connection, recipe: Recipe, name: str) -> None:
    """What a process does: chunks, until the line is cut, be it by the end of the process at its other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked for the study decides what an interruption means
    while True:
        try:
            chunk = line.recv()
        except (EOFError, OSError):
            return
        try:
            answer: Any = run_elsewhere(recipe, name, chunk)
        except Exception as error:
            answer = error
        try:
            line.send(answer)
        except (BrokenPipeError, ConnectionError, OSError):
            return
