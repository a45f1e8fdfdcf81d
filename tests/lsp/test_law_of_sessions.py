"""The law of the answers through the protocol: a server after edits, and one that was just started.

Both are processes; what was said to the first is drawn at random, and the second is told the end.
"""

import os
import random
from pathlib import Path
from typing import Any

import pytest

from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.paths import uri_of
from tests.lsp.test_law import FILES, NAMES, PIECES
from tests.lsp.test_protocol import answers, message, talk

ASKED = ("documentSymbol", "foldingRange", "documentLink", "semanticTokens/full")
POINTS = ("hover", "definition", "references", "completion")
LANGUAGES = {".pp": "puppet", ".cf": "cfengine3", "aml": "yaml"}


def start_of(root: str) -> list[bytes]:
    folder = {"uri": uri_of(root), "name": "repo"}
    options = {"compile": False}
    params: dict[str, object] = {
        "processId": None,
        "capabilities": {
            "textDocument": {"diagnostic": {}},
            "workspace": {"diagnostics": {"refreshSupport": True}},
        },
        "workspaceFolders": [folder],
        "initializationOptions": options,
    }
    return [message("initialize", params, 1), message("initialized", {})]


def opened(document: OpenDocument) -> bytes:
    language = LANGUAGES[document.path[-3:]]
    item = {"uri": document.uri, "languageId": language, "version": 1, "text": document.text}
    return message("textDocument/didOpen", {"textDocument": item})


def questions(documents: dict[str, OpenDocument]) -> list[bytes]:
    """Return requests about each document, with numbers from 100 on."""
    found: list[tuple[str, dict[str, Any]]] = []
    for document in documents.values():
        here = {"textDocument": {"uri": document.uri}}
        found += [(f"textDocument/{name}", here) for name in (*ASKED, "diagnostic")]
        for line in range(0, document.text.count("\n") + 1, 2):
            place = {**here, "position": {"line": line, "character": 9},
                     "context": {"includeDeclaration": True}}  # fmt: skip
            found += [(f"textDocument/{name}", place) for name in POINTS]
    found.append(("workspace/symbol", {"query": "b"}))
    return [message(method, params, number) for number, (method, params) in enumerate(found, 100)]


# The index is there before anything is asked, and threads answer before the next message.
AT_ONCE = """
import concurrent.futures, analyzer.lsp.handlers as handlers, analyzer.lsp.server as server
class Now(concurrent.futures.ThreadPoolExecutor):
    def submit(self, function, *given):
        done = concurrent.futures.Future()
        done.set_result(function(*given))
        return done
server.ThreadPoolExecutor = Now
handlers.HANDLERS["initialized"] = lambda server, params: [*server.files.indexing()] and None
"""


def asked(root: str, *told: bytes) -> dict[int, Any]:
    """Return the answers of a server by the number of the question."""
    ended = talk(*start_of(root), *told, message("shutdown", None, 2), code=AT_ONCE)
    return {number: one for number, one in answers(ended.stdout).items() if number >= 100}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_session_answers_as_a_fresh_server(seed: int, tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    documents: dict[str, OpenDocument] = {}
    for name, text in FILES.items():
        file = Path(root, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        if name in NAMES:
            documents[name] = OpenDocument(str(file), uri_of(str(file)), 1, text)
    told = [opened(one) for one in documents.values()]
    choose = random.Random(seed)
    for version in range(2, 14):
        name = choose.choice(NAMES)
        line, column = choose.randint(0, 4), choose.randint(0, 12)
        end = line + choose.randint(0, 1), choose.randint(column, 14)
        piece = choose.choice(PIECES)
        documents[name] = documents[name].edited(piece, version, ((line, column), end), "utf-16")
        places = [{"line": one, "character": at} for one, at in ((line, column), end)]
        change = {"range": {"start": places[0], "end": places[1]}, "text": piece}
        document = {"uri": documents[name].uri, "version": version}
        params = {"textDocument": document, "contentChanges": [change]}
        told += [message("textDocument/didChange", params)]
        told += questions({name: documents[name]})[: choose.randint(0, 3)]
    last = questions(documents)
    edited = asked(root, *told, *last)
    fresh = asked(root, *map(opened, documents.values()), *last)
    assert len(fresh) == len(last)
    assert edited == fresh
