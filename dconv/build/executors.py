"""Executors that run the jobs of a build on other machines, by their addresses.

    dask://scheduler:8786    the workers of a Dask cluster, https://distributed.dask.org

The extra "dask" has the library.  Workers need the same version of dconv, and the programs that
read their texts, such as mandoc.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dconv.build.fingerprint import source_fingerprint
from dconv.model.diagnostics import UserError

if TYPE_CHECKING:
    from distributed import Client

# "dask://scheduler:8786", "dask://[::1]:8786"
ADDRESS = re.compile(r"dask://((?:[^\s/:\[\]]+|\[[0-9a-fA-F:.]+\]):\d{1,5})/?")
CONNECT_TIMEOUT = 10  # seconds to reach a scheduler, and for its workers to answer


class ExecutorError(UserError):
    """An executor cannot be used; the message is one sentence for the user."""


@contextmanager
def connect(address: str) -> Iterator[Executor]:
    """Connect to the executor at `address`, until the end of the `with` block.

    Raises `ExecutorError` if the library is missing, nobody answers, there are no workers, they
    have another version of dconv, or one is lost.
    """
    match = ADDRESS.fullmatch(address)
    if match is None:
        raise ExecutorError(f"'{address}' is not the address of an executor; write dask://HOST:PORT")
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError as error:
        raise ExecutorError(
            f"{address} needs the library 'distributed'; install dconv[dask]"
        ) from error
    for logger in ("distributed", "tornado", "asyncio"):  # dconv reports their errors in a sentence
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    try:
        client = Client(f"tcp://{match[1]}", timeout=CONNECT_TIMEOUT, set_as_default=False)
    except OSError as error:
        raise ExecutorError(f"{address}: no scheduler answers; check host and port") from error
    with client:
        _check_workers(client, address)
        try:
            yield client.get_executor(retries=1)
        except (KilledWorker, CancelledError, CommClosedError) as error:
            raise ExecutorError(
                f"{address}: a worker or the scheduler is lost; the old site is unchanged"
            ) from error


def _check_workers(client: Client, address: str) -> None:
    """Raise `ExecutorError` unless there are workers, all with this version of dconv."""
    try:
        fingerprints = client.run(source_fingerprint)
    except (ImportError, OSError) as error:
        raise ExecutorError(f"{address}: a worker cannot import dconv ({error})") from error
    if not fingerprints:
        raise ExecutorError(f"{address}: the scheduler has no workers; start 'dask worker' first")
    own_fingerprint = source_fingerprint()
    others = sorted(name for name, other in fingerprints.items() if other != own_fingerprint)
    if others:
        raise ExecutorError(f"{address}: the worker {others[0]} has another version of dconv")
