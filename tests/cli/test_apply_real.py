"""`catgraph apply --real`: what is asked, done, refused and left; all below a folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyzer.apply.journals.recordings import load_timeline
from analyzer.apply.journals.state_folder import StateFolder
from analyzer.apply.report import read_json, read_yaml
from tests.cli.conftest import Outcome, Run

SITE = """file { '/etc': ensure => directory }
file { '/etc/motd': content => "hello\\nworld\\n" }
file { '/etc/issue': ensure => absent }
host { 'db': ip => '10.0.0.5', target => '/etc/hosts' }
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine that has little."""
    found = tmp_path / "root"
    (found / "etc").mkdir(parents=True)
    (found / "etc/motd").write_text("old\n")
    (found / "etc/issue").write_text("x\n")
    return found


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A manifest."""
    found = tmp_path / "site.pp"
    found.write_text(SITE)
    return found


@pytest.fixture
def real(run: Run, tmp_path: Path, root: Path) -> Callable[..., Outcome]:
    """Make a real run in the root."""

    def call(*words: object) -> Outcome:
        return run("apply", "--real", "--root", root, "--state-dir", tmp_path / "state", *words)

    return call


def tree(root: Path) -> dict[str, Any]:
    """What is below a folder."""
    return {
        str(path.relative_to(root)): (path.stat().st_mode, path.is_file() and path.read_text())
        for path in sorted(root.rglob("*"))
    }


def journals(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "state" / "runs").iterdir())


def test_plan_and_run(real: Callable[..., Outcome], site: Path, root: Path, tmp_path: Path) -> None:
    done = real(site, "--yes")
    assert done.code == 0
    plan, _, progress = done.out.partition("\n\n")
    new = "{sha256}4a1e67f2fe1d1cc7b31d0ca2ec441da4778203a036a77da10344c85e24ff0f92"
    old = "{sha256}01d09d19c2139a46aebfb577780d123d7396e97201bc7ead210a2ebff8239dee"
    assert plan.splitlines() == [
        "plan:",
        f"   1. File[/etc/motd] changes: content changed '{old}' to '{new}'",
        "      --- /etc/motd",
        "      +++ /etc/motd (new)",
        "      @@ -1,2 +1,3 @@",
        "      -old",
        "      +hello",
        "      +world",
        "       ",
        "   2. File[/etc/issue] changes: removed",
        "   3. Host[db] changes: created",
    ]
    assert progress.splitlines()[:-2] == [
        f"changed     File[/etc/motd]  content changed '{old}' to '{new}'",
        "changed     File[/etc/issue]  removed",
        "changed     Host[db]  created",
    ]
    *_, status, journal = progress.splitlines()
    assert status.startswith("status: changed; 4 resources, 3 changed in ")
    assert journal == f"journal: {journals(tmp_path)[0]}"
    assert (root / "etc/motd").read_text() == "hello\nworld\n"
    assert not (root / "etc/issue").exists()
    assert "10.0.0.5\tdb\n" in (root / "etc/hosts").read_text()


def test_nothing_to_change(real: Callable[..., Outcome], site: Path, root: Path) -> None:
    real(site, "--yes")
    before = tree(root)
    done = real(site, "--yes")
    assert done.code == 0
    assert done.out.startswith("plan:\nnothing to change\n\nstatus: unchanged; 4 resources")
    assert tree(root) == before


def test_old_contents_are_kept(
    real: Callable[..., Outcome], site: Path, root: Path, tmp_path: Path
) -> None:
    real(site, "--yes")
    kept = {path.read_text() for path in (tmp_path / "state/backups").rglob("contents")}
    assert kept == {"old\n", "x\n"}


