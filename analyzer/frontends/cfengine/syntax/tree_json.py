"""A policy's tree in the format that `cf-promises -p json` prints."""

from __future__ import annotations

from itertools import groupby

from analyzer.frontends.cfengine.syntax.ast import (
    ANY,
    Attribute,
    Body,
    Bundle,
    Call,
    Data,
    ListValue,
    PolicyFile,
    Promise,
    Scalar,
    Value,
)
from analyzer.frontends.cfengine.syntax.vocabulary import syntax
from analyzer.model.documents import JsonObject


def to_json(policy: PolicyFile) -> dict[str, object]:
    """Return the tree of a file; sections of types that are not built in are left out."""
    return {
        "bundles": [bundle_json(bundle, policy.path) for bundle in policy.bundles],
        "bodies": [body_json(body, policy.path) for body in policy.bodies],
    }


def head(block: Bundle | Body, path: str) -> dict[str, object]:
    """Return the common fields of bundles and bodies."""
    return {
        "sourcePath": path,
        "line": block.line,
        "namespace": block.namespace,
        "name": block.name,
        "arguments": list(block.parameters),
    }


def bundle_json(bundle: Bundle, path: str) -> dict[str, object]:
    """Return a bundle."""
    known = syntax().types
    sections = [
        {"line": section.line, "name": section.type, "contexts": contexts(section.promises)}
        for section in bundle.sections
        if section.type in known
    ]
    return {**head(bundle, path), "bundleType": bundle.type, "promiseTypes": sections}


def contexts(promises: tuple[Promise, ...]) -> list[dict[str, object]]:
    """Return promises by runs of the same guard."""
    return [
        {"name": guard, "promises": [promise_json(promise) for promise in run]}
        for guard, run in groupby(promises, lambda promise: promise.guard)
    ]


def promise_json(promise: Promise) -> dict[str, object]:
    """Return a promise."""
    row: dict[str, object] = {"line": promise.line, "promiser": promise.promiser}
    if isinstance(promise.promisee, Scalar):
        row["promisee"] = promise.promisee.text
    elif isinstance(promise.promisee, ListValue):
        row["promisee"] = [item.text for item in promise.promisee.items if isinstance(item, Scalar)]
    return row | {"attributes": [attribute_json(a, in_body=False) for a in promise.attributes]}


def body_json(body: Body, path: str) -> dict[str, object]:
    """Return a body; CFEngine always begins with the guard `any`."""
    groups: list[JsonObject] = [{"name": ANY, "attributes": []}]
    for attribute in body.attributes:
        if groups[-1]["name"] != attribute.guard:
            groups.append({"name": attribute.guard, "attributes": []})
        groups[-1]["attributes"].append(attribute_json(attribute, in_body=True))
    return {**head(body, path), "bodyType": body.type, "contexts": groups}


def attribute_json(attribute: Attribute, *, in_body: bool) -> dict[str, object]:
    """Return an attribute; in bodies CFEngine does not distinguish bare names from strings."""
    value = value_json(attribute.value, plain=in_body)
    return {"line": attribute.line, "lval": attribute.name, "rval": value}


def value_json(value: Value, *, plain: bool = True) -> object:
    """Return a value; `plain`: a bare name is a string."""
    match value:
        case Scalar(text, symbol):
            kind = "symbol" if symbol and not plain else "string"
            return {"type": kind, "value": text.replace('"', '\\"').replace("'", "\\'")}
        case ListValue(items):
            return {"type": "list", "value": [value_json(item) for item in items]}
        case Call(name, arguments):
            values = [value_json(argument) for argument in arguments]
            return {"type": "functionCall", "name": name, "arguments": values}
        case Data(data):
            return data
