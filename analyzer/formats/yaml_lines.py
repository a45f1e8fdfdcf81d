"""The lines of the parts of a YAML or JSON text, by the keys that lead to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

# Keys of hashes and numbers in arrays that lead to a part.
Path = tuple[Any, ...]
# The parts of a text that are looked at, and the characters of one.
MOST, LONGEST = 100_000, 400_000


@dataclass(frozen=True, slots=True)
class Part:
    """A part with its first and its last line, from 1; an entry of a hash with its key."""

    path: Path
    first: int
    last: int


@lru_cache(maxsize=16)
def parts_of(text: str) -> tuple[Part, ...]:
    """Return the parts of a text, outer ones first; none if it is no YAML, or very long."""
    if len(text) > LONGEST:
        return ()
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        return tuple(parts_in(root)) if root is not None else ()
    except (yaml.YAMLError, RecursionError, ValueError):
        return ()


def parts_in(root: Any) -> Iterator[Part]:
    """Yield the parts of a node; what an alias repeats is at its anchor only."""
    pending: deque[tuple[Any, Path]] = deque([(root, ())])
    seen: set[int] = set()
    count = 0
    while pending and count < MOST:
        node, path = pending.popleft()
        if id(node) in seen:
            continue
        seen.add(id(node))
        for begin, value, key in children(node):
            count += 1
            last = value.end_mark
            # The end of a block is the beginning of what follows it.
            line = last.line if last.column == 0 and last.line > begin else last.line + 1
            yield Part((*path, key), begin + 1, max(line, begin + 1))
            pending.append((value, (*path, key)))


def children(node: Any) -> Iterator[tuple[int, Any, Any]]:
    """Yield the elements of a node: where each begins, its node, and its key or number."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name: Any = key.value if isinstance(key, yaml.ScalarNode) else None
            if isinstance(key, yaml.ScalarNode) and key.tag == "tag:yaml.org,2002:int":
                name = int(name) if name.isdigit() else name
            yield key.start_mark.line, value, name
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield value.start_mark.line, value, number


def line_of(text: str, path: Path) -> int | None:
    """Return the line of a part, None if it is not found."""
    return next((one.first for one in parts_of(text) if one.path == path), None)


def path_at(text: str, line: int) -> Path | None:
    """Return the path of the innermost part that a line belongs to, None if there is none."""
    within = [one for one in parts_of(text) if one.first <= line <= one.last]
    return max(within, key=lambda one: len(one.path)).path if within else None
