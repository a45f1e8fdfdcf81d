"""The helper process: how it is started, spoken to within a time limit, and ended."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Sequence
from contextlib import suppress

from analyzer.frontends.puppet.node.guarded import Guarded

# A message longer than this is none.
LONGEST = 1 << 28
# Digits of a message's length.
DIGITS = 10
# How much is remembered of what the helper prints on standard error.
REMEMBERED = 2000
BLOCK = 1 << 16


class HelperError(Exception):
    """The helper ended, said nothing in time, or spoke nonsense; the text says which."""


class Clock:
    """A time limit that runs only while the helper is waited for."""

    __slots__ = ("left", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.left = seconds


class Process:
    """A running helper; messages are a length in bytes, a line end, and as many bytes.

    It leads a session of its own: the keys of the terminal do not reach it, and it is ended with
    all it has started, whichever sessions that leads. It has no standard input but the messages,
    and its standard error is read and forgotten, so that it can print what it likes. The last
    argument that it gets is the number of a pipe; the other end is only here, so that it can tell
    when we have gone, even by SIGKILL.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._program = Guarded(command, told=True, talks=True)
        except OSError as error:
            raise HelperError(f"cannot be run: {error.strerror}") from None
        self._in, self._out, self._err = (pipe.fileno() for pipe in self._program.pipes)
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._read = bytearray()
        self._printed = b""
        self.alive = True

    @property
    def printed(self) -> str:
        """Return the end of what it printed on standard error."""
        return self._printed.decode(errors="replace").strip()

    def send(self, message: bytes, clock: Clock) -> None:
        """Send a message.

        Raises:
            HelperError: it does not take it in time, or has ended.
        """
        waiting = memoryview(b"%d\n%b" % (len(message), message))
        while waiting:
            try:
                waiting = waiting[os.write(self._in, waiting) :]
            except BlockingIOError:
                self._wait(clock, self._in)
            except OSError:
                raise HelperError(self._ended()) from None

    def receive(self, clock: Clock) -> bytes:
        """Wait for a message.

        Raises:
            HelperError: none comes in time, it is no message, or the helper has ended.
        """
        while True:
            size = self._size()
            if size is not None and len(self._read) >= size[1]:
                start, end = size
                message = bytes(self._read[start:end])
                del self._read[:end]
                return message
            try:
                block = os.read(self._out, BLOCK)
            except BlockingIOError:
                self._wait(clock, None)
                continue
            if not block:
                raise HelperError(self._ended())
            self._read += block

    def _size(self) -> tuple[int, int] | None:
        at = self._read.find(b"\n", 0, DIGITS + 1)
        digits = bytes(self._read[: max(at, 0)])
        if at < 0 and len(self._read) <= DIGITS:
            return None
        if not digits.isdigit() or int(digits) > LONGEST:
            raise HelperError("the helper does not speak as it should")
        return at + 1, at + 1 + int(digits)

    def _wait(self, clock: Clock, writing: int | None) -> None:
        """Wait until there is something to read or, where one is given, to write."""
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        poll.register(self._err, select.POLLIN)
        if writing is not None:
            poll.unregister(self._out)
            poll.register(writing, select.POLLOUT)
        while True:
            began = time.monotonic()
            ready = poll.poll(max(clock.left, 0) * 1000)
            clock.left -= time.monotonic() - began
            if clock.left <= 0:
                raise HelperError(f"no answer within {clock.seconds:g} seconds")
            ended = [number for number, _ in ready if number == self._err and not self._drain()]
            if ended:
                poll.unregister(self._err)
            if any(number != self._err for number, _ in ready):
                return

    def _drain(self) -> bool:
        with suppress(BlockingIOError):
            block = os.read(self._err, BLOCK)
            self._printed = (self._printed + block)[-REMEMBERED:]
            return bool(block)
        return True

    def _ended(self) -> str:
        self._program.wait(1)
        self._drain()
        # Ruby's own errors go on with where they came from.
        output = [line for line in self.printed.splitlines() if not line.startswith("\tfrom ")]
        return "the helper ended" + (f": {output[-1]}" if output else "")

    def kill(self) -> None:
        """End the process and all it has started."""
        if not self.alive:
            return
        self.alive = False
        self._program.end()
