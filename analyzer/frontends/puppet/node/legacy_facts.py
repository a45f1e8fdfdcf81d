"""Facter's old names, made of the structured facts as facter 4 does (facter/facts/linux)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from analyzer.model.documents import JsonObject
from analyzer.pattern import pattern

# Old name: where the value is now.
MOVED = {
    "architecture": "os.architecture",
    "augeasversion": "augeas.version",
    "bios_release_date": "dmi.bios.release_date",
    "bios_vendor": "dmi.bios.vendor",
    "bios_version": "dmi.bios.version",
    "boardassettag": "dmi.board.asset_tag",
    "boardmanufacturer": "dmi.board.manufacturer",
    "boardproductname": "dmi.board.product",
    "boardserialnumber": "dmi.board.serial_number",
    "chassisassettag": "dmi.chassis.asset_tag",
    "chassistype": "dmi.chassis.type",
    "domain": "networking.domain",
    "fqdn": "networking.fqdn",
    "gid": "identity.group",
    "hardwareisa": "processors.isa",
    "hardwaremodel": "os.hardware",
    "hostname": "networking.hostname",
    "id": "identity.user",
    "ipaddress": "networking.ip",
    "ipaddress6": "networking.ip6",
    "lsbdistcodename": "os.distro.codename",
    "lsbdistdescription": "os.distro.description",
    "lsbdistid": "os.distro.id",
    "lsbdistrelease": "os.distro.release.full",
    "lsbmajdistrelease": "os.distro.release.major",
    "lsbminordistrelease": "os.distro.release.minor",
    "lsbrelease": "os.distro.specification",
    "macaddress": "networking.mac",
    "macosx_buildversion": "os.macosx.build",
    "macosx_productname": "os.macosx.product",
    "macosx_productversion": "os.macosx.version.full",
    "macosx_productversion_major": "os.macosx.version.major",
    "macosx_productversion_minor": "os.macosx.version.minor",
    "macosx_productversion_patch": "os.macosx.version.patch",
    "manufacturer": "dmi.manufacturer",
    "memoryfree": "memory.system.available",
    "memorysize": "memory.system.total",
    "netmask": "networking.netmask",
    "netmask6": "networking.netmask6",
    "network": "networking.network",
    "network6": "networking.network6",
    "operatingsystem": "os.name",
    "operatingsystemmajrelease": "os.release.major",
    "operatingsystemrelease": "os.release.full",
    "osfamily": "os.family",
    "physicalprocessorcount": "processors.physicalcount",
    "processorcount": "processors.count",
    "productname": "dmi.product.name",
    "rubyplatform": "ruby.platform",
    "rubysitedir": "ruby.sitedir",
    "rubyversion": "ruby.version",
    "scope6": "networking.scope6",
    "selinux": "os.selinux.enabled",
    "selinux_config_mode": "os.selinux.config_mode",
    "selinux_config_policy": "os.selinux.config_policy",
    "selinux_current_mode": "os.selinux.current_mode",
    "selinux_enforced": "os.selinux.enforced",
    "selinux_policyversion": "os.selinux.policy_version",
    "serialnumber": "dmi.product.serial_number",
    "swapencrypted": "memory.swap.encrypted",
    "swapfree": "memory.swap.available",
    "swapsize": "memory.swap.total",
    "system32": "os.windows.system32",
    "uptime": "system_uptime.uptime",
    "uptime_days": "system_uptime.days",
    "uptime_hours": "system_uptime.hours",
    "uptime_seconds": "system_uptime.seconds",
    "uuid": "dmi.product.uuid",
    "windows_display_version": "os.windows.display_version",
    "windows_edition_id": "os.windows.edition_id",
    "windows_installation_type": "os.windows.installation_type",
    "windows_product_name": "os.windows.product_name",
    "windows_release_id": "os.windows.release_id",
}

MEGABYTES = {
    "memoryfree_mb": "memory.system.available_bytes",
    "memorysize_mb": "memory.system.total_bytes",
    "swapfree_mb": "memory.swap.available_bytes",
    "swapsize_mb": "memory.swap.total_bytes",
}

# Old name, before the name of the part; where the parts are; which of its values.
PARTS = {
    "blockdevice_{}_model": ("disks", "model"),
    "blockdevice_{}_size": ("disks", "size_bytes"),
    "blockdevice_{}_vendor": ("disks", "vendor"),
    "ipaddress6_{}": ("networking.interfaces", "ip6"),
    "ipaddress_{}": ("networking.interfaces", "ip"),
    "macaddress_{}": ("networking.interfaces", "mac"),
    "mtu_{}": ("networking.interfaces", "mtu"),
    "netmask6_{}": ("networking.interfaces", "netmask6"),
    "netmask_{}": ("networking.interfaces", "netmask"),
    "network6_{}": ("networking.interfaces", "network6"),
    "network_{}": ("networking.interfaces", "network"),
    "scope6_{}": ("networking.interfaces", "scope6"),
    "ssh{}key": ("ssh", "key"),
}

Facts = JsonObject

# Old names that are made of several structured facts, in Puppet's words.
MADE = {
    "blockdevices": "$facts['disks'].keys.join(',')",
    "interfaces": "$facts['networking']['interfaces'].keys.sort.join(',')",
    "dhcp_servers": "$facts['networking']['dhcp']",
    "xendomains": "$facts['xen']['domains'].join(',')",
}
# The hashes that the facts of every system have: a path below others may end too early.
EVERYWHERE = frozenset({
    "os", "os.release", "networking", "identity", "processors", "memory", "memory.system",
    "system_uptime", "ruby",
})  # fmt: skip
NUMBERED = pattern(r"processor(\d+)\Z")
# Names of parts as systems have them: `ipaddress_eth0` is a fact, `network_driver` none.
KINDS_OF_PARTS = {
    "networking.interfaces": r"(?:lo|[a-zA-Z]+[_-]?\d[\w.-]*)",
    "disks": r"(?:(?:[shv]d|xvd)[a-z]+\d*|(?:nvme|dm|md|sr|fd)[\w-]*\d)",
    "ssh": "(?:rsa|dsa|ecdsa|ed25519)",
}
OF_PARTS = tuple(
    (pattern(f"{before}({KINDS_OF_PARTS[place]}){after}\\Z"), place, key)
    for (before, after), place, key in (
        (old.split("{}"), place, key) for old, (place, key) in PARTS.items()
    )
)


def path_of(name: str) -> tuple[str, ...]:
    """Return the keys of the structured fact that has the value of an old name, none if none."""
    path = MOVED.get(name)
    if path is not None:
        return tuple(path.split("."))
    numbered = NUMBERED.match(name)
    if numbered:
        return ("processors", "models", numbered[1])
    for form, place, key in OF_PARTS:
        part = form.match(name)
        if part:
            return (*place.split("."), part[1], key)
    return ()


def is_legacy(name: str) -> bool:
    """Return whether facter calls a fact of this name a legacy one."""
    return name in MADE or name in MEGABYTES or bool(path_of(name))


def expression_of(name: str, *, safe: bool = False) -> str:
    """Return an expression of the Puppet language with the value of an old name.

    A `safe` one is undef, not an error, where a system has no such fact.
    """
    if name in MADE:
        return MADE[name]
    if name in MEGABYTES:
        return f"{indexed(MEGABYTES[name].split('.'))} / 1048576.0"
    keys = path_of(name)
    above = [".".join(keys[:length]) for length in range(1, len(keys))]
    if not safe or EVERYWHERE.issuperset(above):
        return indexed(keys)
    return f"$facts.dig({', '.join(map(quoted_key, keys))})"


def indexed(keys: Iterable[str]) -> str:
    """Return the expression of the fact at the end of a path."""
    return "$facts" + "".join(f"[{quoted_key(key)}]" for key in keys)


def quoted_key(key: str) -> str:
    """Return a key as Puppet's literal; numbers are indices of arrays."""
    return key if key.isdigit() else f"'{key}'"


