"""Functions that declare or ask for resources: create_resources, ensure_*, defined_with_params."""

from __future__ import annotations

from typing import NoReturn

from analyzer.frontends.puppet.compiler.declarations import declare
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite
from analyzer.frontends.puppet.compiler.declared.entry import Entry, shown
from analyzer.frontends.puppet.evaluate.compare import equal_if_known
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.scope import MISSING
from analyzer.frontends.puppet.types.mismatches.labels import a_kind_of
from analyzer.frontends.puppet.types.model.base import ruby_class
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.frontends.puppet.types.unknowns import every
from analyzer.model.keys import pairs_of
from analyzer.model.names import capitalize_type, split_ref
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value, flat


def create_resources(site: CallSite, *given: Value) -> None:
    """`create_resources`: resources from a hash of titles.

    Raises:
        EvaluationError: the arguments are not a type and hashes.
    """
    if len(given) > 3:
        fail(site, f"create_resources(): wrong number of arguments ({len(given)}; must be 2 or 3)")
    kind, wanted, common = (*given, {})[:3]
    for value in (kind, wanted, common):
        if isinstance(value, Unknown):
            site.compilation.undecided(value, "create_resources", site.unit, site.node)
            return
    if not isinstance(kind, str):
        fail(
            site, f"create_resources(): first argument must be a type's name, not {a_kind_of(kind)}"
        )
    if not isinstance(wanted, dict):
        fail(site, "create_resources(): second argument must be a hash")
    if not isinstance(common, dict):
        fail(site, "create_resources(): third argument, if provided, must be a hash")
    common = hash_of(site, common)
    form = "exported" if kind.startswith("@@") else "virtual" if kind[:1] == "@" else "regular"
    name = name_in(site, kind, form)
    for title, own in pairs_of(wanted):
        unknown = find_unknown((title,))
        if unknown is not None:
            site.compilation.undecided(unknown, "title", site.unit, site.node)
            continue
        rows = [(name, value, False) for name, value in {**common, **hash_of(site, own)}.items()]
        titles = title if isinstance(title, (list, tuple)) else [title]
        if None in titles or any(one is False for one in titles):
            is_define = site.compilation.definitions.find("define", name) is not None
            shown = f'"{name}"' if is_define else f":{name}"
            fail(site, f"No title provided and {shown} is not a valid resource reference")
        declare(
            site.compilation,
            name,
            titles,
            rows,
            site.scope,
            site.node,
            site.unit,
            form,
        )


def name_in(site: CallSite, kind: str, form: str) -> str:
    """Return the name of a type without what makes its resources virtual or exported.

    Raises:
        EvaluationError: it is that of classes, which cannot be so.
    """
    name = kind.lstrip("@").lower()
    if name == "class" and form != "regular":
        fail(site, "Classes are not virtualizable")
    return name


def hash_of(site: CallSite, value: Value) -> dict[str, Value]:
    """Return the attributes of one title; none for undef or what is Unknown, names neither.

    Raises:
        EvaluationError: it is no hash.
    """
    if isinstance(value, Unknown):
        site.compilation.undecided(value, "hash of attributes", site.unit, site.node)
        return {}
    if not isinstance(value, dict) and value is not None:
        fail(site, f"no implicit conversion of {ruby_class(value)} into Hash")
    value = value or {}
    unknown = find_unknown(value)
    if unknown is None:
        return value
    site.compilation.undecided(unknown, "hash of attributes", site.unit, site.node)
    return {name: one for name, one in value.items() if find_unknown((name,)) is None}


def defined_with_params(site: CallSite, ref: object, wanted: object = None) -> bool | Unknown:
    """`defined_with_params`: returns whether a resource with these attributes is declared."""
    found = named(site, ref)
    if found is None or found is site.scope.resource:
        return False
    return every(
        equal_or_undef(found.get(key), value) for key, value in hash_of(site, wanted).items()
    )


def named(site: CallSite, ref: Value) -> Entry | None:
    """Return the declared resource that a reference, or a text like one, names.

    Raises:
        EvaluationError: the text is no reference.
    """
    name = shown(ref) if isinstance(ref, (ResourceType, ClassType)) else to_s(ref)
    parts = split_ref(name)
    if parts is None:
        raise EvaluationError(
            f'No title provided and "{name}" is not a valid resource reference',
            site.unit,
            site.node,
        )
    kind, title = capitalize_type(parts[0]), parts[1]
    return site.compilation.find(kind, capitalize_type(title) if kind == "Class" else title)


def equal_or_undef(first: Value, second: Value) -> bool | Unknown:
    """Return whether two attributes are the same; Ruby's `==` minds the case of texts."""
    if isinstance(first, str) and isinstance(second, str):
        return first == second
    return (first is None and second is None) or equal_if_known(first, second)


def ensure_resource(
    site: CallSite, kind: Value, titles: Value, given: Value = None, *ignored: Value
) -> None:
    """`ensure_resource`: declares a resource unless it is declared with these attributes."""
    for title in flat([titles]):
        unknown = find_unknown((kind, title))
        if unknown is not None:
            site.compilation.undecided(unknown, "title", site.unit, site.node)
        elif not isinstance(title, str | int | float | None):
            fail(site, f"{a_kind_of(title)} cannot be a title")
        else:
            declared = defined_with_params(site, f"{kind}[{to_s(title)}]", given)
            if isinstance(declared, Unknown):
                site.compilation.undecided(declared, "attribute", site.unit, site.node)
            elif not declared:
                create_resources(site, str(kind), {title: given or {}})


def ensure_resources(site: CallSite, kind: Value, wanted: Value, common: Value = None) -> None:
    """`ensure_resources`: the same for a hash of titles.

    Raises:
        EvaluationError: the titles are no hash.
    """
    if isinstance(wanted, Unknown):
        site.compilation.undecided(wanted, "title", site.unit, site.node)
        return
    if not isinstance(wanted, dict):
        fail(site, "ensure_resources(): Requires second argument to be a Hash")
    for title, own in pairs_of(wanted):
        ensure_resource(site, kind, title, {**hash_of(site, common), **hash_of(site, own)})


def getparam(site: CallSite, ref: Value, name: str) -> Value:
    """`getparam`: the value of a declared resource's attribute, the empty text for none."""
    if not isinstance(name, str):
        fail(site, "Must specify name of a parameter")
    found = named(site, ref)
    value = found.parameters.get(name) if found is not None else None
    return "" if value is None else value


def assert_private(site: CallSite, message: Value = None) -> None:
    """`assert_private`: refuses a class or define that another module brings in.

    Raises:
        EvaluationError: it is another module.
    """
    scope = site.scope
    if scope.find("module_name") == scope.find("caller_module_name"):
        return
    if scope.find("module_name") is MISSING:
        return
    definition = scope.resource.definition
    word = "Class" if definition.kind == "class" else "Definition"
    fail(site, message if isinstance(message, str) else f"{word} {definition.name} is private")


def fail(site: CallSite, message: str) -> NoReturn:
    """End the compile at the call.

    Raises:
        EvaluationError: always.
    """
    raise EvaluationError(message, site.unit, site.node)


def str2resource(site: CallSite, text: str) -> Value:
    """`stdlib::str2resource`: the resource that a text names, declared so far.

    Raises:
        EvaluationError: there is none.
    """
    entry = named(site, text)
    if entry is None:
        kind, title = split_ref(text) or ("", text)
        message = (
            f"stdlib::str2resource(): could not find {capitalize_type(kind)}[{title}], "
            "this is parse order dependent and values should not be quoted"
        )
        raise EvaluationError(message, site.unit, site.node)
    return ResourceType(entry.type, entry.title)
