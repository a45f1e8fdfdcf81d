"""The signatures of functions: those of Puppet, of stdlib, and of modules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from analyzer.frontends.puppet.compiler.calls.signatures import SIGNATURES
from analyzer.frontends.puppet.functions import families as core
from analyzer.frontends.puppet.functions.registry import rows_of
from analyzer.frontends.puppet.functions.stdlib import families as stdlib
from analyzer.lsp.index.tokens import tokens_of
from analyzer.lsp.reference import ruby
from analyzer.lsp.reference.definitions import (
    DocumentedParameter,
    definition_of,
    parameters_between,
)
from analyzer.lsp.reference.documentation import plain
from analyzer.lsp.state.snapshot import FoundSymbol, Snapshot
from analyzer.model.releases import ASSUMED

# Functions of the compiler: their parameters, and descriptions.
OF_COMPILER: dict[str, tuple[str, str]] = {
    "assert_type": ("Type $type, Any $value", "Return the value if it has the type, or else fail"),
    "break": ("", "Stop the iteration"),
    "contain": ("Any *$classes", "Declare classes, and contain them in this one: resources that "
                "wait for this class wait for them too"),
    "create_resources": ("String $type, Hash $resources, Hash $defaults = {}",
                         "Declare a resource for each entry of a hash"),
    "defined": ("Any *$names", "Return whether a class, type or resource is declared "
                "so far, which depends on the order of evaluation"),
    "epp": ("String $path, Hash $parameters = {}", "Render an EPP template file"),
    "eyaml_lookup_key": ("String $key, Hash $options, Any $context", "A Hiera backend"),
    "fail": ("Any *$values", "Stop the compilation with an error"),
    "hiera": ("String $key, Any $default = undef", "Look up a key (deprecated: use `lookup`)"),
    "hiera_array": ("String $key, Any $default = undef",
                    "Look up a key and join arrays (deprecated: use `lookup`)"),
    "hiera_hash": ("String $key, Any $default = undef",
                   "Look up a key and merge hashes (deprecated: use `lookup`)"),
    "hiera_include": ("String $key", "Include the classes that a Hiera key lists"),
    "hocon_data": ("Hash $options, Any $context", "A Hiera backend"),
    "include": ("Any *$classes", "Declare classes; they are not contained in this one, so "
                "resources that wait for this class do not wait for them"),
    "inline_epp": ("String $template, Hash $parameters = {}", "Render EPP text"),
    "inline_template": ("String *$templates", "Render ERB templates"),
    "json_data": ("Hash $options, Any $context", "A Hiera backend"),
    "lookup": ("Variant[String, Array[String]] $name, Type $value_type = Any, "
               "Variant[String, Hash] $merge = 'first', Any $default_value = undef",
               "Look up a key in Hiera data"),
    "new": ("Type $type, Any *$args", "Convert a value to a type"),
    "next": ("Any $value = undef", "Continue with the next value of the iteration"),
    "realize": ("Any *$references", "Add virtual resources to the catalog"),
    "require": ("Any *$classes", "Declare classes, and apply this class after them"),
    "return": ("Any $value = undef", "Return from the function or the class"),
    "scanf": ("String $data, String $format", "Parse values from a string"),
    "tag": ("Any *$names", "Tag all resources of this container"),
    "tagged": ("Any *$names", "Return whether this container has all of these tags"),
    "template": ("String *$paths", "Render ERB templates"),
    "type": ("Any $value, Enum['detailed', 'generalized', 'reduced'] $inference_method = "
             "'detailed'", "Return the type of a value"),
    "yaml_data": ("Hash $options, Any $context", "A Hiera backend"),
}  # fmt: skip

# Functions of stdlib that work on the catalog.
OF_COMPILER |= {
    "assert_private": ("String $message = ''", "Fail if another module uses this class or define"),
    "defined_with_params": ("Any $reference, Hash $parameters = {}",
                            "Return whether a resource has these parameters"),
    "ensure_packages": ("Variant[String, Array, Hash] $packages, Hash $default_attributes = {}",
                        "Declare packages that are not declared yet"),
    "ensure_resource": ("String $type, Variant[String, Array] $titles, Hash $parameters = {}",
                        "Declare resources that are not declared yet"),
    "ensure_resources": ("String $type, Hash $resources, Hash $parameters = {}",
                         "Declare resources that are not declared yet"),
    "getparam": ("Any $reference, String $name", "Return a parameter of a resource"),
}  # fmt: skip

LEVELS = ("alert", "crit", "debug", "emerg", "err", "info", "notice", "warning")

# The most lists of parameters that are shown for one function.
MOST_LISTS = 8


@dataclass(frozen=True, slots=True)
class Function:
    """A function: its lists of parameters, one for each way to call it, and its meaning."""

    name: str
    lists: tuple[tuple[DocumentedParameter, ...], ...]
    text: str = ""

    @property
    def heads(self) -> list[str]:
        """Return the head of each way to call it."""
        return [f"{self.name}({', '.join(one.label for one in found)})" for found in self.lists]


def parameters_of(signature: str) -> tuple[DocumentedParameter, ...]:
    """Return the parameters of a signature of the registry."""
    text = f"({signature})".replace("&", " ")
    tokens = tokens_of(text)
    return parameters_between(text, tokens, 0) if tokens else ()


@cache
def own_function(name: str) -> Function | None:
    """Return a function of Puppet or stdlib, None for other names."""
    if name in OF_COMPILER:
        signature, text = OF_COMPILER[name]
        signatures = SIGNATURES.get(name, (signature,))
        return Function(name, tuple(map(parameters_of, signatures)), f"{text}.")
    if name in LEVELS:
        return Function(name, (parameters_of("Any *$values"),), f"Log values at the level {name}.")
    for family in (core, stdlib):
        if name in family.FAMILIES:
            return of_rows(name, family)
    return None


def of_rows(name: str, family: ModuleType) -> Function:
    """Return a function of the registry."""
    rows = [row for row in rows_of(family.find(name), ASSUMED) if not row.mismatch]
    signatures = dict.fromkeys(one for row in rows for one in row.signatures)
    found = tuple(map(parameters_of, [*signatures][:MOST_LISTS]))
    text = (rows[0].compute.__doc__ or "") if rows and not rows[0].arity else ""
    sentence = " ".join(text.split("\n\n")[0].split())
    return Function(name, found or (parameters_of("Any *$arguments"),), sentence)


def names() -> list[str]:
    """Return the sorted functions of Puppet and stdlib, without variants for releases."""
    known = {*OF_COMPILER, *LEVELS, *core.FAMILIES, *stdlib.FAMILIES}
    return sorted(name for name in known if re.fullmatch(r"[a-z]\w*(::\w+)*", name))


def function_of(snapshot: Snapshot, name: str, path: str) -> Function | None:
    """Return a function as seen from a file, None if it is not known."""
    for found in snapshot.find("function", name, path):
        return declared(snapshot, found)
    return own_function(name)


def declared(snapshot: Snapshot, found: FoundSymbol) -> Function:
    """Return a function that a module declares."""
    if found.symbol.kind == "ruby function":
        text = snapshot.text(found.path)
        lists, comment = ruby.function_of(text, found.symbol.start)
        own = own_function(found.symbol.name)
        if not lists:
            lists = own.lists if own is not None else (parameters_of("Any *$arguments"),)
        return Function(found.symbol.name, lists, comment.markdown())
    definition = definition_of(snapshot, found)
    returns = definition.comment.of("return")
    text = definition.comment.markdown() or (f"Returns {plain(returns)}" if returns else "")
    return Function(definition.name, (definition.parameters,), text)
