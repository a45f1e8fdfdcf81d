"""The law of kept output: with and without it a command prints the same, whatever changed."""

from __future__ import annotations

import os
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.cli import main
from analyzer.cli.commands import cycles, explore
from analyzer.session.worlds import time_budget
from tests.amount import examples
from tests.linter.test_kept import EDITS, FILES, repository, write

CYCLE = "node 'a' { file { '/a': require => File['/b'] } file { '/b': require => File['/a'] } }\n"
# The same site, where a fact decides what there is.
BY_FACT = """if $facts['x'] == 'y' { notify { 'a': require => Notify['b'] } }
notify { 'b': before => Notify['c'] }
notify { 'c': }
"""
MORE = [
    ("manifests/site.pp", CYCLE),
    ("manifests/site.pp", BY_FACT),
    ("metadata.json", "{"),
    ("environments/other/manifests/site.pp", "include app"),
]
ALL = [*((name, FILES[name][number]) for name, number in EDITS), *MORE]


def printed(*words: str) -> tuple[int, str, str]:
    # `--no-cache` leaves it behind in the process.
    os.environ.pop("CATGRAPH_NO_CACHE", None)
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([*words])
    return code, out.getvalue(), err.getvalue()


def hold(edits: list[tuple[str, str | None]], *words: str) -> None:
    """Assert the law after each of several edits."""
    with repository() as folder:
        printed(*words)
        for name, text in edits:
            write(folder, name, text)
            assert printed(*words) == printed(*words, "--no-cache"), (name, text)


@pytest.mark.slow
@settings(max_examples=examples(48))
@given(
    st.lists(st.sampled_from(ALL), min_size=1, max_size=6),
    st.sampled_from((("cycles",), ("cycles", "-f", "json"), ("cycles", "modules"))),
)
def test_any_edits_of_cycles(edits: list[tuple[str, str | None]], words: tuple[str, ...]) -> None:
    hold(edits, *words, ".")


@pytest.mark.slow
@settings(max_examples=examples(16))
@given(st.lists(st.sampled_from(ALL), min_size=1, max_size=4), st.sampled_from(("text", "json")))
def test_any_edits_of_explore(edits: list[tuple[str, str | None]], form: str) -> None:
    hold(edits, "explore", ".", "-f", form, "--worlds", "6")


@pytest.mark.parametrize(
    ("command", "work"), [("cycles", (cycles, "report_all")), ("explore", (explore, "explored"))]
)
def test_what_did_not_change_is_not_done_again(
    command: str, work: tuple[object, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ways: list[tuple[str, ...]] = [(), ("-f", "json"), ("-o", "../report"), ("--color", "always")]
    with repository() as folder:
        write(folder, "manifests/site.pp", CYCLE)
        first = [printed(command, ".", *way) for way in ways]
        report = Path("../report").read_bytes()
        Path("../report").unlink()
        monkeypatch.setattr(*work, None)
        assert [printed(command, ".", *way) for way in ways] == first
        assert Path("../report").read_bytes() == report
        assert b"dependency cycle" in report


def test_what_time_ends_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with repository() as folder:
        write(folder, "manifests/site.pp", BY_FACT)
        with monkeypatch.context() as patch:
            patch.setattr(time_budget, "monotonic", iter(range(0, 100_000, 1000)).__next__)
            printed("explore", ".")
        monkeypatch.setattr(explore, "explored", lambda options: 7)
        assert printed("explore", ".")[0] == 7
