"""Checks a parsed policy as CFEngine does (PolicyCheckPartial and PolicyCheckRunnable)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from analyzer.frontends.cfengine.syntax.ast import (
    Attribute,
    Body,
    Bundle,
    Call,
    Data,
    ListValue,
    PolicyFile,
    Promise,
    Scalar,
    Section,
)
from analyzer.frontends.cfengine.syntax.problems import Problem
from analyzer.frontends.cfengine.syntax.ranges import LISTS, has_variable, problems_of
from analyzer.frontends.cfengine.syntax.vocabulary import syntax
from analyzer.source import Span

Bundles = dict[tuple[str, str, str], Bundle]

RESERVED = frozenset(("sys", "const", "mon", "edit", "match", "this"))
NO_VARIABLE = frozenset(
    ("promiser", "handle", "promise_filename", "promise_dirname", "promise_linenumber", "this")
)
VARIABLE_TYPES = frozenset(
    {"string", "int", "real", "slist", "ilist", "rlist", "irange", "rrange", "data"}
    | {"option", "olist", "body", "bundle", "context", "clist", "counter"}
)
BOTH_ACL = (
    ("acl_directory_inherit", "acl_default"),
    ("specify_inherit_aces", "specify_default_aces"),
)
NUMERIC = "Variable promises cannot have a purely numerical name (promiser)"
NUMERIC_CLASS = "Classes promises cannot have a purely numerical name (promiser)"
INVALID_NAME = "Variable promise is using an invalid name (promiser)"
LOG_STRING = (
    "An action body with log_kept, log_repaired or log_failed is required to have a log_string"
    " attribute"
)
DATA_SELECT = "Constraint report_data_select is allowed only for 'query' resource_type"


def problem(message: str, line: int, span: Span) -> Problem:
    """Return a problem for which CFEngine reports only the line."""
    return Problem(message, span, line)


def validate(policy: PolicyFile) -> list[Problem]:
    """Return the problems of a parsed file, or of several that are one policy."""
    found: list[Problem] = []
    found += duplicates(policy.bundles)
    known = by_name(policy.bundles)
    for bundle in policy.bundles:
        found += check_bundle(bundle, known)
    found += duplicates(body for body in policy.bodies if body.type != "file")
    for body in policy.bodies:
        found += check_body(body)
    found += duplicate_handles(policy)
    return found


def duplicates(blocks: Iterable[Bundle | Body]) -> Iterator[Problem]:
    """Yield bundles, or bodies, that are defined more than once."""
    rows = list(blocks)
    counts = Counter((block.type, block.namespace, block.name) for block in rows)
    for block in rows:
        if counts[block.type, block.namespace, block.name] > 1:
            kind = "bundle" if isinstance(block, Bundle) else "body"
            text = f"Duplicate definition of {kind} {block.name} with type {block.type}"
            yield problem(text, block.line, block.span)


def by_name(bundles: Iterable[Bundle]) -> Bundles:
    """Return bundles by (type, namespace, name); of several the first counts."""
    found: Bundles = {}
    for bundle in bundles:
        found.setdefault((bundle.type, bundle.namespace, bundle.name), bundle)
    return found


def check_bundle(bundle: Bundle, known_bundles: Bundles) -> Iterator[Problem]:
    """Yield the problems of a bundle."""
    if bundle.name in RESERVED:
        text = f'Use of a reserved container name as a bundle name "{bundle.name}"'
        yield problem(text, bundle.line, bundle.span)
    known = syntax().types
    built_in = [section for section in bundle.sections if section.type in known]
    custom = [section for section in bundle.sections if section.type not in known]
    for section in built_in:
        for promise in section.promises:
            yield from check_promise(promise, section, bundle, known_bundles)
    for section in custom:
        for promise in section.promises:
            yield from check_custom(promise, section)


def empty_reference(promise: Promise) -> Iterator[Problem]:
    """Yield a promiser that refers to nothing."""
    if promise.promiser in ("$()", "${}"):
        yield problem("Empty variable reference", promise.line, promise.span)


def check_promise(
    promise: Promise, section: Section, bundle: Bundle, bundles: Bundles
) -> Iterator[Problem]:
    """Yield the problems of a promise of one of CFEngine's types."""
    yield from empty_reference(promise)
    if syntax().promise_type(bundle.type, section.type) is None:
        text = f"Promise type '{section.type}' not supported by '{bundle.type}' bundle type"
        yield problem(text, section.line, promise.span)
        return
    for attribute in promise.attributes:
        wanted = syntax().known_attribute(bundle.type, section.type, attribute.name)
        if wanted is None:
            text = f"Promise type {section.type} has unknown attribute {attribute.name}"
            yield problem(text, attribute.line, attribute.span)
        elif not fits(attribute, wanted.type):
            text = f"Type mismatch in constraint: {attribute.name}"
            yield problem(text, attribute.line, attribute.span)
    if section.type == "vars":
        yield from check_variable(promise)
    elif section.type == "classes" and promise.promiser.isdigit():
        yield problem(NUMERIC_CLASS, promise.line, promise.span)
    elif section.type == "methods":
        yield from check_arity(promise, bundle, bundles)
    elif section.type == "access":
        yield from check_access(promise)


