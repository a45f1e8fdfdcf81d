"""The bundle types, promise types, attributes, bodies and functions of CFEngine.

The rows of `vocabulary.txt` are what `cf-promises -s json` of 3.21 prints.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple


class Attribute(NamedTuple):
    """The type and range of an attribute in CFEngine's words; `own`: it belongs to the promise type
    itself, not to all types of its bundle."""

    type: str
    range: str
    own: bool = True


Attributes = dict[str, Attribute]

BUNDLE_TYPES = frozenset(
    {"common", "agent", "server", "monitor", "edit_line", "edit_xml", "knowledge"}
    | {"executor", "runagent", "keygenerator", "hub"}
)
CONTROL_BODIES = frozenset(
    ("common", "agent", "server", "monitor", "runagent", "executor", "hub", "file")
)
# Accepted, and then left out of the tree (SYNTAX_STATUS_REMOVED in libpromises/mod_*.c).
REMOVED = Attribute("removed", "")
REMOVED_BODIES = frozenset(("reporter", "knowledge", "association"))
REMOVED_TYPES = {("agent", "outputs"): "output_level promiser_type"}
REMOVED_ATTRIBUTES = {
    "action": "value_kept value_repaired value_notkept",
    "agent": "auditing binarypaddingchar exclamation syslog track_value",
    "common": "host_licenses_paid graph_directory graph_output html_banner html_footer id_prefix"
    " manual_source_directory query_engine query_output sql_type sql_database sql_owner sql_passwd"
    " sql_server sql_connection_db style_sheet view_projections",
    "hub": "export_zenoss",
    "report_data_select": "classes_include classes_exclude variables_include variables_exclude"
    " promise_notkept_log_include promise_notkept_log_exclude promise_repaired_log_include"
    " promise_repaired_log_exclude",
    "server": "keycacheTTL",
}
PROMISE_BLOCK: Attributes = {
    "inherit_from": Attribute("body", ""),
    "interpreter": Attribute("string", ""),
    "meta": Attribute("slist", ""),
    "path": Attribute("string", ""),
}


@dataclass(slots=True)
class Syntax:
    """The tables: `promises` by bundle type (`*`: any) and promise type, `bodies` by type,
    `functions` with their return types."""

    promises: dict[tuple[str, str], Attributes] = field(default_factory=dict)
    bodies: dict[str, Attributes] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    # The types of promises in any bundle, and the types of attributes in any body.
    types: frozenset[str] = frozenset()
    common: tuple[Attributes, ...] = ()
    selections: Attributes = field(default_factory=dict)

    def promise_type(self, bundle: str, kind: str) -> Attributes | None:
        """Return a type's own attributes, None if there is no such type."""
        found = self.promises.get((bundle, kind))
        return self.promises.get(("*", kind)) if found is None else found

    def known_attribute(self, bundle: str, kind: str, name: str) -> Attribute | None:
        """Return the type of a promise's attribute, None if there is no such attribute."""
        own = self.promise_type(bundle, kind)
        found = own.get(name) if own is not None else None
        return found or self.promises["*", "*"].get(name)

    def parsed_attribute(self, bundle: str, kind: str, name: str) -> Attribute | None:
        """Return an attribute as the parser knows it, to which those of the types of all bundles
        are known in any promise."""
        found = self.known_attribute(bundle, kind, name)
        return found or next((row[name] for row in self.common if name in row), None)

    def body_attribute(self, kind: str, body: str, name: str) -> Attribute | None:
        """Return the type of an attribute in a body `kind` with the name `body`."""
        if kind in CONTROL_BODIES and body != "control":
            return self.selections.get(name)
        return self.bodies[kind].get(name)


@cache
def syntax() -> Syntax:
    """Return the tables of `vocabulary.txt`."""
    with open(os.path.join(os.path.dirname(__file__), "vocabulary.txt"), encoding="utf-8") as file:
        return read(file.read())


def read(text: str) -> Syntax:
    """Read the rows: a head line for a type, and below it a line for each attribute."""
    tables = Syntax()
    current: Attributes = {}
    for line in text.splitlines():
        words = line.split("\t")
        if words[0] == "promise":
            current = tables.promises.setdefault((words[1], words[2]), {})
        elif words[0] == "body":
            current = tables.bodies.setdefault(words[1], {})
        elif words[0] == "function":
            tables.functions[words[1]] = words[2]
        else:
            name, kind = words[1], words[2]
            limits = words[3] if len(words) > 3 else ""
            current[name.lstrip("+")] = Attribute(kind, limits, not name.startswith("+"))
    for body, names in REMOVED_ATTRIBUTES.items():
        tables.bodies[body].update(dict.fromkeys(names.split(), REMOVED))
    for pair, names in REMOVED_TYPES.items():
        tables.promises[pair] = dict.fromkeys(names.split(), REMOVED)
    tables.common = tuple(rows for (bundle, _), rows in tables.promises.items() if bundle == "*")
    tables.types = frozenset(kind for _, kind in tables.promises)
    for body, attributes in tables.bodies.items():
        if body not in CONTROL_BODIES:
            tables.selections.update(attributes)
    return tables
