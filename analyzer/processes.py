"""Starts processes of Python, which import no module of the working folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from threading import Lock

# A new interpreter imports multiprocessing before it takes over the path of this one.
SAFE_PATH = "PYTHONSAFEPATH"
CHANGING = Lock()


@contextmanager
def safe_path() -> Iterator[None]:
    """Keep the working folder out of the path of interpreters that start in this block."""
    with CHANGING:
        before = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"
        try:
            yield
        finally:
            restore(before)


def restore(before: str | None) -> None:
    """Set the variable to its old value: programs that the user names are started as always."""
    if before is None:
        del os.environ[SAFE_PATH]
    else:
        os.environ[SAFE_PATH] = before


class SafeProcess(SpawnProcess):
    """A new interpreter that does not search the working folder for modules."""

    before: str | None = None

    def start(self) -> None:
        """Start the process."""
        self.before = os.environ.get(SAFE_PATH)
        with safe_path():
            super().start()

    def run(self) -> None:
        """Do the work, in the process."""
        restore(self.before)
        super().run()


class SafeContext(SpawnContext):
    """The context of multiprocessing that starts such processes."""

    Process = SafeProcess


def new_processes() -> SafeContext:
    """Return the context that starts a new interpreter for each process."""
    with safe_path():
        ensure_running()
    return SafeContext()
