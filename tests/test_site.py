"""The site: its reference is complete, its links lead somewhere, and a browser shows it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import catgraph
from analyzer.cli.command_table import COMMANDS
from analyzer.config.keys import KEYS
from analyzer.linter.registry import all_rules
from docs.site.build import moved
from docs.site.check import problems
from docs.site.nav import NAVIGATION, ROOT_PAGES
from docs.site.reference import command, configuration, library, rule_page
from tests.browser.driver import browsing
from tests.browser.test_page import BROWSER
from tests.conftest import ROOT

TEN = (
    "index", "start", "check", "lint", "manifests", "coming-from/rspec-puppet",
    "reference/commands/check", "reference/rules/CG301", "reference/json", "reference/library",
)  # fmt: skip


def files_in(navigation: object) -> set[str]:
    """Return the pages of the navigation."""
    if isinstance(navigation, str):
        return {navigation}
    parts = navigation.values() if isinstance(navigation, dict) else navigation
    assert not isinstance(parts, int)
    return {file for part in parts for file in files_in(part)}  # type: ignore[attr-defined]


def test_each_option_is_on_the_page_of_its_command() -> None:
    page = command("check")
    for flag in ("--write-baseline", "--format", "--facts", "--puppet-version"):
        assert f"{flag}" in page
    assert all(command(name).startswith(f"# catgraph {name}\n") for name in COMMANDS)


def test_a_page_of_a_rule_has_its_examples_without_their_options() -> None:
    page = rule_page(all_rules()["CG301"])
    assert page.startswith("# CG301 dependency-cycle\n\nerror, on by default\n")
    assert "**Bad.**\n\n```puppet\npackage { 'ntp': require => File['/etc/ntp.conf'] }" in page
    for rule in all_rules().values():
        assert not re.search(r"^```\w+ ", rule_page(rule), re.MULTILINE)


def test_each_key_and_each_name_has_an_entry() -> None:
    keys = configuration()
    assert all(f"`{name}`" in keys for name in KEYS)
    assert "`trusted.certname`" in keys
    assert "`types.NAME.namevar`" in keys
    names = library()
    assert all(f"\n## {name}\n" in names for name in catgraph.__all__)


def test_each_page_is_in_the_navigation() -> None:
    files = files_in(NAVIGATION)
    docs = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert docs | set(ROOT_PAGES.values()) <= files


def test_links_to_files_that_are_no_pages_lead_to_the_repository() -> None:
    text = "[a](../README.md#ask-more) [b](lint.md) [c](../Makefile) [d](https://x.example) [e](#f)"
    assert moved(text, ROOT / "docs" / "check.md") == (
        "[a](index.md#ask-more) [b](lint.md) "
        "[c](https://github.com/GROUP/catgraph/tree/main/Makefile) [d](https://x.example) [e](#f)"
    )
    assert moved("[a](docs/lint.md)", ROOT / "README.md") == "[a](lint.md)"
    assert moved("[a](../lint.md#x)", ROOT / "docs/coming-from/pdk.md") == "[a](../lint.md#x)"


def test_what_is_wrong_with_a_page_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here"></a><a href="b.html#gone"></a><a href="c.html"></a><a href="#">x</a>'
        '<script src="https://cdn.example/x.js"></script><a href="https://ok.example"></a>'
    )
    (tmp_path / "b.html").write_text('<h1 id="here">b</h1>')
    assert list(problems(tmp_path)) == [
        "a.html: b.html#gone has no such anchor",
        "a.html: c.html leads nowhere",
        "a.html: fetches https://cdn.example/x.js",
    ]


@pytest.mark.slow
def test_the_site_is_built_and_a_browser_shows_it(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    words = [sys.executable, "-m", "docs.site.build"]
    built = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    if BROWSER is None:
        pytest.skip("no chromium or chrome is installed")
    with browsing(BROWSER, tmp_path / "profile") as browser:
        for name in TEN:
            browser.open((ROOT / "build" / "site" / f"{name}.html").as_uri())
            assert browser.run("document.querySelector('h1').textContent.length") > 3
        assert browser.errors == []
        fetched = {one.partition(":")[0] for one in browser.requests}
        assert fetched <= {"file", "data", "blob"}
