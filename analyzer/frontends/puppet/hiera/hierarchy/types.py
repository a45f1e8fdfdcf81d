"""The data types of a hiera.yaml (pops/lookup/hiera_config.rb)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.hiera.values.schema import (
    Array,
    Boolean,
    Data,
    Either,
    HashOf,
    Number,
    Struct,
    Text,
    Type,
    Words,
)

FUNCTIONS = ("data_hash", "lookup_key", "data_dig", "hiera3_backend")
LOCATIONS = ("path", "paths", "glob", "globs", "uri", "uris", "mapped_paths")
RESERVED_OPTIONS = ("path", "uri")

_name = Text(1)
_names = Array(_name, 1)
_option = Words(pattern=r"\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z")
_options = HashOf(_option, Data())
_level = Struct(
    {
        "name": _name,
        "options": _options,
        "data_hash": _name,
        "lookup_key": _name,
        "hiera3_backend": _name,
        "v4_data_hash": _name,
        "data_dig": _name,
        "path": _name,
        "paths": _names,
        "glob": _name,
        "globs": _names,
        "uri": _name,
        "uris": _names,
        "mapped_paths": Array(_name, 3, 3),
        "datadir": _name,
    },
    required=("name",),
)
_hierarchy = Array(_level)
_defaults = Struct(
    {
        "data_hash": _name,
        "lookup_key": _name,
        "data_dig": _name,
        "datadir": _name,
        "options": _options,
    }
)
VERSION_5 = Struct(
    {
        "version": Number(5),
        "defaults": _defaults,
        "hierarchy": _hierarchy,
        "plan_hierarchy": _hierarchy,
        "default_hierarchy": _hierarchy,
    },
    required=("version",),
)
VERSION_4 = Struct(
    {
        "version": Number(4),
        "datadir": _name,
        "hierarchy": Array(
            Struct(
                {
                    "backend": _name,
                    "name": _name,
                    "datadir": _name,
                    "path": _name,
                    "paths": Array(_name),
                },
                required=("backend", "name"),
            )
        ),
    },
    required=("version",),
)
_one_or_more = Either((_name, Array(_name)))


def version_3(backends: list[str]) -> Struct:
    """Return the type of a hiera.yaml of version 3, which has a key for each backend."""
    fields: dict[str, Type] = {
        "version": Number(3),
        "backends": _one_or_more,
        "logger": _name,
        "merge_behavior": Words(("deep", "deeper", "native")),
        "deep_merge_options": HashOf(_name, Either((Text(), Boolean()))),
        "hierarchy": _one_or_more,
    }
    settings: Any = HashOf(_name, Type())
    return Struct(fields | dict.fromkeys(backends, settings))
