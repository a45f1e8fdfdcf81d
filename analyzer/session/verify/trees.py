"""Makes data small: facts and Hiera data, whose entries are left out as far as possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.session.verify.shrink import fewest


def fewest_entries(value: Any, holds: Callable[[Any], bool]) -> Any:
    """Return a value with as few entries of hashes and arrays as something needs to still hold."""
    if not isinstance(value, (dict, list)):
        return value
    entries = value if isinstance(value, dict) else dict(enumerate(value))

    def made(some: dict[Any, Any]) -> Any:
        return some if isinstance(value, dict) else list(some.values())

    keys = fewest(list(entries), lambda some: holds(made({key: entries[key] for key in some})))
    small = {key: entries[key] for key in keys}
    for key in keys:

        def still(one: Any, key: Any = key) -> bool:
            return holds(made({**small, key: one}))

        small[key] = fewest_entries(small[key], still)
    return made(small)
