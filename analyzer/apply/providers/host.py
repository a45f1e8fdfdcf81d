"""The type host: entries of /etc/hosts (module host_core)."""

from __future__ import annotations

import re
from ipaddress import ip_address

from analyzer.apply.host import Host
from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.model.resource import Resource

from .parameters import Parameters, display, inspected
from .properties import WantedValue
from .records import TEXT, Record, RecordProvider

_FILE = "/etc/hosts"
_LINE = re.compile(r"([0-9a-f:]\S+)\s+([^#\s+]\S+)\s*(.*?)?(?:\s*#\s*(.*))?\Z")
_NAME = re.compile(r"(\w+|\w[\w-]+\w)\Z", re.ASCII)


class HostProvider(RecordProvider):
    """Manages entries of the table of hosts."""

    def parameters(self, resource: Resource) -> Parameters:
        """Return the parameters, checked."""
        parameters = Parameters(resource)
        if not all(_NAME.match(part) for part in parameters.name.split(".")):
            raise ProviderError(f"Parameter name failed on {resource}: Invalid host name")
        ip = parameters.text("ip")
        if ip is not None and not _is_address(ip):
            raise ProviderError(
                f"Parameter ip failed on {resource}: Invalid IP address {inspected(ip)}"
            )
        for alias in parameters.texts("host_aliases"):
            if not alias or re.search(r"\s", alias):
                raise ProviderError(
                    f"Parameter host_aliases failed on {resource}: "
                    "Host aliases cannot include whitespace"
                )
        return parameters

    def target(self, parameters: Parameters, host: Host) -> str:
        """Return the file."""
        return parameters.text("target", _FILE) or _FILE

    def wanted(self, parameters: Parameters, target: str | None) -> list[WantedValue]:
        """Return ip, host_aliases and comment."""
        made = []
        if "ip" in parameters:
            made.append(WantedValue("ip", parameters.text("ip")))
        if "host_aliases" in parameters:
            made.append(_aliases(" ".join(parameters.texts("host_aliases"))))
        if "comment" in parameters:
            made.append(WantedValue("comment", parameters.text("comment")))
        return made

    def missing(self, property: str) -> str:
        """An entry without a comment has an empty one."""
        return "" if property == "comment" else ABSENT

    def parse(self, line: str) -> Record:
        """Return the record of a line; a line that is no record is kept unchanged."""
        match = None if line.startswith("#") or not line.strip() else _LINE.match(line)
        if not match:
            return {TEXT: line}
        ip, name, aliases, comment = match.groups()
        aliases = re.sub(r"\s+", " ", aliases) if aliases else ABSENT
        return {"ip": ip, "name": name, "host_aliases": aliases, "comment": comment or ""}

    def line(self, record: Record) -> str:
        """Return the line of a record."""
        for name in ("ip", "name"):
            if record.get(name) in {None, ABSENT}:
                raise ProviderError(f"{name} is a required attribute for hosts")
        line = f"{record['ip']}\t{record['name']}"
        if record.get("host_aliases") not in {None, ABSENT}:
            line += f"\t{record['host_aliases']}"
        return f"{line}\t# {record['comment']}" if record.get("comment") else line


def _aliases(should: str) -> WantedValue:
    def matches(current: object) -> bool:
        return ("" if current == ABSENT else current) == should

    def show(value: object) -> str:
        return str(value) if value not in {ABSENT, should} else display(value)

    return WantedValue("host_aliases", should, matches=matches, show=show)


def _is_address(text: str) -> bool:
    try:
        return bool(ip_address(text.strip()))
    except ValueError:
        return False
