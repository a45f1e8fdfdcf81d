"""The server as an editor meets it: by pytest-lsp, and by hand where an editor behaves badly."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient

from analyzer.lsp.features import table
from analyzer.lsp.state.paths import uri_of

# `-P`: the folder of the tests is no place of modules.
SERVER = [sys.executable, "-c", "from analyzer.cli import main; main(['lsp'])"]

CYCLE = """\
class app {
  package { 'a': require => Service['b'] }
  service { 'b': require => Package['a'] } # 😀
}
"""


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(server_command=SERVER)
)
async def client(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """A server for a control repo of one module; the client counts in UTF-16."""
    manifests = tmp_path / "modules" / "app" / "manifests"
    manifests.mkdir(parents=True)
    (tmp_path / "environment.conf").write_text("")
    (manifests / "init.pp").write_text(CYCLE)
    (manifests / "other.pp").write_text("class app::other { }\n")
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(
                general=types.GeneralClientCapabilities(
                    position_encodings=[types.PositionEncodingKind.Utf16]
                )
            ),
            workspace_folders=[types.WorkspaceFolder(uri_of(str(tmp_path)), "repo")],
        )
    )
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, path: Path) -> str:
    uri = uri_of(str(path))
    item = types.TextDocumentItem(uri, "puppet", 1, path.read_text())
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return uri


async def until_found(client: LanguageClient, uri: str, code: str) -> types.Diagnostic:
    while True:
        for found in client.diagnostics.get(uri, ()):
            if found.code == code:
                return found
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_session(client: LanguageClient, tmp_path: Path) -> None:
    """A cycle is found in the background; an edit breaks the file, and its symbols stay."""
    uri = opened(client, tmp_path / "modules/app/manifests/init.pp")
    cycle = await asyncio.wait_for(until_found(client, uri, "CG301"), 60)
    places = [one.location.range.start.line for one in cycle.related_information or ()]
    assert (cycle.range.start.line, sorted(places)) == (1, [1, 2])

    there = types.TextDocumentIdentifier(uri), types.Position(1, 12)
    items = await client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(*there)
    )
    assert items
    before = await client.call_hierarchy_incoming_calls_async(
        types.CallHierarchyIncomingCallsParams(items[0])
    )
    assert [one.from_ranges[0].start.line for one in before or ()] == [1]
    with pytest.raises(JsonRpcException, match="is not a valid name for a class"):
        await client.text_document_rename_async(
            types.RenameParams(there[0], types.Position(0, 7), "No")
        )

    end = types.Position(2, 48)
    change = types.TextDocumentContentChangePartial(
        range=types.Range(end, end), text="\n  include app::other '"
    )
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, uri), [change])
    )
    found = await asyncio.wait_for(until_found(client, uri, "UNCLOSED_QUOTE"), 20)
    assert found.range.start.line == 3
    where = await client.text_document_definition_async(
        types.DefinitionParams(types.TextDocumentIdentifier(uri), types.Position(3, 12))
    )
    assert isinstance(where, list)
    assert [str(getattr(one, "uri", one))[-9:] for one in where] == ["/other.pp"]


def message(method: str, params: object, number: int | None = None) -> bytes:
    document = {"jsonrpc": "2.0", "method": method, "params": params}
    body = json.dumps(document if number is None else {**document, "id": number}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def talk(*messages: bytes, code: str = "") -> subprocess.CompletedProcess[bytes]:
    program = f"{code}\nfrom analyzer.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, "lsp"],
        input=b"".join(messages),
        capture_output=True,
        timeout=60,
        check=False,
    )


INITIALIZE = message("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)


def test_ends_with_its_editor() -> None:
    """Standard input that is closed ends the server, without a word on standard error."""
    ended = talk(INITIALIZE, message("initialized", {}))
    assert ended.stderr == b""
    assert b'"positionEncoding":"utf-16"' in ended.stdout.replace(b'": ', b'":')


@pytest.mark.slow
def test_survives_a_crash_of_a_feature() -> None:
    """What a bug of a feature says is a message, and the next request is answered."""
    crash = (
        "import analyzer.lsp.features.document_symbols as feature\n"
        "def answer(snapshot, asked): raise KeyError('boom')\n"
        "feature.answer = answer"
    )
    document = {"textDocument": {"uri": "file:///open.pp"}}
    item = {"uri": "file:///open.pp", "languageId": "puppet", "version": 1, "text": ""}
    place = {**document, "position": {"line": 0, "character": 0}}
    ended = talk(
        INITIALIZE,
        message("textDocument/didOpen", {"textDocument": item}),
        message("textDocument/documentSymbol", document, 2),
        message("textDocument/definition", place, 3),
        message("shutdown", None, 4),
        message("exit", None),
        code=crash,
    )
    assert ended.returncode == 0
    assert b"KeyError: 'boom'" in ended.stdout
    assert b"Traceback" not in ended.stdout + ended.stderr
    assert b"window/showMessage" in ended.stdout
    assert b'"id":3' in ended.stdout.replace(b'": ', b'":')


HOVER, REFERENCES = "textDocument/hover", "textDocument/references"


@pytest.mark.slow
def test_requests_that_are_malformed_or_cancelled(tmp_path: Path) -> None:
    """Each is answered with an error, and the server goes on; so is one about an unknown file."""
    endless = (
        "import time\nimport analyzer.lsp.features.references as feature\n"
        "def answer(snapshot, asked):\n"
        "    while True: snapshot.go_on(), time.sleep(0.01)\n"
        "feature.answer = answer"
    )
    file = tmp_path / "a.pp"
    document = {"uri": uri_of(str(file)), "languageId": "puppet", "version": 1, "text": "$a = 1"}
    # A place behind the end of a line is its end, in the last one too.
    behind = {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 99}}
    edit: dict[str, object] = {
        "textDocument": {"uri": document["uri"], "version": 2},
        "contentChanges": [{"range": behind, "text": "2"}],
    }
    unsaved = {**document, "uri": "untitled:Untitled-1", "text": "}"}
    here = {"textDocument": {"uri": document["uri"]}, "context": {"includeDeclaration": True}}
    place = {**here, "position": {"line": 0, "character": 1}}
    unknown = {**place, "textDocument": {"uri": "file:///nowhere.pp"}}
    ended = talk(
        INITIALIZE,
        message("textDocument/didOpen", {"textDocument": document}),
        message("textDocument/didOpen", {"textDocument": unsaved}),
        message("textDocument/didChange", edit),
        message(REFERENCES, place, 2),
        message(REFERENCES, place, 3),
        message(REFERENCES, place, 4),
        message(HOVER, {**here, "position": {"line": -1, "character": 0}}, 5),
        message(HOVER, {**here, "position": None}, 6),
        message(HOVER, None, 7),
        message(HOVER, unknown, 8),
        message("no/method", {}, 9),
        b"Content-Length: 5\r\n\r\n{none",
        *(message("$/cancelRequest", {"id": number}) for number in (4, 3, 2)),
        message(HOVER, place, 10),
        message("shutdown", None, 11),
        message("exit", None),
        code=endless,
    )
    found = answers(ended.stdout)
    assert {number: found[number].get("code") for number in range(2, 10)} == {
        **dict.fromkeys((2, 3, 4), -32800), **dict.fromkeys((5, 6, 7, 8), -32602), 9: -32601,
    }  # fmt: skip
    assert "$a = 2\n" in found[10]["contents"]["value"]
    assert b"untitled:Untitled-1" in ended.stdout
    assert b"SYNTAX_ERROR" in ended.stdout
    assert ended.returncode == 0
    assert ended.stderr == b""


def answers(output: bytes) -> dict[int, Any]:
    """Return the results, or errors, by the number of the request."""
    bodies = re.split(rb"Content-[^{]*\r\n\r\n", output)
    found = [json.loads(body) for body in bodies if body.strip()]
    return {one["id"]: one.get("result", one.get("error")) for one in found if "id" in one}


@pytest.mark.slow
def test_commands() -> None:
    """A command's edit is sent to the editor; one that fails is a message."""
    code = (
        "import types as t, sys; from lsprotocol import types\n"
        "import analyzer.lsp.features.table as table\n"
        "feature = sys.modules['analyzer.lsp.features.odd'] = t.ModuleType('odd')\n"
        "feature.command = lambda snapshot, words: types.WorkspaceEdit({words[0]: []})\n"
        "table.COMMANDS = (table.Command('catgraph.odd', 'odd'),)"
    )
    call = "workspace/executeCommand"
    ended = talk(
        INITIALIZE,
        message(call, {"command": "catgraph.odd", "arguments": ["file:///a.pp"]}, 2),
        message(call, {"command": "catgraph.odd", "arguments": []}, 3),
        message("shutdown", None, 4),
        message("exit", None),
        code=code,
    )
    assert b"workspace/applyEdit" in ended.stdout
    assert b"file:///a.pp" in ended.stdout
    assert b"catgraph.odd: internal error: IndexError" in ended.stdout
    assert b"Traceback" not in ended.stdout + ended.stderr


