"""The executors: processes of this machine, or a cluster of Dask."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from analyzer.diagnostics import InputError
from analyzer.processes import new_processes, safe_path
from analyzer.reading import most_bytes
from analyzer.session.workers import begin, cores
from analyzer.source import Span

POOL, DASK = "pool", "dask"
# How long a scheduler may take to answer.
CONNECT = "10s"
# How long the result of a call may take to come from the worker that has it.
FETCH = "20s"


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens an executor: `pool`, `dask` for a cluster of this machine, `dask://HOST:PORT`."""

    engine: str = POOL
    workers: int = 0

    def __post_init__(self) -> None:
        if self.engine not in (POOL, DASK) and not self.engine.startswith("dask://"):
            message = f"expected pool, dask or dask://HOST:PORT, not '{self.engine}'"
            raise InputError(message, Span("--engine"), "no-engine")

    @property
    def is_remote(self) -> bool:
        """Return whether the workers may be on other machines."""
        return self.engine.startswith("dask://")

    @property
    def count(self) -> int:
        """Return the number of workers on this machine."""
        return self.workers or cores()

    def __call__(self) -> Executor:
        """Return a new executor.

        Raises:
            InputError: Dask is not installed, or its scheduler does not answer.
        """
        if self.engine == POOL:
            return ProcessPoolExecutor(self.count, new_processes(), begin, (most_bytes(),))
        return dask_executor(self.engine.removeprefix("dask").removeprefix("://"), self.count)


def dask_executor(address: str, workers: int) -> Executor:
    """Return the executor of a Dask cluster, of one on this machine without an address.

    Raises:
        InputError: Dask is not installed, or the scheduler does not answer.
    """
    try:
        import dask
        import distributed
    except ImportError:
        message = "Dask is not installed; install catgraph[cluster]"
        raise InputError(message, Span("--engine dask"), "no-dask") from None
    library: Any = distributed
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    if address:
        try:
            client: Any = library.Client(f"tcp://{address}", timeout=CONNECT)
        except OSError as error:
            span = Span(f"--engine dask://{address}")
            raise InputError(f"the scheduler does not answer: {error}", span) from None
        return Closing(client, None)
    with safe_path():
        cluster: object = library.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            silence_logs=50,
        )
    return Closing(library.Client(cluster), cluster)


class Closing(Executor):
    """A Dask client as an executor, which also closes the resources opened for it.

    The client's own executor waits without end for a result whose worker dies before it is
    fetched, and for all results after it.
    """

    def __init__(self, client: Any, cluster: Any) -> None:
        self.client, self.cluster = client, cluster
        # Dask forgets what nobody refers to.
        self.remote: set[object] = set()

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Hand a call to the cluster."""
        from asyncio import CancelledError

        remote = self.client.submit(call, *args, pure=False, retries=0, **options)
        local: Future[object] = Future()
        self.remote.add(remote)

        def fetched(remote: Any) -> None:
            try:
                local.set_result(remote.result(timeout=FETCH))
            except Exception as error:
                local.set_exception(error)
            except CancelledError as error:
                local.set_exception(RuntimeError(f"cancelled: {error}"))
            self.remote.discard(remote)

        remote.add_done_callback(fetched)
        return local

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close the executor, the client and a cluster of ours."""
        self.remote.clear()
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()
