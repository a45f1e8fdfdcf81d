"""Bounds the time of a request to a server, however slowly it answers."""

from __future__ import annotations

from contextlib import suppress
from socket import SHUT_RDWR, socket
from threading import Timer
from typing import Any


class Deadline:
    """Ends the connection of a request if its answer takes too long: any byte resets a time-out."""

    def __init__(self, seconds: float) -> None:
        self.over = False
        self.socket: Any = None
        self.timer = Timer(seconds, self.end)

    def __enter__(self) -> Deadline:
        """Begin."""
        self.timer.daemon = True
        self.timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        """End: no other thread may be left, as this process may be forked."""
        self.timer.cancel()
        self.timer.join()

    def end(self) -> None:
        """End the connection, wherever the request is: a TLS socket wants no words for it."""
        self.over = True
        with suppress(OSError, AttributeError):
            socket.shutdown(self.socket, SHUT_RDWR)
