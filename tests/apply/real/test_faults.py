"""What is left when a run is killed, a disk is full, a program hangs; the next run mends it."""

from __future__ import annotations

import os
import resource as limits
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from analyzer.apply.journals.journal import read_journal
from analyzer.apply.journals.recordings import load_timeline
from analyzer.apply.provider import ProviderError
from analyzer.apply.providers.machine.commands import TIMED_OUT
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.apply.report.runs import load_report
from analyzer.cli import main
from analyzer.diagnostics import InputError
from tests.apply.providers import scratch

AS_ROOT = pytest.mark.skipif(
    os.geteuid() != 0 or scratch.CHROOT is None, reason="commands below a root need root"
)
# The calls at which a run may be killed, or refused.
CALLS = ("open", "write", "fsync", "rename", "unlink", "mkdir", "symlink", "chmod", "fchmod")
KILLS = 50

FOLDERS = ("one", "two", "three")
NEW = "new\n" * 300
OLD = "old\n" * 300


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "root"
    set_up(found)
    return found


def set_up(root: Path) -> None:
    """Make a machine with files of which some are to be changed, removed and replaced."""
    (root / "etc").mkdir(parents=True)
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")
    for number in range(4):
        (root / f"etc/old{number}").write_text(OLD)
    (root / "etc/gone").write_text(OLD)


def manifest() -> str:
    lines = ["file { '/etc': ensure => directory }"]
    for name in FOLDERS:
        lines.append(f"file {{ '/etc/{name}': ensure => directory, mode => '0750' }}")
        lines.append(f"file {{ '/etc/{name}/f': content => '{NEW}', mode => '0640' }}")
        lines.append(f"file {{ '/etc/{name}/l': ensure => link, target => 'f' }}")
    lines += [f"file {{ '/etc/old{n}': content => '{NEW}' }}" for n in range(4)]
    lines += ["file { '/etc/gone': ensure => absent }", "host { 'db': ip => '10.0.0.5' }"]
    return "\n".join(lines)


def wanted() -> dict[str, str]:
    """What the files hold in the end."""
    found = {f"etc/{name}/f": NEW for name in FOLDERS}
    found |= {f"etc/old{n}": NEW for n in range(4)}
    return found


def words_of(tmp_path: Path, root: Path, *more: str) -> list[str]:
    site = tmp_path / "site.pp"
    if not site.exists():
        site = tmp_path / "catalog.json"
    if not site.exists():
        code = tmp_path / "code.pp"
        code.write_text(manifest())
        main(["compile", str(code), "-o", str(site)])
    state = ["--state-dir", str(tmp_path / "state")]
    return ["apply", "--real", "--yes", str(site), "--root", str(root), *state, *more]


def in_child(act: Callable[[], int]) -> int:
    """Do something in a child of this process; return its exit code, negative for a signal."""
    child = os.fork()
    if child == 0:
        # Not only the descriptors: what pytest captures with is a file too.
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        code = 99
        try:
            code = act()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Counted:
    """Calls to the system, counted; something happens at one of them."""

    def __init__(self, at: int, act: Callable[[], Any]) -> None:
        self.left = at
        self.act = act
        self.count = 0
        for name in CALLS:
            setattr(os, name, self.counted(getattr(os, name)))

    def counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def made(*arguments: Any, **named: Any) -> Any:
            self.count += 1
            if self.count == self.left:
                self.act()
            return call(*arguments, **named)

        return made


def calls_of_a_run(tmp_path: Path, root: Path) -> int:
    """Count the calls that a whole run makes."""
    reader, writer = os.pipe()

    def act() -> int:
        counted = Counted(-1, lambda: None)
        code = main(words_of(tmp_path, root))
        os.fdopen(writer, "w").write(str(counted.count))
        return code

    assert in_child(act) == 0
    os.close(writer)
    with os.fdopen(reader) as told:
        return int(told.read())


