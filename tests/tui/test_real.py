"""Runs against a machine, which is a folder here: looked at, or changed."""

import asyncio
import re
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from analyzer.apply.journals.journal import RunJournal
from analyzer.apply.journals.state_folder import StateFolder
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.cli import main
from tui.app import CatgraphApp

from .dsl import VERBS, Session, lines_of, script

SITE = (
    "file { '/motd': ensure => file, content => 'hello' }\\n"
    "-> file { '/etc': ensure => directory }\\n"
    "-> file { '/etc/other': ensure => file, content => 'there' }\\n"
)


def begin(kind: str, site: str = SITE) -> str:
    return f"""
        file site/manifests/site.pp {site}
        open site
        : kind {kind}
    """


CONFIRMED = """
    expect text Plan of a real run on here
    expect text 3 changes to this host
    press enter
    expect text Type its name, here, to start the run.
    type here
    press enter
    expect text REAL RUN
"""


@pytest.mark.slow
def test_a_noop_run_looks_and_changes_nothing(root: Path, tmp_path: Path) -> None:
    (root / "motd").write_text("hello")
    script(
        begin("host")
        + """
        do step
        expect state File[/motd] unchanged
        do continue
        expect state File[/etc/other] out_of_sync
    """,
        tmp_path,
    )
    assert [path.name for path in root.iterdir()] == ["motd"]


def test_a_real_run_changes_step_by_step(root: Path, tmp_path: Path) -> None:
    script(
        begin("real")
        + CONFIRMED
        + """
        do step
        expect state File[/motd] changed
        expect position 1
    """,
        tmp_path,
    )
    assert (root / "motd").read_text() == "hello"
    assert not (root / "etc").exists()


@pytest.mark.slow
def test_what_is_done_is_only_looked_at_backwards(root: Path, tmp_path: Path) -> None:
    script(
        begin("real")
        + CONFIRMED
        + """
        do step
        do step
        do back
        do back
        expect position 0
        expect state File[/motd] waiting
        do inject
        press enter
        expect told a real run has no branches
        do noop-all
        expect branches 1
        do step
        expect position 1
        do head
        expect position 2
        do continue
        expect state File[/etc/other] changed
    """,
        tmp_path,
    )
    assert (root / "etc" / "other").read_text() == "there"


def test_nothing_is_done_without_the_name(root: Path, tmp_path: Path) -> None:
    script(
        begin("real")
        + """
        press enter
        type elsewhere
        press enter
        expect text that is not 'here'
        press escape
        do step
        expect no REAL
    """,
        tmp_path,
    )
    assert list(root.iterdir()) == []


@pytest.mark.slow
def test_an_unfinished_real_run_is_not_left_by_one_key(root: Path, tmp_path: Path) -> None:
    script(
        begin("real")
        + CONFIRMED
        + """
        do step
        do quit
        expect text The real run has not ended
        press enter
        expect text REAL RUN
    """,
        tmp_path,
    )


INCOMPLETE = """
    file site/manifests/site.pp notify { "x ${facts['nope']}": }
    open site
    : kind real
"""


@pytest.mark.slow
def test_a_real_run_of_what_is_not_all_known_is_refused_in_the_words_of_apply(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(session: Session) -> str:
        return [one.message for one in session.app._notifications][-1]

    message = script(INCOMPLETE, tmp_path, then=told)
    assert main(["apply", "--real", "--yes", "--root", str(root), str(tmp_path / "site")]) == 3
    assert f"error: {message}\n" in capsys.readouterr().err


@pytest.mark.slow
def test_an_incomplete_catalog_is_applied_where_that_is_allowed(root: Path, tmp_path: Path) -> None:
    async def run() -> str:
        app = CatgraphApp(None, {"allow_incomplete": True})
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            session = Session(app, pilot, tmp_path)
            for verb, words in lines_of(INCOMPLETE):
                await VERBS[verb](session, words)
                await session.settle()
            return session.text()

    assert "Plan of a real run on here" in asyncio.run(run())


def journals(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "state" / "catgraph" / "runs").glob("*.jsonl"))


@pytest.mark.slow
def test_a_real_run_writes_a_journal_which_can_be_gone_through(root: Path, tmp_path: Path) -> None:
    script(
        begin("real")
        + CONFIRMED
        + """
        expect told journal:
        do continue
        expect state File[/etc/other] changed
        press 5
        expect text slowest resources
        expect text critical path
    """,
        tmp_path,
    )
    (journal,) = journals(tmp_path)
    script(
        f"""
        open {journal.relative_to(tmp_path)}
        expect text recorded
        expect state File[/motd] waiting
        do step
        expect state File[/motd] changed
        expect state File[/etc] waiting
        do inject
        expect told you cannot change a recorded run
        do continue
        expect state File[/etc/other] changed
        press 5
        expect text slowest resources
    """,
        tmp_path,
    )


