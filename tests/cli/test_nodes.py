"""Which nodes, roles and classes are compiled, and with which facts and parameters."""

from __future__ import annotations

import json
import sys

import pytest

from analyzer.cli.shared import inputs
from analyzer.frontends.puppet.node.typical import typical_facts
from tests.cli.conftest import Put, Run

HIERA = """\
version: 5
hierarchy:
  - {name: nodes, path: 'nodes/%{trusted.certname}.yaml'}
"""
BLOCKS = "node /^web\\d+$/ { notify { 'w': } }\nnode 'db1' { notify { 'd': } }\n"
ROLES = {
    "environment.conf": "modulepath = site:modules\n",
    "site/role/manifests/web.pp": 'class role::web($port = 80) { notify { "p${port}": } }\n',
    "site/role/manifests/db.pp": "class role::db { notify { $clientcert: } }\n",
    "site/role/manifests/init.pp": "class role { notify { 'base': } }\n",
    "site/profile/manifests/top.pp": "class profile::top { notify { 'top': } }\n",
    "manifests/site.pp": "Notify { message => 'm' }\nnode default { }\n",
}


def compiled(run: Run, *words: str) -> dict[str, list[str]]:
    """Return the titles of each catalog's notifications."""
    done = run("compile", ".", *words)
    assert done.code == 0, done.err
    found = json.loads(done.out)
    return {
        one["name"]: [r["title"] for r in one["resources"] if r["type"] == "Notify"]
        for one in (found if isinstance(found, list) else [found])
    }


def test_names_in_data_that_a_block_takes(run: Run, put: Put) -> None:
    put({"hiera.yaml": HIERA, "manifests/site.pp": BLOCKS})
    put({f"data/nodes/{name}.yaml": "a: 1\n" for name in ("web7", "db1", "mail1")})
    assert compiled(run) == {"web1": ["w"], "db1": ["d"], "web7": ["w"]}


def test_names_in_data_where_there_are_no_blocks(run: Run, put: Put) -> None:
    put(
        {
            "hiera.yaml": HIERA,
            "manifests/site.pp": "notify { \"v${lookup('a', default_value => 0)}\": }",
        }
    )
    put({"data/nodes/web7.yaml": "a: 1\n"})
    assert compiled(run) == {"web7": ["v1"], "node.example.com": ["v0"]}


def test_node_is_repeatable(run: Run, put: Put) -> None:
    put({"manifests/site.pp": BLOCKS})
    assert compiled(run, "--node", "web3", "--node", "db1") == {"web3": ["w"], "db1": ["d"]}
    assert compiled(run, "--node", "web3") == {"web3": ["w"]}


def test_roles_of_a_site_that_declares_nothing(run: Run, put: Put) -> None:
    put(ROLES)
    assert compiled(run) == {"role::db": ["role-db.example.com"], "role::web": ["p80"]}


def test_roles_of_a_site_that_declares_classes(run: Run, put: Put) -> None:
    site = "notify { 'all': }\nnode default { include profile::top }\n"
    put({**ROLES, "manifests/site.pp": site})
    assert compiled(run) == {"default": ["all", "top"]}
    assert compiled(run, "--all-roles") == {
        "role::db": ["all", "role-db.example.com"],
        "role::web": ["all", "p80"],
    }
    put({"catgraph.toml": 'roles = ["role::w*", "::profile::top"]\n'})
    assert compiled(run) == {
        "default": ["all", "top"],
        "profile::top": ["all", "top"],
        "role::web": ["all", "p80"],
    }


@pytest.mark.parametrize(
    "declared",
    ["lookup('classes').include", "class { 'profile::top': }", "hiera_include('classes')"],
)
def test_what_declares_classes(run: Run, put: Put, declared: str) -> None:
    site = f"node 'a' {{ {declared} }}\nnode default {{ }}\n"
    put({**ROLES, "manifests/site.pp": site, "hiera.yaml": "version: 5\n"})
    assert run("cycles", ".").out.count("role::") == 0


