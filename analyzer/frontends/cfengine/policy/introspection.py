"""The functions that query the policy itself: its bundles, and the classes and variables that are
set.

Facts: evalfunction.c of 3.21; results are put together from the end of the agent's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.cfengine.policy.hash_order import in_hash_order
from analyzer.frontends.cfengine.policy.patterns import in_time, regular
from analyzer.frontends.cfengine.policy.system_classes import comes_from_outside
from analyzer.frontends.cfengine.policy.unknown import NoResult, Unknown, UnknownResult
from analyzer.frontends.cfengine.policy.variables import EVERYWHERE, Content, DataList, Key

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.lookup import Lookup

# Names that the agent itself may set: whoever asks for them asks for the machine.
OF_THE_MACHINE = (
    *("debian_12", "ubuntu", "redhat_8", "centos_7", "x86_64", "64_bit", "ipv4_10_0_0_1"),
    *("Monday", "Hr12", "Min30_35", "Day1", "Yr2030", "cfengine_3_21_0", "vm_example_com"),
)
TAGS_OF_SYS = (
    "inventory",
    "attribute_name=none",
    "source=agent",
    "derived-from=sys.host",
    "report",
)
OF_SYS = (
    *(f"default:{name}" for name in sorted(EVERYWHERE)),
    *("default:sys.ipv4[eth0]", "default:const.dollar", "default:mon.x"),
)


def full_match(pattern: str) -> Callable[[str], bool]:
    """Return a test of whole texts.

    Raises:
        UnknownResult: the expression is not read here.
    """
    expression = regular(pattern)
    return lambda text: in_time(lambda: expression.fullmatch(text) is not None)


def any_matches(patterns: tuple[str, ...], items: Any) -> bool:
    """Return whether one of several expressions matches one of several texts."""
    return any(full_match(pattern)(item) for pattern in patterns for item in items)


def bundles_matching(lookup: Lookup, pattern: str, *tags: str) -> list[str]:
    """Return the bundles with names and tags that match, the last one first."""
    policy = lookup.world.policy
    if policy is None:
        raise UnknownResult("the bundles of the policy are not known here")
    matches = full_match(pattern)
    names = []
    for tree in policy.files:
        for bundle in tree.bundles:
            name = f"{bundle.namespace}:{bundle.name}"
            if matches(name) and (not tags or has_tag(lookup, bundle, tags)):
                names.append(name)
    return list(reversed(names))


def has_tag(lookup: Lookup, bundle: Any, tags: tuple[str, ...]) -> bool:
    """Return whether one of a bundle's tags matches."""
    key = (bundle.namespace, f"{bundle.name}_meta", "tags")
    found = lookup.scope.table.get(key)
    if isinstance(found, Unknown):
        raise UnknownResult(found)
    items = found.split(",") if isinstance(found, str) else found
    return isinstance(items, list) and any_matches(tags, map(str, items))


def classes_matching(lookup: Lookup, pattern: str, *tags: str) -> list[str]:
    """Return the classes of all namespaces and of this bundle that match.

    Raises:
        UnknownResult: some of them may come from the machine, or may be set or not.
    """
    classes = lookup.world.classes
    if classes is None or tags:
        raise UnknownResult("the tags of classes are not kept here")
    matches = full_match(pattern)
    outside = next((n for n in OF_THE_MACHINE if not classes.whole and matches(n)), None)
    if outside is not None:
        raise UnknownResult(f"which classes match {pattern!r} depends on the machine")
    for (space, name), why in classes.maybe.items():
        if matches(qualified(space, name)):
            raise UnknownResult(why)
    own = {name for names in lookup.world.private for name in names}
    shared = {qualified(space, name) for space, name in classes.soft} | classes.hard
    found = sorted(name for name in shared | own if matches(name))
    if len(found) > 1 and any(map(comes_from_outside, found)):
        raise UnknownResult(f"which classes match {pattern!r} depends on the machine")
    return found


