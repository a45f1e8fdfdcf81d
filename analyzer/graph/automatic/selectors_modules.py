"""Selectors of module types other than OpenStack's."""

from __future__ import annotations

from analyzer.graph.automatic.selectors import ascend, texts
from analyzer.graph.lookup import as_list, file_path
from analyzer.graph.second_names import mysql_account
from analyzer.model.types import NAMEVARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.automatic.selectors import Selector
    from analyzer.graph.lookup import CatalogLookup
    from analyzer.model.resource import Resource


# ---------------------------------------------------------------------------- parameters


def first(*parameters: str) -> Selector:
    """Return the first value of the first parameter that is set."""

    def select(resource: Resource, lookup: CatalogLookup) -> list[str]:
        for name in parameters:
            found = texts(resource.parameters.get(name))
            if found:
                return found[:1]
        return []

    return select


def namevar(resource: Resource, lookup: CatalogLookup) -> tuple[str]:
    """Return the name of the managed object: the namevar, by default the title."""
    return (name_of(resource),)


def name_of(resource: Resource) -> str:
    """Return the namevar's value, by default the title."""
    return str(resource.parameters.get(NAMEVARS.get(resource.type, "name"), resource.title))


def name_part(separator: str, index: int, cuts: int = -1) -> Selector:
    """Return a part of the name, which is split at every separator or at the first few."""

    def select(resource: Resource, lookup: CatalogLookup) -> list[str]:
        parts = name_of(resource).split(separator, cuts)
        return [parts[index]] if index < len(parts) else []

    return select


# ---------------------------------------------------------------------------- paths


def parent(path: str) -> str:
    """Return the directory above a path like Ruby's Pathname#parent: `..` is not resolved."""
    rest = without_dots(path)
    if rest.endswith("/.."):
        return f"{rest}/.."
    return without_dots(rest.rpartition("/")[0]) or "/"


def without_dots(path: str) -> str:
    """Return a path without slashes and `.` at its end."""
    path = path.rstrip("/")
    while path.endswith("/."):
        path = path[:-2].rstrip("/")
    return path


def parent_of(parameter: str) -> Selector:
    """Return the directory above the path in a parameter."""

    def select(resource: Resource, lookup: CatalogLookup) -> list[str]:
        value = resource.parameters.get(parameter)
        if value is None and NAMEVARS.get(resource.type) == parameter:
            value = resource.title
        return [parent(value)] if type(value) is str else []

    return select


def beside(suffix: str, text: str) -> str:
    """Return a path with its extension replaced by another (or by nothing)."""
    from posixpath import basename, dirname, splitext

    stripped = text.rstrip("/") or "/"
    return f"{dirname(stripped)}/{splitext(basename(stripped))[0]}{suffix}"


def private_key(resource: Resource, lookup: CatalogLookup) -> tuple[str]:
    """Return a certificate's key: `private_key`, by default next to it (openssl,
    type/x509_cert.rb)."""
    value = resource.parameters.get("private_key")
    return (str(value) if value is not None else beside(".key", name_of(resource)),)


def certificate_of_key(resource: Resource, lookup: CatalogLookup) -> tuple[str]:
    """Return the key's path without extension, for a request (openssl, type/x509_request.rb)."""
    return (beside("", private_key(resource, lookup)[0]),)


def nearest_above(kind: str) -> Selector:
    """Return the closest managed path above a `posix_acl` (its type/posix_acl.rb)."""

    def select(resource: Resource, lookup: CatalogLookup) -> tuple[int, ...]:
        path = name_of(resource)
        for above in ascend(parent(path)) if path.strip("/") else ():
            found = lookup.find(kind, above)
            if found is not None:
                return (found,)
        return ()

    return select


