"""Functions that other releases of stdlib have otherwise: `NAME@RELEASE` is NAME since RELEASE."""

from __future__ import annotations

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib import (
    arrays,
    deleting,
    facts,
    hashes,
)
from analyzer.frontends.puppet.functions.stdlib import (
    randoms as chance,
)
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.data.json import to_json_pretty
from analyzer.frontends.puppet.functions.stdlib.data.yaml import to_yaml
from analyzer.frontends.puppet.functions.stdlib.ruby import ParseFault, class_name
from analyzer.frontends.puppet.functions.stdlib.strings import text
from analyzer.model.keys import of_key
from analyzer.model.values import Value

PREFIXES = "Variant[String[1], Array[String[1], 1]]"


@legacy("any2array@4.25", moves=True)
def any2array(call: Call, *values: object) -> list[Value]:
    """Make one array of the arguments; the empty text is an element like others."""
    return [""] if values == ("",) else arrays.any2array(call, *values)


@legacy("delete_undef_values@4.25", moves=True)
def delete_undef_values(call: Call, *values: object) -> Value:
    """Return the argument unchanged: undef in it was not found."""
    hashes.delete_undef_values(call, *values)
    return values[0]


@legacy("dirname@4.25")
def dirname(call: Call, *values: object) -> str:
    """Return a path without its last name, of the empty text too."""
    return "." if values == ("",) else text.dirname(call, *values)


@legacy("merge@4.25", moves=True)
def merge(call: Call, *values: object) -> dict[object, object]:
    """Merge two hashes or more; the later value wins."""
    if len(values) < 2:
        raise ParseFault(f"merge(): wrong number of arguments ({len(values)}; must be at least 2)")
    for value in values:
        if value != "" and not isinstance(value, dict):
            raise ParseFault(
                f"merge: unexpected argument type {class_name(value)}, only expects hash arguments"
            )
    return hashes.merge(call, *values)


@modern("os_version_gte@5.2", "String[1] $os, String[1] $version")
def os_version_gte(call: Call, name: str, version: str) -> bool:
    """Return whether this is an operating system in a version or an earlier one."""
    found = facts.facts_of(call)
    if facts.known(found.get("operatingsystem")) != name:
        return False
    release = facts.known(found.get("operatingsystemmajrelease"))
    return bool(facts.known(call.call("versioncmp", version, release)) >= 0)


@legacy("reject@9.0")
def reject(call: Call, *values: object) -> Value:
    """Leave out the texts that a pattern is found in; a hash becomes all of its pairs."""
    if len(values) == 2 and isinstance(values[0], dict):
        values = ([[of_key(key), value] for key, value in values[0].items()], values[1])
    return deleting.reject(call, *values)


@legacy("seeded_rand@4.25", 2)
def seeded_rand(call: Call, limit: object, seed: object) -> str:
    """Return a number less than a limit, as text."""
    return str(chance.seeded_rand(call, limit, seed))


@modern("stdlib::start_with@6.3", f"String[1] $test_string, {PREFIXES} $prefixes")
def start_with(call: Call, whole: str, prefixes: str | list[str]) -> bool:
    """Return whether a text begins with one of some texts."""
    return text.start_with(call, whole, prefixes)


@modern("stdlib::end_with@6.3", f"String[1] $test_string, {PREFIXES} $suffixes")
def end_with(call: Call, whole: str, suffixes: str | list[str]) -> bool:
    """Return whether a text ends with one of some texts."""
    return text.end_with(call, whole, suffixes)


@modern("to_json_pretty@4.25", "Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = false")
def plain_json_pretty(call: Call, data: object, skip: object = False) -> str:
    """Return an array or hash as JSON in lines."""
    return to_json_pretty(call, data, skip)


@modern("to_yaml@4.25", "Any $data")
def plain_yaml(call: Call, data: object) -> str:
    """Return a value as YAML."""
    return to_yaml(call, data)