def test_no_roles(run: Run, put: Put) -> None:
    put({"manifests/site.pp": BLOCKS})
    done = run("compile", ".", "--all-roles")
    assert done.code == 2
    assert "there is no role class (role::*, roles::*)" in done.err


def test_explore_and_lint_take_the_same(run: Run, put: Put) -> None:
    put(ROLES)
    explored = json.loads(run("explore", ".", "--format", "json").out)
    assert [node["name"] for node in explored["nodes"]] == ["role::db", "role::web"]
    assert "2 catalogs and 2 more of classes that no node has" in run("lint", ".").out


def test_parameters(run: Run, put: Put) -> None:
    put(ROLES)
    chosen = ("--class", "role::web", "--param")
    assert compiled(run, *chosen, "port=8080") == {"class role::web": ["p8080"]}
    assert compiled(run, *chosen, "role::web::port=[1, {a => -2}]")["class role::web"] == [
        "p[1, {a => -2}]"
    ]
    assert compiled(run, *chosen, "port=undef")["class role::web"] == ["p80"]
    assert compiled(run, *chosen, "port='x y'")["class role::web"] == ["px y"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("prot=1", "class role::web has no parameter 'prot'; did you mean 'port'?"),
        ("port", "expected NAME=VALUE, such as port=80"),
        ("port=x y", "write a string as 'x y'"),
        ("port=$x", "not a Puppet literal"),
        ("port=f(1)", "not a Puppet literal"),
        ("port=", "not a Puppet literal"),
        ("port=[", "not a Puppet literal"),
    ],
)
def test_parameters_that_are_none(run: Run, put: Put, word: str, message: str) -> None:
    put(ROLES)
    done = run("compile", ".", "--class", "role::web", "--param", word)
    assert (done.code, message in done.err) == (2, True), done.err


def test_a_parameter_of_no_class(run: Run, put: Put) -> None:
    put(ROLES)
    done = run("compile", ".", "--param", "port=1")
    assert "add --class NAME, or write the class too: app::port=1" in done.err


def test_typical_facts_carry_the_name(run: Run, put: Put) -> None:
    site = 'notify { "${facts["networking"]["fqdn"]} ${facts["clientcert"]} ${fqdn} ${hostname}": }'
    put({"manifests/site.pp": site})
    words = ("--node", "web1.example.org", "--facts", "@debian-12", "--legacy-facts")
    # A system does not tell what a fact of the site is: the title is unknown.
    assert compiled(run, *words) == {
        "web1.example.org": ["web1.example.org web1.example.org web1.example.org web1"]
    }
    put({"catgraph.toml": '[stubs.facts]\nfqdn = "stub"\n'})
    ((title,),) = compiled(run, *words).values()
    assert title.split()[2] == "stub"


def test_explored_worlds_carry_the_name(run: Run, put: Put) -> None:
    put(
        {
            "manifests/site.pp": "node 'a.b' { if $facts['networking']['domain'] == 'b' {\n"
            "Notify['x'] -> Notify['y'] -> Notify['x'] } notify { ['x', 'y']: } }"
        }
    )
    found = json.loads(run("explore", ".", "--format", "json").out)
    assert found["nodes"][0]["worlds"][0]["state"] == "cycle"


def test_facts_by_node(run: Run, put: Put) -> None:
    facts = {**typical_facts("rocky-9"), "own": "yes"}
    put(
        {
            "manifests/site.pp": "notify { \"${facts['os']['name']} ${facts['own']}\": }",
            "facts/a.example.com.json": json.dumps(facts),
            "facts/b.example.com.yaml": "values: {os: {name: Y}, own: 1}",
            "facts/README": "",
        }
    )
    both = {"a.example.com": ["Rocky yes"], "b.example.com": ["Y 1"]}
    words = ("--facts-dir", "facts", "--facts", "@debian-12", "--facts", "@ubuntu-24.04")
    assert compiled(run, *words) == {
        "a.example.com, @debian-12": ["Rocky yes"],
        "b.example.com, @debian-12": ["Y 1"],
        "node.example.com, @debian-12": [],
        "node.example.com, @ubuntu-24.04": [],
    }
    put({"catgraph.toml": 'facts_dir = "facts"\nnodes = ["a.example.com", "b.example.com"]\n'})
    assert compiled(run) == both
    assert "and 2 catalogs" in run("lint", ".").out


