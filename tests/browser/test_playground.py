"""The playground in a real browser: it answers, follows edits, carries links, and stops."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.driver import Browser, browsing
from tests.browser.test_page import BROWSER
from tests.conftest import ROOT

PAGE = ROOT / "build" / "playground" / "index.html"
ANSWERS = "Number(document.body.dataset.answers || 0)"
SAID = "document.getElementById('said').textContent"
FINDINGS = "document.getElementById('findings').textContent"
# Bounded in steps only: a browser has no timer for it.
RUNAWAY = """
$many = range(1, 3000)
$many.each |$a| { $many.each |$b| { $many.each |$c| { $sum = $a * $b * $c } } }
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome is installed"),
]


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """A browser with a fresh profile."""
    assert BROWSER is not None
    with browsing(BROWSER, tmp_path / "profile") as made:
        yield made


def settle(browser: Browser, script: str) -> str:
    """Do something on the page; return the state after the next answer."""
    before = browser.run(ANSWERS)
    browser.run(script)
    browser.wait(f"{ANSWERS} > {before}")
    return str(browser.run(SAID))


def show(browser: Browser, view: str) -> str:
    """Choose a view, and return its text."""
    settle(browser, f"document.querySelector('#views [data-name={view}]').click()")
    return str(browser.run("document.getElementById('answer').textContent"))


def choose(browser: Browser, field: str, value: str) -> str:
    """Choose a value of a list; return the state after the answer."""
    return settle(
        browser,
        f"(() => {{ const one = document.getElementById('{field}'); one.value = '{value}';"
        "one.dispatchEvent(new Event('change')); })()",
    )


def write(browser: Browser, text: str) -> str:
    """Replace the text of the open file; return the state after the answer."""
    return settle(
        browser,
        f"(() => {{ const text = document.getElementById('text'); text.value = {json.dumps(text)};"
        "text.dispatchEvent(new Event('input')); })()",
    )


def marked(browser: Browser) -> list[int]:
    """Return the lines that are marked."""
    script = (
        "[...document.querySelectorAll('#gutter .error')].map((one) => Number(one.textContent))"
    )
    lines: list[int] = browser.run(script)
    return lines


def check_the_first_page(browser: Browser) -> None:
    """The sample has a cycle, whose steps are marked, with its cut; each view answers."""
    browser.wait(f"{ANSWERS} > 0")
    assert browser.run(SAID).startswith("Cycle")
    assert marked(browser) == [5, 13, 18]
    assert "to break the cycle, remove manifests/site.pp:5:5" in browser.run(FINDINGS)
    browser.wait("!!document.querySelector('#graph iframe.shown')")
    assert "to break the cycle, remove 1 statement" in show(browser, "cycles")
    assert "Found 1 dependency cycle" in show(browser, "message")
    assert "dependency cycle in every world" in show(browser, "worlds")
    assert '"title": "generate secrets"' in show(browser, "catalog")
    browser.run("document.getElementById('ref').value = 'Service[app]'")
    assert "resource Service[app]" in show(browser, "why")


def check_a_fix(browser: Browser) -> None:
    """The fix of the cycle removes it from the program."""
    assert not settle(browser, "document.querySelector('.fix').click()").startswith("Cycle")
    assert "File['/etc/app/app.conf'],\n  }\n  file" not in browser.run("text.value")
    assert show(browser, "order").startswith("Package[app]\n")


def check_names_of_code(browser: Browser) -> None:
    """A title is a text on the page, never a part of it."""
    write(browser, "notify { 'a': require => Notify['<img src=x onerror=document.title=1>'] }")
    assert "<img src=x onerror" in browser.run(FINDINGS)
    assert browser.run("document.querySelectorAll('img').length + document.title.length") == 19


def check_other_samples(browser: Browser) -> None:
    """A sample with data in Hiera has several nodes and files."""
    assert choose(browser, "example", "control_repos/roles_in_hiera").startswith("Cycle")
    assert browser.run("document.getElementById('node').options.length") == 2
    tabs = browser.run(
        "[...document.querySelectorAll('#files button')].map((one) => one.textContent)"
    )
    assert {"site.pp", "profile/cache.pp", "data/common.yaml"} <= set(tabs)
    assert "if facts.role is 'cache'" in show(browser, "worlds")
    choose(browser, "version", "openvox-9")
    choose(browser, "system", "@rocky-9")
    command = browser.run("document.getElementById('command').textContent")
    assert "--puppet-version=openvox-9" in command


def test_the_page_from_a_disk(browser: Browser, tmp_path: Path) -> None:
    missing = [name for name in ("npm", "node") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"no {' and no '.join(missing)} is installed")
    words = [sys.executable, "-m", "docs.playground.build"]
    built = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if "Pyodide from npm" in built.stderr:
        pytest.skip(built.stderr.strip())
    assert built.returncode == 0, built.stderr
    browser.open(PAGE.as_uri())
    check_the_first_page(browser)
    check_a_fix(browser)
    check_names_of_code(browser)
    check_other_samples(browser)

    # A link has the program, and opens it again.
    choose(browser, "example", "stages")
    write(browser, "notify { 'né \U0001f600': }")
    browser.run("document.getElementById('link').click()")
    link = browser.wait("document.body.dataset.link")
    assert link.startswith(f"{PAGE.as_uri()}#program=")
    browser.open(link)
    browser.wait(f"{ANSWERS} > 0")
    assert browser.run("text.value") == "notify { 'né \U0001f600': }"

    # A program without an end is stopped; the page goes on.
    browser.run("setTimeout(() => document.getElementById('stop').click(), 2500)")
    assert write(browser, RUNAWAY) == "Stopped"
    assert "you pressed Stop" in browser.run(FINDINGS)
    assert write(browser, "notify { 'a': require => Notify['a'] }").startswith("Cycle")

    assert browser.errors == []
    assert {one.partition(":")[0] for one in browser.requests} == {"file", "blob"}


def test_play_on_local_files(browser: Browser, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_catalogs" / "require_loop", tmp_path / "app")
    words = [sys.executable, "-m", "catgraph", "play", str(tmp_path / "app")]
    server = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        browser.open(address)
        assert browser.run("document.getElementById('title').textContent") == "play app"
        check_the_first_page(browser)
        check_a_fix(browser)
        check_names_of_code(browser)
        check_other_samples(browser)
        assert browser.errors == []
        assert all(one.startswith(address) for one in browser.requests)
    finally:
        server.terminate()
        server.communicate(timeout=20)
    # The page has copies.
    assert len(list((tmp_path / "app" / "manifests").iterdir())) == 1
    text = (tmp_path / "app" / "manifests" / "site.pp").read_text()
    assert text == (ROOT / "sample_catalogs/require_loop/manifests/site.pp").read_text()
