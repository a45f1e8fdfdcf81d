"""tree_each: the values in arrays and hashes in each other, with the paths to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from analyzer.frontends.puppet.evaluate.errors import BreakJump
from analyzer.frontends.puppet.functions.core.iterables import Series
from analyzer.frontends.puppet.functions.core.iteration import block_of
from analyzer.frontends.puppet.functions.registry import Call, Depth, function
from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.objects import Member, ObjectValue
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.model.keys import of_key
from analyzer.model.values import Value

OPTIONS = {
    "OptionsType": "Struct[{container_type => Optional[Type], include_root => Optional[Boolean], "
    "include_containers => Optional[Boolean], include_values => Optional[Boolean], "
    "order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]"
}
TREE = "Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = {}"
CONTAINERS = "Variant[Array, Hash, Object]"
Found = tuple[list[Any], Any]


class WantedTree:
    """A tree and what of it is wanted."""

    def __init__(self, call: Call, root: Value, options: dict[str, Any]) -> None:
        self.call = call
        self.root = root
        self.containers = containers(call, options.get("container_type"))
        self.with_containers = wanted(options, "include_containers")
        self.with_values = wanted(options, "include_values")
        self.with_root = self.with_containers and wanted(options, "include_root")
        self.with_references = options.get("include_refs") is True
        self.deep = options.get("order") in (None, "depth_first")
        if not (self.with_containers or self.with_values):
            call.fail("Options 'include_containers' and 'include_values' cannot both be false")

    def walk(self) -> Iterator[Found]:
        """Yield paths and values in the order that is wanted."""
        if self.with_root:
            yield [], self.root
        if not self.holds(self.root):
            self.call.fail("undefined method `next' for nil:NilClass")
        yield from self.below([], self.root) if self.deep else self.level_by_level()

    def below(self, path: list[Value], value: object) -> Iterator[Found]:
        """Yield the contents of a value, each before its own contents."""
        for key, one in self.children(value):
            place = [*path, key]
            inner = self.holds(one)
            if self.with_containers if inner else self.with_values:
                yield place, one
            if inner:
                yield from self.below(place, one)

    def level_by_level(self) -> Iterator[Found]:
        """Yield the contents level by level; as in Puppet, values are never left out."""
        waiting: deque[Found] = deque([([], self.root)])
        while waiting:
            path, value = waiting.popleft()
            for key, one in self.children(value):
                place = [*path, key]
                inner = self.holds(one)
                if inner:
                    waiting.append((place, one))
                if self.with_containers or not inner:
                    yield place, one

    def holds(self, value: object) -> bool:
        """Return whether the walk goes into a value."""
        return isinstance(value, (list, dict, ObjectValue)) and instance(self.containers, value)

    def children(self, value: Any) -> Iterator[tuple[Value, Value]]:
        """Return the keys or indexes and values in a container."""
        if not self.holds(value):
            return iter(())
        if isinstance(value, ObjectValue):
            return ((each.name, value.member(each.name, [])) for each in self.members(value))
        if isinstance(value, dict):
            return ((of_key(key), one) for key, one in value.items())
        return iter(enumerate(value))

    def members(self, value: ObjectValue) -> Iterator[Member]:
        """Return the attributes of an object that the walk sees, own ones only."""
        for each in value.type.attributes:
            if self.with_references or each.kind != "reference":
                yield each


def containers(call: Call, chosen: Type | None) -> Type:
    """Return the type of the containers that are entered."""
    known = parse_type(CONTAINERS)
    if chosen is None:
        return known
    if not assignable(known, chosen):
        call.fail(
            f"Only Array, Hash, and Object types can be used as container types. Got {chosen}"
        )
    return chosen


def wanted(options: dict[str, object], name: str) -> bool:
    """Return an option that is true unless it says otherwise."""
    return options.get(name) is not False


def run(call: Call, found: Iterator[Found], give: Callable[[list[object], object], object]) -> None:
    """Give each path and value to the block."""
    with suppress(BreakJump):
        for path, value in found:
            give(path, value)


@function("tree_each", f"{TREE}, &Callable[2, 2] $block", depth=Depth.ARGUMENTS, types=OPTIONS)
def tree_each_paths(call: Call, tree: object, options: dict[str, object] | None = None) -> Value:
    """Call the block with each path and value."""
    run(call, WantedTree(call, tree, options or {}).walk(), block_of(call))
    return tree


@function("tree_each", f"{TREE}, &Callable[1, 1] $block", depth=Depth.ARGUMENTS, types=OPTIONS)
def tree_each(call: Call, tree: object, options: dict[str, object] | None = None) -> Value:
    """Call the block with each value."""
    block = block_of(call)
    run(call, WantedTree(call, tree, options or {}).walk(), lambda path, value: block(value))
    return tree


@function("tree_each", TREE, depth=Depth.ARGUMENTS, types=OPTIONS)
def tree_each_iterator(
    call: Call, tree: object, options: dict[str, object] | None = None
) -> Series:
    """Return the pairs of paths and values, as an Iterator."""
    found = WantedTree(call, tree, options or {})
    return Series(lambda: ([path, value] for path, value in found.walk()))
