"""What the title of a resource says of its parameters, and its second names (title_patterns).

Puppet finds a resource by its title or by the values of its key attributes. Where those are
rewritten, or are several, this module says what other title leads to the resource.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from analyzer.model.resource import Resource

# Puppet::Provider::Keystone.default_domain
DEFAULT_DOMAIN = "Default"


def attributes(resource: Resource, *names: str) -> dict[str, Any]:
    """Return the parameters with those that the title `first::second` gives, as Puppet merges."""
    parts = resource.title.split("::", 1)
    return {**dict(zip(names, parts, strict=False)), **resource.parameters}


def endpoint(resource: Resource) -> dict[str, Any]:
    """Return the attributes of `region/name::type` (keystone, type/keystone_endpoint.rb)."""
    region, slash, rest = resource.title.partition("/")
    known = {"region": region} if slash and region and rest else {}
    parts = (rest if known else resource.title).split("::", 1)
    return {**known, **dict(zip(("name", "type"), parts, strict=False)), **resource.parameters}


def user_role(resource: Resource) -> dict[str, Any]:
    """Return the attributes of `user::domain@project::domain` (type/keystone_user_role.rb).

    After the `@` may stand `::domain` or `::::system` instead of a project.
    """
    import re

    word, bare = "(?:[^:]|:[^:])+", "(?:[^:@]|:[^:@])+"
    found = re.match(
        f"(?P<user>{word})(?:::(?P<user_domain>{bare}))?@"
        f"(?:(?P<project>{bare})(?:::(?P<project_domain>{word}))?"
        f"|::(?P<domain>{word})|::::(?P<system>{word}))$",
        resource.title,
    )
    defaults = {"user_domain": DEFAULT_DOMAIN, "project_domain": DEFAULT_DOMAIN}
    said = {k: v for k, v in found.groupdict().items() if v is not None} if found else {}
    return {**defaults, **said, **resource.parameters}


def binding(resource: Resource) -> dict[str, Any]:
    """Return the attributes of `source@destination@vhost` (type/rabbitmq_binding.rb)."""
    parts = resource.title.rsplit("@", 2)
    known = dict(zip(("source", "destination", "vhost"), parts, strict=False))
    defaults = {"vhost": "/", "destination_type": "queue", "user": "guest"}
    return {**defaults, **(known if len(parts) == 3 else {}), **resource.parameters}


def ral_title(resource: Resource) -> str:
    """Return the title Puppet gives a host key: `name@type` (sshkeys_core, type/sshkey.rb)."""
    name, at, kind = resource.title.partition("@")
    name = str(resource.parameters.get("name", name))
    kind = str(resource.parameters.get("type", kind if at else ""))
    return f"{name}@{KEY_TYPES.get(kind, kind)}"


KEY_TYPES = {
    "dsa": "ssh-dss",
    "ed25519": "ssh-ed25519",
    "rsa": "ssh-rsa",
    "ecdsa-sk": "sk-ecdsa-sha2-nistp256@openssh.com",
    "ed25519-sk": "sk-ssh-ed25519@openssh.com",
}


def _in_domain(resource: Resource) -> str:
    said = {"domain": DEFAULT_DOMAIN, **attributes(resource, "name", "domain")}
    return f"{said['name']}::{said['domain']}"


def _service(resource: Resource) -> str:
    said = attributes(resource, "name", "type")
    return f"{said['name']}::{said.get('type')}"


def _endpoint(resource: Resource) -> str:
    said = endpoint(resource)
    return f"{said.get('region')}/{said.get('name')}::{said.get('type')}"


def _alternative(resource: Resource) -> str:
    name, _, link = resource.title.rpartition(":")
    link = resource.parameters.get("altlink", link if name else None)
    name = resource.parameters.get("name", name or resource.title)
    return str(name) if link is None else f"{name}:{link}"


def _apt_key(resource: Resource) -> str:
    value = str(resource.parameters.get("id", resource.title))
    return (value.partition("0x")[2] if value.startswith("0x") else value).upper()


def _name(resource: Resource) -> str:
    return str(resource.parameters.get("name", resource.title))


def _mysql_grant(resource: Resource) -> str:
    return _name(resource).replace("'", "")


def _mysql_user(resource: Resource) -> str:
    return mysql_account(_name(resource))


def mysql_account(text: str) -> str:
    """Return `user@host` with the host in lower case (mysql, type/mysql_user.rb)."""
    user, at, host = text.rpartition("@")
    return user + at + host.lower()


def _in_section(section: str) -> Callable[[Resource], str]:
    def name(resource: Resource) -> str:
        text = _name(resource)
        return text if "/" in text else f"{section}/{text}"

    return name


# By type: the title by which the key attributes find the resource. None of these types is left
# to the plain rule "the namevar as written".
SECOND_NAMES: dict[str, Callable[[Resource], str]] = {
    "Alternative_entry": _alternative,
    "Apt_key": _apt_key,
    "Keystone_endpoint": _endpoint,
    "Keystone_service": _service,
    "Keystone_tenant": _in_domain,
    "Keystone_user": _in_domain,
    "Mysql_grant": _mysql_grant,
    "Mysql_user": _mysql_user,
    "Tempest_flavor_id_setter": _in_section("compute"),
    "Tempest_glance_id_setter": _in_section("compute"),
    "Tempest_neutron_net_id_setter": _in_section("network"),
}
