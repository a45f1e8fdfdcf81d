"""Runs against a machine, which is a folder here: looked at, or changed."""

from pathlib import Path

import pytest

from analyzer.apply.journal import Journal
from analyzer.apply.state_folder import StateFolder

from .dsl import script

SITE = (
    "file { '/motd': ensure => file, content => 'hello' }\\n"
    "-> file { '/etc': ensure => directory }\\n"
    "-> file { '/etc/other': ensure => file, content => 'there' }\\n"
)


def begin(kind: str) -> str:
    return f"""
        file site/manifests/site.pp {SITE}
        open site
        : kind {kind}
    """


CONFIRMED = """
    expect text What a real run would do to here
    expect text 3 changes would be made
    press enter
    expect text Type its name, here, to begin.
    type here
    press enter
    expect text REAL RUN
"""


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
        expect told what is done on this machine stays done
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


def test_an_unfinished_real_run_is_not_left_by_one_key(root: Path, tmp_path: Path) -> None:
    script(
        begin("real")
        + CONFIRMED
        + """
        do step
        do quit
        expect text The real run is not at its end
        press enter
        expect text REAL RUN
    """,
        tmp_path,
    )


def journals(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "state" / "catgraph" / "runs").glob("*.jsonl"))


def test_a_real_run_writes_a_journal_which_can_be_gone_through(root: Path, tmp_path: Path) -> None:
    script(
        begin("real")
        + CONFIRMED
        + """
        expect told journal:
        do continue
        expect state File[/etc/other] changed
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
        expect told this run was recorded
        do continue
        expect state File[/etc/other] changed
    """,
        tmp_path,
    )


def test_one_real_run_at_a_time(root: Path, tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "state" / "catgraph")
    lock = folder.lock(str(root), {"user": "somebody", "since": "noon"})
    script(
        begin("real")
        + """
        press enter
        type here
        press enter
        expect told another run is changing
        do step
        expect no REAL RUN
    """,
        tmp_path,
    )
    lock.release()
    assert list(root.iterdir()) == []


def test_a_run_whose_journal_breaks_does_not_go_on(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Journal, event: object) -> None:
        raise OSError(28, "No space left on device", self.path)

    monkeypatch.setattr(Journal, "listen", full)
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