@pytest.mark.slow
def test_one_real_run_at_a_time(root: Path, tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "state" / "catgraph")
    lock = folder.lock(str(root), {"user": "somebody", "since": "noon"})
    script(
        begin("real")
        + """
        press enter
        type here
        press enter
        expect told another run is in progress
        do step
        expect no REAL RUN
    """,
        tmp_path,
    )
    lock.release()
    assert list(root.iterdir()) == []


@pytest.mark.slow
def test_a_run_whose_journal_breaks_does_not_go_on(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: RunJournal, event: object) -> None:
        raise OSError(28, "No space left on device", self.path)

    monkeypatch.setattr(RunJournal, "listen", full)
    script(
        begin("real")
        + CONFIRMED
        + """
        do step
        expect told the journal cannot be written: No space left on device
        do continue
        expect position 0
    """,
        tmp_path,
    )
    assert list(root.iterdir()) == []


@pytest.mark.slow
def test_a_run_in_the_past_is_not_left_by_one_key_either(root: Path, tmp_path: Path) -> None:
    script(
        begin("real")
        + CONFIRMED
        + """
        do step
        do restart
        expect position 0
        do quit
        expect text The real run has not ended
        press escape
        do head
        do continue
        do restart
        do quit
        expect left 0
    """,
        tmp_path,
    )


@pytest.mark.slow
def test_the_plan_shows_what_becomes_of_files(root: Path, tmp_path: Path) -> None:
    (root / "motd").write_text("goodbye\n")
    script(
        begin("real")
        + """
        expect text changes: content changed
        expect text -goodbye
        expect text +hello
        press escape
        expect no Type its name
    """,
        tmp_path,
    )
    assert (root / "motd").read_text() == "goodbye\n"


class Slow(LocalHost):
    """A machine on which it takes long until a folder is made, and that can be waited for."""

    def __init__(self, root: str, store: Any) -> None:
        super().__init__(root, store)
        self.begun, self.go_on = Event(), Event()

    def make_folder(self, *args: Any, **options: Any) -> None:
        """Wait until that is wanted."""
        self.begun.set()
        assert self.go_on.wait(20)
        super().make_folder(*args, **options)


@pytest.fixture
def slow(root: Path, monkeypatch: pytest.MonkeyPatch) -> Slow:
    host = Slow(str(root), None)
    monkeypatch.setattr(
        "tui.run.local.this_host", lambda store=None: host if store else LocalHost(str(root), store)
    )
    monkeypatch.setattr("tui.present.status.LONG", 0.0)
    return host


def in_the_midst(slow: Slow, tmp_path: Path, then: Callable[[Session], Awaitable[Any]]) -> Any:
    """Go on in a real run until its second resource is in hand; return what is made of that."""

    async def run() -> Any:
        app = CatgraphApp()
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            session = Session(app, pilot, tmp_path)
            for verb, words in lines_of(begin("real") + CONFIRMED):
                await VERBS[verb](session, words)
                await session.settle()
            await pilot.press("c")
            await asyncio.to_thread(slow.begun.wait, 20)
            await pilot.pause()
            try:
                return await then(session)
            finally:
                slow.go_on.set()
                await session.settle()

    return asyncio.run(run())


@pytest.mark.slow
def test_a_resource_in_hand_is_shown_and_interrupted(
    slow: Slow, tmp_path: Path, root: Path
) -> None:
    async def then(session: Session) -> Any:
        await session.pilot.pause(0.4)
        seen = session.text().splitlines()[0]
        for key in ("S", "q", "ctrl+z", "ctrl+c"):
            await session.pilot.press(key)
        told = [one.message for one in session.app._notifications]
        slow.go_on.set()
        await session.settle()
        return seen, told, session.app.controller.timeline.position, session.app.controller.applying

    seen, told, position, hand = in_the_midst(slow, tmp_path, then)
    assert re.search(r"File\[/etc\] \d+ s", seen)
    assert "the run is in progress: esc stops it" in told
    assert "a real run is in progress: the run stops after the current resource" in told
    assert "a real run is in progress: press ^c to stop it first" in told
    assert "the run stops after the current resource; press ^c again to stop it at once" in told
    assert (position, hand) == (2, None)
    assert sorted(path.name for path in root.iterdir()) == ["etc", "motd"]


@pytest.mark.slow
def test_interrupted_twice_a_real_run_is_left_at_once(slow: Slow, tmp_path: Path) -> None:
    async def then(session: Session) -> Any:
        await session.pilot.press("ctrl+c")
        before = session.app.return_code
        await session.pilot.press("ctrl+c")
        return before, session.app.return_code

    assert in_the_midst(slow, tmp_path, then) == (None, 130)


@pytest.mark.slow
def test_a_signal_ends_a_real_run_after_the_resource_in_hand(slow: Slow, tmp_path: Path) -> None:
    async def then(session: Session) -> Any:
        session.app.runner.on_signal(signal.SIGTERM)
        before = session.app.return_code
        slow.go_on.set()
        await session.app.workers.wait_for_complete()
        return before, session.app.return_code

    assert in_the_midst(slow, tmp_path, then) == (None, 143)
