"""Whatever a file holds, `catgraph cycles` gives a result or one error with exit code 2."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from analyzer.export.reports.formats import FORMATS
from tests.cli.conftest import Outcome, Run, notify, ring
from tests.conftest import ROOT

EMPTY = '{"resources": [], "edges": []}'
MUTATIONS = 3_000
VALUES: list[Any] = [
    None, True, 0, -7, 1.5, 10**30, "", "x", "[", "]", "A[", "A[]", "[a]", "File[/a[b]]",
    "Class[Main]", "\ud800", "a\nb", [], ["x"], [None], [[["x"]]], [{}], {}, {"a": 1},
    {"type": "File", "title": "/x"}, {"type": 1, "title": None},
]  # fmt: skip
FILES = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \n\t\n", "the file is empty"),
    "text": (b"Could not find class", "1:1: error: this is not JSON"),
    "number": (b"5", "it is a number, not an object"),
    "string": (b'"x"', "it is a string, not an object"),
    "empty list": (b"[]", "the list of catalogs is empty"),
    "nested lists": (b"[[[]]]", "it is a list, not an object"),
    "no resources": (b"{}", "it has no list 'resources'"),
    "truncated": (b'{"resources": [', "1:16: error: this is not JSON"),
    "two documents": (EMPTY.encode() * 2, ":31: error: text follows"),
    "NUL": (b'{"resources": [],\x00"edges": []}', "error: this is not JSON"),
    "trailing comma": (b'{"resources": [],\n}', "2:1: error: this is not JSON"),
    "binary": (bytes(range(256)) * 100, "is not UTF-8"),
    "latin-1": (b'{"resources": [{"type": "\xe4"}]}', "byte 25 on line 1 is not UTF-8"),
    "UTF-16": (EMPTY.encode("utf-16"), "this is UTF-16"),
    "UTF-16 without mark": (EMPTY.encode("utf-16-le"), "this is not JSON"),
    "long line": (b"x" * 10_000_000, "1:1: error: this is not JSON"),
    "long line, late": (b"[" + b" " * 10_000_000 + b"!]", "1:10000002: error: this is not JSON"),
    "deep": (b"[" * 200_000, "nested too deeply"),
    "deep value": (b'{"resources": ' + b"[" * 90_000 + b"]" * 90_000 + b"}", "too deeply"),
    "damaged gzip": (gzip.compress(EMPTY.encode())[:-9], "the gzip data is damaged"),
    "huge number": (b'{"resources": ' + b"9" * 5_000 + b"}", "error: this is not JSON"),
    "no type": (b'{"resources": [{"title": "x"}]}', "resources[0]: it has no 'type'"),
    "null title": (
        b'{"resources": [{"type": "A", "title": null}]}',
        "resources[0].title: expected a string, got null",
    ),
    "list parameters": (
        b'{"resources": [{"type": "A", "title": "b", "parameters": [1]}]}',
        "resources[0].parameters: expected an object, got a list",
    ),
}  # fmt: skip


def assert_sane(done: Outcome, what: object = "") -> None:
    """A result or an error, never a traceback."""
    assert done.code in (0, 1, 2), what
    assert "Traceback" not in done.err, what
    assert "internal error" not in done.err, (what, done.err)
    assert (done.code == 2) == (": error: " in done.err and not done.out), (what, done)


@pytest.mark.parametrize("name", FILES)
def test_rejected(run: Run, tmp_path: Path, name: str) -> None:
    data, message = FILES[name]
    path = tmp_path / "catalog.json"
    path.write_bytes(data)
    done = run("cycles", path)
    assert_sane(done)
    assert done.code == 2
    assert done.err.startswith(str(path))
    assert message in done.err
    assert len(done.err) < 1_000


@pytest.mark.parametrize("name", ["NUL", "truncated", "trailing comma", "huge number", "deep"])
def test_rejected_by_the_command(tmp_path: Path, name: str) -> None:
    """In a process that has loaded nothing else: `json` is not there to raise its errors."""
    path = tmp_path / "catalog.json"
    path.write_bytes(FILES[name][0])
    command = [sys.executable, "-c", "from analyzer.cli import main; main()", "cycles", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert_sane(Outcome(done.returncode, done.stdout, done.stderr))
    assert FILES[name][1] in done.stderr


def test_missing_file_and_directory(run: Run, tmp_path: Path) -> None:
    absent = "cannot be read: No such file"
    for path, message in ((tmp_path, "no manifests (.pp) in this"), (tmp_path / "no", absent)):
        done = run("cycles", path)
        assert (done.code, done.out) == (2, "")
        assert f"{path}: error: {message}" in done.err


def test_byte_order_mark(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    path.write_bytes(b"\xef\xbb\xbf" + EMPTY.encode())
    assert run("cycles", path).code == 0


def test_truncated_anywhere(run: Run, sample: Callable[[str], Path], tmp_path: Path) -> None:
    data = (sample("autorequire_cycle") / "catalog.json").read_bytes().strip()
    path = tmp_path / "catalog.json"
    for end in range(1, len(data), 13):
        path.write_bytes(data[:end])
        done = run("cycles", path)
        assert_sane(done, end)
        assert done.code == 2


def edges(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"source": source, "target": target} for source, target in pairs]


def container(title: str) -> dict[str, Any]:
    return {"type": "Class", "title": title, "kind": "class", "parameters": {}}


ODD: dict[str, tuple[list[dict[str, Any]], list[dict[str, str]], int]] = {
    "cyclic containment": (
        [container("A"), container("B")],
        edges(("Class[A]", "Class[B]"), ("Class[B]", "Class[A]")),
        1,
    ),
    "self-containment": ([container("A")], edges(("Class[A]", "Class[A]")), 1),
    "contained twice": (
        [container("A"), container("B"), notify("n")],
        edges(*[("Class[A]", "Notify[n]")] * 2, ("Class[B]", "Notify[n]")),
        0,
    ),
    "waits for itself": ([notify("a", require="Notify[a]")], [], 1),
    "class waits for its content": (
        [container("A"), notify("n", before="Class[A]")],
        edges(("Class[A]", "Notify[n]")),
        1,
    ),
    "duplicate titles": ([notify("a", before="Notify[b]"), notify("a"), notify("b")], [], 0),
    "duplicates in a cycle": ([*ring(["a", "b"]), *ring(["a", "b"])], [], 1),
    "edges to nowhere": ([notify("a")], edges(("Class[A]", "Notify[a]"), ("X[y]", "")), 2),
    "null parameters": ([notify("a", require=None, before=[None], owner=None)], [], 0),
    "nested lists": ([notify("a", before=[["Notify[b]", []]]), notify("b")], [], 0),
    "references that are none": ([notify("a", require=["x", 5, True, {"a": 1}])], [], 1),
    "unicode titles": (ring(["ü", "日本", "\U0001f4a5", "e\u0301"]), [], 1),
    "bracketed titles": (ring(["/a[b]", "]", "[", "a]b[c", "[]"]), [], 1),
    "odd titles": (ring(["", " ", "\n", "\x00", "\ud800", "'", "a => b"]), [], 1),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("form", ["text", *FORMATS])
def test_odd_catalogs(run: Run, written: Callable[..., Path], name: str, form: str) -> None:
    resources, containment, code = ODD[name]
    done = run("cycles", written(resources, containment), "--format", form)
    assert "internal error" not in done.err
    assert "Traceback" not in done.err
    assert done.code == code


@pytest.mark.parametrize("key", ["resources", "edges", "classes", "name", "version", "environment"])
@pytest.mark.parametrize("value", [None, 1, "x", [], {}, [1], {"data": 1}])
def test_top_level_values(run: Run, tmp_path: Path, key: str, value: object) -> None:
    document = {**json.loads(EMPTY), key: value}
    path = tmp_path / "catalog.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert_sane(run("cycles", path), (key, value))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a document."""
    if path:
        yield path
    keys = value if isinstance(value, dict) else range(len(value)) if is_list(value) else ()
    for key in keys:
        yield from places(value[key], (*path, key))


