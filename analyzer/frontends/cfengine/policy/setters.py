"""Finds the promises that could set a class or call a bundle, by their texts."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.bodies import CALLS, flattened, named
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.evaluator import scalars
from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise

WHEN = {
    "promise_kept": " when it is kept",
    "promise_repaired": " when it is repaired",
    "repair_failed": " when it fails",
    "repair_denied": " when it is denied",
    "repair_timeout": " when it times out",
}


def promises_of(policy: Policy) -> Iterator[tuple[Bundle, str, Promise]]:
    """Yield all promises with their bundles and types."""
    for tree in policy.files:
        for bundle in tree.bundles:
            for section in bundle.sections:
                for promise in section.promises:
                    yield bundle, section.type, promise


def setters_of(policy: Policy, name: str) -> Iterator[tuple[Promise, str, str]]:
    """Yield the promises that could set a class: the promise, its type, and the outcome."""
    plain = name.rpartition(":")[2]
    for bundle, kind, promise in promises_of(policy):
        if kind == "classes" and canonified(promise.promiser) == plain:
            yield promise, kind, ""
        elif promise.get("classes") is not None:
            space = bundle.namespace
            rows = flattened(promise, kind, bundle.type, space, policy, lambda guard: True)
            for attribute, when in WHEN.items():
                value = rows.get(attribute)
                if value is not None and plain in map(canonified, scalars(value)):
                    yield promise, kind, when


def callers_of(policy: Policy, callee: Bundle) -> Iterator[tuple[Promise, str]]:
    """Yield the promises that call a bundle, and their types."""
    for bundle, kind, promise in promises_of(policy):
        for attribute, kinds in CALLS.get(kind, ()):
            value = promise.get(attribute)
            name = named(value)[0] if value is not None else promise.promiser
            if name and policy.bundle(name, bundle.namespace, *kinds) is callee:
                yield promise, kind


def own_classes(policy: Policy) -> frozenset[str]:
    """Return the classes that classes promises of the policy set, as they are written."""
    return frozenset(
        canonified(promise.promiser)
        for _, kind, promise in promises_of(policy)
        if kind == "classes" and "$" not in promise.promiser
    )
