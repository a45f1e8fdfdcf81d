"""Methods of Ruby's own classes that declarations of types call."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.ruby_types.tokens import Regex
from analyzer.frontends.puppet.ruby_types.values import Opaque


def new_regexp(arguments: list[object]) -> object:
    """`Regexp.new`."""
    source = arguments[0] if len(arguments) == 1 else None
    if isinstance(source, str) and not isinstance(source, Regex):
        return Regex(source)
    return source if isinstance(source, Regex) else Opaque("a regular expression")


def new_set(arguments: list[object]) -> object:
    """`Set.new`."""
    first = arguments[0] if len(arguments) == 1 else []
    return first if isinstance(first, list) else Opaque("a set")


def join(arguments: list[Any]) -> object:
    """`File.join`."""
    if not all(isinstance(one, str) for one in arguments):
        return Opaque("a path")
    return "/".join(arguments)


def dirname(arguments: list[object]) -> object:
    """`File.dirname`."""
    path = arguments[0] if arguments else None
    return os.path.dirname(path) if isinstance(path, str) else Opaque("a path")


def expand_path(arguments: list[Any]) -> object:
    """`File.expand_path`."""
    if not arguments or not all(isinstance(one, str) for one in arguments):
        return Opaque("a path")
    return os.path.abspath(os.path.join(*reversed(arguments[:2])))


CONSTANTS: dict[tuple[str, str], Callable[[list[object]], object]] = {
    ("File", "dirname"): dirname,
    ("File", "expand_path"): expand_path,
    ("File", "join"): join,
    ("Regexp", "new"): new_regexp,
    ("Set", "new"): new_set,
}
