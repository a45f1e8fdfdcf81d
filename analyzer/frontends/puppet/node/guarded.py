"""Programs that the user names to be run: nothing they have started outlives them, or us."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from analyzer.frontends.puppet.node import guard

# Seconds after which a guard that does not end is ended.
PATIENCE = 10


class Guarded:
    """A running program with pipes, behind `guard.py`.

    With `told`, its last argument is the number of a pipe that ends when we have gone.

    Raises:
        OSError: it cannot be run.
    """

    def __init__(self, command: Sequence[str], *, told: bool = False, talks: bool = False) -> None:
        watched, self._lifeline = os.pipe()
        failure, status = os.pipe()
        words = [*command, str(watched)] if told else list(command)
        try:
            self._popen = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, str(watched), str(status), *words],
                stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(watched, status),
                start_new_session=True,
                bufsize=0,
            )
        except OSError:
            os.close(self._lifeline)
            os.close(failure)
            raise
        finally:
            os.close(watched)
            os.close(status)
        with os.fdopen(failure, "rb") as file:
            wrong = file.read()
        if wrong:
            self.end()
            raise OSError(int(wrong), os.strerror(int(wrong)), command[0])

    @property
    def code(self) -> int | None:
        """The exit code, None while it runs."""
        return self._popen.poll()

    @property
    def pipes(self) -> list[IO[bytes]]:
        """Its standard input where it has one, output and error output."""
        found = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        return [pipe for pipe in found if pipe is not None]

    def wait(self, seconds: float) -> bool:
        """Wait for its end; return whether it came."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
        return self._popen.poll() is not None

    def end(self) -> None:
        """End it and all it has started."""
        if self._lifeline < 0:
            return
        os.close(self._lifeline)
        self._lifeline = -1
        if not self.wait(PATIENCE):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.wait()
        for pipe in self.pipes:
            pipe.close()
