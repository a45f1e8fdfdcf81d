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


def paths_of_packages() -> list[str]:
    """The folders of the packages that catgraph needs."""
    return [path for path in sys.path if path.endswith("-packages")]


pytestmark = pytest.mark.usefixtures("one_world")

# Stands for pip: it records how it was called, and installs this checkout without a network.
PIP = f"""
import os, sys
from pathlib import Path
with open(os.environ["RUNNER_TEMP"] + "/installed", "a") as file:
    file.write(" ".join([os.getcwd(), *sys.argv[1:]]) + chr(10))
library = Path(__file__).resolve().parent.parent
(library / "catgraph.pth").write_text(chr(10).join({[str(ROOT), *paths_of_packages()]!r}))
command = Path(sys.prefix, "bin", "catgraph")
lines = ["#!" + sys.executable, "from analyzer.cli import main", "main()"]
command.write_text(chr(10).join(lines))
command.chmod(0o755)
"""
# Stands for the Python of an image: its environments get that pip, and are made in no time.
PYTHON = f"""#!/bin/sh
case " $* " in
  *" -m venv "*)
    {sys.executable} "$@" --without-pip || exit
    for folder; do :; done
    cd "$folder"/lib/python*/site-packages && mkdir pip
    : > pip/__init__.py
    cp "$RUNNER_TEMP/pip.py" pip/__main__.py ;;
  *) exec "$RUNNER_TEMP/image/bin/python" "$@" ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """The environment of a runner: Python is there, and so is the command of another job."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "pip.py").write_text(PIP)
    (tmp_path / "bin/python3").write_text(PYTHON)
    (tmp_path / "bin/python3").chmod(0o755)
    environment = {
        **{name: text for name, text in os.environ.items() if not name.startswith("PYTHON")},
        "PATH": f"{tmp_path / 'bin'}:{tmp_path / 'image/bin'}:{os.environ['PATH']}",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_PATH": str(tmp_path / "github_path"),
    }
    made = [f"python3 -I -m venv {tmp_path}/image", f"{tmp_path}/image/bin/python -I -m pip"]
    for line in made:
        subprocess.run(line.split(), env=environment, check=True)
    (tmp_path / "installed").unlink()
    return environment


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
# Modules that Python would find in the working folder, if it looked there.
HOSTILE = [
    *("venv.py", "sitecustomize.py", "usercustomize.py", "json.py", "multiprocessing/__init__.py"),
    *("pip/__init__.py", "pip/__main__.py", "analyzer/__init__.py", "tui/__init__.py"),
]


def checkout(folder: Path) -> Path:
    """A control repository with modules that leave a trace when they are imported."""
    trace = f"open({str(folder.parent / 'trace')!r}, 'a').write(__file__)\n"
    pip = dict.fromkeys(("pip.conf", "setup.cfg"), "[install]\nroot = /nowhere\n")
    return write(folder, {**CLEAN, **pip, **dict.fromkeys(HOSTILE, trace)})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["action", "job"])
def test_no_module_of_the_checkout_is_imported(
    name: str, tmp_path: Path, machine: dict[str, str]
) -> None:
    folder = checkout(tmp_path / "hostile")
    if name == "action":
        scripts = [step["run"] for step in load("action.yml")["runs"]["steps"]]
        given = {"SOURCE": str(ROOT), "PATHS": ".", "ARGUMENTS": "--jobs 2", "SARIF": "a.sarif"}
    else:
        job = load(".ci/gitlab.yml")["catgraph"]
        scripts = ["\n".join(job["script"])]
        given = {name: str(value) for name, value in job["variables"].items()}
    # Python's own variables are none of a runner's, but a job may set them.
    for script in scripts:
        done = shell(script, folder, machine, PYTHONPATH=".", **given)
        assert done.returncode == 0, done.stderr
    assert not (tmp_path / "trace").exists(), (tmp_path / "trace").read_text()


HOSTILE_NAMES = ["--enc=./x.pp", "-x.pp", "--/x.pp", "@facts.pp"]


@pytest.mark.parametrize("arguments", [[], ["--jobs", "1"], ["--puppet-version=8"]])
def test_no_name_is_an_option(
    arguments: list[str], tmp_path: Path, machine: dict[str, str]
) -> None:
    enc = f"#!/bin/sh\ntouch {tmp_path}/trace\n"
    folder = write(tmp_path / "site", dict.fromkeys(HOSTILE_NAMES, "notify { 'a': }\n"))
    (folder / "x.pp").write_text(enc)
    (folder / "x.pp").chmod(0o755)
    for hook in HOOKS:
        words = [*hook["entry"].split(), *arguments, *HOSTILE_NAMES]
        done = subprocess.run(
            words, cwd=folder, env=machine, capture_output=True, text=True, check=False
        )
        assert not (tmp_path / "trace").exists()
        assert (done.returncode, done.stderr) == (0, ""), words
        assert "4 manifests" in done.stdout or "4 catalogs" in done.stdout


def test_a_file_that_looks_like_an_option_is_refused(
    tmp_path: Path, machine: dict[str, str]
) -> None:
    """With `files` of their own, users may pass files of other names to the hooks."""
    folder = write(tmp_path / "site", {"--enc=./x.yaml": "", "x.yaml": ""})
    words = [*HOOKS[1]["entry"].split(), ".", "--enc=./x.yaml", "x.yaml"]
    done = subprocess.run(
        words, cwd=folder, env=machine, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "'--enc=./x.yaml' is a file, but looks like an option; rename it" in done.stderr


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
        "; not checked because of a dependency cycle: "
        "CG113, CG310-CG312, CG319-CG322, CG325, CG327-CG331"
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
    installed = (tmp_path / "installed").read_text()
    assert installed == f"{tmp_path} install --quiet -c {ROOT}/constraints.txt {ROOT}\n"
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
    assert (tmp_path / "installed").read_text() == "/ install --quiet catgraph\n"
    clean = write(tmp_path / "clean", CLEAN)
    assert shell(script, clean, machine, **variables).returncode == 0
    assert json.loads((clean / report).read_text()) == []
