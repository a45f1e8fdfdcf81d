"""The type of documents that are read and written."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    # An object of JSON, a mapping of YAML, a table of TOML. Check a value with isinstance before
    # you use it.
    JsonObject: TypeAlias = dict[str, Any]
else:
    JsonObject = dict
