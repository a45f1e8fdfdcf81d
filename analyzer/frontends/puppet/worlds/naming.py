"""Values to try of inputs that computed names of classes depend on.

They are those that a type lists, else those with which the name is that of a class of the code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Protocol

from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.node.modules import manifests_below
from analyzer.frontends.puppet.node.systems import SYSTEMS
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.worlds.expressions import distinct
from analyzer.frontends.puppet.worlds.question import Question
from analyzer.frontends.puppet.worlds.tests import ABSENT, Value
from analyzer.frontends.puppet.worlds.types import definition_in, listed_values, may_be
from analyzer.frontends.puppet.worlds.world import World

# The most values to try of one input: each class is compiled by itself, too.
MOST_NAMES = 8
# The module in which a name begins.
MODULE = re.compile(r"(?:::)?([a-z][a-z0-9_]*)::")


class Inputs(Protocol):
    """The inputs of a program, as far as names ask for them."""

    def parameter(self, name: str) -> a.Parameter | None:
        """Return the parameter of a class by its name."""
        ...

    def value_in(self, world: World, name: str) -> Value:
        """Return the value of an input in a world."""
        ...


class ClassNames:
    """The classes of the code by the patterns of computed names."""

    def __init__(self, known: DefinitionTable) -> None:
        self.known = known
        self.found: dict[str, list[str] | None] = {}

    def values(self, inputs: Inputs, question: Question) -> list[Value] | None:
        """Return the values to try of an input, None if they are too many or not known."""
        name = question.input
        if question.values:
            return [*question.values] if len(question.values) <= MOST_NAMES else None
        parameter = inputs.parameter(name) if "::" in name else None
        kind = None if parameter is None else parameter.type_expr
        found = None if kind is None else listed_values(kind, self.known)
        if found is None:
            texts = self.matched(question.naming)
            if texts is None:
                return None
            of_systems = [] if "::" in name else [*self.on_systems(inputs, name)]
            if of_systems:
                wanted = {text.lower() for text in texts}
                found = [one for one in of_systems if str(one).lower() in wanted]
            else:
                untyped = "::" in name and kind is None
                is_list = untyped and isinstance(inputs.value_in(World(""), name), list)
                found = [*self.fitting(texts, kind, is_list=is_list)]
                if texts and not found:
                    return None
        found = [one for one in distinct(found) if one is not ABSENT]
        return found if len(found) <= MOST_NAMES else None

    def on_systems(self, inputs: Inputs, name: str) -> Iterator[Value]:
        """Yield the values that a fact has on real systems."""
        values = (inputs.value_in(World(system), name) for system in SYSTEMS)
        yield from distinct(value for value in values if value is not ABSENT)

    def fitting(self, texts: Sequence[str], kind: Any, *, is_list: bool) -> Iterator[Value]:
        """Yield texts as values of a type: as numbers or arrays where it is one of these."""
        for text in texts:
            forms: list[Value] = [text, [text]]
            forms += [int(text)] if text.isdecimal() and text.isascii() else []
            if kind is None:
                yield [text] if is_list else text
            else:
                yield from [one for one in forms if may_be(kind, one)][:1]

    def matched(self, naming: str) -> list[str] | None:
        """Return the texts for the group of a pattern with which it matches classes of the code.

        None if the pattern does not begin with the name of a module, or matches too many.
        """
        if naming not in self.found:
            self.found[naming] = self.match(naming)
        return self.found[naming]

    def match(self, naming: str) -> list[str] | None:
        """Return the texts for the group of a pattern, None if they are unknown or too many."""
        module = MODULE.match(naming)
        if module is None:
            return None
        full = partial(re.fullmatch, naming.removeprefix("::"))
        matches = {name: match for name in self.names_in(module[1]) if (match := full(name))}
        if len(matches) > MOST_NAMES:
            return None
        found = {name: definition_in(self.known, name) for name in matches}
        return distinct(
            matches[name][1]
            for name, one in found.items()
            if one is not None and one.kind == "class"
        )

    def names_in(self, module: str) -> list[str]:
        """Return the names of a module's manifests, and of classes beside the modules, sorted."""
        start = f"{module}::"
        found = {
            name
            for (kind, name), one in self.known.found.items()
            if kind == "class" and not one.module and name.startswith(start)
        }
        folder = self.known.module(module)
        manifests = os.path.join(folder, "manifests") if folder else ""
        for file in manifests_below(manifests) if folder else ():
            inside = os.path.relpath(file, manifests).removesuffix(".pp")
            found.add(start + inside.replace(os.sep, "::"))
        return sorted(found)
