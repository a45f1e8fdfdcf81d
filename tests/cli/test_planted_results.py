"""What is stored for later runs: nobody plants results with code, and no bytes do harm."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import apart, seal
from analyzer.codec import PLAIN_VALUES
from analyzer.fleet.store import ResultStore, default_path
from analyzer.frontends.cache import Cache
from analyzer.frontends.puppet.syntax.cache import key_of
from analyzer.frontends.puppet.syntax.checked import CODEC
from analyzer.lsp.index.facts import Packed
from analyzer.lsp.index.store import FORM, keep_facts, kept_facts
from tests.cli.conftest import Run, run

__all__ = ["run"]

SITE = "file { '/a': before => File['/b'] }\nfile { '/b': before => File['/a'] }\n"
KEY = "ab" + "0" * 30
COMMANDS = ("lint", "cycles", "compile", "explore")


class Marks:
    """Makes a folder if it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A control repo without `.git`, and a cache of the user beside it."""
    folder = tmp_path / "checkout"
    (folder / "manifests").mkdir(parents=True)
    (folder / "manifests/site.pp").write_text(SITE)
    (folder / "environment.conf").write_text("")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.delenv("CATGRAPH_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def entries(folder: Path) -> list[Path]:
    return [one for one in folder.rglob("*") if one.is_file() and one.name != seal.NAME]


def fill(run: Run, checkout: Path) -> list[Path]:
    """Fill the cache; return its entries."""
    for command in COMMANDS:
        run(command, checkout)
        run(command, checkout)
    found = entries(Path(os.environ["XDG_CACHE_HOME"], "catgraph"))
    assert len(found) > 3
    return found


@pytest.mark.parametrize("git", [True, False], ids=["git", "no git"])
@pytest.mark.parametrize("variable", ["HOME", "XDG_CACHE_HOME"])
@pytest.mark.parametrize("place", ["working folder", "elsewhere", "link"])
def test_a_committed_cache_is_not_used(
    run: Run, checkout: Path, monkeypatch: pytest.MonkeyPatch, git: bool, variable: str, place: str
) -> None:
    """The commit has an entry at each right path: neither read nor written."""
    names = [one.relative_to(checkout.parent / "cache") for one in fill(run, checkout)]
    clean = [run(command, checkout).out for command in COMMANDS]
    mark, base = checkout.parent / "mark", checkout / ".cache"
    body = pickle.dumps(Marks(mark))
    for name in names:
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(crc32(body).to_bytes(4) + body)
        path.chmod(0o600)
    if git:
        (checkout / ".git").mkdir()
    named = checkout
    if place == "link":
        named = checkout.parent / "link"
        named.symlink_to(checkout)
    if place == "working folder":
        monkeypatch.chdir(checkout)
    if variable == "HOME":
        monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv(variable, str(named if variable == "HOME" else named / ".cache"))
    before = sorted(base.rglob("*"))
    assert [run(command, checkout).out for command in COMMANDS] == clean
    assert not mark.exists()
    assert sorted(base.rglob("*")) == before


def test_an_entry_under_the_secret_of_a_commit_is_not_used(tmp_path: Path) -> None:
    """A whole cache that was valid where it was made, its secret too."""
    made = Cache(str(tmp_path / "made"))
    made.put(KEY, "planted")
    assert made.get(KEY) == "planted"
    shutil.copytree(tmp_path / "made", tmp_path / "copy")
    assert Cache(str(tmp_path / "copy")).get(KEY) is None


def test_an_entry_is_not_used_under_another_name(tmp_path: Path) -> None:
    store, other = Cache(str(tmp_path)), f"{KEY[:-1]}1"
    store.put(KEY, "one")
    store.put(other, "other")
    one, two = entries(tmp_path)
    data = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(data)
    assert [store.get(KEY), store.get(other)] == [None, None]


def test_pickles_at_the_places_of_entries(run: Run, checkout: Path) -> None:
    mark = checkout.parent / "mark"
    for path in fill(run, checkout):
        body = pickle.dumps(Marks(mark))
        path.write_bytes(crc32(body).to_bytes(4) + body)
    for command in COMMANDS:
        run(command, checkout)
    assert not mark.exists()


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_no_entry(data: bytes, sealed: bool) -> None:
    """Also bytes with the right seal: the secret may be known."""
    folder = Path(os.environ["PYTEST_TMP"])
    store = Cache(str(folder))
    store.put(KEY, 1)
    secret = store.secret()
    assert secret is not None
    (path,) = entries(folder)
    path.write_bytes(seal.seal(secret, KEY, data) + data if sealed else data)
    store.get(KEY, CODEC)


@pytest.fixture(autouse=True)
def folder_for_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_TMP", str(tmp_path / "bytes"))


@pytest.mark.parametrize("kind", ["folder", "link", "pipe", "read by others", "short", "long"])
def test_a_secret_that_is_none(tmp_path: Path, kind: str) -> None:
    path = tmp_path / seal.NAME
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        (tmp_path / "other").write_bytes(bytes(32))
        (tmp_path / "other").chmod(0o600)
        path.symlink_to(tmp_path / "other")
    elif kind == "pipe":
        os.mkfifo(path, 0o600)
    else:
        path.write_bytes(bytes({"short": 31, "long": 33}.get(kind, 32)))
        path.chmod(0o644 if kind == "read by others" else 0o600)
    found = seal.secret_in(str(tmp_path))
    if found is not None:
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.read_bytes() != bytes(32)
        assert seal.secret_in(str(tmp_path)) == found


def test_a_copy_of_a_secret_is_another_one(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    first = seal.secret_in(str(tmp_path))
    shutil.copy2(tmp_path / seal.NAME, tmp_path / "copy" / seal.NAME)
    second = seal.secret_in(str(tmp_path / "copy"))
    assert first is not None
    assert second not in (None, first)


@pytest.mark.parametrize(
    "shape",
    [
        *(".git/x", "Puppetfile", "environment.conf", "metadata.json", "hiera.yaml"),
        *("promises.cf", "manifests/init.pp", "modules/m/manifests/init.pp"),
        *("site/m/metadata.json", "environments/production/environment.conf"),
    ],
)
def test_no_cache_lies_in_what_looks_like_code(tmp_path: Path, shape: str) -> None:
    folder = tmp_path / "code/.cache/catgraph"
    folder.mkdir(parents=True)
    apart.place_of.cache_clear()
    assert apart.is_apart(str(folder))
    path = tmp_path / "code" / shape
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    apart.place_of.cache_clear()
    assert not apart.is_apart(str(folder))


def test_planted_answers_of_a_fleet_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = default_path()
    assert path
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version=5")
        db.execute("create table answers (configuration, content, body)")
        db.execute("insert into answers values ('c', 'x', '[1,[],[],\"\"]')")
        db.execute("create table seal (body)")
        db.execute("insert into seal values (?)", (bytes(32),))
    db.close()
    store = ResultStore(path)
    assert store.db.execute("select count(*) from answers").fetchone() == (0,)
    store.note("source", "question", [("cause", "title", 1)], "now")
    store.close()
    again = ResultStore(path)
    assert len(again.history(None)) == 1
    again.close()


@pytest.mark.parametrize("committed", [True, False])
def test_the_store_of_a_fleet_is_apart_from_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    if committed:
        (tmp_path / "Puppetfile").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert bool(default_path()) is not committed


@pytest.mark.parametrize("damage", ["header", "cut", "text", "view"])
def test_a_damaged_store_is_one_error(tmp_path: Path, run: Run, damage: str) -> None:
    (tmp_path / "catalogs").mkdir()
    (tmp_path / "catalogs/a.json").write_text('{"name": "a", "resources": [], "edges": []}')
    path = tmp_path / "fleet.sqlite"
    assert run("fleet", "cycles", tmp_path / "catalogs", "--store", path).code in (0, 3)
    if damage == "view":
        path.unlink()
        with sqlite3.connect(path) as db:
            db.execute("create view nodes as select 1")
        db.close()
    else:
        data = path.read_bytes()
        header = b"\xff" * 100 + data[100:]
        path.write_bytes({"header": header, "cut": data[:5000], "text": b"no database"}[damage])
    done = run("fleet", "cycles", tmp_path / "catalogs", "--store", path)
    assert (done.code, "bad-store" in done.err, "report" in done.err) == (2, True, False)


def test_planted_facts_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "root").mkdir()
    monkeypatch.delenv("CATGRAPH_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root, facts = str(tmp_path / "root"), Packed(b"d", (("class", "a"),), (), b"[[],[]]")
    keep_facts(root, {"a.pp": facts})
    assert kept_facts(root) == {"a.pp": facts}
    (path,) = entries(tmp_path / "cache")
    body = PLAIN_VALUES.encode({"a.pp": (b"d", (), (), b"[[],[]]")})
    path.write_bytes(seal.seal(bytes(32), key_of(FORM, root), body) + body)
    assert kept_facts(root) == {}


WRITER = """
import sys
from analyzer.frontends.cache import Cache
store = Cache(sys.argv[1])
print("ready", flush=True)
while True:
    for number in range(50):
        store.put(f"{number:032x}", [number] * 500)
