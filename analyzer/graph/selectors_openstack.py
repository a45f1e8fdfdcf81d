"""What the automatic relations of the OpenStack modules look at."""

from __future__ import annotations

from analyzer.graph.selectors import texts
from analyzer.graph.selectors_modules import name_of
from analyzer.graph.title_patterns import DEFAULT_DOMAIN, attributes, endpoint, user_role

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.lookup import Lookup
    from analyzer.model.resource import Resource


def domains(resource: Resource, lookup: Lookup) -> list[str]:
    """The domain of a user or project, and the default one (keystone, type/keystone_user.rb)."""
    said = {"domain": DEFAULT_DOMAIN, **attributes(resource, "name", "domain")}
    return [str(said["domain"]), *default_domain(lookup)]


def default_domain(lookup: Lookup) -> list[str]:
    """Return the name of the first domain that is declared to be the default."""
    for i in lookup.of_type("Keystone_domain"):
        domain = lookup.resources[i]
        chosen = str(domain.parameters.get("is_default", "")).lower() == "true"
        if chosen and domain.parameters.get("ensure") == "present":
            return [name_of(domain)]
    return []


def role_user(resource: Resource, lookup: Lookup) -> list[str]:
    """Who gets a role (keystone, type/keystone_user_role.rb)."""
    said = user_role(resource)
    return [f"{said.get('user')}::{said['user_domain']}"]


def role_project(resource: Resource, lookup: Lookup) -> list[str]:
    """The project that a role is given in."""
    said = user_role(resource)
    return [f"{said['project']}::{said['project_domain']}"] if "project" in said else []


def role_domains(resource: Resource, lookup: Lookup) -> list[str]:
    """The domains that a role speaks of, and the default one."""
    said = user_role(resource)
    found = [str(said["user_domain"])]
    if "domain" in said:
        found.append(str(said["domain"]))
    elif "project" in said:
        found.append(str(said["project_domain"]))
    return found + default_domain(lookup)


def endpoint_service(resource: Resource, lookup: Lookup) -> list[str]:
    """The service of an endpoint; without a type, the only one of its name."""
    said = endpoint(resource)
    name = said.get("name")
    if "type" in said:
        return [f"{name}::{said['type']}"]
    titles = []
    for i in lookup.of_type("Keystone_service"):
        service = lookup.resources[i]
        if attributes(service, "name", "type")["name"] == name:
            titles.append(service.title)
    return titles if len(titles) == 1 else [str(name)]


def domain_config_dir(resource: Resource, lookup: Lookup) -> tuple[str, ...]:
    """Where the files of the domains lie (keystone, type/keystone_domain_config.rb).

    A catalog that sets the directory gets no edge: Puppet looks for a file named by the whole
    array of values.
    """
    if lookup.find("Keystone_config", "identity/domain_config_dir") is not None:
        return ()
    return ("/etc/keystone/domains",)


def node_groups(resource: Resource, lookup: Lookup) -> list[str]:
    """The templates that `name:count` speaks of (sahara, type/sahara_cluster_template.rb)."""
    return [text.split(":", 1)[0] for text in texts(resource.parameters.get("node_groups"))]
