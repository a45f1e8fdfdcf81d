"""A folder taken for a machine: nothing outside of it is read or written, nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analyzer.apply.provider import ProviderError
from analyzer.apply.providers.machine.backups import BackupStore
from analyzer.apply.providers.machine.local import LocalHost

# Seconds that what hangs sleeps: nothing waits for it.
SLEEP = 60
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture
def host(tmp_path: Path) -> LocalHost:
    (tmp_path / "root" / "etc").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("secret")
    return LocalHost(str(tmp_path / "root"))


def root(host: LocalHost) -> Path:
    return Path(host.root)


def test_paths_stay_below(host: LocalHost) -> None:
    with pytest.raises(OSError, match="No such file"):
        host.write("/../../outside/new", b"x")
    host.write("/etc/../../new", b"x")
    assert os.listdir(root(host).parent / "outside") == ["secret"]
    assert (root(host) / "new").exists()


@pytest.mark.parametrize("target", ["../../outside", "/outside", "../outside/../../outside"])
def test_links_lead_nowhere_else(host: LocalHost, target: str) -> None:
    (root(host) / "trap").symlink_to(target)
    (root(host) / "file").symlink_to("../outside/secret")
    with pytest.raises(OSError, match="No such file"):
        host.write("/trap/new", b"x")
    with pytest.raises(OSError, match="No such file"):
        host.read("/trap/secret")
    with pytest.raises(OSError, match="symbolic links"):
        host.read("/file")
    assert sorted(os.listdir(root(host).parent / "outside")) == ["secret"]


def test_absolute_links_start_at_the_root(host: LocalHost) -> None:
    (root(host) / "here").mkdir()
    (root(host) / "link").symlink_to("/here")
    host.write("/link/file", b"x")
    assert (root(host) / "here" / "file").read_bytes() == b"x"


def test_a_link_itself_is_replaced_and_removed(host: LocalHost) -> None:
    outside = root(host).parent / "outside"
    (root(host) / "a").symlink_to(outside / "secret")
    (root(host) / "b").symlink_to(outside)
    host.write("/a", b"x")
    host.remove("/b", recursive=True)
    assert (outside / "secret").read_text() == "secret"
    assert not (root(host) / "a").is_symlink()


def test_modes_of_links_are_refused(host: LocalHost) -> None:
    (root(host) / "a").symlink_to("b")
    (root(host) / "b").touch(0o600)
    with pytest.raises(OSError, match=r"symbolic links|File exists|Too many"):
        host.set_mode("/a", 0o777)
    assert (root(host) / "b").stat().st_mode & 0o777 == 0o600


def test_links_in_a_circle(host: LocalHost) -> None:
    (root(host) / "a").symlink_to("b")
    (root(host) / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links"):
        host.write("/a/x", b"x")


def test_a_folder_swapped_for_a_link_while_it_is_removed(host: LocalHost) -> None:
    outside = root(host).parent / "outside"
    (root(host) / "d").mkdir()
    (root(host) / "d" / "in").symlink_to(outside)
    host.remove("/d", recursive=True)
    assert (outside / "secret").exists()


def test_owner_and_mode_are_kept(host: LocalHost) -> None:
    host.write("/f", b"old")
    assert (root(host) / "f").stat().st_mode & 0o777 == 0o644
    host.set_mode("/f", 0o640)
    host.write("/f", b"new")
    found = host.stat("/f")
    assert found
    assert found.mode == 0o640
    assert sorted(os.listdir(root(host))) == ["etc", "f"]


@ROOT
def test_the_owner_is_kept(host: LocalHost) -> None:
    host.write("/f", b"old")
    host.set_owner("/f", 12, 34)
    host.write("/f", b"new")
    found = host.stat("/f")
    assert found
    assert (found.uid, found.gid) == (12, 34)


def test_accounts_of_the_root(host: LocalHost) -> None:
    (root(host) / "etc" / "passwd").write_text("only:x:77:78::/home:/bin/sh\n")
    (root(host) / "etc" / "group").write_text("group:x:79:only\n")
    assert host.user_id("only") == 77
    assert host.group_id("group") == 79
    assert host.user_id("root") is None
    assert host.user_id("5") == 5


def test_old_contents_are_kept(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    store = BackupStore(str(tmp_path / "store"))
    host = LocalHost(str(tmp_path / "root"), store)
    host.write("/f", b"one")
    host.write("/f", b"two")
    host.write("/f", b"one")
    host.remove("/f")
    kept = sorted(path.read_bytes() for path in (tmp_path / "store").rglob("contents"))
    assert kept == [b"one", b"two"]
    assert {path.read_text() for path in (tmp_path / "store").rglob("paths")} == {"f\n"}


KILLED = """
import os, signal, sys
from analyzer.apply.providers.machine import local
from analyzer.apply.providers.machine.backups import BackupStore
local.os.rename = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)
local.LocalHost(sys.argv[1], BackupStore(sys.argv[2])).write("/d/f", b"two")
"""


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "root" / "d").mkdir(parents=True)
    folders = [str(tmp_path / "root"), str(tmp_path / "store")]
    done = subprocess.run([sys.executable, "-c", KILLED, *folders], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list((tmp_path / "root" / "d").iterdir())) == 1
    host = LocalHost(folders[0], BackupStore(folders[1]))
    host.forget_leftovers()
    assert list((tmp_path / "root" / "d").iterdir()) == []
    assert list((tmp_path / "store").iterdir()) == []


def test_a_full_disk_leaves_the_old_content(host: LocalHost) -> None:
    small = root(host) / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("no small file system can be mounted")
    try:
        host.write("/small/f", b"old")
        with pytest.raises(OSError, match="No space left"):
            host.write("/small/f", b"x" * 200_000)
        assert host.read("/small/f") == b"old"
        assert host.names("/small") == ["f"]
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_read_only_file_system(host: LocalHost) -> None:
    fixed = root(host) / "fixed"
    fixed.mkdir()
    (fixed / "f").write_text("old")
    words = ["mount", "--bind", "-o", "ro", str(fixed), str(fixed)]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        pytest.skip("nothing can be mounted")
    try:
        with pytest.raises(OSError, match="Read-only file system"):
            host.write("/fixed/f", b"new")
        assert host.read("/fixed/f") == b"old"
    finally:
        subprocess.run(["umount", str(fixed)], check=True)


_WRITER = """
import sys
from analyzer.apply.providers.machine.local import LocalHost
host = LocalHost(sys.argv[1])
print("ready", flush=True)
number = 0
while True:
    number += 1
    host.write(f"/f{number % 5}", (b"%d" % (number % 10)) * 300_000)
