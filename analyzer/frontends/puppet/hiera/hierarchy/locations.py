"""The locations of a level's data: paths, globs, URIs (location_resolver.rb)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from analyzer.frontends.puppet.evaluate.ruby import class_name, inspect, to_s
from analyzer.frontends.puppet.hiera.errors import RubyFault
from analyzer.frontends.puppet.hiera.interpolation import interpolate, scope_value
from analyzer.frontends.puppet.hiera.invocation import Invocation
from analyzer.frontends.puppet.hiera.scope import WithLocals
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value
from analyzer.reach import Outside, check, kept, may_read

# Characters that make a part of a path a pattern.
MAGIC = re.compile(r"[*?\[\\{]")
# Where a path is no fixed text: an interpolation, or a pattern.
PATTERN = re.compile(r"%\{|[*?\[\\{]")
# How many files are compared with a path whose interpolations are unknown.
MOST_FILES = 2_000
INTERPOLATION = re.compile(r"%\{[^}]*\}")
BAD_URI = re.compile(r"[^!#$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]")


@dataclass(frozen=True, slots=True)
class Location:
    """A path or URI; `unknown` says why it cannot be determined.

    Then the files that `pattern` matches may be meant, if it is a path.
    """

    declared: str
    text: str
    exists: bool
    is_path: bool = True
    unknown: Unknown | None = None
    pattern: str = ""


def join(base: str, path: str) -> str:
    """Ruby's `Pathname + path`: an absolute path stays, leading `..` go up."""
    if path.startswith("/"):
        return path
    base = base.rstrip("/") or "/"
    parts = [part for part in path.split("/") if part]
    while parts and parts[0] in (".", ".."):
        if parts.pop(0) == "..":
            base = os.path.dirname(base)
    rest = "/".join(parts)
    return base if not rest else f"{base.rstrip('/')}/{rest}"


def folder_not_here(datadir: str, declared: str) -> str | None:
    """Return the folder that the fixed part of a path leads to, if it is not there."""
    fixed = PATTERN.split(declared, maxsplit=1)[0]
    folder = join(datadir, os.path.dirname(fixed))
    return None if kept(os.path.isdir, folder) else folder


def unresolved(declared: str, unknown: Unknown) -> Location:
    """Return the location of a path with an Unknown in it."""
    return Location(declared, declared, True, unknown=unknown)


def paths(
    datadir: str, declared: list[str], invocation: Invocation, extension: str = ""
) -> list[Location]:
    """Return the locations of `path`, `paths`, and of the hierarchy of version 3 (with an
    extension).
    """
    return [_path(datadir, one, invocation, extension) for one in declared]


def _path(datadir: str, declared: str, invocation: Invocation, extension: str) -> Location:
    text = interpolate(declared, invocation, False)
    if isinstance(text, Unknown):
        full = join(datadir, declared if declared.endswith(extension) else declared + extension)
        return Location(declared, declared, kept(may_match, full), unknown=text, pattern=full)
    if not text.endswith(extension):
        text += extension
    path = join(datadir, text)
    return Location(declared, path, kept(may_be_there, path))


def globs(datadir: str, declared: list[str], invocation: Invocation) -> list[Location]:
    """Return the files that `glob` and `globs` match."""
    found: list[Location] = []
    for one in declared:
        text = interpolate(one, invocation, False)
        if isinstance(text, Unknown):
            found.append(unresolved(one, text))
            continue
        pattern = join(datadir, text)
        try:
            matches = [path for path in glob(pattern) if not os.path.isdir(path)]
        except Outside as error:
            reason = f"{pattern}: {error.strerror}"
            found.append(unresolved(one, Unknown(reason)))
            continue
        found += [Location(pattern, path, True) for path in matches]
    return found


def uris(declared: list[str], invocation: Invocation) -> list[Location]:
    """Return the locations of `uri` and `uris`; whether they exist is not known."""
    found = []
    for one in declared:
        text = interpolate(one, invocation, False)
        if not isinstance(text, Unknown) and BAD_URI.search(text):
            raise RubyFault(f"bad URI(is not URI?): {inspect(text)}")
        found.append(
            unresolved(one, text)
            if isinstance(text, Unknown)
            else Location(one, text, True, is_path=False)
        )
    return found


def mapped_paths(datadir: str, triplet: list[str], invocation: Invocation) -> list[Location]:
    """Return the paths that a variable's elements make of a template."""
    variable, name, template = triplet
    value = scope_value(variable, invocation, "mapped_path[0]")
    unknown = find_unknown((value,))
    if unknown:
        return [unresolved(template, unknown)]
    found: list[Location] = []
    for element in _elements(value):
        within = invocation.child(WithLocals(invocation.scope, {name: element}))
        within.remembered = []
        text = interpolate(template, within, False)
        if invocation.remembered is not None:
            # The variable of the mapping is none that could change.
            others = (used for used in within.remembered if used[0].split(".")[0] != name)
            invocation.remembered += others
        if isinstance(text, Unknown):
            found.append(unresolved(template, text))
        else:
            path = join(datadir, text)
            found.append(Location(template, path, kept(may_be_there, path)))
    return found


