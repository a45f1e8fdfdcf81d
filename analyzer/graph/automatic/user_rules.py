"""Rules of users for their own types in `catgraph.toml`: namevars, refresh, relations.

    [types.myservice]
    refreshable = true
    namevar = "name"

    [[types.myservice.automatic]]
    kind = "autorequire"
    target = "file"
    from = "config_path"

`from` names one parameter or several. `select` determines how they are read (`param` by default, or
another name in SELECTORS). `titles` instead of `from` are constant titles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analyzer.config import Config
from analyzer.config.keys import texts
from analyzer.graph import labels
from analyzer.graph.automatic.rules import AutoRelation, Rules
from analyzer.graph.automatic.selectors import (
    absolute,
    ancestors,
    below,
    either,
    fixed,
    names,
    nearest_ancestor,
    param,
)
from analyzer.graph.automatic.tables import standard_rules
from analyzer.graph.lookup import namevars_of
from analyzer.model.catalog import Catalog
from analyzer.model.documents import JsonObject
from analyzer.model.names import capitalize_type
from analyzer.model.types import REFRESHABLE, SELF_REFRESHING

if TYPE_CHECKING:
    from analyzer.graph.automatic.selectors import Selector

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

# A row must have exactly one of these keys.
WANTED = {
    ("kind",): "'kind'",
    ("target",): "'target'",
    ("from", "titles"): "one of 'from' and 'titles'",
}


def read_rules(config: Config, catalog: Catalog) -> Rules:
    """Return the standard rules for a catalog with those of a configuration file added.

    Raises:
        InputError: a row of the file has missing or superfluous keys.
    """
    own = [row for name, table in config.types.items() for row in rows_of(config, name, table)]
    namevars = dict(namevars_of(catalog))
    refreshable = set(REFRESHABLE | catalog.refreshable)
    self_refreshing = set(SELF_REFRESHING | catalog.self_refreshing)
    for name, table in config.types.items():
        kind = capitalize_type(name)
        if "namevar" in table:
            namevars[kind] = table["namevar"]
        if "refreshable" in table:
            (refreshable.add if table["refreshable"] else refreshable.discard)(kind)
        if table.get("self_refresh"):
            self_refreshing.add(kind)
            refreshable.add(kind)
    typed = {resource.type: None for resource in catalog.resources}
    standard = standard_rules(typed, catalog.relations)
    return Rules(
        [*standard.rows, *own], namevars, frozenset(refreshable), frozenset(self_refreshing)
    )


def rows_of(config: Config, name: str, table: JsonObject) -> list[AutoRelation]:
    """Return a type's rows.

    Raises:
        InputError: a row has no kind or target, or not exactly one of `from` and `titles`.
    """
    found = []
    for number, row in enumerate(table.get("automatic", [])):
        for keys, expected in WANTED.items():
            if sum(key in row for key in keys) != 1:
                message = f"'types.{name}.automatic': expected {expected}"
                raise config.wrong(message, "types", name, "automatic", number)
        found.append(row_of(config, name, row))
    return found


def row_of(config: Config, name: str, row: JsonObject) -> AutoRelation:
    """Return one row."""
    if "titles" in row:
        select = fixed(*texts(row["titles"]))
    else:
        selector = SELECTORS[row.get("select", "param")]
        select = either(*(selector(word) for word in texts(row["from"])))
    return AutoRelation(
        capitalize_type(name),
        KINDS[row["kind"]],
        capitalize_type(row["target"]),
        select,
        config.path,
    )
