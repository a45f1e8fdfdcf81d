"""The cache of parsed files: what it gives is what was parsed, and nothing goes wrong with it."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

import analyzer
from analyzer import seal
from analyzer.frontends import cache
from analyzer.frontends.puppet.syntax.cache import Cache
from analyzer.frontends.puppet.syntax.check import check
from analyzer.frontends.puppet.syntax.checked import check_cached

KEY = "0" * 32
LARGE = "x" * 1000
MANIFEST = "class a ($x = 1) { file { '/x': mode => \"${x}\" } -> notify { 'n': } }\ninclude a\n"
WRONG = "class a { $x = }\n"
TEMPLATE = "<%- | $x | -%>\n<%= $x %>\n"


def entries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != seal.NAME]


@pytest.mark.parametrize(
    ("text", "epp"), [(MANIFEST, False), (WRONG, False), (TEMPLATE, True)], ids=str
)
def test_the_same_as_without(tmp_path: Path, text: str, epp: bool) -> None:
    plain = check(text, "a", epp=epp)
    for _ in range(2):
        found = check_cached(text, "a", epp=epp, cache=Cache(str(tmp_path)))
        assert found.found == plain.found
        assert found.tree == plain.tree
    assert len(entries(tmp_path)) == 1


@pytest.mark.parametrize("damage", [b"", b"\0\0\0\0", None], ids=["empty", "zeros", "cut"])
def test_a_damaged_entry_is_made_again(tmp_path: Path, damage: bytes | None) -> None:
    store = Cache(str(tmp_path))
    check_cached(MANIFEST, "a", cache=store)
    (entry,) = entries(tmp_path)
    whole = entry.read_bytes()
    entry.write_bytes(whole[:-9] if damage is None else damage)
    assert check_cached(MANIFEST, "a", cache=store).tree == check(MANIFEST, "a").tree
    assert entry.read_bytes() == whole


@pytest.mark.parametrize("mode", [0o620, 0o602], ids=["group", "others"])
def test_an_entry_that_others_may_write_is_not_read(tmp_path: Path, mode: int) -> None:
    store = Cache(str(tmp_path))
    before = os.umask(0)
    try:
        store.put(KEY, MANIFEST)
    finally:
        os.umask(before)
    (entry,) = entries(tmp_path)
    assert entry.stat().st_mode & 0o777 == 0o600
    assert store.get(KEY) == MANIFEST
    entry.chmod(mode)
    assert store.get(KEY) is None


def parse_all(folder: str) -> int:
    store = Cache(folder)
    texts = [f"notify {{ 'n{number}': }}" for number in range(100)]
    trees = [check_cached(text, "a", cache=store).tree for text in texts]
    return sum(tree is not None for tree in trees)


def test_processes_share_it(tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(parse_all, [str(tmp_path)] * 4, 1) == [100] * 4
    assert len(entries(tmp_path)) == 100


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a cache have 40 entries of 1,000 bytes, and look nearly each time."""
    monkeypatch.setattr(cache, "MOST", 40 * cache.BLOCK)
    monkeypatch.setattr(cache, "STEP", 1100)


def test_what_was_not_used_for_longest_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    older, store = (Cache(str(tmp_path / name), str(tmp_path)) for name in ("1.0", "2.0"))
    for day, number in enumerate([3, 0, 2, 1, 4]):
        older.put(f"{number:032x}", number)
        os.utime(tmp_path / "1.0" / "00" / f"{number:030x}", (day * 86400, 0))
    for number in range(200):
        store.put(f"{number:032x}", LARGE)
    assert 10 < len(entries(tmp_path)) < 60
    assert store.get(f"{199:032x}") == LARGE
    assert [older.get(f"{number:032x}") for number in range(5)] == [None] * 5
    monkeypatch.setattr(cache, "MOST", 4 * len(entries(tmp_path)) * cache.BLOCK // 5)
    for number in range(160, 200):
        if store.get(f"{number:032x}") is not None:
            os.utime(tmp_path / "2.0" / "00" / f"{number:030x}", (number, 0))
    cache.prune(str(tmp_path))
    kept = [number for number in range(200) if store.get(f"{number:032x}") is not None]
    assert kept == list(range(200 - len(kept), 200))


def test_nothing_beside_a_folder_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    (tmp_path / "other").write_bytes(bytes(100 * cache.BLOCK))
    os.utime(tmp_path / "other", (0, 0))
    store = Cache(str(tmp_path / "cache"))
    for number in range(100):
        store.put(f"{number:032x}", LARGE)
    assert (tmp_path / "other").exists()


def put_many(folder: str) -> bool:
    store = Cache(folder)
    for number in range(300):
        store.put(f"{number % 100:032x}", LARGE)
    return store.folder is not None


def test_processes_remove_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map(put_many, [str(tmp_path / "v")] * 3, 1) == [True] * 3
    assert 0 < len(entries(tmp_path)) < 60


def test_what_is_too_large_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 1100)
    Cache(str(tmp_path)).put("a" * 32, 2 * LARGE)
    assert entries(tmp_path) == []


def test_what_another_user_wrote_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Cache(str(tmp_path))
    store.put("a" * 32, "kept")
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    assert store.get("a" * 32) is None
    monkeypatch.undo()
    assert store.get("a" * 32) == "kept"


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment whose one module has a class, with a cache beside it."""
    for name, text in (
        ("modules/m/manifests/init.pp", "class m { notify { epp('m/t.epp'): } }\n"),
        ("modules/m/templates/t.epp", "text"),
        ("manifests/site.pp", "include m\n"),
    ):
        path = tmp_path / "environment" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    # A command that was given --no-cache in this process has left its wish behind.
    monkeypatch.delenv("CATGRAPH_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "environment"


def test_a_compile_keeps_what_it_parses(environment: Path) -> None:
    first = analyzer.compile(environment)
    kept = entries(environment.parent / "cache")
    again = analyzer.compile(environment)
    assert [str(r.ref) for r in first.resources] == [str(r.ref) for r in again.resources]
    # The parse table may be there already, for the whole process.
    assert len(kept) in (3, 4)
    assert entries(environment.parent / "cache") == kept


def test_a_change_is_seen(environment: Path) -> None:
    analyzer.compile(environment)
    (environment / "modules/m/manifests/init.pp").write_text("class m { notify { 'other': } }\n")
    assert "Notify[other]" in [str(r.ref) for r in analyzer.compile(environment).resources]


def test_none_is_wanted(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATGRAPH_NO_CACHE", "1")
    analyzer.compile(environment)
    assert entries(environment.parent / "cache") == []


@pytest.mark.parametrize("committed", [True, False])
def test_a_folder_in_a_checkout_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    if committed:
        (tmp_path / ".git").mkdir()
    monkeypatch.delenv("CATGRAPH_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    assert (cache.user_cache().folder is None) is committed