def legacy_facts(facts: Facts) -> Facts:
    """Return the facts under facter's old names, as far as the facts have their values."""
    found: Facts = {old: at(facts, path) for old, path in MOVED.items()}
    for make in MAKERS:
        found.update(make(facts))
    return {name: value for name, value in found.items() if value is not None}


def at(facts: Any, path: str) -> Any:
    """Return the fact at the end of a dotted path, None if there is none."""
    for name in path.split("."):
        facts = facts.get(name) if isinstance(facts, dict) else None
    return facts


def parts_of(facts: Facts, path: str) -> Facts:
    """Return the hash at a path by name, an empty one if there is none."""
    found = at(facts, path)
    return found if isinstance(found, dict) else {}


def megabytes(facts: Facts) -> Iterator[tuple[str, object]]:
    """Sizes in mebibytes, which are not rounded."""
    for old, path in MEGABYTES.items():
        size = at(facts, path)
        if isinstance(size, int):
            yield old, size / 1024**2


def parts(facts: Facts) -> Iterator[tuple[str, object]]:
    """Values of interfaces, disks and keys by their names."""
    for old, (path, key) in PARTS.items():
        for name, part in parts_of(facts, path).items():
            yield old.format(name), at(part, key)


def lists(facts: Facts) -> Iterator[tuple[str, object]]:
    """Names in one text, with commas between them."""
    yield "interfaces", ",".join(sorted(parts_of(facts, "networking.interfaces"))) or None
    yield "blockdevices", ",".join(parts_of(facts, "disks")) or None
    domains = at(facts, "xen.domains")
    yield "xendomains", ",".join(map(str, domains)) if isinstance(domains, list) else None


def processors(facts: Facts) -> Iterator[tuple[str, object]]:
    """The model of each processor."""
    models = at(facts, "processors.models")
    for number, model in enumerate(models if isinstance(models, list) else ()):
        yield f"processor{number}", model


def dhcp_servers(facts: Facts) -> Iterator[tuple[str, object]]:
    """The servers that gave the addresses: the machine's, and each interface's."""
    interfaces = parts_of(facts, "networking.interfaces")
    if interfaces:
        servers = {name: at(interface, "dhcp") for name, interface in interfaces.items()}
        given = {name: server for name, server in servers.items() if server}
        yield "dhcp_servers", {"system": at(facts, "networking.dhcp"), **given}


def fingerprints(facts: Facts) -> Iterator[tuple[str, object]]:
    """The fingerprints of the keys of ssh, two lines each."""
    for name, key in parts_of(facts, "ssh").items():
        found = parts_of(key, "fingerprints") if isinstance(key, dict) else {}
        if "sha1" in found and "sha256" in found:
            yield f"sshfp_{name}", f"{found['sha1']}\n{found['sha256']}"


MAKERS: tuple[Callable[[Facts], Iterator[tuple[str, object]]], ...] = (
    megabytes,
    parts,
    lists,
    processors,
    dhcp_servers,
    fingerprints,
)
