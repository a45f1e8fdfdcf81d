"""What a screen shows goes on: copied, edited, opened in a browser; and what is searched for."""

from __future__ import annotations

import shlex
import tempfile
import webbrowser
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.tui.dsl import script
from tui.run import editor
from tui.screens import other_programs

SITE = "file site.pp package { 'a': }\\n-> file { '/b': }\nopen site.pp\n"


# What is done, the lines down in the dialog, and what is copied; one after the other.
COPIES = (
    ("select File[/b]", 0, "File[/b]"),
    ("", 1, "site.pp:2"),
    ("", 2, "-> file { '/b': }"),
    # The way from the earlier selection, in the order of the run.
    ("", 3, "'Package[a]' 'File[/b]'"),
    ("select Package[a]", 3, "'Package[a]' 'File[/b]'"),
    ("press 2", 3, "catgraph graph"),
    ("press 3", 3, "catgraph lint"),
    ("press 5", 3, "catgraph apply"),
)


@pytest.mark.slow
def test_copying(tmp_path: Path) -> None:
    steps = [
        f"{before}\npress y {'down ' * down}enter\nexpect copied {copied}\nexpect told copied"
        for before, down, copied in COPIES
    ]
    script(SITE + "\n".join(steps), tmp_path)


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("vim", "vim +3 /x/a.pp"),
        ("emacs -nw", "emacs -nw +3 /x/a.pp"),
        ("/usr/bin/code", "/usr/bin/code --wait --goto /x/a.pp:3"),
        ("hx", "hx /x/a.pp:3"),
        ("", "vi +3 /x/a.pp"),
    ],
)
def test_the_words_of_an_editor(named: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", named)
    assert editor.editor_words("/x/a.pp", 3) == shlex.split(words)


def test_a_file_is_never_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "vim")
    assert editor.editor_words("-c!sh", 1)[-1].startswith("/")


@pytest.mark.slow
def test_editing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[str, int]] = []
    monkeypatch.setattr(other_programs, "edit_at", lambda _, path, row: opened.append((path, row)))
    script(f"{SITE}select File[/b]\ndo edit\npress 4 up\ndo edit", tmp_path)
    assert opened == [(str(tmp_path / "site.pp"), 2), (str(tmp_path / "site.pp"), 1)]


def test_an_editor_needs_a_terminal(tmp_path: Path) -> None:
    script(f"{SITE}do edit\nexpect told needs a terminal", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (webbrowser.BackgroundBrowser, "in the browser"),
        # It would draw on the screens.
        (webbrowser.GenericBrowser, "there is no browser here"),
    ],
)
def test_the_page(kind: type, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(
        other_programs,
        "webbrowser",
        SimpleNamespace(**{**vars(webbrowser), "get": lambda: kind("x"), "open": opened.append}),
    )
    script(f"{SITE}select File[/b]\ndo page\nexpect told {told}", tmp_path)
    (page,) = tmp_path.glob("catgraph-*.html")
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert page.stat().st_mode & 0o77 == 0
    assert opened in ([], [f"file://{page}#ref=File%5B%2Fb%5D"])


def test_filters_end_with_escape(tmp_path: Path) -> None:
    steps = "press slash\ntype Package\npress enter\nexpect no ○ File[/b]\npress escape"
    script(f"{SITE}{steps}\nexpect text File[/b]", tmp_path)


@pytest.mark.slow
def test_a_search_goes_on_as_in_less(tmp_path: Path) -> None:
    params = "ensure => file, mode => '1', owner => 'a', content => 'owner'"
    site = f"file site.pp file {{ '/b': {params} }}\nopen site.pp\n"
    steps = """
        press ctrl+o d
        expect focus detail-rows
        press slash
        type owner
        press enter
        expect row owner
        press n
        expect position 0
        press slash
        type nowhere
        press enter
        expect told no line has
        press n
        expect position 1
    """
    script(site + steps, tmp_path)
