"""The hooks of pre-commit, the GitHub action, the GitLab job: their commands run for real."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.site import CLEAN, SITE, write
from tests.conftest import ROOT

pytestmark = pytest.mark.usefixtures("one_world")

STUBS = {
    "catgraph": f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -c '
    "'from analyzer.cli import main; main()' \"$@\"\n",
    # What an installation would need from elsewhere is not asked for.
    "python3": '#!/bin/sh\necho "$@" >> "$RUNNER_TEMP/installed"\n',
}  # fmt: skip


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """The environment of a runner that has the command ``catgraph``."""
    for name, text in STUBS.items():
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    python = tmp_path / "catgraph" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(tmp_path / "bin" / "python3")
    return {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_PATH": str(tmp_path / "github_path"),
    }


def load(name: str) -> Any:
    """A YAML file of the repository."""
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def shell(script: str, folder: Path, machine: dict[str, str], **variables: str) -> Any:
    """What a script does in a folder, as runners call it: it ends at the first error."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**machine, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


HOOKS = load(".pre-commit-hooks.yaml")


def by_pre_commit(hook: dict[str, Any], folder: Path, machine: dict[str, str]) -> tuple[int, str]:
    """The exit code and the output of a hook; it gets the names of the files that it wants."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    exclude = hook.get("exclude", "^$")
    files = [n for n in names if re.search(hook["files"], n) and not re.search(exclude, n)]
    if not files:
        return 0, "(no files to check)"
    words = [*hook["entry"].split(), *hook.get("args", [])]
    words += files if hook.get("pass_filenames", True) else []
    done = subprocess.run(
        words, cwd=folder, env=machine, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hooks(hook: dict[str, Any], tmp_path: Path, machine: dict[str, str]) -> None:
    assert {"id", "name", "entry", "language", "description", "files"} <= set(hook)
    assert hook["language"] == "python"
    code, text = by_pre_commit(hook, write(tmp_path / "site", SITE), machine)
    assert code == 1
    assert "modules/web/manifests/init.pp:4:20: error: dependency cycle" in text
    plan = "plan x() { return 1 }\n"
    clean = {**CLEAN, "spec/fixtures/modules/x/manifests/init.pp": "?", "plans/x.pp": plan}
    clean["manifests/site.pp"] = clean.pop("site.pp")
    assert by_pre_commit(hook, write(tmp_path / "clean", clean), machine)[0] == 0
    assert by_pre_commit(hook, write(tmp_path / "other", {"README": ""}), machine)[0] == 0


def test_the_files_of_a_module_are_one_lint(tmp_path: Path, machine: dict[str, str]) -> None:
    _, text = by_pre_commit(HOOKS[0], write(tmp_path / "site", SITE), machine)
    # The environment, the two classes of its module, each once.
    said = "1 error, 1 warning, 1 note in 3 manifests and 3 catalogs"
    held = (
        "; not checked because of a dependency cycle: CG310-CG312, CG319-CG322, CG325, CG327-CG331"
    )
    assert text.splitlines()[-1] == said + held


@pytest.mark.slow
def test_the_action(tmp_path: Path, machine: dict[str, str]) -> None:
    action = load("action.yml")
    assert {"name", "description", "inputs", "runs"} == set(action)
    assert action["runs"]["using"] == "composite"
    install, lint = action["runs"]["steps"]
    assert all(step["shell"] == "bash" for step in (install, lint))
    # What users give comes as variables: nothing of it is pasted into a script.
    assert "${{" not in install["run"] + lint["run"]
    done = shell(install["run"], tmp_path, machine, SOURCE=str(ROOT))
    assert done.returncode == 0, done.stderr
    installed = (tmp_path / "installed").read_text().splitlines()
    assert installed == [f"-m venv {tmp_path}/catgraph", f"-m pip install --quiet {ROOT}"]
    site = write(tmp_path / "site", SITE)
    given = {"PATHS": ". modules/web", "ARGUMENTS": "--fail-on error", "SARIF": "out.sarif"}
    done = shell(lint["run"], site, machine, **given)
    assert done.returncode == 1
    assert "::error file=modules/web/manifests/init.pp,line=4,col=20," in done.stdout
    assert len(json.loads((site / "out.sarif").read_text())["runs"][0]["results"]) == 3
    given = {"PATHS": ".", "ARGUMENTS": "", "SARIF": ""}
    assert shell(lint["run"], write(tmp_path / "clean", CLEAN), machine, **given).returncode == 0


@pytest.mark.slow
def test_the_job_of_gitlab(tmp_path: Path, machine: dict[str, str]) -> None:
    job = load(".ci/gitlab.yml")["catgraph"]
    variables = {name: str(value) for name, value in job["variables"].items()}
    script = "\n".join(job["script"])
    report = job["artifacts"]["reports"]["codequality"]
    assert job["artifacts"]["when"] == "always"
    site = write(tmp_path / "site", SITE)
    done = shell(script, site, machine, **variables)
    assert done.returncode == 1
    assert "error: dependency cycle" in done.stdout
    assert len(json.loads((site / report).read_text())) == 3
    assert (tmp_path / "installed").read_text() == "-m pip install --quiet catgraph\n"
    clean = write(tmp_path / "clean", CLEAN)
    assert shell(script, clean, machine, **variables).returncode == 0
    assert json.loads((clean / report).read_text()) == []
