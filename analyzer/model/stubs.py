"""Values that users give in place of what cannot be computed: facts, functions, templates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Stubs:
    """Values by name.

    `functions` are what calls return, whatever their arguments; `templates` the texts of templates
    by `module/file`; `facts` are merged into those of the machine, hashes key by key.
    """

    functions: dict[str, Any] = field(default_factory=dict)
    templates: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
