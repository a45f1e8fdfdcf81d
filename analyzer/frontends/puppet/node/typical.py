"""Facts of typical machines, by the names that `--facts @NAME` takes.

They describe a small virtual machine, fresh from its installer, in the shape that facter 4 prints.
Addresses and names are those reserved for documentation. Old names are made in `legacy_facts`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.systems import MARK, SYSTEMS, System
from analyzer.model.certnames import EXAMPLE_NODE, certname_of
from analyzer.model.documents import JsonObject
from analyzer.source import Span

Facts = JsonObject


LINUX = frozenset({"Debian", "RedHat", "Suse", "Archlinux", "Gentoo", "Linux"})

# Kernel, processors, path and home of root, package and service providers, of each family.
PATHS = {
    "windows": r"C:\Program Files\Puppet Labs\Puppet\bin;C:\Windows\system32;C:\Windows",
    "FreeBSD": "/sbin:/bin:/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/root/bin",
    "Darwin": "/opt/puppetlabs/bin:/usr/bin:/bin:/usr/sbin:/sbin",
}
PATH = "/opt/puppetlabs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
HOMES = {"windows": None, "Darwin": "/var/root"}
PACKAGES = {
    "Debian": "apt", "Suse": "zypper", "Archlinux": "pacman", "Gentoo": "portage",
    "Linux": "apk", "FreeBSD": "pkgng", "OpenBSD": "openbsd", "Darwin": "pkgdmg",
    "Solaris": "pkg", "windows": "windows",
}  # fmt: skip
SERVICES = {
    "FreeBSD": "freebsd", "OpenBSD": "openbsd", "Darwin": "launchd", "Solaris": "smf",
    "windows": "windows", "Gentoo": "openrc", "Linux": "openrc",
}  # fmt: skip
FILE_SYSTEMS = {"RedHat": "xfs", "FreeBSD": "zfs", "Solaris": "zfs", "Suse": "btrfs"}


def typical_facts(name: str, node: str = EXAMPLE_NODE) -> Facts:
    """Return the facts of a typical machine of a system, `debian-12`, under the name of a node.

    Raises:
        InputError: there is no such system.
    """
    system = SYSTEMS.get(name)
    if system is None:
        near = get_close_matches(name, SYSTEMS, 1)
        hint = f"did you mean @{near[0]}?" if near else "'catgraph facts' lists the known ones"
        raise InputError(f"unknown system; {hint}", Span(MARK + name), "bad-facts")
    facts: Facts = {}
    for part in PARTS:
        facts.update(part(system))
    return {**facts, **names_of(certname_of(node))}


def names_of(node: str) -> Facts:
    """Return the facts that depend on the node's name."""
    hostname, _, domain = node.partition(".")
    # A machine whose certificate has a short name is in a domain, too.
    domain = domain or EXAMPLE_NODE.partition(".")[2]
    network = {
        "domain": domain, "fqdn": f"{hostname}.{domain}", "hostname": hostname,
        "interfaces": INTERFACES, "primary": "eth0", **INTERFACES["eth0"],
    }  # fmt: skip
    return {"clientcert": node, "networking": network}


INTERFACES = {
    "eth0": {
        "bindings": [
            {"address": "192.0.2.10", "netmask": "255.255.255.0", "network": "192.0.2.0"}
        ],
        "bindings6": [
            {
                "address": "2001:db8::10", "flags": [], "netmask": "ffff:ffff:ffff:ffff::",
                "network": "2001:db8::", "scope6": "global",
            }
        ],
        "ip": "192.0.2.10", "ip6": "2001:db8::10", "mac": "00:00:5e:00:53:10", "mtu": 1500,
        "netmask": "255.255.255.0", "netmask6": "ffff:ffff:ffff:ffff::",
        "network": "192.0.2.0", "network6": "2001:db8::", "scope6": "global",
    },
    "lo": {
        "bindings": [{"address": "127.0.0.1", "netmask": "255.0.0.0", "network": "127.0.0.0"}],
        "ip": "127.0.0.1", "mtu": 65536, "netmask": "255.0.0.0", "network": "127.0.0.0",
    },
}  # fmt: skip