@pytest.mark.slow
def test_ends_when_its_editor_is_gone() -> None:
    """The process that the editor said it is has ended, and standard input stays open."""
    editor = subprocess.Popen([sys.executable, "-c", ""])
    editor.wait()
    params: dict[str, object] = {"processId": editor.pid, "rootUri": None, "capabilities": {}}
    with subprocess.Popen(
        SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        server.stdin.write(message("initialize", params, 1) + message("initialized", {}))
        server.stdin.flush()
        assert server.wait(60) == 1


CALLING = """
import time
from analyzer.lsp.checks.calls import Calls
calls = Calls()
calls.start()
print("started", flush=True)
calls.call(lambda: False, time.sleep, 600)
"""


@pytest.mark.slow
def test_a_compile_ends_with_a_server_that_is_killed() -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", CALLING], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"started\n"
    server.kill()
    # The other process has the same standard error: that ends when both have ended.
    server.communicate(timeout=60)


@pytest.mark.slow
def test_diagnostics_that_an_editor_asks_for(tmp_path: Path) -> None:
    """An editor that pulls is sent none, and has the encoding that it wants most."""
    uri = uri_of(str(tmp_path / "a.pp"))
    capabilities = {
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": True}},
        "general": {"positionEncodings": ["utf-32", "utf-16"]},
    }
    item = {"uri": uri, "languageId": "puppet", "version": 1, "text": "'\U0001f600' = }"}
    ended = talk(
        message(
            "initialize", {"processId": None, "rootUri": None, "capabilities": capabilities}, 1
        ),
        message("textDocument/didOpen", {"textDocument": item}),
        message("textDocument/diagnostic", {"textDocument": {"uri": uri}}, 2),
        message("shutdown", None, 3),
        message("exit", None),
    )
    assert b'"utf-32"' in ended.stdout
    assert b"SYNTAX_ERROR" in ended.stdout
    assert b"publishDiagnostics" not in ended.stdout


@pytest.mark.slow
def test_without_the_extra() -> None:
    ended = talk(code="import sys; sys.modules['pygls'] = None")
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.decode() == (
        "catgraph lsp: error: pygls is not installed; pip install 'catgraph[lsp]'\n"
    )


def test_the_table_is_in_order_and_names_features() -> None:
    methods = [row.method for row in table.TABLE]
    assert methods == sorted(methods)
    assert all(callable(row.answer) for row in table.TABLE)
