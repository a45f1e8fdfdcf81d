"""The results of a file's last traced compiles: where values come from, and what data reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.frontends.puppet.origins.telling import OriginRow

# A resource or class by reference, and the name of its attribute or variable.
Named = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TracedNode:
    """A node or class whose compile was traced, as plain values.

    `origins` are the rows about values of the file: attributes of its resources, and parameters
    and variables of its classes. `reached` has the keys that took part, by file of data.
    """

    name: str
    origins: Mapping[Named, tuple[OriginRow, ...]] = field(default_factory=dict)
    reached: Mapping[str, frozenset[str]] = field(default_factory=dict)
