"""Facts of a machine from a file: what facter prints, or what Puppet keeps of a node."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.legacy_facts import is_legacy, legacy_facts
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.model.documents import JsonObject
from analyzer.reach import LINKED_OUT, leads_out
from analyzer.reading import read_text
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.puppet.node.environment import Settings

# Endings of the files of a folder with one for each node.
OF_DATA = frozenset({".json", ".yaml", ".yml"})

# How Puppet's own cache marks its facts.
RUBY_OBJECT = re.compile(r"\A---\s*!ruby/object:\S+")


def read_facts(path: str) -> JsonObject:
    """Read facts from JSON or YAML: a map, as facter prints it, or Puppet's own with `values`.

    `@debian-12` is no file, but the typical facts of that system.

    Raises:
        InputError: the file cannot be read, or does not hold a map.
    """
    from analyzer.formats.yaml_reader import load

    if path.startswith(MARK):
        from analyzer.frontends.puppet.node.typical import typical_facts

        return typical_facts(path.removeprefix(MARK))
    if leads_out(path):
        raise InputError(f"cannot be read: {LINKED_OUT}", Span(path), "bad-facts")
    try:
        text = read_text(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path), "bad-facts") from None
    except UnicodeDecodeError as error:
        message = f"the facts are not UTF-8: {error.reason} at byte {error.start + 1}"
        raise InputError(message, Span(path), "bad-facts") from None
    try:
        if text.lstrip()[:1] == "{":
            from json import loads

            value = loads(text)
        else:
            value = load(RUBY_OBJECT.sub("---", text), path, dates_as_text=True)
    except Exception as error:
        message = f"the facts are neither JSON nor YAML: {error}"
        raise InputError(message, Span(path), "bad-facts") from None
    if isinstance(value, dict) and isinstance(value.get("values"), dict):
        value = value["values"]
    if not isinstance(value, dict):
        raise InputError("the facts are not a map of names and values", Span(path), "bad-facts")
    return {str(name): fact for name, fact in value.items()}


def fact_sets(settings: Settings) -> list[tuple[str, JsonObject | None]]:
    """Return each set of facts with its file, as compiles take them; None: they are Unknown.

    Stubs are merged in, and make a set by themselves where there is no file.

    Raises:
        InputError: as `read_facts`.
    """
    stubs = settings.stubs.facts
    if settings.fact_values is not None:
        return [("", complete(settings.fact_values, settings))]
    if not settings.facts:
        return [("", complete(stubs, settings) if stubs else None)]
    return [(name, complete(read_facts(name), settings)) for name in settings.facts]


def facts_for(
    settings: Settings, name: str, facts: JsonObject | None, node: str
) -> JsonObject | None:
    """Return the facts of a node: its own, if it has a file of them, else those of a set.

    Typical facts carry the node's name.

    Raises:
        InputError: as `read_facts`.
    """
    own = own_facts(settings, node)
    if own is not None:
        return complete(read_facts(own), settings)
    if name.startswith(MARK):
        from analyzer.frontends.puppet.node.typical import typical_facts

        return complete(typical_facts(name.removeprefix(MARK), node), settings)
    return facts


def for_system(settings: Settings, name: str, node: str) -> Settings:
    """Return the settings of a node with a set of facts, which may be those of a typical system."""
    typical = name.startswith(MARK) and own_facts(settings, node) is None
    return replace(settings, typical=settings.typical or typical)


def own_facts(settings: Settings, node: str) -> str | None:
    """Return the file of a node's own facts, None if it has none."""
    return files_of_nodes(settings.facts_dir).get(node) if settings.facts_dir else None


def nodes_with(settings: Settings, nodes: Iterable[str], name: str) -> list[str]:
    """Return the nodes to compile with a set of facts: those with their own, with the first."""
    first = not settings.facts or name == settings.facts[0]
    return [node for node in nodes if first or own_facts(settings, node) is None]


def files_of_nodes(folder: str) -> dict[str, str]:
    """Return the files of a folder that are named after nodes, by these names, sorted.

    Raises:
        InputError: it is no folder that can be read.
    """
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(folder)) from None
    parts = [(*os.path.splitext(name), name) for name in names if not name.startswith(".")]
    return {node: os.path.join(folder, name) for node, kind, name in parts if kind in OF_DATA}


def complete(facts: JsonObject, settings: Settings) -> JsonObject:
    """Return facts with the stubs, and with or without the old names, as the settings say."""
    facts = merged(facts, settings.stubs.facts)
    if settings.no_legacy_facts == "all":
        return {name: fact for name, fact in facts.items() if not is_legacy(name)}
    return {**legacy_facts(facts), **facts} if settings.legacy_facts else facts


def merged(facts: JsonObject, stubs: JsonObject) -> JsonObject:
    """Return hashes merged key by key; of other values the second is taken."""
    found = dict(facts)
    for name, value in stubs.items():
        before = found.get(name)
        both = isinstance(value, dict) and isinstance(before, dict)
        found[name] = merged(cast("JsonObject", before), value) if both else value
    return found
