"""Selectors of the OpenStack modules: the titles of their automatic relationships."""

from __future__ import annotations

from analyzer.graph.automatic.selectors import texts
from analyzer.graph.second_names import DEFAULT_DOMAIN, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.lookup import CatalogLookup
    from analyzer.model.resource import Resource


def domains(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the domain of a user or project, and the default one (keystone,
    type/keystone_user.rb)."""
    return [domain_of(resource, "domain"), *default_domain(lookup)]


def domain_of(resource: Resource, parameter: str) -> str:
    """Return the domain in a parameter, or the default domain."""
    return str(resource.parameters.get(parameter, DEFAULT_DOMAIN))


def default_domain(lookup: CatalogLookup) -> list[str]:
    """Return the name of the first domain that is declared as the default."""
    for i in lookup.of_type("Keystone_domain"):
        domain = lookup.resources[i]
        chosen = str(domain.parameters.get("is_default", "")).lower() == "true"
        if chosen and domain.parameters.get("ensure", "present") == "present":
            return [name_of(domain)]
    return []


def role_user(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the user who gets a role (keystone, type/keystone_user_role.rb)."""
    user = resource.parameters.get("user")
    return [f"{user}::{domain_of(resource, 'user_domain')}"]


def role_project(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the project in which a role is assigned."""
    projects = texts(resource.parameters.get("project"))
    return [f"{project}::{domain_of(resource, 'project_domain')}" for project in projects]


def role_domains(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the domains of a role, and the default one."""
    found = [domain_of(resource, "user_domain")]
    if "domain" in resource.parameters:
        found.append(domain_of(resource, "domain"))
    elif "project" in resource.parameters:
        found.append(domain_of(resource, "project_domain"))
    return found + default_domain(lookup)


def endpoint_service(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the service of an endpoint; without a type, the only one of its name."""
    name = name_of(resource)
    if "type" in resource.parameters:
        return [f"{name}::{resource.parameters['type']}"]
    services = [lookup.resources[i] for i in lookup.of_type("Keystone_service")]
    titles = [service.title for service in services if name_of(service) == name]
    return titles if len(titles) == 1 else [name]


def domain_config_dir(resource: Resource, lookup: CatalogLookup) -> tuple[str, ...]:
    """Return the folder of the domains' files (keystone, type/keystone_domain_config.rb).

    A catalog that sets the directory gets no edge: Puppet searches for a file whose name is the
    whole array of values.
    """
    managed = lookup.find("Keystone_config", "identity/domain_config_dir") is not None
    return () if managed else ("/etc/keystone/domains",)


def node_groups(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the templates in `name:count` (sahara, type/sahara_cluster_template.rb)."""
    return [text.split(":", 1)[0] for text in texts(resource.parameters.get("node_groups"))]