def is_list(value: object) -> bool:
    return isinstance(value, list)


def mutated(document: Any, path: tuple[Any, ...], random: Random) -> Any:
    """The document with the value at a place replaced, or now and then left out."""
    copy = document.copy()
    if len(path) > 1:
        copy[path[0]] = mutated(document[path[0]], path[1:], random)
    elif random.random() < 0.1:
        del copy[path[0]]
    else:
        copy[path[0]] = random.choice(VALUES)
    return copy


@pytest.mark.parametrize("name", ["healthy_web_stack", "containment_cycle", "autorequire_cycle"])
def test_mutations(run: Run, sample: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    document = json.loads((sample(name) / "catalog.json").read_text(encoding="utf-8"))
    ways = list(places(document))
    random = Random(name)
    path = tmp_path / "catalog.json"
    formats = ["text", *FORMATS]
    codes = set()
    for number in range(MUTATIONS // 3):
        changed = document
        for _ in range(random.choice([1, 1, 1, 3])):
            way = random.choice(ways)
            try:
                changed = mutated(changed, way, random)
            except (KeyError, IndexError, TypeError, AttributeError):
                continue
        text = json.dumps(changed)
        path.write_text(text, encoding="utf-8")
        done = run("cycles", path, "--format", formats[number % len(formats)])
        assert "internal error" not in done.err, (done.err, text)
        assert "Traceback" not in done.err, (done.err, text)
        codes.add(done.code)
    assert {1, 2} <= codes <= {0, 1, 2, 3}
