"""A session of an editor with the language server, on a control repo of 3,000 manifests.

`CATGRAPH_BENCH_REPO=/path` measures with a repository of yours in place of the one made here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from .measure import CONSOLE_SCRIPT, ENVIRONMENT, Row

MODULES, MANIFESTS = 100, 30
EDITS = 60
# Lines of the file that is edited in a repository of yours, and its roles that are compiled.
LINES, ROLES = 500, 6

DIAGNOSTICS = "textDocument/publishDiagnostics"
# What is asked at the names of the file while it is compiled, and what says that a server answers.
ASKED = {"hover": "hoverProvider", "definition": "definitionProvider",
         "completion": "completionProvider"}  # fmt: skip
NAME = re.compile(r"(?<!\w)\$?[a-z][\w:]{3,}")

# Milliseconds without a key before a server compiles.
PAUSE = 500


class Session:
    """A server, and what an editor says to it and waits for."""

    def __init__(self, root: Path, cache: Path) -> None:
        environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(cache)}
        self.start = perf_counter()
        self.process = subprocess.Popen(
            [str(CONSOLE_SCRIPT), "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self.number = 0
        folders = [{"uri": root.as_uri(), "name": "bench"}]
        params: Any = {"processId": None, "capabilities": {}, "workspaceFolders": folders}
        self.answers = self.ask("initialize", params)["result"]["capabilities"]
        self.say("initialized", {})
        self.ready = self.since_start()

    def since_start(self) -> float:
        """Milliseconds since the process was started."""
        return 1000 * (perf_counter() - self.start)

    def say(self, method: str, params: Any, number: int | None = None) -> None:
        document = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(document if number is None else {**document, "id": number}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        self.say(method, params, self.number)
        return self.wait(lambda message: message.get("id") == self.number)

    def wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        assert self.process.stdout is not None
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                length = int(line.rpartition(b" ")[2]) if b"Length" in line else length
            message: dict[str, Any] = json.loads(self.process.stdout.read(length))
            if wanted(message):
                return message

    def wait_for_index(self) -> float:
        self.wait(lambda message: "are indexed" in message.get("params", {}).get("message", ""))
        return self.since_start()

    def edit(self, uri: str, version: int, line: int) -> float:
        """Milliseconds from a key to the diagnostics of the text with it."""
        begun = perf_counter()
        place = {"line": line, "character": 0}
        change = {"range": {"start": place, "end": place}, "text": "#\n"}
        document = {"uri": uri, "version": version}
        self.say("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.wait(
            lambda message: (
                message.get("method") == DIAGNOSTICS and message["params"].get("version") == version
            )
        )
        return 1000 * (perf_counter() - begun)

    def time(self, method: str, uri: str, place: dict[str, int]) -> float:
        """Milliseconds of one request."""
        begun = perf_counter()
        self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place})
        return 1000 * (perf_counter() - begun)

    def open(self, file: Path) -> str:
        uri = file.as_uri()
        item = {"uri": uri, "languageId": "puppet", "version": 1, "text": file.read_text()}
        self.say("textDocument/didOpen", {"textDocument": item})
        self.wait_for(uri)
        return uri

    def wait_for(self, uri: str) -> None:
        """Wait for the next diagnostics of a file."""
        self.wait(lambda message: (
            message.get("method") == DIAGNOSTICS and message["params"]["uri"] == uri
        ))  # fmt: skip

    def memory(self) -> float:
        """Megabytes that the server has, without the process that compiles."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def repository(root: Path) -> Path:
    """Make a control repo, and return a manifest of about 500 lines in it."""
    (root / "environment.conf").write_text("")
    for module in range(MODULES):
        folder = root / "modules" / f"m{module}" / "manifests"
        folder.mkdir(parents=True)
        for number in range(MANIFESTS):
            name = f"m{module}::c{number}"
            other = f"m{(module + 1) % MODULES}::c{(number + 1) % MANIFESTS}"
            body = "".join(
                f"  file {{ '/etc/{name}/{i}':\n    ensure  => file,\n    content => \"${{port}}\","
                f"\n    require => Package['p{i}'],\n  }}\n"
                for i in range(98 if not module and not number else 8)
            )
            head = f"class {name} (Integer $port = {number}) {{\n  include {other}\n"
            (folder / f"c{number}.pp").write_text(f"{head}{body}}}\n")
    return root / "modules/m0/manifests/c0.pp"