def acl_files(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the files that a `posix_acl` covers: all files below if recursive, and its path."""
    path = name_of(resource)
    found = []
    if str(resource.parameters.get("recursive", "")).lower() == "true":
        # Puppet finds nothing below the root.
        top = file_path(path).rstrip("/") or "//"
        for i in lookup.of_type("File"):
            child = lookup.resources[i]
            managed = file_path(str(child.parameters.get("path", child.title)))
            if managed.startswith(f"{top}/"):
                found.append(managed)
    return [*found, path]


def archive_files(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the path of an archive, its target folder, and the login for S3 (archive.rb)."""
    parameters = resource.parameters
    # `target` is an older name of `extract_path`, and takes precedence.
    unpacked = parameters.get("target", parameters.get("extract_path"))
    return [
        parent(name_of(resource)),
        *texts(unpacked),
        "/root/.aws/config",
        "/root/.aws/credentials",
    ]


def policy_module(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the file of a policy module (selinux_core, type/selmodule.rb)."""
    parameters = resource.parameters
    if "selmodulepath" in parameters:
        return texts(parameters["selmodulepath"])
    folder = parameters.get("selmoduledir", "/usr/share/selinux/targeted")
    return [f"{folder}/{name_of(resource)}.pp"]


def file_systems_above(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the file systems above one, except for the pool's (zfs_core, type/zfs.rb)."""
    parts = name_of(resource).split("/")
    return ["/".join(parts[:end]) for end in range(2, len(parts))]


def zone_path(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the root of a zone and the directory above (zone_core, type/zone.rb)."""
    paths = [
        text.replace("%s", name_of(resource)) for text in texts(resource.parameters.get("path"))
    ]
    return [found for path in paths[:1] for found in (path, parent(path))]


# ---------------------------------------------------------------------------- corosync


def primitive(text: str) -> str:
    """Return the resource in `ms_name:Role`."""
    return text.split(":", 1)[0].removeprefix("ms_")


def primitives(*parameters: str) -> Selector:
    """Return the first resource in each of the parameters."""

    def select(resource: Resource, lookup: CatalogLookup) -> list[str]:
        found = [texts(resource.parameters.get(name))[:1] for name in parameters]
        return [primitive(text) for values in found for text in values]

    return select


def all_primitives(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the members of a group."""
    return [primitive(text) for text in texts(resource.parameters.get("primitives"))]


def colocated(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the members of a colocation: names, or sets of names, which are not split."""
    entries = list(as_list(resource.parameters.get("primitives")))
    if entries and type(entries[0]) is dict:
        sets = [entry for entry in entries if type(entry) is dict]
        return [text for entry in sets for text in texts(entry.get("primitives"))]
    return [primitive(text) for text in texts(entries)]


def commit_cib(resource: Resource, lookup: CatalogLookup) -> tuple[str]:
    """Return the CIB that a `cs_commit` commits, by default that of its name."""
    return (str(resource.parameters.get("cib", name_of(resource))),)


def every(kind: str) -> Selector:
    """Return all resources of a type.

    A `cs_commit` intends those of its own CIB. But it compares `should(:cib)`, which is nil on both
    sides because `cib` is not a property (corosync, type/cs_commit.rb).
    """

    def select(resource: Resource, lookup: CatalogLookup) -> list[int]:
        return lookup.of_type(kind)

    return select


# ---------------------------------------------------------------------------- firewall

PROTOCOLS = {"iptables": "IPv4", "ip6tables": "IPv6"}
BUILT_IN_CHAINS = ("INPUT", "OUTPUT", "FORWARD")


def chains(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the chains of a rule and of its jump (firewall, type/firewall.rb)."""
    parameters = resource.parameters
    protocol = PROTOCOLS.get(str(parameters.get("provider", "iptables")))
    if protocol is None:
        return []
    table = str(parameters.get("table", "filter"))
    named = texts(parameters.get("chain", "INPUT"))[:1] + texts(parameters.get("jump"))[:1]
    return [
        f"{chain}:{table}:{protocol}"
        for chain in named
        if table != "filter" or chain not in BUILT_IN_CHAINS
    ]


# ---------------------------------------------------------------------------- mysql, rabbitmq


def grantee(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the account that a grant is for (mysql, type/mysql_grant.rb)."""
    return [mysql_account(text) for text in texts(resource.parameters.get("user"))[:1]]


def guest(resource: Resource, lookup: CatalogLookup) -> tuple[str]:
    """Return the user of a connection."""
    return (str(resource.parameters.get("user", "guest")),)


def permissions(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the user's permissions in the virtual host that follows the `@` of the name."""
    parts = name_of(resource).split("@")
    vhost = parts[1] if len(parts) > 1 else ""
    return [f"{user}@{vhost}" for user in guest(resource, lookup)]


def bound(kind: str) -> Selector:
    """Return the ends of a binding with a certain kind (rabbitmq, type/rabbitmq_binding.rb).

    The source is always an exchange.
    """

    def select(resource: Resource, lookup: CatalogLookup) -> list[str]:
        parameters = resource.parameters
        ends = [parameters.get("source")] if kind == "exchange" else []
        if parameters.get("destination_type", "queue") == kind:
            ends.append(parameters.get("destination"))
        return [f"{end}@{parameters.get('vhost', '/')}" for end in ends]

    return select


def binding_permissions(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return `user@source` and `user@destination` (type/rabbitmq_binding.rb)."""
    parameters = resource.parameters
    ends = (parameters.get("source"), parameters.get("destination"))
    return [f"{user}@{end}" for user in guest(resource, lookup) for end in ends]
