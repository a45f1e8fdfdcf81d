"""The keys of `catgraph.toml`: what each takes, as a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from json import dumps

KINDS: dict[type, str] = {
    str: "a string",
    int: "an integer",
    float: "a float",
    dict: "a table",
}

# Characters of a value that an error shows.
SHORT = 40


@dataclass(frozen=True, slots=True)
class Key:
    """A key: whether it takes a value, and what it wants in words.

    `keys` are those of its table, or of each table of its list; `values` is what each entry of a
    table is. `many` values make a list, and `split` makes several of a written one.
    """

    takes: Callable[[object], bool]
    wanted: str
    many: bool = False
    keys: dict[str, Key] | None = None
    values: Key | None = None
    split: Callable[[str], list[str]] = lambda word: [word]


def is_text(value: object) -> bool:
    """Return whether a value is a string that is not empty."""
    return isinstance(value, str) and value != ""


def are_texts(value: object) -> bool:
    """Return whether a value is such a string, or a list of them."""
    return is_text(value) or (isinstance(value, list) and all(map(is_text, value)))


def is_table(value: object) -> bool:
    """Return whether a value is a table."""
    return isinstance(value, dict)


def are_tables(value: object) -> bool:
    """Return whether a value is a list of tables."""
    return isinstance(value, list) and all(map(is_table, value))


def is_data(value: object) -> bool:
    """Return whether a value is one of Puppet's: TOML's dates are not."""
    if isinstance(value, dict):
        return all(map(is_data, value.values()))
    if isinstance(value, list):
        return all(map(is_data, value))
    return not isinstance(value, (date, datetime, time))


# The versions that `puppet_version` takes, in words.
VERSIONS = "a version of Puppet (4 to 8, 8.9) or OpenVox (openvox-8, openvox-8.28, openvox-9)"


def is_version(value: object) -> bool:
    """Return whether a value is a version of Puppet or OpenVox: a number, or a text."""
    from analyzer.model.releases import Release

    try:
        Release.parse(str(value) if type(value) in (int, str) else "")
    except ValueError:
        return False
    return True


def one_of(*words: object) -> Key:
    """Return the key that takes one of some words; zero is not false."""
    listed = ", ".join(dumps(word) for word in words[:-1])
    return Key(
        lambda value: any(type(value) is type(word) and value == word for word in words),
        f"{listed} or {dumps(words[-1])}",
    )


def texts(value: str | Iterable[str]) -> list[str]:
    """Return a string as a list of one."""
    return [value] if isinstance(value, str) else list(value)


def kind_of(value: object) -> str:
    """Describe a value in TOML's words; a short one as it is written."""
    if isinstance(value, (bool, int, float, str)) and len(str(value)) <= SHORT:
        return dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        odd = [one for one in value if not is_text(one)]
        return f"an array with {kind_of(odd[0])}" if odd else "an array"
    return KINDS.get(type(value), "a date or time")


def folders(word: str) -> list[str]:
    """Return the folders of a path such as `modules:site-modules`."""
    return [folder for folder in word.split(os.pathsep) if folder]


TEXT = Key(is_text, "a string")
ANY_TEXT = Key(lambda value: isinstance(value, str), "a string")
TEXTS = Key(are_texts, "a string or a list of strings", many=True)
SWITCH = Key(lambda value: isinstance(value, bool), "true or false")
DATA = Key(is_data, "data without dates (write dates as strings)")

TRUSTED = {
    "authenticated": one_of("remote", "local", False),
    "certname": TEXT,
    "extensions": Key(is_table, "a table", values=DATA),
    "external": Key(is_table, "a table", values=DATA),
}

STUBS = {
    "facts": Key(is_table, "a table of facts", values=DATA),
    "functions": Key(is_table, "a table of functions and what they return", values=DATA),
    "templates": Key(is_table, "a table of templates and their texts", values=ANY_TEXT),
    "undef": Key(are_texts, "a list of the functions that return nothing", many=True),
}

AUTOMATIC = {
    "from": TEXTS,
    "kind": one_of("autorequire", "autosubscribe", "autobefore", "autonotify"),
    "select": one_of("absolute", "ancestors", "below", "names", "nearest_ancestor", "param"),
    "target": TEXT,
    "titles": TEXTS,
}

TYPE = {
    "automatic": Key(are_tables, "tables", keys=AUTOMATIC),
    "namevar": TEXT,
    "refreshable": SWITCH,
    "self_refresh": SWITCH,
}

COUNT = Key(lambda value: type(value) is int and value > 0, "a number above 0")

LEVEL = one_of("error", "warning", "note")

# A rule of the user's own, in the query language.
RULE = {
    "code": TEXT,
    "exclude": TEXTS,
    "find": TEXT,
    "help": TEXT,
    "message": TEXT,
    "severity": LEVEL,
}

# A contract; which of these keys it takes depends on its type.
CONTRACT = {
    "allow_indirect": SWITCH,
    "classes": TEXTS,
    "code": TEXT,
    "help": TEXT,
    "ignore": TEXTS,
    "layers": TEXTS,
    "modules": TEXTS,
    "name": TEXT,
    "requires": TEXTS,
    "severity": LEVEL,
    "source": TEXTS,
    "subscribes": TEXTS,
    "target": TEXTS,
    "type": one_of("layers", "independence", "forbidden", "acyclic", "requires"),
}

TUI = {
    "keys": Key(is_table, "a table of actions and their keys", values=TEXTS),
    "theme": one_of("dark", "light"),
}

KEYS: dict[str, Key] = {
    "allow_read": TEXTS,
    "baseline": TEXT,
    "contracts": Key(are_tables, "tables ([[contracts]])", keys=CONTRACT),
    "enc": TEXT,
    "environment": TEXT,
    "facts": TEXTS,
    "facts_dir": TEXT,
    "forge": TEXT,
    "hiera_config": TEXT,
    "ignore": TEXTS,
    "legacy_facts": SWITCH,
    "modulepath": Key(
        are_texts, TEXTS.wanted, many=True, split=lambda word: word.split(os.pathsep)
    ),
    "nodes": TEXTS,
    "nodes_dir": TEXT,
    "per_path": Key(is_table, "a table of patterns and the rules to leave out", values=TEXTS),
    "puppet_version": Key(is_version, VERSIONS),
    "roles": TEXTS,
    "ruby": Key(
        lambda value: is_text(value) or value is False,
        "'auto', 'off' or the path of a Ruby program",
    ),
    "rules": Key(are_tables, "tables ([[rules]])", keys=RULE),
    "select": TEXTS,
    "server_facts": Key(is_table, "a table", values=DATA),
    "severity": Key(is_table, "a table of rules and levels", values=LEVEL),
    "store": TEXT,
    "strict": SWITCH,
    "strict_variables": SWITCH,
    "stubs": Key(is_table, "a table", keys=STUBS),
    "trusted": Key(is_table, "a table", keys=TRUSTED),
    "tui": Key(is_table, "a table", keys=TUI),
    "types": Key(is_table, "a table of types", values=Key(is_table, "a table", keys=TYPE)),
    "worlds": COUNT,
}

# Values that are paths, written relative to the file.
PATHS = {
    "allow_read", "baseline", "enc", "facts", "facts_dir", "hiera_config", "modulepath",
    "nodes_dir", "ruby", "store",
}  # fmt: skip

# What runs a program, reads more files, writes one or asks a server, and what its option takes.
PROGRAMS = {
    "allow_read": "DIR", "enc": "PROGRAM", "forge": "URL", "ruby": "PATH", "store": "FILE",
}  # fmt: skip
