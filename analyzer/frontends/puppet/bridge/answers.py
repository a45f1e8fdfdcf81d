"""What Ruby code may ask of the compile: variables, functions, resources."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.evaluate.scope import MISSING, Match, Scope
from analyzer.frontends.puppet.functions.registry import Undecided
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.calls import Link
    from analyzer.frontends.puppet.compiler.compiler import Compiler

# The functions that Ruby code must call here, as they work on the catalog or its scopes; Ruby has
# the others itself.
ELSEWHERE = [
    "assert_private",
    "contain",
    "create_resources",
    "defined",
    "defined_with_params",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "epp",
    "getparam",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "include",
    "inline_epp",
    "inline_template",
    "lookup",
    "private",
    "realize",
    "require",
    "stdlib::ensure_packages",
    "tag",
    "tagged",
    "template",
]


class RubyBlock:
    """A block of Ruby code, as functions of the compile call it."""

    def __init__(self, link: Link, given: dict[str, Any]) -> None:
        self.link = link
        self.number = given["number"]
        self.names = tuple(given["names"])
        count = given["arity"]
        self.arity = (count, count) if count >= 0 else (-count - 1, None)
        most = "default" if self.arity[1] is None else self.arity[1]
        self.callable_type = parse_type(f"Callable[Any, {self.arity[0]}, {most}]")

    def __call__(self, *arguments: Any) -> Any:
        """Evaluate it."""
        return self.link.yield_to(self.number, arguments)


def found_variable(compiler: Compiler, scope: Scope, name: str) -> Any:
    """Return a variable's value, MISSING if there is none.

    Raises:
        Undecided: it may be a fact, and there are none.
    """
    bare = name.removeprefix("::")
    if "::" in bare:
        return compiler.class_variable(bare)
    found = scope.find(bare) if bare == name else compiler.top.own(bare)
    if found is MISSING and compiler.facts is None and not bare.isdigit():
        reason = f"${bare} may be a fact, and there are no facts (--facts FILE)"
        raise Undecided(Unknown(reason))
    return found


def variable(link: Link, number: int, name: str) -> list[Any]:
    """Return whether there is a variable, and its value, or why there is none."""
    value = found_variable(link.compiler, link.scopes[number], name)
    if value is not MISSING:
        return [True, value]
    owner = name.removeprefix("::").rpartition("::")[0]
    if not owner:
        return [False, None]
    known = link.compiler.known.find("class", owner)
    return [False, f"class {owner} {'has not been evaluated' if known else 'could not be found'}"]


def visible(scope: Scope, *, recursive: bool = True, undef: bool = False) -> dict[str, Any]:
    """Return the variables that a scope sees by unqualified names (Scope#to_hash)."""
    found: dict[str, Any] = {}
    if recursive and scope.enclosing is not None:
        found = visible(scope.enclosing)
    for frame in scope.frames:
        if type(frame) is Match:
            continue
        for name, value in frame.items():
            if value is None and not undef:
                found.pop(name, None)
            else:
                found[name] = value
    return found


def variables(link: Link, number: int, recursive: bool, undef: bool) -> dict[str, Any]:
    """Return all variables that a scope sees."""
    return link.withheld(visible(link.scopes[number], recursive=recursive, undef=undef))


def bound(link: Link, number: int, name: str) -> bool:
    """Tell whether a variable cannot be set any more."""
    return link.scopes[number].bound(name)


def set_variable(link: Link, number: int, name: str, value: Any) -> None:
    """Set a variable."""
    link.scopes[number].set(name, value)


def about_scope(link: Link, number: int) -> dict[str, Any]:
    """Return the resource of a scope, what it is an instance of, and the scope around."""
    scope = link.scopes[number]
    source, resource = scope.source, scope.resource
    kinds = {"class": "hostclass", "define": "definition"}
    return {
        "resource": resource and [resource.type, resource.title],
        "source": source
        and [
            kinds.get(source.kind, source.kind),
            source.name,
            source.module,
            source.unit.file,
            source.line,
        ],
        "parent": None if scope.caller is None else link.number_of(scope.caller),
    }


def class_scope(link: Link, name: str) -> int | None:
    """Return the scope of a class that has been evaluated."""
    found = link.compiler.class_scopes.get(name.lower().removeprefix("::"))
    return None if found is None else link.number_of(found)


def defaults(link: Link, number: int, kind: str) -> dict[str, Any]:
    """Return the defaults that hold in a scope for a type of resources."""
    found: dict[str, Any] = {}
    scope: Scope | None = link.scopes[number]
    while scope is not None:
        found = {**scope.defaults.get(kind, {}), **found}
        scope = scope.caller
    return found


def function(link: Link, number: int, name: str, arguments: list[Any], block: Any = None) -> Any:
    """Call a function; the first error within is not gone on after, as Ruby code may rescue it."""
    site, compiler = link.sites[-1], link.compiler
    made: Any = None if block is None else RubyBlock(link, block)
    before = len(compiler.errors)
    value = compiler.call(name, [*arguments], made, link.scopes[number], site.node, site.unit)
    if len(compiler.errors) > before:
        first = compiler.errors[before]
        del compiler.errors[before:]
        raise first
    return value


def knows(link: Link, name: str) -> bool:
    """Tell whether there is a function in the Puppet language."""
    return link.compiler.known.find("function", name) is not None


def call_block(link: Link, number: int, arguments: list[Any]) -> Any:
    """Call a lambda of the manifest."""
    return link.blocks[number](*arguments)


def classes(link: Link) -> list[str]:
    """Return the names of the classes so far."""
    return [*link.compiler.class_names]


def tags(link: Link) -> list[str]:
    """Return the tags of the catalog: the names of its classes and their parts."""
    found = {"settings": None, "class": None}
    for name in link.compiler.class_names:
        found.update(dict.fromkeys([name, *name.split("::")]))
    return [*found]


def described(link: Link, entry: Entry) -> list[Any]:
    """Return a resource as Ruby builds it."""
    return [entry.type, entry.title, link.withheld(entry.parameters), entry.file, entry.line]


def resource(link: Link, kind: str, title: str) -> list[Any] | None:
    """Return a declared resource."""
    found = link.compiler.find(kind, title)
    return None if found is None else described(link, found)


def resources(link: Link) -> list[list[Any]]:
    """Return all declared resources."""
    return [described(link, one) for one in link.compiler.entries.values()]


ASKS: dict[str, Callable[..., Any]] = {
    "bound": bound,
    "class_scope": class_scope,
    "classes": classes,
    "defaults": defaults,
    "function": function,
    "knows": knows,
    "resource": resource,
    "resources": resources,
    "scope": about_scope,
    "set": set_variable,
    "tags": tags,
    "variable": variable,
    "variables": variables,
    "yield": call_block,
}
