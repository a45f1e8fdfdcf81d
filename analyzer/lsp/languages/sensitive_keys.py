"""Keys of Hiera data whose values are Sensitive: hover does not show them."""

from __future__ import annotations

import re

from analyzer.lsp.languages.hierarchy import value_of
from analyzer.lsp.languages.parameters import parameter_of
from analyzer.lsp.state.snapshot import Snapshot

OPTIONS = "lookup_options"
SENSITIVE = "Sensitive"


def is_sensitive(snapshot: Snapshot, path: str, key: str) -> bool:
    """Return whether a key sets a Sensitive parameter, or is converted to Sensitive."""
    parameter = parameter_of(snapshot, path, key)
    if parameter is not None and SENSITIVE in parameter.type:
        return True
    for one in snapshot.index.declared.get(("key", OPTIONS), ()):
        text = snapshot.text(one)
        value = value_of(text) if SENSITIVE in text else None
        rows = value.get(OPTIONS) if isinstance(value, dict) else None
        for pattern, options in rows.items() if isinstance(rows, dict) else ():
            to = options.get("convert_to") if isinstance(options, dict) else None
            if SENSITIVE in str(to) and fits(str(pattern), key):
                return True
    return False


def fits(pattern: str, key: str) -> bool:
    """Return whether a key of options may be about a key of data.

    Only the literal prefix of a regular expression is compared: matching the rest of an untrusted
    one could take forever.
    """
    if not pattern.startswith("^"):
        return pattern == key
    plain = re.match(r"\^([\w:]*)", pattern)
    return plain is None or key.startswith(plain[1])
