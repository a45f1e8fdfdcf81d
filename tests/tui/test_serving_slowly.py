"""`catgraph serve` under slow and many connections, with two windows at once."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

pytest.importorskip("textual_serve")

from aiohttp import ClientSession, ClientTimeout, WSMsgType

SAMPLE = str(ROOT / "sample_catalogs" / "require_loop" / "catalog.json")
PROGRAM = (
    "import sys, tui.serving; tui.serving.PATIENCE = 1\n"
    "from analyzer.cli import main; sys.exit(main())"
)

# Bytes of drawn screens.
DRAWN = 1000

pytestmark = pytest.mark.slow


@pytest.fixture
def address() -> Iterator[str]:
    """Serve a sample in a process of its own; connections have a second for their request."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "serve", SAMPLE],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0


async def page(address: str) -> str:
    timeout = ClientTimeout(total=15)
    async with ClientSession(timeout=timeout) as session, session.get(address) as answer:
        return await answer.text()


async def window(session: ClientSession, address: str) -> None:
    """Open a window, and wait until its screens are drawn."""
    socket = address.replace("http://", "ws://") + "ws?width=100&height=30"
    async with session.ws_connect(socket, origin=address.rsplit("/", 2)[0]) as opened:
        seen = 0
        while seen < DRAWN:
            message = await opened.receive()
            assert message.type in (WSMsgType.BINARY, WSMsgType.TEXT)
            seen += len(message.data)


def test_slow_connections(address: str) -> None:
    """Bytes of a head one by one, and connections that say nothing: the page is still there."""

    async def attack() -> float:
        host, port = address.split("/")[2].split(":")
        opened = [await asyncio.open_connection(host, int(port)) for _ in range(300)]
        for byte in b"GET / HTT":
            for _, writer in opened[::3]:
                if not writer.is_closing():
                    writer.write(bytes([byte]))
            await asyncio.sleep(0.1)
        assert "catgraph" in await page(address)
        begin = time.monotonic()
        ends = [asyncio.wait_for(read(reader), 20) for reader, _ in opened]
        await asyncio.gather(*ends)
        for _, writer in opened:
            writer.close()
        return time.monotonic() - begin

    async def read(reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.read()
        except ConnectionError:
            return b""

    assert asyncio.run(attack()) < 15


def test_two_windows(address: str) -> None:
    """A second browser gets screens of its own."""

    async def both() -> None:
        timeout = ClientTimeout(total=60)
        async with ClientSession(timeout=timeout) as one, ClientSession(timeout=timeout) as other:
            both = asyncio.gather(window(one, address), window(other, address))
            await asyncio.wait_for(both, 60)

    asyncio.run(both())
