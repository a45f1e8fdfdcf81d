"""Finds where code reads legacy facts, and the structured facts that replace them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.node.legacy_facts import expression_of, is_legacy, path_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.linter.puppet.ancestors import Ancestors
from analyzer.linter.puppet.site_texts import (
    facts_beside,
    facts_of_site,
    site_of,
    top_level_of,
)
from analyzer.linter.puppet.subjects import Manifest, manifest_of
from analyzer.linter.rule import Proposal
from analyzer.reach import leads_out
from analyzer.reading import read_text

DEFINITIONS = (
    a.HostClassDefinition,
    a.ResourceTypeDefinition,
    a.NodeDefinition,
    a.FunctionDefinition,
    a.PlanDefinition,
)
FACTS = ("facts", "::facts")
# The most classes that a class inherits from, one from another.
DEEPEST = 5


@dataclass(frozen=True, slots=True)
class LegacyRead:
    """A place that reads a legacy fact, and the edit that replaces it, None where there is none."""

    name: str
    written: str
    start: int
    edit: Edit | None

    @property
    def message(self) -> str:
        """Return the message with the fact to use."""
        return message_of(self.written, self.name)

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Return the edit as a fix, which is offered only after it is verified."""
        return () if self.edit is None else (Proposal("read the structured fact", (self.edit,)),)


def message_of(written: str, name: str) -> str:
    """Return the message about a legacy fact as it is written."""
    return f"`{written}` is a legacy fact, which Puppet 8 does not send; use {expression_of(name)}"


def reads_of(manifest: Manifest) -> Iterator[LegacyRead]:
    """Yield the places of a manifest, or of a template in the Puppet language, in their order."""
    own = OwnNames(manifest)
    kinds = (a.VariableExpression, a.AccessExpression, a.CallNamedFunctionExpression)
    for node, around in manifest.nodes(*kinds):
        if isinstance(node, a.VariableExpression):
            found = variable(manifest, node, around, own)
        elif isinstance(node, a.AccessExpression):
            found = entry(manifest, node, around, own)
        else:
            found = call(manifest, node, own)
        if found is not None:
            yield found


def variable(
    manifest: Manifest, node: a.VariableExpression, around: Ancestors, own: OwnNames
) -> LegacyRead | None:
    """Return a variable that is a legacy fact."""
    written = getattr(node.expr, "value", "")
    name = written.removeprefix("::") if isinstance(written, str) else ""
    if not is_legacy(name) or own.sets(name, around, top=written != name):
        return None
    if is_set(node, around):
        return None
    return replaced(manifest, node, around, name, f"${written}")


def is_set(node: a.VariableExpression, around: Ancestors) -> bool:
    """Return whether a variable is the left side of an assignment."""
    return any(isinstance(one, a.AssignmentExpression) and one.left_expr is node for one in around)


def entry(
    manifest: Manifest, node: a.AccessExpression, around: Ancestors, own: OwnNames
) -> LegacyRead | None:
    """Return `$facts['name']` of a legacy fact."""
    left = node.left_expr
    if not isinstance(left, a.VariableExpression) or len(node.keys) != 1:
        return None
    name = getattr(node.keys[0], "value", "")
    if getattr(left.expr, "value", "") not in FACTS or not isinstance(name, str):
        return None
    if not is_legacy(name) or name in own.facts:
        return None
    return replaced(manifest, node, around, name, f"$facts['{name}']")


def call(
    manifest: Manifest, node: a.CallNamedFunctionExpression, own: OwnNames
) -> LegacyRead | None:
    """Return `fact('name')` of a legacy fact."""
    if getattr(node.functor_expr, "value", "") != "fact" or len(node.arguments) != 1:
        return None
    argument = node.arguments[0]
    name = getattr(argument, "value", "")
    if not isinstance(name, str) or not is_legacy(name) or name in own.facts:
        return None
    path, edit = path_of(name), None
    if path and argument.length == len(name) + 2:
        start = argument.offset
        edit = Edit(manifest.file, start, start + argument.length, f"'{'.'.join(path)}'")
    return LegacyRead(name, f"fact('{name}')", node.offset, edit)


