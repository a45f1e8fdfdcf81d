"""The surroundings of a value: the policy, the classes that are set, and the machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.policy.host_files import Files
from analyzer.frontends.cfengine.policy.unknown import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.blocks import Policy
    from analyzer.frontends.cfengine.policy.classes import Classes
    from analyzer.frontends.cfengine.policy.variables import Key

VERSION = "3.21.0"


@dataclass(frozen=True, slots=True)
class World:
    """The values that functions query beside variables; `private` are the classes of the call of
    the current bundle.

    `files` are those of the machine, `version` is that of the agent.
    """

    policy: Policy | None = None
    classes: Classes | None = None
    private: tuple[set[str], ...] = ()
    files: Files = field(default_factory=Files)
    version: str = VERSION
    # The declared types of variables.
    types: Mapping[Key, str] = field(default_factory=dict)
    tags: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    # Sets a variable, for functions that do so besides their result.
    assign: Callable[[str, str | Unknown], None] = lambda name, value: None