def check_files(root: Path) -> None:
    """See that no file is half of what it was or is to be."""
    for name, content in wanted().items():
        path = root / name
        before = OLD if "old" in name else None
        found = path.read_text() if path.exists() else None
        assert found in (before, content), name


def check_done(root: Path) -> None:
    """See that everything is as it should be, with nothing left over."""
    assert {name: (root / name).read_text() for name in wanted()} == wanted()
    assert not (root / "etc/gone").exists()
    assert (root / "etc/hosts").read_text().endswith("10.0.0.5\tdb\n")
    for name in FOLDERS:
        assert os.readlink(root / f"etc/{name}/l") == "f"
        assert (root / f"etc/{name}").stat().st_mode & 0o777 == 0o750
        assert (root / f"etc/{name}/f").stat().st_mode & 0o777 == 0o640
    assert [path for path in root.rglob("*") if "catgraph" in path.name] == []


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    set_up(whole)
    most = calls_of_a_run(tmp_path, whole)
    assert most > 200
    random = Random(1)
    unfinished = 0
    for number in range(KILLS):
        root = tmp_path / f"root{number}"
        set_up(root)
        at = random.randint(1, most)
        code = in_child(lambda: killed(at, words_of(tmp_path, root)))  # noqa: B023
        assert code in (0, -signal.SIGKILL)
        check_files(root)
        journal = max((tmp_path / "state/runs").iterdir())
        try:
            recording, timeline = load_timeline(str(journal))
            unfinished += not recording.complete
            assert load_report(str(journal)).transaction_completed is recording.complete
            assert (timeline.state.phase == "ended") is recording.complete
        except InputError:
            # Killed before the first line was written: nothing was done yet.
            assert not (root / "etc/one").exists()
        assert in_child(lambda: main(words_of(tmp_path, root))) == 0  # noqa: B023
        check_done(root)
    assert unfinished > KILLS / 2


def killed(at: int, words: list[str]) -> int:
    Counted(at, lambda: os.kill(os.getpid(), signal.SIGKILL))
    return main(words)


def limited(size: int, words: list[str]) -> int:
    # A module that is compiled now would be cut off in its cache, too.
    sys.dont_write_bytecode = True
    limits.setrlimit(limits.RLIMIT_FSIZE, (size, size))
    return main(words)


def test_a_run_that_cannot_be_told_of_does_not_begin(tmp_path: Path, root: Path) -> None:
    words = words_of(tmp_path, root)
    assert in_child(lambda: limited(1000, words)) == 2
    assert list((tmp_path / "state/runs").iterdir()) == []
    assert not (root / "etc/one").exists()