def language_server() -> Iterator[Row]:
    """Start, index, keys and definitions, against the times that an editor should not exceed."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        given = os.environ.get("CATGRAPH_BENCH_REPO")
        root = Path(given) if given else Path(place) / "repo"
        root.mkdir(exist_ok=True)
        file, roles = chosen(root) if given else made(root)
        for what, aim in (("cold", 5000), ("from the cache", 1000)):
            session = Session(root, Path(place))
            try:
                ready, indexed = session.ready, session.wait_for_index()
                yield Row(f"lsp: ready for syntax, {what}", ready, "the aim", 1000, 1)
                yield Row(f"lsp: index, {what}", indexed - ready, "the aim", aim, 1)
                if what != "cold":
                    yield from keys_of(session, file)
                    yield from roles_of(session, roles)
            finally:
                session.end()


def keys_of(session: Session, file: Path) -> Iterator[Row]:
    """Edit a file, and ask about its names while it is compiled."""
    uri = session.open(file)
    keys = [session.edit(uri, 2 + n, n) for n in range(EDITS)]
    yield Row("lsp: key to diagnostics, p95", p95(keys), "the aim", 60, 1)
    places = names_in(file.read_text())
    for method, answer in ASKED.items():
        if answer in session.answers:
            session.say("textDocument/didSave", {"textDocument": {"uri": uri}})
            asked = [session.time(method, uri, place) for place in places]
            yield Row(f"lsp: {method} in a compile, p95", p95(asked), "the aim", 50, 1)


def roles_of(session: Session, files: list[Path]) -> Iterator[Row]:
    """From the pause after a key to the diagnostics of the catalogs, the worst of some roles."""
    found = []
    for file in files:
        uri = session.open(file)
        taken = session.edit(uri, 2, 0)
        begun = perf_counter()
        session.wait_for(uri)
        found.append(taken + 1000 * (perf_counter() - begun) - PAUSE)
        session.say("textDocument/didClose", {"textDocument": {"uri": uri}})
    yield Row("lsp: graph of a role, worst", max(found), "the aim", 2000, 1)
    yield Row("lsp: memory", session.memory(), "the aim", 500, 1, "MB")


def names_in(text: str) -> list[dict[str, int]]:
    """Places of names, evenly through a text: the lines of the edits are before it."""
    rows = [
        {"line": EDITS + line, "character": match.start() + 2}
        for line, row in enumerate(text.split("\n"))
        for match in NAME.finditer(row)
        if not row.lstrip().startswith("#")
    ]
    return rows[:: max(1, len(rows) // (2 * EDITS))]


def p95(values: list[float]) -> float:
    """Return the value that 95 of 100 do not exceed."""
    return sorted(values)[len(values) * 95 // 100]


def made(root: Path) -> tuple[Path, list[Path]]:
    """Return the file to edit and the classes to compile of a repository that is made here."""
    file = repository(root)
    return file, [root / f"modules/m{number}/manifests/c1.pp" for number in range(1, 4)]


def chosen(root: Path) -> tuple[Path, list[Path]]:
    """Return the file of a repository with about LINES lines, and some of its roles."""
    files = [one for one in sorted(root.rglob("*.pp")) if one.is_file()]
    sizes = {one: one.read_text(errors="replace").count("\n") for one in files}
    roles = [one for one in files if "/role/manifests/" in str(one)]
    return min(files, key=lambda one: abs(sizes[one] - LINES)), roles[:: len(roles) // ROLES or 1]


ROWS = (language_server,)
