"""Checks the values of a promise as cf-agent does before the run, when variables are known."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.frontends.cfengine.agent.plan import Attributes, Plan
from analyzer.frontends.cfengine.policy.evaluator import Evaluator, scalars
from analyzer.frontends.cfengine.policy.lookup import is_known
from analyzer.frontends.cfengine.policy.variables import DataList
from analyzer.frontends.cfengine.syntax import ranges
from analyzer.frontends.cfengine.syntax.ast import ListValue, Scalar, Value
from analyzer.frontends.cfengine.syntax.vocabulary import Attribute, syntax

# Types of attributes whose values have no range.
UNCHECKED = frozenset(("body", "bundle", "data", "removed"))


def problem(plan: Plan, attributes: Attributes, evaluator: Evaluator) -> str:
    """Return why CFEngine refuses a value of a promise, empty if it refuses none.

    Measured: the promise's own attributes and those of the bodies of its own type are checked, but
    not those of `action` and `classes`, and nothing that still holds variables.
    """
    for name, wanted in own_attributes(plan):
        given = attributes.values.get(name)
        value = plain(evaluator, given) if given is not None else None
        said = ranges.problems_of(name, value, wanted.type, wanted.range) if value else []
        if said:
            text = " ".join(scalars(value)) if value else ""
            return f"{plan.promise.span}: {name} => '{text}': {said[-1]}"
    return ""


def own_attributes(plan: Plan) -> Iterator[tuple[str, Attribute]]:
    """Yield the attributes that are checked, with their types."""
    tables = syntax()
    for attribute in plan.promise.attributes:
        own = tables.promise_type(plan.bundle.type, plan.type) or {}
        wanted = tables.known_attribute(plan.bundle.type, plan.type, attribute.name)
        if wanted is None:
            continue
        if wanted.type not in UNCHECKED:
            yield attribute.name, wanted
        elif wanted.type == "body" and attribute.name in own:
            body = tables.bodies.get(attribute.name, {})
            yield from ((name, one) for name, one in body.items() if one.type not in UNCHECKED)


def plain(evaluator: Evaluator, given: Value) -> Value | None:
    """Return an expanded value, None if it is not known."""
    found = evaluator.known(given)
    if isinstance(found, str):
        return Scalar(found) if is_plain(found) else None
    if isinstance(found, list) and not isinstance(found, DataList):
        texts = [item for item in found if isinstance(item, str) and is_plain(item)]
        return ListValue(tuple(map(Scalar, texts)))
    return None


def is_plain(text: str) -> bool:
    """Return whether a text contains no variables."""
    return is_known(text) and "@(" not in text and "@{" not in text
