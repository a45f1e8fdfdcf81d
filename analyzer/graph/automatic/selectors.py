"""Selectors of automatic relations: each yields titles (or ids) of related resources.

A call that names parameters, as in `names("owner")`, makes a selector: a function (resource,
lookup) -> titles as text, or ids if the resource is already found.
"""

from __future__ import annotations

from analyzer.graph.lookup import as_list, file_path
from analyzer.model.types import NAMEVARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from analyzer.graph.lookup import CatalogLookup
    from analyzer.model.resource import Resource

    Selector = Callable[[Resource, CatalogLookup], Iterable[str | int]]


def param(*parameters: str, default: str | None = None) -> Selector:
    """Return every value of the parameters as text, `default` if none of them is set."""

    def select(resource: Resource, lookup: CatalogLookup) -> list[str | int]:
        found: list[str | int] = []
        for name in parameters:
            if name in resource.parameters:
                found += texts(resource.parameters[name])
        return found if found or default is None else [default]

    return select


def names(parameter: str, integers: bool = False) -> Selector:
    """Return the first value of an account's parameter, unless it is digits, or an integer."""

    def select(resource: Resource, lookup: CatalogLookup) -> tuple[str, ...]:
        value = resource.parameters.get(parameter)
        if value is None:
            return ()
        if type(value) is list:
            value = value[0] if value else None
        if type(value) is str:
            # The first test, because it is true for nearly all names.
            plain = not value.isdigit() and "\n" not in value
            return (value,) if plain or not has_number_line(value) else ()
        return (str(value),) if integers and type(value) is int else ()

    return select


def has_number_line(value: str) -> bool:
    r"""Return whether a line of the text is all digits, as Ruby's `/^\d+$/` does."""
    if "\n" not in value:
        return value.isascii() and value.isdigit()
    return any(line.isascii() and line.isdigit() for line in value.split("\n"))


def fixed(*titles: str) -> Selector:
    """Return the same titles for every resource."""

    def select(resource: Resource, lookup: CatalogLookup) -> tuple[str, ...]:
        return titles

    return select


def either(*selectors: Selector) -> Selector:
    """Return the results of several selectors, one after another."""

    def select(resource: Resource, lookup: CatalogLookup) -> Iterable[str | int]:
        found: Iterable[str | int] = ()
        for selector in selectors:
            more = selector(resource, lookup)
            if more:
                found = [*found, *more] if found else more
        return found

    return select


def title_path(resource: Resource, parameter: str) -> str:
    """Return a path parameter, or the title if the parameter is an unset namevar."""
    value = resource.parameters.get(parameter)
    return value if type(value) is str else resource.title


def nearest_ancestor(parameter: str, kind: str = "File") -> Selector:
    """Return the closest managed directory above a path."""

    def select(resource: Resource, lookup: CatalogLookup) -> tuple[int, ...]:
        value = resource.parameters.get(parameter)
        path = value if type(value) is str else resource.title
        end = path.rfind("/")
        if end < 0:
            return ()
        # Files share their folders, if the last segment is a name.
        if path[-1] == "/" or "/." in path:
            return climb(file_path(path), kind, lookup.by_ref)
        known = lookup.nearest.setdefault(kind, {})
        folder = path[:end]
        found = known.get(folder)
        if found is None:
            found = known[folder] = climb(file_path(path), kind, lookup.by_ref)
        return found

    return select


def climb(path: str, kind: str, by_ref: dict[str, int]) -> tuple[int, ...]:
    """Return the resource of the closest path above one."""
    end = path.rfind("/") if path[:2] != "//" else -1
    if len(path) == 1:
        return ()
    while end > 0:
        path = path[:end]
        found = by_ref.get(f"{kind}[{path}]")
        if found is not None:
            return (found,)
        end = path.rfind("/")
    found = by_ref.get(f"{kind}[/]") if end == 0 else None
    return () if found is None else (found,)


def ascend(path: str) -> Iterator[str]:
    """Yield a path and every path above it, as Ruby's Pathname#ascend."""
    absolute = path[:1] == "/"
    while path and path != "/":
        yield path
        path = path.rpartition("/")[0].rstrip("/")
    if absolute:
        yield "/"


