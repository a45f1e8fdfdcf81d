"""What a release needs: one name and one version everywhere, and workflows for all Pythons."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest
import yaml

from analyzer.version import VERSION
from tests.conftest import ROOT

WORKFLOWS = ROOT / ".github" / "workflows"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# What names a release of catgraph.
PIN = re.compile(r"(?:/catgraph@v|rev: v|ref: v)(\d[\w.]*)")


@pytest.fixture(scope="module")
def release() -> ModuleType:
    """The program that prepares a release."""
    spec = spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_release_has_its_group_and_version_everywhere(release: ModuleType) -> None:
    texts = {str(path): path.read_text("utf-8") for path in release.files(ROOT)}
    pins = [pin for text in texts.values() for pin in PIN.findall(text)]
    assert len(pins) >= 5
    assert set(pins) == {VERSION}
    after = [release.prepared(text, "acme", "12.3.4") for text in texts.values()]
    assert not [text for text in after if re.search(r"GROUP(?:/catgraph|\.github)", text)]
    assert {pin for text in after for pin in PIN.findall(text)} == {"12.3.4"}
    assert release.prepared('VERSION = "0.1.0"\n', "acme", "12.3.4") == 'VERSION = "12.3.4"\n'
    assert "https://github.com/acme/catgraph" in "".join(after)


def test_other_pins_stay(release: ModuleType) -> None:
    text = "  - repo: https://example.com/other\n    rev: v1.0.0\n    hooks:\n      - id: other\n"
    assert release.prepared(text, "acme", "12.3.4") == text


@pytest.mark.parametrize("words", [[], ["acme"], ["acme", "new"]])
def test_a_release_needs_two_words(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "release.py"), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "usage: python .ci/release.py GROUP VERSION\n")


@pytest.mark.parametrize(("name", "job"), [("ci", "test"), ("release", "test")])
def test_the_workflows_test_each_python(name: str, job: str) -> None:
    workflow = yaml.safe_load((WORKFLOWS / f"{name}.yml").read_text("utf-8"))
    pythons = [one.rsplit(" ", 1)[1] for one in PROJECT["classifiers"] if ":: Python :: 3." in one]
    assert workflow["jobs"][job]["strategy"]["matrix"]["python"] == pythons


def test_only_what_was_tested_is_published() -> None:
    jobs = yaml.safe_load((WORKFLOWS / "release.yml").read_text("utf-8"))["jobs"]
    assert jobs["test"]["needs"] == "build"
    assert jobs["publish"]["needs"] == "test"
    builds = [step.get("run", "") for job in ("test", "publish") for step in jobs[job]["steps"]]
    assert not [run for run in builds if "hatchling" in run]


def test_the_templates_of_issues_are_valid() -> None:
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text("utf-8"))
        for field in form.get("body", []):
            assert field["type"] in ("markdown", "textarea", "input")
            assert field["attributes"].get("label") or field["type"] == "markdown"


def test_the_container_is_not_run_by_root() -> None:
    text = (ROOT / "Containerfile").read_text("utf-8")
    last = text[text.rindex("\nFROM ") :]
    assert "\nUSER catgraph\n" in last
    assert 'ENTRYPOINT ["python", "-I", "-m", "catgraph"]' in last


@pytest.mark.slow
def test_the_container_checks_a_repository(tmp_path_factory: pytest.TempPathFactory) -> None:
    tool = next((one for one in ("podman", "docker") if shutil.which(one)), None)
    if tool is None or subprocess.run([tool, "info"], capture_output=True, check=False).returncode:
        pytest.skip("no podman or docker that can start a container")
    built = subprocess.run(
        [tool, "build", "-q", "-f", "Containerfile", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        pytest.skip(f"the image cannot be built here: {built.stderr[-200:]}")
    image = built.stdout.strip()
    sample = ROOT / "sample_catalogs" / "require_loop"
    words = [tool, "run", "--rm", "--network", "none", "-v", f"{sample}:/code:ro", image]
    ran = subprocess.run([*words, "check"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "dependency cycle" in ran.stdout
