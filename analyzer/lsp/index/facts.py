"""The facts of one file: its declarations and uses, with exact places.
Places are offsets in characters: `start` and `end` are those of the name (of a title without its
quotes, of a variable without its dollar), `first` and `last` those of the whole declaration.

| kind of symbol | its name |
| --- | --- |
| class, define, function, plan, type | as in definitions: lower case, no leading `::` |
| node | the matches as written |
| parameter, variable | without the dollar |
| lambda | empty; it contains other declarations |
| resource | its type in lower case and its title: `file[/etc/motd]` |
| ruby type, ruby function, fact | as in Puppet code |
| key | a key of Hiera's data |

| kind of use | its name |
| --- | --- |
| class, inherits, function | as in definitions; `inherits` is the parent of a class |
| type | a resource type, define, data type or alias, in lower case: they look alike |
| variable | as written, without the dollar and a leading `::` |
| resource | `file[/etc/motd]` |
| attribute | its owner and its name: `file/mode`, `class apache/port` |
| plan | the plan that `run_plan()` runs |
| template, epp, file | as written: `apache/vhost.erb`; those of `puppet:///` as for `file()` |
| key | the key that `lookup()` and similar functions look up |

Those of a policy are in `policy`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

# Symbols that other files can name.
SHARED = frozenset(
    {"class", "define", "function", "plan", "type", "resource", "key"}
    | {"ruby type", "ruby function", "fact", "bundle", "body", "handle", "policy class"}
)


class IndexedSymbol(NamedTuple):
    """A declaration; `within` is the number of the symbol around it in the file, -1 for none."""

    kind: str
    name: str
    start: int
    end: int
    first: int
    last: int
    within: int = -1


class IndexedUse(NamedTuple):
    """A use of a name; `within` is the number of the symbol that contains it, -1 for none."""

    kind: str
    name: str
    start: int
    end: int
    within: int = -1


class FileFacts(NamedTuple):
    """The facts of a file, each in the order of the text."""

    symbols: tuple[IndexedSymbol, ...] = ()
    uses: tuple[IndexedUse, ...] = ()

    def symbol_at(self, offset: int) -> IndexedSymbol | None:
        """Return the declaration whose name is at an offset."""
        return next((s for s in self.symbols if s.start <= offset <= s.end), None)

    def use_at(self, offset: int) -> IndexedUse | None:
        """Return the use at an offset, the shortest if there are several."""
        found = [use for use in self.uses if use.start <= offset <= use.end]
        return min(found, key=lambda use: use.end - use.start, default=None)

    def around(self, offset: int) -> list[int]:
        """Return the numbers of the symbols around an offset, innermost first."""
        found = [n for n, s in enumerate(self.symbols) if s.first <= offset <= s.last]
        return sorted(found, key=lambda n: (-self.symbols[n].first, self.symbols[n].last))

    def outwards(self, within: int) -> list[int]:
        """Return a symbol's number and those of the symbols around it, innermost first."""
        found = []
        while within >= 0:
            found.append(within)
            within = self.symbols[within].within
        return found


NOTHING = FileFacts()


class Packed(NamedTuple):
    """The facts of a file as bytes, and the names that other files may share."""

    digest: bytes
    declared: tuple[tuple[str, str], ...]
    used: tuple[tuple[str, str], ...]
    data: bytes


def pack(facts: FileFacts, digest: bytes) -> Packed:
    """Return facts packed into a tenth of the memory."""
    declared = dict.fromkeys((s.kind, s.name) for s in facts.symbols if is_known(s))
    own = {(s.name, s.within) for s in facts.symbols if s.kind in ("parameter", "variable")}
    used = dict.fromkeys((u.kind, u.name) for u in facts.uses if is_shared(facts, u, own))
    rows = [tuple(s) for s in facts.symbols], [tuple(u) for u in facts.uses]
    return Packed(digest, tuple(declared), tuple(used), json.dumps(rows).encode())


def is_known(symbol: IndexedSymbol) -> bool:
    """Return whether other files may refer to a symbol, such as a variable of the top scope."""
    return symbol.kind in SHARED or (symbol.kind == "variable" and symbol.within < 0)


def is_shared(facts: FileFacts, use: IndexedUse, own: set[tuple[str, int]]) -> bool:
    """Return whether a use may refer to another file; `own` are the variables of this one."""
    if use.kind != "variable" or "::" in use.name:
        return True
    return not any((use.name, number) in own for number in (*facts.outwards(use.within), -1))


def unpack(packed: Packed) -> FileFacts:
    """Return the facts of a packed file."""
    return unpacked(packed.data)


@lru_cache(maxsize=512)
def unpacked(data: bytes) -> FileFacts:
    """Return the facts in packed bytes."""
    symbols, uses = json.loads(data)
    return FileFacts(
        tuple(IndexedSymbol(*row) for row in symbols), tuple(IndexedUse(*row) for row in uses)
    )


def uses_of(packed: Packed, kind: str, name: str) -> Iterator[IndexedUse]:
    """Yield the uses of a name in a packed file, without unpacking the rest."""
    if (kind, name) in packed.used:
        for row in json.loads(packed.data)[1]:
            if row[1] == name and row[0] == kind:
                yield IndexedUse(*row)