def fits(attribute: Attribute, wanted: str) -> bool:
    """Return whether a value has the form that an attribute takes."""
    match attribute.value:
        case Call():
            return True
        case Data():
            return wanted == "data"
        case ListValue():
            return wanted in LISTS
        case Scalar():
            return wanted != "data"


def check_variable(promise: Promise) -> Iterator[Problem]:
    """Yield the problems of a variable's name and types."""
    if promise.promiser.isdigit():
        yield problem(NUMERIC, promise.line, promise.span)
    if not is_variable_name(promise.promiser):
        yield problem(INVALID_NAME, promise.line, promise.span)
    before = None
    for attribute in promise.attributes:
        if attribute.name in VARIABLE_TYPES:
            if before:
                text = (
                    f"Variable contains existing data type contstraint {before}, tried to "
                    f"redefine with {attribute.name}"
                )
                yield problem(text, attribute.line, attribute.span)
            before = attribute.name


def is_variable_name(name: str) -> bool:
    """Return whether a variable may have a name: a second dot is allowed in brackets only."""
    if name in NO_VARIABLE:
        return False
    if "." not in name:
        return True
    dots = level = 0
    for char in name:
        dots += char == "."
        if char == "." and dots > 1 and level != 1:
            return False
        level += (char == "[") - (char == "]")
        if level > 1:
            return False
    return dots != 1 or not (name.startswith(".") or name.endswith("."))


def check_arity(promise: Promise, bundle: Bundle, bundles: Bundles) -> Iterator[Problem]:
    """Yield a call of a bundle of this policy with too many or too few arguments."""
    for attribute in promise.attributes:
        if attribute.name != "usebundle" or not isinstance(attribute.value, Call):
            continue
        name, given = attribute.value.name, len(attribute.value.arguments)
        callee = find_bundle(bundles, name, bundle.namespace, ("agent", "common"))
        if callee and len(callee.parameters) != given:
            wanted = len(callee.parameters)
            text = (
                f"Conflicting arity in calling bundle {name}, expected {wanted} arguments, "
                f"{given} given"
            )
            yield problem(text, attribute.line, attribute.span)


def find_bundle(
    bundles: Bundles, name: str, namespace: str, kinds: tuple[str, ...]
) -> Bundle | None:
    """Return the bundle with a name in a namespace, of the first of several types."""
    space, colon, plain = name.rpartition(":")
    found = (bundles.get((kind, space if colon else namespace, plain)) for kind in kinds)
    return next((bundle for bundle in found if bundle), None)


def check_access(promise: Promise) -> Iterator[Problem]:
    """Yield a selection of report data where nothing is asked for."""
    kind = promise.get("resource_type")
    if isinstance(kind, Scalar) and kind.text == "query":
        return
    for attribute in promise.attributes:
        if attribute.name == "report_data_select":
            yield problem(DATA_SELECT, attribute.line, attribute.span)