def operating_system(system: System) -> Facts:
    """Return the fact `os`."""
    arch = architecture(system)
    release = {"full": system.release, "major": system.major}
    if system.minor:
        release["minor"] = system.minor
    if system.name == "FreeBSD":
        release["branch"] = "RELEASE"
    found: Facts = {
        "architecture": arch, "family": system.family, "hardware": hardware(system),
        "name": system.name, "release": release,
    }  # fmt: skip
    if system.family in LINUX:
        found["selinux"] = selinux(system)
        if system.title:
            found["distro"] = {
                "id": system.name, "description": system.title, "release": release,
                **({"codename": system.codename} if system.codename else {}),
            }  # fmt: skip
    if system.family == "windows":
        found["windows"] = windows(system)
    if system.family == "Darwin":
        found["macosx"] = {
            "build": "24B83",
            "product": "macOS",
            "version": {"full": "15.1", "major": "15", "minor": "1"},
        }
    return {"os": found}


def windows(system: System) -> Facts:
    """Return the fact `os.windows`: releases that are years are servers."""
    server = "Server" if len(system.release) == 4 else ""
    return {
        "edition_id": f"{server}{system.title}",
        "installation_type": server or "Client",
        "product_name": " ".join(filter(None, ("Windows", server, system.release, system.title))),
        "system32": r"C:\Windows\system32",
    }


def selinux(system: System) -> Facts:
    """Return the fact `os.selinux`: the family of Red Hat enforces it."""
    if system.family != "RedHat":
        return {"enabled": False}
    return {
        "config_mode": "enforcing", "config_policy": "targeted", "current_mode": "enforcing",
        "enabled": True, "enforced": True, "policy_version": "33",
    }  # fmt: skip


def architecture(system: System) -> str:
    """Return the fact `os.architecture`."""
    if system.family in {"Debian", "Gentoo"} or system.name in {"FreeBSD", "OpenBSD"}:
        return "amd64"
    return {"windows": "x64", "Solaris": "i86pc"}.get(system.family, "x86_64")


def hardware(system: System) -> str:
    """Return the fact `os.hardware`."""
    if system.family in {"FreeBSD", "OpenBSD"}:
        return "amd64"
    return "i86pc" if system.family == "Solaris" else "x86_64"


def kernel(system: System) -> Facts:
    """Return the facts of the kernel."""
    names = {"Solaris": "SunOS"}
    name = "Linux" if system.family in LINUX else names.get(system.family, system.family)
    version = system.kernel.partition("-")[0].partition("+")[0]
    return {
        "kernel": name,
        "kernelmajversion": ".".join(version.split(".")[:2]),
        "kernelrelease": system.kernel,
        "kernelversion": version,
    }


def machine(system: System) -> Facts:
    """Return the facts of the hardware: two processors, 4 GiB, a disk of 20 GiB."""
    models = ["Intel Xeon Processor"] * 2
    facts: Facts = {
        "disks": {"vda": {"model": "virtual", "size": "20.00 GiB", "size_bytes": 20 * 2**30}},
        "dmi": {
            "bios": {"release_date": "04/01/2014", "vendor": "SeaBIOS", "version": "1.16.3"},
            "chassis": {"type": "Other"},
            "manufacturer": "QEMU",
            "product": {"name": "Standard PC", "uuid": "00000000-0000-4000-8000-000000000010"},
        },
        "is_virtual": True,
        "load_averages": {"15m": 0.02, "1m": 0.21, "5m": 0.08},
        "memory": {"swap": memory(2**30), "system": memory(4 * 2**30)},
        "mountpoints": mounts(system),
        "processors": {
            "cores": 1, "count": 2, "isa": hardware(system), "models": models,
            "physicalcount": 2, "speed": "2.40 GHz", "threads": 1,
        },
        "virtual": "kvm",
    }  # fmt: skip
    if system.family == "windows":
        del facts["load_averages"]
    if system.family in LINUX:
        facts["filesystems"] = kind = FILE_SYSTEMS.get(system.family, "ext4")
        root = {"filesystem": kind, "mount": "/", "size": "20.00 GiB", "size_bytes": 20 * 2**30}
        facts["partitions"] = {"/dev/vda1": root}
    return facts


def memory(total: int) -> Facts:
    """Return sizes of a memory of which a quarter is used."""
    used = total // 4
    return {
        "available": size(total - used), "available_bytes": total - used, "capacity": "25.00%",
        "total": size(total), "total_bytes": total, "used": size(used), "used_bytes": used,
    }  # fmt: skip


def size(count: int) -> str:
    """Return a number of bytes as facter writes it."""
    return f"{count / 2**30:.2f} GiB" if count >= 2**30 else f"{count / 2**20:.2f} MiB"


