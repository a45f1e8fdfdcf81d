"""Automatic relationships that the Ruby file of a module's type declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# The kind of an entry which says that the file of a type has no blocks but those of other entries.
ALL_READ = "all read"


@dataclass(frozen=True, slots=True)
class TypeRelation:
    """A block such as `autorequire(:file) { self[:path] }` of a type, or its method `generate`.

    `kind` is `autorequire`, ..., `generate` or ALL_READ; `titles` are the titles that the block
    names, by the reference of the resource. `unknown` describes the part that cannot be read; it is
    empty if all is known. A `generate` without it generates nothing. `source` is the file.
    """

    type: str
    kind: str
    target: str
    titles: Mapping[str, tuple[str, ...]]
    unknown: str = ""
    source: str = ""