def _elements(value: object) -> list[Value]:
    if value is None:
        return []
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, dict):
        return [list(pair) for pair in value.items()]
    if not isinstance(value, list):
        raise RubyFault(f"undefined method `empty?' for {to_s(value)}:{class_name(value)}")
    return value


def may_match(path: str) -> bool:
    """Return whether some file may be that of a path with interpolations of any value.

    Paths are asked for again in each module: only the first files of a folder are looked at.
    """
    return next(matching(path), "") != ""


def matching(path: str) -> Iterator[str | None]:
    """Yield the files that a path with interpolations may mean; None if there may be others."""
    parts = INTERPOLATION.split(path)
    folder = os.path.dirname(parts[0])
    # An empty value leaves two slashes, which count as one.
    first, *rest = (part.replace("/", "") for part in parts)
    if not may_read(folder) or os.path.islink(folder):
        yield None
        return
    seen = 0
    for place, folders, files in os.walk(folder):
        seen += len(files) + len(folders)
        if seen > MOST_FILES:
            yield None
            return
        for name in sorted(files):
            if is_in_order(f"{place}{name}".replace("/", ""), first, rest):
                yield f"{place}/{name}"
        if any(os.path.islink(f"{place}/{name}") for name in folders):
            yield None


def is_in_order(path: str, first: str, rest: list[str]) -> bool:
    """Return whether a path begins and ends with given texts, and has the others between them."""
    if not path.startswith(first) or not path.endswith(rest[-1] if rest else path):
        return False
    end = len(first)
    for part in rest:
        found = path.find(part, end)
        if found < 0:
            return False
        end = found + len(part)
    return True


def may_be_there(path: str) -> bool:
    """Return whether a file exists, which is unknown of a file that may not be read."""
    return not may_read(path) or os.path.exists(path)


def glob(pattern: str) -> Iterator[str]:
    """Return the paths that match, in Ruby's order: braces are alternatives, `**/` any folders.

    Raises:
        Outside: the pattern leads to where nothing may be read, nor be told whether it is there.
    """
    for one in _alternatives(pattern):
        root, parts = ("/", one[1:].split("/")) if one.startswith("/") else ("", one.split("/"))
        yield from _walk(root, [[part for part in parts if part]])


def _alternatives(pattern: str) -> Iterator[str]:
    match = re.search(r"\{([^{}]*)\}", pattern)
    if match is None:
        yield pattern
        return
    for choice in match[1].split(","):
        yield from _alternatives(pattern[: match.start()] + choice + pattern[match.end() :])


def _walk(folder: str, patterns: list[list[str]]) -> Iterator[str]:
    """Return the paths below a folder that match one of the patterns, each folder's before the
    next's.
    """
    patterns = [tail for pattern in patterns for tail in _tails(pattern)]
    if not any(_is_magic(pattern[0]) for pattern in patterns):
        for first, *rest in patterns:
            yield from _entry(_child(folder, first), not rest, [rest] if rest else [])
        return
    for name in _names(folder):
        path = _child(folder, name)
        rests = [rest for pattern in patterns for rest in _rests(pattern, name, path)]
        yield from _entry(path, [] in rests, [rest for rest in rests if rest])


def _entry(path: str, matches: bool, rests: list[list[str]]) -> Iterator[str]:
    if matches and (os.path.lexists(path) or not may_read(path)):
        yield path
    if rests and (os.path.isdir(path) or not may_read(path)):
        yield from _walk(path, rests)


def _tails(pattern: list[str]) -> Iterator[list[str]]:
    """Return the pattern, and the one in which its `**` match no folder."""
    yield pattern
    while len(pattern) > 1 and pattern[0] == "**":
        pattern = pattern[1:]
        yield pattern


def _rests(pattern: list[str], name: str, path: str) -> Iterator[list[str]]:
    """Return the rests of the pattern behind a name."""
    first, rest = pattern[0], pattern[1:]
    if first == "**" and rest:
        if name[0] != "." and not os.path.islink(path):
            yield pattern
    elif _matcher(first).fullmatch(name) and (first[0] == "." or name[0] != "."):
        yield rest


def _is_magic(part: str) -> bool:
    return MAGIC.search(part) is not None


def _child(folder: str, name: str) -> str:
    return folder + name if folder in ("", "/") else f"{folder}/{name}"


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(check(folder or ".")))
    except Outside:
        raise
    except OSError:
        return []


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> re.Pattern[str]:
    """Return a regular expression of one component of a glob."""
    parts = re.split(r"(\*+|\?|\\.|\[[^\]]+\])", pattern)
    return re.compile("".join(map(_part, parts)), re.S)


def _part(part: str) -> str:
    if part.startswith("*"):
        return ".*"
    if part == "?":
        return "."
    if part.startswith("[") and part.endswith("]"):
        inner = part[1:-1].replace("\\", "\\\\")
        return f"[^{inner[1:]}]" if inner[0] in "!^" else f"[{inner}]"
    return re.escape(part[1:] if part.startswith("\\") and len(part) == 2 else part)
