"""`--watch`: a real process runs again when what it read changes, until Ctrl-C."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from analyzer.cli.shared.watch import WatchedReads, folders_below
from analyzer.reach import roots_of
from tests.cli.conftest import Run

MAIN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
MAIN += "from analyzer.cli import main; main()"
ROOT = Path(__file__).resolve().parent.parent.parent

# Seconds after which a run that should come is given up.
PATIENCE = 60


class Watching:
    """A watching process: what it prints, in order."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, *words, "--watch"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # What is printed comes out when a run is over, and its exit code is known.
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
        )
        self.selector = selectors.DefaultSelector()
        assert self.process.stdout is not None
        self.stream = self.process.stdout
        self.selector.register(self.stream, selectors.EVENT_READ)
        self.text = ""

    def until(self, words: str) -> str:
        """Return the output up to some words, and forget it."""
        end = time.monotonic() + PATIENCE
        while words not in self.text:
            assert self.selector.select(end - time.monotonic()), f"no {words!r} in {self.text!r}"
            data = os.read(self.stream.fileno(), 65536)
            assert data, f"ended: {self.text}"
            self.text += data.decode()
        before, _, self.text = self.text.partition(words)
        return before

    def stop(self) -> int:
        """Return the exit code after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Callable[..., Watching]]:
    """Start a watching process in the folder of the test."""
    started = []

    def start(*words: str) -> Watching:
        started.append(Watching(tmp_path, list(words)))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.wait()
        one.stream.close()


def put(path: Path, text: str) -> None:
    """Write a file at once, so that nobody sees it empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write(text)
    shutil.move(file.name, path)


