"""Facts from files, and facter's old names for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.facts import fact_sets, read_facts
from analyzer.frontends.puppet.node.legacy_facts import MOVED, legacy_facts
from analyzer.model.stubs import Stubs

CACHED = """--- !ruby/object:Puppet::Node::Facts
name: web1.example.com
values:
  os:
    family: Debian
  uptime: "1:02 hours"
timestamp: 2026-01-01 00:00:00.000000000 Z
expiration: 2026-01-01 01:00:00.000000000 Z
"""

STRUCTURED = {
    "os": {
        "name": "Ubuntu",
        "family": "Debian",
        "release": {"full": "22.04", "major": "22.04"},
        "selinux": {"enabled": False},
    },
    "memory": {"system": {"total": "957.28 MiB", "total_bytes": 1003778048}},
    "networking": {
        "hostname": "web1",
        "dhcp": "192.0.2.2",
        "ip": "192.0.2.10",
        "interfaces": {
            "lo": {"ip": "127.0.0.1", "mtu": 65536, "scope6": "host"},
            "eth0": {"ip": "192.0.2.10", "mac": "02:00:00:00:00:01", "dhcp": "192.0.2.2"},
        },
    },
    "processors": {"count": 2, "models": ["M", "M"]},
    "disks": {"vda": {"size_bytes": 10, "vendor": "V"}},
    "ssh": {
        "rsa": {"key": "AAAA", "fingerprints": {"sha1": "SSHFP 1 1 a", "sha256": "SSHFP 1 2 b"}}
    },
}

# By the rules of facter 4 (facter/facts/linux).
LEGACY = {
    "operatingsystem": "Ubuntu",
    "osfamily": "Debian",
    "operatingsystemrelease": "22.04",
    "operatingsystemmajrelease": "22.04",
    "selinux": False,
    "memorysize": "957.28 MiB",
    "memorysize_mb": 957.27734375,
    "hostname": "web1",
    "ipaddress": "192.0.2.10",
    "ipaddress_eth0": "192.0.2.10",
    "ipaddress_lo": "127.0.0.1",
    "macaddress_eth0": "02:00:00:00:00:01",
    "mtu_lo": 65536,
    "scope6_lo": "host",
    "interfaces": "eth0,lo",
    "dhcp_servers": {"system": "192.0.2.2", "eth0": "192.0.2.2"},
    "processorcount": 2,
    "processor0": "M",
    "processor1": "M",
    "blockdevices": "vda",
    "blockdevice_vda_size": 10,
    "blockdevice_vda_vendor": "V",
    "sshrsakey": "AAAA",
    "sshfp_rsa": "SSHFP 1 1 a\nSSHFP 1 2 b",
}


def test_legacy_facts() -> None:
    assert legacy_facts(STRUCTURED) == LEGACY


@pytest.mark.parametrize("facts", [{}, {"os": "x", "memory": [], "networking": {"interfaces": 1}}])
def test_legacy_facts_of_what_is_not_there(facts: dict[str, object]) -> None:
    assert legacy_facts(facts) == {}


def test_a_name_has_one_source() -> None:
    assert len(set(MOVED.values())) == len(MOVED)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cached.yaml", CACHED),
        ("plain.yaml", "os: {family: Debian}\nuptime: '1:02 hours'\n"),
        ("plain.json", '{"os": {"family": "Debian"}, "uptime": "1:02 hours"}'),
        (
            "named.json",
            '{"name": "a", "values": {"os": {"family": "Debian"}, "uptime": "1:02 hours"}}',
        ),
    ],
)
def test_forms(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert read_facts(str(path)) == {"os": {"family": "Debian"}, "uptime": "1:02 hours"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "the facts are not a map"),
        ("a: [", "neither JSON nor YAML"),
        ('{"a": }', "neither JSON nor YAML"),
        ("", "the facts are not a map"),
    ],
)
def test_bad_facts(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "f"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_facts(str(path))


def test_stubs_and_facts_of_the_file_beat_old_names(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"os": {"family": "Debian", "name": "Debian"}, "operatingsystem": "mine"}')
    stubs = Stubs(facts={"os": {"family": "RedHat"}, "osfamily": "stub"})
    ((_, facts),) = fact_sets(Settings(facts=(str(path),), legacy_facts=True, stubs=stubs))
    assert facts == {
        "os": {"family": "RedHat", "name": "Debian"},
        "osfamily": "stub",
        "operatingsystem": "mine",
    }


DATES = """--- !ruby/object:Puppet::Node::Facts
name: web1
timestamp: 2014-12-02 12:56:20.865795 -08:00
values:
  _timestamp: 2014-12-02 12:56:20.865795 -08:00
  released: 2020-01-31
  dates: [2020-01-31, "2020-02-01", {2020-02-02: 2001-12-14T21:59:43.10-05:00}]
  number: 20200131
expiration: 2014-12-02 13:11:20.521667 -08:00
"""


def test_dates_are_text(tmp_path: Path) -> None:
    """Facter reads files of facts so; Puppet's own cache quotes them."""
    path = tmp_path / "facts.yaml"
    path.write_text(DATES, encoding="utf-8")
    assert read_facts(str(path)) == {
        "_timestamp": "2014-12-02 12:56:20.865795 -08:00",
        "released": "2020-01-31",
        "dates": ["2020-01-31", "2020-02-01", {"2020-02-02": "2001-12-14T21:59:43.10-05:00"}],
        "number": 20200131,
    }
