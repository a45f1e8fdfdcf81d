"""`catgraph.toml`: what users settle for a project, read and checked in one place.

The nearest one at or above the input is found, or one is named. A file that was found may be part
of the analysed code, which may not be reviewed yet: keys that would run a program, write a
file, ask a server or read more files (PROGRAMS, and paths out of the checkout) count only in a file
that was named.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analyzer.config.keys import KEYS, PATHS, PROGRAMS, Key, kind_of, texts
from analyzer.diagnostics import InputError
from analyzer.model.documents import JsonObject
from analyzer.model.stubs import Stubs
from analyzer.reach import LINKED_OUT, leads_out, may_read, roots_of
from analyzer.reading import read_text
from analyzer.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.config.places import Step

# Most runs have no configuration file: `tomllib` and `places` are imported when there is one.

# `facts = ["@debian-12"]` names no file.
TYPICAL = "@"


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration file; a key that it does not have is None or empty.

    Paths are relative to the current folder, or absolute. `named` says that the user named the
    file, `text` is what stands in it. `ruby` is `auto`, `off` or a path.
    """

    path: str
    text: str = ""
    named: bool = False
    puppet_version: int | None = None
    strict_variables: bool | None = None
    strict: bool = False
    modulepath: tuple[str, ...] = ()
    allow_read: tuple[str, ...] = ()
    hiera_config: str | None = None
    nodes: tuple[str, ...] = ()
    nodes_dir: str | None = None
    roles: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    facts_dir: str | None = None
    legacy_facts: bool = False
    environment: str | None = None
    enc: str | None = None
    forge: str | None = None
    ruby: str | None = None
    store: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: str | None = None
    severity: dict[str, str] = field(default_factory=dict)
    per_path: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stubs: Stubs = field(default_factory=Stubs)
    trusted: JsonObject = field(default_factory=dict)
    server_facts: JsonObject = field(default_factory=dict)
    types: dict[str, JsonObject] = field(default_factory=dict)
    tui: JsonObject = field(default_factory=dict)
    rules: tuple[JsonObject, ...] = ()
    contracts: tuple[JsonObject, ...] = ()
    worlds: int | None = None

    def wrong(self, message: str, *steps: Step) -> InputError:
        """Return an error about the value of a key, with its place."""
        from analyzer.config.places import wrong

        return wrong(self.path, self.text, message, *steps)

    def wrong_in(self, message: str, number: int, *steps: Step) -> InputError:
        """Return an error about a character of a string, with its place."""
        from analyzer.config.places import wrong_in

        return wrong_in(self.path, self.text, message, number, *steps)

    def span(self, *steps: Step) -> Span:
        """Return the place of a key, or of an element of a list."""
        from analyzer.config.places import span_of

        return span_of(self.path, self.text, *steps)

    def existing(self, key: str) -> Any:
        """Return the value of a key that names files.

        Raises:
            InputError: one of them is not there.
        """
        value = self.paths(key)
        for path in texts(value or []):
            if not (path.startswith(TYPICAL) or os.path.isfile(path)):
                raise self.wrong(f"'{key}': no such file: {path}", key)
        return value

    def program(self, key: str) -> Any:
        """Return the value of one of PROGRAMS.

        Raises:
            InputError: it is given, and the file is not one that the user named.
        """
        value = getattr(self, key)
        if value in (None, (), "off") or self.named:
            return value
        raise self.unnamed(key, f"--{key.replace('_', '-')} {PROGRAMS[key]}")

    def paths(self, key: str) -> Any:
        """Return the value of a key that names files or folders to read.

        Raises:
            InputError: some of it is not part of the checkout, and the user did not name the file.
        """
        value = getattr(self, key)
        roots = roots_of([os.path.dirname(os.path.abspath(self.path))])
        if self.named or all(
            path.startswith(TYPICAL) or may_read(path, roots) for path in texts(value or [])
        ):
            return value
        raise self.unnamed(key, f"--{key.replace('_', '-')}", " with paths outside of the checkout")

    def unnamed(self, key: str, option: str, what: str = "") -> InputError:
        """Return the error of a key that an unreviewed file may not have."""
        return self.wrong(
            f"'{key}'{what} is ignored here, because this file may not be reviewed; "
            f"to use it, give {option} or --config {self.path}",
            key,
        )


# Letters of a configuration; an unreviewed one may have any number.
MOST = 1 << 20


def near(path: str) -> str:
    """Return a path as seen from the current folder if it lies below it, else as it is."""
    here = os.path.join(os.getcwd(), "")
    return path[len(here) :] if path.startswith(here) else path


