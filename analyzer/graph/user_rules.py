"""What users say of their own types in `catgraph.toml`: namevars, refresh, automatic relations.

    [types.myservice]
    refreshable = true
    namevar = "name"

    [[types.myservice.automatic]]
    kind = "autorequire"
    target = "file"
    from = "config_path"

`from` names one parameter or several; `select` says how they are read (`param` if not given, or
another name of SELECTORS); `titles` in place of `from` are always the same titles.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import InputError
from analyzer.graph import labels
from analyzer.graph.autorelations import AutoRelation, Rules, standard_rules
from analyzer.graph.selectors import (
    absolute,
    ancestors,
    below,
    either,
    fixed,
    names,
    nearest_ancestor,
    param,
)
from analyzer.model.catalog import Catalog
from analyzer.model.names import capitalize_type
from analyzer.model.types import NAMEVARS, REFRESHABLE
from analyzer.source import Span, caret_snippet

if TYPE_CHECKING:
    from analyzer.graph.selectors import Selector

SELECTORS: dict[str, Callable[[str], Selector]] = {
    "param": param,
    "absolute": absolute,
    "ancestors": ancestors,
    "below": below,
    "names": names,
    "nearest_ancestor": nearest_ancestor,
}

KINDS = {
    name: labels.NAMES.index(name)
    for name in ("autorequire", "autosubscribe", "autobefore", "autonotify")
}

TYPE_KEYS = {"automatic", "namevar", "refreshable", "self_refresh"}
ROW_KEYS = {"from", "kind", "select", "target", "titles"}


def read_rules(path: str, catalog: Catalog) -> Rules:
    """Return the standard rules for a catalog with those of a configuration file added.

    Raises:
        InputError: the file cannot be read, is no TOML, or says something unknown of a type.
    """
    types = read_types(path)
    own = [row for name, table in types.items() for row in rows_of(path, name, table)]
    namevars = dict(NAMEVARS)
    refreshable = set(REFRESHABLE)
    for name, table in types.items():
        kind = capitalize_type(name)
        if "namevar" in table:
            namevars[kind] = table["namevar"]
        if "refreshable" in table:
            (refreshable.add if table["refreshable"] else refreshable.discard)(kind)
    standard = standard_rules({resource.type: None for resource in catalog.resources})
    return Rules([*standard.rows, *own], namevars, frozenset(refreshable))


def read_types(path: str) -> dict[str, dict[str, Any]]:
    """Return the `types` tables of a configuration file."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        document = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path), "bad-config") from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", Span(path), "bad-config") from None
    except tomllib.TOMLDecodeError as error:
        raise toml_error(path, text, error) from None
    types = document.get("types", {})
    if not isinstance(types, dict):
        raise wrong(path, "'types' is no table")
    for name, table in types.items():
        check_type(path, name, table)
    return types


def toml_error(path: str, text: str, error: tomllib.TOMLDecodeError) -> InputError:
    """Return the error of a TOML text with its place, which the message tells in words."""
    message, _, place = str(error).partition(" (at ")
    words = place.rstrip(")").replace(",", "").split()
    numbers = [int(word) for word in words if word.isdigit()]
    line, column = [*numbers, 0, 0][:2]
    if not numbers:
        line = text.count("\n") + 1
    snippet = caret_snippet(text, line, column) if column else ""
    return InputError(f"not TOML: {message}", Span(path, line, column), "bad-config", snippet)


def check_type(path: str, name: str, table: Any) -> None:
    """Check what is said of one type."""
    if not isinstance(table, dict):
        raise wrong(path, f"'types.{name}' is no table")
    unknown(path, f"types.{name}", table, TYPE_KEYS)
    if not isinstance(table.get("namevar", ""), str):
        raise wrong(path, f"'types.{name}.namevar' is no string")
    for key in ("refreshable", "self_refresh"):
        if not isinstance(table.get(key, True), bool):
            raise wrong(path, f"'types.{name}.{key}' is neither true nor false")
    rows = table.get("automatic", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise wrong(path, f"'types.{name}.automatic' is no list of tables")


def rows_of(path: str, name: str, table: dict[str, Any]) -> list[AutoRelation]:
    """Return a type's rows."""
    return [
        row_of(path, f"types.{name}.automatic", name, row) for row in table.get("automatic", [])
    ]


def row_of(path: str, place: str, name: str, row: dict[str, Any]) -> AutoRelation:
    """Return one row."""
    unknown(path, place, row, ROW_KEYS)
    kind, target = row.get("kind"), row.get("target")
    if kind not in KINDS:
        raise wrong(path, f"'{place}': kind is one of {', '.join(KINDS)}, not {kind!r}")
    if not isinstance(target, str) or not target:
        raise wrong(path, f"'{place}': target names a type")
    return AutoRelation(
        capitalize_type(name),
        KINDS[kind],
        capitalize_type(target),
        selector_of(path, place, row),
        path,
    )


def selector_of(path: str, place: str, row: dict[str, Any]) -> Selector:
    """Return what a row looks at."""
    if ("from" in row) == ("titles" in row):
        raise wrong(path, f"'{place}': one of 'from' and 'titles' is wanted")
    words = row.get("from", row.get("titles"))
    words = [words] if isinstance(words, str) else words
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        raise wrong(path, f"'{place}': 'from' and 'titles' are a string or a list of strings")
    if "titles" in row:
        return fixed(*words)
    select = row.get("select", "param")
    if select not in SELECTORS:
        raise wrong(path, f"'{place}': select is one of {', '.join(SELECTORS)}, not {select!r}")
    return either(*(SELECTORS[select](word) for word in words))


def unknown(path: str, place: str, table: dict[str, Any], known: set[str]) -> None:
    """Refuse keys that mean nothing: a misspelt key would be a rule that never acts."""
    for key in table:
        if key not in known:
            raise wrong(path, f"'{place}' has no key '{key}'; there are {', '.join(sorted(known))}")


def wrong(path: str, message: str) -> InputError:
    """Return the error for a configuration that says something wrong."""
    return InputError(message, Span(path), "bad-config")