def ancestors(parameter: str) -> Selector:
    """Return every path above a path, from the root down."""

    def select(resource: Resource, lookup: CatalogLookup) -> list[str]:
        path = title_path(resource, parameter)
        return list(ascend(path.rstrip("/") or "/"))[:0:-1]

    return select


def below(parameter: str) -> Selector:
    """Return every managed file below a path, which Puppet uses as a regular expression."""

    def select(resource: Resource, lookup: CatalogLookup) -> list[int]:
        import re

        path = title_path(resource, parameter).rstrip("/") or "/"
        try:
            matches = re.compile(f"^{path}/.", re.MULTILINE).search
        except re.error:
            return []
        found = []
        for i in lookup.of_type("File"):
            child = lookup.resources[i]
            if matches(file_path(title_path(child, NAMEVARS["File"]))):
                found.append(i)
        return found

    return select


def absolute(parameter: str) -> Selector:
    """Return the values of a parameter that are absolute paths."""

    def select(resource: Resource, lookup: CatalogLookup) -> list[str]:
        value = resource.parameters.get(parameter)
        return [v for v in as_list(value) if type(v) is str and v[:1] == "/"]

    return select


def link_target(resource: Resource, lookup: CatalogLookup) -> tuple[str, ...]:
    """Return the target of a link: `target`, or an `ensure` other than the known words."""
    target = resource.parameters.get("target")
    if target is None:
        ensure = resource.parameters.get("ensure")
        if type(ensure) is str and ensure not in ENSURE_WORDS:
            target = ensure
    return (target,) if type(target) is str else ()


ENSURE_WORDS = frozenset({"absent", "false", "file", "present", "directory", "link"})


def commands(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the programs of an exec's command and checks, and its working directory."""
    parameters = resource.parameters
    found = texts(parameters["cwd"])[:1] if "cwd" in parameters else []
    command = parameters.get("command", resource.title)
    if type(command) is list:
        command = command[0] if command else ""
    if type(command) is str:
        found += leading_paths(command)
        if '"' in command:
            found += leading_quoted(command)
    for name in ("onlyif", "unless"):
        value = parameters.get(name)
        if value is None:
            continue
        for line in value if type(value) is list else [value]:
            first = line[0] if type(line) is list and line else line
            if type(first) is str:
                found += leading_paths(first)
    return found


def leading_paths(text: str) -> list[str]:
    """Return each absolute path that begins a line, up to white space."""
    if "\n" not in text:
        if text[:1] != "/":
            return []
        lines = [text]
    else:
        lines = [line for line in text.split("\n") if line[:1] == "/"]
    found = []
    for line in lines:
        path = line.split(" ", 1)[0]
        if not path.isprintable():
            for space in "\t\r\f\v":
                path = path.split(space, 1)[0]
        if len(path) > 1:
            found.append(path)
    return found


def leading_quoted(text: str) -> list[str]:
    """Return each double-quoted text that begins a line."""
    import re

    return re.findall(r'^"([^"]+)"', text, re.MULTILINE)


def user_groups(resource: Resource, lookup: CatalogLookup) -> list[str | int]:
    """Return a user's primary group, by name or number, and its other groups in order."""
    found: list[str | int] = []
    for value in as_list(resource.parameters.get("gid")):
        if type(value) is str and not has_number_line(value):
            found.append(value)
        else:
            group = group_with_gid(value, lookup)
            if group is not None:
                found.append(group)
    groups = sorted(texts(resource.parameters.get("groups")))
    if resource.parameters.get("membership") != "inclusive":
        groups = list(dict.fromkeys(groups))
    return found + groups


def group_with_gid(value: object, lookup: CatalogLookup) -> int | None:
    """Return the first group whose `gid` is this number."""
    number = as_number(value)
    for i in lookup.of_type("Group") if number is not None else ():
        if as_number(lookup.resources[i].parameters.get("gid")) == number:
            return i
    return None


def as_number(value: object) -> int | None:
    """Return an integer, or the integer in a text of digits."""
    if type(value) is int:
        return value
    if type(value) is str and value.isascii() and value.isdigit():
        return int(value)
    return None


def texts(value: object) -> list[str]:
    """Return the scalar entries of a value as text."""
    if value is None:
        return []
    if type(value) is str:
        return [value]
    return [
        "true" if entry is True else "false" if entry is False else str(entry)
        for entry in as_list(value)
        if type(entry) is not dict
    ]