def test_a_terminal_without_the_letters(
    real: Callable[..., Outcome], site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.write_text("file { '/etc/motd': content => 'gr\u00fc\u00df dich' }\n")
    with (site.parent / "out").open("w", encoding="ascii") as plain:
        monkeypatch.setattr(sys, "stdout", plain)
        assert real(site, "--yes").code == 0
    assert "gr\\xfc\\xdf dich" in (site.parent / "out").read_text()


def test_noop_changes_nothing(
    real: Callable[..., Outcome], site: Path, root: Path, tmp_path: Path
) -> None:
    site.write_text(f"{SITE}file {{ '/etc/own': content => 'x', noop => false }}\n")
    before = tree(root)
    done = real(site, "--noop", "--format", "puppet")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[1:4] == [
        "Notice: /Stage[main]/Main/File[/etc/issue]/ensure: removed (noop)",
        "Notice: /Stage[main]/Main/Host[db]/ensure: created (noop)",
        "Notice: /Stage[main]/Main/File[/etc/own]/ensure: defined content as "
        "'{sha256}2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881' (noop)",
    ]
    assert tree(root) == before
    assert not (tmp_path / "state").exists()


def test_what_a_program_may_bring(run: Run, site: Path, root: Path) -> None:
    site.write_text("file { '/opt/a/x': content => 'x' }\n")
    fails = "No such file or directory - /opt/a/x"
    assert fails in run("apply", site, "--from-host", "--root", root).out
    site.write_text(
        "package { 'a': } -> file { '/opt/a/x': content => 'x' }\n"
        "-> exec { '/opt/a/do': unless => '/opt/a/is_done' }\n"
    )
    done = run("apply", site, "--from-host", "--root", root)
    assert done.code == 0
    would = "would fail on the host as it is now:"
    assert f"File[/opt/a/x] {would} Could not set 'file' on ensure: {fails}" in done.err
    assert "Exec[/opt/a/do] would fail on the host as it is now: Could not find command" in done.err
    assert done.err.count("; Package[a] may prevent that") == 2
    assert "status: changed" in done.out


def test_from_host(run: Run, site: Path, root: Path) -> None:
    before = tree(root)
    done = run("apply", site, "--from-host", "--root", root)
    assert done.code == 0
    assert "3 resources change\n" in done.out
    assert "  Host[db]          created\n" in done.out
    assert tree(root) == before


def test_nobody_to_ask(real: Callable[..., Outcome], site: Path, root: Path) -> None:
    before = tree(root)
    done = real(site)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "catgraph apply: error: --real asks for confirmation, but there is no terminal; "
        "use --yes to skip the question\n"
    )
    assert tree(root) == before


def on_a_terminal(answer: str, site: Path, root: Path, tmp_path: Path) -> Outcome:
    """Make a run in a process that has a terminal, on which somebody answers."""
    ours, theirs = os.openpty()
    words = ["apply", "--real", str(site), "--root", str(root)]
    words += ["--state-dir", str(tmp_path / "state")]
    code = "from analyzer.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.write(ours, f"{answer}\n".encode())
        out, err = process.communicate()
    os.close(ours)
    os.close(theirs)
    return Outcome(process.returncode, out, err)


@pytest.mark.parametrize(("answer", "changes"), [("yes", True), ("y", False), ("\x04", False)])
def test_asked_on_a_terminal(
    answer: str, changes: bool, site: Path, root: Path, tmp_path: Path
) -> None:
    done = on_a_terminal(answer, site, root, tmp_path)
    assert "   3. Host[db] changes: created\n" in done.err
    assert "Type 'yes' to confirm: " in done.err
    assert done.code == (0 if changes else 1)
    assert ("nothing was changed" in done.err) is not changes
    assert ("changed     Host[db]  created" in done.out) is changes
    assert (root / "etc/issue").exists() is not changes


