"""Typical facts are facts as facter gives them, by name."""

from __future__ import annotations

from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import pytest

import analyzer
from analyzer.cli import main
from analyzer.frontends.puppet.node.legacy_facts import legacy_facts
from analyzer.frontends.puppet.node.systems import SYSTEMS
from analyzer.frontends.puppet.node.typical import typical_facts


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # As facter 4 prints them on these systems.
        ("debian-12", "osfamily=Debian lsbdistcodename=bookworm operatingsystemmajrelease=12"),
        ("debian-12", "operatingsystem=Debian architecture=amd64 selinux=False"),
        ("ubuntu-24.04", "osfamily=Debian operatingsystem=Ubuntu lsbdistcodename=noble"),
        ("ubuntu-24.04", "operatingsystemmajrelease=24.04 operatingsystemrelease=24.04"),
        ("rocky-9", "osfamily=RedHat operatingsystem=Rocky operatingsystemmajrelease=9"),
        ("rocky-9", "architecture=x86_64 selinux=True selinux_current_mode=enforcing"),
        ("windows-2022", "osfamily=windows operatingsystem=windows architecture=x64"),
        ("windows-2022", "operatingsystemrelease=2022 operatingsystemmajrelease=2022"),
        ("freebsd-14", "osfamily=FreeBSD operatingsystemmajrelease=14 architecture=amd64"),
        ("freebsd-14", "operatingsystemrelease=14.1-RELEASE"),
    ],
)
def test_old_names(name: str, expected: str) -> None:
    old = legacy_facts(typical_facts(name))
    facts = dict(pair.split("=") for pair in expected.split())
    assert {fact: str(old.get(fact)) for fact in facts} == facts


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_compiles_a_catalog_that_is_complete(name: str, tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text(
        "notify { \"${facts['os']['family']} ${facts['os']['release']['major']}\": }\n"
        "if $facts['networking']['ip'] =~ /^192/ and $facts['processors']['count'] > 1 {\n"
        "  notify { $facts['kernel']: }\n"
        "}\n"
    )
    catalog = analyzer.compile(manifest, facts=[f"@{name}"])
    assert not catalog.gaps
    notices = [resource for resource in catalog.resources if resource.ref.type == "Notify"]
    assert len(notices) == 2


@pytest.mark.parametrize("name", SYSTEMS)
def test_host_keys(name: str) -> None:
    # Facter reads them from the files of OpenSSH, which it does not look for on Windows.
    keys = typical_facts(name).get("ssh", {})
    assert bool(keys) == (not name.startswith("windows"))
    for row in keys.values():
        blob = b64decode(row["key"])
        length = int.from_bytes(blob[:4])
        assert blob[4 : 4 + length].decode() == row["type"]
        assert row["fingerprints"]["sha256"].endswith(sha256(blob).hexdigest())


def test_a_name_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("notify { 'a': }\n")
    assert main(["cycles", str(manifest), "--facts", "@debian12"]) == 2
    assert "did you mean @debian-12?" in capsys.readouterr().err


def test_a_configuration_names_them(tmp_path: Path) -> None:
    (tmp_path / "catgraph.toml").write_text('facts = ["@rocky-9"]\n')
    manifest = tmp_path / "site.pp"
    manifest.write_text("notify { $facts['os']['name']: }\n")
    assert main(["cycles", str(manifest)]) == 0


@pytest.mark.parametrize(
    "code",
    [
        "$facts['efs']['dns_name']",
        "$::efs['dns_name']",
        "fact('efs.dns_name')",
        "$facts.get('efs.dns_name')",
        "$facts.dig('efs', 'dns_name')",
        "getvar('facts.efs.dns_name')",
        "str2bool($facts['efs'])",
        "str2bool(\"${facts['efs']}\")",
        "$facts['efs'].split(',').join(':')",
        "$facts['efs'] ? { 'a' => 'b' }",
        "$trusted['extensions']['pp_role'].split(',').join(':')",
        "$trusted['external']['role'].split(',').join(':')",
        "lookup('role', default_value => 'none')",
        "puppetdb_query('nodes { }').map |$node| { $node['certname'] }.join(':')",
    ],
)
def test_facts_of_the_site_are_not_known(code: str, tmp_path: Path) -> None:
    manifest = tmp_path / "manifests" / "site.pp"
    manifest.parent.mkdir()
    manifest.write_text(f"notify {{ {code}: }}\n")
    (tmp_path / "hiera.yaml").write_text("version: 5\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "common.yaml").write_text('role: "%{facts.efs.dns_name}"\n')
    catalog = analyzer.compile(tmp_path, facts=["@debian-12"])
    assert [gap.name for gap in catalog.gaps if gap.hides] == ["title"]


def test_parts_of_known_facts_are_known(tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("if $facts['os']['windows'] { notify { 'a': } }\n")
    assert not analyzer.compile(manifest, facts=["@debian-12"]).gaps
