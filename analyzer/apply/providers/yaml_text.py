"""A value as YAML, written as Ruby's Psych writes it."""

from __future__ import annotations

from typing import Any

import yaml

# Words that YAML 1.1 took for booleans.
_LETTERS = frozenset("yYnN")


class _Dumper(yaml.SafeDumper):
    """Quotes what Psych quotes, keeps lines as lines, leaves nothing where nothing is."""


def _text(dumper: _Dumper, value: str) -> yaml.Node:
    style = '"' if value in _LETTERS else "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _nothing(dumper: _Dumper, _: None) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:null", "")


_Dumper.add_representer(str, _text)
_Dumper.add_representer(type(None), _nothing)


def yaml_text(value: Any) -> str:
    """Return the document."""
    return yaml.dump(
        value,
        Dumper=_Dumper,
        explicit_start=True,
        default_flow_style=False,
        sort_keys=False,
        allow_unicode=True,
    )
