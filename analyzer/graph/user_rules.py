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

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.config import Config, no_key
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

# Keys and numbers that lead to a value of the file.
Place = tuple[str | int, ...]

TYPE_KEYS = {"automatic", "namevar", "refreshable", "self_refresh"}
ROW_KEYS = {"from", "kind", "select", "target", "titles"}


def read_rules(config: Config, catalog: Catalog) -> Rules:
    """Return the standard rules for a catalog with those of a configuration file added.

    Raises:
        InputError: the file says something unknown of a type.
    """
    for name, table in config.types.items():
        check_type(config, name, table)
    own = [row for name, table in config.types.items() for row in rows_of(config, name, table)]
    namevars = dict(NAMEVARS)
    refreshable = set(REFRESHABLE)
    for name, table in config.types.items():
        kind = capitalize_type(name)
        if "namevar" in table:
            namevars[kind] = table["namevar"]
        if "refreshable" in table:
            (refreshable.add if table["refreshable"] else refreshable.discard)(kind)
    standard = standard_rules({resource.type: None for resource in catalog.resources})
    return Rules([*standard.rows, *own], namevars, frozenset(refreshable))


def check_type(config: Config, name: str, table: dict[str, Any]) -> None:
    """Check what is said of one type."""
    place = ("types", name)
    unknown(config, table, TYPE_KEYS, *place)
    if not isinstance(table.get("namevar", ""), str):
        raise config.wrong(f"'types.{name}.namevar' is no string", *place, "namevar")
    for key in ("refreshable", "self_refresh"):
        if not isinstance(table.get(key, True), bool):
            message = f"'types.{name}.{key}' is neither true nor false"
            raise config.wrong(message, *place, key)
    rows = table.get("automatic", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        message = f"'types.{name}.automatic' is no list of tables"
        raise config.wrong(message, *place, "automatic")


def rows_of(config: Config, name: str, table: dict[str, Any]) -> list[AutoRelation]:
    """Return a type's rows."""
    return [
        row_of(config, ("types", name, "automatic", number), name, row)
        for number, row in enumerate(table.get("automatic", []))
    ]


def row_of(config: Config, place: Place, name: str, row: dict[str, Any]) -> AutoRelation:
    """Return one row."""
    unknown(config, row, ROW_KEYS, *place)
    kind, target = row.get("kind"), row.get("target")
    said = f"'types.{name}.automatic'"
    if not isinstance(kind, str) or kind not in KINDS:
        message = f"{said}: kind is one of {', '.join(KINDS)}, not {kind!r}"
        raise config.wrong(message, *place, *key_in(row, "kind"))
    if not isinstance(target, str) or not target:
        raise config.wrong(f"{said}: target names a type", *place, *key_in(row, "target"))
    return AutoRelation(
        capitalize_type(name),
        KINDS[kind],
        capitalize_type(target),
        selector_of(config, place, said, row),
        config.path,
    )


def selector_of(config: Config, place: Place, said: str, row: dict[str, Any]) -> Selector:
    """Return what a row looks at."""
    if ("from" in row) == ("titles" in row):
        raise config.wrong(f"{said}: one of 'from' and 'titles' is wanted", *place)
    key = "titles" if "titles" in row else "from"
    words = [row[key]] if isinstance(row[key], str) else row[key]
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        message = f"{said}: 'from' and 'titles' are a string or a list of strings"
        raise config.wrong(message, *place, key)
    if "titles" in row:
        return fixed(*words)
    select = row.get("select", "param")
    if not isinstance(select, str) or select not in SELECTORS:
        message = f"{said}: select is one of {', '.join(SELECTORS)}, not {select!r}"
        raise config.wrong(message, *place, "select")
    return either(*(SELECTORS[select](word) for word in words))


def key_in(row: dict[str, Any], key: str) -> tuple[str, ...]:
    """Return a key as a step if the row has it: else the row is to blame."""
    return (key,) if key in row else ()


def unknown(config: Config, table: dict[str, Any], known: set[str], *place: str | int) -> None:
    """Refuse keys that mean nothing: a misspelt key would be a rule that never acts."""
    for key in table:
        if key not in known:
            words = ".".join(word for word in place if isinstance(word, str))
            raise config.wrong(no_key(key, known, words), *place, key)
