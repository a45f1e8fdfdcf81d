"""`catgraph upgrade`: what breaks and changes under another release, by cause."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Put, Run
from tests.oracle.harness import ROOT

SAMPLE = ROOT / "sample_catalogs" / "control_repos" / "puppet_6"


def causes(run: Run, *arguments: object) -> dict[str, list[dict[str, Any]]]:
    """Return the causes by group."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in json.loads(run("upgrade", *arguments, "--format", "json").out)["causes"]:
        found.setdefault(one["group"], []).append(one)
    return found


def messages(found: dict[str, list[dict[str, Any]]], group: str) -> list[str]:
    """Return the messages of a group."""
    return [one["message"] for one in found.get(group, [])]


def test_the_sample(run: Run) -> None:
    found = causes(run, SAMPLE, "--to", "puppet-8", "--facts", "@debian-12")
    (unset,) = found["unset"]
    assert (unset["message"], unset["nodes"]) == (
        "the class does not set '$maintenance'",
        ["web1.example.com"],
    )
    (order,) = found["order"]
    assert len(order["nodes"]) == 3
    assert any("refresh lost: File[/etc/ntp.conf]" in line for line in order["details"])
    assert sorted(messages(found, "legacy")) == [
        "$::operatingsystem",
        "$facts['operatingsystemmajrelease']",
        "$facts['osfamily']",
        "$ipaddress",
        "@hostname",
    ]
    assert sorted(messages(found, "lacks")) == ["has_key()", "type mailalias"]


def test_nothing_breaks(put: Put, run: Run) -> None:
    put({"site.pp": "node default { notify { \"on ${facts['os']['family']}\": } }"})
    done = run("upgrade", "site.pp", "--to", "puppet-8", "--facts", "@debian-12")
    assert done.code == 0
    assert "1 compile to the same catalog" in done.out


def test_a_class_that_no_node_has_breaks(put: Put, run: Run) -> None:
    put({"s/environment.conf": "modulepath = modules"})
    put({"s/manifests/site.pp": "node 'a.example.com' { }"})
    body = '$service_manage = 1 notify { "x${service_mange}": }'
    put({"s/modules/web/manifests/init.pp": f"class web {{ {body} }}"})
    found = causes(run, "s", "--to", "puppet-8", "--facts", "@debian-12")
    (error,) = found["breaks"]
    assert error["nodes"] == ["class web"]
    assert error["places"][0]["line"] == 1


def test_a_change_of_release_within_openvox(put: Put, run: Run) -> None:
    """OpenVox before 8.28.1 does not find this block; the cases of versions have the answers."""
    put({"site.pp": "node /^(?:web)/ { notify { 'W': } } node default { notify { 'D': } }"})
    arguments = ("site.pp", "--node", "web1", "--puppet-version", "openvox-8.28.0")
    found = causes(run, *arguments, "--to", "openvox-9", "--facts", "@debian-12")
    assert any("Notify[W] is new" in one for one in messages(found, "changes"))


def test_modules_of_the_target(put: Put, run: Run) -> None:
    put({"s/environment.conf": "modulepath = modules"})
    put({"s/manifests/site.pp": "node 'a.example.com' { include lib }"})
    for folder, arrow in (("s/modules", "~>"), ("new", "->")):
        body = f"notify {{ 'a': }} {arrow} exec {{ '/bin/b': refreshonly => true }}"
        put({f"{folder}/lib/manifests/init.pp": f"class lib {{ {body} }}"})
    arguments = ("s", "--to", "puppet-8", "--facts", "@debian-12")
    assert run("upgrade", *arguments).code == 0
    found = causes(run, *arguments, "--to-modulepath", "new")
    assert any("refresh lost: Notify[a] => Exec[/bin/b]" in m for m in messages(found, "order"))


