"""`catgraph mcp`: its tools answer as commands do, about one folder, and change nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli import main
from tests.conftest import ROOT

pytest.importorskip("mcp", reason="mcp is not installed")

from analyzer.cli import mcp_server
from analyzer.cli.mcp_server import CommandTools, answer, plain

LOOP = ROOT / "sample_catalogs" / "require_loop"


@pytest.fixture
def questions(tmp_path: Path) -> CommandTools:
    """The tools for a folder with one manifest."""
    (tmp_path / "site.pp").write_text("notify { 'a': }\n")
    return CommandTools(tmp_path.resolve())


@pytest.mark.parametrize("path", ["..", "/etc", "a/../../x", "link"])
def test_no_path_leads_out_of_the_folder(questions: CommandTools, path: str) -> None:
    (questions.folder / "link").symlink_to("/etc")
    with pytest.raises(ValueError, match="is not in the folder that is served"):
        questions.inside(path)


@pytest.mark.parametrize("word", ["--output=x", "-", "", "a\0"])
def test_no_word_is_an_option(questions: CommandTools, word: str) -> None:
    with pytest.raises(ValueError, match="must not be empty, nor start with -"):
        plain(word)
    with pytest.raises(ValueError, match="must not be empty"):
        questions.query(word)


def test_a_long_answer_is_shortened(
    questions: CommandTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(questions.folder)
    monkeypatch.setattr(mcp_server, "MOST_CHARACTERS", 10)
    text = answer(json.dumps([str(questions.folder), "order", "site.pp"]), "")
    assert text.startswith("Notify[a]\n\n(")
    assert "more characters: ask about a part" in text
    assert text.endswith("exit code 0: clean and complete")


def test_a_folder_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "no-such-folder"]) == 2
    assert "no-such-folder is not a folder" in capsys.readouterr().err


@pytest.mark.slow
def test_a_client_asks(tmp_path: Path) -> None:
    """The protocol as a client speaks it, line by line."""
    before = sorted(LOOP.rglob("*"))
    words = [sys.executable, "-m", "catgraph", "mcp", str(LOOP)]
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        number = 0

        def call(method: str, **values: object) -> dict[str, Any]:
            nonlocal number
            number += 1
            assert server.stdin is not None
            assert server.stdout is not None
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": values}
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            reply = json.loads(server.stdout.readline())
            assert reply["id"] == number
            result: dict[str, Any] = reply["result"]
            return result

        def tool(name: str, **arguments: object) -> tuple[str, bool]:
            result = call("tools/call", name=name, arguments=arguments)
            return result["content"][0]["text"], bool(result.get("isError"))

        client = {"name": "test", "version": "1"}
        about = call("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        assert about["serverInfo"]["name"] == "catgraph"
        server.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        tools = {one["name"]: one for one in call("tools/list")["tools"]}
        assert set(tools) == {"check", "cycles", "why", "impact", "query", "diff"}
        assert all(one["annotations"]["readOnlyHint"] for one in tools.values())

        text, wrong = tool("cycles", facts="facts.json", path="manifests")
        assert not wrong
        assert "manifests/site.pp:5:5: error: dependency cycle, 3 members (CG301)" in text
        assert text.endswith("exit code 1: findings")
        assert "resource Service[app]" in tool("why", path="manifests", first="Service[app]")[0]
        assert "Package[app]" in tool("query", path="manifests", expression="type = Package")[0]
        text, wrong = tool("check", path="/etc")
        assert wrong
        assert "is not in the folder that is served" in text
        server.stdin.close()
        assert server.wait(20) == 0
    assert sorted(LOOP.rglob("*")) == before