def appears(path: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_what_is_read_is_watched(tmp_path: Path, watching: Callable[..., Watching]) -> None:
    site, module = tmp_path / "manifests" / "site.pp", tmp_path / "modules" / "m"
    put(site, "include m\n")
    put(module / "manifests" / "init.pp", "class m($x) { notify { \"${x} ${facts['a']}\": } }")
    put(tmp_path / "hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    put(tmp_path / "data" / "a.yaml", "m::x: first\n")
    put(tmp_path / "f.json", '{"a": 1}')
    process = watching("order", ".", "--facts", "f.json")
    assert "order: ." in process.until("Notify[first 1]")
    put(tmp_path / "data" / "a.yaml", "m::x: second\n")
    assert "order: data/a.yaml changed" in process.until("Notify[second 1]")
    put(tmp_path / "f.json", '{"a": 2}')
    assert "order: f.json changed" in process.until("Notify[second 2]")
    put(module / "manifests" / "init.pp", "class m($x) { include m::new }")
    assert "Could not find class ::m::new" in process.until("error:") + process.until("\n")
    put(module / "manifests" / ".new.pp.swp", "")
    put(module / "manifests" / "new.pp", "class m::new { notify { 'new': } }")
    assert "new.pp changed" in process.until("Notify[new]")
    put(site, "notify {")
    assert "site.pp changed" in process.until("Syntax error")
    put(site, "notify { 'a': require => Notify['a'] }")
    assert "no order" in process.until("run 'catgraph cycles' to explain the cycles")
    put(tmp_path / "catgraph.toml", "[stubs.functions]\nf = 'stub'\n")
    assert "catgraph.toml changed" in process.until("run 'catgraph cycles' to explain the cycles")
    put(site, "notify { f(): }")
    process.until("Notify[stub]")
    process.until("Filebucket[puppet]")
    assert process.stop() == 0


@pytest.mark.slow
def test_the_exit_code_is_that_of_the_last_run(
    tmp_path: Path, watching: Callable[..., Watching]
) -> None:
    put(tmp_path / "site.pp", "notify { 'a': }")
    process = watching("cycles", "site.pp")
    process.until("no dependency cycle")
    put(tmp_path / "site.pp", "notify { 'a': require => Notify['a'] }")
    process.until("no ordering is lost\n")
    assert process.stop() == 1


@pytest.mark.slow
def test_a_module_under_the_lint(tmp_path: Path, watching: Callable[..., Watching]) -> None:
    init = tmp_path / "web" / "manifests" / "init.pp"
    put(init, "class web { package { 'a': } -> file { '/a': } }\n")
    process = watching("lint", "web")
    process.until("no findings in 1 manifest and 1 catalog")
    put(init, "class web { package { 'a': } <- file { '/a': } }\n")
    assert "init.pp changed" in process.until("(CG101)")
    put(tmp_path / "web" / "manifests" / "new.pp", "class web::new { }\n")
    assert "new.pp changed" in process.until("2 manifests and 2 catalogs")
    assert process.stop() == 0


@pytest.mark.slow
def test_fixes_under_watch_come_to_an_end(
    tmp_path: Path, watching: Callable[..., Watching]
) -> None:
    site = tmp_path / "site.pp"
    put(site, "package { 'a': } <- file { '/a': }\n")
    process = watching("lint", "site.pp", "--fix")
    process.until("fixed 1 finding")
    process.until("site.pp changed")
    process.until("nothing to fix")
    assert process.stop() == 0
    assert site.read_text() == "file { '/a': } -> package { 'a': }\n"


def test_a_catalog_that_goes_and_comes(tmp_path: Path, watching: Callable[..., Watching]) -> None:
    catalog = tmp_path / "c.json"
    put(catalog, '{"resources": [], "name": "n"}')
    process = watching("cycles", "c.json", "-o", "out.txt")
    process.until("c.json\n")
    appears(tmp_path / "out.txt")
    catalog.unlink()
    assert "c.json changed" in process.until("cannot be read")
    (tmp_path / "out.txt").unlink()
    put(catalog, '{"resources": [], "name": "n"}')
    process.until("c.json changed\n")
    appears(tmp_path / "out.txt")
    process.stop()


def test_what_ruby_reads_is_watched_by_its_ending(tmp_path: Path) -> None:
    template = tmp_path / "a.erb"
    put(template, "1")
    put(tmp_path / "a.txt", "1")
    reads = WatchedReads([])
    reads.begin(iter([str(tmp_path)]), (".erb",))
    reads.end()
    put(tmp_path / "a.txt", "22")
    assert reads.changed() is None
    put(template, "22")
    assert reads.changed() == str(template)


def test_what_appears_in_a_folder_behind_the_back_of_a_run(tmp_path: Path) -> None:
    reads = WatchedReads([])
    reads.begin(iter([]), ())
    os.listdir(tmp_path)
    put(tmp_path / "late.pp", "")
    reads.end()
    assert reads.changed() == str(tmp_path / "late.pp")


def test_standard_input_cannot_be_watched(run: Run) -> None:
    done = run("cycles", "-", "--watch")
    assert done.code == 2
    assert "cannot watch standard input" in done.err


@pytest.mark.slow
def test_a_policy_under_the_lint(tmp_path: Path, watching: Callable[..., Watching]) -> None:
    first, library = tmp_path / "policy" / "promises.cf", tmp_path / "policy" / "lib" / "web.cf"
    put(first, 'body common control { inputs => { "lib/web.cf" }; bundlesequence => { "web" }; }\n')
    put(library, 'bundle agent web { reports: "x"; }\n')
    process = watching("lint", "policy")
    process.until("no findings in 2 policy files")
    put(library, 'bundle agent web { reports: "x" depends_on => { "y" }; }\n')
    assert "web.cf changed" in process.until("(CG512)")
    put(tmp_path / "policy" / "other.cf", "bundle agent other { }\n")
    assert "other.cf changed" in process.until("3 policy files")
    assert process.stop() == 1


def test_links_out_of_the_checkout_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "repo/.git/HEAD", "")
    put(tmp_path / "repo/modules/m/manifests/init.pp", "")
    put(tmp_path / "outside/secret/a", "")
    (tmp_path / "repo/modules/x").symlink_to(tmp_path / "outside")
    roots = roots_of([str(tmp_path / "repo")])
    found = folders_below(str(tmp_path / "repo/modules"), set(), roots)
    assert [os.path.basename(path) for path in found] == ["modules", "m", "manifests"]