def check_custom(promise: Promise, section: Section) -> Iterator[Problem]:
    """Yield the attributes that no custom promise type may have."""
    yield from empty_reference(promise)
    for attribute in promise.attributes:
        if attribute.name == "ifvarclass":
            text = (
                "Common attribute 'ifvarclass' not supported for custom promises, use 'if' instead"
                f" ({section.type} promises)"
            )
            yield problem(text, promise.line, promise.span)
        elif attribute.name == "expireafter":
            text = (
                "Common attribute 'expireafter' not implemented for custom promises"
                f" ({section.type})"
            )
            yield problem(text, promise.line, promise.span)


def check_body(body: Body) -> Iterator[Problem]:
    """Yield the problems of a body."""
    if body.name == "control" and body.parameters:
        text = f"Control bodies cannot take arguments, body {body.type} control"
        yield problem(text, body.line, body.span)
    for attribute in body.attributes:
        for tables in (syntax().promises["*", "classes"], syntax().promises["*", "*"]):
            wanted = tables.get(attribute.name)
            if not wanted or wanted.type == "body":
                continue
            if problems_of(attribute.name, attribute.value, wanted.type, wanted.range):
                text = f"Type mismatch in constraint: {attribute.name}"
                yield problem(text, attribute.line, attribute.span)
                break
    names = {attribute.name for attribute in body.attributes}
    logs = body.type == "action" and names & {"log_kept", "log_repaired", "log_failed"}
    if logs and "log_string" not in names:
        yield problem(LOG_STRING, body.line, body.span)
    for old, new in BOTH_ACL if body.type == "acl" else ():
        if {old, new} <= names:
            text = f"An acl body cannot have both {old} and {new}. Please use {new} only"
            yield problem(text, body.line, body.span)


def built_in_promises(policy: PolicyFile) -> Iterator[tuple[Promise, Section, Bundle]]:
    """Yield the promises of types that CFEngine has."""
    for bundle in policy.bundles:
        for section in bundle.sections:
            if section.type in syntax().types:
                yield from ((promise, section, bundle) for promise in section.promises)


def runnable(policy: PolicyFile) -> Iterator[Problem]:
    """Yield the problems of a whole policy: missing bodies."""
    bodies = {(body.type, body.namespace, body.name) for body in policy.bodies}
    # Measured: a name without a namespace may be that of a body in any of them.
    bodies |= {(body.type, "", body.name) for body in policy.bodies}
    for promise, section, bundle in built_in_promises(policy):
        yield from undefined_bodies(promise, section, bundle, bodies)


def duplicate_handles(policy: PolicyFile) -> Iterator[Problem]:
    """Yield promises that share a handle under the same guards."""
    handles: dict[str, str] = {}
    for promise, _, _ in built_in_promises(policy):
        yield from duplicate_handle(promise, handles)


def undefined_bodies(
    promise: Promise, section: Section, bundle: Bundle, bodies: set[tuple[str, str, str]]
) -> Iterator[Problem]:
    """Yield attributes that name a missing body."""
    for attribute in promise.attributes:
        wanted = syntax().known_attribute(bundle.type, section.type, attribute.name)
        if not wanted or wanted.type != "body":
            continue
        value = attribute.value
        name = value.text if isinstance(value, Scalar) else ""
        name = value.name if isinstance(value, Call) else name
        space, _, plain = name.rpartition(":")
        if (attribute.name, space, plain) not in bodies:
            text = f"Undefined body {plain} with type {attribute.name}"
            yield problem(text, attribute.line, attribute.span)


def duplicate_handle(promise: Promise, handles: dict[str, str]) -> Iterator[Problem]:
    """Yield a promise whose handle another one has under the same guard."""
    handle = promise.get("handle")
    if not isinstance(handle, Scalar) or has_variable(handle.text)[0]:
        return
    if handle.text not in handles:
        handles[handle.text] = promise.guard
    elif handles[handle.text] == promise.guard:
        yield problem(f"Duplicate promise handle {handle.text} found", promise.line, promise.span)
