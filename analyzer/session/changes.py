"""Changes of files and of keys in data since a result was stored."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from analyzer.frontends.puppet.hiera.sources.parts import (
    JSON,
    KEYS,
    NUL,
    YAML,
    files_and_form,
    state,
    table_in,
    values_by_key,
)


@dataclass(slots=True)
class NoteChanges:
    """The names in the notes of `noting` whose states have changed.

    `files` are files, and data of which all keys may have changed; `keys` are the names of the
    changed keys of other data.
    """

    files: set[str] = field(default_factory=set)
    keys: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, before: str, now: str) -> None:
        """Add a name with its states."""
        old, new = map(table_in, (before, now)) if NUL in name else (None, None)
        if old is None or new is None:
            self.files.add(name)
            return
        changed = [f"{NUL}{key}" for key in old.keys() | new.keys() if old.get(key) != new.get(key)]
        if changed:
            self.keys[name] = changed

    def concern(self, read: Container[str]) -> bool:
        """Return whether a result depends on a change; `read` are the names noted for it."""
        if any(name in read for name in self.files):
            return True
        return any(
            (name in read or files_and_form(name)[1] == KEYS) and any(key in read for key in keys)
            for name, keys in self.keys.items()
        )


def state_in_form(form: str, files: Sequence[str], states: Iterable[str]) -> str:
    """Return the present state of files in a form."""
    from analyzer.frontends.puppet.hiera.errors import LookupFault, RubyFault
    from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles, json_file, yaml_file
    from analyzer.frontends.puppet.node.names import keys_in

    if form == KEYS:
        return state(states, dict.fromkeys(sorted(keys_in(files, {})), ""))
    read = partial(ParsedFiles().read, files[0])
    try:
        return state(states, values_by_key(read({YAML: yaml_file, JSON: json_file}[form])))
    except (LookupFault, RubyFault, RecursionError):
        return state(states, None)
