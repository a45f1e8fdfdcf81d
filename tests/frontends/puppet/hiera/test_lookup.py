"""Where values come from, and the parts of the interface that Puppet's harness does not show."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from analyzer.frontends.puppet.hiera.explain import LookupOutcome
from tests.frontends.puppet.hiera import api as hiera

CONFIG = (
    "version: 5\nhierarchy:\n  - {name: node, path: node.yaml}\n  - {name: all, path: all.yaml}\n"
)


@pytest.fixture
def data(tmp_path: Path) -> hiera.Lookup:
    files = {
        "global/hiera.yaml": "version: 5\n",
        "global/data/common.yaml": "g: 1\n",
        "env/hiera.yaml": CONFIG,
        "env/data/all.yaml": "lookup_options: {h: {merge: hash}}\nh: {a: 1}\n"
        "i: \"%{lookup('g')}\"\n",
        "env/modules/m/hiera.yaml": "version: 5\n",
        "env/modules/m/data/common.yaml": "m::p: module\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    scope = hiera.ScopeVariables({"role": "web"})
    environment = tmp_path / "env"
    return hiera.Lookup(
        tmp_path / "global/hiera.yaml", environment, [environment / "modules"], scope
    )


def seen(explanation: hiera.LookupExplanation) -> list[tuple[str, str, str, LookupOutcome]]:
    return [
        (step.layer, step.entry, os.path.basename(step.location or ""), step.outcome)
        for step in explanation.steps
    ]


def test_explain(data: hiera.Lookup) -> None:
    explanation = data.explain("m::p")
    assert explanation.found
    assert explanation.value == "module"
    assert seen(explanation) == [
        ("Global", "Common", "common.yaml", LookupOutcome.NO_KEY),
        ("Environment", "node", "node.yaml", LookupOutcome.NO_FILE),
        ("Environment", "all", "all.yaml", LookupOutcome.NO_KEY),
        ('Module "m"', "Common", "common.yaml", LookupOutcome.FOUND),
    ]


def test_explain_a_merge(data: hiera.Lookup) -> None:
    explanation = data.explain("h")
    assert (explanation.merge, explanation.merge_from_options) == ("hash", True)
    assert [step.entry for step in explanation.sources] == ["all"]


def test_explain_a_lookup_within_a_value(data: hiera.Lookup) -> None:
    explanation = data.explain("i")
    inner = [step for step in explanation.steps if step.depth == 1]
    assert [(step.key, step.outcome, step.value) for step in inner] == [
        ("g", LookupOutcome.FOUND, 1)
    ]
    assert [step.key for step in explanation.sources] == ["i"]


def test_explain_nothing(data: hiera.Lookup) -> None:
    explanation = data.explain("none")
    assert not explanation.found
    assert explanation.sources == []
    assert {step.outcome for step in explanation.steps} == {
        LookupOutcome.NO_KEY,
        LookupOutcome.NO_FILE,
    }


def test_parameter(data: hiera.Lookup) -> None:
    assert data.parameter("m::p") == "module"
    assert data.parameter("m::q") is hiera.MISSING


def test_another_scope(data: hiera.Lookup, tmp_path: Path) -> None:
    (tmp_path / "env/data/node.yaml").write_text("who: '%{role}'\n", encoding="utf-8")
    assert hiera.lookup(data, "who") == "web"
    assert hiera.lookup(data.at(hiera.ScopeVariables({"role": "db"})), "who") == "db"


def test_changed_files_are_read_again(data: hiera.Lookup, tmp_path: Path) -> None:
    files = hiera.ParsedFiles()

    def value() -> Any:
        fresh = hiera.Lookup(None, tmp_path / "env", [], hiera.ScopeVariables({}), files=files)
        return hiera.lookup(fresh, "h")

    assert value() == {"a": 1}
    (tmp_path / "env/data/all.yaml").write_text("h: {a: 22}\n", encoding="utf-8")
    assert value() == {"a": 22}


def test_hiera_include(data: hiera.Lookup, tmp_path: Path) -> None:
    (tmp_path / "env/data/node.yaml").write_text("classes: [a, b, a]\nnone:\n", encoding="utf-8")
    assert hiera.hiera_include(data, "classes") == ["a", "b"]
    with pytest.raises(hiera.HieraError, match="did not find a value for the name 'nope'"):
        hiera.hiera_include(data, "nope")


def test_warnings_are_told_once(tmp_path: Path) -> None:
    (tmp_path / "hiera.yaml").write_text("version: 4\n", encoding="utf-8")
    said: list[str] = []
    services = hiera.Services(warn=said.append)
    data = hiera.Lookup(None, tmp_path, [], hiera.ScopeVariables({}), services=services)
    for _ in range(2):
        with pytest.raises(hiera.LookupFault):
            hiera.lookup(data, "a")
    assert len(said) == 1
    assert said[0].endswith("version 4 is deprecated. It should be converted to version 5")


def test_chains_without_end(tmp_path: Path) -> None:
    lines = [f"k{n}: \"%{{lookup('k{n + 1}')}}\"" for n in range(2000)]
    (tmp_path / "hiera.yaml").write_text("version: 5\n", encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data/common.yaml").write_text("\n".join(lines), encoding="utf-8")
    data = hiera.Lookup(None, tmp_path, [], hiera.ScopeVariables({}))
    with pytest.raises(hiera.LookupFault, match="stack level too deep"):
        hiera.lookup(data, "k0")


def test_mapped_paths_follow_the_other_variables(tmp_path: Path) -> None:
    level = "{name: a, mapped_paths: [list, item, '%{role}/%{item}.yaml']}"
    files = {
        "hiera.yaml": f"version: 5\nhierarchy: [{level}]\n",
        "data/web/x.yaml": "a: web\n",
        "data/db/x.yaml": "a: db\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    data = hiera.Lookup(None, tmp_path, [], hiera.ScopeVariables({"list": ["x"], "role": "web"}))
    assert hiera.lookup(data, "a") == "web"
    other = data.at(hiera.ScopeVariables({"list": ["x"], "role": "db"}))
    assert hiera.lookup(other, "a") == "db"


BAD_FILES = {
    "no UTF-8": (b"a: \xff\n", "invalid leading UTF-8 octet at line 1 column 1"),
    "zero byte": (b"a: \0\n", "control characters are not allowed at line 1 column 1"),
    "holds itself": (b"a: &a [*a]\n", "The alias a is part of what it stands for"),
    "too deep": (b"a: " + b"[" * 3000 + b"]" * 3000, "stack level too deep"),
}


@pytest.mark.parametrize("what", BAD_FILES)
def test_bad_files(tmp_path: Path, what: str) -> None:
    content, message = BAD_FILES[what]
    (tmp_path / "hiera.yaml").write_text("version: 5\n", encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data/common.yaml").write_bytes(content)
    data = hiera.Lookup(None, tmp_path, [], hiera.ScopeVariables({}))
    with pytest.raises(hiera.HieraError) as caught:
        hiera.lookup(data, "a")
    assert str(caught.value).endswith(message)
