"""Chunks on the workers of a Dask cluster, here or on other machines (extra `cluster`)."""

from __future__ import annotations

from typing import Any

from ..results.extras import need
from ..schema.problems import ModelError, Problem
from .chunks import Chunk, Chunks, run_chunk, trial_of
from .pool import Finished
from .store import Piece
from .trial import Recipe

SILENT: dict[str, Any] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
AHEAD = 2  # chunks per worker that wait there, so that none is idle
WAIT = 10.0  # s for a scheduler to answer


class Cluster:
    """A scheduler at an address, a client somebody has, or `local`: processes here under a scheduler of their own.

    Dask runs a dead worker's tasks elsewhere; a chunk that has killed several is run again sample by sample.
    """

    def __init__(self, recipe: Recipe, name: str, where: Any, workers: int):
        self.recipe, self.name = recipe, name
        distributed = need("distributed", "cluster", "--cluster")
        self.own: list[Any] = []  # what has to be closed
        if isinstance(where, str):
            if where == "local":
                where = local_cluster(distributed, workers)
                self.own.append(where)
            try:
                self.client = distributed.Client(where, timeout=WAIT, set_as_default=False)
            except OSError as error:
                message = f"no Dask scheduler answers at {where} ({error}); start one with `dask scheduler`"
                raise ModelError([Problem(None, (), message)]) from None
            self.own.insert(0, self.client)
        else:
            self.client = where

    @property
    def workers(self) -> int:
        """Threads of all workers, which come and go."""
        return max(1, sum(self.client.nthreads().values()))

    def run(self, chunks: Chunks, finished: Finished) -> None:
        """Run everything; `finished` is called with each piece."""
        from distributed import as_completed

        running: dict[Any, Chunk] = {}
        done = as_completed(loop=self.client.loop)
        while True:
            while len(running) < AHEAD * self.workers and (chunk := chunks.next()) is not None:
                future = self.client.submit(run_there, self.recipe, self.name, chunk, pure=False)
                running[future] = chunk
                done.add(future)
            if not running:
                return
            future = next(done)
            self._take(future, running.pop(future), chunks, finished)

    def _take(self, future: Any, chunk: Chunk, chunks: Chunks, finished: Finished) -> None:
        from distributed import KilledWorker

        try:
            piece = future.result()
        except KilledWorker as error:
            lost = chunks.died(chunk, f"Dask gave up after its workers died ({error})")
            if lost is not None:
                finished(lost)
            return
        chunks.came_back(piece)
        finished(piece)

    def close(self) -> None:
        for owned in self.own:
            owned.close()


def local_cluster(distributed: Any, workers: int) -> Any:
    """Processes here, which run whatever they are sent: only by who has the key of this one cluster.

    Every process of Dask answers to a browser as well; here with nothing.
    """
    import dask.config

    need("cryptography", "cluster", "--cluster local")
    with dask.config.set(SILENT):
        return distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, security=distributed.Security.temporary(), dashboard_address=None
        )


def run_there(recipe: Recipe, name: str, chunk: Chunk) -> Piece:
    """What a worker does with a chunk."""
    return run_chunk(trial_of(recipe, name), chunk)
