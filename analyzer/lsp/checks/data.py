"""Diagnostics of Hiera data: keys without a parameter, wrong types, values that nothing reads.

A key is checked only if the class that it names is in the workspace. Values that a lookup converts
or merges are not checked, nor interpolated or encrypted values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial
from typing import Any, NamedTuple

from lsprotocol import types

from analyzer.formats.yaml_reader import YamlError, load
from analyzer.lsp.checks.shown import SOURCE
from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.languages.hierarchy import LevelPath, is_data, levels_of, number_of, value_of
from analyzer.lsp.languages.parameters import mismatch, parameter_of, parameters_of
from analyzer.lsp.languages.sensitive_keys import OPTIONS, fits
from analyzer.lsp.state.snapshot import FoundSymbol, Snapshot
from analyzer.source import line_starts

PLACE = re.compile(r"at line (\d+) column (\d+)")
Severity = types.DiagnosticSeverity


class HierarchyFile(NamedTuple):
    """A data file, its value, and the levels of its hierarchy.

    `number` is the file's own level, -1 for none.
    """

    path: str
    value: dict[Any, Any]
    levels: tuple[LevelPath, ...]
    number: int


def diagnostics(snapshot: Snapshot, path: str) -> list[types.Diagnostic]:
    """Return the diagnostics of a data file; for broken YAML only the syntax error."""
    levels = levels_of(snapshot, path)
    if not is_data(levels, path):
        return []
    try:
        value = load(snapshot.text(path), "")
    except (YamlError, RecursionError) as error:
        # Outside of the hierarchy another program may read more than Puppet does.
        known = number_of(levels, path) >= 0 or PLACE.search(str(error))
        return [broken(snapshot, path, str(error))] if known else []
    if not isinstance(value, dict):
        return []
    file = HierarchyFile(path, value, levels, number_of(levels, path))
    return [*twice(snapshot, path), *of_keys(snapshot, file)]


def broken(snapshot: Snapshot, path: str, message: str) -> types.Diagnostic:
    """Return the diagnostic of a text that is not valid YAML."""
    text = snapshot.text(path)
    starts = line_starts(text)
    found = PLACE.search(message)
    line, column = (int(found[1]), int(found[2])) if found else (1, 1)
    start = min(starts[min(line, len(starts) - 1) - 1] + column - 1, len(text))
    words = PLACE.sub("", message).removeprefix("(): ").strip()
    return types.Diagnostic(
        snapshot.range(path, start, min(start + 1, len(text))), f"not YAML: {words}",
        severity=Severity.Error, code="data-syntax", source=SOURCE,
    )  # fmt: skip


def twice(snapshot: Snapshot, path: str) -> Iterator[types.Diagnostic]:
    """Yield diagnostics of keys that are defined twice: the last value counts."""
    first: dict[str, IndexedSymbol] = {}
    for symbol in snapshot.facts(path).symbols:
        if symbol.kind != "key":
            continue
        before = first.setdefault(symbol.name, symbol)
        if before is not symbol:
            words = f"'{symbol.name}' is defined twice; Hiera takes the last value"
            yield made(
                snapshot, path, symbol, "data-duplicate-key", words, FoundSymbol(path, before)
            )


def of_keys(snapshot: Snapshot, file: HierarchyFile) -> Iterator[types.Diagnostic]:
    """Yield the diagnostics of keys that name classes."""
    looked_up = {name.partition(".")[0] for kind, name in snapshot.index.used if kind == "key"}
    options = options_of(snapshot)
    for symbol in snapshot.facts(file.path).symbols:
        owner = symbol.name.rpartition("::")[0]
        classes = snapshot.find("class", owner, file.path) if owner else []
        if symbol.kind != "key" or not classes:
            continue
        say = partial(made, snapshot, file.path, symbol)
        parameter = parameter_of(snapshot, file.path, symbol.name)
        if parameter is None:
            if symbol.name not in looked_up:
                words = unknown(snapshot, classes[0], symbol.name)
                yield say("data-unknown-key", words, classes[0])
        elif not options(symbol.name):
            words = mismatch(snapshot, parameter, file.value.get(symbol.name))
            if words:
                yield say("data-type-mismatch", words, parameter.found)
            yield from shadowed(snapshot, file, symbol)


def unknown(snapshot: Snapshot, owner: FoundSymbol, key: str) -> str:
    """Return the message about a key that sets nothing."""
    name = key.rpartition("::")[2]
    known = [one.name for one in parameters_of(snapshot, owner)]
    close = get_close_matches(name, known, 1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return (
        f"class {owner.symbol.name} has no parameter '{name}', and no lookup names this key{hint}"
    )


def shadowed(
    snapshot: Snapshot, file: HierarchyFile, symbol: IndexedSymbol
) -> Iterator[types.Diagnostic]:
    """Yield a diagnostic if no node gets a value, as a higher level sets it for all nodes."""
    above = [one for one in file.levels[: max(file.number, 0)] if one.constant]
    for path in snapshot.index.declared.get(("key", symbol.name), ()):
        if path != file.path and any(one.has(path) for one in above):
            found = next(snapshot.declared(path, "key", symbol.name))
            words = f"no node gets this value for '{symbol.name}': a higher level always sets it"
            yield made(snapshot, file.path, symbol, "data-shadowed-value", words, found)
            return


def options_of(snapshot: Snapshot) -> Any:
    """Return a function that returns whether the lookup of a key merges or converts."""
    keys: list[str] = []
    for path in snapshot.index.declared.get(("key", OPTIONS), ()):
        value = value_of(snapshot.text(path))
        rows = value.get(OPTIONS) if isinstance(value, dict) else None
        keys += map(str, rows if isinstance(rows, dict) else ())
    plain = frozenset(keys)
    patterns = [one for one in keys if one.startswith("^")]
    return lambda key: key in plain or any(fits(one, key) for one in patterns)


def made(
    snapshot: Snapshot,
    path: str,
    symbol: IndexedSymbol,
    code: str,
    message: str,
    there: FoundSymbol,
) -> types.Diagnostic:
    """Return a diagnostic at a key, with the related place."""
    where = snapshot.location(there)
    dead = code in ("data-shadowed-value", "data-unknown-key")
    return types.Diagnostic(
        snapshot.range(path, symbol.start, symbol.end), message,
        severity=Severity.Warning, code=code, source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if dead else None,
        related_information=[
            types.DiagnosticRelatedInformation(where, f"{there.symbol.kind} {there.symbol.name}")
        ],
    )  # fmt: skip
