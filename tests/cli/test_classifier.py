"""External node classifiers: the environment that they put a node into, parameters over facts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

Write = Callable[[str], Path]


@pytest.fixture
def classifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """A control repo with two environments, and what writes a classifier beside it."""
    monkeypatch.chdir(tmp_path)
    for name in ("production", "dev"):
        environment = tmp_path / "environments" / name
        texts = {
            "manifests/site.pp": "include m\n",
            "modules/m/manifests/init.pp": f"class m {{ notify {{ 'm of {name}': }} }}\n",
        }
        for path, text in texts.items():
            (environment / path).parent.mkdir(parents=True)
            (environment / path).write_text(text)

    def write(answer: str) -> Path:
        script = tmp_path / "classify"
        script.write_text(f"#!/bin/sh\necho '{answer}'\n")
        script.chmod(0o755)
        return script

    return write


@pytest.mark.parametrize(
    "path", [".", "environments/production", "environments/production/manifests/site.pp"]
)
def test_a_node_is_compiled_in_its_own_environment(run: Run, classifier: Write, path: str) -> None:
    done = run("compile", path, "--enc", classifier("environment: dev"))
    catalog = json.loads(done.out)
    assert catalog["environment"] == "dev"
    assert "m of dev" in {row["title"] for row in catalog["resources"]}


def test_an_environment_is_seen_from_within_another(
    run: Run, classifier: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = classifier("environment: dev")
    monkeypatch.chdir("environments/production")
    assert '"m of dev"' in run("compile", ".", "--enc", script).out


@pytest.mark.parametrize("name", ["nope", "DEV", "../environments/dev"])
@pytest.mark.parametrize("command", ["cycles", "lint"])
def test_an_environment_that_is_not_there(
    run: Run, classifier: Write, command: str, name: str
) -> None:
    done = run(command, ".", "--enc", classifier(f"environment: {name}"))
    said = f"Could not find a directory environment named '{name}' anywhere in the path: "
    assert said in done.out + done.err
    assert done.code == 3


def test_a_parameter_hides_a_fact(run: Run, classifier: Write, tmp_path: Path) -> None:
    facts = tmp_path / "facts.json"
    facts.write_text('{"role": {"a": ["x", null]}, "other": 1}')
    done = run("cycles", ".", "--enc", classifier("parameters: {role: db}"), "--facts", facts)
    assert done.err == (
        ".: warning: The node parameter 'role' for node 'node.example.com' was already set to "
        "'db'. It could not be set to '{\"a\"=>[\"x\", nil]}'\n"
    )
