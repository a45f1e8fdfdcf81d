"""Answers to the questions of Ruby code: variables, functions, resources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.bridge.handles import CONSTANTS, Handles
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.evaluate.scope import MISSING, Match, Scope
from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.model.documents import JsonObject
from analyzer.model.values import Value

# The functions that Ruby code must call here, as they work on the catalog or its scopes; Ruby has
# the others itself.
CALLED_HERE = [
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

    def __init__(self, handles: Handles, given: JsonObject) -> None:
        self.handles = handles
        self.number = given["number"]
        self.names = tuple(given["names"])
        count = given["arity"]
        self.arity = (count, count) if count >= 0 else (-count - 1, None)
        most = "default" if self.arity[1] is None else self.arity[1]
        self.callable_type = parse_type(f"Callable[Any, {self.arity[0]}, {most}]")

    def __call__(self, *arguments: object) -> object:
        """Evaluate it."""
        return self.handles.yield_to(self.number, arguments)


def found_variable(compilation: Compilation, scope: Scope, name: str) -> Value:
    """Return a variable's value, MISSING if there is none.

    Raises:
        Undecided: it may be a fact, and there are none.
    """
    if compilation.trace is not None:
        compilation.trace.read_variable(name, scope)
    found = compilation.visible_variable(name, scope)
    if found is MISSING and (unknown := compilation.may_be_fact(name)):
        raise UndecidedCall(unknown)
    return found


def variable(handles: Handles, number: int, name: str) -> list[Value]:
    """Return whether there is a variable, and its value, or why there is none."""
    value = found_variable(handles.compilation, handles.scopes[number], name)
    if value is not MISSING:
        bare = name.removeprefix("::")
        return [True, handles.stand_in(bare, value) if bare in CONSTANTS else value]
    owner = name.removeprefix("::").rpartition("::")[0]
    if not owner:
        return [False, None]
    known = handles.compilation.definitions.find("class", owner)
    return [False, f"class {owner} {'has not been evaluated' if known else 'could not be found'}"]


def visible(scope: Scope, *, recursive: bool = True, undef: bool = False) -> dict[str, object]:
    """Return the variables that a scope sees by unqualified names (Scope#to_hash)."""
    found: dict[str, Value] = {}
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


def variables(handles: Handles, number: int, recursive: bool, undef: bool) -> dict[str, object]:
    """Return all variables that a scope sees."""
    return handles.withhold(visible(handles.scopes[number], recursive=recursive, undef=undef))


def bound(handles: Handles, number: int, name: str) -> bool:
    """Return whether a variable cannot be set any more."""
    return handles.scopes[number].bound(name)


def set_variable(handles: Handles, number: int, name: str, value: object) -> None:
    """Set a variable."""
    handles.scopes[number].set(name, value)


def about_scope(handles: Handles, number: int) -> dict[str, object]:
    """Return the resource of a scope, what it is an instance of, and the scope around."""
    scope = handles.scopes[number]
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
        "parent": None if scope.caller is None else handles.number_of(scope.caller),
    }


def class_scope(handles: Handles, name: str) -> int | None:
    """Return the scope of a class that has been evaluated."""
    found = handles.compilation.class_scopes.get(name.lower().removeprefix("::"))
    return None if found is None else handles.number_of(found)


def defaults(handles: Handles, number: int, kind: str) -> dict[str, object]:
    """Return the defaults that hold in a scope for a type of resources."""
    found: dict[str, Value] = {}
    scope: Scope | None = handles.scopes[number]
    while scope is not None:
        found = {**scope.defaults.get(kind, {}), **found}
        scope = scope.caller
    return found


def function(
    handles: Handles,
    number: int,
    name: str,
    arguments: list[object],
    block: JsonObject | None = None,
) -> Value:
    """Call a function; the first error within is not gone on after, as Ruby code may rescue it."""
    site, compilation = handles.sites[-1], handles.compilation
    made: Any = None if block is None else RubyBlock(handles, block)
    errors = compilation.recorded_errors.errors
    before = len(errors)
    value = compilation.call(name, [*arguments], made, handles.scopes[number], site.node, site.unit)
    if len(errors) > before:
        first = errors[before]
        del errors[before:]
        raise first
    return value


def knows(handles: Handles, name: str) -> bool:
    """Return whether there is a function in the Puppet language."""
    return handles.compilation.definitions.find("function", name) is not None


def call_block(handles: Handles, number: int, arguments: list[object]) -> Value:
    """Call a lambda of the manifest."""
    return handles.blocks[number](*arguments)


def classes(handles: Handles) -> list[str]:
    """Return the names of the classes so far."""
    return [*handles.compilation.class_names]


def tags(handles: Handles) -> list[str]:
    """Return the tags of the catalog: the names of its classes and their parts."""
    found = {"settings": None, "class": None}
    for name in handles.compilation.class_names:
        found.update(dict.fromkeys([name, *name.split("::")]))
    return [*found]


def described(handles: Handles, entry: Entry) -> list[Value]:
    """Return a resource as Ruby builds it."""
    return [entry.type, entry.title, handles.withhold(entry.parameters), entry.file, entry.line]


def resource(handles: Handles, kind: str, title: str) -> list[Value] | None:
    """Return a declared resource."""
    found = handles.compilation.find(kind, title)
    return None if found is None else described(handles, found)


def resources(handles: Handles) -> list[list[Value]]:
    """Return all declared resources."""
    return [described(handles, one) for one in handles.compilation.entries.values()]


ANSWERS: dict[str, Callable[..., Value]] = {
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
