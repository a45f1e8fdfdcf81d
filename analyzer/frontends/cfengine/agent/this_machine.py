"""The classes and variables of this machine, for `--from-host`; only files are read.

Facts: sysinfo.c of 3.21, for Linux with `/etc/os-release`.
"""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Iterator

from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.host_files import File, read

OS_RELEASE = "/etc/os-release"
HOURS = ((0, "Night"), (6, "Morning"), (12, "Afternoon"), (18, "Evening"))
FIELD = re.compile(r"^([A-Z_]+)=[\"']?([^\"'\n]*)", re.M)


def release() -> tuple[str, str]:
    """Return the name and the version of the distribution; empty where unknown."""
    found = read(OS_RELEASE)
    if not isinstance(found, File) or not isinstance(found.text, str):
        link = read(os.path.realpath(OS_RELEASE))
        found = link if isinstance(link, File) else None
    rows = dict(FIELD.findall(found.text)) if found and isinstance(found.text, str) else {}
    return rows.get("ID", ""), rows.get("VERSION_ID", "")


def time_classes(now: time.struct_time, prefix: str = "") -> Iterator[str]:
    """Yield the classes of a moment."""
    five = now.tm_min // 5 * 5
    quarter = now.tm_min // 15 + 1
    shift = [name for hour, name in HOURS if hour <= now.tm_hour][-1]
    names = (
        *(time.strftime("%A", now), time.strftime("%B", now), f"Day{now.tm_mday}"),
        *(f"Yr{now.tm_year}", f"Lcycle_{now.tm_year % 3}", shift, f"Hr{now.tm_hour:02}"),
        *(f"Hr{now.tm_hour}", f"Q{quarter}", f"Hr{now.tm_hour:02}_Q{quarter}"),
        *(f"Min{now.tm_min:02}", f"Min{five:02}_{(five + 5) % 60:02}"),
    )
    return (prefix + name for name in names)


def classes() -> set[str]:
    """Return the classes of this machine and of the present."""
    name, version = release()
    found = {platform.machine(), canonified(platform.node()), canonified(short_name())}
    found |= {"64_bit"} if platform.machine().endswith("64") else set()
    found |= {name, f"linux_{platform.machine()}", f"{os.cpu_count()}_cpus"}
    parts = version.split(".")
    found |= {canonified(f"{name}_{'.'.join(parts[:n])}") for n in range(1, len(parts) + 1)}
    found |= {*time_classes(time.localtime()), *time_classes(time.gmtime(), "GMT_")}
    return {one for one in found if one}


def short_name() -> str:
    """Return the name of the machine without its domain."""
    return platform.node().partition(".")[0]


def variables() -> dict[str, str]:
    """Return the variables of the bundle `sys` that are known here."""
    name, version = release()
    node = platform.node()
    flavor = canonified(f"{name}_{version.partition('.')[0]}") if name else ""
    found = {
        "arch": platform.machine(),
        "cpus": str(os.cpu_count()),
        "flavor": flavor,
        "flavour": flavor,
        "fqhost": node,
        "host": node,
        "release": platform.release(),
        "uqhost": short_name(),
    }
    return {key: value for key, value in found.items() if value}
