"""Values that users give instead of computed ones: facts, functions, templates."""

from __future__ import annotations

from dataclasses import dataclass, field

from analyzer.model.documents import JsonObject


@dataclass(frozen=True, slots=True)
class Stubs:
    """Values by name.

    `functions` are the results of calls with any arguments; `templates` the texts of templates
    by `module/file`; `facts` are merged into those of the machine, hashes key by key.
    """

    functions: JsonObject = field(default_factory=dict)
    templates: dict[str, str] = field(default_factory=dict)
    facts: JsonObject = field(default_factory=dict)
