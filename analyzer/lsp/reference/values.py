"""Values that are known without a compile: in data, and in the facts of systems."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from analyzer.diagnostics import InputError
from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.reference.definitions import DocumentedParameter, shortened
from analyzer.lsp.state.snapshot import FoundSymbol, Snapshot
from analyzer.lsp.state.texts import readable
from analyzer.reach import may_read

# Systems whose facts are shown if none are configured.
SYSTEMS = ("@debian-12", "@ubuntu-24.04", "@rocky-9", "@windows-2022")

# Comments are not searched for in a value that is longer.
LONG = 500

# A value on one line, followed by a comment.
WITH_COMMENT = re.compile(r"(?P<value>'[^'\n]*'|\"[^\"\n]*\"|[^'\"\s\n][^\n]*?)[ \t]+#[^\n]*")
LOOKED_UP = re.compile(r"(?:lookup|hiera(?:_array|_hash)?)\(\s*['\"]([^'\"]+)['\"]")


def set_in_data(snapshot: Snapshot, key: str, path: str) -> list[tuple[FoundSymbol, str]]:
    """Return the places where data sets a key, the environment's own first, with the values."""
    found = snapshot.find("key", key, path)
    return [(one, shortened(value_text(snapshot.text(one.path), one.symbol))) for one in found]


def value_text(text: str, symbol: IndexedSymbol) -> str:
    """Return the text after a key; an encrypted secret is not shown."""
    written = text[symbol.end : symbol.last].partition(":")[2].strip()
    if "ENC[" in written:
        return "ENC[…]"
    plain = WITH_COMMENT.fullmatch(written) if len(written) < LONG else None
    return plain["value"] if plain is not None else written


def keys_of(owner: str, one: DocumentedParameter) -> list[str]:
    """Return the keys that set a parameter of a class: its own, and that of a `lookup`."""
    looked_up = LOOKED_UP.match(one.default)
    own = f"{owner}::{one.name}"
    return [own, looked_up[1]] if looked_up and looked_up[1] != own else [own]


def chosen_facts(snapshot: Snapshot) -> str:
    """Return the facts that the user has chosen, empty if none, or not in the workspace."""
    name = str(snapshot.options.get("facts") or "")
    allowed = name.startswith("@") or may_read(name, readable(snapshot.roots))
    return name if name and allowed else ""


def worlds(snapshot: Snapshot, path: str) -> tuple[str, ...]:
    """Return the sets of facts for a file: chosen, of catgraph.toml, or of typical systems."""
    chosen = chosen_facts(snapshot)
    if chosen:
        return (chosen,)
    try:
        return tuple(snapshot.places.settings(path).facts) or SYSTEMS
    except (InputError, OSError):
        return SYSTEMS


@lru_cache(maxsize=32)
def facts_of(name: str) -> dict[str, Any]:
    """Return the facts of a system or a file by name, none if they cannot be read."""
    from analyzer.frontends.puppet.node.facts import read_facts
    from analyzer.frontends.puppet.node.systems import MARK
    from analyzer.frontends.puppet.node.typical import typical_facts

    try:
        if name.startswith(MARK):
            return typical_facts(name.removeprefix(MARK))
        return dict(read_facts(name))
    except (InputError, OSError, ValueError):
        return {}


def fact(facts: Any, keys: list[str]) -> Any:
    """Return the value below some keys, None if there is none."""
    for key in keys:
        if isinstance(facts, list) and key.isdigit() and int(key) < len(facts):
            facts = facts[int(key)]
        elif isinstance(facts, dict):
            facts = facts.get(key)
        else:
            return None
    return facts


def facts_by_world(snapshot: Snapshot, keys: list[str], path: str) -> Iterator[tuple[str, Any]]:
    """Yield the value of a fact in each world."""
    for name in worlds(snapshot, path):
        yield os.path.basename(name), fact(facts_of(name), keys)