def qualified(space: str, name: str) -> str:
    """Return the name of a class with its namespace, unless that is the default one."""
    return name if space == "default" else f"{space}:{name}"


def is_class(lookup: Lookup, pattern: str, *tags: str) -> bool:
    """Return whether a class matches.

    Raises:
        UnknownResult: only classes from the machine may.
    """
    classes = lookup.world.classes
    if classes is not None and not tags:
        own = {name for names in lookup.world.private for name in names}
        matches = full_match(pattern)
        known = own | classes.hard | {qualified(*key) for key in classes.soft}
        if any(map(matches, known)):
            return True
    return bool(classes_matching(lookup, pattern, *tags))


def matching(lookup: Lookup, pattern: str, tags: tuple[str, ...]) -> list[tuple[str, Key]]:
    """Return variables whose full names match, in the order of the agent's table."""
    matches = full_match(pattern)
    if any(map(matches, OF_SYS)) and (not tags or any_matches(tags, TAGS_OF_SYS)):
        raise UnknownResult(f"which variables match {pattern!r} depends on the machine")
    table = lookup.scope.table
    keys = in_hash_order(list(table), len(table))
    found = [(name, key) for key in keys if matches(name := full_name(key))]
    own = lookup.world.tags
    return [row for row in found if not tags or any_matches(tags, own.get(row[1], ()))]


def variable_tags(lookup: Lookup, name: str, key: str = "") -> list[str]:
    """Return the tags of a variable, or the values of those with a key.

    Raises:
        NoResult: there is no such variable.
        UnknownResult: it is not one of the policy.
    """
    found = lookup.world.tags.get(lookup.scope.key(name))
    if found is None:
        if lookup.scope.get(name) is None and not name.startswith("sys."):
            raise NoResult(name)
        raise UnknownResult(f"the tags of {name} are not known here")
    return [tag.removeprefix(f"{key}=") for tag in found if not key or tag.startswith(f"{key}=")]


def full_name(key: Key) -> str:
    """Return the full name of a variable."""
    return f"{key[0]}:{key[1]}.{key[2]}"


def variables_matching(lookup: Lookup, pattern: str, *tags: str) -> list[str]:
    """Return the full names of variables that match."""
    return [name for name, _ in reversed(matching(lookup, pattern, tags))]


def variables_as_data(lookup: Lookup, pattern: str, *tags: str) -> dict[str, Any]:
    """Return the variables that match, with their values."""
    table = lookup.scope.table
    return {name: plain(table[key]) for name, key in matching(lookup, pattern, tags)}


def plain(value: Content) -> Any:
    """Return a value as an item of a container.

    Raises:
        UnknownResult: it is not known here.
    """
    if isinstance(value, Unknown):
        raise UnknownResult(value)
    return DataList(value) if isinstance(value, list) else value


def bundle_state(lookup: Lookup, name: str) -> dict[str, Any]:
    """Return the variables of a bundle.

    Raises:
        NoResult: it has none.
    """
    space, colon, bundle = name.rpartition(":")
    found = dict(variables_of(lookup, space if colon else "default", bundle))
    if not found:
        raise NoResult(name)
    return found


def variables_of(lookup: Lookup, space: str, bundle: str) -> Iterator[tuple[str, Any]]:
    """Yield the variables of a bundle; an array is one container."""
    table = lookup.scope.table
    # Writing a container sorts it, and the agent writes this one into its log.
    for key in sorted(key for key in table if key[:2] == (space, bundle)):
        yield key[2], plain(table[key])


FUNCTIONS: dict[str, Callable[..., object]] = {
    "bundlesmatching": bundles_matching,
    "bundlestate": bundle_state,
    "classesmatching": classes_matching,
    "classmatch": is_class,
    "countclassesmatching": lambda *arguments: str(len(classes_matching(*arguments))),
    "getvariablemetatags": variable_tags,
    "variablesmatching": variables_matching,
    "variablesmatching_as_data": variables_as_data,
}