def load(path: str, *, named: bool = False) -> Config:
    """Read a configuration file.

    Raises:
        InputError: it cannot be read, is no TOML, or says something that means nothing.
    """
    import tomllib

    from analyzer.config.places import MOST_PARTS, has_long_key, toml_error

    if not named and leads_out(path):
        raise InputError(f"cannot be read: {LINKED_OUT}", Span(path), "bad-config")
    try:
        text = read_text(path)
        if len(text) > MOST:
            raise InputError(f"has more than {MOST:,} characters", Span(path), "bad-config")
        if has_long_key(text):
            said = f"has a key of more than {MOST_PARTS} parts"
            raise InputError(said, Span(path), "bad-config")
        document = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path), "bad-config") from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", Span(path), "bad-config") from None
    except tomllib.TOMLDecodeError as error:
        raise toml_error(path, text, error) from None
    except RecursionError:
        raise InputError("is nested too deeply", Span(path), "bad-config") from None
    check_table(path, text, document, KEYS, ())
    return of_document(path, text, named, document)


def of_document(path: str, text: str, named: bool, document: JsonObject) -> Config:
    """Return the value of a document that was checked."""
    folder = os.path.dirname(path)
    values: JsonObject = {}
    for key, value in document.items():
        if key == "stubs":
            values[key] = stubs_of(value)
        elif key == "per_path":
            values[key] = {pattern: tuple(texts(codes)) for pattern, codes in value.items()}
        elif key in ("rules", "contracts"):
            values[key] = tuple(value)
        elif KEYS[key].many:
            parts = [part for word in texts(value) for part in KEYS[key].split(word)]
            values[key] = tuple(below(folder, part) if key in PATHS else part for part in parts)
        elif key == "puppet_version":
            from analyzer.model.releases import Release

            values[key] = Release.parse(str(value))
        elif key == "ruby" and value in (False, "off", "auto"):
            values[key] = value or "off"
        else:
            values[key] = below(folder, value) if key in PATHS else value
    return Config(path, text, named, **values)


def stubs_of(tables: JsonObject) -> Stubs:
    """Return the stubs; what `undef` names returns nothing."""
    nothing = dict.fromkeys(texts(tables.get("undef", [])))
    functions = {**nothing, **tables.get("functions", {})}
    bare = {name.removeprefix("::"): value for name, value in functions.items()}
    return Stubs(bare, tables.get("templates", {}), tables.get("facts", {}))


def below(folder: str, path: str) -> str:
    """Return a path that is written relative to a folder; `@debian-12` names facts, no file."""
    if path.startswith(TYPICAL):
        return path
    return near(os.path.normpath(os.path.join(folder, os.path.expanduser(path))))


def check_table(
    path: str, text: str, table: dict[str, object], keys: dict[str, Key], steps: tuple[Step, ...]
) -> None:
    """Check the keys of a table and what they hold.

    Raises:
        InputError: a key means nothing, or its value is of another kind.
    """
    from analyzer.config.places import wrong

    for name, value in table.items():
        if name not in keys:
            raise wrong(path, text, no_key(name, keys, shown(steps)), *steps, name)
        check_value(path, text, value, keys[name], (*steps, name))


def check_value(path: str, text: str, value: Any, key: Key, steps: tuple[Step, ...]) -> None:
    """Check what a key holds.

    Raises:
        InputError: it is of another kind.
    """
    from analyzer.config.places import wrong

    if not key.takes(value):
        message = f"'{shown(steps)}' takes {key.wanted}, not {kind_of(value)}"
        raise wrong(path, text, message, *steps)
    if key.keys is not None and isinstance(value, list):
        for number, row in enumerate(value):
            check_table(path, text, row, key.keys, (*steps, number))
    elif key.keys is not None:
        check_table(path, text, value, key.keys, steps)
    elif key.values is not None:
        for entry, one in value.items():
            check_value(path, text, one, key.values, (*steps, entry))


def shown(steps: Iterable[Step]) -> str:
    """Return steps as a dotted key, without the places in lists."""
    return ".".join(step for step in steps if isinstance(step, str))


def no_key(name: str, keys: Iterable[str], table: str = "") -> str:
    """Return the message about an unknown key."""
    from difflib import get_close_matches

    message = f"unknown key '{name}' in '{table}'" if table else f"unknown key '{name}'"
    meant = get_close_matches(name, keys, 1)
    hint = f"did you mean '{meant[0]}'?" if meant else f"the keys are {', '.join(sorted(keys))}"
    return f"{message}; {hint}"
