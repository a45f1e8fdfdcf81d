"""Repositories that name programs for git to run: `--changed-since` and `--rev` run none of them.

Each case is first shown to be one: an ordinary command of git runs the program.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run

__all__ = ["run"]

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

MANIFEST = "notify { 'a': }\n"


class Hostile:
    """A checkout `top` of two commits with a changed file, and a program that leaves a mark."""

    def __init__(self, folder: Path) -> None:
        self.top = folder / "checkout"
        self.mark = folder / "mark"
        self.program = folder / "program"
        self.program.write_text(f"#!/bin/sh\necho ran >> {self.mark}\n")
        self.program.chmod(0o755)
        (self.top / "manifests").mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        (self.top / "odd.txt").write_text("one\n")
        for text in (MANIFEST, MANIFEST + "notify { 'c': }\n"):
            self.site.write_text(text)
            self.git("add", "-A")
            self.git("commit", "-q", "-m", "x")
        self.site.write_text(MANIFEST + "\n" + "notify { 'b': }\n")

    @property
    def site(self) -> Path:
        return self.top / "manifests" / "site.pp"

    def git(self, *words: str, check: bool = True, **variables: str) -> bytes:
        user = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", *user, *words],
            cwd=self.top, check=check, capture_output=True, env=os.environ | variables,
            stdin=subprocess.DEVNULL, timeout=20,
        )  # fmt: skip
        return done.stdout

    def configure(self, key: str, value: str = "") -> None:
        self.git("config", key, value or str(self.program))

    def attributes(self, line: str) -> None:
        (self.top / ".git" / "info").mkdir(exist_ok=True)
        (self.top / ".git" / "info" / "attributes").write_text(line + "\n")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hostile:
    made = Hostile(tmp_path)
    monkeypatch.chdir(made.top)
    return made


def fsmonitor(h: Hostile) -> tuple[str, ...]:
    h.configure("core.fsmonitor")
    return ("status",)


def fsmonitor_of_an_included_file(h: Hostile) -> tuple[str, ...]:
    (h.top / "more.cfg").write_text(f"[core]\n\tfsmonitor = {h.program}\n")
    h.configure("include.path", "../more.cfg")
    return ("status",)


def fsmonitor_of_a_worktree(h: Hostile) -> tuple[str, ...]:
    h.configure("extensions.worktreeConfig", "true")
    (h.top / ".git" / "config.worktree").write_text(f"[core]\n\tfsmonitor = {h.program}\n")
    return ("status",)


def hooks(h: Hostile) -> tuple[str, ...]:
    for name in ("post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc"):
        shutil.copy(h.program, h.top / ".git" / "hooks" / name)
    return ("update-ref", "refs/heads/other", "HEAD")


def hooks_elsewhere(h: Hostile) -> tuple[str, ...]:
    folder = h.top / "hooks"
    folder.mkdir()
    shutil.copy(h.program, folder / "reference-transaction")
    shutil.copy(h.program, folder / "post-index-change")
    h.configure("core.hooksPath", str(folder))
    return ("update-ref", "refs/heads/other", "HEAD")


def filter_clean(h: Hostile) -> tuple[str, ...]:
    h.attributes("* filter=x")
    h.configure("filter.x.clean")
    return ("diff",)


def filter_smudge(h: Hostile) -> tuple[str, ...]:
    (h.top / ".gitattributes").write_text("* filter=x\n")
    h.configure("filter.x.smudge")
    return ("checkout-index", "--all", "--force", f"--prefix={h.top.parent}/out/")


def filter_process(h: Hostile) -> tuple[str, ...]:
    h.attributes("* filter=x")
    h.configure("filter.x.process")
    return ("diff",)


def textconv(h: Hostile) -> tuple[str, ...]:
    h.attributes("* diff=x")
    h.configure("diff.x.textconv")
    return ("diff",)


def driver_of_a_diff(h: Hostile) -> tuple[str, ...]:
    h.attributes("* diff=x")
    h.configure("diff.x.command")
    return ("diff",)


def external_diff(h: Hostile) -> tuple[str, ...]:
    h.configure("diff.external")
    return ("diff",)


def pager(h: Hostile) -> tuple[str, ...]:
    for key in ("core.pager", "pager.diff-index", "pager.ls-tree", "pager.rev-parse"):
        h.configure(key)
    return ("--paginate", "log") if os.isatty(1) else ("-c", f"alias.x=!{h.program}", "x")


def alias(h: Hostile) -> tuple[str, ...]:
    for name in ("rev-parse", "ls-files", "diff-index", "cat-file", "x"):
        h.configure(f"alias.{name}", f"!{h.program}")
    return ("x",)


def promise(h: Hostile) -> tuple[str, ...]:
    """A clone that promises to fetch what it lacks, by way of a program."""
    h.configure("core.repositoryFormatVersion", "1")
    h.configure("extensions.partialClone", "origin")
    h.configure("remote.origin.url", "ssh://nowhere.example.com/x")
    h.configure("remote.origin.promisor", "true")
    h.configure("core.sshCommand")
    name = h.git("rev-parse", "HEAD~1:manifests/site.pp").decode().strip()
    (h.top / ".git" / "objects" / name[:2] / name[2:]).unlink()
    return ("cat-file", "blob", name)


def promise_of_a_helper(h: Hostile) -> tuple[str, ...]:
    asked = promise(h)
    h.configure("protocol.allow", "always")
    h.configure("protocol.ext.allow", "always")
    h.configure("remote.origin.url", f"ext::{h.program}")
    return asked


def promise_of_a_folder(h: Hostile) -> tuple[str, ...]:
    asked = promise(h)
    h.configure("protocol.file.allow", "always")
    h.configure("remote.origin.url", str(h.top))
    h.configure("remote.origin.uploadpack")
    return asked


def submodule(h: Hostile) -> tuple[str, ...]:
    """A nested checkout that the commit names, with a configuration of its own."""
    inner = h.top / "modules" / "inner"
    inner.mkdir(parents=True)
    for words in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "x")):
        h.git("-C", str(inner), *words)
    h.git("add", "modules/inner")
    h.git("commit", "-q", "-m", "x")
    h.git("-C", str(inner), "config", "core.fsmonitor", str(h.program))
    return ("status",)


def bare_repository(h: Hostile) -> tuple[str, ...]:
    """A folder of the commit that is a bare repository, and the input."""
    bare = h.top / "manifests"
    for name in ("refs", "objects"):
        (bare / name).mkdir()
        (bare / name / "kept").write_text("")
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    (bare / "config").write_text(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n"
        f"\tfsmonitor = {h.program}\n"
    )
    h.git("add", "-A")
    h.git("commit", "-q", "-m", "x")
    return ("-C", "manifests", "status")


CASES = [
    fsmonitor, fsmonitor_of_an_included_file, fsmonitor_of_a_worktree, hooks, hooks_elsewhere,
    filter_clean, filter_smudge, filter_process, textconv, driver_of_a_diff, external_diff, pager,
    alias, promise, promise_of_a_helper, promise_of_a_folder, submodule, bare_repository,
]  # fmt: skip

Case = Callable[[Hostile], tuple[str, ...]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_nothing_of_a_repository_runs(run: Run, hostile: Hostile, case: Case) -> None:
    ordinary = case(hostile)
    answers = [
        run("lint", "manifests", "--changed-since", "HEAD~1", "--select", "CG0"),
        run("diff", "manifests", "--rev", "HEAD~1"),
        run("diff", "manifests/site.pp", "--rev", "HEAD~1..HEAD"),
    ]
    assert not hostile.mark.exists()
    for done in answers:
        assert done.code in (0, 1) or "error: --rev: " in done.err or "is missing" in done.err
        assert len(done.err.splitlines()) <= 1
    hostile.site.write_text(hostile.site.read_text())  # Newer than the index.
    hostile.git(*ordinary, check=False, GIT_NO_LAZY_FETCH="0")
    assert hostile.mark.exists(), "an ordinary git does not run it either"


def test_inside_of_a_bare_repository(
    run: Run, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare_repository(hostile)
    monkeypatch.chdir(hostile.top / "manifests")
    done = run("lint", ".", "--changed-since", "HEAD~1")
    assert (done.code, "cannot use bare repository" in done.err) == (2, True)
    assert run("diff", ".", "--rev", "HEAD~1").code == 2
    assert not hostile.mark.exists()


@pytest.mark.parametrize(
    "name",
    [
        "GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_PAGER", "GIT_ASKPASS",
        "GIT_EXEC_PATH", "GIT_PROXY_COMMAND", "GIT_EDITOR",
    ],
)  # fmt: skip
def test_programs_of_the_environment(
    run: Run, hostile: Hostile, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, str(hostile.program))
    assert run("lint", ".", "--changed-since", "HEAD~1", "--select", "CG0").code == 0
    assert run("diff", ".", "--rev", "HEAD~1").code == 1
    assert not hostile.mark.exists()


def test_configuration_of_the_environment(
    run: Run, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'core.fsmonitor'='{hostile.program}'")
    assert run("diff", ".", "--rev", "HEAD~1").code == 1
    assert run("lint", ".", "--changed-since", "HEAD~1", "--select", "CG0").code == 0
    assert not hostile.mark.exists()


def test_a_program_called_git_in_the_working_folder(
    run: Run, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(hostile.program, hostile.top / "git")
    for path in ("", ".", os.pathsep + os.environ["PATH"], "." + os.pathsep + os.environ["PATH"]):
        monkeypatch.setenv("PATH", path)
        assert run("diff", ".", "--rev", "HEAD~1").code in (1, 2)
    assert not hostile.mark.exists()


def test_another_owner(run: Run, hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(hostile.top.parent))
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setattr("analyzer.git.KEPT", ("GIT_TEST", "GIT_CONFIG"))
    done = run("lint", ".", "--changed-since", "HEAD~1")
    assert (done.code, "dubious ownership" in done.err) == (2, True)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "*")
    assert run("lint", ".", "--changed-since", "HEAD~1", "--select", "CG0").code == 0


def test_replaced_objects_do_not_count(run: Run, hostile: Hostile) -> None:
    first, second = (
        hostile.git("rev-parse", f"{name}:manifests/site.pp").decode().strip()
        for name in ("HEAD~1", "HEAD")
    )
    hostile.git("replace", second, first)
    hostile.site.write_bytes(hostile.git("--no-replace-objects", "cat-file", "blob", second))
    done = run("lint", ".", "--changed-since", "HEAD", "--format", "json")
    assert '"findings": []' in done.out


def test_names_that_lead_out_of_a_tree(run: Run, hostile: Hostile) -> None:
    blob = hostile.git("rev-parse", "HEAD:odd.txt").decode().strip()
    link = hostile.top.parent / "link"
    link.write_text(str(hostile.top.parent))

    def tree(*rows: str) -> str:
        given = "\0".join(rows) + "\0"
        made = subprocess.run(
            ["git", "mktree", "-z"], cwd=hostile.top, input=given.encode(), capture_output=True,
            check=True,
        )  # fmt: skip
        return made.stdout.decode().strip()

    target = hostile.git("hash-object", "-w", str(link)).decode().strip()
    below = tree(f"100644 blob {blob}\tplanted")
    for rows in (
        (f"040000 tree {below}\t..",),
        (f"120000 blob {target}\ta", f"040000 tree {below}\ta"),
        (f"100644 blob {blob}\ta", f"040000 tree {below}\ta"),
    ):
        commit = hostile.git("commit-tree", "-m", "x", tree(*rows)).decode().strip()
        done = run("diff", ".", "--rev", commit)
        assert (done.code, "error: --rev: " in done.err) == (2, True)
    assert not (hostile.top.parent / "planted").exists()