@pytest.mark.slow
def test_nobody_is_asked_about_nothing(site: Path, root: Path, tmp_path: Path) -> None:
    assert on_a_terminal("yes", site, root, tmp_path).code == 0
    done = on_a_terminal("", site, root, tmp_path)
    assert (done.code, done.out, done.err) == (0, "", "plan:\nnothing to change\n\n")
    assert len(journals(tmp_path)) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--real", "--fail", "File[/etc]"), "--fail is for simulated runs"),
        (("--real", "--from-host"), "--from-host is for simulated runs"),
        (("--yes",), "--yes needs --real"),
        (("--state-dir", "x"), "--state-dir needs --real"),
        (("--root", "/"), "--root needs --real or --from-host"),
        (("--real", "--root", "/none"), "--root: no such folder: /none"),
        (("--report", "x.txt"), "--report: the file name must end in .yaml or .json"),
        (("--real", "--yes", "--at", "noon"), "--at: expected a time"),
    ],
)
def test_misuse(run: Run, site: Path, words: tuple[str, ...], message: str) -> None:
    done = run("apply", site, *words)
    assert done.code == 2
    assert done.err.startswith(f"catgraph apply: error: {message}")


def test_another_run(real: Callable[..., Outcome], site: Path, root: Path, tmp_path: Path) -> None:
    about = {"user": "ann", "since": "noon"}
    lock = StateFolder(tmp_path / "state").lock(str(root), about)
    done = real(site, "--yes")
    assert done.code == 2
    assert (
        f"another run is in progress on {root}: process {os.getpid()} of ann, since noon"
        in done.err
    )
    lock.release()
    lock = StateFolder(tmp_path / "other").lock(str(root), about)
    done = real(site, "--yes")
    assert done.code == 2
    assert f"another run is in progress on {root}: " in done.err
    assert (root / "etc/motd").read_text() == "old\n"
    lock.release()
    assert real(site, "--yes").code == 0


def test_two_runs_at_once(site: Path, root: Path, tmp_path: Path) -> None:
    """One of them runs, the other is refused; nothing is half of each."""
    site.write_text(SITE.replace("host {", "exec { '/bin/sleep 1': before => Host['db'] } host {"))
    words = ["apply", "--real", "--yes", "--root", str(root), "--state-dir", str(tmp_path / "s")]
    code = "import sys; from analyzer.cli import main; sys.exit(main())"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, *words, str(site)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    said = [run.communicate()[1] for run in runs]
    codes = [run.returncode for run in runs]
    refused = [text for text in said if "another run is in progress on" in text]
    assert len(refused) == 1, said
    assert codes[said.index(refused[0])] == 2
    assert (root / "etc/motd").read_text() == "hello\nworld\n"
    assert len(list((tmp_path / "s" / "runs").iterdir())) == 1


def test_what_no_provider_knows(
    real: Callable[..., Outcome], written: Callable[..., Path], root: Path
) -> None:
    rows = [
        {"type": "Firewall", "title": "web", "parameters": {"dport": 80}},
        {"type": "File", "title": "/etc/web", "parameters": {"content": "x"}},
        {"type": "Notify", "title": "after", "parameters": {"require": "Firewall[web]"}},
    ]
    done = real(written(rows), "--yes", "--format", "puppet")
    assert done.code == 1
    assert "Error: Could not find a suitable provider for firewall\n" in done.out
    assert "Notify[after]: Skipping because of failed dependencies\n" in done.out
    assert (root / "etc/web").read_text() == "x"


def test_what_is_not_known(real: Callable[..., Outcome], site: Path, root: Path) -> None:
    site.write_text("file { '/etc/motd': content => $facts['os'], mode => '0600' }")
    before = tree(root)
    done = real(site, "--yes")
    assert done.code == 1
    cause = "Parameter content of File[/etc/motd] is unknown: no facts are given"
    assert f"failed      File[/etc/motd]  {cause}" in done.out
    assert tree(root) == before


