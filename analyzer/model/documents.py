"""A name for the documents that are read and written."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    # An object of JSON, a mapping of YAML, a table of TOML. Ask with isinstance before you use a
    # value.
    JsonObject: TypeAlias = dict[str, Any]
else:
    JsonObject = dict
