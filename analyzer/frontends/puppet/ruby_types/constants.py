"""What is called on Ruby's and Puppet's own classes where types are declared."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.ruby_types.resource_api import register_type
from analyzer.frontends.puppet.ruby_types.tokens import Regex
from analyzer.frontends.puppet.ruby_types.values import Block, Opaque, TypeRef

if TYPE_CHECKING:
    from analyzer.frontends.puppet.ruby_types.world import World

Call = Callable[["World", list[Any], Block | None], Any]


def new_type(world: World, arguments: list[Any], block: Block | None) -> Any:
    """`Puppet::Type.newtype`."""
    name, options = (*arguments, None, None)[:2]
    return world.new_type(name, options, block)


def type_named(world: World, arguments: list[Any], block: Block | None) -> Any:
    """`Puppet::Type.type`."""
    name = arguments[0] if arguments else None
    return TypeRef(name.lower()) if isinstance(name, str) else Opaque("a type")


def new_regexp(world: World, arguments: list[Any], block: Block | None) -> Any:
    """`Regexp.new`."""
    source = arguments[0] if len(arguments) == 1 else None
    if isinstance(source, str) and not isinstance(source, Regex):
        return Regex(source)
    return source if isinstance(source, Regex) else Opaque("a regular expression")


def new_set(world: World, arguments: list[Any], block: Block | None) -> Any:
    """`Set.new`."""
    first = arguments[0] if len(arguments) == 1 else []
    return first if isinstance(first, list) else Opaque("a set")


def new_proc(world: World, arguments: list[Any], block: Block | None) -> Any:
    """`Proc.new`."""
    return block if block is not None else Opaque("a proc")


def join(world: World, arguments: list[Any], block: Block | None) -> Any:
    """`File.join`."""
    if not all(isinstance(one, str) for one in arguments):
        return Opaque("a path")
    return "/".join(arguments)


def dirname(world: World, arguments: list[Any], block: Block | None) -> Any:
    """`File.dirname`."""
    path = arguments[0] if arguments else None
    return os.path.dirname(path) if isinstance(path, str) else Opaque("a path")


def expand_path(world: World, arguments: list[Any], block: Block | None) -> Any:
    """`File.expand_path`."""
    if not arguments or not all(isinstance(one, str) for one in arguments):
        return Opaque("a path")
    return os.path.abspath(os.path.join(*reversed(arguments[:2])))


CONSTANTS: dict[tuple[str, str], Call] = {
    ("File", "dirname"): dirname,
    ("File", "expand_path"): expand_path,
    ("File", "join"): join,
    ("Proc", "new"): new_proc,
    ("Puppet::ResourceApi", "register_type"): register_type,
    ("Puppet::Type", "newtype"): new_type,
    ("Puppet::Type", "type"): type_named,
    ("Regexp", "new"): new_regexp,
    ("Set", "new"): new_set,
}
