"""The parts of a repository that may be unused: definitions, files, templates, keys of Hiera."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.frontends.puppet.origins.subjects import YAML_KEY
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.source import Span, place_of

# The functions of modules in Ruby, of both kinds.
RUBY_FUNCTIONS = ("lib/puppet/functions", "lib/puppet/parser/functions")
HEADER = re.compile(r"\s*(?:class|define|function)\s+((?:::)?[\w:-]+)", re.IGNORECASE)
KINDS: dict[type, str] = {
    a.HostClassDefinition: "class",
    a.ResourceTypeDefinition: "define",
    a.FunctionDefinition: "function",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a repository: its kind, its name, and its place."""

    kind: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file with code: its names are in use once it is; `items` is what it defines."""

    file: str
    module: str
    text: str
    items: tuple[Item, ...] = ()
    parameters: frozenset[str] = frozenset()


def code_file(file: str, module: str, text: str) -> CodeFile:
    """Return a manifest with its definitions, and the parameters of its classes by full name.

    The names that it defines are blanked out of the text: to define is not to use.
    """
    tree = check_cached(text, file, cache=user_cache()).tree
    items: list[Item] = []
    parameters: set[str] = set()
    blanked = text
    for node in tree.definitions if tree is not None else ():
        kind = KINDS.get(type(node))
        if kind is None:
            continue
        name = str(getattr(node, "name", "")).lower().removeprefix("::")
        items.append(Item(kind, name, Span(file, place_of(text, node.offset)[0])))
        if kind == "class":
            parameters.update(f"{name}::{one.name}" for one in getattr(node, "parameters", ()))
        header = HEADER.match(text, node.offset)
        if header is not None:
            start, end = header.span(1)
            blanked = f"{blanked[:start]}{' ' * (end - start)}{blanked[end:]}"
    return CodeFile(file, module, blanked, tuple(items), frozenset(parameters))


def ruby_function(file: str, folder: str, module: str, text: str) -> CodeFile:
    """Return a function in Ruby; the folders below that of functions are part of its name."""
    inside = os.path.relpath(file, folder).removesuffix(".rb").replace(os.sep, "/")
    for place in RUBY_FUNCTIONS:
        if inside.startswith(f"{place}/"):
            name = inside.removeprefix(f"{place}/").replace("/", "::").lower()
            blanked = text.replace(name, " ").replace(name.rpartition("::")[2], " ")
            return CodeFile(file, module, blanked, (Item("function", name, Span(file, 1)),))
    return CodeFile(file, module, text)


def keys_of(file: str, text: str) -> Iterator[Item]:
    """Yield the keys of a file of data in YAML."""
    for number, line in enumerate(text.splitlines(), 1):
        match = YAML_KEY.match(line)
        if match is not None and not match[2].startswith(("-", "#", "%", "{", "[")):
            yield Item("key", match[2], Span(file, number))


def without_keys(text: str) -> str:
    """Return the text of a file of data with the keys blanked out: to set is not to use."""
    return "\n".join(
        line[match.end(2) :] if (match := YAML_KEY.match(line)) else line
        for line in text.splitlines()
    )


def files_in(folder: str, kind: str, module: str, files: Sequence[str]) -> Iterator[Item]:
    """Yield the static files or the templates of a module, named as code names them."""
    for file in files:
        inside = os.path.relpath(file, folder).replace(os.sep, "/")
        if not os.path.basename(file).startswith(".git"):
            yield Item(kind, f"{module}/{inside}", Span(file))
