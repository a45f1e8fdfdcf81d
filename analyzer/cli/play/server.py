"""Serves the page of the playground to a browser of this machine, and answers its questions."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from analyzer.cli.asking import CommandProcess
from analyzer.cli.play.answers import answer
from analyzer.cli.play.page import render
from analyzer.reach import user_files

HOST = "127.0.0.1"
# The names of this machine in a browser: those of other sites may lead here too (DNS rebinding).
HERE = re.compile(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?")
TOKEN_BYTES = 24
# Bytes of a request, and the seconds for its answer.
MOST_BYTES, PATIENCE = 20_000_000, 25.0
SOURCES = ("connect-src 'self'",)


class PlayServer(ThreadingHTTPServer):
    """Has the page and the worker; all addresses begin with a random token."""

    daemon_threads = True

    def __init__(self, page: str, port: int) -> None:
        super().__init__((HOST, port), Handler)
        self.page = page.encode()
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self.worker = CommandProcess(answer, PATIENCE)

    def handle_error(self, request: object, client_address: object) -> None:
        """Report an error, unless a page only went away before its answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def address(self) -> str:
        """Return the address of the page."""
        return f"http://{HOST}:{self.server_address[1]}/{self.token}/"


class Handler(BaseHTTPRequestHandler):
    """Answers browsers of this machine that have the token."""

    server: PlayServer
    timeout = 60

    def do_GET(self) -> None:
        """Send the page."""
        if self.allowed("") and self.command == "GET":
            self.reply(200, self.server.page, "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """Answer a request of the page, or stop the one under way."""
        if self.path.endswith("/stop"):
            if self.allowed("stop"):
                self.server.worker.stop()
                self.reply(204)
        elif self.allowed("answer"):
            self.answer()

    def answer(self) -> None:
        """Send the answer to a request."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and int(length[:12]) <= MOST_BYTES):
            self.reply(413, b"the request is too large\n")
            return
        try:
            text = self.rfile.read(int(length)).decode()
            self.reply(200, self.server.worker.ask(text).encode(), "application/json")
        except TimeoutError as error:
            self.reply(503, f"{error}\n".encode())
        except ValueError as error:
            self.reply(400, f"{error}\n".encode())

    def allowed(self, name: str) -> bool:
        """Return whether a request comes from our page; refuse others."""
        host = self.headers.get("Host", "")
        origin = self.headers.get("Origin", f"http://{host}")
        expected = f"/{self.server.token}/{name}"
        if not HERE.fullmatch(host) or origin != f"http://{host}":
            self.reply(403, b"this is for a browser on the same machine\n")
        elif not secrets.compare_digest(self.path.encode(), expected.encode()):
            self.reply(404, b"not found\n")
        else:
            return True
        return False

    def reply(self, code: int, data: bytes = b"", kind: str = "text/plain; charset=utf-8") -> None:
        """Send a reply."""
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *values: object) -> None:
        """Write no log: it would have the token."""


def page_of(files: Mapping[str, str], title: str) -> str:
    """Return the page for the files of a folder."""
    with user_files():
        return render({"server": True, "program": files, "title": title, "parts": []}, SOURCES)


def serve(files: Mapping[str, str], title: str, port: int) -> int:
    """Serve a page with these files until an interrupt; return the exit code.

    Raises:
        OSError: the port is taken.
    """
    try:
        server = PlayServer(page_of(files, title), port)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"port {port}") from None
    with server:
        print(f"{server.address}\nctrl-c stops it", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
        server.worker.stop()
    return 0
