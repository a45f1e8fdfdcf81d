"""Names by which Puppet finds a resource, besides its title and its namevar as written.

The compiler has set the parameters that a title determines (title_patterns), so the parameters
are enough.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.model.resource import Resource

# Puppet::Provider::Keystone.default_domain
DEFAULT_DOMAIN = "Default"


def name_of(resource: Resource) -> str:
    """Return `name`, by default the title."""
    return str(resource.parameters.get("name", resource.title))


def ral_title(resource: Resource) -> str:
    """Return Puppet's title of a host key: `name@type` (sshkeys_core, type/sshkey.rb)."""
    kind = str(resource.parameters.get("type", ""))
    return f"{name_of(resource)}@{KEY_TYPES.get(kind, kind)}"


KEY_TYPES = {
    "dsa": "ssh-dss",
    "ed25519": "ssh-ed25519",
    "rsa": "ssh-rsa",
    "ecdsa-sk": "sk-ecdsa-sha2-nistp256@openssh.com",
    "ed25519-sk": "sk-ssh-ed25519@openssh.com",
}


def mysql_account(text: str) -> str:
    """Return `user@host` with the host in lower case (mysql, type/mysql_user.rb)."""
    user, at, host = text.rpartition("@")
    return user + at + host.lower()


def _mysql_user(resource: Resource) -> str:
    return mysql_account(name_of(resource))


def _mysql_grant(resource: Resource) -> str:
    return name_of(resource).replace("'", "")


def _apt_key(resource: Resource) -> str:
    value = str(resource.parameters.get("id", resource.title))
    return value.removeprefix("0x").upper()


def _alternative(resource: Resource) -> str:
    link = resource.parameters.get("altlink")
    return name_of(resource) if link is None else f"{name_of(resource)}:{link}"


def _in_domain(resource: Resource) -> str:
    return f"{name_of(resource)}::{resource.parameters.get('domain', DEFAULT_DOMAIN)}"


def _service(resource: Resource) -> str:
    return f"{name_of(resource)}::{resource.parameters.get('type')}"


def _endpoint(resource: Resource) -> str:
    return f"{resource.parameters.get('region')}/{_service(resource)}"


def _in_section(section: str) -> Callable[[Resource], str]:
    def name(resource: Resource) -> str:
        text = name_of(resource)
        return text if "/" in text else f"{section}/{text}"

    return name


# By type: the text with the key attributes of the resource. If there are several, it is the title
# from which Puppet reads all of them.
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