def test_a_module_that_does_not_admit_the_target(put: Put, run: Run) -> None:
    put({"web/manifests/init.pp": "class web { }"})
    requirement = {"name": "puppet", "version_requirement": ">= 6.0.0 < 8.0.0"}
    put({"web/metadata.json": json.dumps({"name": "a-web", "requirements": [requirement]})})
    found = causes(run, "web", "--to", "puppet-8")
    assert messages(found, "modules") == ["web requires puppet >= 6.0.0 < 8.0.0, not Puppet 8"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("$osfamily = 'x' notify { $osfamily: }", []),
        ("notify { $::osfamily: }", ["$::osfamily"]),
        ("class a($domain = 'x') { notify { $domain: } }", []),
        ("class a { notify { $domain: } }", ["$domain"]),
        ('class a { [1].each |$id| { notify { "${id}": } } }', []),
        ("notify { \"${facts['ipaddress_eth0']}\": }", ["$facts['ipaddress_eth0']"]),
        ("notify { $::network_driver: }", []),
        ("notify { $a::osfamily: }", []),
    ],
)
def test_legacy_facts_of_manifests(put: Put, run: Run, text: str, names: list[str]) -> None:
    put({"a.pp": text})
    assert messages(causes(run, "a.pp", "--to", "puppet-8"), "legacy") == names


def test_legacy_facts_of_templates_and_data(put: Put, run: Run) -> None:
    put({"s/environment.conf": "modulepath = modules"})
    put({"s/manifests/site.pp": "node default { include web }"})
    put({"s/hiera.yaml": "version: 5\nhierarchy:\n- {name: a, path: '%{facts.osfamily}.yaml'}\n"})
    put({"s/data/common.yaml": 'web::x: "%{::fqdn}"\nweb::y: "%{facts.os.family}"\n'})
    body = "$hostname = 1 file { '/a': content => template('web/a.erb') }"
    put({"s/modules/web/manifests/init.pp": f"class web {{ {body} }}"})
    put({"s/modules/web/templates/a.erb": "<%= @hostname %> @domain <%= scope['::id'] %>\n"})
    put({"s/modules/web/templates/b.epp": "<%= $::macaddress %>\n"})
    found = causes(run, "s", "--to", "puppet-8")["legacy"]
    places = {one["message"]: Path(one["places"][0]["file"]).name for one in found}
    assert places == {
        "$facts['osfamily']": "hiera.yaml",
        "$fqdn": "common.yaml",
        "$id": "a.erb",
        "$::macaddress": "b.epp",
    }


def test_a_backend_of_hiera_3(put: Put, run: Run) -> None:
    put({"s/environment.conf": "", "s/manifests/site.pp": "node default { }"})
    put({"s/hiera.yaml": ":backends:\n  - yaml\n  - vault\n:hierarchy: [a]\n"})
    found = causes(run, "s", "--to", "openvox-8")
    assert messages(found, "lacks") == ["Hiera 3 backend vault"]


@pytest.mark.parametrize(("target", "kinds"), [("openvox-8", []), ("openvox-9", ["type zone"])])
def test_a_type_that_left(put: Put, run: Run, target: str, kinds: list[str]) -> None:
    put({"a.pp": "zone { 'z': ensure => running }"})
    assert messages(causes(run, "a.pp", "--to", target), "lacks") == kinds


WEB = """class web {
  if $facts['osfamily'] == 'Debian' { notify { "${::hostname}": } }
}
"""
SITE = {
    "s/environment.conf": "modulepath = modules",
    "s/manifests/site.pp": "node 'a.example.com' { include web }",
    "s/modules/web/manifests/init.pp": WEB,
    "s/modules/web/manifests/other.pp": "class web::other { $x = $::memorysize_mb }",
}


