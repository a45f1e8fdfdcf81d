"""What a compile knows of its node, as variables of the top scope (Puppet::Node)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.scope import RESERVED, reserved
from analyzer.frontends.puppet.evaluate.thunks import truth
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.frontends.puppet.compiler.compiler import Compiler

# The agent's version where no fact tells it.
PUPPET_VERSION = "7.23.0"

# What the compiling server says of itself (Puppet::Resource::Catalog::Compiler#set_server_facts).
SERVER_FACTS = ("serverversion", "servername", "serverip")

# What the main class sets for itself, after the parameters of the node.
TAKEN = ("title", "name", "module_name")

# What is said of a fact that a parameter of the node hides.
HIDDEN = (
    "The node parameter '{}' for node '{}' was already set to '{}'. It could not be set to '{}'"
)

# What a hash must have to be taken for trusted data (Puppet::Node#sanitize).
TRUSTED_KEYS = {"authenticated", "certname", "extensions"}


def set_variables(compiler: Compiler) -> None:
    """Set the top scope's variables: parameters of a classifier, else facts, else server facts.

    Raises:
        EvaluationError: a fact or parameter has a name that is not free.
    """
    top = compiler.top
    facts = facts_of(compiler)
    server = compiler.server_facts
    parameters = merged(compiler, facts, server)
    # What counts as true is taken out, whatever it is; false is refused as any other would be.
    stored = parameters.get("trusted")
    if truth(stored):
        del parameters["trusted"]
    for name, value in parameters.items():
        if name != "environment":
            check_name(name)
            top.set(name, value)
    unknown = Unknown("there are no facts (--facts FILE)")
    top.set("facts", unknown if compiler.facts is None else facts)
    top.set("title", "main")
    top.set("name", "main")
    top.set("environment", compiler.environment)
    top.set("trusted", trusted(compiler.node, stored, compiler.trusted))
    top.set("server_facts", {**server, "environment": compiler.environment})


def merged(compiler: Compiler, *sources: Mapping[str, Any]) -> dict[str, Any]:
    """Return a node's parameters, and what of the sources they do not hide (Puppet::Node#merge)."""
    found = {**compiler.node_parameters, "environment": compiler.environment}
    for name, value in [pair for source in sources for pair in source.items()]:
        if name not in found:
            found[name] = value
        elif find_unknown((found[name], value)) is None:
            values = map(to_s, (found[name], value))
            compiler.warnings.append(HIDDEN.format(name, compiler.node, *values))
    return found


def facts_of(compiler: Compiler) -> dict[str, Any]:
    """Return the facts with those that the agent adds (Puppet::Node::Facts#add_local_facts)."""
    known = compiler.facts or {}
    version = known.get("puppetversion", PUPPET_VERSION)
    local = {"clientcert": compiler.node, "clientversion": version, "clientnoop": False}
    return {**local, **known, **local}


def server_facts(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the server says of itself, Unknown where nobody says it here."""
    why = "${} is the compiling server's own ([server_facts] in catgraph.toml)"
    unknown = {name: Unknown(why.format(name)) for name in SERVER_FACTS}
    return {**unknown, **given}


def check_name(name: str) -> None:
    """Refuse names that a parameter of a node cannot have.

    Raises:
        EvaluationError: it is one of them.
    """
    if name in RESERVED:
        raise EvaluationError(reserved(name))
    if name.isdigit():
        raise EvaluationError(f"Cannot assign to a numeric match result variable '${name}'")
    if name in TAKEN:
        raise EvaluationError(f"Cannot reassign variable '${name}'")


def trusted(node: str, stored: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the trusted data: those of a local compile, or as stored with the facts; and given."""
    if isinstance(stored, dict) and stored.keys() >= TRUSTED_KEYS:
        return {**stored, **given}
    authenticated = given.get("authenticated", "local")
    certname = given.get("certname", node if authenticated else None)
    hostname, _, domain = certname.partition(".") if certname else (None, "", None)
    local = {"authenticated": "local", "certname": certname, "extensions": {}}
    local |= {"hostname": hostname, "domain": domain or None, "external": {}}
    return {**local, **given}
