"""Serves the terminal screens to browsers of this machine, with textual-serve."""

from __future__ import annotations

import asyncio
import json
import secrets
import shlex
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import cast

from aiohttp import WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.server import Server

from analyzer.pattern import pattern

HOST = "127.0.0.1"
# The names of this machine in a browser: those of other sites may lead here too (DNS rebinding).
HERE = pattern(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?")
# Each window is a process.
MOST_WINDOWS = 8
# Columns and rows of a window: the screens keep each cell.
MOST_CELLS = 1000
# Connections without a request, and the seconds that one may take to send it.
MOST_SILENT, PATIENCE, SOON = 64, 10, 0.1
# Bytes of the token in the address.
TOKEN_BYTES = 24
# The current folder is not searched, so that no folder of the input hides a module of ours.
PROGRAM = "import sys; sys.path[:] = filter(None, sys.path); from analyzer.cli import main; main()"
# The page loads nothing from other hosts, and never reveals its address.
HEADERS = {
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline' data:; connect-src 'self' "
    "ws://{host}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
# Keys work without a click: the terminal takes the focus once it is loaded.
FOCUS = """<script>
  const waiting = setInterval(() => {
    const keys = document.querySelector(".xterm-helper-textarea");
    if (keys) { keys.focus(); clearInterval(waiting); }
  }, 50);
</script></head>"""


def serve(words: list[str], port: int) -> int:
    """Serve `catgraph WORDS` until an interrupt; port 0 is a free one. Return the exit code.

    Raises:
        OSError: the port is taken.
    """
    with listening(port) as opened:
        found = opened.getsockname()[1]
        screens = Screens(words, found, secrets.token_urlsafe(TOKEN_BYTES))
        opened.listen()
        print(f"{screens.address}\nctrl-c stops it", flush=True)
        with suppress(web.GracefulExit, KeyboardInterrupt):
            asyncio.run(screens.run(opened))
    return 0


def listening(port: int) -> socket.socket:
    """Return a socket of this machine only.

    Raises:
        OSError: the port is taken.
    """
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((HOST, port))
    except OSError as error:
        opened.close()
        raise OSError(error.errno, error.strerror, f"port {port}") from None
    return opened


class Screens(Server):
    """Starts the screens for each window of a browser that has the token."""

    def __init__(self, words: list[str], port: int, token: str) -> None:
        command = shlex.join([sys.executable, "-c", PROGRAM, *words])
        super().__init__(f"exec {command}", HOST, port, title="catgraph")
        self.token = token
        self.windows = 0
        # Connections without a request so far, the oldest first.
        self.silent: dict[web.RequestHandler, None] = {}

    async def run(self, opened: socket.socket) -> None:
        """Answer requests on a socket until an interrupt."""
        runner = web.AppRunner(
            self.application(), handle_signals=True, access_log=None, shutdown_timeout=1
        )
        await runner.setup()
        loop = asyncio.get_running_loop()
        try:
            server = await loop.create_server(partial(self.connected, runner), sock=opened)
            async with server:
                await server.serve_forever()
        finally:
            await runner.cleanup()

    def connected(self, runner: web.AppRunner) -> web.RequestHandler:
        """Return the handler of a new connection, which must send a request soon.

        Any program on this machine, and any page in a browser, may open connections.
        """
        assert runner.server is not None
        handler = runner.server()
        loop = asyncio.get_running_loop()
        self.silent[handler] = None
        loop.call_later(PATIENCE, self.drop, handler)
        if len(self.silent) > MOST_SILENT:
            # It may be so new that it is not connected to its handler yet.
            loop.call_later(SOON, self.drop_oldest)
        return handler

    def drop_oldest(self) -> None:
        """End the connection that has waited longest for a request."""
        if len(self.silent) > MOST_SILENT:
            self.drop(next(iter(self.silent)))

    def drop(self, handler: web.RequestHandler) -> None:
        """End a connection if no request came."""
        if handler in self.silent:
            del self.silent[handler]
            if handler.transport is not None:
                handler.transport.abort()

    @property
    def address(self) -> str:
        """Return the address of the page."""
        return f"{self.public_url}/{self.token}/"

    def application(self) -> web.Application:
        """Return the pages, whose addresses begin with the token: nobody has access without it."""
        import aiohttp_jinja2
        import jinja2

        made = web.Application(middlewares=[self.guard])
        aiohttp_jinja2.setup(made, loader=jinja2.FileSystemLoader(self.templates_path))
        below = f"/{self.token}"
        made.add_routes(
            [
                web.get(f"{below}/", self.show, name="index"),
                web.get(f"{below}/ws", self.handle_websocket, name="websocket"),
                web.static(f"{below}/static", self.statics_path, name="static"),
            ]
        )
        return made

    @web.middleware
    async def guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse requests of other sites, and never reveal the address of the page."""
        self.silent.pop(request.protocol, None)
        here = f"http://{request.host}"
        foreign = request.headers.get("Origin", here) != here
        if foreign or not HERE.fullmatch(request.host):
            raise web.HTTPForbidden(text="this is for a browser on the same machine\n")
        response: web.StreamResponse = await handler(request)
        if not response.prepared:
            headers = {name: text.format(host=request.host) for name, text in HEADERS.items()}
            response.headers.update(headers)
        return response

    async def show(self, request: web.Request) -> web.StreamResponse:
        """Show the page; ssh may forward it on another port."""
        self.public_url = f"http://{request.host}"
        # The decorator makes a response of the returned values.
        answer = cast("web.Response", await self.handle_index(request))
        answer.text = (answer.text or "").replace("</head>", FOCUS, 1)
        return answer

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run the screens for a window, unless there are too many."""
        if not all(is_size(request.query.get(name, "1")) for name in ("width", "height")):
            raise web.HTTPBadRequest(text=f"width and height: expected 1 to {MOST_CELLS}\n")
        if self.windows >= MOST_WINDOWS:
            raise web.HTTPServiceUnavailable(text="too many windows are open: close one\n")
        self.windows += 1
        try:
            return await super().handle_websocket(request)
        finally:
            self.windows -= 1

    async def _process_messages(
        self, websocket: web.WebSocketResponse, app_service: AppService
    ) -> None:
        """Obey the messages of a window; others than a terminal sends are ignored."""
        async for message in websocket:
            match read_message(message.data) if message.type == WSMsgType.TEXT else None:
                case ["stdin", str(keys)]:
                    await app_service.send_bytes(keys.encode("utf-8", "replace"))
                case ["resize", {"width": width, "height": height}] if is_size(width) and is_size(
                    height
                ):
                    await app_service.set_terminal_size(width, height)
                case ["ping", str() | int() | float() as moment]:
                    await websocket.send_json(["pong", moment])
                case ["blur", *_]:
                    await app_service.blur()
                case ["focus", *_]:
                    await app_service.focus()


def read_message(text: str) -> object:
    """Return the message of a window, None if it is no JSON."""
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None


def is_size(value: object) -> bool:
    """Return whether a value is a number of columns or rows that a window may have."""
    if isinstance(value, str):
        return value.isascii() and value.isdigit() and len(value) < 5 and is_size(int(value))
    return type(value) is int and 0 < value <= MOST_CELLS
