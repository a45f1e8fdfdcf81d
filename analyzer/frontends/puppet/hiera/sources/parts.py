"""Notes which keys of data files a result depends on, so that other keys may change.

`noting` has three kinds of names: a file as a whole; files and a form, separated by NUL, with a
table of the files' keys as state; and after a NUL a key that was looked up, in any of them.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Mapping

from analyzer.digest import blake2b
from analyzer.reading import NOTES

# The forms: values by key of YAML and JSON, and the keys that any text mentions.
YAML, JSON, KEYS = "yaml", "json", "keys"
NUL = "\0"

# How many times larger the values one by one may be than together, where aliases count once.
MOST = 16


def note_key(key: str) -> None:
    """Note that a key was looked up."""
    if (notes := NOTES.get()) is not None:
        notes[f"{NUL}{key}"] = ""


def name_of(files: Iterable[str], form: str) -> str:
    """Return the name of files in a form."""
    return NUL.join([*files, form])


def files_and_form(name: str) -> tuple[list[str], str]:
    """Return the files and the form of a name that has them; a key has no files."""
    *files, form = name.split(NUL)
    return ([], "") if name.startswith(NUL) else (files, form)


def is_about_keys(name: str) -> bool:
    """Return whether a noted name is a key, or files in a form."""
    return NUL in name


def whole(states: Iterable[str]) -> str:
    """Return the digest of the states of files."""
    return digest("\n".join(states).encode("utf-8", "surrogatepass"))


def state(states: Iterable[str], table: Mapping[str, str] | None) -> str:
    """Return the state of files in a form: the digest of the files, and their keys.

    None: they have no keys.
    """
    return f"{whole(states)}\n{json.dumps(table)}"


def table_in(state_: str) -> dict[str, str] | None:
    """Return the keys in a state, with digests of their values."""
    found: dict[str, str] | None = json.loads(state_.partition("\n")[2])
    return found


def values_by_key(data: object) -> dict[str, str] | None:
    """Return the digests of the values of data by key.

    None: it is no hash, or aliases repeat long values in many keys.
    """
    if not isinstance(data, dict):
        return None
    found: dict[str, str] = {}
    try:
        left = MOST * len(pickle.dumps(data, 5))
        for key, value in data.items():
            if isinstance(key, str) and left > 0:
                row = pickle.dumps(value, 5)
                left -= len(row)
                found[key] = digest(row)
    except (pickle.PicklingError, RecursionError, TypeError, AttributeError):
        return None
    return found if left > 0 else None


def digest(data: bytes) -> str:
    """Return the digest of bytes."""
    return blake2b(data, digest_size=16).hexdigest()
