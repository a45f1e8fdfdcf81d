"""Small sets of facts in our own words, enough for common modules to compile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Facts = dict[str, Any]

_ADDRESS = "192.0.2.10"
_RELEASE = {"full": "11.9", "major": "11", "minor": "9"}


def debian_11() -> Facts:
    """A minimal Debian 11 machine: structured facts and the legacy ones modules still use."""
    return {**_structured(), **_legacy()}


def _structured() -> Facts:
    binding = {"address": _ADDRESS, "netmask": "255.255.255.0", "network": "192.0.2.0"}
    return {
        "os": {
            "name": "Debian",
            "family": "Debian",
            "architecture": "amd64",
            "hardware": "x86_64",
            "release": _RELEASE,
            "distro": {"codename": "bullseye", "id": "Debian", "release": _RELEASE},
            "selinux": {"enabled": False},
        },
        "networking": {
            "hostname": "node",
            "domain": "example.com",
            "fqdn": "node.example.com",
            "ip": _ADDRESS,
            "netmask": "255.255.255.0",
            "network": "192.0.2.0",
            "primary": "eth0",
            "interfaces": {"eth0": {"ip": _ADDRESS, "bindings": [binding]}},
        },
        "memory": {"system": {"total_bytes": 4294967296, "total": "4.00 GiB"}},
        "processors": {"count": 2, "isa": "x86_64", "models": ["CPU", "CPU"]},
        "kernel": "Linux",
        "kernelrelease": "5.10.0-28-amd64",
        "kernelversion": "5.10.0",
        "kernelmajversion": "5.10",
        "path": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "timezone": "UTC",
        "virtual": "physical",
        "is_virtual": False,
    }


def _legacy() -> Facts:
    return {
        "service_provider": "systemd",
        "systemd": True,
        "puppetversion": "7.23.0",
        "facterversion": "4.3.0",
        "root_home": "/root",
        "puppet_vardir": "/var/lib/puppet",
        "osfamily": "Debian",
        "operatingsystem": "Debian",
        "operatingsystemrelease": "11.9",
        "operatingsystemmajrelease": "11",
        "lsbdistid": "Debian",
        "lsbdistcodename": "bullseye",
        "architecture": "amd64",
        "hardwaremodel": "x86_64",
        "hostname": "node",
        "domain": "example.com",
        "fqdn": "node.example.com",
        "ipaddress": _ADDRESS,
        "processorcount": 2,
        "memorysize_mb": 4096.0,
        "os_workers": 2,
    }


def fact_sets(path: Path | None) -> dict[str, Facts]:
    """Fact sets by name: a JSON file, every JSON file of a folder, or the built-in one.

    A file may hold the facts themselves or, as `puppet facts` writes them, under `values`.
    """
    if path is None:
        return {"debian-11-builtin": debian_11()}
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return {file.stem: _load(file) for file in files}


def _load(file: Path) -> Facts:
    data: Facts = json.loads(file.read_text(encoding="utf-8"))
    values = data.get("values")
    return values if isinstance(values, dict) else data
