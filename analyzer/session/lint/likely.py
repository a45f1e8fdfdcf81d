"""Judges findings of other worlds: whether a machine of the site may be in such a world.

Cycles are left as they are: an order that is wrong in any world is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.linter.run import Found

# A part of a condition: an input, an operator and a value.
Part = tuple[str, str, object]

CYCLE = "CG301"

# The inputs that are the name of a node.
OF_NAME = frozenset(
    {
        "certname",
        "clientcert",
        "facts.clientcert",
        "facts.fqdn",
        "facts.hostname",
        "facts.networking.fqdn",
        "facts.networking.hostname",
        "fqdn",
        "hostname",
        "trusted.certname",
        "trusted.hostname",
    }
)
# Ways to say that a value is any other than those that the code names.
OTHERS = frozenset({"is not", "is none of", "does not match"})
# Values that stand for any other system.
INVENTED = ("example", "other", "text")
OF_SYSTEM = re.compile(
    r"facts\.(?:os|os_?family|operatingsystem\w*|lsb\w*|kernel\w*|architecture)\b"
)
NOBODY = "no value that the code names leads here"
OTHER_NAME = "the node has another name"

# A class that is declared twice.
TWICE = re.compile(r"Duplicate declaration: Class\[(?P<name>[\w:]+)\]")


def likely(found: Iterable[Found]) -> Iterator[Found]:
    """Yield findings of other worlds without those that no machine has, doubtful ones as notes."""
    for one in found:
        finding = one.finding
        if finding.code == CYCLE:
            yield one
        elif is_of_another_node(finding) or is_of_class_alone(finding):
            continue
        elif is_of_nobody(finding.condition):
            yield as_note(one, NOBODY)
        elif any(is_name_of_others(finding.input, part) for part in finding.condition):
            yield as_note(one, OTHER_NAME)
        else:
            yield one


def is_of_nobody(condition: Sequence[Part]) -> bool:
    """Return whether no values that the code names meet a condition, or only those of no system."""
    others = [part for part in condition if is_of_others(part)]
    of_system = any(OF_SYSTEM.match(part[0]) for part in others)
    return of_system or (bool(others) and len(others) == len(condition))


def is_of_others(part: Part) -> bool:
    """Return whether a part of a condition needs a value that neither the code nor a type names.

    What is not true is false, and what is not undefined has a value.
    """
    name, op, value = part
    if op == "is" and value in INVENTED and OF_SYSTEM.match(name):
        return True
    has_opposite = isinstance(value, bool) or value is None or value is ABSENT
    return op in OTHERS and not is_of_machine(name) and not has_opposite


def is_of_machine(name: str) -> bool:
    """Return whether an input tells machines of one system apart: some machine has another value.

    A site may have no other system than those that its code names, and gives its parameters.
    """
    return name.startswith(("facts.", "trusted.")) and not OF_SYSTEM.match(name)


def as_note(found: Found, reason: str) -> Found:
    """Return a finding as a note with a reason."""
    notes = (*found.finding.notes, reason)
    return replace(found, finding=replace(found.finding, severity="note", notes=notes))


def is_of_another_node(finding: Finding) -> bool:
    """Return whether a condition asks a named node for the name of another one."""
    return is_named(finding.input) and any(
        part[0] in OF_NAME and part[1] == "is" and not has_name(finding.input, part[2])
        for part in finding.condition
    )


def is_named(name: str) -> bool:
    """Return whether the name of a compile is that of one node: `default` has no name."""
    return name != "default" and re.fullmatch(r"[\w.-]+", name) is not None


def is_name_of_others(node: str, part: Part) -> bool:
    """Return whether a part of a condition is a pattern for names that a named node lacks."""
    name, op, value = part
    if name not in OF_NAME or op != "matches" or not is_named(node) or not isinstance(value, str):
        return False
    try:
        return re.search(value, node) is None
    except re.error:
        # A pattern of Ruby.
        return False


def has_name(node: str, value: object) -> bool:
    """Return whether a name may be that of a node; an example of a pattern begins as others do."""
    short = node.partition(".")[0].lower()
    return isinstance(value, str) and value.lower().startswith(short)


def is_of_class_alone(finding: Finding) -> bool:
    """Return whether a class is declared twice only because it was compiled by itself.

    A class that it inherits from, or needs, declares it.
    """
    match = TWICE.match(finding.message)
    return match is not None and finding.input.lower() == f"class {match['name'].lower()}"
