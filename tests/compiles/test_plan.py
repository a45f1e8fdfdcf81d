"""Every source of nodes has a site here whose plan names it as the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.compiles.compile import CompileRun
from analyzer.compiles.plan import NO_FACTS, needs_of, plan_of
from analyzer.compiles.sources import SOURCES
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.source import Span

Put = Callable[[dict[str, str]], None]

HIERA = "hierarchy: [{name: n, path: 'nodes/%{trusted.certname}.yaml'}]\nversion: 5\n"
SITE = {"environment.conf": "", "manifests/site.pp": "node 'a' { include x }\nnode /^[a-f]$/ { }\n"}
BLOCKS = {"a": "node block manifests/site.pp:1"}
ROLE = {"environment.conf": "", "modules/role/manifests/web.pp": "class role::web { }\n"}
MODULE = {"m/metadata.json": "{}", "m/manifests/init.pp": "class m { }\nclass m::b { }\n"}

# A site for each source, the settings, and what the plan says of it.
CASES: dict[str, tuple[dict[str, str], Settings, dict[str, str]]] = {
    "all roles": (
        {**SITE, **ROLE},
        Settings(all_roles=True),
        {"role::web": "role::web: the options ask for all roles"},
    ),
    "named nodes": (SITE, Settings(node="z"), {"z": "named by --node or catgraph.toml"}),
    "answers of a classifier": (
        {**SITE, "enc/c.yaml": "classes: [x]\n"},
        Settings(nodes_dir="enc"),
        {"c": "answer of a classifier enc/c.yaml"},
    ),
    "roles of a site without nodes": (
        {**ROLE, "manifests/site.pp": "node default { }\n"},
        Settings(),
        {"role::web": "role::web: no node declares a class"},
    ),
    "roles of a site without nodes, and a block that has code": (
        {**ROLE, "manifests/site.pp": "node default { }\nnode 'n' { notify { 'a': } }\n"},
        Settings(),
        {
            "role::web": "role::web: no node declares a class",
            "n": "node block manifests/site.pp:2",
        },
    ),
    "node blocks": (
        {"manifests/site.pp": "node 'a' { include x }\n\nnode /^b\\d$/ { }\n"},
        Settings(),
        {
            "a": "node block manifests/site.pp:1",
            "b1": "node block manifests/site.pp:3, an example of /^b\\d$/",
        },
    ),
    "files of facts": (
        {**SITE, "facts/f.json": "{}"},
        Settings(facts_dir="facts"),
        {**BLOCKS, "f": "facts facts/f.json"},
    ),
    "files of data": (
        {**SITE, "hiera.yaml": HIERA, "data/nodes/d.yaml": "x: 1\n", "data/nodes/a.yaml": ""},
        Settings(),
        {**BLOCKS, "d": "file data/nodes/d.yaml"},
    ),
    "any other node": (
        {"manifests/site.pp": "include x\n"},
        Settings(),
        {"node.example.com": "there are no node blocks"},
    ),
    "roles": (
        {**SITE, **ROLE},
        Settings(roles=("role::w*",)),
        {**BLOCKS, "role::web": "role::web: a role of catgraph.toml"},
    ),
    "classes of modules": (
        MODULE,
        Settings(),
        {"class m": "class of a module", "class m::b": "class of a module"},
    ),
    "classes by name": (MODULE, Settings(classes=("m::b",)), {"class m::b": "named by --class"}),
    "classes that nobody declares": (
        {"manifests/site.pp": "class y { }\n"},
        Settings(),
        {"class y": "no manifest of the site declares anything"},
    ),
}


@pytest.fixture(name="put")
def _put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Write files into the working folder."""
    monkeypatch.chdir(tmp_path)

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            place = tmp_path / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    return write


@pytest.mark.parametrize("name", CASES)
def test_reasons(name: str, put: Put) -> None:
    files, settings, expected = CASES[name]
    put(files)
    plan = plan_of(".", settings)
    assert {target.name: target.reason for target in plan.targets} == expected


def test_every_source_has_a_case() -> None:
    assert {source.name for source in SOURCES} <= CASES.keys()


def test_a_node_with_its_own_facts_is_compiled_once(put: Put) -> None:
    put({**SITE, "facts/a.json": "{}", "one.json": "{}", "two.json": "{}"})
    files = {"manifests/site.pp": "node 'a', 'b' { }\n"}
    put(files)
    plan = plan_of(".", Settings(facts_dir="facts", facts=("one.json", "two.json")))
    rows = [(plan.label(one), dict(needs_of(plan, one))["facts"]) for one in plan.targets]
    assert rows == [
        ("a, one.json", "facts/a.json"),
        ("b, one.json", "one.json"),
        ("b, two.json", "two.json"),
    ]
    assert [one.name for one in plan.subjects] == ["a", "b"]
    assert plan_of(".", plan.settings, sets=NO_FACTS).sets == ("",)


def test_an_error_is_a_value_beside_what_compiles(put: Put) -> None:
    put({"site.pp": "class y { fail('no') }\nnotify { 'a': }\nclass z { }\ninclude y\n"})
    run = CompileRun(plan_of("site.pp", Settings()))
    (result,) = run.results()
    assert result.error is not None
    assert result.error.refusal
    # The frames of the compile, with all its values, are not kept.
    assert result.error.__traceback__ is None


def test_classes_by_themselves_have_a_limit_together(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them may take nearly as long as one may."""
    put({"site.pp": "".join(f"class c{number} {{ }}\n" for number in range(6))})
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("analyzer.compiles.compile.spent", lambda: next(clock))
    results = [*CompileRun(plan_of("site.pp", Settings(time_limit=15))).results()]
    assert [one.catalog is not None for one in results] == [True] * 3 + [False] * 3
    error = results[-1].error
    assert error is not None
    assert error.code == "too-much"
    assert error.span == Span("site.pp", 6)
    assert "longer than 30 seconds together (--time-limit N)" in error.message
    results = [*CompileRun(plan_of("site.pp", Settings(time_limit=0))).results()]
    assert all(one.catalog is not None for one in results)


def test_a_class_and_a_node_of_the_same_code(put: Put) -> None:
    """Neither the node blocks nor the statements of a site are part of a class by itself."""
    put({"site.pp": "node 'a' { notify { 'node': } }\nclass y { notify { 'class': } }\n"})
    plan = plan_of("site.pp", Settings(node="a"))
    (node,) = plan.targets
    run = CompileRun(plan)
    titles = []
    for target in (node, replace(node, alone="y"), node, replace(node, alone="y")):
        catalog = run.compile(target, Exports()).catalog
        assert catalog is not None
        titles.append([one.title for one in catalog.resources if one.type == "Notify"])
    assert titles == [["node"], ["class"], ["node"], ["class"]]


def test_the_command_prints_the_plan(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    put(SITE)
    assert main(["compile", ".", "--plan"]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "1 compile: 1 node, 1 set of facts",
        "a: node block manifests/site.pp:1",
        "  environment: production (.)",
    ]
    assert main(["compile", ".", "--plan", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["compiles"]
    assert (row["node"], row["needs"]["facts"]) == ("a", "none: all are unknown")
    assert main(["compile", ".", "--format", "json"]) == 2
