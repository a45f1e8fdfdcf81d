"""Values of variables, facts and keys of data: of files, of systems, and of catalogs."""

from __future__ import annotations

import json
import re
from typing import Any

from analyzer.escape import shown
from analyzer.export.redact import HIDDEN
from analyzer.lsp.describe.catalogs import by_catalog, code
from analyzer.lsp.describe.origins import origin
from analyzer.lsp.languages.sensitive_keys import is_sensitive
from analyzer.lsp.reference import values
from analyzer.lsp.reference.definitions import DocumentedParameter, definition_of, shortened
from analyzer.lsp.reference.documentation import fenced, plain
from analyzer.lsp.state.paths import path_of
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.snapshot import FoundSymbol, Snapshot
from analyzer.model.names import canonical_ref
from analyzer.model.secrets import is_secret
from analyzer.source import place_of, without_secrets

# `$facts['os']['family']`, up to the key at a place.
KEYS = re.compile(r"\[\s*(['\"]?)([\w.:-]+)\1\s*\]")
FACTS = re.compile(r"\$\{?(?:::)?facts((?:\[\s*['\"]?[\w.:-]+['\"]?\s*\])+)")

MOST_VALUES = 8
ASSIGNED = re.compile(r"\s*=\s*(?![=~>])([^\n]*)")


def data_rows(snapshot: Snapshot, key: str, path: str) -> list[str]:
    """Return the places where Hiera data sets a key, with the values."""
    found = values.set_in_data(snapshot, key, path)
    secret = is_secret(key) or is_sensitive(snapshot, path, key)
    rows = [
        f"{where(snapshot, one)}: {code(HIDDEN if secret else text)}"
        for one, text in found[:MOST_VALUES]
    ]
    return rows + (
        [f"and {len(found) - MOST_VALUES} more files"] if len(found) > MOST_VALUES else []
    )


def values_in_data(
    snapshot: Snapshot, owner: str, one: DocumentedParameter, path: str
) -> list[str]:
    """Return the places where data sets a parameter of a class, by its key or one it looks up."""
    return [row for key in values.keys_of(owner, one) for row in data_rows(snapshot, key, path)]


def where(snapshot: Snapshot, found: FoundSymbol) -> str:
    """Return the file and the line of a declaration, relative to the workspace."""
    return at_line(snapshot, found.path, place_of(snapshot.text(found.path), found.symbol.start)[0])


def at_line(snapshot: Snapshot, path: str, line: int) -> str:
    """Return a file and a line, relative to the workspace."""
    path = path_of(snapshot.uri(path)) or path
    for root in snapshot.roots:
        path = path.removeprefix(f"{root}/")
    return plain(f"{path}:{line}")


def fact_at(snapshot: Snapshot, path: str, text: str, offset: int) -> list[str]:
    """Return the values of the fact at an offset in the selected worlds."""
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    for match in FACTS.finditer(text, begin, len(text) if end < 0 else end):
        if match.start() <= offset <= match.end():
            found = [*KEYS.finditer(text, match.start(1), match.end(1))]
            keys = [k[2] for k in found if k.start() <= offset] or [found[0][2]]
            return fact_rows(snapshot, path, keys)
    return []


def fact_rows(snapshot: Snapshot, path: str, keys: list[str]) -> list[str]:
    """Return the values of a fact, each with the systems that have it."""
    same: dict[str, list[str]] = {}
    for world, value in values.facts_by_world(snapshot, keys, path):
        same.setdefault(value_text(value), []).append(world)
    rows = [f"- {code(text)}: {', '.join(map(shown, worlds))}" for text, worlds in same.items()]
    return [f"fact {code('.'.join(keys))}", "\n".join(rows[:MOST_VALUES])]


def value_text(value: Any) -> str:
    """Return a shortened value of a fact."""
    if value is None:
        return "undef"
    return shortened(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def variable(snapshot: Snapshot, name: str, found: list[FoundSymbol], path: str) -> list[str]:
    """Describe a variable: its declaration, the data that set it, and its values by catalog."""
    rows: list[str] = []
    for one in found[:MOST_VALUES]:
        rows += declared(snapshot, one, path)
    return rows


def declared(snapshot: Snapshot, found: FoundSymbol, path: str) -> list[str]:
    """Return the declaration of a parameter or a variable."""
    symbol = found.symbol
    facts = snapshot.facts(found.path)
    owner = facts.symbols[symbol.within] if symbol.within >= 0 else None
    if symbol.kind == "parameter" and owner is not None and owner.kind == "lambda":
        return [fenced(f"${symbol.name}"), f"parameter of a block at {where(snapshot, found)}"]
    if symbol.kind == "variable" or owner is None:
        rows = [assigned(snapshot, found), f"set at {where(snapshot, found)}"]
        if owner is not None and owner.kind == "class":
            rows.append("\n".join(in_catalogs(snapshot, owner.name, symbol.name, path)))
            rows.append("\n".join(origin_of(snapshot, owner.name, symbol.name, path)))
        return rows
    of = definition_of(snapshot, FoundSymbol(found.path, owner))
    one = next((p for p in of.parameters if p.name == symbol.name), None)
    rows = [fenced(one.label) if one else "", one.text if one else "",
            f"parameter of {owner.kind} {code(owner.name)}"]  # fmt: skip
    if owner.kind == "class":
        data = values_in_data(snapshot, owner.name, one or DocumentedParameter(symbol.name), path)
        rows.append("\n".join(f"- {row}" for row in data))
        rows.append("\n".join(in_catalogs(snapshot, owner.name, symbol.name, path)))
        rows.append("\n".join(origin_of(snapshot, owner.name, symbol.name, path)))
    return rows


def assigned(snapshot: Snapshot, found: FoundSymbol) -> str:
    """Return the line that assigns a variable."""
    text, symbol = snapshot.text(found.path), found.symbol
    match = ASSIGNED.match(text, symbol.end)
    value = f" = {shortened(match[1])}" if match and not is_secret(symbol.name) else ""
    return fenced(f"${symbol.name}{without_secrets(value, text)}")


def in_catalogs(snapshot: Snapshot, owner: str, name: str, path: str) -> list[str]:
    """Return the values of a class's variable in the catalogs of a file."""

    def say(picture: CatalogPicture) -> list[str]:
        value = picture.classes.get(owner, {}).get(name)
        return [] if value is None else [f"{code('$' + name)} is {code(shortened(value))}"]

    return by_catalog(snapshot, path, say)


def origin_of(snapshot: Snapshot, owner: str, name: str, path: str) -> list[str]:
    """Return where the value of a class's variable comes from."""
    return origin(snapshot, path, canonical_ref("class", owner), name)


def names_of_facts(snapshot: Snapshot, path: str) -> set[str]:
    """Return the names of the facts of the selected worlds."""
    return {name for world in values.worlds(snapshot, path) for name in values.facts_of(world)}