def mounts(system: System) -> Facts:
    """Return the fact `mountpoints`; Windows has none."""
    if system.family == "windows":
        return {}
    kind = FILE_SYSTEMS.get(system.family, "apfs" if system.family == "Darwin" else "ext4")
    sizes = {key: value for key, value in memory(20 * 2**30).items() if "total" not in key}
    root = {"device": "/dev/vda1", "filesystem": kind, "options": ["rw"], **sizes}
    return {"/": {**root, "size": "20.00 GiB", "size_bytes": 20 * 2**30}}


def account(system: System) -> Facts:
    """Return the user that runs the agent, with the path and the time zone."""
    if system.family == "windows":
        identity: Facts = {"privileged": True, "user": r"NT AUTHORITY\SYSTEM"}
    else:
        group = "wheel" if system.family in {"FreeBSD", "OpenBSD", "Darwin"} else "root"
        identity = {"gid": 0, "group": group, "privileged": True, "uid": 0, "user": "root"}
    return {
        "identity": identity,
        "path": PATHS.get(system.family, PATH),
        "timezone": "UTC",
        "system_uptime": {"days": 0, "hours": 1, "seconds": 3600, "uptime": "1:00 hours"},
    }


def host_keys(system: System) -> Facts:
    """Return the fact `ssh`: keys of the right form, of which nobody has the private half."""
    if system.family == "windows":
        return {}
    return {"ssh": {name: host_key(*row) for name, row in KEYS.items()}}


# The type of a key, the algorithm's number in its fingerprints (SSHFP), and its public fields.
KEYS: dict[str, tuple[str, int, tuple[bytes, ...]]] = {
    "ecdsa": ("ecdsa-sha2-nistp256", 3, (b"nistp256", b"\4" + bytes(range(64)))),
    "ed25519": ("ssh-ed25519", 4, (bytes(range(32)),)),
    "rsa": ("ssh-rsa", 1, (b"\1\0\1", bytes(257))),
}


@cache
def host_key(kind: str, algorithm: int, fields: tuple[bytes, ...]) -> Facts:
    """Return a public key as facter prints it."""
    from hashlib import sha1, sha256

    blob = b"".join(len(one).to_bytes(4) + one for one in (kind.encode(), *fields))
    digests = {"sha1": (1, sha1(blob, usedforsecurity=False)), "sha256": (2, sha256(blob))}
    prints = {
        name: f"SSHFP {algorithm} {number} {digest.hexdigest()}"
        for name, (number, digest) in digests.items()
    }
    return {"fingerprints": prints, "key": b64encode(blob).decode(), "type": kind}


def agent(system: System) -> Facts:
    """Return the facts of Puppet's agent and of the Ruby that comes with it."""
    site = "/opt/puppetlabs/puppet/lib/ruby/site_ruby/3.2.0"
    if system.family == "windows":
        site = "C:/Program Files/Puppet Labs/Puppet/puppet/lib/ruby/site_ruby/3.2.0"
    return {
        "aio_agent_version": "8.10.0",
        "augeas": {"version": "1.14.1"},
        "facterversion": "4.10.0",
        "fips_enabled": False,
        "puppetversion": "8.10.0",
        "ruby": {"platform": f"{hardware(system)}-linux", "sitedir": site, "version": "3.2.5"},
    }


def of_modules(system: System) -> Facts:
    """Return the facts that stdlib and its like add."""
    windows = system.family == "windows"
    vardir = "C:/ProgramData/PuppetLabs/puppet/cache" if windows else "/opt/puppetlabs/puppet/cache"
    package = "yum" if system.python.startswith("2") else "dnf"
    facts: Facts = {
        "concat_basedir": f"{vardir}/concat",
        "package_provider": PACKAGES.get(system.family, package),
        "puppet_vardir": vardir,
        "root_home": HOMES.get(system.family, "/root"),
        "service_provider": SERVICES.get(system.family, "systemd"),
    }
    if system.family in LINUX:
        facts["systemd"] = bool(system.systemd)
    if system.systemd:
        facts["systemd_version"] = system.systemd
    if system.python:
        facts["python_version"] = facts["python3_version"] = system.python
        if system.python.startswith("2"):
            del facts["python3_version"]
    return facts


PARTS: tuple[Callable[[System], Facts], ...] = (
    operating_system,
    kernel,
    machine,
    account,
    host_keys,
    agent,
    of_modules,
)
