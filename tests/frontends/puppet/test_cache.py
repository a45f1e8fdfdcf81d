"""The cache of parsed files: what it gives is what was parsed, and nothing goes wrong with it."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from analyzer import session
from analyzer.frontends.puppet.cache import Cache
from analyzer.frontends.puppet.check import check
from analyzer.frontends.puppet.checked import check_cached

MANIFEST = "class a ($x = 1) { file { '/x': mode => \"${x}\" } -> notify { 'n': } }\ninclude a\n"
WRONG = "class a { $x = }\n"
TEMPLATE = "<%- | $x | -%>\n<%= $x %>\n"


def entries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


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


def parse_all(folder: str) -> int:
    store = Cache(folder)
    texts = [f"notify {{ 'n{number}': }}" for number in range(100)]
    trees = [check_cached(text, "a", cache=store).tree for text in texts]
    return sum(tree is not None for tree in trees)


def test_processes_share_it(tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(parse_all, [str(tmp_path)] * 4, 1) == [100] * 4
    assert len(entries(tmp_path)) == 100


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
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "environment"


def test_a_compile_keeps_what_it_parses(environment: Path) -> None:
    first = session.compile(environment)
    kept = entries(environment.parent / "cache")
    again = session.compile(environment)
    assert [str(r.ref) for r in first.resources] == [str(r.ref) for r in again.resources]
    # The parse table may be there already, for the whole process.
    assert len(kept) in (3, 4)
    assert entries(environment.parent / "cache") == kept


def test_a_change_is_seen(environment: Path) -> None:
    session.compile(environment)
    (environment / "modules/m/manifests/init.pp").write_text("class m { notify { 'other': } }\n")
    assert "Notify[other]" in [str(r.ref) for r in session.compile(environment).resources]


def test_none_is_wanted(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATGRAPH_NO_CACHE", "1")
    session.compile(environment)
    assert entries(environment.parent / "cache") == []