def test_no_folder_of_facts(run: Run, put: Put) -> None:
    put({"manifests/site.pp": BLOCKS})
    for option in ("--facts-dir", "--nodes-dir"):
        done = run("compile", ".", option, "gone")
        assert (done.code, done.err) == (
            2,
            "gone: error: cannot be read: No such file or directory (unreadable)\n",
        )


CLASSIFIED = {
    "manifests/site.pp": 'notify { "top ${place}": }',
    "modules/a/manifests/init.pp": 'class a($x = 0) { notify { "a ${x}": } }',
    "nodes/one.yaml": "{classes: {a: {x: 5}}, parameters: {place: north}}",
    "nodes/two.yml": "{classes: [a], parameters: {place: south}, environment: production}",
    "nodes/three.json": '{"parameters": {"place": "west"}}',
}


def test_answers_of_a_classifier(run: Run, put: Put) -> None:
    put(CLASSIFIED)
    assert compiled(run, "--nodes-dir", "nodes") == {
        "one": ["top north", "a 5"],
        "three": ["top west"],
        "two": ["top south", "a 0"],
    }
    assert compiled(run, "--nodes-dir", "nodes", "--node", "two") == {"two": ["top south", "a 0"]}
    put({"catgraph.toml": 'nodes_dir = "nodes"\n'})
    assert "and 3 catalogs" in run("lint", ".").out
    assert len(json.loads(run("explore", ".", "--format", "json").out)["nodes"]) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "the classifier did not print YAML"),
        ("a", "did not print a map"),
        ("classes: 1", "classes are not a list or map"),
        (None, "there is no file x.yaml for node x"),
    ],
)
def test_answers_that_are_none(run: Run, put: Put, text: str | None, message: str) -> None:
    put(CLASSIFIED)
    if text is not None:
        put({"nodes/x.yaml": text})
    done = run("compile", ".", "--nodes-dir", "nodes", "--node", "x")
    assert (done.code, message in done.err) == (2, True), done.err


def test_progress_of_many_nodes(run: Run, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    names = "', '".join(f"n{number}" for number in range(7))
    put({"manifests/site.pp": f"node '{names}' {{ }}"})
    monkeypatch.setattr(inputs, "show_progress", shown.append)
    run("cycles", ".")
    assert not shown
    monkeypatch.setattr(sys, "stderr", Terminal())
    for command in ("cycles", "lint", "explore"):
        run(command, ".")
        assert shown[0] == "1 of 7 nodes: n0"
        assert shown[-1] == ""
        shown.clear()


class Terminal:
    """A standard error that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None: ...


def test_one_catalog_of_several_nodes(run: Run, put: Put) -> None:
    put({"manifests/site.pp": "node 'a', 'b' { fail('not compiled') }"})
    done = run("graph", ".")
    assert (done.code, "there are 2 nodes (a, b); choose one with --node NAME" in done.err) == (
        2,
        True,
    )


def test_nodes_have_warnings_in_common(run: Run, put: Put) -> None:
    hierarchy = "version: 5\nhierarchy: [{name: a, path: '%{odd}.yaml'}]\n"
    put({"manifests/site.pp": "$x = lookup('a', default_value => 1)\nnode 'a', 'b' { }"})
    put({"hiera.yaml": hierarchy, "facts.json": '{"kernel": "Linux"}'})
    for command in ("cycles", "order"):
        assert run(command, ".", "--facts", "facts.json").err.count("'odd'") == 1