def test_a_fix_that_changes_nothing_is_written(put: Put, run: Run, tmp_path: Path) -> None:
    put(SITE)
    patch = run("upgrade", "s", "--to", "puppet-8", "--facts", "@debian-12", "--diff")
    assert patch.code == 1
    assert patch.out.count("\n+  ") == 1
    done = run("upgrade", "s", "--to", "puppet-8", "--facts", "@debian-12", "--fix")
    assert "replaced 2 legacy facts in 1 file" in done.err
    assert "other.pp:1:25: not replaced" in done.err
    text = (tmp_path / "s/modules/web/manifests/init.pp").read_text()
    assert "$facts['os']['family']" in text
    assert "${facts['networking']['hostname']}" in text
    found = causes(run, "s", "--to", "puppet-8", "--facts", "@debian-12")
    assert messages(found, "legacy") == ["$::memorysize_mb"]
    again = run("upgrade", "s", "--to", "puppet-8", "--facts", "@debian-12", "--fix")
    assert "replaced 0 legacy facts" in again.err


def test_a_fix_that_changes_a_catalog_is_not_written(put: Put, run: Run, tmp_path: Path) -> None:
    """A classifier may set a top-scope variable with the name of a fact: it hides the fact."""
    put({**SITE, "nodes/a.example.com.yaml": "parameters: {hostname: other}\nclasses: [web]\n"})
    options = ("--to", "puppet-8", "--facts", "@debian-12", "--nodes-dir", "nodes")
    done = run("upgrade", "s", *options, "--fix")
    assert "replaced 1 legacy fact in 1 file" in done.err
    text = (tmp_path / "s/modules/web/manifests/init.pp").read_text()
    assert "$facts['os']['family']" in text
    assert "${::hostname}" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("a.pp",),
        ("a.pp", "--to", "puppet-12"),
        ("a.pp", "--to", "puppet-7", "--puppet-version", "8"),
        ("a.json", "--to", "puppet-8"),
        ("a.pp", "--to", "puppet-8", "--to-modulepath", "nowhere"),
        ("nosuch.pp", "--to", "puppet-8"),
    ],
)
def test_usage(put: Put, run: Run, arguments: tuple[str, ...]) -> None:
    put({"a.pp": "notify { 'a': }"})
    put({"a.json": "{}"})
    done = run("upgrade", *arguments)
    assert done.code == 2
    assert "error" in done.err
    assert "Traceback" not in done.err


def test_a_module_of_defined_types_only(put: Put, run: Run) -> None:
    put({"m/metadata.json": '{"name": "x-m", "version": "1.0.0"}'})
    body = "notify { \"on ${facts['osfamily']}\": }"
    put({"m/manifests/a.pp": f"define m::a {{ {body} }}"})
    found = causes(run, "m", "--to", "puppet-8", "--facts", "@debian-12")
    assert messages(found, "legacy") == ["$facts['osfamily']"]
    (change,) = found["changes"]
    assert change["nodes"] == ["class m::a"]


def test_other_worlds(put: Put, run: Run) -> None:
    put({"m/metadata.json": '{"name": "x-m", "version": "1.0.0"}'})
    notify = "notify { \"gone from ${facts['osfamily']}\": }"
    text = f"class m ($ensure = 'present', $n = 1) {{ if $ensure == 'absent' {{ {notify} }} }}"
    put({"m/manifests/init.pp": text})
    options = ("m", "--to", "puppet-8", "--facts", "@debian-12")
    (change,) = causes(run, *options)["changes"]
    assert (change["world"], change["nodes"]) == ("m::ensure = 'absent'", ["class m"])
    assert run("upgrade", *options).out.count("1 of them not in all worlds") == 1
    assert "changes" not in causes(run, *options, "--worlds", "1")


def test_a_system_that_is_not_usual(put: Put, run: Run) -> None:
    text = "if $facts['os']['family'] == 'windows' { notify { \"x ${facts['osfamily']}\": } }"
    put({"a.pp": text})
    (change,) = causes(run, "a.pp", "--to", "puppet-8", "--facts", "@debian-12")["changes"]
    assert "windows" in change["world"]


def test_a_variable_that_nothing_sets_in_another_world(put: Put, run: Run) -> None:
    put({"a.pp": 'class a($on = false) { if $on { notify { "${nothing}": } } } include a'})
    found = causes(run, "a.pp", "--to", "puppet-8", "--facts", "@debian-12")
    assert set(found) == {"unset"}