def test_a_run_ends_when_it_cannot_be_told_of(tmp_path: Path, root: Path) -> None:
    words = words_of(tmp_path, root)
    set_up(tmp_path / "whole")
    main(words_of(tmp_path, tmp_path / "whole"))
    journal = max((tmp_path / "state/runs").iterdir())
    begun = len(journal.read_bytes().split(b"\n")[0])
    assert in_child(lambda: limited(begun + 2000, words)) == 2
    recording, timeline = load_timeline(str(max((tmp_path / "state/runs").iterdir())))
    assert not recording.complete
    assert not recording.torn
    changed = {str(ref) for ref, status in timeline.resources() if status.changed}
    assert changed
    assert not (root / "etc/three").exists()
    assert in_child(lambda: main(words)) == 0
    check_done(root)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a few pages, on which the root is."""
    disk = tmp_path / "root"
    disk.mkdir()
    options = "size=28k"
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("no disk may be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def remount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(disk)], check=True)


def test_the_disk_is_full(tmp_path: Path, small_disk: Path) -> None:
    set_up(small_disk)
    assert in_child(lambda: main(words_of(tmp_path, small_disk))) == 1
    check_files(small_disk)
    report = load_report(str(max((tmp_path / "state/runs").iterdir())))
    assert report.status == "failed"
    assert any("No space left on device" in (line.message or "") for line in report.logs)
    remount(small_disk, "size=1m")
    assert in_child(lambda: main(words_of(tmp_path, small_disk))) == 0
    check_done(small_disk)


def test_nothing_can_be_written(tmp_path: Path, small_disk: Path) -> None:
    remount(small_disk, "size=1m")
    set_up(small_disk)
    remount(small_disk, "ro")
    assert in_child(lambda: main(words_of(tmp_path, small_disk))) == 1
    check_files(small_disk)
    report = load_report(str(max((tmp_path / "state/runs").iterdir())))
    assert any("Read-only file system" in (line.message or "") for line in report.logs)
    remount(small_disk, "rw")
    assert in_child(lambda: main(words_of(tmp_path, small_disk))) == 0
    check_done(small_disk)


def test_a_program_that_hangs() -> None:
    host = LocalHost("/", seconds=0.2)
    with pytest.raises(ProviderError, match=TIMED_OUT):
        host.run(["sleep", "600"])


@AS_ROOT
def test_a_run_goes_on_when_a_program_hangs(tmp_path: Path) -> None:
    root = scratch.make(tmp_path)
    site = tmp_path / "site.pp"
    site.write_text(
        "exec { 'hangs': command => '/bin/sleep 600', timeout => 0.2 }\n"
        "-> file { '/srv/after': content => 'x' }\n"
        "file { '/srv/other': content => 'x' }\n"
    )
    report = tmp_path / "report.yaml"
    words = words_of(tmp_path, root, "--report", str(report))
    assert in_child(lambda: main(words)) == 1
    assert "Command exceeded timeout" in report.read_text()
    assert (root / "srv/other").read_text() == "x"
    assert not (root / "srv/after").exists()


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run that waits in a command until a file is there."""
    root = scratch.make(tmp_path)
    (tmp_path / "site.pp").write_text(
        "exec { 'waits': provider => shell, path => '/bin',\n"
        "  command => 'touch /srv/begun; until [ -e /srv/go ]; do sleep 0.05; done' }\n"
        "-> file { '/srv/after': content => 'x' }\n"
        "notify { 'own': }\n"
    )
    # A shell lets what it runs in the background ignore Ctrl-C.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    code += "from analyzer.cli import main; main()"
    report = ["--report", str(tmp_path / "report.json")]
    with subprocess.Popen(
        [sys.executable, "-c", code, *words_of(tmp_path, root, *report)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while not (root / "srv/begun").exists():
            assert process.poll() is None
            time.sleep(0.01)
        yield process
        process.kill()


@pytest.mark.slow
@AS_ROOT
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_asked_to_end(
    waiting: subprocess.Popen[str], number: signal.Signals, tmp_path: Path
) -> None:
    waiting.send_signal(number)
    assert waiting.stderr is not None
    assert waiting.stderr.readline() == (
        f"{number.name}: stopping after the current resource; press again to stop at once\n"
    )
    (tmp_path / "root/srv/go").touch()
    out, _ = waiting.communicate()
    assert waiting.returncode == 128 + number
    assert "changed     Exec[waits]  executed successfully\n" in out
    assert "skipped     File[/srv/after]  the run was stopped\n" in out
    assert not (tmp_path / "root/srv/after").exists()
    report = load_report(str(max((tmp_path / "state/runs").iterdir())))
    words = {one.resource: (one.changed, one.skipped) for one in report.resource_statuses}
    assert words["Exec[waits]"] == (True, False)
    assert words["File[/srv/after]"] == words["Notify[own]"] == (False, True)
    assert report.transaction_completed
    assert f"Caught {number.name[3:]}; exiting" in (tmp_path / "report.json").read_text()


@pytest.mark.slow
@AS_ROOT
def test_ended_at_once(waiting: subprocess.Popen[str], tmp_path: Path) -> None:
    waiting.send_signal(signal.SIGINT)
    assert waiting.stderr is not None
    waiting.stderr.readline()
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait() == 130
    recording = read_journal(str(max((tmp_path / "state/runs").iterdir())))
    assert not recording.complete
    assert [one.at for one in recording.happenings]
