"""Functions that work on the catalog or end a body: include, contain, tag, fail, return."""

from __future__ import annotations

from analyzer.frontends.puppet.compiler import classes
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite
from analyzer.frontends.puppet.compiler.declared.entry import checked_tags, shown
from analyzer.frontends.puppet.evaluate.errors import (
    BreakJump,
    EvaluationError,
    NextJump,
    Refusal,
    ReturnJump,
)
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.types.mismatches.labels import a_kind_of
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.names import split_ref
from analyzer.model.values import Unknown, Value, flat


def class_names(site: CallSite, values: list[object]) -> list[str]:
    """Return the names of classes given by name or reference, without those that are Unknown.

    Raises:
        EvaluationError: something else is given (Scope#transform_and_assert_classnames).
    """
    names = []
    for value in flat(values):
        if isinstance(value, Unknown):
            site.compilation.undecided(value, "class name", site.unit, site.node)
        else:
            names.append(class_name(value).lower().removeprefix("::"))
    return names


def class_name(value: Value) -> str:
    """Return the name of a class that a value stands for.

    Raises:
        EvaluationError: it stands for none.
    """
    wrong = ""
    match value:
        case str():
            wrong = "" if value else "empty string as a class name"
        case None:
            wrong = "undef as a class name"
        case ClassType():
            wrong = "" if value.class_name else "an unspecific Class[] Type"
            value = value.class_name
        case ResourceType():
            kind = value.type_name or ""
            if kind.lower() == "class" and value.title is not None:
                return str(value.title)
            shown = f"a Resource[{kind}]" if kind else "an unspecific Resource[]"
            shown = "an unspecific Resource['class']" if kind.lower() == "class" else shown
            wrong = f"{shown} where a Resource['class', name] is expected"
        case _:
            wrong = f"{a_kind_of(value)} as a class name"
    if wrong:
        raise EvaluationError(f"Cannot use {wrong}")
    return str(value)


def include(site: CallSite, first: Value, *others: Value) -> Value:
    """`include`: brings classes in; the value is references to them."""
    return bring_in(site, "include", [first, *others])


def bring_in(site: CallSite, form: str, values: list[Value]) -> list[ClassType]:
    """Bring classes in, remember who asked for them, and return references to them."""
    names = class_names(site, values)
    classes.include(site.compilation, names, site.scope, site.node, site.unit)
    found = [ClassType(name) for name in names]
    for ref in found:
        site.compilation.class_uses.append((form, shown(ref), site.scope, site.unit, site.node))
    return found


def contain(site: CallSite, first: Value, *others: Value) -> Value:
    """`contain`: brings classes in, as part of the class around."""
    found = bring_in(site, "contain", [first, *others])
    around = site.scope.resource
    for ref in found:
        entry = site.compilation.find_ref(ref)
        if (
            around is not None
            and entry is not None
            and (around, entry) not in site.compilation.edges
        ):
            site.compilation.edges[around, entry] = None
    return found


def require(site: CallSite, first: Value, *others: Value) -> Value:
    """`require`: brings classes in, before the class around."""
    found = bring_in(site, "require", [first, *others])
    around = site.scope.resource
    for ref in found:
        value = around.parameters.get("require")
        before = value if isinstance(value, list) else [] if value is None else [value]
        around.parameters["require"] = [*before, ref]
        around.required[len(before)] = (site.unit, site.node)
        if site.compilation.trace is not None:
            site.compilation.trace.note(ref, "function", "require", site.node, site.unit)
            site.compilation.trace.relate(around, "require", ref)
    return found


def realize(site: CallSite, *values: Value) -> None:
    """`realize`: virtual resources become real, once they are declared."""
    for ref in flat(list(values)):
        if isinstance(ref, Unknown):
            site.compilation.undecided(ref, "realize", site.unit, site.node)
            continue
        name = shown(ref) if isinstance(ref, (ResourceType, ClassType)) else str(ref)
        kind, title = split_ref(name) or (name, "")
        row = kind, title, site.unit, site.node
        site.compilation.realizing.append(row)
        if site.compilation.trace is not None:
            site.compilation.trace.note(row, "function", "realize", site.node, site.unit)


def tag(site: CallSite, *values: Value) -> None:
    """`tag`: adds tags to the enclosing resource; for functions of its age undef is the empty text.

    Raises:
        EvaluationError: one is no tag.
    """
    tags = ["" if value is None else value for value in flat(list(values))]
    for unknown in (value for value in tags if isinstance(value, Unknown)):
        site.compilation.undecided(unknown, "tag", site.unit, site.node)
    tags = [value for value in tags if not isinstance(value, Unknown)]
    site.scope.resource.tag(checked_tags(tags, site.unit, site.node))


def notice(site: CallSite, *values: Value) -> Value:
    """`notice` and its siblings: a message, which does not change the catalog."""


def fail(site: CallSite, *values: Value) -> Value:
    """`fail`: ends the compile."""
    raise Refusal(" ".join(map(to_s, values)), site.unit, site.node)


def leave_block(site: CallSite, value: Value = None) -> Value:
    """`next`: leaves a lambda or a body with a value."""
    raise NextJump(value).of(site.unit, site.node)


def leave_body(site: CallSite, value: Value = None) -> Value:
    """`return`: leaves a function, class or define with a value."""
    raise ReturnJump(value).of(site.unit, site.node)


def leave_iteration(site: CallSite) -> Value:
    """`break`: leaves the innermost iteration."""
    raise BreakJump().of(site.unit, site.node)


def tagged(site: CallSite, *values: Value) -> Value:
    """`tagged`: returns whether the enclosing resource, or any class so far, has each tag."""
    known = {*site.compilation.tags, *site.scope.resource.tags}
    return all(("" if value is None else to_s(value)).lower() in known for value in values)


def new(site: CallSite, kind: Type, *values: Value) -> Value:
    """`new`: a value of a type made of other values."""
    from analyzer.frontends.puppet.types.construct.new import new_instance

    try:
        made = new_instance(kind, list(values))
    except ValueError as problem:
        raise EvaluationError(str(problem), site.unit, site.node) from None
    return made if site.block is None else site.block(made)


def type_of(site: CallSite, value: Value, detail: Value = "detailed") -> Value:
    """`type`: the type of a value."""
    from analyzer.frontends.puppet.types.infer import type_of as inferred

    return inferred(value, str(detail))


def assert_type(site: CallSite, kind: Type | str | Unknown, value: Value) -> Value:
    """`assert_type`: the value, if it is of the type."""
    if isinstance(kind, str):
        kind = parse_type(kind, site.compilation.resolve)
    if isinstance(kind, Unknown) or is_instance(kind, value):
        return value
    if site.block is not None:
        from analyzer.frontends.puppet.types.infer import infer

        return site.block(kind, infer(value))
    from analyzer.frontends.puppet.types.infer import infer_set
    from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

    raise EvaluationError(
        describe_mismatch("assert_type():", kind, infer_set(value)), site.unit, site.node
    )
