"""Running a command on this machine: no shell, a group of its own, a time limit."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO

from analyzer.apply.host import Output
from analyzer.apply.provider import ProviderError
from analyzer.apply.providers.machine.accounts import Identity

# What Puppet takes out of a command's environment (Puppet::Util::POSIX::USER_ENV_VARS).
_OF_THE_USER = ("HOME", "USER", "LOGNAME")
# Folders of this machine, which another root need not have.
_OF_THE_MACHINE = ("TMPDIR", "TMP", "TEMP")
_GRACE = 2.0
_MOST_OUTPUT = 64 * 1024 * 1024
TIMED_OUT = "Command exceeded timeout"


@dataclass(frozen=True, slots=True)
class CommandOrder:
    """A command to be run: words, the root it is run in, what is added to the environment."""

    words: tuple[str, ...]
    root: str = "/"
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    umask: int | None = None
    seconds: float | None = None
    stdin: bytes = b""


def run(order: CommandOrder, identity: Identity | None) -> Output:
    """Run a command, by default as this user; return its code, and both outputs as one text.

    Once it ends, or its time is up, nothing that it started in its group goes on.

    Raises:
        ProviderError: it cannot be started, or takes too long.
    """
    foreign = _OF_THE_USER if order.root == "/" else (*_OF_THE_USER, *_OF_THE_MACHINE)
    own = {k: v for k, v in os.environ.items() if k not in foreign}
    try:
        with _input(order.stdin) as stdin:
            process = subprocess.Popen(
                order.words,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=own | dict(order.environment),
                start_new_session=True,
                preexec_fn=_prepare(order, identity),  # noqa: PLW1509 - chroot is not offered
            )
    except (OSError, subprocess.SubprocessError) as error:
        raise ProviderError(_refused(order, error)) from None
    except ValueError as error:
        raise ProviderError(f"Could not execute posix command: {error}") from None
    return _watch(process, order.seconds or None)


def _input(data: bytes) -> IO[bytes]:
    if not data:
        return open(os.devnull, "rb")
    file = TemporaryFile()  # noqa: SIM115 - the caller closes it
    file.write(data)
    file.seek(0)
    return file


def _prepare(order: CommandOrder, identity: Identity | None) -> Callable[[], None]:
    """Return the function that prepares the child process for the command."""

    def prepare() -> None:
        if order.root != "/":
            os.chroot(order.root)
            os.chdir("/")
        if order.folder:
            os.chdir(order.folder)
        if identity:
            os.setgroups(identity.groups)
            os.setgid(identity.gid)
            os.setuid(identity.uid)
        if order.umask is not None:
            os.umask(order.umask)

    return prepare


def _refused(order: CommandOrder, error: Exception) -> str:
    if order.root != "/" and os.geteuid() != 0:
        return f"only root can run commands below {order.root}"
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"Could not execute posix command: {reason} - {order.words[0]}"


# Those that run now: another thread may have to end them.
_running: set[subprocess.Popen[bytes]] = set()


# Called with each part of the output of a command as it comes, in the thread that runs it.
_listeners: list[Callable[[bytes], object]] = []


def listen_to_output(listener: Callable[[bytes], object] | None) -> None:
    """Set what gets the output of commands while they run; None for nothing."""
    _listeners[:] = [listener] if listener is not None else []


def end_running() -> None:
    """End the commands that run now: asked first, then killed."""
    for process in tuple(_running):
        _end(process)


def _watch(process: subprocess.Popen[bytes], seconds: float | None) -> Output:
    """Read until the command itself ends; a child of it that holds the pipe is not waited for."""
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    os.set_blocking(pipe, False)
    until = time.monotonic() + seconds if seconds else None
    output = bytearray()
    pause = 0.001
    _running.add(process)
    try:
        while process.poll() is None:
            if _drain(pipe, output):
                pause = 0.001
                continue
            if until is not None and time.monotonic() > until:
                raise ProviderError(TIMED_OUT)
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
        while _drain(pipe, output):
            pass
    except BaseException:
        _end(process)
        raise
    finally:
        _running.discard(process)
        process.stdout.close()
    return Output(process.returncode, output.decode("utf-8", "replace"))


def _drain(pipe: int, output: bytearray) -> bool:
    """Read the available output; return whether there was any."""
    try:
        data = os.read(pipe, 65536)
    except BlockingIOError:
        return False
    if len(output) < _MOST_OUTPUT:
        output += data
    for listener in _listeners:
        listener(data)
    return bool(data)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command and all of its group: asked first, then killed."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