def replaced(
    manifest: Manifest, node: Node, around: Ancestors, name: str, written: str
) -> LegacyRead:
    """Return the read of a fact with the edit that replaces a node."""
    text, start, end = manifest.text, node.offset, node.offset + node.length
    whole, edit = manifest.source(node), None
    if path_of(name):
        new = expression_of(name, safe=True)
        in_text = isinstance(around[-1], a.TextExpression)
        if not whole.startswith("$"):
            # The first name in braces has no mark of its own.
            new = new.removeprefix("$")
        elif in_text and text[:start].rstrip()[-1:] != "{":
            new = f"${{{new.removeprefix('$')}}}"
        edit = Edit(manifest.file, start, end, new)
    return LegacyRead(name, written, start, edit)


class OwnNames:
    """The variables that hide legacy facts in a manifest, and the custom facts of its site."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        file = manifest.file
        site = site_of(file)
        self.facts = facts_beside(file) | (facts_of_site(site) if site else frozenset())
        self.top = top_level_of(file)
        self.by_home: dict[int, frozenset[str]] = {}
        for node, around in manifest.nodes(a.AssignmentExpression, a.Parameter):
            home = home_of(around)
            key = -1 if home is None else home.offset
            self.by_home[key] = self.by_home.get(key, frozenset()) | frozenset(set_by(node))

    def sets(self, name: str, around: Ancestors, *, top: bool) -> bool:
        """Return whether a variable is not the fact of its name, as far as is known."""
        if name in self.facts or name in self.top:
            return True
        if top:
            return False
        home = home_of(around)
        if home is None:
            return name in self.by_home.get(-1, ())
        if name in self.by_home.get(home.offset, ()):
            return True
        parent = home.parent_class if isinstance(home, a.HostClassDefinition) else None
        return parent is not None and inherits(self.manifest.file, parent, name)


def home_of(around: Ancestors) -> Node | None:
    """Return the definition around a node."""
    return next((one for one in reversed(around) if isinstance(one, DEFINITIONS)), None)


def set_by(node: a.AssignmentExpression | a.Parameter) -> Iterator[str]:
    """Yield the variables that an assignment or a parameter sets."""
    if isinstance(node, a.Parameter):
        yield node.name
        return
    left = node.left_expr
    for one in left.values if isinstance(left, a.LiteralList) else (left,):
        written = getattr(getattr(one, "expr", None), "value", None)
        if isinstance(written, str):
            yield written


def inherits(file: str, parent: str, name: str) -> bool:
    """Return whether a class that a class inherits from sets a variable, or cannot be read."""
    for _ in range(DEEPEST):
        place = place_of_class(file, parent)
        try:
            text = "" if not place or leads_out(place) else read_text(place, "replace")
        except OSError:
            text = ""
        found = manifest_of(place, text) if text else None
        if found is None:
            return True
        setters = found.nodes(a.AssignmentExpression, a.Parameter)
        if any(name in set_by(node) for node, _ in setters):
            return True
        homes = [node for node, _ in found.nodes(a.HostClassDefinition)]
        above = next((one.parent_class for one in homes if one.name.strip(":") == parent), None)
        if not above:
            return False
        parent = above.removeprefix("::")
    return True


def place_of_class(file: str, name: str) -> str:
    """Return the manifest of a class in the folder of modules of another one's file."""
    module, found, _ = os.path.abspath(file).rpartition(f"{os.sep}manifests{os.sep}")
    if not found:
        return ""
    first, *rest = name.removeprefix("::").split("::")
    folder = module if os.path.basename(module).rpartition("-")[2] == first else ""
    folder = folder or os.path.join(os.path.dirname(module), first)
    return os.path.join(folder, "manifests", *(rest or ["init"])) + ".pp"
