"""A target: one compile of a plan."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Target:
    """One compile: a node, or a class by itself, with a set of facts.

    `origin` is the place that names the node, and `reason` says why it is compiled. A `role` is
    compiled as a node of its own, to which a classifier gives that class; node blocks do not apply
    to it. `alone` is the class that is compiled by itself, without its `::`. `facts` is the name of
    a set of facts, empty if there is none. `codebase` is the number of the plan's code.
    """

    node: str
    origin: str
    reason: str = field(default="", compare=False)
    role: str | None = None
    alone: str = ""
    facts: str = ""
    codebase: int = 0

    @property
    def name(self) -> str:
        """Return the name that reports show."""
        return f"class {self.alone}" if self.alone else self.role or self.node
