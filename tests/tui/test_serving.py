"""`catgraph serve`: who may reach the screens, and which command a window runs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.tui.dsl import script

pytest.importorskip("textual_serve")

from aiohttp import ClientSession, WSMessage, WSMsgType
from aiohttp.test_utils import TestServer

from analyzer.cli import main
from analyzer.cli.commands import serve
from analyzer.cli.shared.options import parse
from tui.serving import MOST_WINDOWS, Screens, listening

SAMPLE = str(ROOT / "sample_catalogs" / "require_loop" / "catalog.json")


async def served(screens: Screens, path: str, headers: dict[str, str]) -> tuple[int, str]:
    server = TestServer(screens.application(), host="127.0.0.1")
    await server.start_server()
    try:
        async with (
            ClientSession() as session,
            session.get(server.make_url(path), headers=headers) as answer,
        ):
            return answer.status, await answer.text()
    finally:
        await server.close()


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/secret/", {}, 200),
        ("/", {}, 404),
        ("/ws", {}, 404),
        ("/static/js/textual.js", {}, 404),
        ("/secret/static/", {}, 403),
        ("/secret/", {"Host": "rebound.example"}, 403),
        ("/secret/ws", {"Origin": "http://other.example"}, 403),
        ("/secret/", {"Host": "localhost:9000"}, 200),
        ("/secret/", {"Host": "localhost."}, 403),
        ("/secret/", {"Host": "127.0.0.1@other.example"}, 403),
        ("/secret/", {"Host": "127.0.0.1.other.example"}, 403),
        ("/secret/", {"Host": "[::1]:80"}, 403),
        ("/secret/", {"Host": "localhost:1; script-src *"}, 403),
        ("/secret/ws", {"Origin": "null"}, 403),
        ("/secret/ws", {"Origin": "http://127.0.0.1:1"}, 403),
        ("/secret/ws", {"Origin": "https://127.0.0.1"}, 403),
        ("/secret/ws?width=1001", {}, 400),
        ("/secret/ws?height=99999999999999999999", {}, 400),
        ("/secret/ws?width=-1", {}, 400),
        ("/secreT/", {}, 404),
        ("/secret", {}, 404),
        ("/secret/static/%2e%2e/%2e%2e/%2e%2e/app_service.py", {}, 404),
        ("/secret/static/..%2fapp_service.py", {}, 404),
        ("/secret/static//etc/passwd", {}, 404),
        ("/secret/static/js/textual.js", {}, 200),
    ],
)
def test_only_a_browser_with_the_token_gets_in(
    path: str, headers: dict[str, str], status: int
) -> None:
    code, text = asyncio.run(served(Screens(["tui"], 1, "secret"), path, headers))
    assert code == status
    if status == 200 and "static" not in path:
        assert f"ws://{headers.get('Host', '127.0.0.1')}" in text
        # What takes the keys in xterm.js; Chromium has it as its active element then.
        assert text.index(".xterm-helper-textarea") < text.index("</head>")


class Window:
    """Stands for the process of a window, and for its socket; keeps what was asked of it."""

    def __init__(self, sent: list[Any]) -> None:
        self.sent = sent
        self.asked: list[Any] = []

    async def __aiter__(self) -> AsyncIterator[WSMessage]:
        for text in self.sent:
            kind = WSMsgType.TEXT if isinstance(text, str) else WSMsgType.BINARY
            yield WSMessage(kind, text, None)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[None]]:
        async def note(*values: Any) -> None:
            self.asked.append((name, *values))

        return note


ODD = [
    "{", "1", "[]", "null",
    '["stdin"]', '["stdin", 5]', '["resize", 1]', '["resize", {"width": 80}]',
    '["resize", {"width": "80", "height": "x"}]', '["resize", {"width": 100000000, "height": 24}]',
    '["resize", {"width": -1, "height": 24}]', '["resize", {"width": true, "height": 24}]',
    '["nosuch"]', '[["stdin"]]', '{"a": 1}', "[" * 100_000, b"\xff", '["ping", [1]]', '["ping"]',
]  # fmt: skip


def test_odd_messages_do_nothing() -> None:
    window = Window([*ODD, '["stdin", "q\\ud800"]', '["resize", {"width": 80, "height": 24}]'])
    asyncio.run(Screens(["tui"], 1, "secret")._process_messages(window, window))  # type: ignore[arg-type]
    assert window.asked == [("send_bytes", b"q?"), ("set_terminal_size", 80, 24)]


def test_windows_are_bounded() -> None:
    screens = Screens(["tui"], 1, "secret")
    screens.windows = MOST_WINDOWS
    assert asyncio.run(served(screens, "/secret/ws", {}))[0] == 503


def test_it_listens_on_this_machine_only() -> None:
    with listening(0) as opened:
        assert opened.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with listening(0) as opened:
        opened.listen()
        port = opened.getsockname()[1]
        assert main(["serve", SAMPLE, "--port", str(port)]) == 2
    assert f"port {port}: Address already in use" in capsys.readouterr().err


def test_without_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "SERVER", "textual_serve.missing")
    assert main(["serve", SAMPLE]) == 2
    assert "pip install 'catgraph[serve]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "passed"),
    [
        ([SAMPLE], ["--read-only", "--", SAMPLE]),
        (["--allow-changes", "a b"], ["--", "a b"]),
        (
            ["--node", "a", "--theme", "light", SAMPLE],
            ["--read-only", "--theme=light", "--node=a", "--", SAMPLE],
        ),
    ],
)
def test_the_command_of_a_window(words: list[str], passed: list[str]) -> None:
    found = list(serve.words_for(parse("catgraph serve", serve, words)))
    assert found[0] == "tui"
    assert sorted(found) == sorted(["tui", *passed])


@pytest.mark.parametrize(
    "act", ["do export", "do open", ": open /etc/hostname", ": export x.svg", ": kind real"]
)
def test_read_only(act: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    steps = f"open sample require_loop\n{act}\nexpect told read-only"
    script(steps, tmp_path, options={"read_only": True})
    assert not os.listdir(tmp_path)


@pytest.mark.slow
def test_a_window_shows_the_screens_and_its_process_ends_with_it() -> None:
    async def first_words() -> str:
        screens = Screens(["tui", "--read-only", "--", SAMPLE], 1, "secret")
        server = TestServer(screens.application(), host="127.0.0.1")
        await server.start_server()
        found = ""
        async with (
            ClientSession() as session,
            session.ws_connect(server.make_url("/secret/ws?width=80&height=24")) as window,
        ):
            while "Containment" not in found:
                found += (await window.receive_bytes(timeout=60)).decode()
        await server.close()
        # The event loop needs a moment to see the end of the process.
        await asyncio.sleep(1)
        assert not screens.windows
        return found

    assert "Containment" in asyncio.run(first_words())