"""


def write_and_kill(folder: Path, moments: int) -> None:
    """Kill a writer at random moments; each entry is whole or not there."""
    random = Random(1)
    for _ in range(moments):
        writer = [sys.executable, "-c", WRITER, str(folder)]
        with subprocess.Popen(writer, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(random.random() / 50)
            process.send_signal(signal.SIGKILL)
        store = Cache(str(folder))
        for number in range(50):
            assert store.get(f"{number:032x}") in (None, [number] * 500)
    assert any(store.get(f"{number:032x}") for number in range(50))


def test_a_writer_that_is_killed(tmp_path: Path) -> None:
    write_and_kill(tmp_path, 2)


@pytest.mark.slow
def test_a_writer_that_is_killed_at_50_moments(tmp_path: Path) -> None:
    write_and_kill(tmp_path, 50)


@pytest.mark.slow
def test_eight_processes_begin_one_cache(checkout: Path) -> None:
    command = [sys.executable, "-m", "analyzer.cli", "lint", str(checkout)]
    code = "import sys; from analyzer.cli import main; sys.exit(main(sys.argv[1:]))"
    command[1:3] = ["-c", code]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(8)]
    outputs = {process.communicate()[0] for process in processes}
    assert len(outputs) == 1
    assert {process.returncode for process in processes} == {1}


def test_a_clock_that_goes_backwards(tmp_path: Path) -> None:
    """Times of entries decide only which of them goes first."""
    store = Cache(str(tmp_path))
    store.put(KEY, "kept")
    (path,) = entries(tmp_path)
    os.utime(path, (2**33, 2**33))
    assert store.get(KEY) == "kept"


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Cache(str(tmp_path))
    store.put(KEY, "kept")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    store.put(f"{KEY[:-1]}1", "new")
    monkeypatch.undo()
    assert len(entries(tmp_path)) == 1
    assert Cache(str(tmp_path)).get(KEY) == "kept"
