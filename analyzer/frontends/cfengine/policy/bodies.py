"""The attributes of a promise together with those of its bodies, with parameters replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.syntax.ast import (
    Body,
    Bundle,
    Call,
    ListValue,
    Promise,
    Scalar,
    Value,
)
from analyzer.frontends.cfengine.syntax.vocabulary import syntax

# Is a guard over attributes of a body true?
Holds = Callable[[str], bool]
DEEPEST = 20
# The bundles that promises call: attribute, types of bundles.
CALLS = {
    "methods": (("usebundle", ("agent", "common")),),
    "files": (("edit_line", ("edit_line",)), ("edit_xml", ("edit_xml",))),
    "services": (("service_bundle", ("agent", "common")),),
    "users": (("home_bundle", ("agent", "common")),),
}


def flattened(
    promise: Promise, kind: str, bundle_type: str, namespace: str, policy: Policy, holds: Holds
) -> dict[str, Value]:
    """Return the attributes of a promise by name, those of its bodies after the body's own."""
    rows: dict[str, Value] = {}
    for attribute in promise.attributes:
        rows[attribute.name] = attribute.value
        wanted = syntax().known_attribute(bundle_type, kind, attribute.name)
        if wanted and wanted.type == "body":
            name, arguments = named(attribute.value)
            body = policy.body(attribute.name, name, namespace)
            if body:
                rows.update(filled(body, arguments, policy, holds, 0))
    return rows


def missing_bodies(
    promise: Promise, kind: str, bundle: Bundle, policy: Policy
) -> Iterator[tuple[str, str]]:
    """Yield the attributes that give arguments to a body which its namespace does not have.

    cf-promises accepts these if another namespace has it, and the agent ends there.
    """
    for attribute in promise.attributes:
        wanted = syntax().known_attribute(bundle.type, kind, attribute.name)
        if wanted and wanted.type == "body" and isinstance(attribute.value, Call):
            name = attribute.value.name
            if policy.body(attribute.name, name, bundle.namespace) is None:
                yield attribute.name, name


def named(value: Value) -> tuple[str, tuple[Value, ...]]:
    """Return the name of a body or bundle, and its arguments."""
    if isinstance(value, Call):
        return value.name, value.arguments
    return (value.text if isinstance(value, Scalar) else ""), ()


def filled(
    body: Body, arguments: tuple[Value, ...], policy: Policy, holds: Holds, depth: int
) -> dict[str, Value]:
    """Return the attributes of a body, with its parameters replaced."""
    given = dict(zip(body.parameters, arguments, strict=False))
    rows: dict[str, Value] = {}
    for attribute in body.attributes:
        if attribute.name == "inherit_from" and depth < DEEPEST:
            name, passed = named(replaced(attribute.value, given))
            parent = policy.body(body.type, name, body.namespace)
            if parent:
                inherited = filled(parent, passed, policy, holds, depth + 1)
                rows = {**inherited, **rows}
        elif holds(attribute.guard):
            rows[attribute.name] = replaced(attribute.value, given)
    return rows


def replaced(value: Value, given: Mapping[str, Value]) -> Value:
    """Return a value with parameters replaced by arguments."""
    if not given:
        return value
    match value:
        case Scalar(text, symbol):
            for name, argument in given.items():
                if text in (f"$({name})", f"${{{name}}}", f"@({name})", f"@{{{name}}}"):
                    return argument
            return Scalar(substituted(text, given), symbol)
        case ListValue(items):
            return ListValue(tuple(spread(items, given)))
        case Call(name, arguments):
            return Call(name, tuple(replaced(argument, given) for argument in arguments))
        case _:
            return value


def spread(items: tuple[Value, ...], given: Mapping[str, Value]) -> list[Value]:
    """Return items with parameters replaced; a list in their place is put in item by item."""
    result: list[Value] = []
    for item in items:
        new = replaced(item, given)
        result += new.items if isinstance(new, ListValue) else (new,)
    return result


def substituted(text: str, given: Mapping[str, Value]) -> str:
    """Return a text with scalar arguments in the place of parameters."""
    for name, argument in given.items():
        if isinstance(argument, Scalar):
            text = text.replace(f"$({name})", argument.text)
            text = text.replace(f"${{{name}}}", argument.text)
    return text
