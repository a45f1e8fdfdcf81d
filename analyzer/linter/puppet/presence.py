"""Decides whether the catalog contains a resource whenever it contains another one.

One compilation has one set of facts and parameters. But a relationship must be valid with all of
them, because Puppet stops if the resource that it names is not declared.
"""

from __future__ import annotations

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.validate.walk import nodes
from analyzer.linter.puppet.places import Place, calls, full, manifest_at, place_of
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.model.names import capitalize_type
from analyzer.model.resource import Resource
from analyzer.model.statements import ClassUse

# The name of the code outside of classes in the record.
TOP = "Class[main]"

# Types whose values are single strings.
TEXTS = ("String", "Enum", "Pattern", "Stdlib::Absolutepath", "Stdlib::Unixpath")


def reference(compiled: Compiled, resource: Resource, other: Resource) -> str:
    """Return the reference of one resource to another, with the title as written if possible."""
    one, two = place_of(compiled, resource), place_of(compiled, other)
    if one and two:
        title = two[1].title
        if not is_constant(title, other.title) and can_be_written(one[0], two[0], title):
            return f"{other.type}[{full(two[0].manifest, title)}]"
    return f"{other.type}['{other.title}']"


def is_constant(title: object, wanted: str) -> bool:
    """Return whether an expression always evaluates to the wanted title."""
    if isinstance(title, a.LiteralList):
        return any(is_constant(value, wanted) for value in title.values)
    return getattr(title, "value", None) == wanted


def can_be_written(here: Place, there: Place, title: Node) -> bool:
    """Return whether the expression of a title has the same value at another place."""
    body, at = there.inside[0], here.node.offset
    if here.body != there.body or blocks(here) != blocks(there):
        return False
    parameters = {one.name: one for one in getattr(body, "parameters", ())}
    texts = {"title", "name"} if isinstance(body, a.ResourceTypeDefinition) else set()
    used = [n for n in nodes(title) if isinstance(n, a.VariableExpression)]
    names = {str(getattr(one.expr, "value", "")) for one in used}
    if calls(title) or not (there.node.offset < at or names <= {*parameters, *texts}):
        return False
    if isinstance(title, a.ConcatenatedString):
        return True
    return isinstance(title, a.VariableExpression) and all(
        name in texts or is_text(there.manifest, parameters.get(name)) for name in names
    )


def blocks(place: Place) -> list[int]:
    """Return the blocks around a statement, whose parameters it can read."""
    return [node.offset for node in place.inside if isinstance(node, a.LambdaExpression)]


def is_text(manifest: Manifest, parameter: a.Parameter | None) -> bool:
    """Return whether the type of a parameter accepts only a single string."""
    kind = parameter.type_expr if parameter else None
    name = full(manifest, kind).partition("[")[0] if kind else ""
    return name in TEXTS


def absence_reason(compiled: Compiled, referrer: str, referenced: str) -> str:
    """Return why a resource may be missing where another one refers to it, or an empty string."""
    one, other = compiled.resource(referrer), compiled.resource(referenced)
    if one is None or other is None:
        return ""
    here, there = place_of(compiled, one), place_of(compiled, other)
    if here is None or there is None:
        return f"the code that declares {other} is unknown"
    place, body = there
    if place.node.form != "regular":
        return f"{other} is {place.node.form} and only present if something realizes it"
    title = full(place.manifest, body.title)
    if not isinstance(place.node.type_name, a.QualifiedName):
        return f"the type of {other} is not constant"
    if not is_constant(body.title, other.title) and not can_be_written(here[0], place, body.title):
        return f"the title of {other} is not constant: {' '.join(title.split())}"
    if here[0].body == place.body:
        return reason_inside(here[0], place, f"{other} is declared")
    return reason_elsewhere(compiled, (one, here[0]), (other, place))


def reason_inside(here: Place, there: Place, what: str) -> str:
    """Return why one statement of a body may be evaluated without another, or an empty string."""
    known = here.conditions
    for key, text in there.conditions.items():
        if key not in known:
            return f"{what} {text}"
    if there.left_before(here.node.offset):
        return f"{what} after a statement that may leave the body"
    return ""


def alone(there: Place, what: str) -> str:
    """Return why a statement may be skipped when its body is evaluated, or an empty string."""
    for text in there.conditions.values():
        return f"{what} {text}"
    return f"{what} after a statement that may leave the body" if there.left_before(-1) else ""


def reason_elsewhere(
    compiled: Compiled, one: tuple[Resource, Place], two: tuple[Resource, Place]
) -> str:
    """Return why a resource of another body may be missing, or an empty string."""
    (resource, here), (other, there) = one, two
    if not isinstance(there.inside[0], (a.HostClassDefinition, a.Program)):
        return f"{other} is declared by {compiled.class_around(other)}, which may be absent"
    home = compiled.class_around(other)
    found = implied_classes(compiled, resource, here)
    site = isinstance(there.inside[0], a.Program)
    if site:
        same = there.manifest.file == here.manifest.file
        if not same and not isinstance(here.inside[0], (a.Program, a.NodeDefinition)):
            return f"{other} is declared outside of classes"
    elif home not in found:
        return f"{other} is declared by {home}, which may be absent"
    elif compiled.partial and there.manifest.module != here.manifest.module:
        return f"{other} is declared by another module, whose other releases may not declare it"
    return alone(there, f"{other} is declared")


def implied_classes(compiled: Compiled, resource: Resource, here: Place) -> set[str]:
    """Return the classes that the catalog contains whenever it contains a resource."""
    first = compiled.class_around(resource)
    start = TOP if isinstance(here.inside[0], a.Program) else first
    found: set[str] = set()
    pending = [start]
    if isinstance(here.inside[0], a.NodeDefinition):
        pending.append(TOP)
    pending += parent(here.inside[0])
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        for use in compiled.record.class_uses:
            place = place_of_use(compiled, use) if use.within == name else None
            if place is None:
                continue
            pending += parent(place.inside[0])
            own = name == start and place.body == here.body
            if not (reason_inside(here, place, "it") if own else alone(place, "it")):
                pending.append(use.name)
    return found


def parent(definition: object) -> list[str]:
    """Return the class that a definition inherits from."""
    name = getattr(definition, "parent_class", None)
    return [f"Class[{capitalize_type(name.removeprefix('::'))}]"] if name else []


def place_of_use(compiled: Compiled, use: ClassUse) -> Place | None:
    """Return the statement that declares a class, or None if the name is not constant."""
    manifest = manifest_at(compiled, use.span)
    if manifest is None:
        return None
    for kind in (a.CallNamedFunctionExpression, a.ResourceExpression):
        for node, around in manifest.at(kind, use.span):
            named = node.arguments if kind is a.CallNamedFunctionExpression else titles(node)
            if any(names_class(one, use.name) for one in named):
                return Place(manifest, node, around)
    return None


def titles(node: a.ResourceExpression) -> list[Node]:
    """Return the titles of a declaration."""
    return [body.title for body in node.bodies]


def names_class(node: object, wanted: str) -> bool:
    """Return whether a node is the name of a class, or a list that contains it."""
    if isinstance(node, a.LiteralList):
        return any(names_class(one, wanted) for one in node.values)
    name = getattr(node, "value", None)
    return (
        isinstance(node, (a.QualifiedName, a.LiteralString))
        and isinstance(name, str)
        and f"Class[{capitalize_type(name.removeprefix('::'))}]" == wanted
    )