"""


@pytest.mark.slow
def test_killed_while_writing(tmp_path: Path) -> None:
    folder = tmp_path / "root"
    folder.mkdir()
    for moment in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(folder)], stdout=subprocess.PIPE
        )
        assert process.stdout
        process.stdout.readline()
        time.sleep(0.003 * moment)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for path in folder.glob("f*"):
            data = path.read_bytes()
            assert len(data) == 300_000
            assert len(set(data)) == 1
    left = [path for path in folder.iterdir() if path.name.startswith(".")]
    host = LocalHost(str(folder))
    for number in range(5):
        host.write(f"/f{number}", b"x")
    assert len(left) <= 5
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_commands_take_no_shell(tmp_path: Path) -> None:
    output = LocalHost().run(["/bin/echo", "$HOME; touch x", "`id`"], folder=str(tmp_path))
    assert output.text == "$HOME; touch x `id`\n"
    assert os.listdir(tmp_path) == []


def test_a_command_that_hangs_ends_with_its_children(tmp_path: Path) -> None:
    script = f"(trap '' TERM; echo $$ > {tmp_path}/pid; sleep {SLEEP}) & sleep {SLEEP}"
    begun = time.monotonic()
    with pytest.raises(ProviderError, match="Command exceeded timeout"):
        LocalHost().run(script, shell=True, seconds=0.5)
    words = ["ps", "-eo", "args"]
    while str(tmp_path) in subprocess.run(words, capture_output=True, text=True, check=True).stdout:
        assert time.monotonic() - begun < SLEEP


def test_a_child_that_keeps_the_pipe_is_not_waited_for() -> None:
    begun = time.monotonic()
    assert LocalHost().run(f"sleep {SLEEP} & echo done", shell=True).text == "done\n"
    assert time.monotonic() - begun < SLEEP


def test_much_output_and_input() -> None:
    output = LocalHost().run(["cat"], stdin=b"x" * 1_000_000)
    assert len(output.text) == 1_000_000


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(ProviderError, match="No such file or directory - /bin/none"):
        LocalHost().run(["/bin/none"])


@ROOT
def test_commands_run_in_the_root(tmp_path: Path) -> None:
    from .scratch import make

    folder = make(tmp_path)
    host = LocalHost(str(folder))
    output = host.run("echo x > /srv/made; ls /; id -un", shell=True, user="ann")
    assert (folder / "srv" / "made").stat().st_uid == 1000
    assert "ann" in output.text
    assert "work" not in output.text
    assert host.which("touch", ["/bin"]) == "/bin/touch"


@ROOT
def test_a_root_has_its_own_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from .scratch import make

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    host = LocalHost(str(make(tmp_path)))
    assert host.run("echo ${TMPDIR-none}", shell=True).text == "none\n"
    assert LocalHost().run("echo $TMPDIR", shell=True).text == f"{tmp_path}\n"
