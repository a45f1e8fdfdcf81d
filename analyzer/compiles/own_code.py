"""The classes and defined types of the code itself, and the order in which they are compiled.

A role brings its profiles, and a profile its classes, so they are tried in that order: each round
leaves out what an earlier one has compiled.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.node.environment import Environment, Settings
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable

# The rounds: classes whose names match, from those that bring most others.
ROUNDS = tuple(map(re.compile, (r"roles?(::.*)?", r"(profiles?|site)(::.*)?", r"[^:]*", r".*")))


@dataclass(frozen=True, slots=True)
class OwnDefinition:
    """A class or a defined type (`kind` is `class` or `define`) with its place."""

    kind: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class OwnCode:
    """The code itself: its definitions, and its manifests with node blocks."""

    definitions: Sequence[OwnDefinition]
    of_nodes: Sequence[str] = ()


def rounds_of(
    own: Iterable[str],
    reached: Collection[str],
    compile_round: Callable[[tuple[str, ...]], Collection[str]],
) -> None:
    """Compile what no catalog has, round by round; `compile_round` returns what it reached."""
    left = dict.fromkeys(name for name in own if name not in reached)
    for matching in ROUNDS:
        names = tuple(name for name in left if matching.fullmatch(name))
        if names:
            done = {*names, *compile_round(names)}
            left = dict.fromkeys(name for name in left if name not in done)


def has_choice(settings: Settings) -> bool:
    """Return whether the user chose what is compiled."""
    return bool(settings.node or settings.nodes_dir or settings.classes)


def of_site(environment: Environment, own: Iterable[OwnDefinition]) -> list[OwnDefinition]:
    """Return the definitions that the nodes of a site may use: of its manifests and modules."""
    files = set(map(os.path.realpath, environment.manifests))
    places = (*environment.modulepath, *environment.placed.values())
    folders = [os.path.join(os.path.realpath(path), "") for path in places]
    return [
        one
        for one in own
        if (file := os.path.realpath(one.span.file)) in files or file.startswith(tuple(folders))
    ]


def of_module(folder: str, name: str, own: Iterable[OwnDefinition]) -> list[OwnDefinition]:
    """Return the definitions in files of a module that have its name, as Puppet looks for them."""
    place = os.path.join(os.path.realpath(folder), "")
    return [
        one
        for one in own
        if one.name.partition("::")[0].lower() == name
        and os.path.realpath(one.span.file).startswith(place)
    ]


def is_defined(known: DefinitionTable, name: str) -> bool:
    """Return whether a class or a defined type is where Puppet looks for it."""
    with suppress(ParseError, EvaluationError):
        found = known.find_class_or_define(name)
        return found is not None and not found.missing
    return True
