"""Functions of stdlib on facts: fact, os_version_gte, has_interface_with and others."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.functions.registry import Call, UndecidedCall
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    equal,
    integer_of,
    no_method,
    to_s,
)
from analyzer.model.unknowns import entry_of
from analyzer.model.values import Unknown, Value

STEP = re.compile(r'([^."]+)|"([^"]+)"')


def known(value: object) -> Any:
    """Return a value that decides something."""
    if isinstance(value, Unknown):
        raise UndecidedCall(value)
    return value


@modern("fact", "String $fact_name")
def fact(call: Call, name: str) -> Value:
    """Return the fact at the end of a path such as `os.release.major`, undef if there is none."""
    value = known(call.variable("facts"))
    walked: list[str] = []
    for plain, quoted in STEP.findall(name):
        step = plain or quoted
        if value is None:
            return None
        value = known(part(call, name, walked, value, step))
        walked.append(step)
    return value


def part(call: Call, name: str, walked: list[str], value: object, step: str) -> Value:
    """Return the part of a fact under a name or index."""
    if isinstance(value, dict):
        return entry_of(value, step)
    path = ".".join(f'"{one}"' if "." in one else one for one in walked)
    nothing = f"fact request for {name} returning nil: '{path}' is"
    if not isinstance(value, list):
        call.warn(f"{nothing} not a collection; cannot walk to '{step}'")
        return None
    try:
        index = integer_of(step)
    except Fault:
        call.warn(f"{nothing} an array; cannot index to '{step}'")
        return None
    return value[index] if -len(value) <= index < len(value) else None


@modern("os_version_gte", "String[1] $os, String[1] $version")
def os_version_gte(call: Call, name: str, version: str) -> bool:
    """Return whether this is an operating system in a version or a later one (legacy facts)."""
    facts = facts_of(call)
    return at_least(
        call, facts.get("operatingsystem"), facts.get("operatingsystemmajrelease"), name, version
    )


@modern("stdlib::os_version_gte", "String[1] $os, String[1] $version")
def namespaced_os_version_gte(call: Call, name: str, version: str) -> bool:
    """Return whether this is an operating system in a version or a later one."""
    system = known(facts_of(call).get("os"))
    if not isinstance(system, dict):
        no_method("[]", system)
    release = known(system.get("release"))
    major = release.get("major") if isinstance(release, dict) else None
    return at_least(call, system.get("name"), major, name, version)


def facts_of(call: Call) -> dict[Value, Value]:
    """Return the facts."""
    facts = known(call.variable("facts"))
    if not isinstance(facts, dict):
        no_method("[]", facts)
    return facts


def at_least(call: Call, system: object, release: object, name: str, version: str) -> bool:
    """Compare names, and then versions."""
    if known(system) != name:
        return False
    return bool(known(call.call("versioncmp", known(release), version)) >= 0)


@legacy("has_interface_with")
def has_interface_with(call: Call, *values: object) -> bool:
    """Return whether an interface has a value of some kind, or is there (legacy facts)."""
    if len(values) not in (1, 2):
        raise ParseFault(
            f"has_interface_with(): Wrong number of arguments given ({len(values)} for 1 or 2)"
        )
    interfaces = known(call.variable("interfaces"))
    if interfaces is None:
        return False
    if not isinstance(interfaces, str):
        no_method("split", interfaces)
    names = [name for name in interfaces.split(",") if name]
    if len(values) == 1:
        return values[0] in names
    kind, value = values
    places = [to_s(kind), *(f"{to_s(kind)}_{name.lower()}" for name in names)]
    return any(equal(known(call.variable(place)), value) for place in places)


@legacy("has_ip_address")
def has_ip_address(call: Call, *values: object) -> bool:
    """Return whether an interface has an address."""
    return has_kind(call, "has_ip_address", "ipaddress", values)


@legacy("has_ip_network")
def has_ip_network(call: Call, *values: object) -> bool:
    """Return whether an interface is in a network."""
    return has_kind(call, "has_ip_network", "network", values)


def has_kind(call: Call, name: str, kind: str, values: tuple[object, ...]) -> bool:
    """Ask for an interface with one kind of value."""
    if len(values) != 1:
        raise ParseFault(f"{name}(): Wrong number of arguments given ({len(values)} for 1)")
    return has_interface_with(call, kind, values[0])