def test_secrets_are_told_nowhere(
    real: Callable[..., Outcome], site: Path, root: Path, tmp_path: Path
) -> None:
    site.write_text(
        "file { '/etc/motd': content => Sensitive('GEHEIM') }\n"
        "notify { 'x': message => Sensitive('GEHEIM') }\n"
        "file { '/etc/in': ensure => directory, recurse => true, content => Sensitive('GEHEIM') }\n"
    )
    done = real(site, "--yes", "--report", tmp_path / "report.yaml")
    assert (root / "etc/motd").read_text() == "GEHEIM"
    left = [(tmp_path / "report.yaml"), *journals(tmp_path)]
    assert all("GEHEIM" not in text for text in (done.out, done.err, *map(Path.read_text, left)))


def test_report_and_journal_tell_the_same(
    real: Callable[..., Outcome], run: Run, site: Path, tmp_path: Path
) -> None:
    done = real(site, "--yes", "--report", tmp_path / "report.yaml", "--format", "json")
    assert json.loads(done.out)["status"] == "changed"
    report = read_yaml.read((tmp_path / "report.yaml").read_text(), "report.yaml")
    assert report.status == "changed"
    assert report.transaction_completed
    statuses = {one.resource: one for one in report.resource_statuses}
    assert statuses["File[/etc/motd]"].containment_path == (
        *("Stage[main]", "Main", "File[/etc/motd]"),
    )
    assert all(one.evaluation_time is not None for one in statuses.values())
    assert report.metric("changes")["total"] == 3
    assert report.metric("time")["transaction_evaluation"] > 0
    (journal,) = journals(tmp_path)
    assert run("diff", journal, tmp_path / "report.yaml").code == 0
    assert "File[/etc/motd]" in run("order", journal).out
    _, timeline = load_timeline(str(journal))
    assert timeline.status == "changed"
    assert [str(ref) for ref in timeline.order] == json.loads(done.out)["order"]


def test_report_of_a_simulation(run: Run, site: Path, tmp_path: Path) -> None:
    run("apply", site, "--report", tmp_path / "report.json")
    found = json.loads((tmp_path / "report.json").read_text())
    report = read_json.from_document(found, "report.json")
    assert report.status == "changed"
    assert {one.evaluation_time for one in report.resource_statuses} == {None}


@pytest.mark.slow
def test_nobody_reads_the_output(site: Path, root: Path, tmp_path: Path) -> None:
    words = ["apply", "--real", str(site), "--root", str(root), "--yes", "--format", "puppet"]
    words += ["--state-dir", str(tmp_path / "state")]
    reader, writer = os.pipe()
    os.close(reader)
    code = "from analyzer.cli import main; main()"
    subprocess.run([sys.executable, "-c", code, *words], stdout=writer, check=False)
    os.close(writer)
    assert not (root / "etc/issue").exists()
    assert "10.0.0.5\tdb\n" in (root / "etc/hosts").read_text()


def test_schedules_are_kept_to_from_run_to_run(
    real: Callable[..., Outcome], site: Path, root: Path
) -> None:
    site.write_text("file { '/etc/daily': content => 'x', schedule => 'daily' }")
    real(site, "--yes", "--at", "2024-05-15T12:00")
    for when, there in (("2024-05-16T11:59", False), ("2024-05-16T12:00", True)):
        (root / "etc/daily").unlink()
        done = real(site, "--yes", "--at", when)
        assert (root / "etc/daily").exists() is there
        (root / "etc/daily").touch()
    assert "File[/etc/daily]  not scheduled now" not in done.out


def test_what_is_incomplete_is_not_applied(
    real: Callable[..., Outcome], site: Path, root: Path
) -> None:
    site.write_text("if $facts['a'] { file { '/etc/b': ensure => file } }\n" + SITE)
    before = tree(root)
    done = real(site, "--yes")
    assert (done.code, tree(root)) == (3, before)
    assert "--allow-incomplete applies the known part" in done.err
    assert real(site, "--noop").code == 0
    assert real(site, "--yes", "--allow-incomplete").code == 0
    assert tree(root) != before
