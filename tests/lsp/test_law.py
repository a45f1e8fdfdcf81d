"""After any edits the answers are those of a fresh server; half-written files never break one."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.lsp.checks.languages import diagnostics
from analyzer.lsp.features.table import TABLE
from analyzer.lsp.languages.table import ROWS, row_for
from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.paths import uri_of
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot
from analyzer.lsp.state.workspace import Workspace
from tests.amount import ALL

FILES = {
    "environment.conf": "",
    "hiera.yaml": "version: 5\nhierarchy: [{name: a, path: common.yaml}]\n",
    "data/common.yaml": "b::x: 1\nb::y: 2\n",
    "modules/b/manifests/init.pp": "class b (String $x = 'a') {\n  include b::c\n  notice($x)\n}\n",
    "modules/b/manifests/c.pp": "class b::c inherits b {\n  file { $x: }\n}\n",
    "promises.cf": 'bundle agent main\n{\n  vars:\n    "a" string => "b";\n}\n',
}
NAMES = sorted(name for name in FILES if name != "environment.conf")
PIECES = ("", "bundle a", "\n", "'", "{", "}", "é😀", "include b\n", "class b::c { $x = 1 }\n",
          "$x", "b::z: [\n", "bundle agent b { }\n", '"', "(", "define b($y) { }\n")  # fmt: skip

Place = st.tuples(st.integers(0, 4), st.integers(0, 12))
Steps = st.lists(
    st.one_of(
        st.tuples(st.just("edit"), st.sampled_from(NAMES), st.tuples(Place, Place),
                  st.sampled_from(PIECES)),
        st.tuples(st.sampled_from(("open", "close", "remove")), st.sampled_from(NAMES)),
        st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(PIECES)),
    ),
    max_size=10,
)  # fmt: skip

# Answers of one text at each of its names, and of the whole of it.
POINT = ("textDocument/definition", "textDocument/hover")
WHOLE = ("textDocument/documentSymbol",)


def indexed(root: str) -> Workspace:
    workspace = Workspace((root,))
    for _ in workspace.indexing():
        pass
    return workspace


def asked(snapshot: Snapshot, path: str, method: str, at: int, end: int) -> Any:
    row = row_for(path, method) or next((one for one in TABLE if one.method == method), None)
    if row is None:
        return None
    return row.answer(
        snapshot, EditorRequest(path, snapshot.text(path), snapshot.facts(path), at, end, None)
    )


def answers(snapshot: Snapshot, path: str) -> Iterator[Any]:
    facts = snapshot.facts(path)
    yield diagnostics(snapshot, path)
    for method in WHOLE:
        yield asked(snapshot, path, method, 0, len(snapshot.text(path)))
    for at in [one.start for one in facts.symbols] + [one.start for one in facts.uses]:
        for method in POINT:
            yield asked(snapshot, path, method, at, at)


def applied(workspace: Workspace, root: str, number: int, step: Any) -> None:
    """Do what an editor or another program does."""
    what, name, *rest = step
    path = os.path.join(root, name)
    if what == "edit":
        workspace.edit(path, number, [(rest[0], rest[1])])
    elif what == "open" and os.path.isfile(path):
        workspace.put(OpenDocument(path, uri_of(path), number, Path(path).read_text()))
    elif what == "close":
        workspace.close(path)
    elif what in ("write", "remove"):
        if what == "remove":
            Path(path).unlink(missing_ok=True)
        else:
            Path(path).write_text(rest[0] + FILES[name])
        workspace.read_again([path])


@settings(max_examples=500 if ALL else 12)
@given(Steps)
def test_answers_are_those_of_a_fresh_server(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        root = os.path.realpath(place)
        for name, text in FILES.items():
            (Path(root) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(root) / name).write_text(text)
        workspace = indexed(root)
        for name in NAMES:
            applied(workspace, root, 0, ("open", name))
        for number, step in enumerate(steps, 1):
            applied(workspace, root, number, step)
        fresh = indexed(root)
        for document in workspace.documents.values():
            fresh.put(document)
        for path in sorted(fresh.index.files):
            assert [*answers(workspace.snapshot, path)] == [*answers(fresh.snapshot, path)]
        assert dict(workspace.index.files) == dict(fresh.index.files)


SAMPLES = Path(__file__).parents[2] / "sample_catalogs"
TESTS = Path(__file__).parents[1]


def samples() -> list[Path]:
    """Fifty files of all languages: manifests, templates, policies, data."""
    found = [
        *sorted(SAMPLES.rglob("*.pp"))[:30],
        *sorted(SAMPLES.rglob("*.epp"))[:2],
        *sorted(TESTS.rglob("*.cf"))[:12],
        *sorted(SAMPLES.rglob("*.yaml"))[:5],
        *sorted(SAMPLES.rglob("catgraph.toml"))[:1],
    ]
    return [file for file in found if file.stat().st_size < 6000]


@pytest.mark.slow
def test_every_prefix_of_fifty_files_has_answers(tmp_path: Path) -> None:
    """At two hundred places of each: diagnostics, symbols, hover, completion."""
    methods = sorted({row.method for row in TABLE} | {row.method for row in ROWS})
    methods = [one for one in methods if one in ("textDocument/completion", *POINT, *WHOLE)]
    files = samples()
    assert len(files) >= 40
    for number, file in enumerate(files):
        text = file.read_text()
        root = tmp_path / str(number)
        root.mkdir()
        path = str(root / file.name)
        Path(path).write_text(text)
        workspace = indexed(str(root))
        for end in range(0, len(text) + 1, max(1, len(text) // 200)):
            workspace.put(OpenDocument(path, uri_of(path), end, text[:end]))
            snapshot = workspace.snapshot
            diagnostics(snapshot, path)
            for method in methods:
                at = 0 if method in WHOLE else end
                asked(snapshot, path, method, at, end)
